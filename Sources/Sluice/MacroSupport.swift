#if Macros

/// The functions that only generated code calls.
///
/// A class on the main actor can be read and changed only there, but its
/// plan is not isolated. A macro cannot see the actor of a class, because a module may isolate all of its types to the
/// main actor by default. Each function therefore has two overloads, and the compiler selects one by the isolation of the
/// argument.
public enum _JSONMacro {
    /// A function that assigns the values of a storage to an existing model.
    public typealias Assignment<Model, Storage> = (consuming Storage, Model) -> Void

    /// A function that makes a model from its storage.
    public typealias Making<Model, Storage> = (consuming Storage) -> Model

    /// Returns the function that makes a model.
    public static func making<Model, Storage>(
        _ make: @escaping (consuming Storage) -> Model
    ) -> Making<Model, Storage> { make }

    /// Returns the function that makes a model of the main actor.
    ///
    /// The result may be called on any thread: the function only stores values in a model that has no other reference yet.
    public static func making<Model, Storage>(
        _ make: @escaping @MainActor (consuming Storage) -> Model
    ) -> Making<Model, Storage> {
        unsafeBitCast(make, to: Making<Model, Storage>.self)
    }

    /// Returns the function that makes a model whose initial values may need its actor.
    public static func makingOnActor<Model, Storage>(
        _ make: @escaping (consuming Storage) -> Model
    ) -> Making<Model, Storage> { make }

