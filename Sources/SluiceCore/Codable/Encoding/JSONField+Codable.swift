// Properties whose types are only `Decodable`.

extension _JSONFieldMaking {
    /// Creates a field of a type that is only `Decodable`. The type's initializer decodes the value, and its conformance to
    /// `Encodable` encodes the value.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(_field: JSONField(keyPath, name: name, key: key, or: or, of: .codable(V.self, in: V.self)))
    }

    /// Creates a field of an optional type that is only `Decodable`. A missing key is nil.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V?>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or,
                of: .optional(V.self, of: .codable(V.self, in: V.self))))
    }

    /// Creates a field of a type that is only `Decodable`, with a default.
    @_disfavoredOverload
    public init<V: Decodable>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(
            _field: JSONField(
                keyPath, name: name, key: key, or: or, of: .codable(V.self, in: V.self), default: `default`))
    }
}
