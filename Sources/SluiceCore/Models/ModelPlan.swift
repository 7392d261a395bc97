/// The assignment of JSON keys to the properties of a model. A plan is built once per type and is immutable.
///
/// The `@JSONModel` macro writes a plan. A plan by hand is a list of ``JSONField``s that names every stored property.
public struct ModelPlan<Model>: _JSONModelPlan {
    /// The plan without the model's type.
    public let _erased: _AnyModelPlan

    /// Creates a plan of these fields, which must name all stored properties of the struct.
    ///
    /// - Parameters:
    ///   - fields: The fields, in the order in which they are written.
    ///   - keys: The strategy that derives keys for fields without one; nil for the decoder's strategy.
    ///   - coercion: The conversions between types of scalars; nil for the decoder's coercion.
    ///   - unknownKeys: How keys without a field are handled; nil for the decoder's option.
    ///   - defaultCases: The cases in which the defaults of properties apply that state no cases. With ``JSONDefaultCases/mismatch``, an
    ///     optional without a default also becomes nil.
    public init(
        _ fields: [JSONField<Model>], keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil,
        unknownKeys: JSONUnknownKeys? = nil, defaultsOn defaultCases: JSONDefaultCases = [.missing, .null]
    ) {
        let options = PlanOptions(
            keys: keys, coercion: coercion, unknownKeys: unknownKeys, defaultCases: defaultCases)
        _erased = _AnyModelPlan(of: Model.self, fields, options)
    }

    /// Creates a plan of these fields, which must name all stored properties of the struct.
    public init(_ fields: JSONField<Model>...) {
        self.init(fields)
    }

    /// Creates a plan of these fields, one per line, which must name all stored properties of the struct.
    public init(
        keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
        defaultsOn defaultCases: JSONDefaultCases = [.missing, .null],
        @JSONFieldBuilder<Model> fields: () -> [JSONField<Model>]
    ) {
        self.init(fields(), keys: keys, coercion: coercion, unknownKeys: unknownKeys, defaultsOn: defaultCases)
    }

    /// Creates a plan for a class, or another type whose memory cannot be filled in place. The decoder fills `storage`, and
    /// `make` makes the model from the storage.
    ///
    /// - Parameters:
    ///   - storage: The type of the storage.
    ///   - fields: The fields, which must name all stored properties of the storage.
    ///   - keys: The strategy that derives keys for fields without one; nil for the decoder's strategy.
    ///   - coercion: The conversions between types of scalars; nil for the decoder's coercion.
    ///   - unknownKeys: How keys without a field are handled; nil for the decoder's option.
    ///   - defaultCases: The cases in which the defaults of properties apply that state no cases. With ``JSONDefaultCases/mismatch``, an
    ///     optional without a default also becomes nil.
    ///   - make: Makes the model from its storage.
    ///   - read: Returns the storage of a model, for encoding and merging. A merge keeps the properties of the storage that are not decoded.
    ///   - assign: Copies the storage to an existing model, for merging. Without this closure, merging replaces the model by
    ///     a new one.
    @inlinable
    public init<Storage>(
        storage: Storage.Type, _ fields: [JSONField<Storage>], keys: JSONKeyStrategy? = nil,
        coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
        defaultsOn defaultCases: JSONDefaultCases = [.missing, .null],
        make: @escaping (consuming Storage) -> Model, read: ((Model) -> Storage)? = nil,
        assign: ((consuming Storage, Model) -> Void)? = nil
    ) {
        self.init(
            storage: StorageFunctions(make: make, read: read, assign: assign), fields, keys: keys,
            coercion: coercion,
            unknownKeys: unknownKeys, defaultsOn: defaultCases)
    }

    @usableFromInline
    init<Storage>(
        storage: StorageFunctions, _ fields: [JSONField<Storage>], keys: JSONKeyStrategy?, coercion: JSONCoercion?,
        unknownKeys: JSONUnknownKeys?, defaultsOn defaultCases: JSONDefaultCases
    ) {
        let options = PlanOptions(
            keys: keys, coercion: coercion, unknownKeys: unknownKeys, defaultCases: defaultCases)
        _erased = _AnyModelPlan(of: Model.self, fields, options, storage: storage)
    }

