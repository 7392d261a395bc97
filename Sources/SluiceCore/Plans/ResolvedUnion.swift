/// An enum with associated values, with all options applied.
package final class ResolvedUnion {
    package struct Case {
        package let declared: DeclaredCase
        package let names: [String]
        /// Nil for a case without a value.
        package let layout: LayoutReference?

        /// Whether the payload of an internally tagged case can be decoded only from a recording of the whole object. The
        /// payload is then neither a model nor a dictionary, nor made from one, nor an enum whose case depends on keys.
        fileprivate func buffersValue(in union: ResolvedUnion) -> Bool {
            guard case .internal = union.tagging, let form = payloadForm else { return false }
            return form.resolvedUnion.map { $0.isBufferedByItself } ?? !form.isKeyed
        }

        /// The layout of the JSON value from which the payload is made.
        fileprivate var payloadForm: LayoutReference? {
            var form = layout
            while let known = form, known.kind == .converted, known.contents == nil {
                form = known.element
            }
            return form
        }
    }

    /// The value that the fallback case receives.
    package enum FallbackValue: UInt8 {
        case nothing, tag, whole
    }

    package let declared: DeclaredUnion
    package let cases: [Case]
    package var tagging: JSONTagging { declared.tagging }
    package var fallback: Int? { declared.fallback }
    package let fallbackValue: FallbackValue
    /// Whether the fallback receives whole values, but reads only some of their members. Only a value with the name of an unknown case is
    /// then the fallback.
    package let fallbackNeedsName: Bool
    /// The cases in the order in which the cases of an untagged enum are tried: the fallback is the last.
    package let order: [Int]
    /// The size of an enum's memory in its frame: a tag, and the payload of any case.
    let size: Int
    /// The payload's offset in that memory.
    static let payloadOffset = 64
    private(set) var defect: String?
    /// The functions of the cases.
    private let functions: [CaseFunctions]
    /// The names of the cases that are written.
    let firstNames: [String]
    /// The key of the tag; nil for an enum without one.
    package let tagKey: String?
    /// The key of the content of an adjacently tagged enum.
    let contentKey: String?
    /// The cases as the driver reads them, completed by `resolve()`.
    private var unionTable: UnsafeMutablePointer<UnionTable>?

    init(
        _ union: DeclaredUnion, _ erasedPlan: _AnyModelPlan, in planCache: PlanCache,
        layout: (JSONShape, PathFilter?) -> LayoutReference
    ) {
        let keys = erasedPlan.options.keys ?? planCache.keys
        let cases = union.cases.enumerated().map { index, declared -> Case in
            var payload = declared.payload
            // The string of a fallback is the name of a case. A transform that is registered for strings does not apply to names.
            if index == union.fallback, union.tagging != .untagged, let own = payload,
                own.layout.pointee.kind == .string, planCache.hasOverrides
            {
                payload = JSONShape(fixing: own)
            }
            return Case(declared: declared, names: declared.names(keys), layout: payload.map { layout($0, nil) })
        }
        self.cases = cases
        functions = cases.map { one in
            let key: String? =
                switch union.tagging {
                case .external: one.names.first
                case .adjacent(_, let content): content
                case .internal, .untagged: nil
                }
            return CaseFunctions(one.declared, key: key)
        }
        firstNames = cases.map { $0.names.first ?? "" }
        tagKey = union.tagging.tag
        if case .adjacent(_, let content) = union.tagging { contentKey = content } else { contentKey = nil }
        declared = union
        size = Self.payloadOffset + (cases.compactMap { $0.layout?.size }.max() ?? 0)
        switch union.fallback.flatMap({ cases[$0].layout?.kind }) {
        case nil: fallbackValue = .nothing
        case .string?: fallbackValue = .tag
        default: fallbackValue = .whole
        }
        let fallbackForm = fallbackValue == .whole ? union.fallback.flatMap { cases[$0].payloadForm } : nil
        fallbackNeedsName =
            fallbackForm.map { [.model, .composite, .union, .recording].contains($0.kind) } ?? false
        order = cases.indices.filter { $0 != union.fallback } + (union.fallback.map { [$0] } ?? [])
        var byName: [MemberName: Int] = [:]
        for (index, one) in cases.enumerated() {
            for name in union.hasName(index) ? one.names : []
            where byName.updateValue(index, forKey: MemberName(name)) != nil {
                defect = defect ?? "two of its cases are named '\(name)'"
            }
            guard case .internal = union.tagging, let kind = one.layout?.kind else { continue }
            if ![.model, .composite, .dictionary, .union, .converted].contains(kind), index != union.fallback {
                defect =
                    defect
                    ?? "the value of '\(one.declared.name)' is not an object, which could contain the tag"
            }
        }
    }

    /// Whether a value is recorded as a whole before the case is known.
    private var isBuffered: Bool { isBufferedByItself || namedCases.contains { $0.buffersValue(in: self) } }

    /// The cases that a name selects.
    private var namedCases: [Case] { cases.indices.filter { declared.hasName($0) }.map { cases[$0] } }

    /// Whether a value is recorded as a whole, without regard to payloads that are enums.
    fileprivate var isBufferedByItself: Bool {
        if tagging == .untagged || fallbackValue == .whole { return true }
        guard case .internal = tagging else { return false }
        return namedCases.contains { one in
            one.payloadForm.map { $0.kind != .union && !$0.isKeyed } ?? false
        }
    }

    /// Returns the index of the case with a name. A fallback with a value has no name.
    func find(_ name: String) -> Int? { unionTable.flatMap { UnionReference($0).find(name) } }

    /// The expected names in messages.
    var expectation: String { "one of " + ValueList.text(of: namedCases.flatMap(\.names).map { "\"\($0)\"" }) }

    /// The keys of the enum's object, which are the fields of its table: the cases, or the tag and the content.
    var keys: [String] { tagging == .external ? namedCases.flatMap(\.names) : tagging.keys }

    /// Makes the table of the object's keys. No entry has a presence bit, because the driver handles each key separately.
    func table(of erasedPlan: _AnyModelPlan, _ memory: PlanMemory) -> UnsafeMutablePointer<KeyTable> {
        let table = TableBuilder.mutableTable(
            of: keys.enumerated().map { ($1, $0) }, memory, size: size, alignmentMask: Self.payloadOffset - 1)
        let unionTable = memory.allocate(UnionTable.self, 1)
        let noText = memory.copy([UInt8](repeating: 0, count: OutputBuffer.prefixRoom))
        let names = cases.indices.flatMap { index in
            declared.hasName(index) ? cases[index].names.map { ($0, index) } : []
        }
        unionTable.initialize(
            to: UnionTable(
                tagging: UnionTable.Tagging(tagging), size: size,
                payloadAlignmentMask: cases.compactMap { $0.layout?.alignmentMask }.max() ?? 0,
                fallbackValue: fallbackValue,
                fallbackNeedsName: fallbackNeedsName, fallback: fallback ?? -1,
                cases: memory.copy(
                    cases.indices.map {
                        UnionTable.Case(
                            layout: cases[$0].layout, hasSeveralNames: cases[$0].names.count > 1,
                            hasName: declared.hasName($0), opening: noText, tagMember: noText,
                            functions: .passUnretained(functions[$0]))
                    }),
                count: cases.count, order: UnsafePointer(memory.copy(order)),
                // Repeated names are a defect.
                names: TableBuilder.table(of: names, memory),
                tag: tagKey == nil ? nil : table.pointee.first,
                isStrict: erasedPlan.options.coercion.map { $0 == .strict }, hasHooks: !erasedPlan.hooks.isEmpty,
                valueSize: erasedPlan.size, valueAlignmentMask: erasedPlan.alignment - 1,
                projection: declared.projection.map { .passUnretained($0) }, unretained: .passUnretained(self)))
        self.unionTable = unionTable
        table.pointee.union = UnionReference(unionTable)
        return table
    }

    /// Completes the data that depend on the plans of the payloads, once these are resolved.
    func resolve(_ memory: PlanMemory) {
        guard let unionTable else { return }
        unionTable.pointee.isBuffered = isBuffered
        for (index, one) in cases.enumerated() {
            let tabled = unionTable.pointee.cases + index
            tabled.pointee.buffersValue = one.buffersValue(in: self)
            tabled.pointee.readsMembers = readsMembers(one)
            tabled.pointee.mayRepeatTag = one.layout.map { mayRepeatTag(in: $0) } ?? true
            tabled.pointee.fit = one.layout.map { fit(of: $0) } ?? .none
            if tabled.pointee.hasName { prepareWriting(of: one, tabled, memory) }
        }
        if tagging == .untagged, cases.count <= UnionTable.maximumComparedCount { compareKeys(unionTable, memory) }
    }

    /// See `UnionTable.Case.readsMembers`.
    private func readsMembers(_ one: Case) -> Bool {
        guard let tagKey, case .internal = tagging, let form = one.payloadForm, form.isKeyed else { return false }
        guard form.kind == .model, let property = form.table?.find(tagKey) else { return true }
        return property.layout.kind == .string && property.disposition == .store(.string)
            && property.presenceBit != 0
    }

    /// Whether the payload of a case receives a tag from a recording of the object. A model that takes members without a property, as extra
    /// keys or in a flattened enum, receives the tag only if a key has its name. A fallback receives the whole object.
    func passes(_ tag: String, toPayloadOf index: Int) -> Bool {
        guard index != fallback, let form = cases[index].payloadForm, form.kind == .composite,
            let plan = form.table?.plan
        else { return true }
        let name = MemberName(tag)
        return plan.ownKeys.contains(name) || plan.flattenedEnums.contains { $0.keys.names.contains(name) }
    }

    /// See `UnionTable.Case.mayRepeatTag`.
    private func mayRepeatTag(in payload: LayoutReference) -> Bool {
        guard payload.kind == .model, let tagKey, let plan = payload.table?.plan, plan.flattenedEnums.isEmpty else {
            return true
        }
        return plan.fields.contains { field in
            if case .extra = field.declared.role { return true }
            return field.writtenPath?.components.first == .key(tagKey)
        }
    }

    /// Makes the texts that are written before the payload of a case.
    private func prepareWriting(
        of one: Case, _ tabled: UnsafeMutablePointer<UnionTable.Case>, _ memory: PlanMemory
    ) {
        let name = OutputBuffer.quoted(one.names.first ?? "")
        let tag = OutputBuffer.quoted(tagKey ?? "") + ":" + name
        let content = OutputBuffer.quoted(contentKey ?? "")
        let opening: String
        let tagged = tabled.pointee
        if let payload = one.layout {
            guard payload.nilTest == .never else { return }
            if payload.isPlainModel {
                // A member with the key of the tag is left out of the payload.
                if case .internal = tagging, tagged.mayRepeatTag { return }
                tabled.pointee.writing = .members
            } else if [.string, .int, .int64, .double, .bool].contains(payload.kind) {
                if case .internal = tagging { return }
                tabled.pointee.writing = .scalar
            } else {
                return
            }
            let bracket = tabled.pointee.writing == .members ? "{" : ""
            switch tagging {
            case .internal: opening = "{" + tag
            case .external: opening = "{" + name + ":" + bracket
            case .adjacent: opening = "{" + tag + "," + content + ":" + bracket
            case .untagged: opening = bracket
            }
            let isInner = tagging == .untagged || tagging.isInternal
            tabled.pointee.firstByteCount = bracket.isEmpty || tagging.isInternal ? 0 : 1
            tabled.pointee.bracketCount = (isInner ? 0 : 1) + (tabled.pointee.writing == .members ? 1 : 0)
        } else {
            tabled.pointee.writing = .alone
            opening = tagKey == nil ? name : "{" + tag + "}"
        }
        (tabled.pointee.opening, tabled.pointee.openingCount) = memory.prefix(opening)
        if tagging.isInternal {
            (tabled.pointee.tagMember, tabled.pointee.tagMemberCount) = memory.prefix("," + tag)
        }
    }

    private func fit(of layout: LayoutReference) -> UnionTable.Fit {
        switch layout.kind {
        case .model, .dictionary, .composite: .object
        case .array: .array
        case .bool, .string, .int, .int8, .int16, .int32, .int64, .int128, .uint, .uint8, .uint16, .uint32, .uint64,
            .uint128, .double, .float, .half, .scalar:
            .none
        case .union, .converted, .value, .raw, .recording, .ignored: .any
        }
    }

    /// Sets the keys without which an object is no case of an untagged enum. The end of such an object only compares presence bits.
    private func compareKeys(_ unionTable: UnsafeMutablePointer<UnionTable>, _ memory: PlanMemory) {
        var bits: [MemberName: [UInt64]] = [:]
        for (index, one) in cases.enumerated() {
            guard let layout = one.layout, layout.kind == .model, let table = layout.table, !table.isSpecial,
                table.extendedPresenceSize == 0
            else { continue }
            for entry in table.allEntries where entry.presenceBit & table.required != 0 && entry.child == nil {
                let key = MemberName(String(decoding: entry.ownKey.text, as: UTF8.self))
                bits[key, default: Array(repeating: 0, count: cases.count)][index] |= entry.presenceBit
                unionTable.pointee.cases[index].required |= entry.presenceBit
            }
        }
        let keys = Array(bits)
        unionTable.pointee.keys = TableBuilder.table(of: keys.enumerated().map { ($1.key.text, $0) }, memory)
        unionTable.pointee.keyBits = UnsafePointer(memory.copy(keys.flatMap(\.value)))
    }
}

