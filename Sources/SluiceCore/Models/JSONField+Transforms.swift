// Properties that a transform makes. The transform applies to the innermost elements of the property's type: the overloads
// differ only in the number of containers around them.

extension JSONField {
    /// A property that a transform makes of what stands in the text.
    public init<T: JSONTransform>(
        _ keyPath: KeyPath<Model, T.Value>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .fixed(by: transform))
    }

    /// A property that a transform makes of what stands in the text, with a default.
    public init<T: JSONTransform>(
        _ keyPath: KeyPath<Model, T.Value>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type, default: @autoclosure @escaping () -> T.Value
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .fixed(by: transform), default: `default`)
    }

    /// A container whose elements a transform makes: an optional, array, set or dictionary.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type
    )
    where V._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or, of: .transformed(V.self, elements: .fixed(by: transform)))
    }

    /// A container whose elements a transform makes: an optional, array, set or dictionary, with a default.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type, default: @autoclosure @escaping () -> V
    )
    where V._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or, of: .transformed(V.self, elements: .fixed(by: transform)),
            default: `default`)
    }

    /// A container of containers whose elements a transform makes, such as `[T]?` or `[[T]]`.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type
    )
    where V._JSONElement: _JSONContainer, V._JSONElement._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self, elements: .transformed(V._JSONElement.self, elements: .fixed(by: transform))))
    }

    /// A container of containers whose elements a transform makes, such as `[T]?` or `[[T]]`, with a default.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type, default: @autoclosure @escaping () -> V
    )
    where V._JSONElement: _JSONContainer, V._JSONElement._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self, elements: .transformed(V._JSONElement.self, elements: .fixed(by: transform))),
            default: `default`)
    }

    /// Three containers around the elements that a transform makes, such as `[[T]]?`.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: _JSONContainer,
        V._JSONElement._JSONElement._JSONElement == T.Value
    {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self,
                elements: .transformed(
                    V._JSONElement.self,
                    elements: .transformed(V._JSONElement._JSONElement.self, elements: .fixed(by: transform)))
            ))
    }

    /// Three containers around the elements that a transform makes, such as `[[T]]?`, with a default.
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T.Type, default: @autoclosure @escaping () -> V
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: _JSONContainer,
        V._JSONElement._JSONElement._JSONElement == T.Value
    {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self,
                elements: .transformed(
                    V._JSONElement.self,
                    elements: .transformed(V._JSONElement._JSONElement.self, elements: .fixed(by: transform)))
            ), default: `default`)
    }
}

// MARK: Refused, with what would help

extension JSONField {
    /// A transform of another type.
    @available(
        *, unavailable,
        message:
            "the property's type must be the transform's Value, or Optional, Array, Set or Dictionary of it, at most three deep"
    )
    @_disfavoredOverload
    public init<V, T: JSONTransform>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String..., transform: T.Type
    ) { fatalError() }

    /// A transform of another type.
    @available(
        *, unavailable,
        message:
            "the property's type must be the transform's Value, or Optional, Array, Set or Dictionary of it, at most three deep"
    )
    @_disfavoredOverload
    public init<V, T: JSONTransform>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String..., transform: T.Type,
        default: @autoclosure @escaping () -> V
    ) { fatalError() }
}
