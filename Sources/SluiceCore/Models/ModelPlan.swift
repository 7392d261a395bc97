import Synchronization

/// How the keys of a JSON object go to the properties of a model: built once per type, immutable.
///
/// The `@JSONModel` macro writes one; by hand it is a list of ``JSONField``s that names every stored property.
public struct ModelPlan<Model>: JSONModelPlan {
    /// The plan without its model's type.
    public let erasedPlan: AnyModelPlan

    /// A plan of these fields, which must be all stored properties of the struct.
    ///
    /// - Parameters:
    ///   - fields: the fields, in the order in which they are written.
    ///   - keys: how keys are made of the names of fields without one; the decoder's way where it is nil.
    ///   - coercion: how far scalars of another type are converted; the decoder's way where it is nil.
    ///   - unknownKeys: what becomes of keys that no field has; the decoder's way where it is nil.
    public init(
        _ fields: [JSONField<Model>], keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil,
        unknownKeys: JSONUnknownKeys? = nil
    ) {
        let options = PlanOptions(keys: keys, coercion: coercion, unknownKeys: unknownKeys)
        erasedPlan = AnyModelPlan(of: Model.self, fields, options)
    }

    /// A plan of these fields, which must be all stored properties of the struct.
    public init(_ fields: JSONField<Model>...) {
        self.init(fields)
    }

    /// A plan of these fields, one a line, which must be all stored properties of the struct.
    public init(
        keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
        @JSONFieldBuilder<Model> fields: () -> [JSONField<Model>]
    ) {
        self.init(fields(), keys: keys, coercion: coercion, unknownKeys: unknownKeys)
    }

    /// A plan for a class, or another type whose memory can't be filled in place: `storage` is filled, and `make`
    /// makes the model of it.
    ///
    /// - Parameters:
    ///   - storage: the type of the storage.
    ///   - fields: the fields, which must be all stored properties of the storage.
    ///   - keys: how keys are made of the names of fields without one; the decoder's way where it is nil.
    ///   - coercion: how far scalars of another type are converted; the decoder's way where it is nil.
    ///   - unknownKeys: what becomes of keys that no field has; the decoder's way where it is nil.
    ///   - make: makes the model of its storage.
    ///   - read: the storage of a model, for encoding and merging.
    ///   - assign: gives a model that is there what is in the storage, for merging into it; without one a new model takes
    ///     its place.
    public init<Storage>(
        storage: Storage.Type, _ fields: [JSONField<Storage>], keys: JSONKeyStrategy? = nil,
        coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil,
        make: @escaping (consuming Storage) -> Model, read: ((Model) -> Storage)? = nil,
        assign: ((consuming Storage, Model) -> Void)? = nil
    ) {
        let options = PlanOptions(keys: keys, coercion: coercion, unknownKeys: unknownKeys)
        erasedPlan = AnyModelPlan(
            of: Model.self, fields, options, storage: StorageFunctions(make: make, read: read, assign: assign))
    }

    /// A plan for a class whose superclass has one, with which this begins: the storage has the superclass's in it.
    public init<Storage, Base>(
        storage: Storage.Type, superclass: any JSONModelPlan, base: KeyPath<Storage, Base>,
        _ fields: [JSONField<Storage>], keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil,
        unknownKeys: JSONUnknownKeys? = nil, make: @escaping (consuming Storage) -> Model,
        read: ((Model) -> Storage)? = nil, assign: ((consuming Storage, Model) -> Void)? = nil
    ) {
        let options = PlanOptions(keys: keys, coercion: coercion, unknownKeys: unknownKeys)
        erasedPlan = AnyModelPlan(
            of: Model.self, fields, options, storage: StorageFunctions(make: make, read: read, assign: assign),
            superclass: SuperclassStorage(superclass.erasedPlan, at: base))
    }

    /// A plan for an enum whose cases have values.
    ///
    /// - Parameters:
    ///   - cases: the cases. Those of an untagged enum are tried in this order.
    ///   - tagging: where the JSON says which case it is.
    ///   - fallback: the name of the case that stands for every other one; with a value of type String it is given the
    ///     unknown tag, with a `JSONValue` or `JSONRaw` all that is there.
    ///   - keys: how keys are made of the names of cases without one; the decoder's way where it is nil.
    ///   - coercion: how far scalars of another type are converted; the decoder's way where it is nil.
    ///   - unknownKeys: what becomes of keys that no field has; the decoder's way where it is nil.
    public init(
        cases: [JSONCase<Model>], tagging: JSONTagging = .external, fallback: String? = nil,
        keys: JSONKeyStrategy? = nil, coercion: JSONCoercion? = nil, unknownKeys: JSONUnknownKeys? = nil
    ) {
        let options = PlanOptions(keys: keys, coercion: coercion, unknownKeys: unknownKeys)
        erasedPlan = AnyModelPlan(
            of: Model.self, cases: cases.map(\.declared), tagging: tagging, fallback: fallback, options)
    }

    /// The same plan, for a model that has hooks without being ``JSONHooks``: what `@JSONModel` writes where it sees
    /// them.
    public func hooks(
        didDecode: ((inout Model) throws -> Void)? = nil, validate: ((Model) throws -> Void)? = nil,
        willEncode: ((Model) throws -> Void)? = nil,
        transform: ((JSONValue?, String) throws -> JSONValue?)? = nil
    ) -> ModelPlan {
        let hooks =
            didDecode == nil && validate == nil && willEncode == nil
            ? nil : ModelHooks(Model.self, didDecode: didDecode, validate: validate, willEncode: willEncode)
        return ModelPlan(erasedPlan: AnyModelPlan(erasedPlan, adding: hooks, valueHook: transform))
    }

    /// The one plan of a generic type, which can have no static stored property: made at the first call.
    public static func shared(_ make: () -> ModelPlan<Model>) -> ModelPlan<Model> {
        let id = ObjectIdentifier(Model.self)
        if let known = sharedPlans.withLock({ $0[id] }) { return ModelPlan(erasedPlan: known) }
        let made = make()
        return sharedPlans.withLock { table in
            if let other = table[id] { return ModelPlan(erasedPlan: other) }
            table[id] = made.erasedPlan
            return made
        }
    }

    private init(erasedPlan: AnyModelPlan) { self.erasedPlan = erasedPlan }
}

private let sharedPlans = Mutex<[ObjectIdentifier: AnyModelPlan]>([:])

/// What a plan says of all its fields; nil is the decoder's way.
struct PlanOptions {
    var keys: JSONKeyStrategy?
    var coercion: JSONCoercion?
    var unknownKeys: JSONUnknownKeys?
}

/// How a model and the storage that it is filled through become each other.
struct StorageFunctions {
    /// Makes the model of its storage, which is moved out of its memory.
    let make: (_ storage: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    let destroy: (_ storage: UnsafeMutableRawPointer) -> Void
    /// Makes a storage of a model.
    let read: ((_ model: UnsafeRawPointer, _ storage: UnsafeMutableRawPointer) -> Void)?
    /// Gives a model what is in its storage, which is moved out of its memory.
    let assign: ((_ storage: UnsafeMutableRawPointer, _ model: UnsafeMutableRawPointer) -> Void)?

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

/// Gathers the fields of a plan, one a line.
@resultBuilder
public enum JSONFieldBuilder<Model> {
    /// A line: one field.
    public static func buildExpression(_ field: JSONField<Model>) -> JSONField<Model> { field }
    /// All lines, in their order.
    public static func buildBlock(_ fields: JSONField<Model>...) -> [JSONField<Model>] { fields }
}
