/// JSON that a decoder reads: bytes, strings, a file, standard input, chunks, or a value in memory.
///
/// Arrays of bytes, strings, spans, unsafe buffers and ``JSONValue`` conform, and so does any collection of bytes that declares the conformance.
/// Other inputs are static members, such as `.file("repositories.json")`:
///
/// ```swift
/// let repository = try decoder.decode(Repository.self, from: bytes)
/// let count = try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { print($0.name) }
/// ```
public protocol JSONInput: ~Copyable, ~Escapable {
    /// Calls a closure with the content of the input.
    ///
    /// - Parameter body: The closure. The content is valid only during its call.
    /// - Throws: ``JSONModelError`` if the input cannot be accessed, or the error thrown by `body`.
    @_documentation(visibility: internal)
    borrowing func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R
}

/// The content of a ``JSONInput``.
@_documentation(visibility: internal)
public struct JSONInputContent {
    enum Form {
        /// UTF-8.
        case text(ByteInput)
        /// A value in memory.
        case tree(any TreeContent)
    }

    let form: Form

    /// A value in memory, whose kind only the core knows.
    package struct Tree {
        let content: any TreeContent

        /// Whether the value is an array.
        package func isArray(_ decoder: JSONModelDecoder) -> Bool { content.isArray(decoder) }
    }

    /// The value in memory; nil for a text.
    package var tree: Tree? { if case .tree(let content) = form { Tree(content: content) } else { nil } }

    /// The text; nil for a value in memory.
    package var text: ByteInput? { if case .text(let input) = form { input } else { nil } }

    /// Whether the content is a part of a file, which only a stream reads.
    var isPart: Bool { if case .text(let input) = form { !input.part.isWhole } else { false } }

    /// UTF-8 in memory, which must stay valid while the closure that receives the content runs.
    public static func bytes(_ bytes: UnsafeRawBufferPointer) -> JSONInputContent {
        JSONInputContent(form: .text(.memory(bytes.assumingMemoryBound(to: UInt8.self))))
    }

    /// A value in memory.
    ///
    /// - Parameter look: Returns the JSON kind of a value. Throws ``JSONModelError/ConversionFailure`` for a value without
    ///   JSON.
    package static func tree<Value>(
        _ root: Value, look: @escaping (Value, JSONModelDecoder) throws -> TreeNode<Value>
    ) -> JSONInputContent {
        JSONInputContent(form: .tree(WalkedTree(root: root, look: look)))
    }
}

