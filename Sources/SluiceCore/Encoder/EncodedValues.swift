// Values that hold JSON, made of other values.

extension JSONRaw {
    /// Makes the text of a value by encoding it.
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
    /// Makes a lazy value of a value by encoding it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder that writes the value.
    ///   - decoder: The decoder that makes the value again.
    /// - Throws: ``JSONModelError`` if the value has no JSON.
    public init(
        encoding value: Value, with encoder: JSONModelEncoder = JSONModelEncoder(),
        decoder: JSONModelDecoder = JSONModelDecoder()
    ) throws(JSONModelError) {
        self.init(try JSONRaw(encoding: value, with: encoder), decoder: decoder)
    }
}
