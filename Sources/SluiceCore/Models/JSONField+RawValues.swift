// Properties of raw-value types that do not declare `JSONConvertible`, such as `enum Color: String`, alone or within one or
// two containers. Deeper nestings need the conformance, or that to `Codable`: `enum Color: String, JSONConvertible`.

extension JSONField {
    /// Creates a field of a raw-value type.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: .rawValue(R.self))
    }

    /// Creates a field of a raw-value type, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> R
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: .rawValue(R.self), default: `default`)
    }

    /// Creates a field for a container of raw values: an optional, array, set or dictionary.
    @inlinable @_disfavoredOverload
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: V._jsonShape(of: .rawValue(V._JSONElement.self)))
    }

    /// Creates a field for a container of raw values, with a default.
    @inlinable @_disfavoredOverload
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: V._jsonShape(of: .rawValue(V._JSONElement.self)),
            default: `default`)
    }

    /// Creates a field for two containers around raw values, such as `[R]?`.
    @inlinable @_disfavoredOverload
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: RawRepresentable,
        V._JSONElement._JSONElement.RawValue: JSONConvertible
    {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: V._jsonShape(of: V._JSONElement._jsonShape(of: .rawValue(V._JSONElement._JSONElement.self))))
    }

    /// Creates a field for two containers around raw values, with a default.
    @inlinable @_disfavoredOverload
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: RawRepresentable,
        V._JSONElement._JSONElement.RawValue: JSONConvertible
    {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: V._jsonShape(of: V._JSONElement._jsonShape(of: .rawValue(V._JSONElement._JSONElement.self))),
            default: `default`)
    }
}
