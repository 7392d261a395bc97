// Values that are in memory already, through the same plans.

extension JSONModelDecoder {
    /// Decodes the value at a path of a `JSONValue`.
    ///
    /// - Throws: ``JSONModelError``, whose issues have a path and no place in a text.
    public func decode<T: JSONFillable>(
        _ type: T.Type, fromValue value: JSONValue, at path: String = ""
    ) throws(JSONModelError) -> T {
        try decode(type, fromTree: value, at: path) { $0.node }
    }

    /// Decodes the value at a path of a tree of values.
    ///
    /// - Parameter look: tells what a value is; throws ``JSONScalarProblem`` for one that is nothing of JSON.
    package func decode<T: JSONFillable, Value>(
        _ type: T.Type, fromTree root: Value, at path: String,
        look: @escaping (Value) throws -> TreeNode<Value>
    ) throws(JSONModelError) -> T {
        let environment = environment
        let record = try environment.record(for: JSONShape.of(type))
        let lead = path.isEmpty || path == "$" ? nil : try PathLead(path, to: record, streams: false)
        // Its tables and records are read until the end.
        defer { withExtendedLifetime((environment, lead)) {} }
        let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
        defer { memory.deallocate() }
        let driver = Driver(shape: record, target: memory, table: lead?.table, decoder: self, emit: nil)
        var source = TreeSource(driver, root, limits: limits, look: look)
        try source.run(missing: lead?.path ?? JSONPath())
        return memory.move()
    }
}
