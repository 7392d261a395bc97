/// Turns the fields of a plan into tables: first a trie of their paths, then plain memory.
struct TableBuilder {
    private final class Node {
        /// A key, or the index of an array's element.
        var steps: [(step: JSONPath.Component, target: Target)] = []
    }

    private enum Target {
        case leaf(field: Int, rank: Int)
        case node(Node)
    }

    let fields: [PlanBlueprint.FieldFacts]
    let size: Int
    let alignment: Int
    private(set) var defect: String?
    private var tables: [UnsafeMutablePointer<FieldTable>] = []

    init(fields: [PlanBlueprint.FieldFacts], size: Int, alignment: Int) {
        self.fields = fields
        self.size = size
        self.alignment = alignment
    }

    mutating func build() -> UnsafePointer<FieldTable> {
        let root = Node()
        for (index, field) in fields.enumerated() {
            if field.paths.count > 100 { defect = "'\(field.name)' has more than 100 candidate keys" }
            for (rank, path) in field.paths.enumerated() where !path.components.isEmpty {
                insert(path.components[...], at: root, field: index, rank: min(rank, 100), path: path)
            }
        }
        return write(root, isRoot: true)
    }

    /// Ties the tables to the plan that they are of.
    func adopt(_ blueprint: Unmanaged<PlanBlueprint>) {
        for table in tables { table.pointee.blueprint = blueprint }
    }

    private mutating func insert(
        _ steps: ArraySlice<JSONPath.Component>, at node: Node, field: Int, rank: Int, path: JSONPath
    ) {
        let step = steps.first!
        if let first = node.steps.first?.step, first.isKey != step.isKey {
            defect =
                defect
                ?? "'\(path)', of '\(fields[field].name)', leads through an \(step.isKey ? "object" : "array") "
                + "where another field's path leads through an \(step.isKey ? "array" : "object")"
            return
        }
        let known = node.steps.first { $0.step == step }?.target
        if steps.count == 1 {
            switch known {
            case nil: node.steps.append((step, .leaf(field: field, rank: rank)))
            case .leaf(let other, _):
                defect =
                    defect ?? "'\(fields[other].name)' and '\(fields[field].name)' are both filled from '\(path)'"
            case .node:
                defect = defect ?? "'\(path)' is mapped whole by '\(fields[field].name)' and by a path into it"
            }
            return
        }
        switch known {
        case .node(let next): insert(steps.dropFirst(), at: next, field: field, rank: rank, path: path)
        case nil:
            let next = Node()
            node.steps.append((step, .node(next)))
            insert(steps.dropFirst(), at: next, field: field, rank: rank, path: path)
        case .leaf(let other, _):
            defect = defect ?? "'\(path)' leads into a value that '\(fields[other].name)' is filled from whole"
        }
    }

    private mutating func write(_ node: Node, isRoot: Bool) -> UnsafePointer<FieldTable> {
        let table = UnsafeMutablePointer<FieldTable>.allocate(capacity: 1)
        // One entry more than there are, with a length that no key has: the guess may point at it.
        let entries = UnsafeMutablePointer<FieldEntry>.allocate(capacity: node.steps.count + 1)
        for (index, (step, target)) in node.steps.enumerated() {
            var entry = Self.endEntry()
            switch step {
            case .key(let key): Self.setKey(&entry, key)
            case .index(let at): entry.elementIndex = at
            case .every: break
            }
            switch target {
            case .node(let next): entry.child = write(next, isRoot: false)
            case .leaf(let field, let rank): fill(&entry, field: field, rank: rank)
            }
            (entries + index).initialize(to: entry)
        }
        (entries + node.steps.count).initialize(to: Self.endEntry())
        let (slots, mask) = Self.slots(entries, node.steps.count)
        let words = PlanWords(fields: fields)
        let hasRanks = fields.contains { $0.paths.count > 1 }
        let isArray = node.steps.first.map { !$0.step.isKey } ?? false
        table.initialize(
            to: FieldTable(
                form: isArray ? .indexes : .object, entries: entries, count: node.steps.count, slots: slots,
                slotMask: mask, required: words.required[0], defaults: words.defaults[0],
                extraWords: words.required.count - 1, extraRequired: Self.immortal(words.required.dropFirst()),
                extraDefaults: Self.immortal(words.defaults.dropFirst()),
                sideBytes: (words.required.count - 1) * 8 + (hasRanks ? fields.count : 0),
                rankOffset: (words.required.count - 1) * 8, template: isRoot ? template() : nil, size: size,
                alignmentMask: alignment - 1, hasRequired: fields.contains(where: \.isRequired),
                blueprint: nil))
        tables.append(table)
        return UnsafePointer(table)
    }

