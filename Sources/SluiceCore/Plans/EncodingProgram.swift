import Synchronization

// A worked example. The model
//
//     struct Repository { let id: Int; let login: String; let city: String?; let second: Int? }
//
// with the keys "id", "owner.login", "owner.address.city" and "list[1]" becomes the instructions
//
//     value    ,"id":          offset 0   int
//     object   ,"owner":                           skipped to its close if no value below is written
//     value    ,"login":       offset 8   string
//     object   ,"address":                         likewise
//     checked  ,"city":        offset 24  string   for nil: skipped, or null
//     close    }
//     close    }
//     array    ,"list":
//     element                                      null, because no field is written to list[0]
//     element
//     checked  ,               offset 40  int
//     close    ]
//     end
//
// The prefix of an instruction begins with the comma, which the first member or element omits.

/// One step in writing a model. Plain data, which avoids reference counting.
struct EncodingInstruction {
    enum Action: UInt8 {
        /// A value that is always present.
        case value
        /// A value that may be nil.
        case checked
        /// A value in a struct of arrays, or in a flattened model that may be nil.
        case indirect
        /// An object or array that contains fields, and its end.
        case object, array, closeObject, closeArray
        /// An element of an array that contains fields. Written as `null` if only a later element has a value.
        case element
        /// An array whose elements each contain one element of a field, and the start of the next element.
        case elements, nextElement
        /// An object whose members each contain one element of a field. The keys are unknown, so only an empty object can be
        /// written.
        case members
        /// A field that collects the values of the arrays or objects inside of an array's elements. The number of values in
        /// each is unknown, so a model with the field cannot be written.
        case unwritable
        /// The members of a flattened enum, in the model's own object.
        case flattenedEnum
        /// The pairs of a dictionary, in the model's own object; and its pairs inside of an object on a path.
        case extra, extraPart
        /// The end of the model.
        case end
        /// The end of the payload of a flattened enum, whose object stays open.
        case endMembers
    }

    /// The code that performs an instruction in the loop of the writer. The values come before the others.
    enum Operation: UInt8 {
        case string, integer, double, bool
        /// An array of numbers or strings.
        case leaves
        /// Another array.
        case array
        /// A value of another kind.
        case value
        /// A value that may be nil, which is otherwise written by its `valueOperation`.
        case checked
        case end
        case structure
    }

    var action: Action
    /// The code for the action and the kind.
    var operation = Operation.structure
    /// The code for a value that is not nil.
    var valueOperation = Operation.value
    var kind = ValueKind.ignored
    /// The offset of the value in the model's memory.
    var offset = 0
    /// The layout of the value.
    var layout: LayoutReference?
    /// The comma, the quoted key and the colon. `OutputBuffer.prefixRoom` bytes can be read.
    var prefix: UnsafePointer<UInt8>
    var prefixCount: Int
    /// The index of the instruction after the end of this value.
    var next = 0
    /// For an element: the index of the instruction that closes its array.
    var last = 0
    /// The index of the field, and that of its flattened model; otherwise −1.
    var field = -1
    var group = -1
    /// The index of this value among those of a struct of arrays; otherwise −1.
    var slot = -1
    /// For an element: its index, for paths in errors, and the number of elements before it that no field has.
    var index = 0
    var gap = 0
    /// For an array whose elements contain one scalar of one field: the index of the field's instruction; otherwise 0.
    var onlyLeaf = 0
    /// The text before each of these scalars. `OutputBuffer.prefixRoom` bytes can be read.
    var elementText: UnsafePointer<UInt8>
    var elementTextCount = 0
    /// For extra pairs inside of an object on a path: the object.
    var part: Unmanaged<ExtraPart>?
    /// For a flattened enum: whether the tag is a member of the payload's object, and no other field has a key of the enum.
    var isDistinctEnum = false
}

/// An object on a path, in which extra keys are written.
final class ExtraPart {
    /// The access to the extra keys.
    let access: MemberAccess
    /// The keys of the object, and those that fields write in it.
    let path: [String]
    let keys: Set<MemberName>

    init(_ access: MemberAccess, _ path: [String], without keys: Set<MemberName>) {
        (self.access, self.path, self.keys) = (access, path, keys)
    }

