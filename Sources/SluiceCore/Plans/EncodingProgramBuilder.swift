/// Builds the instructions for a plan's fields: first a trie of the paths that are written, then plain memory.
///
/// If two fields have the same path, or one path leads through the other, the first field is written.
struct EncodingProgramBuilder {
    private typealias Node = PathTrie<Int>

    private let plan: ResolvedPlan
    private let isSorted: Bool
    private let excluded: Set<String>
    private let memory = PlanMemory()
    private var steps: [EncodingInstruction] = []
    private var slots = 0

    /// - Parameter excluded: The keys of the model's own object that are left out.
    init(_ plan: ResolvedPlan, isSorted: Bool, without excluded: Set<String> = []) {
        self.plan = plan
        self.isSorted = isSorted
        self.excluded = excluded
    }

    mutating func build() -> EncodingProgram {
        let root = Node()
        for (index, field) in plan.fields.enumerated() {
            guard let path = field.writtenPath, field.layout != nil else { continue }
            if case .key(let key)? = path.components.first, excluded.contains(key) { continue }
            if Self.losesArrays(path) {
                // Written first, so that the error does not depend on the values.
                addValue(index, prefix: "", action: .unwritable)
                continue
            }
            // A path that does not fit is a defect of the plan.
            _ = root.insert(path, index)
        }
        write(children: root, isSpread: false)
        for flattened in plan.flattenedEnums { addValue(flattened.field, prefix: "", action: .flattenedEnum) }
        for (index, field) in plan.fields.enumerated() {
            guard case .extra = field.declared.role, field.declared.isEncoded else { continue }
            addValue(index, prefix: "", action: .extra)
        }
        add(.end)
        var keys: Set<String> = []
        for case (.key(let key), _) in root.children { keys.insert(key) }
        return EncodingProgram(
            steps: memory.copy(steps), keys: keys,
            reservedKeys: plan.flattenedEnums.reduce(into: keys) { $0.formUnion($1.keys.names) },
            groups: plan.groups, filter: plan.filter, memory: memory)
    }

    /// Whether the values of a path are of several arrays or objects, each inside an element of an array.
    private static func losesArrays(_ path: JSONPath) -> Bool {
        let wildcards = path.components.filter(\.isWildcard)
        return wildcards.count > 1 && wildcards[0] == .every
    }

    // MARK: Instructions

    private mutating func write(_ node: Node, prefix: String, isSpread: Bool) {
        if let field = node.leaf, node.startsWithLeaf {
            return addValue(field, prefix: prefix, action: nil, isSpread: isSpread)
        }
        guard let first = node.children.first?.component else { return }
        let start = steps.count
        switch first {
        case .key:
            add(.object, prefix: prefix)
            write(children: node, isSpread: isSpread)
            add(.closeObject)
        case .index:
            add(.array, prefix: prefix)
            writeElements(node, isSpread: isSpread)
            add(.closeArray)
        case .every, .everyMember:
            add(first == .every ? .spread : .spreadMembers, prefix: prefix)
            let outer = slots
            slots = 0
            write(node.children[0].node, prefix: "", isSpread: true)
            slots = outer
            add(.nextElement)
            steps[steps.count - 1].next = start
        }
        steps[start].next = steps.count
    }

    private mutating func write(children node: Node, isSpread: Bool) {
        var children = node.children
        if isSorted { children.sort { $0.component.text.utf8.lexicographicallyPrecedes($1.component.text.utf8) } }
        for (step, child) in children {
            write(child, prefix: OutputBuffer.quoted(step.text) + ":", isSpread: isSpread)
        }
    }

    private mutating func writeElements(_ node: Node, isSpread: Bool) {
        var elements: [Int] = []
        var at = 0
        for (step, child) in node.children.sorted(by: { $0.component.position < $1.component.position }) {
            while at <= step.position {
                elements.append(steps.count)
                add(.element)
                steps[steps.count - 1].index = at
                steps[steps.count - 1].next = steps.count
                at += 1
            }
            write(child, prefix: "", isSpread: isSpread)
            steps[elements.last!].next = steps.count
        }
        for element in elements { steps[element].last = steps.count }
    }

    private mutating func add(_ action: EncodingInstruction.Action, prefix: String = "") {
        let text = Array((("," + prefix).utf8))
        let bytes = memory.allocate(UInt8.self, text.count + OutputBuffer.prefixRoom)
        bytes.initialize(repeating: 0, count: text.count + OutputBuffer.prefixRoom)
        bytes.update(from: text, count: text.count)
        steps.append(EncodingInstruction(action: action, prefix: UnsafePointer(bytes), prefixCount: text.count))
    }

    private mutating func addValue(
        _ field: Int, prefix: String, action: EncodingInstruction.Action?, isSpread: Bool = false
    ) {
        let info = plan.fields[field]
        let layout = info.layout!
        let isPlaced = isSpread || info.group != nil
        add(action ?? (isPlaced ? .placed : layout.nilTest != .never ? .checked : .value), prefix: prefix)
        let at = steps.count - 1
        steps[at].kind = layout.kind
        steps[at].offset = info.offset
        steps[at].layout = layout
        steps[at].field = field
        steps[at].group = info.group ?? -1
        if isSpread {
            steps[at].slot = slots
            slots += 1
        }
    }
}

extension JSONPath.Component {
    fileprivate var text: String { if case .key(let key) = self { key } else { "" } }
    fileprivate var position: Int { if case .index(let index) = self { index } else { 0 } }
}