    private func fill(_ entry: inout FieldEntry, field: Int, rank: Int) {
        let facts = fields[field]
        entry.offset = facts.offset
        entry.kind = facts.shape!.record.pointee.kind
        entry.shape = UnsafePointer(facts.shape!.record)
        entry.rank = UInt8(rank)
        entry.isRanked = facts.paths.count > 1
        entry.field = field
        entry.bit = field < 64 && !entry.isRanked ? 1 << UInt64(field) : 0
    }

    static func endEntry() -> FieldEntry {
        FieldEntry(
            head: 0, keyCount: -1, key: noKey, quoted: .none, offset: 0, elementIndex: -1, kind: .node, rank: 0,
            isRanked: false,
            field: -1, bit: 0, shape: UnsafePointer(nodeShape.record), child: nil)
    }

    nonisolated(unsafe) private static let noKey = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
    private static let nodeShape = JSONShape(Void.self, kind: .node, expectation: "an object")

    static func setKey(_ entry: inout FieldEntry, _ key: String) {
        let bytes = Array(key.utf8)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        memory.initialize(from: bytes, count: bytes.count)
        entry.key = UnsafePointer(memory)
        entry.keyCount = bytes.count
        entry.head = Key(entry.key, entry.keyCount).head
        entry.quoted = QuotedKey(bytes)
    }

    private static func immortal(_ words: ArraySlice<UInt64>) -> UnsafePointer<UInt64>? {
        if words.isEmpty { return nil }
        let memory = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words.count)
        _ = memory.initialize(from: words)
        return UnsafePointer(memory.baseAddress!)
    }

    static func slots(_ entries: UnsafePointer<FieldEntry>, _ count: Int) -> (UnsafePointer<UInt16>, Int) {
        var size = 4
        while size < count * 2 { size *= 2 }
        let slots = UnsafeMutablePointer<UInt16>.allocate(capacity: size)
        slots.initialize(repeating: 0, count: size)
        for index in 0..<count where entries[index].keyCount >= 0 {
            var slot = Key(entries[index].key, entries[index].keyCount).hash & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt16(index + 1)
        }
        return (UnsafePointer(slots), size - 1)
    }

    private func template() -> UnsafeRawPointer? {
        let optionals = fields.filter { $0.shape?.record.pointee.isOptional ?? false }
        if optionals.isEmpty { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: max(alignment, 16))
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        for field in optionals {
            let record = field.shape!.record.pointee
            memory.advanced(by: field.offset).copyMemory(from: record.none!, byteCount: record.size)
        }
        return UnsafeRawPointer(memory)
    }
}

/// The bits of the fields, 64 to a word.
private struct PlanWords {
    var required: [UInt64]
    var defaults: [UInt64]

    init(fields: [PlanBlueprint.FieldFacts]) {
        let count = max(1, (fields.count + 63) / 64)
        required = Array(repeating: 0, count: count)
        defaults = required
        for (index, field) in fields.enumerated() {
            if field.isRequired { required[index / 64] |= 1 << UInt64(index % 64) }
            if field.makeDefault != nil { defaults[index / 64] |= 1 << UInt64(index % 64) }
        }
    }
}

extension JSONPath.Component {
    var isKey: Bool { if case .key = self { true } else { false } }
}
