/// A plan with every option settled: the tables that the driver reads, and the cold facts beside them.
///
/// There is one for each model and `PlanCache`, immutable and alive as long as that is.
final class ResolvedPlan: @unchecked Sendable {
    let erasedPlan: AnyModelPlan
    /// The fields, those of flattened models in the place of these. Their index is their bit.
    let fields: [FieldInfo]
    /// Flattened models, which may lack as a whole.
    let groups: [FieldGroup]
    /// The hooks of flattened models that are always there, the innermost first.
    let flattenedHooks: [(offset: Int, hooks: ModelHooks)]
    /// The flattened enums.
    let flattenedEnums: [FlattenedEnum]
    /// Of a model with flattened enums: the keys of its other fields.
    let ownKeys: Set<String>
    /// Of an enum with values.
    let union: ResolvedUnion?
    let unknownKeys: JSONUnknownKeys
    /// Whether a field has one to be asked for what is missing.
    let hasValueHooks: Bool
    let defect: String?
    /// Never read where there is a defect.
    let table: UnsafePointer<KeyTable>
    private let memory: PlanMemory
    /// How its models are written, made when the first of them is: in declared order, and sorted.
    let writing = EncodingProgramCache()
    /// Which of the properties are wanted; nil for all.
    let filter: PathFilter?

    var modelName: String { erasedPlan.modelName }

    /// - Parameters:
    ///   - filter: which of the properties are wanted; nil for all.
    ///   - record: the settled record of a shape, under a filter.
    init(
        _ erasedPlan: AnyModelPlan, in environment: PlanCache, filter: PathFilter?,
        record: @escaping (JSONShape, PathFilter?) -> UnsafePointer<TypeLayout>
    ) {
        self.erasedPlan = erasedPlan
        self.filter = filter
        memory = PlanMemory()
        var collector = FieldCollector(environment: environment, memory: memory, record: record)
        collector.collect(erasedPlan, at: 0, filter: filter, group: nil)
        fields = collector.fields
        groups = collector.groups
        flattenedHooks = collector.hooks
        ownKeys = collector.enums.isEmpty ? [] : Set(collector.fields.flatMap(\.rootKeys))
        let takesAnyKey = collector.enums.contains { $0.keys.isOpen }
        // A key that no field has may be one of the enum's.
        unknownKeys = takesAnyKey ? .ignore : erasedPlan.options.unknownKeys ?? environment.unknownKeys
        union = erasedPlan.union.map { ResolvedUnion($0, erasedPlan, in: environment, record: record) }
        var builder = TableBuilder(
            fields: fields, size: erasedPlan.size, alignment: erasedPlan.alignment, memory: memory)
        hasValueHooks = fields.contains { $0.hook != nil }
        builder.isSpecial =
            !collector.enums.isEmpty || !groups.isEmpty || !flattenedHooks.isEmpty || !erasedPlan.hooks.isEmpty
            || hasValueHooks
        builder.unknownKeys = unknownKeys
        var tables: [UnsafeMutablePointer<KeyTable>]
        if let union {
            let made = union.table(memory)
            (table, tables) = (UnsafePointer(made), [made])
        } else {
            table = builder.build()
            tables = builder.tables
        }
        let enumsAreDistinct = FlattenedEnum.defect(of: collector.enums, in: collector.fields)
        flattenedEnums = collector.enums.map { field, union, keys in
            FlattenedEnum(
                field: field, entry: builder.entry(ofFlattened: field), tagging: union.tagging, keys: keys)
        }
        defect = erasedPlan.defect ?? collector.defect ?? builder.defect ?? enumsAreDistinct ?? union?.defect
        // Tables point to their plan, which owns their memory.
        for table in tables { table.pointee.plan = .passUnretained(self) }
    }
}

