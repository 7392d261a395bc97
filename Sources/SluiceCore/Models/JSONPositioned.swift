/// An element of a stream with its position.
///
/// ```swift
/// for try await row in decoder.elements(of: JSONPositioned<Row>.self, in: .file("rows.jsonl"), framing: .lines) {
///     print(row.position.start.line, row.value.name)
///     checkpoint = row.position.checkpoint
/// }
/// ```
///
/// The position is that of the element in a stream, whose elements may also be optionals of this type. Elsewhere, the position is empty.
@dynamicMemberLookup
public struct JSONPositioned<Value: JSONConvertible>: JSONConvertible {
    /// The element itself, without its position. Its properties are also those of the positioned element: `row.name` is
    /// `row.value.name`.
    public var value: Value
    /// The position of the element in its stream.
    public internal(set) var position = JSONElementPosition()

    /// Creates an element without a position.
    public init(_ value: Value) { self.value = value }

    /// A property of the element.
    public subscript<Property>(dynamicMember property: KeyPath<Value, Property>) -> Property {
        value[keyPath: property]
    }

    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        let inner = JSONShape.of(Value.self)
        let conversion = ConversionWitness(
            inner: inner, buffersValue: false, nullValues: nil,
            positionOffset: MemoryLayout<Self>.offset(of: \.position), takesKey: inner.takesKey
        ) { value, target, _, _ in
            let value = value.assumingMemoryBound(to: Value.self).move()
            target.initializeMemory(as: Self.self, to: Self(value))
        } makeEncodedForm: { element, value in
            let element = element.assumingMemoryBound(to: Self.self)
            value.initializeMemory(as: Value.self, to: element.pointee.value)
        }
        return JSONShape(Self.self, .conversion(conversion))
    }
}

extension JSONPositioned: Sendable where Value: Sendable {}
extension JSONPositioned: Equatable where Value: Equatable {}
extension JSONPositioned: Hashable where Value: Hashable {}

/// The position of an element in the input of a stream.
public struct JSONElementPosition: Sendable, Hashable {
    /// The number of elements before, including the skipped ones.
    public package(set) var index = 0
    /// The path of the element in its document or value, such as `items[3]`.
    public package(set) var path = JSONPath()
    /// The location of the element's first byte.
    public package(set) var start = JSONLocation()
    /// The location after the element's last byte.
    public package(set) var end = JSONLocation()
    /// The value of a stream that contains several elements.
    package struct Enclosing: Sendable, Hashable {
        /// The location of the first byte.
        let start: JSONLocation
        /// The number of elements before this one in the value.
        let elements: Int

        package init(start: JSONLocation, elements: Int) { (self.start, self.elements) = (start, elements) }
    }
    /// The value that contains the element; nil if the value is the element, and in a document.
    package var enclosing: Enclosing?
    /// The digest of the text before the checkpoint; nil if unknown.
    package var digest: Int64?

    package init() {}

    /// The offsets of the element's bytes. In framings other than a document, a path without a wildcard gives the range of the
    /// value that contains the element.
    public var range: Range<Int> { start.offset..<max(start.offset, end.offset) }

    /// The point in the stream after the element. See ``JSONCheckpoint``.
    public var checkpoint: JSONCheckpoint {
        let location = enclosing?.start ?? end
        return JSONCheckpoint(
            offset: location.offset, line: location.line, column: location.column, elements: index + 1,
            path: enclosing == nil ? path : JSONPath(), leading: enclosing.map { $0.elements + 1 } ?? 0,
            digest: digest)
    }
}

/// A point in a stream of a file, from which another stream can continue.
///
/// ```swift
/// let rest = decoder.elements(of: Row.self, in: .file("rows.jsonl", from: checkpoint), framing: .lines)
/// ```
///
/// The stream continues with the element after the checkpoint. Its path and framing must be those of the stream of the checkpoint.
/// Locations, indexes and the progress are those of a stream that is read from its start.
///
/// A checkpoint has a digest of the preceding bytes and of the first bytes of the text. If these bytes of the file differ, or the
/// file ends before the checkpoint, reading throws an error of the kind ``JSONIssue/Kind/checkpointMismatch(_:)``. The bytes after
/// the checkpoint may change, so that a file may grow.
public struct JSONCheckpoint: Sendable, Hashable, Codable {
    /// The offset at which reading continues.
    public let offset: Int
    let line: Int
    let column: Int
    /// The number of the elements before, including the skipped ones.
    public let elements: Int
    /// The path of the last element of a document.
    private let steps: [Step]
    /// The number of elements after the offset that belong to the part before the checkpoint.
    package let leading: Int
    /// The digest of the text before the offset; nil if unknown, as in a checkpoint of an earlier version.
    package let digest: Int64?

    /// A step of a path without wildcards.
    private enum Step: Sendable, Hashable, Codable {
        case key(String)
        case index(Int)
    }

    fileprivate init(
        offset: Int, line: Int, column: Int, elements: Int, path: JSONPath, leading: Int, digest: Int64?
    ) {
        (self.offset, self.line, self.column) = (offset, line, column)
        (self.elements, self.leading, self.digest) = (elements, leading, digest)
        steps = path.components.compactMap { component in
            switch component {
            case .key(let key): .key(key)
            case .index(let index): .index(index)
            case .anyIndex, .anyKey: nil
            }
        }
    }

    /// Creates a checkpoint after an element of a document.
    ///
    /// - Parameters:
    ///   - path: The path of the element, without wildcards.
    ///   - lines: The position after the element.
    package init(after path: JSONPath, lines: LineCount) {
        self.init(
            offset: lines.offset, line: lines.lines + 1, column: lines.offset - lines.lineStart + 1, elements: 0,
            path: path, leading: 0, digest: nil)
    }

    /// Decodes a checkpoint.
    ///
    /// - Throws: `DecodingError` if the checkpoint is not that of a text.
    @_documentation(visibility: internal) public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        offset = try container.decode(Int.self, forKey: .offset)
        line = try container.decode(Int.self, forKey: .line)
        column = try container.decode(Int.self, forKey: .column)
        elements = try container.decode(Int.self, forKey: .elements)
        steps = try container.decode([Step].self, forKey: .steps)
        leading = try container.decode(Int.self, forKey: .leading)
        digest = try container.decodeIfPresent(Int64.self, forKey: .digest)
        guard isPossible else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the checkpoint is not that of a text"))
        }
    }

    /// Whether the numbers are those of a text: each line and column has a byte before the offset, and so does each element, unless elements
    /// of the value at the offset count, too.
    private var isPossible: Bool {
        // No sum of these numbers overflows.
        let limit = 1 << 60
        guard 0...limit ~= offset, 1...limit ~= line, 1...limit ~= column, 0...limit ~= elements else {
            return false
        }
        let indexes = steps.compactMap { if case .index(let index) = $0 { index } else { nil } }
        return line + column - 2 <= offset && 0...elements ~= leading && (leading > 0 || elements <= offset)
            && indexes.allSatisfy { 0...offset ~= $0 }
    }

    /// The path of the last element of a document.
    package var path: JSONPath {
        JSONPath(
            steps.map { step in
                switch step {
                case .key(let key): .key(key)
                case .index(let index): .index(index)
                }
            })
    }

    /// The lines before the offset.
    package var lines: LineCount { LineCount(before: JSONLocation(offset: offset, line: line, column: column)) }
}
