/// Reads an input in windows, each when it is needed.
@usableFromInline
final class InputReader {
    private enum State {
        case unopened
        /// Memory, of which the first bytes have been read.
        case memory(count: Int)
        /// A file, and the part of its last window that has not been decoded.
        case file(FileReader, rest: UnsafeBufferPointer<UInt8>)
        case chunks(AnyIterator<[UInt8]>)
        case ended
    }

    /// The number of bytes that are decoded before their elements are taken. The elements of a small window, and the memory that
    /// they release, stay in the processor's cache.
    @usableFromInline static var window: Int { 8_192 }

    private let withContent: ((JSONInputContent) throws(JSONModelError) -> Void) throws(JSONModelError) -> Void
    private var state = State.unopened

    @usableFromInline
    init(_ input: some JSONInput) {
        withContent = { body throws(JSONModelError) in try input.withContent(body) }
    }

    /// Feeds the next window to a stream, or ends the stream's input.
    ///
    /// - Throws: The error of reading the input.
    @usableFromInline
    func feed<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        switch state {
        case .unopened: try open(stream)
        case .memory(let count): try feedMemory(from: count, stream)
        case .file(let file, let rest):
            let bytes = rest.isEmpty ? try file.nextWindow(openLength: stream.openLength) : rest
            guard let bytes else { return end(stream) }
            let window = bytes.prefix(max(Self.window, stream.openLength))
            stream.push(UnsafeBufferPointer(rebasing: window))
            state = .file(file, rest: UnsafeBufferPointer(rebasing: bytes[window.endIndex...]))
        case .chunks(let chunks):
            if let chunk = chunks.next() { chunk.withUnsafeBufferPointer { stream.push($0) } } else { end(stream) }
        case .ended: break
        }
        if stream.isStopped { state = .ended }
    }

    private func end<Element>(_ stream: QueuedStream<Element>) {
        stream.finish()
        state = .ended
    }

    private func open<Element>(_ stream: QueuedStream<Element>) throws(JSONModelError) {
        state = .ended
        try withContent { content throws(JSONModelError) in
            switch content.form {
            case .text(.memory(let bytes)):
                stream.length = bytes.count
                state = .memory(count: 0)
            case .text(.file(let path)):
                let file = try FileReader(path)
                stream.length = file.length
                state = .file(file, rest: .init(start: nil, count: 0))
            case .text(.standardInput): state = .file(.standardInput, rest: .init(start: nil, count: 0))
            case .text(.chunks(let chunks)): state = .chunks(chunks)
            case .tree(let tree): stream.run(tree)
            }
        }
    }

    private func feedMemory<Element>(from count: Int, _ stream: QueuedStream<Element>) throws(JSONModelError) {
        try withContent { content throws(JSONModelError) in
            guard case .text(.memory(let bytes)) = content.form else { return }
            let window = bytes.dropFirst(count).prefix(max(Self.window, stream.openLength))
            if window.isEmpty { return end(stream) }
            stream.push(UnsafeBufferPointer(rebasing: window))
            state = .memory(count: count + window.count)
        }
    }
}
