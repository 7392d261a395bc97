/// Turns JSON into models, straight from the token stream: a value of options, cheap to copy.
///
/// ```swift
/// let decoder = JSONModelDecoder()
/// let repository = try decoder.decode(Repository.self, from: bytes)
/// try decoder.forEach(Repository.self, at: "items[*]", contentsOf: "huge.json") { print($0.name) }
/// ```
public struct JSONModelDecoder: Sendable {
    /// Where the tokens come from.
    public enum Source: Sendable, Hashable, CaseIterable {
        #if Yajl
        /// libyajl: the reference. There with the package trait `Yajl`, which is on by default.
        case yajl
        #endif
        /// Sluice's own scanner: the same tokens, several times as fast.
        case scanner
    }

    /// What a key means that stands twice in one object.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The last one counts.
        case lastWins
        /// It is an error, wherever the key is wanted: in a model, a dictionary or a `JSONValue`.
        case reject
    }

    #if Yajl
    /// Where the tokens come from: libyajl, unless it is set to the scanner.
    public var source = Source.yajl
    #else
    /// Where the tokens come from: the scanner.
    public var source = Source.scanner
    #endif
    /// How long and deep a text may be.
    public var limits = JSONLimits()
    /// What a key means that stands twice: the last one counts.
    public var duplicateKeys = DuplicateKeys.lastWins

    /// A decoder of the default, strict options.
    public init() {}
}

/// What the body of a `forEach` answers to an element.
public enum JSONStreamControl: Sendable, Hashable {
    /// Go on with the next element.
    case `continue`
    /// It is enough: what follows is not read.
    case stop
}

// MARK: One value

extension JSONModelDecoder {
    /// Decodes the value at a path of a text in memory.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - path: where the value is; the whole text by default. See ``JSONPath``.
    /// - Throws: ``JSONModelError``
    public func decode<T: JSONFillable>(
        _ type: T.Type, from bytes: UnsafeRawBufferPointer, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, .memory(bytes), at: path)
    }

    /// Decodes the value at a path of a text in memory.
    ///
    /// - Throws: ``JSONModelError``
    public func decode<T: JSONFillable>(
        _ type: T.Type, from bytes: [UInt8], at path: String = ""
    ) throws(JSONModelError) -> T {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            try decode(type, .memory(bytes), at: path)
        }
    }

    /// Decodes the value at a path of a text.
    ///
    /// - Throws: ``JSONModelError``
    public func decode<T: JSONFillable>(
        _ type: T.Type, from text: String, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, from: Array(text.utf8), at: path)
    }

    /// Decodes the value at a path of a file, which is read in windows, never whole.
    ///
    /// - Throws: ``JSONModelError``
    public func decode<T: JSONFillable>(
        _ type: T.Type, contentsOf file: String, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, .file(file), at: path)
    }

    /// Decodes the value at a path of standard input, which is read in windows, to its end.
    ///
    /// - Throws: ``JSONModelError``
    public func decodeStandardInput<T: JSONFillable>(
        _ type: T.Type, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, .standardInput, at: path)
    }

    /// Decodes the value at a path of a text that comes in pieces, cut anywhere.
    ///
    /// - Throws: ``JSONModelError``
    public func decode<T: JSONFillable, Chunks: Sequence>(
        _ type: T.Type, fromChunks chunks: Chunks, at path: String = ""
    ) throws(JSONModelError) -> T where Chunks.Element: Collection<UInt8> {
        try decode(type, .chunks(AnyIterator(chunks.lazy.map { Array($0) }.makeIterator())), at: path)
    }

    private func decode<T: JSONFillable>(
        _ type: T.Type, _ input: TextInput, at path: String
    ) throws(JSONModelError) -> T {
        let shape = try JSONShape.of(type).prepared()
        let lead = path.isEmpty || path == "$" ? nil : try PathLead(path, to: shape, streams: false)
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let driver = Driver(
            shape: shape, target: memory, table: lead?.table, depth: limits.depth,
            rejectsDuplicates: duplicateKeys == .reject, emit: nil)
        try run(driver, input, missing: lead?.path ?? JSONPath())
        return memory.move()
    }
}
