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
    /// Decodes as much as possible of the value at a path of an input. All issues are collected, whatever ``errorPolicy`` is
    /// (except for its limit).
    ///
    /// Input that ends early, or is not JSON from some byte on, gives the values that were complete before:
    ///
    /// ```swift
    /// let text = #"{"name": "yajl", "tags": ["c", "json"], "stars": 21"#
    /// let partial = try decoder.decodePartially(Repository.self, from: text)
    /// // partial.value has the name and both tags; partial.issues has unexpectedEnd
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the value. The default is the root.
    /// - Throws: ``JSONModelError`` if the input is not JSON and nothing can be made of the part before the error, or if
    ///   nothing is at the path.
    public func decodePartially<T: JSONConvertible>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> JSONPartial<T> {
        var decoder = self
        decoder.options.isPartial = true
        decoder.options.collectedLimit = options.collectedLimit ?? .max
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let (isPresent, issues) = try input.withContent { content throws(JSONModelError) in
            try decoder.withRoot(JSONShape.of(T.self), path) { layout, root throws(JSONModelError) in
                let driver = Driver(
                    shape: layout, target: memory, table: root?.table, options: decoder.options, emit: nil)
                return try decoder.runPartially(driver, content, missing: root?.path ?? JSONPath())
            }
        }
        return JSONPartial(value: isPresent ? memory.move() : nil, issues: issues)
    }

    private func runPartially(
        _ driver: Driver, _ content: JSONInputContent, missing: JSONPath
    ) throws(JSONModelError) -> (isPresent: Bool, issues: [JSONIssue]) {
        let input: ByteInput
        switch content.form {
        case .text(let text): input = text
        case .tree(let tree): return try tree.runPartially(driver, self, missing: missing)
        }
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
        _ input: ByteInput, missing: JSONPath
    ) throws(JSONModelError) -> (isPresent: Bool, issues: [JSONIssue]) {
        do { try take(input) } catch {
            let before = gathered
            if let last = error.issues.last, closeOpen(behind: last), takeResult() { return (true, gathered) }
            throw JSONModelError(issues: before + error.issues)
        }
        let isPresent = takeResult()
        if !isPresent, gathered.isEmpty { throw located(.pathNotFound(missing)) }
        return (isPresent, gathered)
    }
}