/// What is known of one field, beside its entries in the table.
struct FieldInfo {
    let declared: DeclaredField
    /// The model that declares it, where another has its fields too.
    let modelName: String?
    let offset: Int
    /// Its places in the text, the best first; none where it is not read.
    let paths: [JSONPath]
    /// The path by which `only` and `except` name it.
    let place: JSONPath?
    /// Where it is written, which may be where it is not read.
    let writtenPath: JSONPath?
    let isRequired: Bool
    /// Nil for what is ignored.
    let shape: JSONShape?
    let record: UnsafePointer<TypeLayout>?
    /// Of a container that single values are put into: what these are.
    let element: UnsafePointer<TypeLayout>?
    let makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    let coercion: JSONCoercion?
    /// The flattened model that it is of.
    let group: Int?
    /// Sees the value before it is decoded, see `JSONValueHook`.
    let hook: ((JSONValue?) throws -> JSONValue?)?
    /// Keys that are the field's and are not read, so that they are not unknown.
    let hiddenKeys: [String]

    var name: String { declared.name }
    var destroy: (UnsafeMutableRawPointer) -> Void { declared.destroy }
    var defaultsWhenMissing: Bool {
        makeDefault != nil && (declared.defaultCases.contains(.missing) || paths.isEmpty)
    }
    var defaultsOnNull: Bool { makeDefault != nil && declared.defaultCases.contains(.null) }
    var defaultsOnMismatch: Bool { makeDefault != nil && declared.defaultCases.contains(.mismatch) }
    /// Whether it takes the keys that no other field does.
    var isExtra: Bool { if case .extra = declared.role { declared.isDecoded } else { false } }
    /// Whether it is an enum whose keys lie in the model's own object.
    var isFlattenedEnum: Bool { if case .flattened = declared.role { true } else { false } }
    /// The keys of the model's own object that the field reads.
    fileprivate var rootKeys: [String] {
        paths.compactMap { path in if case .key(let key) = path.components.first { key } else { nil } }
    }
    /// Whether it gathers what lies at several places.
    var gathers: Bool { paths.contains(where: \.selectsSeveral) }
    /// The wildcards of its paths, for messages.
    var wildcards: String { paths.wildcards }
    /// Whether its elements are those of one array, of which each may lack a value.
    var isAligned: Bool {
        guard element?.pointee.isOptional == true, shape?.lendsElements == true else { return false }
        return paths.count == 1 && paths[0].components.count(where: \.isWildcard) == 1
    }
}

/// An optional flattened model: it is nil where none of its fields is there.
struct FieldGroup {
    let name: String
    let offset: Int
    /// The optional's.
    let record: UnsafePointer<TypeLayout>
    let fields: Range<Int>
    /// Those of the models in it, and its own; called where it is there.
    let hooks: [(offset: Int, hooks: ModelHooks)]
}

/// Memory of a plan's tables.
final class PlanMemory {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var shapes: [JSONShape] = []

    func keep(_ shape: JSONShape) { shapes.append(shape) }

    func allocate<T>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
        let made = UnsafeMutablePointer<T>.allocate(capacity: max(count, 1))
        blocks.append(UnsafeMutableRawPointer(made))
        return made
    }

    func allocateRaw(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let made = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: alignment)
        blocks.append(made)
        return made
    }

    func copy<T>(_ values: some Collection<T>) -> UnsafeMutablePointer<T> {
        let made = allocate(T.self, values.count)
        _ = UnsafeMutableBufferPointer(start: made, count: values.count).initialize(from: values)
        return made
    }

    // What lies in it is plain data.
    deinit { for block in blocks { block.deallocate() } }
}

/// Gathers a model's fields, those of flattened models in their places.
private struct FieldCollector {
    let environment: PlanCache
    let memory: PlanMemory
    let record: (JSONShape, PathFilter?) -> UnsafePointer<TypeLayout>
    var fields: [FieldInfo] = []
    var groups: [FieldGroup] = []
    var hooks: [(offset: Int, hooks: ModelHooks)] = []
    var enums: [(field: Int, union: DeclaredUnion, keys: MemberKeys)] = []
    var defect: String?

