// The schemas of scalars, with the conversions of a coercion.

import SluiceCore

extension Schema {
    /// The schema of a kind of scalar; nil for other kinds.
    ///
    /// - Parameter isStrict: Whether bounds beyond the integers of a `Double` are omitted.
    static func scalar(_ kind: ValueKind, isStrict: Bool) -> Schema? {
        switch kind {
        case .bool: ["type": "boolean"]
        case .string: ["type": "string"]
        case .int, .int64: integer(Int64.self, isStrict)
        case .int8: integer(Int8.self, isStrict)
        case .int16: integer(Int16.self, isStrict)
        case .int32: integer(Int32.self, isStrict)
        case .int128: integer(Int128.self, isStrict)
        case .uint, .uint64: integer(UInt64.self, isStrict)
        case .uint8: integer(UInt8.self, isStrict)
        case .uint16: integer(UInt16.self, isStrict)
        case .uint32: integer(UInt32.self, isStrict)
        case .uint128: integer(UInt128.self, isStrict)
        case .double: ["type": "number"]
        // The digits that an encoder writes for the greatest `Float`.
        case .float: floatingPoint(3.4028235e38, isStrict)
        case .half: floatingPoint(65504, isStrict)
        default: nil
        }
    }

    private static func integer<T: FixedWidthInteger>(_: T.Type, _ isStrict: Bool) -> Schema {
        var schema: Schema = ["type": "integer"]
        let isExact = T.bitWidth <= 32 || !isStrict
        if isExact || T.min == 0 { schema["minimum"] = .number(JSONNumber(T.min)) }
        if isExact { schema["maximum"] = .number(JSONNumber(T.max)) }
        return schema
    }

    private static func floatingPoint(_ greatest: Double, _ isStrict: Bool) -> Schema {
        isStrict
            ? ["type": "number"]
            : [
                "type": "number", "minimum": .number(JSONNumber(-greatest)!),
                "maximum": .number(JSONNumber(greatest)!),
            ]
    }

    /// The schema of any scalar that a closure may accept.
    static let anyScalar: Schema = ["type": ["string", "number", "boolean"]]

    /// Returns the schema of the scalars that a coercion converts to values that the schema accepts.
    func coerced(by coercion: JSONCoercion) -> Schema {
        if coercion.rules == .strict || isAny { return self }
        if let values = self["enum"]?.array ?? self["const"].map({ [$0] }) {
            let others = Self.coerced(values, by: coercion)
            return others.isEmpty ? self : .any(of: [self] + others)
        }
        switch self["type"] {
        case "integer" where coercion.cutsFractions: return ["type": ["number", "string", "boolean"]]
        case "integer", "number":
            let text: Schema = coercion.rules == .lenient ? Self.numberText : ["type": "string"]
            return .any(of: [self, text, ["type": "boolean"]])
        case "boolean":
            if coercion.rules != .lenient { return Self.anyScalar }
            return .any(of: [self, ["enum": [0, 1]], Self.booleanText])
        case "string" where keywords.count == 1: return Self.anyScalar
        case "string": return .any(of: [self, ["type": ["number", "boolean"]]])
        default: return .any(of: [self, Self.anyScalar])
        }
    }

    /// Returns the schemas of scalars that a coercion converts to one of some values.
    private static func coerced(_ values: [JSONValue], by coercion: JSONCoercion) -> [Schema] {
        var schemas: [Schema] = []
        if values.contains(where: { $0.number != nil }) {
            schemas.append(coercion.rules == .lenient ? numberText : ["type": "string"])
            schemas.append(["type": "boolean"])
            if coercion.cutsFractions { schemas.append(["type": "number"]) }
        }
        if values.contains(where: { $0.string != nil }) {
            // A number is a string of its digits.
            let texts = values.compactMap(\.string)
            let numbers = texts.filter { text in
                text.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x2D } ?? false
            }
            if !numbers.isEmpty { schemas.append(["type": "number"]) }
            if texts.contains("true") || texts.contains("false") || !numbers.isEmpty {
                schemas.append(["type": "boolean"])
            }
        }
        if values.contains(where: { $0.bool != nil }) { schemas.append(anyScalar) }
        return schemas
    }

    /// The strings that the lenient coercion converts to numbers.
    private static let numberText: Schema = [
        "type": "string",
        "pattern": #"^[ \t\n\r]*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\r]*$"#,
    ]

    /// The strings that the lenient coercion converts to booleans.
    private static let booleanText: Schema = [
        "type": "string",
        "pattern":
            #"^[ \t\n\r]*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[01])[ \t\n\r]*$"#,
    ]
}
