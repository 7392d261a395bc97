/// A location in the input. In a compressed input, the location of an issue of JSON is that in the decompressed text.
public struct JSONLocation: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes before the location.
    public var offset: Int
    /// The line, from 1. Values in memory and compressed data have no lines, so their issues have line 0.
    public var line: Int
    /// The column, from 1, in bytes of UTF-8.
    public var column: Int

    /// Creates a location. The default is the first byte.
    public init(offset: Int = 0, line: Int = 1, column: Int = 1) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The location for error messages.
    public var description: String { "line \(line), column \(column), offset \(offset)" }
}
