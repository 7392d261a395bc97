// Coding of any JSON by any `Encoder` or `Decoder`.

extension JSONValue: Codable {
    /// Decodes any value.
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
            var members = JSONObject()
            for key in keyed.allKeys { members[key.stringValue] = try keyed.decode(JSONValue.self, forKey: key) }
            self = .object(members)
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self = .array(values)
            return
        }
        self = try JSONValue(scalar: decoder.singleValueContainer())
    }

    private init(scalar: any SingleValueDecodingContainer) throws {
        if scalar.decodeNil() {
            self = .null
        } else if let value = try? scalar.decode(Bool.self) {
            self = .bool(value)
        } else if let text = try? scalar.decode(String.self) {
            self = .string(text)
        } else if let value = try? scalar.decode(Int64.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? scalar.decode(UInt64.self) {
            self = .number(JSONNumber(value))
        } else if let number = JSONNumber(try scalar.decode(Double.self)) {
            self = .number(number)
        } else {
            throw DecodingError.dataCorruptedError(in: scalar, debugDescription: "a number that is not representable in JSON")
        }
    }

    /// Encodes the value in the encoder's own representation.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var keyed = encoder.container(keyedBy: AnyKey.self)
            for (key, value) in members { try keyed.encode(value, forKey: AnyKey(stringValue: key)) }
        case .array(let values):
            var elements = encoder.unkeyedContainer()
            for value in values { try elements.encode(value) }
        default:
            var scalar = encoder.singleValueContainer()
            try encode(to: &scalar)
        }
    }

    private func encode(to scalar: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try scalar.encode(value)
        case .string(let text): try scalar.encode(text)
        case .number(let number):
            if let value = number.exactly(Int64.self) {
                try scalar.encode(value)
            } else if let value = number.exactly(UInt64.self) {
                try scalar.encode(value)
            } else if let value = number.double {
                try scalar.encode(value)
            } else {
                throw EncodingError.invalidValue(
                    number,
                    .init(codingPath: scalar.codingPath, debugDescription: "\(number) is beyond a Double's range"))
            }
        case .null, .array, .object: try scalar.encodeNil()
        }
    }
}

/// A coding key for any string.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { stringValue = String(intValue) }
}