extension JSONTagging {
    /// Whether the tag is a member of the payload's object.
    var isInternal: Bool { if case .internal = self { true } else { false } }

    /// The key of the tag; nil for an enum without one.
    package var tag: String? {
        switch self {
        case .internal(let tag), .adjacent(let tag, _): tag
        case .external, .untagged: nil
        }
    }
}

extension LayoutReference {
    /// Whether the value is decoded from the members of an object.
    fileprivate var isKeyed: Bool { self.kind == .model || self.kind == .dictionary }
}

/// An enum with associated values whose keys are members of the enclosing model's object.
package struct FlattenedEnum {
    package let field: Int
    /// The entry of the enum's field, which has no key.
    let entry: EntryReference
    package let tagging: JSONTagging
    /// The keys that the enum reads.
    package let keys: MemberKeys
    /// Whether no other field writes a key of the enum.
    let isDistinct: Bool

    /// Whether an object has a key that determines the case.
    func isPresent(in keys: [String]) -> Bool {
        switch tagging {
        case .internal(let tag), .adjacent(let tag, _): keys.contains { $0.hasSameCodeUnits(as: tag) }
        case .external, .untagged: keys.contains { self.keys.names.contains(MemberName($0)) }
        }
    }

    /// Returns the defect of a plan with two flattened enums that read the same keys, or nil.
    static func defect(
        of enums: [(field: Int, union: DeclaredUnion, keys: MemberKeys)], in fields: [FieldInfo]
    ) -> String? {
        let extra = fields.first(where: \.isExtra)
        for (index, flattened) in enums.enumerated() {
            let name = fields[flattened.field].name
            if flattened.keys.isOpen, let extra { return "'\(name)' and '\(extra.name)' both take all other keys" }
            let tags = Set(flattened.union.tagging.keys.map { MemberName($0) })
            for earlier in enums[..<index]
            where earlier.union.tagging.keys.contains(where: { tags.contains(MemberName($0)) }) {
                return "'\(fields[earlier.field].name)' and '\(name)' are enums with the same tag"
            }
        }
        return nil
    }
}

