// The closures of a shape. Each category of types has a witness, a type whose properties are the closures that all types of the
// category need. Most witnesses are classes with constant properties, so that a call of a closure of a borrowed witness
// retains nothing.

/// The category of a shape's type, with the closures that all types of the category need.
enum ShapeCategory {
    /// A type whose kind alone selects the code: a scalar of the standard library, for example.
    case basic(ValueKind)
    case scalar(ScalarWitness)
    case array(ArrayWitness)
    case dictionary(DictionaryWitness)
    case conversion(ConversionWitness)
    case embedded(EmbeddedWitness)
    case model(ModelWitness)

    /// The object with the closures; nil for a basic type.
    var witness: AnyObject? {
        switch self {
        case .basic: nil
        case .scalar(let witness): witness
        case .array(let witness): witness
        case .dictionary(let witness): witness
        case .conversion(let witness): witness
        case .embedded(let witness): witness
        case .model(let witness): witness
        }
    }

    /// The kind of the type's values.
    var kind: ValueKind {
        switch self {
        case .basic(let kind): kind
        case .scalar: .scalar
        case .array: .array
        case .dictionary: .dictionary
        case .conversion, .embedded: .converted
        case .model(let model): model.isUnion ? .union : .model
        }
    }
}

extension JSONShape {
    /// The shape of a container's elements or values, or of the value that is converted; nil for other types.
    var element: JSONShape? {
        switch category {
        case .scalar(let scalar): scalar.written
        case .array(let array): array.element.shape
        case .dictionary(let dictionary): dictionary.element.shape
        case .conversion(let conversion): conversion.inner
        case .embedded(let embedded): embedded.string
        case .basic, .model: nil
        }
    }

    /// The closures of a container; nil for other types.
    var container: ContainerWitness? {
        switch category {
        case .array(let array): array
        case .dictionary(let dictionary): dictionary
        default: nil
        }
    }

    /// The closures of a model; nil for other types.
    var model: ModelWitness? { if case .model(let model) = category { model } else { nil } }

    /// Whether a filter selects the properties of models in the values of this type. Other values, and enums with associated values, are
    /// selected as a whole.
    var hasProperties: Bool {
        switch category {
        case .model(let model): !model.isUnion
        case .array(let array): array.element.shape.hasProperties
        case .dictionary(let dictionary): dictionary.element.shape.hasProperties
        case .conversion(let conversion): conversion.inner.hasProperties
        case .embedded(let embedded): embedded.contents.hasProperties
        case .basic, .scalar: false
        }
    }

    /// Whether the elements of a container are contiguous in memory, in their order.
    var borrowsElements: Bool { if case .array(let array) = category { array.borrowsElements } else { false } }

    /// Whether the elements of a container have an order.
    var isOrdered: Bool { if case .array(let array) = category { array.isOrdered } else { false } }

    /// Whether the value requires complete JSON. See ``ConversionWitness/buffersValue``.
    var buffersValue: Bool {
        if case .conversion(let conversion) = category { conversion.buffersValue } else { false }
    }
    /// Whether another module makes the value from its tokens.
    var readsTokens: Bool {
        if case .conversion(let conversion) = category { conversion.ofTokens != nil } else { false }
    }
    /// Writes a value without another one; nil for a type whose values are written as other values.
    var writer: DirectWriter? {
        switch category {
        case .conversion(let conversion): conversion.writer
        case .scalar(let scalar): scalar.writer
        default: nil
        }
    }
    /// Makes the value for a number that the raw type cannot hold; nil for a type without a fallback.
    var makeFallback: ((UnsafeMutableRawPointer) -> Void)? {
        switch category {
        case .conversion(let conversion): conversion.makeFallback
        case .scalar(let scalar): scalar.makeFallback
        default: nil
        }
    }
    /// Whether the value is decoded later, and needs its location.
    var keepsLocation: Bool {
        if case .conversion(let conversion) = category { conversion.keepsLocation } else { false }
    }

    /// The offset of an element's position in a value; nil for a type without a position.
    package var positionOffset: Int? {
        if case .conversion(let conversion) = category { conversion.positionOffset } else { nil }
    }

    /// Whether a value contains the position that its type may have: an optional may be nil.
    package func hasPosition(_ value: UnsafeRawPointer) -> Bool { presence(value) == .value }

    /// Whether a value contains the key of the member whose value is decoded.
    var takesKey: Bool { if case .conversion(let conversion) = category { conversion.takesKey } else { false } }

