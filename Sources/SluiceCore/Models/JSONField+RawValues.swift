// Properties of raw-value types that do not declare `JSONConvertible`, such as `enum Color: String`, alone or within one or
// two containers. Deeper nestings need the conformance, or that to `Codable`: `enum Color: String, JSONConvertible`.
//
// Documentation shows one initializer for each form of a field. These overloads accept further types.

extension JSONField {
    /// Creates a field of a raw-value type.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: .rawValue(R.self))
    }

    /// Creates a field of a raw-value type, with a default.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> R
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: .rawValue(R.self), default: `default`)
    }

    /// Creates a field for a container of raw values: an optional, array, set or dictionary.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: .rawValues(in: V.self))
    }

    /// Creates a field for a container of raw values, with a default.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: .rawValues(in: V.self),
            default: `default`)
    }

    /// Creates a field for two containers around raw values, such as `[R]?`.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: RawRepresentable,
        V._JSONElement._JSONElement.RawValue: JSONConvertible
    {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: .nestedRawValues(in: V.self))
    }

    /// Creates a field for two containers around raw values, with a default.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
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
            of: .nestedRawValues(in: V.self),
            default: `default`)
    }
}

// MARK: Shapes

// The shapes of containers of raw values, for fields and for the values of cases.
extension JSONShape {
    /// Returns the shape of a container of raw values: an optional, array, set or dictionary.
    @inlinable
    static func rawValues<V: _JSONContainer>(in type: V.Type) -> JSONShape
    where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        V._jsonShape(of: .rawValue(V._JSONElement.self))
    }

    /// Returns the shape of two containers around raw values, such as `[R]?`.
    @inlinable
    static func nestedRawValues<V: _JSONContainer>(in type: V.Type) -> JSONShape
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: RawRepresentable,
        V._JSONElement._JSONElement.RawValue: JSONConvertible
    {
        V._jsonShape(of: .rawValues(in: V._JSONElement.self))
    }
}
