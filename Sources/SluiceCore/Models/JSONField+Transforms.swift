// Properties that a transform converts. The transform applies to the innermost elements of the property's type. The
// overloads differ in the number of containers around the elements.

extension JSONField {
    /// Creates a field whose value a transform converts.
    ///
    /// The property may also be an optional, an array, a set or a dictionary of the transform's values, with up to three containers around
    /// the values.
    @inlinable
    public init<T: JSONTransform>(
        _ keyPath: KeyPath<Model, T.Value>, name: String? = nil, key: String? = nil, or: String...,
        transform: T
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .fixed(by: transform))
    }

    /// Creates a field whose value a transform converts, with a default.
    @inlinable
    public init<T: JSONTransform>(
        _ keyPath: KeyPath<Model, T.Value>, name: String? = nil, key: String? = nil, or: String...,
        transform: T, default: @autoclosure @escaping () -> T.Value
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .fixed(by: transform), default: `default`)
    }

    /// Creates a field for a container whose elements a transform converts: an optional, array, set or dictionary.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T
    )
    where V._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or, of: .transformed(V.self, elements: .fixed(by: transform)))
    }

    /// Creates a field for a container whose elements a transform converts, with a default.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T, default: @autoclosure @escaping () -> V
    )
    where V._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or, of: .transformed(V.self, elements: .fixed(by: transform)),
            default: `default`)
    }

    /// Creates a field for two containers around the elements that a transform converts, such as `[T]?` or `[[T]]`.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T
    )
    where V._JSONElement: _JSONContainer, V._JSONElement._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self, elements: .transformed(V._JSONElement.self, elements: .fixed(by: transform))))
    }

    /// Creates a field for two containers around the elements that a transform converts, with a default.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T, default: @autoclosure @escaping () -> V
    )
    where V._JSONElement: _JSONContainer, V._JSONElement._JSONElement == T.Value {
        self.init(
            keyPath, name: name, key: key, or: or,
            of: JSONShape.transformed(
                V.self, elements: .transformed(V._JSONElement.self, elements: .fixed(by: transform))),
            default: `default`)
    }

    /// Creates a field for three containers around the elements that a transform converts, such as `[[T]]?`.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T
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

    /// Creates a field for three containers around the elements that a transform converts, with a default.
    @inlinable @_documentation(visibility: internal)
    public init<T: JSONTransform, V: _JSONContainer>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        transform: T, default: @autoclosure @escaping () -> V
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

// MARK: Unavailable overloads with helpful messages

extension JSONField {
    /// Creates a field with a transform for another type. Unavailable.
    @available(
        *, unavailable,
        message:
            "the property's type must be the transform's Value, or Optional, Array, Set or Dictionary of it, at most three deep"
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init<V, T: JSONTransform>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String..., transform: T
    ) { fatalError() }

    /// Creates a field with a transform for another type and a default. Unavailable.
    @available(
        *, unavailable,
        message:
            "the property's type must be the transform's Value, or Optional, Array, Set or Dictionary of it, at most three deep"
    )
    @_disfavoredOverload @_documentation(visibility: internal)
    public init<V, T: JSONTransform>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String..., transform: T,
        default: @autoclosure @escaping () -> V
    ) { fatalError() }
}
