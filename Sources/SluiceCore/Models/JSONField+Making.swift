// How fields are made: by value, ignored, transformed, embedded, flattened, and the rest.

extension JSONField {
    /// A property that is filled from `key`, or from the first candidate of `or` that is there.
    @inlinable
    public init<V: JSONConvertible>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: JSONShape.of(V.self))
    }

    /// A property that is filled from `key`, and by `default` where the text has nothing for it, or null.
    @inlinable
    public init<V: JSONConvertible>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: JSONShape.of(V.self), default: `default`)
    }

    /// A property that the text does not fill: it always has this value.
    @inlinable
    public init<V>(
        ignoring keyPath: KeyPath<Model, V>, name: String? = nil, default: @autoclosure @escaping () -> V
    ) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: nil as JSONShape?, role: .ignored, default: `default`)
    }

    /// A model whose keys lie in this model's own object.
    public init<V: JSONModel>(flatten keyPath: KeyPath<Model, V>, name: String? = nil) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: JSONShape.of(V.self),
            role: .flattened { V.plan.erasedPlan })
    }

    /// A model whose keys lie in this model's own object; nil where none of them is there.
    public init<V: JSONModel>(flatten keyPath: KeyPath<Model, V?>, name: String? = nil) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: JSONShape.of(V?.self),
            role: .flattened { V.plan.erasedPlan })
    }

    /// A dictionary of what no other property took, by key.
    @inlinable
    public init<V: JSONConvertible>(extra keyPath: KeyPath<Model, [String: V]>, name: String? = nil) {
        self.init(keyPath, name: name, key: nil, or: [], of: JSONShape.of([String: V].self), role: .extra)
    }

    /// A property whose JSON stands inside of a string.
    @inlinable
    public init<V: JSONConvertible>(
        embedded keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .embedded(V.self))
    }

    /// A property whose JSON stands inside of a string, with a default.
    @inlinable
    public init<V: JSONConvertible>(
        embedded keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .embedded(V.self), default: `default`)
    }
}

// MARK: Refused, with what would help

extension JSONField {
    // Without a default the compiler names the type that has to conform. With one it finds no overload at all.
    /// What no plan can fill.
    @available(
        *, unavailable,
        message:
            "no JSON stands for this type: make it a @JSONModel or JSONConvertible, give it a @JSONTransform, or add @JSONIgnore"
    )
    @_disfavoredOverload
    public init<V>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) { fatalError() }
}
