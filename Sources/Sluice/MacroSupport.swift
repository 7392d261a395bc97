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
}

#endif
