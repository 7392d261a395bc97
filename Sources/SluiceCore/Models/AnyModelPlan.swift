// Unchecked because of the generic types that the closures capture. All other captured values are `Sendable`.
/// A model's plan as declared, without the model's type. A resolved plan builds its tables from this one.
@_documentation(visibility: internal)
public final class _AnyModelPlan: @unchecked Sendable, _JSONModelPlan {
    let model: ObjectIdentifier
    /// The type that messages name. Its name is made when a message needs it: the search takes longer than decoding a small document.
    let namedModel: Any.Type
    var modelName: String { ErrorText.name(of: namedModel) }
    /// The type whose memory the fields fill: the model or its storage.
    let memory: ObjectIdentifier
    package let fields: [DeclaredField]
    package let options: PlanOptions
    /// The cases of an enum with associated values; nil for other models.
    package let union: DeclaredUnion?
    /// The conversions between the model and its storage; nil for a model that is filled in place.
    let storage: StorageFunctions?
    /// The functions called after decoding and before encoding: those of the superclass, of the model's conformances and of the plan, in
    /// this order. Read of complete plans only.
    private(set) var hooks: [ModelHooks] = []
    /// See `JSONValueHook`. Read of complete plans only.
    private(set) var valueHook: ValueHook?
    typealias ValueHook = (JSONValue?, String) throws -> JSONValue?
    private let addedHooks: [ModelHooks]
    private let addedValueHook: ValueHook?
    private let conformances: () -> HookConformances
    private let superclass: _AnyModelPlan?
    /// The texts of the model for schemas; nil for a model without texts.
    private let ownDescriptions: ModelDescriptions?
    /// Whether the hooks are set. The lock guards them.
    private let isComplete = Lock(false)
    let size: Int
    let alignment: Int
    /// Whether the memory can be moved as bytes.
    let isBitwiseTakable: Bool
    /// The reason why the plan is unusable, or nil. ``ResolvedPlan`` may find further defects.
    let defect: String?

    /// The plan itself: a class with subclasses declares a plan of this type.
    public var _erased: _AnyModelPlan { self }

    init<Model, Memory>(
        of model: Model.Type, _ declared: [JSONField<Memory>], _ options: PlanOptions,
        storage: StorageFunctions? = nil, superclass: SuperclassStorage? = nil
    ) {
        self.model = ObjectIdentifier(model)
        namedModel = model
        memory = ObjectIdentifier(Memory.self)
        var options = options
        // The other options are those of properties, and this one is that of objects.
        options.unknownKeys = options.unknownKeys ?? superclass?.plan.options.unknownKeys
        self.options = options
        self.storage = storage
        union = nil
        (addedHooks, addedValueHook) = ([], nil)
        conformances = { HookConformances(casting: model) }
        ownDescriptions = nil
        self.superclass = superclass?.plan
        size = MemoryLayout<Memory>.size
        alignment = MemoryLayout<Memory>.alignment
        isBitwiseTakable = _isBitwiseTakable(Memory.self)
        var fields = declared.map { $0.declared }
        // The runtime lists the properties of structs and tuples only.
        let properties =
            StoredProperty.isAggregate(Memory.self) ? StoredProperty.all(of: Memory.self, includesEmpty: true) : nil
        for index in fields.indices { fields[index].nameProperty(among: properties ?? []) }
        if options.defaultCases != [.missing, .null] {
            for index in fields.indices { fields[index].useDefault(on: options.defaultCases) }
        }
        var parts = fields.compactMap { field in
            field.offset.map { PlanCoverage.Part(name: field.name, bytes: $0..<$0 + field.size) }
        }
        var defect: String?
        for index in fields.indices where fields[index].offset == nil {
            fields[index].nameUnfilled(in: Memory.self, besides: parts)
            defect =
                defect ?? "'\(fields[index].name)' has no memory of its own "
                + "(it is computed, lazy, observed, weak, unowned, a closure or of a class)"
        }
        for field in fields where field.type == Memory.self && field.offset != nil {
            defect = defect ?? "a field names \(Memory.self) itself, and none of its properties"
        }
        if let superclass {
            defect = defect ?? superclass.defect
            if let offset = superclass.offset {
                parts.append(.init(name: superclass.name, bytes: offset..<offset + superclass.size))
                let plan = superclass.plan
                fields = plan.fields.map { $0.moved(by: offset, from: plan) } + fields
            }
        }
        self.defect = defect ?? PlanCoverage.defect(of: Memory.self, parts, properties)
        self.fields = fields
    }

