#if Macros

// What generated code calls, and nobody else. A class on the main actor can be read and changed only there, but
// the plan that does so has no actor; and a macro can't see on which actor a class is, since a module may put all
// of its types on the main one. So each function has two overloads, and the compiler chooses by the isolation of
// what it is given.

/// How a model is given what is in its storage.
public typealias JSONAssignment<Model, Storage> = (consuming Storage, Model) -> Void

/// How a model is made of its storage.
public typealias JSONMaking<Model, Storage> = (consuming Storage) -> Model

/// Generated code: what makes a model.
public func jsonMaking<Model, Storage>(
    _ make: @escaping (consuming Storage) -> Model
) -> JSONMaking<Model, Storage> { make }

/// Generated code: what makes a model of the main actor. It only stores what it is given, in a model that nobody else
/// can know yet, so that is safe anywhere.
public func jsonMaking<Model, Storage>(
    _ make: @escaping @MainActor (consuming Storage) -> Model
) -> JSONMaking<Model, Storage> {
    unsafeBitCast(make, to: JSONMaking<Model, Storage>.self)
}

/// Generated code: what reads a model, to be called from anywhere.
public func jsonReading<Model, Storage>(_ read: @escaping (Model) -> Storage) -> (Model) -> Storage { read }

/// Generated code: what reads a model of the main actor, which stops the program anywhere else.
public func jsonReading<Model, Storage>(_ read: @escaping @MainActor (Model) -> Storage) -> (Model) -> Storage {
    { model in
        nonisolated(unsafe) let model = model
        nonisolated(unsafe) var storage: Storage?
        MainActor.assumeIsolated { storage = read(model) }
        return storage.unsafelyUnwrapped
    }
}

/// Generated code: what changes a model, to be called from anywhere.
public func jsonAssigning<Model, Storage>(
    _ assign: @escaping (consuming Storage, Model) -> Void
) -> JSONAssignment<Model, Storage> { assign }

/// Generated code: what changes a model of the main actor, which stops the program anywhere else.
public func jsonAssigning<Model, Storage>(
    _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
) -> JSONAssignment<Model, Storage> {
    { storage, model in
        nonisolated(unsafe) let storage = storage
        nonisolated(unsafe) let model = model
        MainActor.assumeIsolated { assign(storage, model) }
    }
}

/// Generated code: what finishes a model that has just been made.
public func jsonFinishing<Model, Storage>(
    _ assign: @escaping (consuming Storage, Model) -> Void
) -> JSONAssignment<Model, Storage> { assign }

/// Generated code: what finishes a model of the main actor that has just been made. Nobody else can know it yet, so
/// that is safe anywhere.
public func jsonFinishing<Model, Storage>(
    _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
) -> JSONAssignment<Model, Storage> {
    unsafeBitCast(assign, to: JSONAssignment<Model, Storage>.self)
}

/// Generated code: the initial value of a property. What is of the property's type by way of its literal is the value.
public func jsonInitial<Value>(_ value: Value) -> Value { value }

/// Generated code: an initial value of another type than the property. The program does not compile, since the compiler
/// reports the value at the property; this overload keeps it from reporting the value twice.
@_disfavoredOverload
public func jsonInitial<Other, Value>(_ value: Other) -> Value {
    fatalError("an initial value is not of the type of its property")
}

/// Generated code: nil as the initial value of a property that is not optional.
@_disfavoredOverload
public func jsonInitial<Value>(_ value: Never?) -> Value {
    fatalError("an initial value is not of the type of its property")
}

#endif