    /// Creates a plan for a class that extends the plan of its superclass. The storage contains the superclass's storage.
    ///
    /// - Parameters:
    ///   - storage: The type of the storage.
    ///   - superclass: The plan of the superclass, whose fields come first.
    ///   - base: The property of the storage that holds the superclass's storage.
    ///   - fields: The fields of the class itself.
    ///   - keys: The strategy that derives keys for fields without one; nil for the decoder's strategy. The fields of the superclass have
    ///     the strategy of its plan.
    ///   - coercion: The conversions between types of scalars; nil for the decoder's coercion. The fields of the superclass have the
    ///     coercion of its plan.
    ///   - unknownKeys: How keys without a field are handled; nil for the option of the superclass, or else the decoder's option.
    ///   - defaultCases: The cases in which the defaults of properties apply that state no cases. With ``JSONDefaultCases/mismatch``, an
    ///     optional without a default also becomes nil.
    ///   - make: Makes the model from its storage.
    ///   - read: Returns the storage of a model, for encoding and merging. A merge keeps the properties of the storage that are not decoded.
    ///   - assign: Copies the storage to an existing model, for merging. Without this closure, merging replaces the model by
    ///     a new one.
    @inlinable
    public init<Storage, Base>(
        storage: Storage.Type, superclass: any _JSONModelPlan, base: KeyPath<Storage, Base>,
        _ fields: [JSONField<Storage>], keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil,
        unknownKeys: JSONUnknownKeys? = nil, defaultsOn defaultCases: JSONDefaultCases = [.missing, .null],
        make: @escaping (consuming Storage) -> Model,
        read: ((Model) -> Storage)? = nil, assign: ((consuming Storage, Model) -> Void)? = nil
    ) {
        self.init(
            storage: StorageFunctions(make: make, read: read, assign: assign), superclass: superclass, base: base,
            fields,
            keys: keys, coercion: coercion, unknownKeys: unknownKeys, defaultsOn: defaultCases)
    }

    @usableFromInline
    init<Storage, Base>(
        storage: StorageFunctions, superclass: any _JSONModelPlan, base: KeyPath<Storage, Base>,
        _ fields: [JSONField<Storage>], keys: JSONKeyStrategy?, coercion: JSONCoercion?,
        unknownKeys: JSONUnknownKeys?, defaultsOn defaultCases: JSONDefaultCases
    ) {
        let options = PlanOptions(
            keys: keys, coercion: coercion, unknownKeys: unknownKeys, defaultCases: defaultCases)
        _erased = _AnyModelPlan(
            of: Model.self, fields, options, storage: storage,
            superclass: SuperclassStorage(superclass._erased, at: base))
    }

    /// Creates a plan for an enum with associated values.
    ///
    /// - Parameters:
    ///   - cases: The cases. Those of an untagged enum are tried in this order.
    ///   - tagging: The location of the case's name in the JSON.
    ///   - fallback: The name of the case that represents unknown cases. A `String` value receives the unknown tag. A
    ///     `JSONValue`, `JSONRaw` or dictionary receives the whole JSON, also without a name. The name of a case with such a
    ///     value is an unknown name, too. In an untagged enum, the case is tried last.
    ///   - keys: The strategy that derives the names of cases without one; nil for the decoder's strategy.
    ///   - coercion: The conversions between types of scalars; nil for the decoder's coercion.
    ///   - unknownKeys: How keys beside those of a case are handled; nil for the decoder's option.
    public init(
        cases: [JSONCase<Model>], tagging: JSONTagging = .external, fallback: String? = nil,
        keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil
    ) {
        let options = PlanOptions(keys: keys, coercion: coercion, unknownKeys: unknownKeys)
        _erased = _AnyModelPlan(
            of: Model.self, cases: cases.map(\.declared), tagging: tagging, fallback: fallback, options)
    }

    /// Returns the plan with hooks, for a model that does not conform to ``JSONHooks``. The hooks of a conformance are called, too.
    @inlinable
    public func hooks(
        didDecode: ((inout Model) throws -> Void)? = nil, validate: ((Model) throws -> Void)? = nil,
        willEncode: ((Model) throws -> Void)? = nil,
        transform: ((JSONValue?, String) throws -> JSONValue?)? = nil
    ) -> ModelPlan {
        adding(didDecode, validate, willEncode, transform, areMethods: false)
    }

    /// Returns the plan with hooks that call the methods of the same names, which a conformance to ``JSONHooks`` does not call again.
    /// `@JSONModel` calls this method for hooks in the type's body.
    @inlinable
    public func _methods(
        didDecode: ((inout Model) throws -> Void)? = nil, validate: ((Model) throws -> Void)? = nil,
        willEncode: ((Model) throws -> Void)? = nil,
        transform: ((JSONValue?, String) throws -> JSONValue?)? = nil
    ) -> ModelPlan {
        adding(didDecode, validate, willEncode, transform, areMethods: true)
    }

    @inlinable
    func adding(
        _ didDecode: ((inout Model) throws -> Void)?, _ validate: ((Model) throws -> Void)?,
        _ willEncode: ((Model) throws -> Void)?, _ transform: ((JSONValue?, String) throws -> JSONValue?)?,
        areMethods: Bool
    ) -> ModelPlan {
        let hooks =
            didDecode == nil && validate == nil && willEncode == nil
            ? nil
            : ModelHooks(
                Model.self, didDecode: didDecode, validate: validate, willEncode: willEncode,
                areMethods: areMethods)
        return adding(hooks, transform)
    }

    @usableFromInline
    func adding(_ hooks: ModelHooks?, _ transform: ((JSONValue?, String) throws -> JSONValue?)?) -> ModelPlan {
        ModelPlan(_erased: _AnyModelPlan(_erased, adding: hooks, valueHook: transform))
    }

