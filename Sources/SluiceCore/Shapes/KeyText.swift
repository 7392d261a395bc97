// The keys of dictionaries. Whether a dictionary is an object is decided here, once for each type of dictionary.

/// The conversions between the keys of a dictionary and their text.
@usableFromInline
struct KeyText<Key> {
    /// Makes the key of a text. Returns nil if the text is not a key.
    @usableFromInline let make: (String) -> Key?
    /// Returns the text of a key.
    @usableFromInline let text: (Key) -> String
    /// The type that has the text: the type of the keys, or that of their raw values.
    @usableFromInline let textType: Any.Type
    /// Whether the values of `Decodable` and `Encodable` types with these keys are arrays, in contrast to the dictionary of a plan.
    let isArrayOfCodable: Bool

    @inlinable
    init(make: @escaping (String) -> Key?, text: @escaping (Key) -> String) {
        self.init(make: make, text: text, textType: Key.self, isArrayOfCodable: true)
    }

    /// Whether different keys may have equal texts. Those of strings and integers differ.
    @usableFromInline var mayRepeat: Bool { !(Key.self == String.self || Key.self is any FixedWidthInteger.Type) }

    @usableFromInline
    init(
        make: @escaping (String) -> Key?, text: @escaping (Key) -> String, textType: Any.Type,
        isArrayOfCodable: Bool
    ) {
        self.make = make
        self.text = text
        self.textType = textType
        self.isArrayOfCodable = isArrayOfCodable
    }
}

extension KeyText<String> {
    /// The keys that are strings.
    @usableFromInline static var same: KeyText {
        KeyText(make: { $0 }, text: { $0 }, textType: String.self, isArrayOfCodable: false)
    }
}

extension KeyText {
    /// Finds the text of a type's values. Fails if the values have no text.
    ///
    /// The text is that of ``JSONDictionaryKey``, or else of `CodingKeyRepresentable`, or else of the raw value.
    @usableFromInline
    init?(of type: Key.Type) {
        if type == String.self {
            self = KeyText<String>.same as! KeyText
        } else if let type = type as? any JSONDictionaryKey.Type {
            self = Self.key(type)
        } else if let type = type as? any CodingKeyRepresentable.Type {
            self = Self.codingKey(type)
        } else if let type = type as? any RawRepresentable.Type, let text = Self.rawValue(type) {
            self = text
        } else {
            return nil
        }
    }

    // The parameter of each function is the type `Key`, which has the conformance at run time.

    private static func key<K: JSONDictionaryKey>(_: K.Type) -> KeyText {
        let isCodingKey = K.self is any CodingKeyRepresentable.Type
        let text = KeyText<K>(
            make: { K(jsonKey: $0) }, text: { $0.jsonKey }, textType: K.self, isArrayOfCodable: !isCodingKey)
        return text as! KeyText
    }

    private static func codingKey<K: CodingKeyRepresentable>(_: K.Type) -> KeyText {
        let text = KeyText<K>(
            make: { K(codingKey: TextKey(stringValue: $0)) }, text: { $0.codingKey.stringValue }, textType: K.self,
            isArrayOfCodable: false)
        return text as! KeyText
    }

    private static func rawValue<K: RawRepresentable>(_: K.Type) -> KeyText? {
        guard let raw = KeyText<K.RawValue>(of: K.RawValue.self) else { return nil }
        let text = KeyText<K>(
            make: { raw.make($0).flatMap { K(rawValue: $0) } }, text: { raw.text($0.rawValue) },
            textType: raw.textType, isArrayOfCodable: true)
        return text as? KeyText
    }
}

/// The coding key of a text.
private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = String(intValue) }
}

// MARK: Dictionaries whose keys have no text

/// Makes the shape of a type that is coded by its conformances to `Decodable` and `Encodable`.
package protocol CodableShapeMaking {
    /// Returns the shape; nil for a type that is not `Decodable`.
    static func shape(of type: Any.Type) -> JSONShape?
}

/// The type that conforms to ``CodableShapeMaking`` in a program with the module SluiceCodable.
package enum CodableShapes {}

extension JSONShape {
    /// Returns the shape of a type that is only `Codable`; nil in a program without the module SluiceCodable.
    private static func codableShape(of type: Any.Type) -> JSONShape? {
        (CodableShapes.self as? any CodableShapeMaking.Type)?.shape(of: type)
    }