    init(
        environment: PlanCache, memory: PlanMemory,
        record: @escaping (JSONShape, PathFilter?) -> UnsafePointer<TypeLayout>
    ) {
        self.environment = environment
        self.memory = memory
        self.record = record
    }

    mutating func collect(_ plan: AnyModelPlan, at base: Int, filter: PathFilter?, group: Int?) {
        let keys = plan.options.keys ?? environment.keys
        for field in plan.fields {
            guard let offset = field.offset else { continue }
            if case .flattened(let child) = field.role {
                flatten(field, child(), at: base + offset, filter: filter, group: group)
                continue
            }
            var paths = read(field, keys)
            var written = written(field, keys)
            let hidden = field.role.hasKey ? self.paths(field, keys) : []
            var filters: PathFilter?
            let place = paths.first ?? written
            if let filter {
                let kept = place.map { filter.below($0) } ?? .nothing
                switch kept {
                case .nothing: (paths, written) = ([], nil)
                case .everything: filters = nil
                case .some(let inner): filters = inner
                }
            }
            add(
                field, at: base + offset, paths, place: place, written: written,
                hidden: paths.isEmpty ? hidden : [], filters,
                plan,
                base: base, group)
        }
    }

    private mutating func read(_ field: DeclaredField, _ keys: JSONKeyStrategy) -> [JSONPath] {
        guard field.role.hasKey, field.isDecoded else { return [] }
        return paths(field, keys)
    }

    private mutating func written(_ field: DeclaredField, _ keys: JSONKeyStrategy) -> JSONPath? {
        field.role.hasKey && field.isEncoded ? paths(field, keys).first : nil
    }

    private mutating func paths(_ field: DeclaredField, _ keys: JSONKeyStrategy) -> [JSONPath] {
        var paths: [JSONPath] = []
        if field.key == nil { paths.append(JSONPath([.key(keys.key(for: field.name))])) }
        for text in (field.key.map { [$0] } ?? []) + field.candidates {
            do {
                let path = try JSONPath(parsing: text)
                if path.components.isEmpty {
                    defect = defect ?? "'\(field.name)' cannot be filled from the path '\(text)'"
                }
                paths.append(path)
            } catch {
                defect = defect ?? error.description
            }
        }
        return paths
    }

    private mutating func add(
        _ field: DeclaredField, at offset: Int, _ paths: [JSONPath], place: JSONPath?, written: JSONPath?,
        hidden: [JSONPath],
        _ filter: PathFilter?, _ plan: AnyModelPlan, base: Int, _ group: Int?
    ) {
        var settled = field.shape.map { record($0, filter) }
        if field.isLossy, let plain = settled {
            if plain.pointee.kind != .array && plain.pointee.kind != .dictionary {
                defect = defect ?? "'\(field.name)' is no array, set or dictionary, and cannot be lossy"
            }
            let lossy = memory.copy(CollectionOfOne(plain.pointee))
            lossy.pointee.isLossy = true
            if let child = field.shape?.children.first { lossy.pointee.element = record(child, filter) }
            settled = UnsafePointer(lossy)
        }
        var makeDefault = field.makeDefault ?? field.shape?.makeAbsent
        if case .extra = field.role { makeDefault = field.shape?.makeEmpty }
        let isOptional = settled?.pointee.isOptional ?? false
        let isFree = makeDefault != nil && (field.defaultCases.contains(.missing) || !field.isDecoded)
        if !field.isDecoded, !isFree, !isOptional {
            defect = defect ?? "'\(field.name)' is not read and has no default"
        }
        let gathers = paths.contains(where: \.selectsSeveral)
        if gathers { checkGathering(field, paths, settled) }
        var isExtra = false
        if case .extra = field.role { isExtra = true }
        var hook: ((JSONValue?) throws -> JSONValue?)?
        if let own = plan.valueHook, !paths.isEmpty, !gathers { hook = { try own($0, field.name) } }
        fields.append(
            FieldInfo(
                declared: field, modelName: base == 0 && group == nil ? nil : plan.modelName, offset: offset,
                paths: paths, place: place, writtenPath: written,
                isRequired: group == nil && field.shape != nil && !isOptional && !isFree, shape: field.shape,
                record: settled,
                element: gathers || isExtra ? field.shape?.children.first.map { record($0, filter) } : nil,
                makeDefault: makeDefault, coercion: field.coercion ?? plan.options.coercion, group: group,
                hook: hook,
                hiddenKeys: hidden.compactMap { path in
                    if case .key(let key) = path.components.first { key } else { nil }
                }))
    }

