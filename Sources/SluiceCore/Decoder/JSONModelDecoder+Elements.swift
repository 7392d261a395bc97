// Streaming: one element in memory at a time.

/// Whether `forEach` continues after an element.
public enum JSONStreamControl: Sendable, Hashable {
    /// Decode the next element.
    case `continue`
    /// Stop. The rest of the input is not read.
    case stop
}

extension JSONModelDecoder {
    /// Decodes the elements at a path of an input one after another. Only one element is in memory at a time.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input, such as `.file("huge.json")` or `.standardInput`. See ``JSONInput``.
    ///   - path: The path of the elements: `items[*]`, `[*]` for the elements of a top-level array, `items[*].owner`, or
    ///     `users.*` for the values of an object's members. A path without a wildcard is the path of an array of elements.
    ///   - body: Receives each element. An error thrown by `body` ends the parse, and is the issue's ``JSONIssue/underlying``.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = "[*]",
        _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try stream(type, input, at: path) { element in
            try body(element)
            return .continue
        }
    }

    /// Decodes the elements at a path of an input one after another, until the closure returns `.stop`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements.
    ///   - body: Receives each element, and returns whether to continue.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONConvertible>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = "[*]",
        _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try stream(type, input, at: path, body)
    }

    private func stream<T: JSONConvertible>(
        _ type: T.Type, _ input: borrowing some JSONInput & ~Copyable & ~Escapable, at path: JSONPath,
        _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        let layout = try planCache.layout(for: JSONShape.unretained(of: type))
        let root = try RootPath(path, to: layout, streams: true)
        defer { withExtendedLifetime(root) {} }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var count = 0
        try withoutActuallyEscaping(body) { body throws(JSONModelError) in
            try input.withContent { content throws(JSONModelError) in
                let driver = Driver(
                    slot: ValueSlot(address: memory, layout: layout), table: root.table,
                    options: .passUnretained(sharedOptions),
                    emit: { address in
                        count += 1
                        return try body(address.assumingMemoryBound(to: T.self).move()) == .continue
                    })
                try run(driver, content, missing: root.path)
            }
        }
        return count
    }
}