/// A value in memory that represents JSON.
// A class, because a copy of a content then copies references only.
protocol TreeContent: AnyObject {
    /// Sends the tokens of the value to a driver.
    ///
    /// - Parameters:
    ///   - decoder: The decoder, whose options the driver borrows.
    ///   - missing: The path of the value that the driver must have made at the end; nil if no value is required.
    func run(
        to driver: inout Driver, _ decoder: JSONModelDecoder, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome

    /// Sends the tokens of the value to the drivers of elements and their envelope, in one sink.
    func run(
        to sink: inout AnySink, _ decoder: JSONModelDecoder, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome

    /// Sends the tokens of the value to any sink.
    func run(to sink: inout some TokenSink, _ decoder: JSONModelDecoder) throws(JSONModelError)

    /// Whether the value is an array.
    func isArray(_ decoder: JSONModelDecoder) -> Bool
}

/// A value in memory with a cursor.
private protocol CursorContent: TreeContent {
    associatedtype Cursor: TreeCursor
    /// Returns a cursor before the value.
    func cursor(_ decoder: JSONModelDecoder) -> Cursor
}

extension CursorContent {
    private func source(_ decoder: JSONModelDecoder) -> TreeSource<Cursor> {
        TreeSource(cursor(decoder), limits: decoder.limits)
    }

    func run(
        to driver: inout Driver, _ decoder: JSONModelDecoder, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        var source = source(decoder)
        return try source.run(to: &driver, missing: missing, isPartial: decoder.options.isPartial)
    }

    func run(
        to sink: inout AnySink, _ decoder: JSONModelDecoder, missing: JSONPath?
    ) throws(JSONModelError) -> ParseOutcome {
        var source = source(decoder)
        return try source.run(to: &sink, missing: missing, isPartial: false)
    }

    func run(to sink: inout some TokenSink, _ decoder: JSONModelDecoder) throws(JSONModelError) {
        var source = source(decoder)
        try source.run(to: &sink)
    }
}

// A class that is not generic, because the compiler then specializes the source for the cursor and the driver.
private final class ValueTree: CursorContent {
    private let root: JSONValue

    init(_ root: JSONValue) { self.root = root }

    func cursor(_ decoder: JSONModelDecoder) -> ValueCursor { ValueCursor(root) }

    func isArray(_ decoder: JSONModelDecoder) -> Bool { if case .array = root { true } else { false } }
}

private final class WalkedTree<Value>: CursorContent {
    private let root: Value
    private let look: (Value, JSONModelDecoder) throws -> TreeNode<Value>

    init(root: Value, look: @escaping (Value, JSONModelDecoder) throws -> TreeNode<Value>) {
        (self.root, self.look) = (root, look)
    }

    func cursor(_ decoder: JSONModelDecoder) -> TreeWalk<Value> {
        TreeWalk(root) { [look] in try look($0, decoder) }
    }

    func isArray(_ decoder: JSONModelDecoder) -> Bool {
        if case .array? = try? look(root, decoder) { true } else { false }
    }
}

// MARK: Memory

extension [UInt8]: JSONInput {
    @inlinable @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try withUnsafeBufferPointer { bytes throws(JSONModelError) in try bytes.withContent(body) }
    }
}

extension JSONInput where Self: Collection<UInt8> {
    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        // `withContiguousStorageIfAvailable` has no typed throws.
        let result = withContiguousStorageIfAvailable { bytes in
            Result { () throws(JSONModelError) in try bytes.withContent(body) }
        }
        guard let result else { return try Array(self).withContent(body) }
        return try result.get()
    }
}

extension ContiguousArray<UInt8>: JSONInput {}
extension ArraySlice<UInt8>: JSONInput {}
extension UnsafeMutableBufferPointer<UInt8>: JSONInput {}
extension UnsafeMutableRawBufferPointer: JSONInput {}

extension Span<UInt8>: JSONInput {
    @_documentation(visibility: internal)
    public borrowing func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try withUnsafeBufferPointer { bytes throws(JSONModelError) in try bytes.withContent(body) }
    }
}

extension RawSpan: JSONInput {
    @_documentation(visibility: internal)
    public borrowing func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try withUnsafeBytes { bytes throws(JSONModelError) in try body(.bytes(bytes)) }
    }
}

extension UnsafeBufferPointer<UInt8>: JSONInput {
    @inlinable @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(.bytes(UnsafeRawBufferPointer(self)))
    }
}

extension UnsafeRawBufferPointer: JSONInput {
    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(.bytes(self))
    }
}

extension String: JSONInput {
    @inlinable @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        var text = self
        // `withUTF8` has no typed throws.
        return try text.withUTF8 { bytes in
            Result { () throws(JSONModelError) in try bytes.withContent(body) }
        }.get()
    }
}

extension Substring: JSONInput {
    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        var text = self
        // `withUTF8` has no typed throws.
        return try text.withUTF8 { bytes in
            Result { () throws(JSONModelError) in try bytes.withContent(body) }
        }.get()
    }
}

extension JSONValue: JSONInput {
    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(JSONInputContent(form: .tree(ValueTree(self))))
    }
}

extension JSONRaw: JSONInput {
    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try bytes.withContent(body)
    }
}

// MARK: Files and chunks

/// A file, or a part of it, that is read in windows, never as a whole. See ``JSONInput/file(_:from:)``.
public struct JSONFileInput: JSONInput, Sendable {
    private let path: Result<String, JSONModelError>
    private let part: FilePart

    private init(_ path: Result<String, JSONModelError>, _ part: FilePart) {
        (self.path, self.part) = (path, part)
    }