    /// Returns the members of the object that no field writes.
    func members(_ container: UnsafeRawPointer) -> [(key: String, value: JSONValue)] {
        let value: JSONValue? = withUnsafeTemporaryAllocation(of: JSONValue.self, capacity: 1) { memory in
            let memory = memory.baseAddress.unsafelyUnwrapped
            let access = path.count == 1 ? access : access.inside(path.dropLast())
            guard access.load(UnsafeMutableRawPointer(mutating: container), path.last ?? "", memory) == true else {
                return nil
            }
            return memory.move()
        }
        guard case .object(let members)? = value else { return [] }
        return members.filter { !keys.contains(MemberName($0.key)) }.map { ($0.key, $0.value) }
    }
}

/// The instructions that write the models of a plan.
struct EncodingProgram: @unchecked Sendable {
    let steps: UnsafePointer<EncodingInstruction>
    /// The keys of the model's own object.
    let keys: Set<MemberName>
    /// The same keys, which extra keys do not replace.
    let reservedKeys: TableReference
    let groups: [FieldGroup]
    /// The filter that applies to the extra keys.
    let filter: PathFilter?
    /// The memory of the instructions.
    let memory: PlanMemory
}

/// Builds the instructions for a plan's fields: first a trie of the paths that are written, then plain memory.
///
/// If two fields have the same path, or one path leads through the other, the first field is written.
struct EncodingProgramBuilder {
    private let plan: ResolvedPlan
    private let isSorted: Bool
    private let excluded: Set<MemberName>
    private let end: EncodingInstruction.Action
    private let memory = PlanMemory()
    private var steps: [EncodingInstruction] = []
    private var slots = 0

    /// - Parameters:
    ///   - excluded: The keys of the model's own object that are left out.
    ///   - end: The last instruction.
    init(
        _ plan: ResolvedPlan, isSorted: Bool, without excluded: Set<MemberName> = [],
        end: EncodingInstruction.Action = .end
    ) {
        self.plan = plan
        self.end = end
        self.isSorted = isSorted
        self.excluded = excluded
    }

    mutating func build() -> EncodingProgram {
        let root = PathTrie()
        for (index, field) in plan.fields.enumerated() {
            guard let path = field.writtenPath, field.layout != nil else { continue }
            if case .key(let key)? = path.components.first, excluded.contains(MemberName(key)) { continue }
            if Self.losesArrays(path) {
                // Written first, so that the error does not depend on the values.
                addValue(index, prefix: "", action: .unwritable)
                continue
            }
            // A path that does not fit is a defect of the plan.
            _ = root.insert(path, .init(field: index))
        }
        write(children: root, at: [], isInStruct: false)
        for flattened in plan.flattenedEnums {
            addValue(flattened.field, prefix: "", action: .flattenedEnum)
            steps[steps.count - 1].isDistinctEnum =
                end == .end && !isSorted && excluded.isEmpty && plan.flattenedEnums.count == 1
                && flattened.isDistinct
                && flattened.tagging.isInternal && flattened.entry.layout.keyTable.encodingHooks == nil
        }
        for (index, field) in plan.fields.enumerated() {
            guard case .extra = field.declared.role, field.declared.isEncoded else { continue }
            addValue(index, prefix: "", action: .extra)
        }
        add(end)
        var keys: Set<MemberName> = []
        for case (.key(let key), _) in root.children { keys.insert(MemberName(key)) }
        return EncodingProgram(
            steps: memory.copy(steps), keys: keys,
            reservedKeys: TableBuilder.table(of: keys.map { ($0.text, 0) }, memory),
            groups: plan.groups, filter: plan.filter, memory: memory)
    }

    /// Whether the values of a path are of several arrays or objects, each inside an element of an array.
    private static func losesArrays(_ path: JSONPath) -> Bool {
        let wildcards = path.components.filter(\.isWildcard)
        return wildcards.count > 1 && wildcards[0] == .anyIndex
    }

    // MARK: Instructions

    /// - Parameter path: The keys of the value; nil inside of an array.
    private mutating func write(_ node: PathTrie, at path: [String]?, prefix: String, isInStruct: Bool) {
        if let leaf = node.leaf, node.startsWithLeaf {
            return addValue(leaf.field, prefix: prefix, action: nil, isInStruct: isInStruct)
        }
        guard let first = node.children.first?.component else { return }
        let start = steps.count
        switch first {
        case .key:
            add(.object, prefix: prefix)
            write(children: node, at: path, isInStruct: isInStruct)
            if let path, !isInStruct { addExtra(of: node, at: path) }
            add(.closeObject)
        case .index:
            add(.array, prefix: prefix)
            writeElements(node, isInStruct: isInStruct)
            add(.closeArray)
        case .anyIndex, .anyKey:
            add(first == .anyIndex ? .elements : .members, prefix: prefix)
            let outer = slots
            slots = 0
            write(node.children[0].node, at: nil, prefix: "", isInStruct: true)
            slots = outer
            add(.nextElement)
            steps[steps.count - 1].next = start
            if first == .anyIndex { noteOnlyLeaf(of: start) }
        }
        steps[start].next = steps.count
    }

