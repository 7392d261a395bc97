#if ZSTD
import CZstd

/// Decompresses the frames of a Zstandard file.
///
/// The library is given one block at a time, because output before a defect in the same call would be lost.
final class ZstdDecompressor: Decompressor {
    private let context: OpaquePointer
    private(set) var consumed = 0
    private(set) var defect: (reason: String, offset: Int)?
    private(set) var isAtEnd = false
    /// The number of bytes of the open block or header that are missing.
    private var missing = 0
    /// The offset of the open block or header.
    private var blockOffset = 0

    /// Returns nil if memory is insufficient.
    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    func decompress(
        _ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var space = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        while space.pos < space.size, defect == nil {
            if isAtEnd, input.isEmpty { break }
            if missing == 0 {
                // At least the beginning of a frame.
                missing = 5
                blockOffset = consumed
            }
            isAtEnd = false
            var given = ZSTD_inBuffer(src: input.baseAddress, size: min(missing, input.count), pos: 0)
            let result = ZSTD_decompressStream(context, &space, &given)
            if ZSTD_isError(result) != 0 {
                defect = (String(cString: ZSTD_getErrorName(result)), blockOffset)
                break
            }
            input = UnsafeBufferPointer(rebasing: input.dropFirst(given.pos))
            consumed += given.pos
            // The library keeps the beginning of a block that is incomplete.
            if given.pos == missing { blockOffset = consumed }
            isAtEnd = result == 0
            missing = result
            // All output was written, because space is left.
            if input.isEmpty, space.pos < space.size { break }
        }
        return space.pos
    }
}
#endif
