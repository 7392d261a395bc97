/// An enum whose cases have values, as a tagged (or untagged) union: what `@JSONModel` makes of one.
public protocol JSONEnum: JSONModel {}

extension JSONEnum {
    public static var jsonShape: JSONShape { .union(Self.self) }
}

/// One case of a ``JSONEnum``: its names in the text, the type of its value, and how one is made of the other.
public struct JSONCase<Model> {
    let declared: DeclaredCase

    /// A case without a value.
    ///
    /// - Parameters:
    ///   - name: the case's name, of which the key strategy makes its name in the text unless `keys` are given.
    ///   - keys: its names in the text: all are read, the first is written.
    ///   - value: the case.
    ///   - matches: returns whether a model is of this case.
    public init(
        _ name: String, keys: [String] = [], value: @autoclosure @escaping () -> Model,
        matches: @escaping (Model) -> Bool
    ) {
        declared = DeclaredCase(
            name: name, keys: keys, payload: nil,
            make: { _, target in target.assumingMemoryBound(to: Model.self).initialize(to: value()) },
            read: { model, _ in matches(model.assumingMemoryBound(to: Model.self).pointee) })
    }

    /// A case with a value.
    ///
    /// - Parameters:
    ///   - name: the case's name, of which the key strategy makes its name in the text unless `keys` are given.
    ///   - keys: its names in the text: all are read, the first is written.
    ///   - payload: the type of the value.
    ///   - make: makes the case of its value.
    ///   - read: returns the value of a model that is of this case, else nil.
    public init<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], payload: Payload.Type, make: @escaping (consuming Payload) -> Model,
        read: @escaping (Model) -> Payload?
    ) {
        self.init(name, keys: keys, payloadShape: JSONShape.of(payload), make: make, read: read)
    }

    /// A case whose value is JSON in a string.
    ///
    /// - Parameters:
    ///   - read: the value of a model that is of this case, else nil.
    public init<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], embedded payload: Payload.Type,
        make: @escaping (consuming Payload) -> Model, read: @escaping (Model) -> Payload?
    ) {
        self.init(name, keys: keys, payloadShape: .embedded(payload), make: make, read: read)
    }

    private init<Payload>(
        _ name: String, keys: [String], payloadShape: JSONShape, make: @escaping (consuming Payload) -> Model,
        read: @escaping (Model) -> Payload?
    ) {
        declared = DeclaredCase(
            name: name, keys: keys, payload: payloadShape,
            make: { payload, target in
                let value = payload.assumingMemoryBound(to: Payload.self).move()
                target.assumingMemoryBound(to: Model.self).initialize(to: make(value))
            },
            read: { model, target in
                guard let value = read(model.assumingMemoryBound(to: Model.self).pointee) else { return false }
                target.assumingMemoryBound(to: Payload.self).initialize(to: value)
                return true
            })
    }
}

/// A case without its enum's type.
struct DeclaredCase {
    let name: String
    let keys: [String]
    /// Nil for a case without a value.
    let payload: JSONShape?
    /// Makes the enum of a payload, which is moved out of its memory.
    let make: (_ payload: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    /// Whether the enum is of this case: then a copy of its payload is made at `target`.
    let read: (_ model: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Bool

    /// Its names in the text, the one that is written first.
    func names(_ strategy: JSONKeyStrategy) -> [String] { keys.isEmpty ? [strategy.key(for: name)] : keys }
}
