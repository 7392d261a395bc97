/// A plan with all options applied: the tables that the driver reads, and rarely used data.
///
/// A `PlanCache` has one resolved plan for each model and filter. The plan is immutable and lives as long as its cache.
package final class ResolvedPlan: @unchecked Sendable {
    package let erasedPlan: _AnyModelPlan
    /// The conversions between the model and its storage, which the declared plan retains; nil for a model that is filled in place.
    let storageFunctions: Unmanaged<StorageFunctions>?
    /// The fields, with those of flattened models in their order. The index of a field is that of its presence bit.
    package let fields: [FieldInfo]
    /// Flattened models that may be absent as a whole.
    package let groups: [FieldGroup]
    /// The hooks of flattened models that are always present, the innermost first.
    let flattenedHooks: [(offset: Int, hooks: ModelHooks)]
    /// The functions that are called before encoding; nil without any.
    private let encodingHooks: EncodingHooks?
    /// The flattened enums.
    package let flattenedEnums: [FlattenedEnum]
    /// The keys of the other fields of a model with flattened enums.
    let ownKeys: Set<MemberName>
    /// The cases of an enum with associated values; nil for other models.
    package let union: ResolvedUnion?
    package let unknownKeys: JSONUnknownKeys
    /// Whether the model has flattened enums, models that may be absent, or flattened models with hooks.
    let hasParts: Bool
    /// Whether a field has a value hook, which is also called for a missing value.
    let hasValueHooks: Bool
    /// The presence bits of the first 64 fields that are decoded.
    let readBits: UInt64
    /// Whether a model is complete when all fields that are decoded are present.
    let endsEarly: Bool
    let defect: String?
    /// The table of the model's keys. Never read if the plan has a defect.
    let table: TableReference
    /// The table for keys of flattened enums that no case reads. Nil if such keys are ignored.
    let restTable: TableReference?
    private let memory: PlanMemory
    /// The plans of the model together with single cases of its flattened enum. See `JoinedCase`.
    private var joinedPlans: [ResolvedPlan] = []
    /// The programs that encode the models, built when first needed: in declared and in sorted order.
    let writing = EncodingProgramCache()
    /// The selected properties; nil for all.
    let filter: PathFilter?

    package var modelName: String { erasedPlan.modelName }

    /// Whether a model is made from its fields alone, and nothing else happens at its end.
    package var isPlain: Bool { union == nil && !hasParts && !hasValueHooks && erasedPlan.hooks.isEmpty }

    /// - Parameters:
    ///   - filter: The selected properties; nil for all.
    ///   - record: Returns the resolved layout of a shape under a filter.
    init(
        _ erasedPlan: _AnyModelPlan, in planCache: PlanCache, filter: PathFilter?,
        layout: @escaping (JSONShape, PathFilter?) -> LayoutReference
    ) {
        self.erasedPlan = erasedPlan
        storageFunctions = erasedPlan.storage.map { .passUnretained($0) }
        self.filter = filter
        memory = PlanMemory()
        var collector = FieldCollector(planCache: planCache, memory: memory, layout: layout)
        collector.collect(erasedPlan, at: 0, filter: filter, group: nil)
        fields = collector.fields
        groups = collector.groups
        flattenedHooks = collector.hooks
        encodingHooks = EncodingHooks(erasedPlan.hooks, collector.hooks, collector.groups)
        ownKeys = collector.enums.isEmpty ? [] : Set(collector.fields.flatMap(\.ownKeys).map { MemberName($0) })
        let acceptsAnyKey = collector.enums.contains { $0.keys.isOpen }
        // A key without a field may be one of the enum's keys.
        unknownKeys = acceptsAnyKey ? .ignore : erasedPlan.options.unknownKeys ?? planCache.unknownKeys
        union = erasedPlan.union.map { ResolvedUnion($0, erasedPlan, in: planCache, layout: layout) }
        var builder = TableBuilder(
            fields: fields, size: erasedPlan.size, alignment: erasedPlan.alignment, memory: memory)
        hasParts = !collector.enums.isEmpty || !groups.isEmpty || !flattenedHooks.isEmpty
        hasValueHooks = fields.contains { $0.hook != nil }
        readBits = fields.prefix(64).enumerated().reduce(0) { bits, field in
            field.element.isRead ? bits | 1 << UInt64(field.offset) : bits
        }
        endsEarly = collector.enums.isEmpty && !hasValueHooks && !fields.contains(where: \.isExtra)
        builder.isSpecial = hasParts || !erasedPlan.hooks.isEmpty || hasValueHooks
        builder.encodingHooks = encodingHooks.map { .passUnretained($0) }
        builder.unknownKeys = unknownKeys
        var tables: [UnsafeMutablePointer<KeyTable>]
        if let union {
            let unionTable = union.table(of: erasedPlan, memory)
            unionTable.pointee.encodingHooks = encodingHooks.map { .passUnretained($0) }
            (table, tables) = (TableReference(unionTable), [unionTable])
        } else {
            table = builder.build()
            tables = builder.tables
        }
        let enumsAreDistinct = FlattenedEnum.defect(of: collector.enums, in: collector.fields)
        let written = collector.fields.compactMap { $0.writtenPath?.components.first }
        let hasExtra = collector.fields.contains { if case .extra = $0.declared.role { true } else { false } }
        flattenedEnums = collector.enums.map { field, union, keys in
            FlattenedEnum(
                field: field, entry: builder.entry(ofFlattened: field), tagging: union.tagging, keys: keys,
                isDistinct: !keys.isOpen && !hasExtra
                    && !written.contains {
                        if case .key(let key) = $0 { keys.names.contains(MemberName(key)) } else { true }
                    })
        }
        defect = erasedPlan.defect ?? collector.defect ?? builder.defect ?? enumsAreDistinct ?? union?.defect
        if !flattenedEnums.isEmpty, unknownKeys != .ignore || fields.contains(where: \.isExtra) {
            let rest = memory.copy(CollectionOfOne(KeyTable(table.pointer.pointee, withoutEntriesIn: memory)))
            restTable = TableReference(rest)
            tables.append(rest)
        } else {
            restTable = nil
        }
        // Tables refer to their plan, which owns their memory.
        for table in tables { table.pointee.unretainedPlan = .passUnretained(self) }
    }

    /// Completes the plan, once all plans that can be reached are made.
    func resolve() {
        union?.resolve(memory)
        guard flattenedEnums.count == 1, !hasValueHooks, unknownKeys == .ignore, !flattenedEnums[0].keys.isOpen,
            let plan = flattenedEnums[0].entry.layout.table?.plan, let union = plan.union,
            case .internal = union.tagging, union.fallback == nil, plan.unknownKeys == .ignore,
            union.cases.allSatisfy({ $0.layout?.table?.plan?.unknownKeys ?? .ignore == .ignore })
        else { return }
        UnsafeMutablePointer(mutating: table.pointer).pointee.enumInPlace = flattenedEnums[0].entry
    }

    // MARK: A model together with a case of its flattened enum

    /// The greatest number of cases for which tables are made.
    private static var maximumJoinedCount: Int { 64 }

    /// Makes tables for the cases of the flattened enum whose members can be read together with those of the model. The driver compares one word
    /// of presence bits at the end of such an object.
    func joinCases() {
        guard let entry = table.enumInPlace, let union = entry.layout.union,
            union.count <= Self.maximumJoinedCount, fields.count <= 64,
            erasedPlan.storage != nil || erasedPlan.isBitwiseTakable
        else { return }
        let plans = (0..<union.count).map { ResolvedPlan(self, with: $0, of: union) }
        joinedPlans = plans.compactMap(\.self)
        guard !joinedPlans.isEmpty else { return }
        UnsafeMutablePointer(mutating: table.pointer).pointee.joinedTables = UnsafePointer(
            memory.copy(plans.map { $0?.table }))
    }

    /// Creates the plan of a model and a case of its flattened enum, whose members are read together. Returns nil for a case whose payload is
    /// no plain model, or reads a key that the model reads, too.
    private init?(_ model: ResolvedPlan, with index: Int, of cases: UnionReference) {
        let enumField = model.flattenedEnums[0].field
        guard let tag = cases.resolved.tagKey else { return nil }
        var keys = model.ownKeys
        var payloadFields: [FieldInfo] = []
        let payload = cases.cases[index].layout
        if let payload {
            guard payload.kind == .model, !payload.hasStorage, !payload.isOptional, let plan = payload.table?.plan,
                plan.isPlainPayload, model.fields.count + plan.fields.count <= 64
            else { return nil }
            // A field without a coercion of its own has that of the decoder.
            if model.erasedPlan.options.coercion != nil, plan.fields.contains(where: { $0.coercion == nil }) {
                return nil
            }
            let payloadKeys = Set(plan.fields.flatMap(\.rootKeys).map { MemberName($0) })
            guard keys.isDisjoint(with: payloadKeys) else { return nil }
            if payloadKeys.contains(MemberName(tag)) {
                guard let property = payload.table?.find(tag), property.disposition == .store(.string),
                    property.presenceBit != 0
                else { return nil }
            }
            keys.formUnion(payloadKeys)
            payloadFields = plan.fields
        }
        let alignmentMask = payload?.alignmentMask ?? 0
        let payloadOffset = (model.erasedPlan.size + alignmentMask) & ~alignmentMask
        var fields = model.fields
        // The keys of other cases are keys like others.
        fields[enumField] = FieldInfo(fields[enumField], hiddenKeys: [])
        fields += payloadFields.map { FieldInfo($0, movedBy: payloadOffset) }
        let memory = PlanMemory()
        var builder = TableBuilder(
            fields: fields, size: payloadOffset + (payload?.size ?? 0),
            alignment: max(model.erasedPlan.alignment, alignmentMask + 1), memory: memory)
        builder.isSpecial = true
        // The tag and the payload are expected at the place of the enum.
        builder.order =
            Array(0...enumField) + Array(model.fields.count..<fields.count)
            + Array(enumField + 1..<model.fields.count)
        if !keys.contains(MemberName(tag)) { builder.passedKey = (tag, enumField) }
        table = builder.build()
        guard builder.defect == nil else { return nil }
        let joined = JoinedCase(
            union: cases, index: index, entry: model.flattenedEnums[0].entry, payloadOffset: payloadOffset,
            enumBit: 1 << UInt64(enumField),
            payloadBits: payloadFields.indices.reduce(0) { $0 | 1 << UInt64(model.fields.count + $1) },
            modelTable: model.table,
            isPlain: model.groups.isEmpty && model.flattenedHooks.isEmpty && model.erasedPlan.hooks.isEmpty
                && model.erasedPlan.storage == nil)
        builder.tables[builder.tables.count - 1].pointee.joined = JoinedCaseReference(
            memory.copy(CollectionOfOne(joined)))
        self.memory = memory
        self.fields = fields
        (erasedPlan, storageFunctions) = (model.erasedPlan, model.storageFunctions)
        (groups, flattenedHooks) = (model.groups, model.flattenedHooks)
        (flattenedEnums, ownKeys, union, encodingHooks) = (model.flattenedEnums, model.ownKeys, nil, nil)
        (unknownKeys, filter, defect, restTable) = (model.unknownKeys, model.filter, nil, nil)
        (hasParts, hasValueHooks, endsEarly, readBits) = (true, false, false, 0)
        for table in builder.tables { table.pointee.unretainedPlan = .passUnretained(self) }
    }

    /// Whether a value of the model is complete when its fields are.
    private var isPlainPayload: Bool {
        union == nil && !hasParts && !hasValueHooks && erasedPlan.hooks.isEmpty
            && !fields.contains(where: \.isExtra)
    }
}

