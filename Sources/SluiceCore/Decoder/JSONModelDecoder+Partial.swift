// Partial decoding: the valid parts of an input, and all issues.

/// The decoded part of an input, and the issues found in the rest.
public struct JSONPartial<Value> {
    /// The value without the parts that failed. Arrays, sets and dictionaries lack failed elements. A model with a failed
    /// property is not made, and is nil if no enclosing value can omit the model.
    ///
    /// If the input ends early, or contains a syntax error, the value holds the values that were complete before the
    /// error. The scalar that was being read is omitted, and so is a model that lacks a required property.
    public let value: Value?
    /// All issues, in document order. A syntax error is followed by the issues for values that are missing because of the
    /// error.
    public let issues: [JSONIssue]
}

extension JSONPartial: Sendable where Value: Sendable {}

extension JSONModelDecoder {
    /// Decodes as much as possible of the value at a path of an input. Collects all issues, whatever ``errorPolicy`` is,
    /// except that its limit applies.
    ///
    /// If the input ends early or contains a syntax error, the values that were complete before the error are decoded:
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
    /// - Throws: ``JSONModelError`` if the input has a syntax error and no value can be made from the part before the error, or
    ///   if no value exists at the path.
    public func decodePartially<T: JSONConvertible>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> JSONPartial<T> {
        var decoder = self
        decoder.options.isPartial = true
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let outcome = try input.withContent { content throws(JSONModelError) in
            try decoder.withRoot(JSONShape.unretained(of: T.self), path) { layout, root throws(JSONModelError) in
                var driver = Driver(
                    slot: ValueSlot(address: memory, layout: layout), table: root?.table,
                    options: .passUnretained(decoder.sharedOptions), emit: nil)
                return try decoder.run(&driver, content, missing: root?.path ?? JSONPath())
            }
        }
        return JSONPartial(value: outcome.isPresent ? memory.move() : nil, issues: outcome.issues)
    }
}
