/// An enum with associated values, coded as a tagged or untagged union. `@JSONModel` adds the conformance.
public protocol JSONEnum: JSONModel {}

extension JSONEnum {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { .union(Self.self) }
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

/// The memory for the value of a case, which the code of `@JSONModel` moves out of an enum.
@_documentation(visibility: internal)
public struct _JSONPayload {
    @usableFromInline let memory: UnsafeMutableRawPointer

    @inlinable
    init(_ memory: UnsafeMutableRawPointer) { self.memory = memory }

    /// Moves the value of a case to the memory. Returns the index of the case.
    @inlinable @inline(__always)
    public func store<Value>(_ value: consuming Value, of index: Int) -> Int {
        memory.assumingMemoryBound(to: Value.self).initialize(to: value)
        return index
    }
}

/// The function that moves the payload out of an enum.
///
/// A class, so that a call of the closure retains nothing but borrows the object.
final class EnumProjection {
    /// Returns the index of the case of a model, and moves the payload to memory for it.
    ///
    /// The payload is moved as it is, without other values: the function can be called for a copy of the model's bytes, and the result
    /// is then borrowed from the model. The function may change these bytes.
    let project: (_ model: UnsafeMutableRawPointer, _ payload: UnsafeMutableRawPointer) -> Int

    init(_ project: @escaping (_ model: UnsafeMutableRawPointer, _ payload: UnsafeMutableRawPointer) -> Int) {
        self.project = project
    }
}

extension ModelPlan {
    /// Returns the plan of an enum with a function that moves the payload out of a model and returns the index of the case.
    ///
    /// - Precondition: No case is indirect: the box of such a case would be released. The cases are those of the plan, in their order.
    @inlinable
    package func projecting(_ project: @escaping (consuming Model, _JSONPayload) -> Int) -> ModelPlan {
        // The bytes of other types cannot be moved.
        guard _isBitwiseTakable(Model.self) else { return self }
        return adding { model, payload in
            project(model.assumingMemoryBound(to: Model.self).move(), _JSONPayload(payload))
        }
    }

    @usableFromInline
    func adding(
        _ project: @escaping (_ model: UnsafeMutableRawPointer, _ payload: UnsafeMutableRawPointer) -> Int
    ) -> ModelPlan {
        ModelPlan(_erased: _AnyModelPlan(_erased, projection: EnumProjection(project)))
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
