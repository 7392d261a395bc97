/// The closures of a model.
final class ModelWitness {
    /// The model's type, which its plan must describe.
    let type: ObjectIdentifier
    /// Whether the model is an enum with associated values.
    let isUnion: Bool
    /// Returns the model's plan, an `AnyModelPlan`. Called late because a model may contain itself.
    let declaration: () -> AnyObject
    /// Whether values are objects of a class.
    let isClass: Bool
    /// Returns the shape of an object's own class if that is a subclass; nil for all other values.
    let dynamicShape: (UnsafeRawPointer) -> JSONShape?

    init<M>(
        _ type: M.Type, isUnion: Bool, declaration: @escaping () -> AnyObject,
        dynamicShape: ((UnsafeRawPointer) -> JSONShape?)?
    ) {
        self.type = ObjectIdentifier(type)
        self.isUnion = isUnion
        self.declaration = declaration
        isClass = dynamicShape != nil
        self.dynamicShape = dynamicShape ?? { _ in nil }
    }
}

/// The closures of a value that can be any JSON.
final class ValueWitness {
    let members: MemberAccess
    let elements: ElementAccess

    init(members: MemberAccess, elements: ElementAccess) {
        self.members = members
        self.elements = elements
    }
}