extension ResolvedPlan {
    /// Whether a flattened enum receives the member with a key.
    ///
    /// The enum may reject a key that neither the enum nor another field has, unless the model itself rejects unknown keys.
    func offers(_ key: String, to flattened: FlattenedEnum) -> Bool {
        flattened.keys.names.contains(MemberName(key))
            || unknownKeys == .ignore && !ownKeys.contains(MemberName(key))
    }

    /// Whether another field than a flattened enum may read the member with a key.
    package func reads(_ key: String, besides flattened: FlattenedEnum) -> Bool {
        let name = MemberName(key)
        if ownKeys.contains(name) { return true }
        if flattenedEnums.contains(where: { $0.field != flattened.field && $0.keys.names.contains(name) }) {
            return true
        }
        return fields.contains(where: \.isExtra)
    }
}

/// The keys that a type may read from the members of an object.
package struct MemberKeys {
    package private(set) var names: Set<MemberName> = []
    /// Whether the type may read any key.
    private(set) var isOpen = false
    private var visited: Set<ObjectIdentifier> = []
    private let strategy: JSONKeyStrategy

    init(of erasedPlan: _AnyModelPlan, keys: JSONKeyStrategy) {
        strategy = keys
        add(erasedPlan)
    }

    private mutating func add(_ erasedPlan: _AnyModelPlan) {
        guard visited.insert(ObjectIdentifier(erasedPlan)).inserted else { return }
        let keys = erasedPlan.options.keys ?? strategy
        if let union = erasedPlan.union {
            names.formUnion(union.tagging.keys.map { MemberName($0) })
            for (index, one) in union.cases.enumerated() {
                guard union.hasName(index) else {
                    // The fallback receives the unknown name, which is a key without a tag, or the whole object.
                    let receivesTag = one.payload?.layout.pointee.kind == .string && union.tagging.tag != nil
                    isOpen = isOpen || !receivesTag
                    continue
                }
                switch union.tagging {
                case .external: names.formUnion(one.names(keys).map { MemberName($0) })
                case .adjacent: break
                case .internal, .untagged: if let payload = one.payload { add(payload) }
                }
            }
        }
        for field in erasedPlan.fields {
            switch field.role {
            case .ignored: break
            case .extra: isOpen = true
            case .flattened(let child): add(child())
            case .value: add(field, field.options(in: erasedPlan).keys ?? strategy)
            }
        }
    }

    private mutating func add(_ field: DeclaredField, _ keys: JSONKeyStrategy) {
        if field.key == nil { names.insert(MemberName(keys.key(for: field.name))) }
        for text in (field.key.map { [$0] } ?? []) + field.candidates {
            if case .key(let key)? = (try? JSONPath(parsing: text))?.components.first {
                names.insert(MemberName(key))
            }
        }
    }

    private mutating func add(_ shape: JSONShape) {
        switch shape.category {
        case .model(let model): add(model.plan)
        // A payload that is converted from a value of another type.
        case .conversion(let conversion): add(conversion.inner)
        default: isOpen = true
        }
    }
}