    /// Returns the function that makes a model of the main actor whose initial values may need the main actor.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func makingOnActor<Model, Storage>(
        _ make: @escaping @MainActor (consuming Storage) -> Model
    ) -> Making<Model, Storage> {
        { storage in
            nonisolated(unsafe) let storage = storage
            nonisolated(unsafe) var model: Model?
            MainActor.assumeIsolated { model = make(storage) }
            return model.unsafelyUnwrapped
        }
    }

    /// Returns the function that reads a model.
    public static func reading<Model, Storage>(_ read: @escaping (Model) -> Storage) -> (Model) -> Storage { read }

    /// Returns the function that reads a model of the main actor.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func reading<Model, Storage>(_ read: @escaping @MainActor (Model) -> Storage) -> (Model) ->
        Storage
    {
        { model in
            nonisolated(unsafe) let model = model
            nonisolated(unsafe) var storage: Storage?
            MainActor.assumeIsolated { storage = read(model) }
            return storage.unsafelyUnwrapped
        }
    }

    /// Returns the function that copies the properties of a struct.
    public static func copying<Model, Storage>(_ read: @escaping (Model) -> Storage) -> (Model) -> Storage { read }

    /// Returns the function that copies the properties of a struct of the main actor.
    ///
    /// The result may be called on any thread: the function only reads stored properties of a value.
    public static func copying<Model, Storage>(_ read: @escaping @MainActor (Model) -> Storage) -> (Model) ->
        Storage
    { unsafeBitCast(read, to: ((Model) -> Storage).self) }

    /// Returns the function that changes a model.
    public static func assigning<Model, Storage>(
        _ assign: @escaping (consuming Storage, Model) -> Void
    ) -> Assignment<Model, Storage> { assign }

    /// Returns the function that changes a model of the main actor.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func assigning<Model, Storage>(
        _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
    ) -> Assignment<Model, Storage> {
        { storage, model in
            nonisolated(unsafe) let storage = storage
            nonisolated(unsafe) let model = model
            MainActor.assumeIsolated { assign(storage, model) }
        }
    }

    /// Returns the function that completes a new model.
    public static func finishing<Model, Storage>(
        _ assign: @escaping (consuming Storage, Model) -> Void
    ) -> Assignment<Model, Storage> { assign }

    /// Returns the function that completes a new model of the main actor.
    ///
    /// The result may be called on any thread, because the model has no other reference yet.
    public static func finishing<Model, Storage>(
        _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
    ) -> Assignment<Model, Storage> {
        unsafeBitCast(assign, to: Assignment<Model, Storage>.self)
    }

    /// Copies an ignored constant of a struct to the new model of a merge.
    public static func keep<Model, Value>(_ property: KeyPath<Model, Value>, of old: Model, in new: inout Model) {
        guard let offset = MemoryLayout<Model>.offset(of: property) else { return }
        withUnsafeMutableBytes(of: &new) {
            $0.baseAddress!.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee =
                old[keyPath: property]
        }
    }

    /// Copies the memory of an ignored property wrapper of a struct to the new model of a merge. The wrapped value may have no setter, and
    /// a mutating getter.
    public static func keep<Model>(wrapper: String, of old: Model, in new: inout Model) {
        copyStoredProperty(named: wrapper, from: old, to: &new)
    }

    /// Copies an ignored property of an object to the new object of a merge.
    public static func keep<Model: AnyObject, Value>(
        _ property: ReferenceWritableKeyPath<Model, Value>, of old: Model, in new: Model
    ) { new[keyPath: property] = old[keyPath: property] }

    /// Leaves a property wrapper without a setter as it is in the new object.
    public static func keep<Model: AnyObject, Value>(_: KeyPath<Model, Value>, of _: Model, in _: Model) {}

    /// A type in an expression, in which the name of the type is that of a member.
    public typealias Same<T> = T

    /// The argument of a function whose label is the name of a property.
    public struct Property {
        fileprivate init() {}
    }

    /// Returns the field that a function makes.
    public static func field<Model>(_ make: (Property) -> JSONField<Model>) -> JSONField<Model> {
        make(Property())
    }

    /// Returns the field that a function of the main actor makes.
    ///
    /// The function may be called on any thread: only the default, a closure, needs the main actor. The program stops if the
    /// default is needed elsewhere.
    public static func field<Model>(_ make: @MainActor (Property) -> JSONField<Model>) -> JSONField<Model> {
        withoutActuallyEscaping(make) { make in
            unsafeBitCast(make, to: ((Property) -> JSONField<Model>).self)(Property()).defaultingOnMainActor()
        }
    }

    /// Returns the field that a function makes, whose default, if any, calls no code.
    public static func constantField<Model>(
        _ make: (Property) -> JSONField<Model>
    ) -> JSONField<Model> { make(Property()) }

    /// Returns the field that a function of the main actor makes, which calls no code of the main actor.
    public static func constantField<Model>(
        _ make: @MainActor (Property) -> JSONField<Model>
    ) -> JSONField<Model> {
        withoutActuallyEscaping(make) { make in
            unsafeBitCast(make, to: ((Property) -> JSONField<Model>).self)(Property())
        }
    }

    /// Returns a hook that may change the model.
    public static func changing<Model>(
        _ hook: @escaping (inout Model) throws -> Void
    ) -> (inout Model) throws -> Void { hook }

    /// Returns a hook of the main actor that may change the model.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func changing<Model>(
        _ hook: @escaping @MainActor (inout Model) throws -> Void
    ) -> (inout Model) throws -> Void {
        { model in
            try withUnsafeMutablePointer(to: &model) { model in
                nonisolated(unsafe) let model = model
                try MainActor.assumeIsolated { try hook(&model.pointee) }
            }
        }
    }

    /// Returns a hook that reads the model.
    public static func checking<Model>(_ hook: @escaping (Model) throws -> Void) -> (Model) throws -> Void { hook }

    /// Returns a hook of the main actor that reads the model.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func checking<Model>(
        _ hook: @escaping @MainActor (Model) throws -> Void
    ) -> (Model) throws -> Void {
        { model in
            nonisolated(unsafe) let model = model
            try MainActor.assumeIsolated { try hook(model) }
        }
    }

    /// A hook that replaces the value of a property.
    public typealias ValueHook = (JSONValue?, String) throws -> JSONValue?

    /// Returns a hook that replaces the values of properties.
    public static func transforming(_ hook: @escaping ValueHook) -> ValueHook { hook }

    /// Returns a hook of the main actor that replaces the values of properties.
    ///
    /// The result stops the program if the caller is not on the main actor.
    public static func transforming(
        _ hook: @escaping @MainActor (JSONValue?, String) throws -> JSONValue?
    ) -> ValueHook {
        { value, property in try MainActor.assumeIsolated { try hook(value, property) } }
    }

    /// Returns the plan of an enum with a function that moves the payload out of a model and returns the index of the case.
    @inlinable
    public static func projecting<Model>(
        _ plan: ModelPlan<Model>, _ project: @escaping (consuming Model, _JSONPayload) -> Int
    ) -> ModelPlan<Model> { plan.projecting(project) }

    /// Returns a plan without hooks of conformances: the type has none in the module of its declaration.
    public static func knowingHooks<Model>(_ plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.knowing(hooks: nil, valueHook: nil)
    }

    /// Returns a plan with the hooks of the model's conformance.
    public static func knowingHooks<Model: JSONHooks>(_ plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.knowing(hooks: Model.self, valueHook: nil)
    }

    /// Returns a plan with the value hook of the model's conformance.
    public static func knowingHooks<Model: JSONValueHook>(_ plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.knowing(hooks: nil, valueHook: Model.self)
    }

    /// Returns a plan with the hooks of the model's conformances.
    public static func knowingHooks<Model: JSONHooks & JSONValueHook>(_ plan: ModelPlan<Model>) -> ModelPlan<Model>
    {
        plan.knowing(hooks: Model.self, valueHook: Model.self)
    }

    /// Returns the plan of a class whose superclass, if any, is not a model. The plan is invalid if the superclass has
    /// stored properties.
    public static func withoutSuperclass<Model>(_ plan: ModelPlan<Model>) -> ModelPlan<Model> {
        plan.withoutSuperclass()
    }

    /// Gives a property of a storage the type of an initial value of the main actor, which is never evaluated.
    public static func unevaluated<Value>(_ value: @MainActor () -> Value) -> Value {
        fatalError("the initial value of a storage is not used")
    }

    /// Returns the initial value of a property.
    public static func initial<Value>(_ value: Value) -> Value { value }

    /// Accepts an initial value that does not have the type of its property.
    ///
    /// The compiler reports the value at the property, so the program does not compile. This overload prevents a second
    /// error for the same value.
    @_disfavoredOverload
    public static func initial<Other, Value>(_ value: Other) -> Value {
        fatalError("an initial value is not of the type of its property")
    }

    /// Accepts nil as the initial value of a property that is not optional.
    @_disfavoredOverload
    public static func initial<Value>(_ value: Never?) -> Value {
        fatalError("an initial value is not of the type of its property")
    }

    // MARK: Partial models

    // The initial values of the properties of a partial model whose types the macro does not know. An optional property has the partial type
    // of its payload.

    /// The partial type of a type.
    public typealias Partial<T: JSONConvertible> = T._JSONPartial

    /// Returns nil of the partial type of a type.
    public static func partial<T: JSONConvertible>(_: T.Type) -> T._JSONPartial? { nil }

    /// Returns nil of the partial type of an optional's payload.
    public static func partial<T: JSONConvertible>(_: T?.Type) -> T._JSONPartial? { nil }

    /// Returns nil of a type without a partial type.
    @_disfavoredOverload
    public static func partial<T>(_: T.Type) -> T? { nil }

    /// Returns nil of the type of an optional's payload, which has no partial type.
    @_disfavoredOverload
    public static func partial<T>(_: T?.Type) -> T? { nil }

    /// Returns nil of the partial type of an initial value, which is never evaluated.
    public static func partial<T: JSONConvertible>(of _: @autoclosure () -> T) -> T._JSONPartial? { nil }

    /// Returns nil of the partial type of an optional initial value's payload.
    public static func partial<T: JSONConvertible>(of _: @autoclosure () -> T?) -> T._JSONPartial? { nil }

    /// Returns nil of the type of an initial value without a partial type.
    @_disfavoredOverload
    public static func partial<T>(of _: @autoclosure () -> T) -> T? { nil }

    /// Returns nil of the type of an optional initial value's payload, which has no partial type.
    @_disfavoredOverload
    public static func partial<T>(of _: @autoclosure () -> T?) -> T? { nil }

    /// Returns the nil of a function whose types may have conformances of the main actor. The function is never called.
    public static func absent<T>(_ value: @MainActor () -> T?) -> T? { nil }

    /// Returns a partial model without values, of a function whose types may have conformances of the main actor. The function is never
    /// called.
    public static func absent<T: JSONPartialModel>(_ value: @MainActor () -> T) -> T { T() }

    /// Returns nil of the type of an initial value, which is read as a whole. The initial value is never evaluated.
    public static func whole<T>(of _: @autoclosure () -> T) -> T? { nil }

    /// Returns nil of the type of an optional initial value's payload.
    public static func whole<T>(of _: @autoclosure () -> T?) -> T? { nil }

    /// Returns the partial model of a flattened model, without values.
    public static func flattened<T: JSONConvertible>(_: T.Type) -> T._JSONPartial
    where T._JSONPartial: JSONPartialModel { T._JSONPartial() }

    /// Returns nil of a flattened model that is read as a whole.
    @_disfavoredOverload
    public static func flattened<T: JSONConvertible>(_: T.Type) -> T._JSONPartial? { nil }

    /// Returns nil of the partial type of an optional flattened model.
    public static func flattened<T: JSONConvertible>(_: T?.Type) -> T._JSONPartial? { nil }
}

#endif
