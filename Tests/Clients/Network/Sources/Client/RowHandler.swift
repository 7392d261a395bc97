import NIOCore
import Sluice

/// A handler of SwiftNIO that turns bytes into rows: a feed takes each buffer, and returns the rows that became complete.
final class RowHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Row

    private var feed = JSONModelDecoder().feed(of: Row.self, framing: .lines)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            for row in try feed.push(unwrapInboundIn(data).readableBytesView) {
                context.fireChannelRead(wrapInboundOut(row))
            }
        } catch { context.fireErrorCaught(error) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        do { for row in try feed.finish() { context.fireChannelRead(wrapInboundOut(row)) } } catch {
            context.fireErrorCaught(error)
        }
        context.fireChannelInactive()
    }
}
