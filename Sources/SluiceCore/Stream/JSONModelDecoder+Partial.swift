// What can be made of a text of which parts fail, and all that is wrong with it.

/// What was made of a text as far as it could be, and what could not.
public struct JSONPartial<Value> {
    /// The value: its arrays, sets and dictionaries are without the elements that failed. A model of which a property failed
    /// is no model: nil if there is nothing around it that could do without.
    ///
    /// Of a text that ends early, or that is no JSON from some byte on, the value holds what was complete before. The scalar
    /// that was being read is left out, and so is a model in which a required property is missing.
    public let value: Value?
    /// Everything that was wrong, in the order of the text. The error that ended the text is followed by what is missing
    /// because of that error.
    public let issues: [JSONIssue]
}

extension JSONPartial: Sendable where Value: Sendable {}

extension JSONModelDecoder {
    /// Decodes as much as possible of the value at a path of a text in memory. All issues are gathered, whatever
    /// ``errors`` says (but for a limit that it gives).
    ///
    /// A text that ends early, or is no JSON from some byte on, gives what was complete before:
    ///
    /// ```swift
    /// let text = #"{"name": "yajl", "tags": ["c", "json"], "stars": 21"#
    /// let partial = try decoder.decodePartially(Repository.self, from: text)
    /// // partial.value has the name and both tags; partial.issues has unexpectedEnd
    /// ```
    ///
    /// - Throws: ``JSONModelError`` where the text is no JSON and nothing could be made of what was complete before the
    ///   error, or where nothing is at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from bytes: UnsafeRawBufferPointer, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, .memory(bytes), at: path)
    }

    /// Decodes as much as possible of the value at a path of a text in memory.
    ///
    /// - Throws: ``JSONModelError`` where nothing could be made of a text that is no JSON, or nothing is at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from bytes: [UInt8], at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            try decodePartially(type, .memory(bytes), at: path)
        }
    }

    /// Decodes as much as possible of the value at a path of a text.
    ///
    /// - Throws: ``JSONModelError`` where nothing could be made of a text that is no JSON, or nothing is at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from text: String, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, from: Array(text.utf8), at: path)
    }

    /// Decodes as much as possible of the value at a path of a file, which is read in windows, never whole.
    ///
    /// - Throws: ``JSONModelError`` where nothing could be made of a text that is no JSON, or nothing is at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, contentsOf file: String, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, .file(file), at: path)
    }

    /// Decodes as much as possible of the value at a path of a text that comes in pieces, cut anywhere.
    ///
    /// - Throws: ``JSONModelError`` where nothing could be made of a text that is no JSON, or nothing is at the path.
    public func decodePartially<T: JSONFillable, Chunks: Sequence>(
        _ type: T.Type, fromChunks chunks: Chunks, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> where Chunks.Element: Collection<UInt8> {
        try decodePartially(type, .chunks(AnyIterator(chunks.lazy.map { Array($0) }.makeIterator())), at: path)
    }

    private func decodePartially<T: JSONFillable>(
        _ type: T.Type, _ input: TextInput, at path: String
    ) throws(JSONModelError) -> JSONPartial<T> {
        var decoder = self
        decoder.isPartial = true
        let environment = environment
        let record = try environment.record(for: JSONShape.of(type))
        let lead = path.isEmpty || path == "$" ? nil : try PathLead(path, to: record, streams: false)
        // Its tables and records are read until the end.
        defer { withExtendedLifetime((environment, lead)) {} }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let driver = Driver(shape: record, target: memory, table: lead?.table, decoder: decoder, emit: nil)
        let (isThere, issues) = try decoder.runPartially(driver, input, missing: lead?.path ?? JSONPath())
        return JSONPartial(value: isThere ? memory.move() : nil, issues: issues)
    }

    private func runPartially(
        _ driver: Driver, _ input: TextInput, missing: JSONPath
    ) throws(JSONModelError) -> (isThere: Bool, issues: [JSONIssue]) {
        switch source {
        #if YAJL
        case .yajl:
            var tokens = try YajlSource(driver, limits: limits)
            defer { tokens.dispose() }
            return try tokens.takePartially(input, missing: missing)
        #endif
        case .scanner:
            var tokens = ScannerSource(driver, limits: limits)
            defer { tokens.dispose() }
            return try tokens.takePartially(input, missing: missing)
        }
    }
}

extension TokenSource where Self: ~Copyable {
    /// Takes the whole text of an input; the value, if one was made, is the caller's from here on.
    fileprivate mutating func takePartially(
        _ input: TextInput, missing: JSONPath
    ) throws(JSONModelError) -> (isThere: Bool, issues: [JSONIssue]) {
        do { try take(input) } catch {
            let before = gathered
            if let last = error.issues.last, closeOpen(behind: last), takeResult() { return (true, gathered) }
            throw JSONModelError(issues: before + error.issues)
        }
        let isThere = takeResult()
        if !isThere, gathered.isEmpty { throw located(.pathNotFound(missing)) }
        return (isThere, gathered)
    }
}
