// The initializers of fields: by value, ignored, embedded, flattened and for extra keys.

extension JSONField {
    /// Creates a field that is filled from `key`, or from the first of the `or` candidates that is present.
    ///
    /// The property may also have a raw-value type without ``JSONConvertible``, such as `enum Color: String`, alone or in up to two
    /// containers, or a type that is only `Decodable`.
    @inlinable
    public init<V: JSONConvertible>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: JSONShape.of(V.self))
    }

    /// Creates a field with a default, which applies if the JSON has no value for the property or `null`.
    @inlinable
    public init<V: JSONConvertible>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: JSONShape.of(V.self), default: `default`)
    }

    /// Creates a field that the JSON does not fill. The property always has the default.
    @inlinable
    public init<V>(
        ignoring keyPath: KeyPath<Model, V>, name: String? = nil, default: @autoclosure @escaping () -> V
    ) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: nil as JSONShape?, role: .ignored, default: `default`)
    }

    /// Creates a field for a model, or an optional one, whose keys are members of the enclosing object.
    @inlinable
    public init<V: JSONModel>(flatten keyPath: KeyPath<Model, V>, name: String? = nil) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: JSONShape.of(V.self),
            role: .flattened { V._erasedPlan })
    }

    /// Creates a field for an optional model whose keys are members of the enclosing object; nil if none of them is present.
    @inlinable @_documentation(visibility: internal)
    public init<V: JSONModel>(flatten keyPath: KeyPath<Model, V?>, name: String? = nil) {
        self.init(
            keyPath, name: name, key: nil, or: [], of: JSONShape.of(V?.self),
            role: .flattened { V._erasedPlan })
    }

    /// Creates a field for a dictionary of the members that no other property reads.
    @inlinable
    public init<V: JSONConvertible>(extra keyPath: KeyPath<Model, [String: V]>, name: String? = nil) {
        self.init(keyPath, name: name, key: nil, or: [], of: JSONShape.of([String: V].self), role: .extra)
    }

    /// Creates a field for a property whose JSON is, or may be, the contents of a string.
    @inlinable
    public init<V: JSONConvertible>(
        embedded keyPath: KeyPath<Model, V>, as form: JSONEmbedding = .string, name: String? = nil,
        key: String? = nil, or: String...
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .embedded(V.self, as: form))
    }

    /// Creates a field for a property whose JSON is, or may be, the contents of a string, with a default.
    @inlinable
    public init<V: JSONConvertible>(
        embedded keyPath: KeyPath<Model, V>, as form: JSONEmbedding = .string, name: String? = nil,
        key: String? = nil, or: String..., default: @autoclosure @escaping () -> V
    ) {
        self.init(keyPath, name: name, key: key, or: or, of: .embedded(V.self, as: form), default: `default`)
    }
}

extension JSONShape {
    /// Returns the shape of a value whose JSON is, or may be, the contents of a string.
    @usableFromInline
    static func embedded<T: JSONConvertible>(_ type: T.Type, as form: JSONEmbedding) -> JSONShape {
        switch form {
        case .string: embedded(type)
        case .either: either(type)
        }
    }
}

// MARK: Unavailable overloads with helpful messages

/// The initializers of ``JSONField`` that apply only if no other does: the compiler prefers the members of a type to those of its
/// protocols.
public protocol _JSONFieldMaking {
    /// The model of the field.
    associatedtype Model
    /// Creates a copy of a field.
    init(_field: JSONField<Model>)
}

extension JSONField: _JSONFieldMaking {
    /// Creates a copy of a field.
    public init(_field field: JSONField<Model>) { self = field }
}

extension _JSONFieldMaking {
    /// Creates a field of a type that no plan can fill. Unavailable.
    @available(
        *, unavailable,
        message:
            "this type has no JSON form: make it a @JSONModel or JSONConvertible, add a @JSONTransform, or add @JSONIgnore and a default; the keys of a dictionary need a text, such as that of JSONDictionaryKey"
    )
    @_disfavoredOverload
    public init<V>(_ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...) {
        fatalError()
    }

    /// Creates a field of a type that no plan can fill, with a default. Unavailable.
    @available(
        *, unavailable,
        message:
            "this type has no JSON form: make it a @JSONModel or JSONConvertible, add a @JSONTransform, or add @JSONIgnore; the keys of a dictionary need a text, such as that of JSONDictionaryKey"
    )
    @_disfavoredOverload
    public init<V>(
        _ keyPath: KeyPath<Model, V>, name: String? = nil, key: String? = nil, or: String...,
        default: @autoclosure @escaping () -> V
    ) { fatalError() }
}
