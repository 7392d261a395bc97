import Synchronization

/// How the keys of a JSON object go to the properties of a model: built once per type, immutable.
///
/// The `@JSONModel` macro writes one; by hand it is a list of ``Field``s that names every stored property.
public struct ModelPlan<Model>: JSONModelPlan {
    /// The plan without its model's type.
    public let blueprint: PlanBlueprint

    /// A plan of these fields, which must be all stored properties of the struct.
    public init(_ fields: [Field<Model>]) {
        blueprint = PlanBlueprint(of: Model.self, fields, make: nil)
    }

    /// A plan of these fields, which must be all stored properties of the struct.
    public init(_ fields: Field<Model>...) {
        self.init(fields)
    }

    /// A plan of these fields, one a line, which must be all stored properties of the struct.
    public init(@FieldBuilder<Model> fields: () -> [Field<Model>]) {
        self.init(fields())
    }

    /// A plan for a class, or another type whose memory can't be filled in place: `storage` is filled, and `make`
    /// makes the model of it.
    public init<Storage>(
        storage: Storage.Type, _ fields: [Field<Storage>],
        make: @escaping (consuming Storage) -> Model
    ) {
        blueprint = PlanBlueprint(of: Model.self, fields) { storage, target in
            let storage = storage.assumingMemoryBound(to: Storage.self).move()
            target.assumingMemoryBound(to: Model.self).initialize(to: make(storage))
        }
    }

    /// The one plan of a generic type, which can have no static stored property: made at the first call.
    public static func shared(_ make: () -> ModelPlan<Model>) -> ModelPlan<Model> {
        let id = ObjectIdentifier(Model.self)
        if let known = sharedPlans.withLock({ $0[id] }) { return ModelPlan(blueprint: known) }
        let made = make()
        return sharedPlans.withLock { table in
            if let other = table[id] { return ModelPlan(blueprint: other) }
            table[id] = made.blueprint
            return made
        }
    }

    private init(blueprint: PlanBlueprint) { self.blueprint = blueprint }
}

private let sharedPlans = Mutex<[ObjectIdentifier: PlanBlueprint]>([:])

/// Gathers the fields of a plan, one a line.
@resultBuilder
public enum FieldBuilder<Model> {
    /// A line: one field.
    public static func buildExpression(_ field: Field<Model>) -> Field<Model> { field }
    /// All lines, in their order.
    public static func buildBlock(_ fields: Field<Model>...) -> [Field<Model>] { fields }
}