    /// What is put into a container one by one can't be taken back where one of them fails.
    private mutating func checkGathering(
        _ field: DeclaredField, _ paths: [JSONPath], _ record: UnsafePointer<TypeLayout>?
    ) {
        if paths.count > 1 {
            defect = defect ?? "'\(field.name)' gathers by \(paths.wildcards), and so has one key only"
        }
        if record?.pointee.kind != .array {
            defect = defect ?? "'\(field.name)' gathers by \(paths.wildcards), and is no array or set"
        }
        if field.defaultCases.contains(.mismatch), field.makeDefault != nil {
            defect =
                defect
                ?? "'\(field.name)' gathers by \(paths.wildcards): what fails can be dropped (lossy), not replaced by a default"
        }
    }

    private mutating func flattenEnum(
        _ field: DeclaredField, _ child: AnyModelPlan, _ union: DeclaredUnion, at offset: Int, isInGroup: Bool
    ) {
        if isInGroup {
            defect = defect ?? "'\(field.name)' is an enum inside of an optional flattened model"
        }
        defect = defect ?? child.defect.map { "\(child.modelName): \($0)" }
        let settled = record(field.shape!, nil)
        let keys = MemberKeys(of: child, keys: environment.keys)
        enums.append((fields.count, union, keys))
        fields.append(
            FieldInfo(
                declared: field, modelName: nil, offset: offset, paths: [], place: nil, writtenPath: nil,
                isRequired: !settled.pointee.isOptional, shape: field.shape, record: settled, element: nil,
                makeDefault: nil, coercion: nil, group: nil, hook: nil, hiddenKeys: keys.names.sorted()))
    }

    private mutating func flatten(
        _ field: DeclaredField, _ child: AnyModelPlan, at offset: Int, filter: PathFilter?, group: Int?
    ) {
        if let union = child.union {
            return flattenEnum(field, child, union, at: offset, isInGroup: group != nil)
        }
        guard child.storage == nil else {
            defect =
                defect ?? "'\(field.name)' is flattened, and \(child.modelName) is not a struct filled in place"
            return
        }
        if child.model != field.shape?.model {
            defect = defect ?? "'\(field.name)' is flattened, and the plan of its type is of another type"
            return
        }
        defect = defect ?? child.defect.map { "\(child.modelName): \($0)" }
        let settled = record(field.shape!, nil)
        let first = fields.count
        var inner = group
        if settled.pointee.isOptional {
            if group != nil {
                defect = defect ?? "'\(field.name)' is optional inside of an optional flattened model"
            }
            inner = groups.count
            groups.append(
                FieldGroup(name: field.name, offset: offset, record: settled, fields: first..<first, hooks: []))
        }
        let outer = hooks.count
        collect(child, at: offset, filter: filter, group: inner)
        // A model's own come after those of the models in it.
        hooks += child.hooks.map { (offset, $0) }
        if let inner, group == nil {
            groups[inner] = FieldGroup(
                name: field.name, offset: offset, record: settled, fields: first..<fields.count,
                hooks: Array(hooks[outer...]))
            hooks.removeSubrange(outer...)
        }
    }
}
