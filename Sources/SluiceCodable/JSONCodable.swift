import SluiceCore

/// A `Decodable` value where a decoder or encoder of models expects a ``/SluiceCore/JSONConvertible`` type.
///
/// Most functions have an overload for `Decodable` types. Use this type with all other functions, and inside of containers:
///
/// ```swift
/// let rows = try decoder.decode([String: JSONCodable<Row>].self, from: bytes)
/// ```
public struct JSONCodable<Value: Decodable> {
    /// The value.
    public var value: Value

    /// Creates a value that is encoded by its conformance to `Encodable`.
    public init(_ value: Value) { self.value = value }
}

extension JSONCodable: Sendable where Value: Sendable {}
extension JSONCodable: Equatable where Value: Equatable {}
extension JSONCodable: Hashable where Value: Hashable {}

extension JSONCodable: JSONConvertible {
    /// The shape of a value that the type's initializer decodes.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .codable(Value.self, in: Self.self)
    }
}

extension JSONShape {
    /// Returns the shape of a value that the type's initializer decodes. The values of a dictionary whose keys have a text, and of
    /// containers around such a dictionary, are decoded one by one. The shape of an optional is optional.
    package static func codable<T: Decodable>(_ type: T.Type) -> JSONShape {
        objectContainer(type) ?? (type as? any DecodableOptional.Type)?.codableShape ?? .codable(type, in: type)
    }

    /// Returns the shape of the value of a case. The values of a dictionary are decoded one by one, so that the tag beside them is no
    /// entry.
    fileprivate static func codablePayload<T: Decodable>(_ type: T.Type) -> JSONShape {
        dictionary(type) ?? .codable(type, in: type)
    }

    /// Returns the shape of a value that the type's initializer decodes.
    ///
    /// - Parameter type: The type in memory: the type of the value, or a type with the value as its only property.
    static func codable<T: Decodable, Stored>(_ value: T.Type, in type: Stored.Type) -> JSONShape {
        recorded(
            type,
            decode: { entry, target, memory, options in
                ElementDecoding.decode(value, entry, to: target.assumingMemoryBound(to: T.self), &memory, options)
            }, write: EncodableCall.writing(value))
    }
}

/// An optional of a type that its initializer decodes.
private protocol DecodableOptional {
    static var codableShape: JSONShape { get }
}

extension Optional: DecodableOptional where Wrapped: Decodable {
    static var codableShape: JSONShape { .optional(Wrapped.self, of: .codable(Wrapped.self)) }
}

extension CodableShapes: CodableShapeMaking {
    package static func shape(of type: Any.Type) -> JSONShape? {
        func shape<T: Decodable>(_ type: T.Type) -> JSONShape { .codable(type, in: type) }
        return (type as? any Decodable.Type).map { shape($0) }
    }
}

// MARK: Fields

extension _JSONFieldMaking {
    /// Creates a field of a type that is only `Decodable`. The type's initializer decodes the value, and its conformance to
    /// `Encodable` encodes the value.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(_field: JSONField(keyPath, name: name, key: key, or: or, of: .codable(V.self)))
    }

    /// Creates a field of an optional type that is only `Decodable`. A missing key is nil.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V?>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or,
                of: .optional(V.self, of: .codable(V.self))))
    }

    /// Creates a field of a type that is only `Decodable`, with a default.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or, of: .codable(V.self), default: `default`))
    }
}

// MARK: Cases

extension _JSONCaseMaking {
    /// Creates a case with a value of a type that is only `Decodable`. The type's initializer decodes the value, and its conformance
    /// to `Encodable` encodes the value.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ name: String, keys: [String] = [], payload: V.Type, make: @escaping (consuming V) -> Model,
        read: @escaping (Model) -> V?
    ) {
        self.init(
            _case: JSONCase(name, keys: keys, payloadShape: .codablePayload(V.self), make: make, read: read))
    }

    /// Creates a case with a value of an optional type that is only `Decodable`.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ name: String, keys: [String] = [], payload: V?.Type, make: @escaping (consuming V?) -> Model,
        read: @escaping (Model) -> V??
    ) {
        self.init(
            _case: JSONCase(
                name, keys: keys, payloadShape: .optional(V.self, of: .codablePayload(V.self)), make: make,
                read: read))
    }
}
