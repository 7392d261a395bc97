extension JSONValue {
    /// Creates a value from JSON, with the default options of ``JSONModelDecoder``.
    ///
    /// - Throws: ``JSONModelError`` if the input is not JSON, or cannot be read.
    public init(parsing input: borrowing some JSONInput & ~Copyable & ~Escapable) throws(JSONModelError) {
        self = try JSONModelDecoder().decode(JSONValue.self, from: input)
    }
}
