/// An enum with associated values, coded as a tagged or untagged union. `@JSONModel` adds the conformance.
public protocol JSONEnum: JSONModel {}

extension JSONEnum {
    public static var jsonShape: JSONShape { .union(Self.self) }
}

/// One case of a ``JSONEnum``: its names in the JSON, the type of its value, and the conversions between both.
public struct JSONCase<Model> {
    @usableFromInline let declared: DeclaredCase

    /// Creates a case without a value.
    ///
    /// - Parameters:
    ///   - name: The name of the case. The key strategy derives the name in the JSON unless `keys` are given.
    ///   - keys: The names in the JSON. All names are read, and the first is written.
    ///   - value: The case.
    ///   - matches: Returns whether a model is of this case.
    @inlinable
    public init(
        _ name: String, keys: [String] = [], value: @autoclosure @escaping () -> Model,
        matches: @escaping (Model) -> Bool
    ) {
        declared = DeclaredCase(
            name: name, keys: keys, payload: nil,
            make: { _, target in target.assumingMemoryBound(to: Model.self).initialize(to: value()) },
            read: { model, _ in matches(model.assumingMemoryBound(to: Model.self).pointee) }, destroy: { _ in })
    }

    /// Creates a case with a value, whose type may also be a raw-value type without ``JSONConvertible``, alone or in up to two containers, or
    /// only `Decodable`.
    ///
    /// - Parameters:
    ///   - name: The name of the case. The key strategy derives the name in the JSON unless `keys` are given.
    ///   - keys: The names in the JSON. All names are read, and the first is written.
    ///   - payload: The type of the value.
    ///   - make: Makes the case from its value.
    ///   - read: Returns the value of a model of this case, and nil for other cases.
    @inlinable
    public init<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], payload: Payload.Type, make: @escaping (consuming Payload) -> Model,
        read: @escaping (Model) -> Payload?
    ) {
        self.init(name, keys: keys, payloadShape: JSONShape.of(payload), make: make, read: read)
    }

    /// Creates a case whose value is, or may be, JSON in a string.
    ///
    /// - Parameters:
    ///   - name: The name of the case. The key strategy derives the name in the JSON unless `keys` are given.
    ///   - keys: The names in the JSON. All names are read, and the first is written.
    ///   - payload: The type of the value.
    ///   - form: Whether the value is always a string of JSON. By default it is.
    ///   - make: Makes the case from its value.
    ///   - read: Returns the value of a model of this case, and nil for other cases.
    public init<Payload: JSONConvertible>(
        _ name: String, keys: [String] = [], embedded payload: Payload.Type, as form: JSONEmbedding = .string,
        make: @escaping (consuming Payload) -> Model, read: @escaping (Model) -> Payload?
    ) {
        self.init(name, keys: keys, payloadShape: .embedded(payload, as: form), make: make, read: read)
    }

    // The client's module specializes the closures, which are called for each value: in generic code, each call would look up the type of
    // the optional payload.
    @inlinable
    package init<Payload>(
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
            },
            destroy: { $0.assumingMemoryBound(to: Payload.self).deinitialize(count: 1) })
    }
}

/// A case without the type of its enum.
@usableFromInline
package struct DeclaredCase {
    package let name: String
    let keys: [String]
    /// Nil for a case without a value.
    let payload: JSONShape?
    /// Makes the enum from a payload, which is moved out of its memory.
    let make: (_ payload: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    /// Whether the enum is of this case. If so, initializes `target` with a copy of the payload.
    let read: (_ model: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Bool
    /// Destroys a payload.
    let destroy: (_ payload: UnsafeMutableRawPointer) -> Void

    @usableFromInline
    init(
        name: String, keys: [String], payload: JSONShape?,
        make: @escaping (_ payload: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void,
        read: @escaping (_ model: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Bool,
        destroy: @escaping (_ payload: UnsafeMutableRawPointer) -> Void
    ) {
        (self.name, self.keys, self.payload) = (name, keys, payload)
        (self.make, self.read, self.destroy) = (make, read, destroy)
    }

    /// The names in the JSON. The first name is written.
    func names(_ strategy: JSONKeyStrategy) -> [String] { keys.isEmpty ? [strategy.key(for: name)] : keys }
}
