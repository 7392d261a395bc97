/// A range of a file that begins and ends between elements, and the position of its first element in the whole file.
///
/// The ranges of `JSONModelDecoder.ranges(of:at:framing:parts:)` have all elements of a file once. Each can be read by another
/// thread, process or machine:
///
/// ```swift
/// for range in try decoder.ranges(of: .file("huge.json"), at: "items[*]", parts: 64) {
///     try decoder.forEach(Item.self, in: .file("huge.json", range: range), at: "items[*]") { item in … }
/// }
/// ```
public struct JSONFileRange: Sendable, Hashable {
    /// The offsets of the bytes.
    public var bytes: Range<Int>
    /// The number of elements of the file before the range.
    public var index: Int
    /// The location of the first byte.
    public var start: JSONLocation {
        JSONLocation(offset: bytes.lowerBound, line: line, column: column)
    }
    private var line: Int
    private var column: Int

    /// Creates a range. Reading a range whose numbers are not those of a text throws an error of the kind
    /// ``JSONIssue/Kind/invalidRange(_:)``.
    ///
    /// - Parameters:
    ///   - bytes: The offsets of the bytes.
    ///   - index: The number of elements of the file before the range.
    ///   - line: The line of the first byte, from 1.
    ///   - column: The column of the first byte, from 1, in bytes of UTF-8.
    public init(bytes: Range<Int>, index: Int, line: Int, column: Int) {
        self.bytes = bytes
        self.index = index
        self.line = line
        self.column = column
    }

    /// Creates a range whose index and location count from its first byte.
    init(bytes: Range<Int>) { self.init(bytes: bytes, index: 0, line: 1, column: 1) }

    /// The greatest number in a range of a text. No sum of such numbers overflows.
    static let maximumNumber = 1 << 60

    /// Whether the index and the location are those of a text.
    package var isPossible: Bool {
        0...Self.maximumNumber ~= index && 1...Self.maximumNumber ~= line && 1...Self.maximumNumber ~= column
    }

    /// The lines before the first byte. The numbers must be those of a text.
    package var lines: LineCount { LineCount(before: start) }
}

/// The keys are `start` and `end`, which are offsets, `index`, `line` and `column`.
extension JSONFileRange: Codable {
    private enum CodingKeys: String, CodingKey {
        case start, end, index, line, column
    }

    /// Decodes a range.
    ///
    /// - Throws: `DecodingError` if the numbers are not those of a range of a text.
    @_documentation(visibility: internal) public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let start = try container.decode(Int.self, forKey: .start)
        let end = try container.decode(Int.self, forKey: .end)
        bytes = start..<max(start, end)
        index = try container.decode(Int.self, forKey: .index)
        line = try container.decode(Int.self, forKey: .line)
        column = try container.decode(Int.self, forKey: .column)
        guard 0 <= start, start <= end, end <= Self.maximumNumber, isPossible else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the range is not that of a text"))
        }
    }

    /// Encodes the range.
    @_documentation(visibility: internal) public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bytes.lowerBound, forKey: .start)
        try container.encode(bytes.upperBound, forKey: .end)
        try container.encode(index, forKey: .index)
        try container.encode(line, forKey: .line)
        try container.encode(column, forKey: .column)
    }
}
