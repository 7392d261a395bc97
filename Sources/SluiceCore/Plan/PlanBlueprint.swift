@_spi(Reflection) import Swift

// Unchecked for the generic types that its closures capture; all else in them is `Sendable`.
/// A plan without its model's type, as it was declared: what `CompiledPlan` makes tables of.
public final class PlanBlueprint: @unchecked Sendable, JSONModelPlan {
    let model: ObjectIdentifier
    let modelName: String
    let fields: [DeclaredField]
    let options: PlanOptions
    /// For an enum with values: its cases.
    let union: DeclaredUnion?
    /// How the model is made of its storage, where that is not the model's own memory.
    let storage: StorageFunctions?
    /// What the model does when it has been decoded, and before it is encoded; a superclass's first.
    let hooks: [ModelHooks]
    /// See `JSONValueHook`.
    let valueHook: ((JSONValue?, String) throws -> JSONValue?)?
    let size: Int
    let alignment: Int
    /// What makes the plan unusable, or nil. A compiled plan may find more.
    let defect: String?

    /// Itself: a class that has subclasses has a plan of this type.
    public var blueprint: PlanBlueprint { self }

    var make: ((_ storage: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Void)? { storage?.make }

    init<Model, Memory>(
        of model: Model.Type, _ declared: [Field<Memory>], _ options: PlanOptions,
        storage: StorageFunctions? = nil, superclass: (plan: PlanBlueprint, offset: Int?)? = nil
    ) {
        self.model = ObjectIdentifier(model)
        modelName = String(describing: model)
        self.options = options
        self.storage = storage
        union = nil
        let own = (model as? any JSONHooks.Type).map { [ModelHooks($0)] } ?? []
        // A subclass conforms by its superclass; what it overrides is called all the same.
        hooks = superclass.map { $0.plan.hooks.isEmpty ? own : $0.plan.hooks } ?? own
        valueHook = (model as? any JSONValueHook.Type).map { hook in
            { try hook.transform($0, for: $1) }
        }
        size = MemoryLayout<Memory>.size
        alignment = MemoryLayout<Memory>.alignment
        var fields = declared.map(\.declared)
        var defect: String?
        for field in fields where field.offset == nil {
            defect =
                defect ?? "'\(field.name)' has no memory of its own (it is computed, lazy, observed or of a class)"
        }
        var covered = fields.filter { $0.typeSize > 0 }.compactMap(\.offset)
        if let superclass {
            defect = defect ?? superclass.plan.defect
            guard let offset = superclass.offset else {
                preconditionFailure("the superclass's storage has no place in that of \(modelName)")
            }
            covered.append(offset)
            // A superclass's own strategy holds for its own fields.
            fields =
                superclass.plan.fields.map { $0.moved(by: offset, resolvedBy: superclass.plan.options) } + fields
        }
        self.defect = defect ?? Self.uncovered(Memory.self, Set(covered))
        self.fields = fields
    }

    init<Model>(
        of model: Model.Type, cases: [DeclaredCase], tagging: JSONTagging, fallback: String?,
        _ options: PlanOptions
    ) {
        self.model = ObjectIdentifier(model)
        modelName = String(describing: model)
        self.options = options
        storage = nil
        hooks = (model as? any JSONHooks.Type).map { [ModelHooks($0)] } ?? []
        valueHook = nil
        fields = []
        size = MemoryLayout<Model>.size
        alignment = MemoryLayout<Model>.alignment
        let fallbackCase = fallback.flatMap { name in cases.firstIndex { $0.name == name } }
        union = DeclaredUnion(of: model, cases: cases, tagging: tagging, fallback: fallbackCase)
        defect =
            fallback != nil && fallbackCase == nil
            ? "its fallback '\(fallback!)' is none of its cases" : cases.isEmpty ? "it has no cases" : nil
    }

    /// The plan of the storage itself, without the model that is made of it.
    func ofStorage<Storage>(_ type: Storage.Type) -> PlanBlueprint { PlanBlueprint(storageOf: self, type) }

    private init<Storage>(storageOf plan: PlanBlueprint, _ type: Storage.Type) {
        model = ObjectIdentifier(type)
        modelName = plan.modelName
        fields = plan.fields
        options = plan.options
        union = nil
        storage = nil
        hooks = []
        valueHook = plan.valueHook
        size = plan.size
        alignment = plan.alignment
        let fits = MemoryLayout<Storage>.size == plan.size && plan.union == nil
        defect = plan.defect ?? (fits ? nil : "\(type) is not the storage that it is filled through")
    }

    /// The same plan with more hooks.
    init(
        _ other: PlanBlueprint, adding hooks: ModelHooks?, valueHook: ((JSONValue?, String) throws -> JSONValue?)?
    ) {
        (model, modelName, fields, options) = (other.model, other.modelName, other.fields, other.options)
        (union, storage, size, alignment) = (other.union, other.storage, other.size, other.alignment)
        defect = other.defect
        self.hooks = other.hooks + (hooks.map { [$0] } ?? [])
        self.valueHook = valueHook ?? other.valueHook
    }

    /// A stored property of a struct that no field names would be left as garbage: found by the runtime's list of
    /// the type's properties, and refused.
    private static func uncovered<Memory>(_ type: Memory.Type, _ covered: Set<Int>) -> String? {
        guard !(type is AnyClass) else {
            return "a class is filled through its storage: ModelPlan(storage:_:make:)"
        }
        var missing: String?
        // Where an empty property lies, another may lie too.
        _ = _forEachField(of: type) { name, offset, fieldType, _ in
            func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
            if !covered.contains(offset), _openExistential(fieldType, do: size) > 0, missing == nil {
                missing = "no field names the stored property '\(String(cString: name))'"
            }
            return true
        }
        return missing
    }
}

/// An enum with values, as it was declared.
struct DeclaredUnion {
    let cases: [DeclaredCase]
    let tagging: JSONTagging
    /// The case that stands for every unknown one.
    let fallback: Int?
    let size: Int
    let alignment: Int
    /// Copies a value to memory that is not initialised.
    let copy: (_ value: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    let destroy: (UnsafeMutableRawPointer) -> Void

    init<Model>(of _: Model.Type, cases: [DeclaredCase], tagging: JSONTagging, fallback: Int?) {
        self.cases = cases
        self.tagging = tagging
        self.fallback = fallback
        size = MemoryLayout<Model>.size
        alignment = MemoryLayout<Model>.alignment
        copy = { $1.initializeMemory(as: Model.self, to: $0.assumingMemoryBound(to: Model.self).pointee) }
        destroy = { $0.assumingMemoryBound(to: Model.self).deinitialize(count: 1) }
    }
}

extension DeclaredField {
    /// The field as one of a model that has this one's model in it.
    func moved(by distance: Int, resolvedBy options: PlanOptions) -> DeclaredField {
        var field = self
        field.offset = offset.map { $0 + distance }
        if key == nil, let keys = options.keys, role.hasKey {
            field.key = JSONPath([.key(keys.key(for: name))]).description
        }
        field.coercion = coercion ?? options.coercion
        return field
    }
}

extension FieldRole {
    /// Whether it is filled from a key of its own.
    var hasKey: Bool { if case .value = self { true } else { false } }
}
