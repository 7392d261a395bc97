// What can be made of a text of which parts fail, and all that is wrong with it.

/// What was made of a text as far as it could be, and what could not.
public struct JSONPartial<Value> {
    /// The value: its arrays, sets and dictionaries are without the elements that failed. A model of which a property failed
    /// is no model: nil if there is nothing around it that could do without.
    public let value: Value?
    /// Everything that was wrong, in the order of the text.
    public let issues: [JSONIssue]
}

extension JSONPartial: Sendable where Value: Sendable {}

extension JSONModelDecoder {
    /// Decodes as much as possible of the value at a path of a text in memory. All issues are gathered, whatever
    /// ``errors`` says (but for a limit that it gives).
    ///
    /// - Throws: ``JSONModelError`` where the text is no JSON, or has nothing at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from bytes: UnsafeRawBufferPointer, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, .memory(bytes), at: path)
    }

    /// Decodes as much as possible of the value at a path of a text in memory.
    ///
    /// - Throws: ``JSONModelError`` where the text is no JSON, or has nothing at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from bytes: [UInt8], at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            try decodePartially(type, .memory(bytes), at: path)
        }
    }

    /// Decodes as much as possible of the value at a path of a text.
    ///
    /// - Throws: ``JSONModelError`` where the text is no JSON, or has nothing at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, from text: String, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, from: Array(text.utf8), at: path)
    }

    /// Decodes as much as possible of the value at a path of a file, which is read in windows, never whole.
    ///
    /// - Throws: ``JSONModelError`` where the text is no JSON, or has nothing at the path.
    public func decodePartially<T: JSONFillable>(
        _ type: T.Type, contentsOf file: String, at path: String = ""
    ) throws(JSONModelError) -> JSONPartial<T> {
        try decodePartially(type, .file(file), at: path)
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
        do { try take(input) } catch { throw JSONModelError(issues: gathered + error.issues) }
        let isThere = takeResult()
        if !isThere, gathered.isEmpty { throw located(.pathNotFound(missing)) }
        return (isThere, gathered)
    }
}
