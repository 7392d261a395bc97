// Values that hold JSON or a number as text, made of text that is checked, or of a value that is encoded.

extension JSONRaw {
    /// Makes the text of one value, without the white space around it.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value in UTF-8.
    ///   - limits: The limits that the text must respect.
    /// - Throws: ``JSONModelError`` if the text is not JSON.
    public init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        self = try decoder.decode(JSONRaw.self, from: bytes)
    }

    /// Makes the text of one value, without the white space around it.
    ///
    /// - Parameters:
    ///   - text: One JSON value.
    ///   - limits: The limits that the text must respect.
    /// - Throws: ``JSONModelError`` if the text is not JSON.
    public init(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        try self.init(Array(text.utf8), limits: limits)
    }
}

extension JSONLazy {
    /// Makes a lazy value of JSON that is checked now, and decoded when the value is asked for.
    ///
    /// - Parameters:
    ///   - bytes: One JSON value in UTF-8.
    ///   - decoder: The decoder of the value. The text must respect its limits.
    /// - Throws: ``JSONModelError`` if the text is not JSON. Whether it is JSON of a `Value` is not checked.
    public init(_ bytes: [UInt8], decoder: JSONModelDecoder = JSONModelDecoder()) throws(JSONModelError) {
        self.init(try JSONRaw(bytes, limits: decoder.limits), decoder: decoder)
    }

    /// Makes a lazy value of JSON that is checked now, and decoded when the value is asked for.
    ///
    /// - Parameters:
    ///   - text: One JSON value.
    ///   - decoder: The decoder of the value. The text must respect its limits.
    /// - Throws: ``JSONModelError`` if the text is not JSON. Whether it is JSON of a `Value` is not checked.
    public init(_ text: String, decoder: JSONModelDecoder = JSONModelDecoder()) throws(JSONModelError) {
        try self.init(Array(text.utf8), decoder: decoder)
    }
}

extension JSONNumber {
    /// Makes a number of its text. White space around the text is dropped, and no digit is.
    ///
    /// - Parameters:
    ///   - text: A number in the grammar of JSON, such as `-1.50e3`.
    ///   - limits: The limits that the text must respect.
    /// - Throws: ``JSONModelError`` if the text is not a number of JSON.
    public init(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONModelError) {
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        self = try decoder.decode(JSONNumber.self, from: text)
    }
}
