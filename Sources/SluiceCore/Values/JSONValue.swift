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
    static let maximumDepth = 1024
    /// The hint for JSON with more levels.
    static let depthHint = "a JSONValue has at most \(maximumDepth) levels: decode a model or a JSONRaw"

    /// The value of a key; nil if the key is missing or this is not an object.
    ///
    /// Setting a value changes the object in place, and makes an object of `null`. Setting nil removes the member. A value of another kind
    /// than an object or `null` has no members: setting one stops the program.
    public subscript(key: String) -> JSONValue? {
        get { if case .object(let members) = self { members[key] } else { nil } }
        _modify {
            guard case .object(var members) = self else {
                var value: JSONValue?
                defer {
                    if let value {
                        precondition(isNull, "a value that is not an object has no members")
                        self = .object([key: value])
                    }
                }
                yield &value
                return
            }
            // `members` is the only reference to the members, so that the change does not copy them.
            self = .null
            defer { self = .object(members) }
            yield &members[key]
        }
    }

    /// The element at an index; nil if the index is out of range or this is not an array.
    ///
    /// Setting a value changes the array in place, and setting nil removes the element. Setting a value at an index that is out of range,
    /// or in a value of another kind, stops the program.
    public subscript(index: Int) -> JSONValue? {
        get {
            if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
        }
        _modify {
            guard case .array(var elements) = self, elements.indices.contains(index) else {
                var value: JSONValue?
                yield &value
                precondition(value == nil, "the index is not that of an element")
                return
            }
            // `elements` is the only reference to the array, and `value` the only one to the element.
            self = .null
            var value: JSONValue? = elements[index]
            elements[index] = .null
            defer {
                if let value { elements[index] = value } else { elements.remove(at: index) }
                self = .array(elements)
            }
            yield &value
        }
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

    /// Changes the array in place. Returns nil for another value.
    @discardableResult
    package mutating func changeArray<Result>(_ body: (inout [JSONValue]) -> Result) -> Result? {
        guard case .array(var elements) = self else { return nil }
        // `elements` is the only reference to the array, so that the change does not copy the array.
        self = .null
        defer { self = .array(elements) }
        return body(&elements)
    }

    /// Changes the object in place. Returns nil for another value.
    @discardableResult
    package mutating func changeObject<Result>(_ body: (inout JSONObject) -> Result) -> Result? {
        guard case .object(var members) = self else { return nil }
        // `members` is the only reference to the members, so that the change does not copy them.
        self = .null
        defer { self = .object(members) }
        return body(&members)
    }

    /// Returns the elements or the members of an array or an object in place.
    ///
    /// Nothing is retained, because that would wait for the memory of each array and object.
    ///
    /// - Parameter value: An array or an object that lives longer than the result, and is not changed.
    @inline(__always)
    static func contents(of value: UnsafePointer<JSONValue>) -> (
        base: UnsafeRawPointer?, count: Int, isArray: Bool
    ) {
        switch value.pointee {
        case .array(let elements):
            return elements.withUnsafeBufferPointer { (UnsafeRawPointer($0.baseAddress), $0.count, true) }
        case .object(let members):
            let members = members.unretainedStorage._withUnsafeGuaranteedRef { $0.distinctMembers }
            return (members.base, members.count, false)
        case .null, .bool, .number, .string: preconditionFailure("a scalar has no contents")
        }
    }

    /// Whether the value is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    @_documentation(visibility: internal) public init(nilLiteral: ()) { self = .null }
    /// Creates a boolean.
    @_documentation(visibility: internal) public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number from an integer.
    @_documentation(visibility: internal) public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
    /// Creates a number from a floating-point value, which must be finite.
    @_documentation(visibility: internal) public init(floatLiteral value: Double) {
        self = .number(JSONNumber(value)!)
    }
    /// Creates a string.
    @_documentation(visibility: internal) public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    @_documentation(visibility: internal) public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }
    /// Creates an object. The last value of a duplicate key wins.
    @_documentation(visibility: internal) public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}