/// The keys of an object that a value with members in the object reads: of the cases of its enums, only those that the value has.
package struct MemberNames {
    package private(set) var names: Set<MemberName> = []
    /// How the plan that reads the members handles other keys.
    private(set) var unknownKeys = JSONUnknownKeys.ignore
    /// The plans of which all keys were added. The payload of a case may be the enum itself.
    private var completePlans: Set<ObjectIdentifier> = []

    init() {}

    /// The keys of any value of a model.
    package init(of plan: ResolvedPlan) { add(plan, at: nil) }

    /// Adds the keys of a value. Nil has none.
    mutating func add(_ layout: LayoutReference, at address: UnsafeRawPointer?) {
        if let address, layout.presence(address) != .value { return }
        if layout.kind == .converted, layout.contents == nil, let inner = layout.element {
            return add(inner, at: nil)
        }
        guard let plan = layout.table?.plan else { return }
        add(plan, at: layout.hasStorage ? nil : address)
    }

    private mutating func add(_ plan: ResolvedPlan, at address: UnsafeRawPointer?) {
        // The keys of a value that nests too deeply are those of any value.
        let address = ThreadStack.isUsedUp ? nil : address
        if address == nil, !completePlans.insert(ObjectIdentifier(plan)).inserted { return }
        unknownKeys = plan.unknownKeys
        names.formUnion(plan.fields.flatMap(\.ownKeys).map { MemberName($0) })
        let own = unknownKeys
        for flattened in plan.flattenedEnums {
            if let address {
                add(flattened.entry.layout, at: address + flattened.entry.offset)
            } else {
                names.formUnion(flattened.keys.names)
            }
        }
        unknownKeys = own
        guard let union = plan.union else { return }
        names.formUnion(union.tagging.keys.map { MemberName($0) })
        guard let address else {
            for index in union.cases.indices { add(index, of: union, payload: nil) }
            return
        }
        union.withPayload(of: address) { index, payload in add(index, of: union, payload: payload) }
    }

    private mutating func add(_ index: Int, of union: ResolvedUnion, payload: UnsafeRawPointer?) {
        switch union.tagging {
        case .external: names.formUnion(union.cases[index].names.map { MemberName($0) })
        case .adjacent: break
        case .internal, .untagged: if let layout = union.cases[index].layout { add(layout, at: payload) }
        }
    }
}

