#if GZIP
import CZlib
import SluiceCore

/// Writes one member of a gzip file.
final class GzipCompressor: Compressor {
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)

    /// Returns nil if memory is insufficient.
    init?(level: Int?) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let level = level.map { Int32(min(max($0, 0), 9)) } ?? Z_DEFAULT_COMPRESSION
        guard sluice_deflate_begin(stream, level) == Z_OK else {
            stream.deallocate()
            piece.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    func compress(
        _ bytes: UnsafeRawBufferPointer, _ end: CompressionEnd,
        _ write: (UnsafeRawBufferPointer) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        var rest = bytes.assumingMemoryBound(to: UInt8.self)
        repeat {
            // zlib counts with 32 bits.
            let input = UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(input.count))
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            let flush =
                switch end {
                case .flush where rest.isEmpty: Z_SYNC_FLUSH
                case .finish where rest.isEmpty: Z_FINISH
                default: Z_NO_FLUSH
                }
            repeat {
                stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(piece.count)
                deflate(stream, flush)
                let produced = piece.count - Int(stream.pointee.avail_out)
                if produced > 0 { try write(UnsafeRawBufferPointer(rebasing: piece[..<produced])) }
            } while stream.pointee.avail_out == 0
        } while !rest.isEmpty
    }
}
#endif