    /// Prepares an array whose elements contain one scalar of one field, alone or in objects.
    private mutating func noteOnlyLeaf(of start: Int) {
        let inner = steps[(start + 1)..<(steps.count - 1)]
        let objects = inner.prefix { $0.action == .object }
        let rest = inner.dropFirst(objects.count)
        guard let leaf = rest.first, rest.count == objects.count + 1,
            rest.dropFirst().allSatisfy({ $0.action == .closeObject }), leaf.action == .indirect, leaf.slot == 0,
            leaf.group < 0, let layout = leaf.layout, layout.kind == .array, let element = layout.element,
            element.nilTest == .never, [.string, .int, .int64, .bool].contains(element.kind)
        else { return }
        func text(_ step: EncodingInstruction) -> String {
            let bytes = UnsafeBufferPointer(start: step.prefix, count: step.prefixCount).dropFirst()
            return String(decoding: bytes, as: UTF8.self)
        }
        steps[start].onlyLeaf = rest.startIndex
        (steps[start].elementText, steps[start].elementTextCount) = memory.prefix(
            objects.map { text($0) + "{" }.joined() + text(leaf))
    }

    private mutating func write(children node: PathTrie, at path: [String]?, isInStruct: Bool) {
        var children = node.children
        if isSorted { children.sort { $0.component.text.utf8.lexicographicallyPrecedes($1.component.text.utf8) } }
        for (step, child) in children {
            write(
                child, at: path.map { $0 + [step.text] }, prefix: OutputBuffer.quoted(step.text) + ":",
                isInStruct: isInStruct)
        }
    }

    /// Adds the extra keys of an object on a path.
    private mutating func addExtra(of node: PathTrie, at path: [String]) {
        for field in plan.fields {
            guard case .extra = field.declared.role, field.declared.isEncoded, field.element?.kind == .value,
                let layout = field.layout, let access = field.shape?.members
            else { continue }
            add(.extraPart)
            let keys = node.children.map { MemberName($0.component.text) }
            let part = memory.keep(ExtraPart(access, path, without: Set(keys)))
            let at = steps.count - 1
            (steps[at].offset, steps[at].layout, steps[at].part) = (field.offset, layout, part)
            steps[at].group = field.group ?? -1
        }
    }

    private mutating func writeElements(_ node: PathTrie, isInStruct: Bool) {
        var elements: [Int] = []
        var next = 0
        for (step, child) in node.children.sorted(by: { $0.component.position < $1.component.position }) {
            let element = steps.count
            elements.append(element)
            add(.element)
            (steps[element].index, steps[element].gap) = (step.position, step.position - next)
            next = step.position + 1
            write(child, at: nil, prefix: "", isInStruct: isInStruct)
            steps[element].next = steps.count
        }
        for element in elements { steps[element].last = steps.count }
    }

    private mutating func add(_ action: EncodingInstruction.Action, prefix: String = "") {
        let (text, count) = memory.prefix("," + prefix)
        steps.append(EncodingInstruction(action: action, prefix: text, prefixCount: count, elementText: text))
        if action == .end { steps[steps.count - 1].operation = .end }
    }

    private mutating func addValue(
        _ field: Int, prefix: String, action: EncodingInstruction.Action?, isInStruct: Bool = false
    ) {
        let info = plan.fields[field]
        let layout = info.layout!
        let isIndirect = isInStruct || info.group != nil
        add(action ?? (isIndirect ? .indirect : layout.nilTest != .never ? .checked : .value), prefix: prefix)
        let at = steps.count - 1
        steps[at].kind = layout.kind
        steps[at].valueOperation =
            switch layout.kind {
            case .string: .string
            case .int, .int64: .integer
            case .double: .double
            case .bool: .bool
            case .array: layout.isInlineArray ? .leaves : .array
            default: .value
            }
        switch steps[at].action {
        case .value: steps[at].operation = steps[at].valueOperation
        case .checked: steps[at].operation = .checked
        default: break
        }
        steps[at].offset = info.offset
        steps[at].layout = layout
        steps[at].field = field
        steps[at].group = info.group ?? -1
        if isInStruct {
            steps[at].slot = slots
            slots += 1
        }
    }
}

