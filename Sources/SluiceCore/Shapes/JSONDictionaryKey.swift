/// A type that is converted from and to the keys of a JSON object, for the keys of a dictionary.
///
/// The integers, the floating-point numbers and `String` conform, and so do `UUID`, `URL` and `Date` in the module Sluice. A
/// `LosslessStringConvertible` type that declares the conformance is its description.
///
/// The keys of a dictionary need no conformance if their type is `CodingKeyRepresentable`, or `RawRepresentable` by a raw value
/// with a text. A dictionary with other keys is an array of keys and values, as for `JSONEncoder`, if the dictionary is `Codable`.
public protocol JSONDictionaryKey: Hashable {
    /// Creates the value that a key represents, or returns nil.
    init?(jsonKey: String)
    /// The key that represents the value.
    var jsonKey: String { get }
}

/// A key whose texts match a regular expression, for schemas.
package protocol PatternedKey {
    /// The regular expressions of the texts. Each text matches one of them as a whole.
    static var keyPatterns: [String] { get }
}

extension JSONDictionaryKey where Self: LosslessStringConvertible {
    /// Creates the value whose description equals the key, or returns nil.
    @_documentation(visibility: internal) public init?(jsonKey: String) { self.init(jsonKey) }
    /// The description.
    @_documentation(visibility: internal) public var jsonKey: String { description }
}

extension JSONDictionaryKey where Self: RawRepresentable, RawValue: JSONDictionaryKey {
    /// Creates the value whose raw value equals the key, or returns nil.
    @_documentation(visibility: internal) public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey), let value = Self(rawValue: raw) else { return nil }
        self = value
    }
    /// The key of the raw value.
    @_documentation(visibility: internal) public var jsonKey: String { rawValue.jsonKey }
}

// The types that are both `LosslessStringConvertible` and `RawRepresentable`.
extension JSONDictionaryKey
where Self: LosslessStringConvertible & RawRepresentable, RawValue: JSONDictionaryKey {
    /// Creates the value whose raw value equals the key, or returns nil.
    @_documentation(visibility: internal) public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey), let value = Self(rawValue: raw) else { return nil }
        self = value
    }
    /// The key of the raw value.
    @_documentation(visibility: internal) public var jsonKey: String { rawValue.jsonKey }
}

extension String: JSONDictionaryKey {
    @_documentation(visibility: internal) public init(jsonKey: String) { self = jsonKey }
    public var jsonKey: String { self }
}
extension Int: JSONDictionaryKey {}
extension Int8: JSONDictionaryKey {}
extension Int16: JSONDictionaryKey {}
extension Int32: JSONDictionaryKey {}
extension Int64: JSONDictionaryKey {}
extension Int128: JSONDictionaryKey {}
extension UInt: JSONDictionaryKey {}
extension UInt8: JSONDictionaryKey {}
extension UInt16: JSONDictionaryKey {}
extension UInt32: JSONDictionaryKey {}
extension UInt64: JSONDictionaryKey {}
extension UInt128: JSONDictionaryKey {}

extension Double: JSONDictionaryKey {}
extension Float: JSONDictionaryKey {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
extension Float16: JSONDictionaryKey {}
#endif

extension JSONDictionaryKey where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// Creates the value of a finite decimal number, or returns nil. Other descriptions, such as `nan` and `0x1p3`, are not keys.
    @_documentation(visibility: internal) public init?(jsonKey: String) {
        let isDecimal = jsonKey.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let value = Self(jsonKey), value.isFinite else { return nil }
        self = value
    }

    /// The description: the shortest decimal number that is decoded as the value.
    @_documentation(visibility: internal) public var jsonKey: String { description }
}