    /// The values for null and a missing key. An optional represents both by nil, whatever its payload.
    package var nullValues: NullValues? {
        guard payload == nil else { return nil }
        switch category {
        case .conversion(let conversion): return conversion.nullValues
        // Null and a missing key are outside of the string.
        case .embedded(let embedded): return embedded.contents.nullValues
        case .basic, .scalar, .array, .dictionary, .model: return nil
        }
    }

    /// The access to the members of a dictionary that can be changed one by one; nil for other types.
    var members: MemberAccess? { if case .dictionary(let dictionary) = category { dictionary.access } else { nil } }

    /// The access to the elements of an array that can be changed one by one; nil for other types.
    var elements: ElementAccess? { if case .array(let array) = category { array.access } else { nil } }

    /// Makes a container without elements.
    package func makeEmpty(_ target: UnsafeMutableRawPointer) {
        LayoutReference(layout).withContainer { $0.finish(.none, target) }
        LayoutReference(layout).injectTag(target)
    }

    /// Makes the value that is written instead of a value of this type.
    func makeEncodedForm(_ value: UnsafeRawPointer, _ inner: UnsafeMutableRawPointer) throws {
        switch category {
        case .scalar(let scalar): try scalar.makeEncodedForm(value, inner)
        case .conversion(let conversion): try conversion.makeEncodedForm(value, inner)
        case .basic, .array, .dictionary, .embedded, .model: wrongKind()
        }
    }

    @inline(never)
    fileprivate func wrongKind() -> Never {
        preconditionFailure("The shape of \(typeName) has another category than the kind of its layout.")
    }
}

// The kind of a layout, and the form of its frame, determine the category of the shape. These methods lend the witness to a
// closure, because a returned reference would be retained. The owner of the layout keeps the shape alive, and the shape keeps
// its witness alive.
extension LayoutReference {
    /// Whether values are models.
    var isOfModel: Bool { self.kind == .model || self.kind == .composite }

    /// Calls a closure with the witness of an array or dictionary, which have the operations on elements in common.
    @inline(__always)
    func withContainer<R>(_ body: (ContainerWitness) throws -> R) rethrows -> R {
        try withWitness(body) { category in
            switch category {
            case .array(let array): .passUnretained(array)
            case .dictionary(let dictionary): .passUnretained(dictionary)
            default: nil
            }
        }
    }

    /// Calls a closure with the witness of a dictionary.
    @inline(__always)
    package func withDictionary<R>(_ body: (DictionaryWitness) throws -> R) rethrows -> R {
        try withWitness(body) {
            if case .dictionary(let dictionary) = $0 { .passUnretained(dictionary) } else { nil }
        }
    }

    /// Calls a closure with the witness of a scalar that a closure reads.
    @inline(__always)
    func withScalar<R>(_ body: (ScalarWitness) throws -> R) rethrows -> R {
        try withWitness(body) { if case .scalar(let scalar) = $0 { .passUnretained(scalar) } else { nil } }
    }

    /// Calls a closure with the witness of a converted value.
    @inline(__always)
    func withConversion<R>(_ body: (ConversionWitness) throws -> R) rethrows -> R {
        try withWitness(body) {
            if case .conversion(let conversion) = $0 { .passUnretained(conversion) } else { nil }
        }
    }

    /// Calls a closure with the witness of a model.
    @inline(__always)
    func withModel<R>(_ body: (ModelWitness) throws -> R) rethrows -> R {
        try withWitness(body) { if case .model(let model) = $0 { .passUnretained(model) } else { nil } }
    }

    /// Calls a closure with the witness that another closure finds in the shape's category.
    @inline(__always)
    private func withWitness<Witness: AnyObject, R>(
        _ body: (Witness) throws -> R, in find: (ShapeCategory) -> Unmanaged<Witness>?
    ) rethrows -> R {
        try self.unretainedShape._withUnsafeGuaranteedRef { shape in
            guard let witness = find(shape.category) else { shape.wrongKind() }
            return try witness._withUnsafeGuaranteedRef(body)
        }
    }

}

/// The closures of a model.
final class ModelWitness {
    /// The model's type, which its plan must describe.
    let type: ObjectIdentifier
    /// Whether the model is an enum with associated values.
    let isUnion: Bool
    /// Returns the model's plan, an `_AnyModelPlan`. Called late because a model may contain itself.
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