extension JSONUnknownKeys {
    /// Whether unknown keys are handled at least as strictly as by another option.
    func isAtLeast(_ other: JSONUnknownKeys) -> Bool { self == .reject || self == other || other == .ignore }
}

extension ResolvedUnion {
    /// Calls a closure with the case of a value and a copy of its payload, unless the plan does not have the case.
    fileprivate func withPayload(of value: UnsafeRawPointer, _ body: (Int, UnsafeRawPointer) -> Void) {
        let alignment = cases.reduce(0) { $0 | ($1.layout?.alignmentMask ?? 0) } + 1
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size - Self.payloadOffset + 1, alignment: alignment)
        defer { memory.deallocate() }
        guard let index = functions.firstIndex(where: { $0.read(value, memory) }) else { return }
        body(index, memory)
        cases[index].layout?.destroy(memory)
    }
}

extension JSONTagging {
    /// The keys of the enum besides those of the payload.
    fileprivate var keys: [String] {
        switch self {
        case .internal(let tag): [tag]
        case .adjacent(let tag, let content): [tag, content]
        case .external, .untagged: []
        }
    }
}

extension _AnyModelPlan {
    /// Whether the model has a flattened enum, directly or in a flattened model.
    var hasFlattenedEnum: Bool {
        fields.contains { field in
            guard case .flattened(let child) = field.role else { return false }
            let erasedPlan = child()
            return erasedPlan.union != nil || erasedPlan.storage == nil && erasedPlan.hasFlattenedEnum
        }
    }
}