    /// Returns the shape of a dictionary whose keys have no text: an array of keys and values if the dictionary is `Codable`.
    ///
    /// - Parameter element: The shape of the values. A transform does not apply to the elements of such an array.
    @usableFromInline
    static func withoutKeyText<C, Key>(_ type: C.Type, key: Key.Type, _ element: JSONShape) -> JSONShape {
        if !element.isFixed, let shape = codableShape(of: type) { return shape }
        return JSONShape(
            unusable: type, because: "its keys have no text: conform \(Key.self) to JSONDictionaryKey")
    }
}

/// The JSON of a dictionary.
private enum DictionaryForm {
    /// An object in a plan and for `Codable` types.
    case object
    /// An object in a plan, but an array for `Codable` types.
    case objectOfPlan
    /// An array of keys and values.
    case array
}

/// A container that may be a dictionary. The conformance is in this file, because types are cast to the protocol.
private protocol KeyedContainer {
    static var form: DictionaryForm { get }
}

extension Dictionary: KeyedContainer {
    fileprivate static var form: DictionaryForm {
        guard let keys = KeyText(of: Key.self) else { return .array }
        return keys.isArrayOfCodable ? .objectOfPlan : .object
    }
}

extension JSONShape {
    /// Whether a type is a dictionary whose keys have no text.
    package static func isArrayOfPairs(_ type: Any.Type) -> Bool {
        (type as? any KeyedContainer.Type)?.form == .array
    }

    /// Returns the shape of a dictionary that only a plan codes as an object; nil for all other types.
    package static func objectDictionary(_ type: Any.Type) -> JSONShape? {
        guard (type as? any KeyedContainer.Type)?.form == .objectOfPlan else { return nil }
        return (type as? any JSONConvertible.Type).map { .of($0) } ?? objectContainer(type)
    }
}

extension JSONShape {
    /// Returns the shape of containers around values without a conformance to ``JSONConvertible``, if one of the containers is a
    /// dictionary that only a plan codes as an object. Returns nil for all other types.
    package static func objectContainer(_ type: Any.Type) -> JSONShape? {
        guard let container = type as? any _JSONContainer.Type, hasObject(container) else { return nil }
        return shape(of: container)
    }

    /// Returns the shape of a dictionary that is an object, with values that are decoded one by one; nil for all other types.
    package static func dictionary(_ type: Any.Type) -> JSONShape? {
        guard let keyed = type as? any KeyedContainer.Type, keyed.form != .array else { return nil }
        return (type as? any _JSONContainer.Type).flatMap { shape(of: $0) }
    }

    /// Returns the shape of a property whose elements are decoded one by one: for a container that the initializer of its type
    /// would decode, a shape with the elements; for all others, the shape itself.
    ///
    /// - Parameter type: The type of the property.
    func withElements(of type: Any.Type) -> JSONShape {
        guard readsTokens, let container = type as? any _JSONContainer.Type else { return self }
        return Self.shape(of: container) ?? self
    }

    private static func hasObject<C: _JSONContainer>(_ container: C.Type) -> Bool {
        if (container as? any KeyedContainer.Type)?.form == .objectOfPlan { return true }
        return (C._JSONElement.self as? any _JSONContainer.Type).map { hasObject($0) } ?? false
    }

    private static func shape<C: _JSONContainer>(of container: C.Type) -> JSONShape? {
        shape(ofElement: C._JSONElement.self).map { C._jsonShape(of: $0) }
    }

    private static func shape(ofElement type: Any.Type) -> JSONShape? {
        if let type = type as? any JSONConvertible.Type { return .of(type) }
        if let type = type as? any RawRepresentable.Type, let shape = rawValueShape(type) { return shape }
        if let type = type as? any _JSONContainer.Type { return shape(of: type) }
        return codableShape(of: type)
    }

    private static func rawValueShape<R: RawRepresentable>(_: R.Type) -> JSONShape? {
        func shape<Raw: JSONConvertible>(_: Raw.Type) -> JSONShape? {
            (R.self as? any RawRepresentable<Raw>.Type).map { rawValue($0) }
        }
        return (R.RawValue.self as? any JSONConvertible.Type).flatMap { shape($0) }
    }

    private static func rawValue<R: RawRepresentable>(_ type: R.Type) -> JSONShape
    where R.RawValue: JSONConvertible {
        rawValue(type, values: [])
    }
}
