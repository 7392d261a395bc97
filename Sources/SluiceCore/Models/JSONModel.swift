/// A type with a plan: a struct or class with `@JSONModel`, or a type whose plan is written by hand.
///
/// ```swift
/// struct Point: JSONModel {
///     let x: Double
///     let y: Double
///     static let plan = ModelPlan<Point>(JSONField(\.x, key: "x"), JSONField(\.y, key: "y"))
/// }
/// ```
public protocol JSONModel: JSONConvertible {
    // A model, and the types around it, see the name of an associated type before the types of their module. No program has a type of
    // this name.
    /// The type of the plan: a ``ModelPlan`` of the model or of its superclass.
    associatedtype _JSONPlan: _JSONModelPlan
    /// The assignment of JSON keys to properties. The plan is built once: make this property a `static let`.
    static var plan: _JSONPlan { get }
    /// The plan without its type, with the hooks of the model.
    static var _erasedPlan: _AnyModelPlan { get }
}

extension JSONModel {
    @_documentation(visibility: internal) public static var jsonShape: JSONShape { .model(Self.self) }
    // Inlinable, so that a model's implementation has the type of its plan. For a type that is found at run time, the runtime searches
    // conformances.
    /// The plan without its type, with the hooks of the model.
    @inlinable
    public static var _erasedPlan: _AnyModelPlan { plan._erased._complete() }
}

/// A type that can serve as a model's plan: a ``ModelPlan`` of any model.
public protocol _JSONModelPlan: Sendable {
    /// The plan without the model's type.
    var _erased: _AnyModelPlan { get }
}

// A shape passes on the plan of its model without knowing the type of the plan.
extension ModelWitness {
    /// The model's plan.
    var plan: _AnyModelPlan { unsafeDowncast(declaration(), to: _AnyModelPlan.self) }

    convenience init<M>(
        _ type: M.Type, isUnion: Bool = false, plan: @escaping () -> _AnyModelPlan,
        dynamicShape: ((UnsafeRawPointer) -> JSONShape?)? = nil
    ) {
        self.init(type, isUnion: isUnion, declaration: plan, dynamicShape: dynamicShape)
    }
}

extension JSONShape {
    /// Returns the shape of a model. The plan is looked up when it is first needed.
    static func model<M: JSONModel>(_ type: M.Type) -> JSONShape { model(type, isUnion: false) }

    /// Returns the shape of an enum with associated values. The cases are looked up when they are first needed.
    @_documentation(visibility: internal) public static func union<M: JSONModel>(_ type: M.Type) -> JSONShape {
        model(type, isUnion: true)
    }

    private static func model<M: JSONModel>(_ type: M.Type, isUnion: Bool) -> JSONShape {
        let object: AnyClass? = type as? AnyClass
        let shape = JSONShape(
            type,
            .model(
                ModelWitness(
                    type, isUnion: isUnion, plan: { M._erasedPlan },
                    dynamicShape: object != nil ? shapeOfSubclass(of: type) : nil)))
        shape.layout.pointee.objectType = object.map { unsafeBitCast($0, to: UnsafeRawPointer.self) }
        return shape
    }

    /// Returns a closure that returns the shape of an object's own class if that is a subclass.
    private static func shapeOfSubclass<M: JSONModel>(of _: M.Type) -> (UnsafeRawPointer) -> JSONShape? {
        { address in
            // The static type must be `AnyObject`: for an `M.Type`, the optimizer assumes that the class is `M`.
            let type: AnyClass = Swift.type(of: address.assumingMemoryBound(to: AnyObject.self).pointee)
            if ObjectIdentifier(type) == ObjectIdentifier(M.self) { return nil }
            return (type as? any JSONModel.Type).map { ofSubclass($0) }
        }
    }

    /// Returns the shape of a subclass, which inherits the conformance. Opening the existential gives the subclass.
    private static func ofSubclass(_ type: any JSONModel.Type) -> JSONShape { .of(type) }
}
