/// Decompresses data of one format, in one or several members or frames.
protocol Decompressor: AnyObject {
    /// The number of bytes consumed.
    var consumed: Int { get }
    /// The defect of the data, and the offset at which it was found. Output before the defect is valid.
    var defect: (reason: String, offset: Int)? { get }
    /// Whether the defect is a window beyond the limit.
    var exceedsWindow: Bool { get }
    /// Whether the data may end here, after a complete member.
    var isAtEnd: Bool { get }
    /// Whether padding follows the last member, after which no other member is read.
    var isPadded: Bool { get }
    /// Receives the offset of each member, and the number of bytes that the current call has written before.
    var memberHandler: ((_ offset: Int, _ written: Int) -> Void)? { get set }

    /// Decompresses data until the input is consumed, the output is full, or a defect is found.
    ///
    /// - Parameters:
    ///   - input: The data. The consumed bytes are removed.
    ///   - output: The memory for the result, at least one byte.
    /// - Returns: The number of bytes written. If the output is full, further output may be available without input.
    func decompress(_ input: inout UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>)
        -> Int
}

extension JSONCompression {
    /// Makes the decompressor of the format.
    ///
    /// - Parameter window: The greatest window in bytes.
    func decompressor(window: Int) throws(JSONModelError) -> any Decompressor {
        switch self {
        case .gzip:
            #if GZIP
            if let decompressor = GzipDecompressor() { return decompressor }
            throw .outOfMemory
            #else
            throw JSONModelError(.unsupportedCompression(self))
            #endif
        case .zstd:
            #if ZSTD
            if let decompressor = ZstdDecompressor(window: window) { return decompressor }
            throw .outOfMemory
            #else
            throw JSONModelError(.unsupportedCompression(self))
            #endif
        }
    }
}