    /// Returns the plan, to which the hooks of the model's conformances are added on the first call.
    public func _complete() -> _AnyModelPlan {
        isComplete.withLock { isComplete in
            if isComplete { return }
            isComplete = true
            let own = conformances()
            // A subclass inherits a conformance, and the methods that the plan of the superclass calls. Dynamic dispatch calls its overrides.
            // The conformance of a class may have hooks that the superclass lacks.
            let base = superclass?._complete()
            let inherited = base?.hooks ?? []
            let others = inherited + addedHooks.filter(\.areMethods)
            hooks = inherited + (own.hooks.map { [ModelHooks($0).besides(others)] } ?? []) + addedHooks
            valueHook = addedValueHook ?? (union == nil ? own.transform : nil) ?? base?.valueHook
        }
        return self
    }

    init<Model>(
        of model: Model.Type, cases: [DeclaredCase], tagging: JSONTagging, fallback: String?,
        _ options: PlanOptions
    ) {
        self.model = ObjectIdentifier(model)
        namedModel = model
        memory = ObjectIdentifier(model)
        self.options = options
        storage = nil
        (addedHooks, addedValueHook) = ([], nil)
        conformances = { HookConformances(casting: model) }
        (superclass, ownDescriptions) = (nil, nil)
        fields = []
        size = MemoryLayout<Model>.size
        alignment = MemoryLayout<Model>.alignment
        isBitwiseTakable = _isBitwiseTakable(Model.self)
        let fallbackCase = fallback.flatMap { name in cases.firstIndex { $0.name == name } }
        union = DeclaredUnion(of: model, cases: cases, tagging: tagging, fallback: fallbackCase)
        defect =
            fallback != nil && fallbackCase == nil
            ? "its fallback '\(fallback!)' is not one of its cases" : cases.isEmpty ? "it has no cases" : nil
    }

    /// Returns a plan of the storage alone, which does not make the model.
    ///
    /// - Parameter type: The type that represents the storage. Its memory layout must be that of the storage.
    func ofStorage<Storage, Wrapper>(_ storage: Storage.Type, as type: Wrapper.Type) -> _AnyModelPlan {
        _AnyModelPlan(storageOf: self, storage, as: type)
    }

    private init<Storage, Wrapper>(storageOf plan: _AnyModelPlan, _ storage: Storage.Type, as type: Wrapper.Type) {
        model = ObjectIdentifier(type)
        namedModel = plan.namedModel
        memory = plan.memory
        fields = plan.fields
        options = plan.options
        union = nil
        self.storage = nil
        (addedHooks, addedValueHook) = ([], plan.valueHook)
        conformances = { HookConformances(hooks: nil, valueHook: nil) }
        (superclass, ownDescriptions) = (nil, plan.ownDescriptions)
        size = plan.size
        alignment = plan.alignment
        isBitwiseTakable = plan.isBitwiseTakable
        let fits = ObjectIdentifier(storage) == plan.memory && plan.union == nil
        defect = plan.defect ?? (fits ? nil : "\(storage) is not the storage type of the plan")
    }

    /// Creates a copy of a plan with additional hooks, or with a defect if the plan has none of its own.
    ///
    /// - Parameters:
    ///   - conformances: The model's conformances, if they are known.
    ///   - descriptions: The texts of the model for schemas.
    ///   - projection: The function that moves the payload out of an enum.
    init(
        _ other: _AnyModelPlan, adding hooks: ModelHooks? = nil, valueHook: ValueHook? = nil,
        conformances: HookConformances? = nil, defect: String? = nil, descriptions: ModelDescriptions? = nil,
        projection: EnumProjection? = nil
    ) {
        (model, namedModel, memory) = (other.model, other.namedModel, other.memory)
        (fields, options) = (other.fields, other.options)
        (storage, size, alignment) = (other.storage, other.size, other.alignment)
        isBitwiseTakable = other.isBitwiseTakable
        var union = other.union
        if let projection { union?.projection = projection }
        self.union = union
        self.defect = other.defect ?? defect
        addedHooks = other.addedHooks + (hooks.map { [$0] } ?? [])
        addedValueHook = valueHook ?? other.addedValueHook
        self.conformances = conformances.map { known in { known } } ?? other.conformances
        superclass = other.superclass
        ownDescriptions = descriptions ?? other.ownDescriptions
    }