extension JSONPath.Component {
    fileprivate var text: String { if case .key(let key) = self { key } else { "" } }
    fileprivate var position: Int { if case .index(let index) = self { index } else { 0 } }
}

/// The encoding programs of a plan: one in declared and one in sorted order. Each program is built when first needed and
/// lives as long as the plan.
///
/// The programs are published by atomics instead of a lock, because the writer reads them for every model. A thread that loses
/// the race discards its program.
final class EncodingProgramCache: Sendable {
    private final class SharedProgram: Sendable {
        let program: EncodingProgram
        init(_ program: EncodingProgram) { self.program = program }
    }

    private let declared = Atomic<Unmanaged<SharedProgram>?>(nil)
    private let sorted = Atomic<Unmanaged<SharedProgram>?>(nil)
    /// The members alone, in declared order.
    private let members = Atomic<Unmanaged<SharedProgram>?>(nil)
    /// The programs of payloads whose tag is also a property, which the tag of the enum replaces, or that have flattened enums.
    private let untagged = Lock<[Exclusion: SharedProgram]>([:])

    private struct Exclusion: Hashable {
        let keys: [String]
        let isSorted: Bool
    }

    deinit {
        declared.load(ordering: .acquiring)?.release()
        sorted.load(ordering: .acquiring)?.release()
        members.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    func steps(of plan: ResolvedPlan, isSorted: Bool) -> UnsafePointer<EncodingInstruction> {
        withProgram(of: plan, isSorted: isSorted) { $0.steps }
    }

    /// Returns the instructions that write the members of a model into an open object, in declared order.
    func memberSteps(of plan: ResolvedPlan) -> UnsafePointer<EncodingInstruction> {
        if let published = members.load(ordering: .acquiring) {
            return published._withUnsafeGuaranteedRef { $0.program.steps }
        }
        var builder = EncodingProgramBuilder(plan, isSorted: false, end: .endMembers)
        return publish(builder.build(), to: members).steps
    }

    /// Returns the instructions of a model without the values of some keys.
    func steps(of plan: ResolvedPlan, isSorted: Bool, without keys: [String]) -> UnsafePointer<EncodingInstruction>
    {
        let program = withProgram(of: plan, isSorted: isSorted) { copy $0 }
        let excluded = plan.flattenedEnums.isEmpty ? keys.filter { program.keys.contains(MemberName($0)) } : keys
        if excluded.isEmpty { return program.steps }
        return untagged.withLock { programs in
            let exclusion = Exclusion(keys: excluded, isSorted: isSorted)
            if let known = programs[exclusion] { return known.program.steps }
            var builder = EncodingProgramBuilder(
                plan, isSorted: isSorted, without: Set(excluded.map { MemberName($0) }))
            let shared = SharedProgram(builder.build())
            programs[exclusion] = shared
            return shared.program.steps
        }
    }

    /// Returns the keys that the instructions of a model leave out.
    func excludedKeys(
        from steps: UnsafePointer<EncodingInstruction>, of plan: ResolvedPlan, isSorted: Bool
    ) -> [String] {
        if steps == self.steps(of: plan, isSorted: isSorted) { return [] }
        return untagged.withLock { $0.first { $0.value.program.steps == steps }?.key.keys ?? [] }
    }

    /// Lends the instructions of a model to a closure.
    @inline(__always)
    func withProgram<R>(of plan: ResolvedPlan, isSorted: Bool, _ body: (borrowing EncodingProgram) -> R) -> R {
        if let published = (isSorted ? sorted.load(ordering: .acquiring) : declared.load(ordering: .acquiring)) {
            return published._withUnsafeGuaranteedRef { body($0.program) }
        }
        return body(makeProgram(of: plan, isSorted: isSorted))
    }

    private func makeProgram(of plan: ResolvedPlan, isSorted: Bool) -> EncodingProgram {
        var builder = EncodingProgramBuilder(plan, isSorted: isSorted)
        let program = builder.build()
        return isSorted ? publish(program, to: sorted) : publish(program, to: declared)
    }

    private func publish(
        _ program: EncodingProgram, to place: borrowing Atomic<Unmanaged<SharedProgram>?>
    ) -> EncodingProgram {
        let candidate = Unmanaged.passRetained(SharedProgram(program))
        let (won, winner) = place.compareExchange(
            expected: nil, desired: candidate, ordering: .acquiringAndReleasing)
        guard !won, let winner else { return candidate._withUnsafeGuaranteedRef { $0.program } }
        candidate.release()
        return winner._withUnsafeGuaranteedRef { $0.program }
    }
}
