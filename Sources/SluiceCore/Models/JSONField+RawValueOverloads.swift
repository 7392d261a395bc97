// The overloads for properties of raw-value types that do not declare `JSONConvertible`.

extension JSONField {
    /// Creates a field of a raw-value type, `R`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.one(R.self))
    }
    /// Creates a field of a raw-value type, `R`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> R
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.one(R.self), default: `default`)
    }
    /// Creates a field of a raw-value type, `R?`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R?>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.optional(R?.self))
    }
    /// Creates a field of a raw-value type, `R?`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, R?>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> R?
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.optional(R?.self), default: `default`)
    }
    /// Creates a field of a raw-value type, `[R]`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R]>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.array([R].self))
    }
    /// Creates a field of a raw-value type, `[R]`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R]>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [R]
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.array([R].self), default: `default`)
    }
    /// Creates a field of a raw-value type, `[R?]`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R?]>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.optionals([R?].self))
    }
    /// Creates a field of a raw-value type, `[R?]`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R?]>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [R?]
    ) where R.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: RawValueShape.optionals([R?].self), default: `default`)
    }
    /// Creates a field of a raw-value type, `[R]?`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R]?>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.optionalArray([R]?.self))
    }
    /// Creates a field of a raw-value type, `[R]?`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [R]?>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [R]?
    ) where R.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: RawValueShape.optionalArray([R]?.self), default: `default`)
    }
    /// Creates a field of a raw-value type, `Set<R>`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable & Hashable>(
        _ keyPath: KeyPath<Model, Set<R>>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.set(Set<R>.self))
    }
    /// Creates a field of a raw-value type, `Set<R>`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable & Hashable>(
        _ keyPath: KeyPath<Model, Set<R>>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> Set<R>
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.set(Set<R>.self), default: `default`)
    }
    /// Creates a field of a raw-value type, `[K: R]`.
    @inlinable @_disfavoredOverload
    public init<K: JSONDictionaryKey, R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [K: R]>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.values([K: R].self))
    }
    /// Creates a field of a raw-value type, `[K: R]`, with a default.
    @inlinable @_disfavoredOverload
    public init<K: JSONDictionaryKey, R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [K: R]>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [K: R]
    ) where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.values([K: R].self), default: `default`)
    }
    /// Creates a field of a raw-value type, `[K: R]?`.
    @inlinable @_disfavoredOverload
    public init<K: JSONDictionaryKey, R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [K: R]?>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONConvertible {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.optionalValues([K: R]?.self))
    }
    /// Creates a field of a raw-value type, `[K: R]?`, with a default.
    @inlinable @_disfavoredOverload
    public init<K: JSONDictionaryKey, R: RawRepresentable>(
        _ keyPath: KeyPath<Model, [K: R]?>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [K: R]?
    ) where R.RawValue: JSONConvertible {
        self.init(
            keyPath, name: name, key: key, or: or, of: RawValueShape.optionalValues([K: R]?.self),
            default: `default`)
    }
    /// Creates a field of a raw-value type, `[R: V]`.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable & Hashable, V: JSONConvertible>(
        _ keyPath: KeyPath<Model, [R: V]>, name: String? = nil, key: String? = nil, or: String...
    )
    where R.RawValue: JSONDictionaryKey {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.keys([R: V].self))
    }
    /// Creates a field of a raw-value type, `[R: V]`, with a default.
    @inlinable @_disfavoredOverload
    public init<R: RawRepresentable & Hashable, V: JSONConvertible>(
        _ keyPath: KeyPath<Model, [R: V]>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> [R: V]
    ) where R.RawValue: JSONDictionaryKey {
        self.init(keyPath, name: name, key: key, or: or, of: RawValueShape.keys([R: V].self), default: `default`)
    }
}
