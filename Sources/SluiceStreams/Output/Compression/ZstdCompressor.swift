#if ZSTD
import CZstd
import SluiceCore

/// Writes one frame of a Zstandard file, with a checksum.
final class ZstdCompressor: Compressor {
    private let context: OpaquePointer
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)

    /// Returns nil if memory is insufficient.
    init?(level: Int?) {
        guard let context = ZSTD_createCCtx() else {
            piece.deallocate()
            return nil
        }
        self.context = context
        let level = min(max(level ?? Int(ZSTD_defaultCLevel()), Int(ZSTD_minCLevel())), Int(ZSTD_maxCLevel()))
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level))
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        // The windows of higher levels are larger than `JSONLimits.window`, and many decoders refuse them.
        if level > 19 { ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 23) }
    }

    deinit {
        ZSTD_freeCCtx(context)
        piece.deallocate()
    }

    func compress(
        _ bytes: UnsafeRawBufferPointer, _ end: CompressionEnd,
        _ write: (UnsafeRawBufferPointer) throws(JSONModelError) -> Void
    ) throws(JSONModelError) {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        let directive =
            switch end {
            case .none: ZSTD_e_continue
            case .flush: ZSTD_e_flush
            case .finish: ZSTD_e_end
            }
        while true {
            var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let left = ZSTD_compressStream2(context, &output, &input, directive)
            if ZSTD_isError(left) != 0 { throw .outOfMemory }
            if output.pos > 0 { try write(UnsafeRawBufferPointer(rebasing: piece[..<output.pos])) }
            if input.pos == input.size, end == .none || left == 0 { return }
        }
    }
}
#endif
