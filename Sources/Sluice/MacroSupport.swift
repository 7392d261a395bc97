#if Macros

// What generated code calls, and nobody else. A class on the main actor can be read and changed only there, but
// the plan that does so has no actor; and a macro can't see on which actor a class is, since a module may put all
// of its types on the main one. So each function has two overloads, and the compiler chooses by the isolation of
// what it is given.

/// What reads a model, to be called from anywhere: of a model on the main actor, there only, or the program stops.
public func jsonReading<Model, Storage>(_ read: @escaping (Model) -> Storage) -> (Model) -> Storage { read }

public func jsonReading<Model, Storage>(_ read: @escaping @MainActor (Model) -> Storage) -> (Model) -> Storage {
    { model in
        nonisolated(unsafe) let model = model
        nonisolated(unsafe) var storage: Storage?
        MainActor.assumeIsolated { storage = read(model) }
        return storage.unsafelyUnwrapped
    }
}

/// What changes a model, to be called from anywhere: of a model on the main actor, there only, or the program stops.
public func jsonAssigning<Model, Storage>(
    _ assign: @escaping (consuming Storage, Model) -> Void
) -> (consuming Storage, Model) -> Void { assign }

public func jsonAssigning<Model, Storage>(
    _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
) -> (consuming Storage, Model) -> Void {
    { storage, model in
        nonisolated(unsafe) let storage = storage
        nonisolated(unsafe) let model = model
        MainActor.assumeIsolated { assign(storage, model) }
    }
}

/// What finishes a model that has just been made, which nobody else can know yet: on any actor, whatever its own.
public func jsonFinishing<Model, Storage>(
    _ assign: @escaping (consuming Storage, Model) -> Void
) -> (consuming Storage, Model) -> Void { assign }

public func jsonFinishing<Model, Storage>(
    _ assign: @escaping @MainActor (consuming Storage, Model) -> Void
) -> (consuming Storage, Model) -> Void {
    unsafeBitCast(assign, to: ((consuming Storage, Model) -> Void).self)
}

#endif
