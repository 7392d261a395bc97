/// Any JSON value, for parts of a document whose form is not known in advance.
@frozen
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with all its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// The greatest number of nested arrays and objects in a decoded value.
    ///
    /// The runtime releases a value recursively, with 230 bytes of stack per level in debug builds and 160 bytes in release
    /// builds. Threads on Darwin have 512 KB, and this limit leaves half of that free.
    static let greatestDepth = 1024
    /// A hint for JSON that is deeper.
    static let depthHint = "a JSONValue has at most \(greatestDepth) levels: decode a model or a JSONRaw"

    /// The value of a key; nil if the key is missing or this is not an object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at an index; nil if the index is out of range or this is not an array.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The string; nil for another kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The boolean; nil for another kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number; nil for another kind of value.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The number as an `Int`; nil for another kind of value, for a fraction, or for a number out of range.
    public var int: Int? { number?.int }
    /// The number as a `Double`; nil for another kind of value or beyond the finite range.
    public var double: Double? { number?.double }
    /// The elements; nil for another kind of value.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members; nil for another kind of value.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// Whether the value is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number from an integer.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// Creates a number from a floating-point value, which must be finite.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(value)!) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object. The last value of a duplicate key wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