extension JSONValue {
    /// Creates a string.
    public init(_ value: some StringProtocol) { self = .string(String(value)) }
    /// Creates a boolean.
    public init(_ value: Bool) { self = .bool(value) }
    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) { self = .number(JSONNumber(value)) }
    /// Creates a number from a floating-point value; nil if the value is not finite.
    public init?(_ value: Double) {
        guard let number = JSONNumber(value) else { return nil }
        self = .number(number)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// The value as JSON, in UTF-8.
    package var text: [UInt8] {
        // The walk throws only for values that are not JSON.
        do { return try TreeWalk.text(of: self) { $0.node } } catch { preconditionFailure("\(error)") }
    }

    /// Whether this is a copy of another value, with the same memory. The result may be false for a scalar.
    func isIdentical(to other: JSONValue) -> Bool {
        withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
    }

    /// The value as JSON with sorted keys. Equal values have equal JSON.
    var sortedText: [UInt8] {
        do { return try TreeWalk.text(of: self) { $0.sortedNode } } catch { preconditionFailure("\(error)") }
    }

    private var sortedNode: TreeNode<JSONValue> {
        guard case .object(let members) = self else { return node }
        return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }
}

// Equality and hashing without recursion, because a thread's stack would overflow for a deeply nested value.

extension JSONValue: Equatable {
    // Implements the requirement without a new operator, as the compiler does for a derived conformance. Another `==` for
    // literals would make some expressions ambiguous.
    /// Whether two values are equal.
    @_implements(Equatable,==(_:_:))
    public static func _isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard let root = ComparedLevel(one, other) else { return one.isEqualScalar(other) }
        var levels = [root]
        next: while var level = levels.popLast() {
            guard level.isSameSize else { return false }
            while let (one, other) = level.next() {
                guard let other else { return false }
                if let inner = ComparedLevel(one, other) {
                    levels.append(level)
                    levels.append(inner)
                    continue next
                }
                if !one.isEqualScalar(other) { return false }
            }
        }
        return true
    }

    /// Whether two scalars are equal; false for containers.
    fileprivate func isEqualScalar(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        default: false
        }
    }
}

/// Two arrays or two objects in a comparison, and the position of the next element.
private enum ComparedLevel {
    case arrays([JSONValue], [JSONValue], next: Int)
    case objects(JSONObject, JSONObject, next: JSONObject.Index)

    init?(_ one: JSONValue, _ other: JSONValue) {
        switch (one, other) {
        case (.array(let one), .array(let other)):
            // References to the same storage need no comparison.
            self = .arrays(one, other, next: Self.areIdentical(one, other) ? one.endIndex : one.startIndex)
        case (.object(let one), .object(let other)):
            self = .objects(one, other, next: one.isIdentical(to: other) ? one.endIndex : one.startIndex)
        default: return nil
        }
    }

    private static func areIdentical<T>(_ one: T, _ other: T) -> Bool {
        withUnsafeBytes(of: one) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
    }

    var isSameSize: Bool {
        switch self {
        case .arrays(let one, let other, _): one.count == other.count
        case .objects(let one, let other, _): one.count == other.count
        }
    }

    /// Returns the next value and its counterpart, if any. Returns nil at the end.
    mutating func next() -> (JSONValue, JSONValue?)? {
        switch self {
        case .arrays(let one, let other, let index):
            if index == one.endIndex { return nil }
            self = .arrays(one, other, next: index + 1)
            return (one[index], other[index])
        case .objects(let one, let other, let index):
            if index == one.endIndex { return nil }
            self = .objects(one, other, next: one.index(after: index))
            return (one[index].value, other[one[index].key])
        }
    }
}

extension JSONValue: Hashable {
    /// Hashes the value without recursion. The order of an object's members does not affect the hash.
    @_documentation(visibility: internal) public func hash(into hasher: inout Hasher) {
        guard let root = HashedLevel(self) else { return hashScalar(into: &hasher) }
        var levels = [root]
        next: while var level = levels.popLast() {
            while let (key, value) = level.next() {
                if let inner = HashedLevel(value, under: key) {
                    levels.append(level)
                    levels.append(inner)
                    continue next
                }
                level.add(key) { value.hashScalar(into: &$0) }
            }
            let hash = level.hash
            if levels.isEmpty {
                hasher.combine(hash)
            } else {
                levels[levels.count - 1].add(level.key) { $0.combine(hash) }
            }
        }
    }