    /// Returns the plan with texts for the JSON Schema of the model. `@JSONModel` calls this method with the documentation comments of
    /// the declaration.
    ///
    /// The arguments are evaluated when a schema is requested.
    ///
    /// - Parameters:
    ///   - model: The description of the model.
    ///   - members: The descriptions of properties or cases, by their name.
    public func describing(
        _ model: @autoclosure @escaping @Sendable () -> String?,
        _ members: @autoclosure @escaping @Sendable () -> [String: String] = [:]
    ) -> ModelPlan {
        let descriptions = ModelDescriptions(model: model, members: members)
        return ModelPlan(_erased: _AnyModelPlan(_erased, descriptions: descriptions))
    }

    /// Returns the plan with the conformances that the compiler found in the declaration of the model, which are neither inherited nor
    /// conditional: the model is neither a class nor generic.
    ///
    /// The conformances of other plans are found by casts, which take longer than the rest of a plan if they fail.
    package func knowing(hooks: (any JSONHooks.Type)?, valueHook: (any JSONValueHook.Type)?) -> ModelPlan {
        let conformances = HookConformances(hooks: hooks, valueHook: valueHook)
        return ModelPlan(_erased: _AnyModelPlan(_erased, conformances: conformances))
    }

    /// Returns the plan, which is invalid if the superclass of the model has stored properties.
    ///
    /// `@JSONModel` cannot distinguish a superclass from a protocol. The plan of a class whose superclass is a model is not
    /// checked.
    package func withoutSuperclass() -> ModelPlan {
        ModelPlan(
            _erased: _AnyModelPlan(
                _erased, defect: PlanCoverage.superclassDefect(of: Model.self)))
    }

    /// Returns the one plan of a generic type, which cannot have a static stored property. The first call makes the plan.
    public static func shared(_ make: () -> ModelPlan<Model>) -> ModelPlan<Model> {
        let plan = sharedPlans[Model.self] ?? sharedPlans.insert(make()._erased, for: Model.self)
        return ModelPlan(_erased: plan.takeUnretainedValue())
    }

    init(_erased: _AnyModelPlan) { self._erased = _erased }
}

private let sharedPlans = TypeTable<_AnyModelPlan>()

/// The options of a plan for all its fields; nil for the decoder's option.
package struct PlanOptions {
    var keys: JSONKeyStrategy?
    package var coercion: JSONCoercion?
    var unknownKeys: JSONUnknownKeys?
    /// The cases in which the defaults of fields apply that state none.
    var defaultCases: JSONDefaultCases = [.missing, .null]
}

/// The conversions between a model and its storage.
///
/// A class, so that a call of a closure retains nothing but borrows the object.
// Inlinable, so that the closures are specialized in the client's module.
@usableFromInline
final class StorageFunctions {
    /// Makes the model from its storage, which is moved out of its memory.
    @usableFromInline let make: (_ storage: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    @usableFromInline let destroy: (_ storage: UnsafeMutableRawPointer) -> Void
    /// Makes the storage of a model.
    @usableFromInline let read: ((_ model: UnsafeRawPointer, _ storage: UnsafeMutableRawPointer) -> Void)?
    /// Copies the storage, which is moved out of its memory, to an existing model.
    @usableFromInline let assign: ((_ storage: UnsafeMutableRawPointer, _ model: UnsafeMutableRawPointer) -> Void)?

    @inlinable
    init<Model, Storage>(
        make: @escaping (consuming Storage) -> Model, read: ((Model) -> Storage)?,
        assign: ((consuming Storage, Model) -> Void)?
    ) {
        destroy = { $0.assumingMemoryBound(to: Storage.self).deinitialize(count: 1) }
        self.make = { storage, target in
            let storage = storage.assumingMemoryBound(to: Storage.self).move()
            target.assumingMemoryBound(to: Model.self).initialize(to: make(storage))
        }
        self.read = read.map { read in
            { model, storage in
                let model = model.assumingMemoryBound(to: Model.self).pointee
                storage.assumingMemoryBound(to: Storage.self).initialize(to: read(model))
            }
        }
        self.assign = assign.map { assign in
            { storage, model in
                let storage = storage.assumingMemoryBound(to: Storage.self).move()
                assign(storage, model.assumingMemoryBound(to: Model.self).pointee)
            }
        }
    }
}

/// Builds the list of a plan's fields, one per line.
@resultBuilder
@_documentation(visibility: internal) public enum JSONFieldBuilder<Model> {
    /// Accepts one field as a line.
    @_documentation(visibility: internal)
    public static func buildExpression(_ field: JSONField<Model>) -> JSONField<Model> { field }
    /// Collects the fields of all lines in their order.
    @_documentation(visibility: internal)
    public static func buildBlock(_ fields: JSONField<Model>...) -> [JSONField<Model>] { fields }
}
