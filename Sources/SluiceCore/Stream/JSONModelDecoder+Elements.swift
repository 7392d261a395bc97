// Elements one at a time, in flat memory.

extension JSONModelDecoder {
    /// Decodes the elements at a path of a file one after another, without ever holding more than one.
    ///
    /// - Parameters:
    ///   - type: the type of the elements.
    ///   - path: what to select: `items[*]`, `[*]` for the elements of a top-level array, `items[*].owner`, `users.*` for
    ///     the values of an object's members. A path without a wildcard is that of an array, whose elements are meant.
    ///   - file: the file's path.
    ///   - body: gets each element; an error that it throws ends the parse and arrives inside an issue.
    /// - Returns: how many elements `body` was given.
    /// - Throws: ``JSONModelError``; what was complete before an error has been given to `body`.
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", contentsOf file: String,
        _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try stream(type, at: path, .file(file), body)
    }

    /// Decodes the elements at a path of a file one after another, to the end.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", contentsOf file: String, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEach(
            type, at: path, contentsOf: file,
            { (element: T) throws -> JSONStreamControl in
                try body(element)
                return .continue
            })
    }

    /// Decodes the elements at a path of a text in memory one after another.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from bytes: UnsafeRawBufferPointer,
        _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try stream(type, at: path, .memory(bytes), body)
    }

    /// Decodes the elements at a path of a text in memory one after another.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from bytes: [UInt8], _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in
            try stream(type, at: path, .memory(bytes), body)
        }
    }

    /// Decodes the elements at a path of a text in memory one after another, to the end.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from bytes: [UInt8], _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEach(
            type, at: path, from: bytes,
            { (element: T) throws -> JSONStreamControl in
                try body(element)
                return .continue
            })
    }

    /// Decodes the elements at a path of a text one after another.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult @_disfavoredOverload
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from text: String, _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try forEach(type, at: path, from: Array(text.utf8), body)
    }

    /// Decodes the elements at a path of a text one after another, to the end.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult
    public func forEach<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", from text: String, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEach(type, at: path, from: Array(text.utf8), body)
    }

    /// Decodes the elements at a path of standard input one after another.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult @_disfavoredOverload
    public func forEachInStandardInput<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        try stream(type, at: path, .standardInput, body)
    }

    /// Decodes the elements at a path of standard input one after another, to the end.
    ///
    /// - Throws: ``JSONModelError``
    @discardableResult
    public func forEachInStandardInput<T: JSONFillable>(
        _ type: T.Type, at path: String = "[*]", _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try forEachInStandardInput(
            type, at: path,
            { (element: T) throws -> JSONStreamControl in
                try body(element)
                return .continue
            })
    }

    func stream<T: JSONFillable>(
        _ type: T.Type, at path: String, _ input: TextInput, _ body: (T) throws -> JSONStreamControl
    ) throws(JSONModelError) -> Int {
        let environment = environment
        let shape = try environment.record(for: JSONShape.of(type))
        let lead = try PathLead(path, to: shape, streams: true)
        // Its tables and records are read until the end.
        defer { withExtendedLifetime((environment, lead)) {} }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var count = 0
        return try withoutActuallyEscaping(body) { body throws(JSONModelError) in
            let driver = Driver(
                shape: shape, target: memory, table: lead.table, decoder: self,
                emit: { address in
                    count += 1
                    return try body(address.assumingMemoryBound(to: T.self).move()) == .continue
                })
            try run(driver, input, missing: lead.path)
            return count
        }
    }
}
