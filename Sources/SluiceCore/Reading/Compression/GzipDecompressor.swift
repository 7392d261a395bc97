#if GZIP
import CZlib

/// Decompresses the members of a gzip file.
final class GzipDecompressor: Decompressor {
    /// zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var consumed = 0
    private(set) var defect: (reason: String, offset: Int)?
    var exceedsWindow: Bool { false }
    private(set) var isAtEnd = false
    var memberHandler: ((Int, Int) -> Void)?
    /// Whether the next byte is the first of a member.
    private var isAtStart = true
    /// Whether zeros follow the last member, as in files that are padded to whole blocks.
    private(set) var isPadded = false

    /// Returns nil if memory is insufficient.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard sluice_inflate_begin(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func decompress(
        _ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var written = 0
        while written < output.count, defect == nil {
            if isAtEnd, !beginMember(&input) { break }
            if isAtStart, !input.isEmpty {
                isAtStart = false
                memberHandler?(consumed, written)
            }
            let space = UnsafeMutableBufferPointer(rebasing: output[written...])
            let before = input.count
            let (produced, status) = step(&input, space)
            written += produced
            consumed += before - input.count
            switch status {
            case Z_STREAM_END: isAtEnd = true
            // No progress is possible without further input.
            case Z_BUF_ERROR: return written
            case Z_OK: if input.isEmpty, produced < space.count { return written }
            default: defect = (stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)", consumed)
            }
        }
        return written
    }

    /// Begins the next member. Returns false at the end of the input.
    private func beginMember(_ input: inout UnsafeBufferPointer<UInt8>) -> Bool {
        while let first = input.first {
            if first != 0 {
                if isPadded {
                    defect = ("data follows the padding after the last member", consumed)
                    return false
                }
                inflateReset(stream)
                (isAtEnd, isAtStart) = (false, true)
                return true
            }
            isPadded = true
            input = UnsafeBufferPointer(rebasing: input.dropFirst())
            consumed += 1
        }
        return false
    }

    private func step(
        _ input: inout UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
    ) -> (produced: Int, status: Int32) {
        // zlib counts with 32 bits.
        let inputCount = min(input.count, 1 << 30)
        let outputCount = min(output.count, 1 << 30)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(inputCount)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(outputCount)
        let status = inflate(stream, Z_NO_FLUSH)
        input = UnsafeBufferPointer(rebasing: input.dropFirst(inputCount - Int(stream.pointee.avail_in)))
        return (outputCount - Int(stream.pointee.avail_out), status)
    }
}
#endif