/// The description of a field, besides its entries in the key table. An object, because a copy of its properties takes longer than most
/// uses.
package final class FieldInfo {
    package let declared: DeclaredField
    /// The model that declares the field: the plan's model or a flattened one; nil for a flattened enum.
    let model: Any.Type?
    package let offset: Int
    /// The paths of the field in the JSON, the preferred one first; empty if the field is not decoded.
    package let paths: [JSONPath]
    /// The path that selects the field in `only` and `except`.
    package let keyPath: JSONPath?
    /// The path that is written, even if the field is not decoded.
    package let writtenPath: JSONPath?
    package let isRequired: Bool
    /// Nil for an ignored field.
    let shape: JSONShape?
    package let layout: LayoutReference?
    /// The layout of the elements that are added to the field's container one by one; nil for other fields.
    package let element: LayoutReference?
    package let makeDefault: ((UnsafeMutableRawPointer) -> Void)?
    package let coercion: JSONCoercion?
    /// The index of the optional flattened model that contains the field.
    package let group: Int?
    /// The hook that receives the value before decoding. See `JSONValueHook`.
    let hook: ((JSONValue?) throws -> JSONValue?)?
    /// The keys of a field that is not decoded, which are not unknown keys.
    package let hiddenKeys: [String]

    init(
        declared: DeclaredField,
        model: Any.Type?,
        offset: Int,
        paths: [JSONPath],
        keyPath: JSONPath?,
        writtenPath: JSONPath?,
        isRequired: Bool,
        shape: JSONShape?,
        layout: LayoutReference?,
        element: LayoutReference?,
        makeDefault: ((UnsafeMutableRawPointer) -> Void)?,
        coercion: JSONCoercion?,
        group: Int?,
        hook: ((JSONValue?) throws -> JSONValue?)?,
        hiddenKeys: [String]
    ) {
        self.declared = declared
        self.model = model
        self.offset = offset
        self.paths = paths
        self.keyPath = keyPath
        self.writtenPath = writtenPath
        self.isRequired = isRequired
        self.shape = shape
        self.layout = layout
        self.element = element
        self.makeDefault = makeDefault
        self.coercion = coercion
        self.group = group
        self.hook = hook
        self.hiddenKeys = hiddenKeys
    }

    /// Creates the description of a field in other memory, or with other hidden keys.
    convenience init(_ other: FieldInfo, movedBy distance: Int = 0, hiddenKeys: [String]? = nil) {
        self.init(
            declared: other.declared, model: other.model, offset: other.offset + distance, paths: other.paths,
            keyPath: other.keyPath, writtenPath: other.writtenPath, isRequired: other.isRequired,
            shape: other.shape,
            layout: other.layout, element: other.element, makeDefault: other.makeDefault, coercion: other.coercion,
            group: other.group, hook: other.hook, hiddenKeys: hiddenKeys ?? other.hiddenKeys)
    }

    package var name: String { declared.name }
    package var modelName: String? { model.map { ErrorText.name(of: $0) } }
    package var destroy: (UnsafeMutableRawPointer) -> Void { declared.destroy }
    package var defaultsWhenMissing: Bool {
        makeDefault != nil && (declared.defaultCases.contains(.missing) || paths.isEmpty)
    }
    package var defaultsOnNull: Bool { makeDefault != nil && declared.defaultCases.contains(.null) }
    package var defaultsOnMismatch: Bool { makeDefault != nil && declared.defaultCases.contains(.mismatch) }
    /// Whether the field collects the members that no other field reads.
    package var isExtra: Bool { if case .extra = declared.role { declared.isDecoded } else { false } }
    /// Whether the field is an enum whose keys are members of the model's own object.
    var isFlattenedEnum: Bool { if case .flattened = declared.role { true } else { false } }
    /// The keys of the model's own object that the field reads.
    fileprivate var rootKeys: [String] {
        paths.compactMap { path in if case .key(let key) = path.components.first { key } else { nil } }
    }
    /// The same keys, and those of a field that is not decoded. The keys of a flattened enum are not the model's.
    var ownKeys: [String] { isFlattenedEnum ? [] : rootKeys + hiddenKeys }
    /// Whether the field collects the values of several locations.
    package var collects: Bool { paths.contains(where: \.selectsSeveral) }
    /// The wildcards of the field's paths, for messages.
    var wildcards: String { paths.wildcards }
    /// Whether the field has one element for each value that its last wildcard selects, so that each value may lack the key.
    var isAligned: Bool { collects && element?.isOptional == true && shape?.borrowsElements == true }
}