    /// Hashes a value that is not a container.
    fileprivate func hashScalar(into hasher: inout Hasher) {
        switch self {
        case .null, .array, .object: hasher.combine(0 as UInt8)
        case .bool(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .number(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(3 as UInt8)
            hasher.combine(value)
        }
    }
}

/// An array or object that is being hashed, and the position of the next element.
private struct HashedLevel {
    private enum Rest {
        case elements([JSONValue].Iterator)
        case members(JSONObject.Iterator)
    }

    /// The key of the container in its enclosing object.
    let key: String?
    private var rest: Rest
    private var hasher = Hasher()
    /// The combined hashes of an object's members, independent of their order.
    private var members = 0

    init?(_ value: JSONValue, under key: String? = nil) {
        self.key = key
        switch value {
        case .array(let elements):
            rest = .elements(elements.makeIterator())
            hasher.combine(4 as UInt8)
            hasher.combine(elements.count)
        case .object(let members):
            rest = .members(members.makeIterator())
            hasher.combine(5 as UInt8)
            hasher.combine(members.count)
        default: return nil
        }
    }

    mutating func next() -> (key: String?, value: JSONValue)? {
        switch rest {
        case .elements(var iterator):
            guard let value = iterator.next() else { return nil }
            rest = .elements(iterator)
            return (nil, value)
        case .members(var iterator):
            guard let (key, value) = iterator.next() else { return nil }
            rest = .members(iterator)
            return (key, value)
        }
    }

    /// Adds an element, or the member with a key.
    mutating func add(_ key: String?, _ hashValue: (inout Hasher) -> Void) {
        guard let key else { return hashValue(&hasher) }
        var member = Hasher()
        member.combine(key)
        hashValue(&member)
        members ^= member.finalize()
    }

    /// The hash of the container, after all contents were added.
    var hash: Int {
        var hasher = hasher
        hasher.combine(members)
        return hasher.finalize()
    }
}

// Coding of any JSON by any `Encoder` or `Decoder`.

/// A decoder that decodes any JSON with all digits, and with the keys of the input.
package protocol JSONValueDecoder: Decoder {
    /// Decodes the value of the decoder.
    func decodeJSONValue() throws -> JSONValue
}

/// An encoder that encodes any JSON with all digits, and with the keys of the value.
package protocol JSONValueEncoder: Encoder {
    /// Encodes members of the encoder's object.
    func encodeMembers(of object: JSONObject) throws
    /// Encodes a number as the value of the encoder.
    func encodeDigits(of number: JSONNumber) throws
}

extension JSONValue: Codable {
    /// Decodes any value.
    @_documentation(visibility: internal) public init(from decoder: any Decoder) throws {
        // A decoder calls this initializer for each level of the value.
        if ThreadStack.isUsedUp {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: Self.stackMessage,
                    underlyingError: JSONModelError.stackUsedUp(JSONLimits())))
        }
        if let decoder = decoder as? any JSONValueDecoder {
            self = try decoder.decodeJSONValue()
            return
        }
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

    private static var stackMessage: String { JSONModelError.stackUsedUp(JSONLimits()).issues[0].description }

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
            throw DecodingError.dataCorruptedError(
                in: scalar, debugDescription: "a number that is not representable in JSON")
        }
    }

    /// Encodes the value in the encoder's own representation.
    @_documentation(visibility: internal) public func encode(to encoder: any Encoder) throws {
        if ThreadStack.isUsedUp {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath, debugDescription: Self.stackMessage,
                    underlyingError: JSONModelError.stackUsedUp(JSONLimits())))
        }
        if let encoder = encoder as? any JSONValueEncoder {
            switch self {
            case .object(let members): return try encoder.encodeMembers(of: members)
            case .number(let number): return try encoder.encodeDigits(of: number)
            case .null, .bool, .string, .array: break
            }
        }
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
