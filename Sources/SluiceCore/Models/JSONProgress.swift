/// The part of an input that has been decoded.
///
/// All numbers are those of the whole input. In a stream that continues from a ``JSONCheckpoint``, they include the part of the file
/// before the checkpoint.
public struct JSONProgress: Sendable, Hashable {
    /// The number of bytes of the input that were decoded. For a compressed input, the number of compressed bytes.
    public var bytes: Int
    /// The length of the input in bytes; nil if the length is unknown, as for standard input.
    public var totalBytes: Int?
    /// The number of elements of a stream that were decoded, and of those before the checkpoint.
    public var elements: Int

    /// Creates a progress.
    public init(bytes: Int, totalBytes: Int? = nil, elements: Int = 0) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.elements = elements
    }

    /// The decoded fraction, from 0 to 1; nil if the length of the input is unknown.
    public var fraction: Double? {
        totalBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}