/// An optional flattened model, which is nil if none of its fields is present.
package struct FieldGroup {
    let name: String
    let offset: Int
    /// The layout of the optional.
    let layout: LayoutReference
    package let fields: Range<Int>
    /// The hooks of the models inside, and the model's own. They are called if the model is present.
    let hooks: [(offset: Int, hooks: ModelHooks)]

    /// Whether the flattened model of the model at an address is nil.
    func isNil(in base: UnsafeRawPointer) -> Bool { layout.presence(base + offset) != .value }
}

/// The memory of a plan's tables, freed with the plan.
final class PlanMemory {
    // The slabs hold plain data, which needs no deinitialization.
    private var slabs = SlabList()
    private var objects: [AnyObject] = []

    /// Keeps an object, to which plain data refers.
    func keep<Object: AnyObject>(_ object: Object) -> Unmanaged<Object> {
        objects.append(object)
        return .passUnretained(object)
    }

    func allocate<T>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
        allocateRaw(count * MemoryLayout<T>.stride, alignment: MemoryLayout<T>.alignment)
            .bindMemory(to: T.self, capacity: count)
    }

    func allocateRaw(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        slabs.append(size: size, alignment: alignment)
    }

    /// Copies a text, after which as many bytes can be read as `OutputBuffer.prefix` reads.
    func prefix(_ text: String) -> (start: UnsafePointer<UInt8>, count: Int) {
        let bytes = Array(text.utf8)
        return (UnsafePointer(copy(bytes + Array(repeating: 0, count: OutputBuffer.prefixRoom))), bytes.count)
    }

    func copy<T>(_ values: some Collection<T>) -> UnsafeMutablePointer<T> {
        let copies = allocate(T.self, values.count)
        _ = UnsafeMutableBufferPointer(start: copies, count: values.count).initialize(from: values)
        return copies
    }
}

