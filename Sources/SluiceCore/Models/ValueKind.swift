/// The kind of a type, by which the driver selects the code that decodes its values.
@usableFromInline
enum ValueKind: UInt8 {
    /// A type without contents. Its values are never stored.
    case ignored
    // Scalars written in place.
    case bool, string
    case int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64, uint128
    case double, float, half
    /// A value that a closure makes from the token.
    case scalar
    // Containers. An open container has a frame of its own.
    case model, array, dictionary
    /// A model with flattened enums. Its object is recorded, then decoded as the model and as each of the enums.
    case composite
    /// An enum with associated values, whose tag determines the case.
    case union
    /// A value that a closure converts from a value of another type.
    case wrapped
    /// Any JSON, as `JSONValue`.
    case value
    /// The verbatim bytes, as `JSONRaw`.
    case raw

    /// The expected value in messages.
    var expectation: String {
        switch self {
        case .bool: "a boolean"
        case .string: "a string"
        case .int, .int8, .int16, .int32, .int64, .int128, .uint, .uint8, .uint16, .uint32, .uint64, .uint128:
            "an integer"
        case .double, .float, .half: "a number"
        case .model, .composite, .dictionary: "an object"
        case .union: "an object or a string"
        case .array: "an array"
        case .scalar, .wrapped, .value, .raw, .ignored: "a value"
        }
    }
}
