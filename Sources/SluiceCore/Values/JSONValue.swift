/// Any JSON, as it stands in the text: for parts whose form is not known beforehand.
@frozen
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, with all its digits.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)

    /// How many levels of arrays and objects a decoded value may have.
    ///
    /// A value is released by the runtime, with calls inside of one another: 230 bytes of stack for each level in debug
    /// builds, 160 in release builds. Threads of Darwin have 512 KB, of which this leaves one half.
    static let greatestDepth = 1024

    /// The value under a key; nil if there is none, or if this is no object.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element at an index; nil if there is none, or if this is no array.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The string, or nil for another kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The boolean, or nil for another kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, or nil for another kind of value.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The number as an `Int`; nil for another kind of value, a fraction, or one that does not fit.
    public var int: Int? { number?.int }
    /// The number as a `Double`; nil for another kind of value, or beyond the finite range.
    public var double: Double? { number?.double }
    /// The elements, or nil for another kind of value.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members, or nil for another kind of value.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a number of an integer.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// Makes a number of a floating-point value, which must be finite.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(value)!) }
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object. Of equal keys, the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
