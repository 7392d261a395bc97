// Values that hold JSON, made by encoding other values.

extension JSONValue {
    /// Creates a value by encoding a value, such as an array or a dictionary.
    ///
    /// ```swift
    /// let body: JSONValue = ["ids": try JSONValue(encoding: ids), "owner": JSONValue(name)]
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value, such as a model or an array of numbers.
    ///   - encoder: The encoder that writes the value.
    /// - Throws: ``JSONModelError`` if the value has no JSON.
    public init<Value: JSONConvertible>(
        encoding value: Value, with encoder: JSONModelEncoder = JSONModelEncoder()
    ) throws(JSONModelError) {
        var decoder = JSONModelDecoder()
        decoder.source = .scanner
        decoder.limits.depth = encoder.limits.depth
        self = try decoder.decode(JSONValue.self, from: try encoder.encode(value))
    }
}

extension JSONRaw {
    /// Creates the JSON of a value by encoding the value.
    ///
    /// - Parameters:
    ///   - value: The value, such as a model or a ``JSONValue``.
    ///   - encoder: The encoder that writes the value.
    /// - Throws: ``JSONModelError`` if the value has no JSON.
    public init<Value: JSONConvertible>(
        encoding value: Value, with encoder: JSONModelEncoder = JSONModelEncoder()
    ) throws(JSONModelError) {
        self.init(unchecked: try encoder.encode(value))
    }
}

extension JSONLazy {
    /// Creates a lazy value by encoding a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder that writes the value.
    ///   - decoder: The decoder that makes the value from its JSON.
    /// - Throws: ``JSONModelError`` if the value has no JSON.
    public init(
        encoding value: Value, with encoder: JSONModelEncoder = JSONModelEncoder(),
        decoder: JSONModelDecoder = JSONModelDecoder()
    ) throws(JSONModelError) {
        self.init(try JSONRaw(encoding: value, with: encoder), decoder: decoder)
    }
}
