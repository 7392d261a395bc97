// Payloads of types that do not declare `JSONConvertible`: raw values, alone or within one or two containers. The overloads are those of
// `JSONField`. The module SluiceCodable adds those of `Decodable` types.

extension JSONCase {
    /// Creates a case with a value of a raw-value type.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<R: RawRepresentable>(
        _ name: String, keys: [String] = [], payload: R.Type, make: @escaping (consuming R) -> Model,
        read: @escaping (Model) -> R?
    ) where R.RawValue: JSONConvertible {
        self.init(name, keys: keys, payloadShape: .rawValue(R.self), make: make, read: read)
    }

    /// Creates a case whose value is a container of raw values: an optional, array, set or dictionary.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<V: _JSONContainer>(
        _ name: String, keys: [String] = [], payload: V.Type, make: @escaping (consuming V) -> Model,
        read: @escaping (Model) -> V?
    ) where V._JSONElement: RawRepresentable, V._JSONElement.RawValue: JSONConvertible {
        self.init(
            name, keys: keys, payloadShape: .rawValues(in: V.self), make: make, read: read
        )
    }

    /// Creates a case whose value is two containers around raw values, such as `[R]?`.
    @inlinable @_disfavoredOverload @_documentation(visibility: internal)
    public init<V: _JSONContainer>(
        _ name: String, keys: [String] = [], payload: V.Type, make: @escaping (consuming V) -> Model,
        read: @escaping (Model) -> V?
    )
    where
        V._JSONElement: _JSONContainer, V._JSONElement._JSONElement: RawRepresentable,
        V._JSONElement._JSONElement.RawValue: JSONConvertible
    {
        self.init(
            name, keys: keys,
            payloadShape: .nestedRawValues(in: V.self),
            make: make, read: read)
    }
}

/// The initializers of ``JSONCase`` that apply only if no other does: the compiler prefers the members of a type to those of its
/// protocols.
public protocol _JSONCaseMaking {
    /// The enum of the case.
    associatedtype Model
    /// Creates a copy of a case.
    init(_case: JSONCase<Model>)
}

extension JSONCase: _JSONCaseMaking {
    /// Creates a copy of a case.
    public init(_case item: JSONCase<Model>) { self = item }
}

// MARK: Unavailable overloads with helpful messages

// The compiler ends without a message if the plan of an enum has a case for which there is no initializer.
extension _JSONCaseMaking {
    /// Creates a case with a value of a type that no plan can fill. Unavailable.
    @available(
        *, unavailable,
        message: "the value of this case has no JSON form: make its type a @JSONModel, JSONConvertible or Codable"
    )
    @_disfavoredOverload
    public init<V>(
        _ name: String, keys: [String] = [], payload: V.Type, make: @escaping (consuming V) -> Model,
        read: @escaping (Model) -> V?
    ) { fatalError() }

    /// Creates a case with a value in a string of JSON, of a type that no plan can fill. Unavailable.
    @available(
        *, unavailable,
        message: "the value of this case has no JSON form: make its type a @JSONModel or JSONConvertible"
    )
    @_disfavoredOverload
    public init<V>(
        _ name: String, keys: [String] = [], embedded payload: V.Type, as form: JSONEmbedding = .string,
        make: @escaping (consuming V) -> Model, read: @escaping (Model) -> V?
    ) { fatalError() }
}
