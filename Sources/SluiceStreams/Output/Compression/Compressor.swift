import SluiceCore

/// Compresses output in one format.
protocol Compressor: AnyObject {
    /// Compresses bytes, and passes the result to a closure in pieces.
    ///
    /// - Parameters:
    ///   - end: The part of the output that is complete after the bytes.
    ///   - write: Receives the result. Each piece is valid only during the call.
    func compress(
        _ bytes: UnsafeRawBufferPointer, _ end: CompressionEnd,
        _ write: (UnsafeRawBufferPointer) throws(JSONModelError) -> Void
    ) throws(JSONModelError)
}

/// The part of an output that is complete after some bytes.
enum CompressionEnd {
    /// Nothing. The compressor may keep the bytes.
    case none
    /// All bytes so far can be decompressed from the result so far.
    case flush
    /// The compressed data is complete.
    case finish
}

/// The format and level of a compressed output.
struct OutputCompression {
    let format: JSONCompression
    /// The level, or nil for the default of the format.
    let level: Int?

    /// Makes the compressor.
    func compressor() throws(JSONModelError) -> any Compressor {
        switch format {
        case .gzip:
            #if GZIP
            if let compressor = GzipCompressor(level: level) { return compressor }
            throw .outOfMemory
            #else
            throw JSONModelError(.unsupportedCompression(format))
            #endif
        case .zstd:
            #if ZSTD
            if let compressor = ZstdCompressor(level: level) { return compressor }
            throw .outOfMemory
            #else
            throw JSONModelError(.unsupportedCompression(format))
            #endif
        }
    }
}