    /// Creates an input for the file at a path, or for an error that is thrown when the input is read.
    package init(_ path: Result<String, JSONModelError>, from checkpoint: JSONCheckpoint? = nil) {
        self.init(path, checkpoint.map { .rest($0) } ?? .whole)
    }

    /// Creates an input for a range of the file at a path, or for an error that is thrown when the input is read.
    package init(_ path: Result<String, JSONModelError>, range: Range<Int>) {
        self.init(path, .range(JSONFileRange(bytes: range), isLocated: range.lowerBound == 0))
    }

    /// Creates an input for a range of the file at a path, or for an error that is thrown when the input is read.
    package init(_ path: Result<String, JSONModelError>, range: JSONFileRange) {
        self.init(path, .range(range, isLocated: true))
    }

    /// The file, for a reader of its bytes.
    ///
    /// - Throws: An error if the input is a part of a file.
    package func wholeFile() throws(JSONModelError) -> String {
        try part.requireWhole()
        return try path.get()
    }

    @_documentation(visibility: internal)
    public func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(JSONInputContent(form: .text(.file(FileInput(try path.get(), part)))))
    }
}

/// Standard input, which is read to its end.
private struct StandardInput: JSONInput, Sendable {
    func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(JSONInputContent(form: .text(.reader(.standardInput))))
    }
}

/// Bytes in chunks that may be cut at any byte.
private struct ChunkInput: JSONInput {
    private let makeIterator: () -> AnyIterator<[UInt8]>

    init<Chunks: Sequence>(_ chunks: Chunks) where Chunks.Element: Collection<UInt8> {
        makeIterator = { AnyIterator(chunks.lazy.map { Array($0) }.makeIterator()) }
    }

    func withContent<R>(
        _ body: (JSONInputContent) throws(JSONModelError) -> R
    ) throws(JSONModelError) -> R {
        try body(JSONInputContent(form: .text(.chunks(makeIterator()))))
    }
}

// The static members of all inputs: the compiler looks for them in the extensions for one type.
extension JSONInput where Self == JSONFileInput {
    /// The file at a path, or the rest of the file, with which a stream continues. The file is read in windows, never as a whole.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - checkpoint: The point from which a stream continues; nil for the start of the file. See ``JSONCheckpoint``.
    public static func file(_ path: String, from checkpoint: JSONCheckpoint? = nil) -> JSONFileInput {
        JSONFileInput(.success(path), from: checkpoint)
    }

    /// A range of the file at a path, of which a stream reads the elements.
    ///
    /// In lines, text sequences and server-sent events (also in the framing `.dataLines`), the range may begin and end at any byte: the
    /// stream reads the values that begin in the range, so that adjacent ranges have each value once. The end may be beyond the end of the
    /// file. In other framings, both ends must be those of elements; see `JSONModelDecoder.ranges(of:at:framing:parts:)`.
    ///
    /// Locations, paths and indexes of issues are those of the whole file. Therefore the file before the range is read, too: when an issue or
    /// a position needs its line, and in other framings always, to check the start of the range. A ``JSONFileRange`` needs no such read.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - range: The offsets of the bytes. A range of a compressed file, and one that cannot be read as described, is an error of the kind
    ///     ``JSONIssue/Kind/invalidRange(_:)``.
    public static func file(_ path: String, range: Range<Int>) -> JSONFileInput {
        JSONFileInput(.success(path), range: range)
    }

    /// A range of the file at a path, of which a stream reads the elements.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - range: The range, from `JSONModelDecoder.ranges(of:at:framing:parts:)` or from `sluice ranges`.
    public static func file(_ path: String, range: JSONFileRange) -> JSONFileInput {
        JSONFileInput(.success(path), range: range)
    }

    /// Standard input, to its end. The input is read in windows, never as a whole.
    public static var standardInput: some JSONInput & Sendable { StandardInput() }

    /// Chunks of an input, which may be cut at any byte.
    public static func chunks<Chunks: Sequence>(_ chunks: Chunks) -> some JSONInput
    where Chunks.Element: Collection<UInt8> {
        ChunkInput(chunks)
    }
}
