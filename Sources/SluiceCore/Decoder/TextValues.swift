// Values that hold JSON or a number as text, made from validated text or from an encoded value.

extension JSONRaw {
    /// Creates the JSON of one value, without the white space around the value.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value in UTF-8.
    ///   - limits: The limits that the JSON must respect.
    /// - Throws: ``JSONModelError`` if the bytes are not valid JSON.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        self = try decoder.decode(JSONRaw.self, from: bytes)
    }

    /// Creates the JSON of one value, without the white space around the value.
    ///
    /// - Parameters:
    ///   - text: One JSON value.
    ///   - limits: The limits that the JSON must respect.
    /// - Throws: ``JSONModelError`` if the string is not valid JSON.
    public init(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        try self.init(Array(text.utf8), limits: limits)
    }
}

extension JSONLazy {
    /// Creates a lazy value from JSON, which is validated now and decoded on first use.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value in UTF-8.
    ///   - decoder: The decoder of the value. The JSON must respect its limits.
    /// - Throws: ``JSONModelError`` if the bytes are not valid JSON. Decoding errors are thrown on first use.
    public init(_ bytes: [UInt8], decoder: JSONModelDecoder = JSONModelDecoder()) throws(JSONModelError) {
        self.init(try JSONRaw(bytes, limits: decoder.limits), decoder: decoder)
    }

    /// Creates a lazy value from JSON, which is validated now and decoded on first use.
    ///
    /// - Parameters:
    ///   - text: One JSON value.
    ///   - decoder: The decoder of the value. The JSON must respect its limits.
    /// - Throws: ``JSONModelError`` if the string is not valid JSON. Decoding errors are thrown on first use.
    public init(_ text: String, decoder: JSONModelDecoder = JSONModelDecoder()) throws(JSONModelError) {
        try self.init(Array(text.utf8), decoder: decoder)
    }
}

extension JSONNumber {
    /// Creates a number from its digits. Removes white space around the number, and keeps every digit.
    ///
    /// - Parameters:
    ///   - text: A number in the grammar of JSON, such as `-1.50e3`.
    ///   - limits: The limits that the number must respect.
    /// - Throws: ``JSONModelError`` if the string is not a JSON number.
    public init(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        self = try decoder.decode(JSONNumber.self, from: text)
    }
}
