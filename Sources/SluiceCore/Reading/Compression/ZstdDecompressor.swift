#if ZSTD
import CZstd

/// Decompresses the frames of a Zstandard file.
///
/// The library is given one part of a frame at a time, because output before a defect in the same call would be lost. The sizes of
/// the parts are those of RFC 8878: the library's own hints contain the header of the next block.
final class ZstdDecompressor: Decompressor {
    private enum Part {
        /// The magic number, and the first byte of the frame's header.
        case frameStart
        case frameHeader
        case skippedData
        case blockHeader
        case block
        case checksum
    }

    private let context: OpaquePointer
    private(set) var consumed = 0
    private(set) var defect: (reason: String, offset: Int)?
    private(set) var exceedsWindow = false
    var memberHandler: ((Int, Int) -> Void)?
    private var part = Part.frameStart
    /// The number of bytes of the part that are missing.
    private var missing = 5
    /// The bytes of a header that were consumed.
    private var header: [UInt8] = []
    /// The offset of the part; for the data of a block, of the block.
    private var partOffset = 0
    private var hasChecksum = false
    private var isLastBlock = false
    /// Whether the last output was full, so that the library may keep further output.
    private var keepsOutput = false

    /// Returns nil if memory is insufficient.
    ///
    /// - Parameter window: The greatest window in bytes.
    init?(window: Int) {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        // The library takes a power of two between its own bounds.
        let bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax)
        let power = Int32(Int.bitWidth - 1 - max(window, 1).leadingZeroBitCount)
        ZSTD_DCtx_setParameter(
            context, ZSTD_d_windowLogMax, min(max(power, bounds.lowerBound), bounds.upperBound))
    }

    deinit { ZSTD_freeDCtx(context) }

    var isPadded: Bool { false }
    var isAtEnd: Bool { part == .frameStart && header.isEmpty && consumed > 0 }

    func decompress(
        _ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var space = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        while space.pos < space.size, defect == nil {
            if input.isEmpty, !keepsOutput { break }
            if part == .frameStart, header.isEmpty, !keepsOutput { memberHandler?(consumed, space.pos) }
            // Output that the library keeps comes before a defect of the next part.
            let count = keepsOutput ? 0 : min(missing, input.count)
            var piece = ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
            let result = ZSTD_decompressStream(context, &space, &piece)
            if ZSTD_isError(result) != 0 {
                exceedsWindow = ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge
                defect = (String(cString: ZSTD_getErrorName(result)), partOffset)
                break
            }
            keepsOutput = space.pos == space.size
            take(&input, piece.pos)
        }
        return space.pos
    }

    private func take(_ input: inout UnsafeBufferPointer<UInt8>, _ count: Int) {
        if part != .block, part != .skippedData { header += input.prefix(count) }
        input = UnsafeBufferPointer(rebasing: input.dropFirst(count))
        consumed += count
        missing -= count
        while missing == 0, defect == nil { beginPart() }
    }

    /// Begins the part after one that is complete.
    private func beginPart() {
        switch part {
        case .frameStart:
            if header[1...3] == [0x2A, 0x4D, 0x18], header[0] & 0xF0 == 0x50 {
                (part, missing) = (.frameHeader, 3)
            } else if header.prefix(4) == [0x28, 0xB5, 0x2F, 0xFD] {
                let flags = header[4]
                hasChecksum = flags & 4 != 0
                let hasWindow = flags & 0x20 == 0
                let contentSize = flags >> 6 == 0 ? (hasWindow ? 0 : 1) : 1 << Int(flags >> 6)
                (part, missing) = (.frameHeader, (hasWindow ? 1 : 0) + [0, 1, 2, 4][Int(flags & 3)] + contentSize)
            } else {
                defect = ("Unknown frame descriptor", partOffset)
            }
        case .frameHeader:
            if header[0] & 0xF0 == 0x50 {
                let size = header[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
                begin(.skippedData, size)
            } else {
                begin(.blockHeader, 3)
            }
        case .blockHeader:
            let bits = Int(header[0]) | Int(header[1]) << 8 | Int(header[2]) << 16
            isLastBlock = bits & 1 != 0
            // A block of a repeated byte has one byte of data.
            (part, missing, header) = (.block, bits >> 1 & 3 == 1 ? 1 : bits >> 3, [])
        case .block:
            if !isLastBlock {
                begin(.blockHeader, 3)
            } else if hasChecksum {
                begin(.checksum, 4)
            } else {
                begin(.frameStart, 5)
            }
        case .skippedData, .checksum: begin(.frameStart, 5)
        }
    }

    private func begin(_ next: Part, _ length: Int) {
        (part, missing, header, partOffset) = (next, length, [], consumed)
    }
}
#endif