    /// The descriptions of the plan, followed by those of the plans of its superclasses.
    package var descriptions: [ModelDescriptions] {
        (ownDescriptions.map { [$0] } ?? []) + (superclass?.descriptions ?? [])
    }

    /// The description of the model; nil if none is known.
    package var modelDescription: String? { ownDescriptions?.model() }
}

/// The texts of a model and of its properties or cases, made when a schema is requested.
package struct ModelDescriptions {
    let model: @Sendable () -> String?
    /// The texts by name of property or case.
    package let members: @Sendable () -> [String: String]
}

/// The storage of a superclass, as a part of the storage of a subclass.
struct SuperclassStorage {
    let plan: _AnyModelPlan
    let name: String
    /// The offset of the superclass's storage; nil if the key path does not name a stored property.
    let offset: Int?
    let size: Int
    /// The reason why the superclass's plan cannot fill the storage, or nil.
    let defect: String?

    init<Storage, Base>(_ plan: _AnyModelPlan, at base: KeyPath<Storage, Base>) {
        self.plan = plan
        name = DeclaredField.name(of: base) ?? "the superclass's storage"
        offset = MemoryLayout<Storage>.offset(of: base)
        size = MemoryLayout<Base>.size
        if let defect = plan.defect {
            self.defect = defect
        } else if offset == nil {
            defect = "the superclass's storage is not a property of \(Storage.self)"
        } else if plan.memory != ObjectIdentifier(Base.self) || plan.union != nil {
            defect = "\(Base.self) is not the storage that \(plan.modelName) is filled through"
        } else {
            defect = nil
        }
    }
}

/// An enum with associated values, as declared.
package struct DeclaredUnion {
    let cases: [DeclaredCase]
    let tagging: JSONTagging
    /// The index of the case that represents unknown cases.
    let fallback: Int?
    let size: Int
    let alignment: Int
    /// Copies a value to uninitialized memory.
    let copy: (_ value: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) -> Void
    let destroy: (UnsafeMutableRawPointer) -> Void
    /// The function that moves the payload out of a value; nil for a plan by hand.
    var projection: EnumProjection?

    /// Whether the name of a case selects the case. A fallback with a value represents all unknown names, and its own name is one
    /// of them: the name in the JSON is then part of the value.
    package func hasName(_ index: Int) -> Bool {
        index != fallback || cases[index].payload == nil || tagging == .untagged
    }

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
    /// Sets the name of a field that was given none.
    ///
    /// - Parameter properties: The stored properties of the memory. Their list is read faster than a key path is printed.
    fileprivate mutating func nameProperty(among properties: [StoredProperty]) {
        guard let keyPath = unnamedKeyPath else { return }
        let property = offset.flatMap { offset in
            properties.first { $0.bytes.lowerBound == offset && $0.type == type }
        }
        guard let known = property?.name ?? Self.name(of: keyPath) else { return }
        (name, unnamedKeyPath) = (known, nil)
    }

    /// Sets the name of a field whose key path does not contain the property's name.
    fileprivate mutating func nameUnfilled<Memory>(in memory: Memory.Type, besides parts: [PlanCoverage.Part]) {
        guard unnamedKeyPath != nil else { return }
        name =
            PlanCoverage.unfilledProperty(type, of: memory, besides: parts, isWritable: isWritable) ?? key ?? name
    }

    /// Returns the field of a superclass as a field of its subclass.
    func moved(by distance: Int, from superclass: _AnyModelPlan) -> DeclaredField {
        var field = self
        field.offset = offset.map { $0 + distance }
        field.inheritedOptions = options(in: superclass)
        return field
    }

    /// The options of the class that declares the field, in the plan of the class or of a subclass.
    func options(in plan: _AnyModelPlan) -> PlanOptions { inheritedOptions ?? plan.options }
}

extension FieldRole {
    /// Whether the field is filled from a key of its own.
    var hasKey: Bool { if case .value = self { true } else { false } }
}