/// Collects the fields of a model, including those of flattened models.
private struct FieldCollector {
    let planCache: PlanCache
    let memory: PlanMemory
    let layout: (JSONShape, PathFilter?) -> LayoutReference
    var fields: [FieldInfo] = []
    var groups: [FieldGroup] = []
    var hooks: [(offset: Int, hooks: ModelHooks)] = []
    var enums: [(field: Int, union: DeclaredUnion, keys: MemberKeys)] = []
    var defect: String?
    /// Whether the fields are those of an optional flattened model that is not read, and therefore nil.
    private var isInUnreadGroup = false

    init(
        planCache: PlanCache, memory: PlanMemory,
        layout: @escaping (JSONShape, PathFilter?) -> LayoutReference
    ) {
        self.planCache = planCache
        self.memory = memory
        self.layout = layout
    }

    /// - Parameter outer: The field of a flattened model, which may be left out in one direction.
    mutating func collect(
        _ plan: _AnyModelPlan, at base: Int, filter: PathFilter?, group: Int?, of outer: DeclaredField? = nil
    ) {
        for declared in planCache.writesNames ? plan.fields.map(\.keyedByName) : plan.fields {
            guard let offset = declared.offset else { continue }
            let keys = declared.options(in: plan).keys ?? planCache.keys
            var field = declared
            if let outer {
                (field.isDecoded, field.isEncoded) = (
                    field.isDecoded && outer.isDecoded, field.isEncoded && outer.isEncoded
                )
            }
            if case .flattened(let child) = field.role {
                flatten(field, child(), at: base + offset, filter: filter, group: group)
                continue
            }
            var paths = read(field, keys)
            var written = written(field, keys)
            let hidden = field.role.hasKey ? self.paths(field, keys) : []
            var filters: PathFilter?
            let keyPath = paths.first ?? written
            if let filter {
                let selection = keyPath.map { filter.below($0) } ?? .nothing
                switch selection {
                case .nothing: (paths, written) = ([], nil)
                case .everything: filters = nil
                case .some(let inner):
                    filters = inner
                    // A value without properties is written as a whole, with the parts that are not selected.
                    if planCache.isEncoding, let shape = field.shape, !planCache.override(for: shape).hasProperties
                    {
                        written = nil
                    }
                }
            }
            add(
                field, at: base + offset, paths, keyPath: keyPath, written: written,
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
        guard field.role.hasKey, field.isEncoded, let path = paths(field, keys).first else { return nil }
        for case .index(let index) in path.components where index > Self.maximumWrittenIndex {
            defect =
                defect
                ?? "'\(field.name)' would be encoded behind \(index) elements that are null: ignore the property for encoding, or use an index up to \(Self.maximumWrittenIndex)"
        }
        return path
    }

    /// The greatest index in the key of an encoded property. The elements before it are written each time.
    private static var maximumWrittenIndex: Int { 99_999 }

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
        _ field: DeclaredField, at offset: Int, _ paths: [JSONPath], keyPath: JSONPath?, written: JSONPath?,
        hidden: [JSONPath],
        _ filter: PathFilter?, _ plan: _AnyModelPlan, base: Int, _ group: Int?
    ) {
        var shape = field.shape
        // A transform that is registered for the dictionary has no place: the pairs are members of the model's object.
        if case .extra = field.role, let own = shape, planCache.isOverridden(own.typeID) {
            shape = JSONShape(fixing: own)
        }
        var resolved = shape.map { layout($0, filter) }
        if field.isLossy, let plain = resolved {
            if plain.kind != .array && plain.kind != .dictionary {
                let reason =
                    field.shape?.readsTokens == true
                    ? "is decoded by the initializer of its type" : "is not an array, set or dictionary"
                defect = defect ?? "'\(field.name)' \(reason), and cannot be lossy"
            }
            let lossy = memory.copy(CollectionOfOne(plain.pointer.pointee))
            lossy.pointee.isLossy = true
            if let child = field.shape?.element { lossy.pointee.element = layout(child, filter) }
            resolved = LayoutReference(lossy)
        }
        var makeDefault = field.makeDefault ?? field.shape?.nullValues?.makeAbsent
        if case .extra = field.role { makeDefault = field.shape.map { shape in { shape.makeEmpty($0) } } }
        let isOptional = resolved?.isOptional ?? false
        let isFree = makeDefault != nil && (field.defaultCases.contains(.missing) || !field.isDecoded)
        if !field.isDecoded, !isFree, !isOptional, !isInUnreadGroup {
            defect = defect ?? "'\(field.name)' is not read and has no default"
        }
        let collects = paths.contains(where: \.selectsSeveral)
        if collects { checkCollecting(field, paths, resolved) }
        var isExtra = false
        if case .extra = field.role { isExtra = true }
        var hook: ((JSONValue?) throws -> JSONValue?)?
        if let own = plan.valueHook, !paths.isEmpty, !collects { hook = { try own($0, field.name) } }
        fields.append(
            FieldInfo(
                declared: field, model: plan.namedModel, offset: offset,
                paths: paths, keyPath: keyPath, writtenPath: written,
                isRequired: group == nil && field.shape != nil && !isOptional && !isFree, shape: field.shape,
                layout: resolved,
                element: collects || isExtra ? field.shape?.element.map { layout($0, filter) } : nil,
                makeDefault: makeDefault, coercion: field.coercion ?? field.options(in: plan).coercion,
                group: group,
                hook: hook,
                hiddenKeys: hidden.compactMap { path in
                    if case .key(let key) = path.components.first { key } else { nil }
                }))
    }

    /// Checks a field that collects values. A value that was added to a container cannot be removed when another one fails.
    private mutating func checkCollecting(
        _ field: DeclaredField, _ paths: [JSONPath], _ layout: LayoutReference?
    ) {
        if paths.count > 1 {
            defect = defect ?? "'\(field.name)' collects values by \(paths.wildcards), and can have only one key"
        }
        if layout?.kind != .array {
            defect = defect ?? "'\(field.name)' collects values by \(paths.wildcards), and is not an array or set"
        }
        if field.defaultCases.contains(.mismatch), field.makeDefault != nil {
            defect =
                defect
                ?? "'\(field.name)' collects values by \(paths.wildcards): failed values can be dropped (lossy), but not replaced by a default"
        }
    }

    private mutating func flattenEnum(
        _ field: DeclaredField, _ child: _AnyModelPlan, _ union: DeclaredUnion, at offset: Int, isInGroup: Bool
    ) {
        if isInGroup {
            defect = defect ?? "'\(field.name)' is an enum inside of an optional flattened model"
        }
        if !field.isDecoded || !field.isEncoded {
            defect = defect ?? "'\(field.name)' is a flattened enum, which cannot be ignored in one direction"
        }
        defect = defect ?? child.defect.map { "\(child.modelName): \($0)" }
        let resolved = layout(field.shape!, nil)
        let keys = MemberKeys(of: child, keys: planCache.keys)
        enums.append((fields.count, union, keys))
        fields.append(
            FieldInfo(
                declared: field, model: nil, offset: offset, paths: [], keyPath: nil, writtenPath: nil,
                isRequired: !resolved.isOptional, shape: field.shape, layout: resolved, element: nil,
                makeDefault: nil, coercion: nil, group: nil, hook: nil, hiddenKeys: keys.names.map(\.text).sorted())
        )
    }

    private mutating func flatten(
        _ field: DeclaredField, _ child: _AnyModelPlan, at offset: Int, filter: PathFilter?, group: Int?
    ) {
        if let union = child.union {
            return flattenEnum(field, child, union, at: offset, isInGroup: group != nil)
        }
        guard child.storage == nil else {
            defect =
                defect ?? "'\(field.name)' is flattened, and \(child.modelName) is not a struct filled in place"
            return
        }
        if child.model != field.shape?.model?.type {
            defect = defect ?? "'\(field.name)' is flattened, and the plan of its type is of another type"
            return
        }
        defect = defect ?? child.defect.map { "\(child.modelName): \($0)" }
        let resolved = layout(field.shape!, nil)
        let first = fields.count
        var inner = group
        if resolved.isOptional {
            if group != nil {
                defect = defect ?? "'\(field.name)' is optional inside of an optional flattened model"
            }
            inner = groups.count
            groups.append(
                FieldGroup(name: field.name, offset: offset, layout: resolved, fields: first..<first, hooks: []))
        }
        let outer = hooks.count
        let wasInUnreadGroup = isInUnreadGroup
        isInUnreadGroup = isInUnreadGroup || resolved.isOptional && !field.isDecoded
        collect(child, at: offset, filter: filter, group: inner, of: field)
        isInUnreadGroup = wasInUnreadGroup
        // The hooks of a model follow those of its flattened models.
        hooks += child.hooks.map {
            (offset, $0.inDirections(isDecoded: field.isDecoded, isEncoded: field.isEncoded))
        }
        if let inner, group == nil {
            groups[inner] = FieldGroup(
                name: field.name, offset: offset, layout: resolved, fields: first..<fields.count,
                hooks: Array(hooks[outer...]))
            hooks.removeSubrange(outer...)
        }
    }
}

extension ResolvedPlan {
    /// The indexes of the fields that are decoded.
    var decodedFields: [Int] {
        fields.indices.filter { fields[$0].isRead }
    }
}

extension FieldInfo {
    /// Whether the field is decoded.
    var isRead: Bool { !paths.isEmpty || isExtra || isFlattenedEnum }

    /// Whether the field is required when its flattened model is present.
    package var isNeededInGroup: Bool { shape != nil && layout?.isOptional != true && !defaultsWhenMissing }
}
