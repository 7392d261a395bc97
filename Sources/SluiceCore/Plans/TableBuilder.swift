/// Builds the tables of a plan's fields: first a trie of their paths, then plain memory.
struct TableBuilder {
    let fields: [FieldInfo]
    let size: Int
    let alignment: Int
    let memory: PlanMemory
    var isSpecial = false
    /// The functions that are called before encoding.
    var encodingHooks: Unmanaged<EncodingHooks>?
    var unknownKeys = JSONUnknownKeys.ignore
    /// The order in which the keys of the fields are expected; nil for the order of the fields.
    var order: [Int]?
    /// A key without a field, which is expected at the place of a field that has no key.
    var passedKey: (key: String, field: Int)?
    private(set) var defect: String?
    private(set) var tables: [UnsafeMutablePointer<KeyTable>] = []
    /// The objects on paths, with their paths, which are nil inside of arrays, and whether another field reads the whole object.
    private var parts: [(table: UnsafeMutablePointer<KeyTable>, path: [String]?, isRead: Bool)] = []

    init(fields: [FieldInfo], size: Int, alignment: Int, memory: PlanMemory) {
        self.fields = fields
        self.size = size
        self.alignment = alignment
        self.memory = memory
    }

    mutating func build() -> TableReference {
        let root = PathTrie()
        for index in order ?? Array(fields.indices) {
            let field = fields[index]
            if let passedKey, passedKey.field == index { root.reserve(key: passedKey.key) }
            if field.paths.count > KeyEntry.maximumCandidateCount {
                defect = "'\(field.name)' has more than \(KeyEntry.maximumCandidateCount) candidate keys"
            }
            let ownPaths = field.paths + (field.writtenPath.map { [$0] } ?? [])
            if let path = ownPaths.first(where: { $0.components.first?.isOfObject == false }) {
                defect =
                    defect
                    ?? "'\(path)', of '\(field.name)', selects elements of an array, and the model itself is an object"
            }
            for (rank, path) in field.paths.enumerated() where !path.components.isEmpty {
                if path.components[0] == .anyKey {
                    defect =
                        defect
                        ?? "'\(path)', of '\(field.name)', selects every member of the model's own object: only extra keys can do this"
                    continue
                }
                if let conflict = root.insert(path, .init(field: index, rank: min(rank, KeyEntry.maximumRank))) {
                    defect = defect ?? describe(conflict, path, of: field)
                }
            }
        }
        for field in fields {
            for key in field.hiddenKeys { root.reserve(key: key) }
        }
        let table = write(root, at: [], isRead: false, isCollecting: false)
        addExtra(to: tables[tables.count - 1])
        return table
    }

    private func describe(_ conflict: PathTrie.Conflict, _ path: JSONPath, of field: FieldInfo) -> String {
        switch conflict {
        case .samePath(let other):
            return "'\(fields[other.field].name)' and '\(field.name)' are both filled from '\(path)'"
        case .objectAndArray(let depth, _):
            let (form, other) = path.components[depth].isOfObject ? ("object", "array") : ("array", "object")
            return
                "'\(path)', of '\(field.name)', leads through an \(form) where another field's path leads through an \(other)"
        case .everyAndOne(let depth, _):
            let component = path.components[depth]
            let (whole, part) = component.isOfObject ? ("object", "member") : ("array", "element")
            let (number, other) = component.isWildcard ? ("every", "one") : ("one", "every one")
            return
                "'\(path)', of '\(field.name)', selects \(number) \(part) of an \(whole) of which another field's path selects \(other)"
        }
    }

    /// - Parameters:
    ///   - path: The keys of the object; nil for an array, and inside of one.
    ///   - isRead: Whether a field reads the whole object.
    private mutating func write(
        _ node: PathTrie, at path: [String]?, isRead: Bool, isCollecting: Bool
    ) -> TableReference {
        let isRoot = path?.isEmpty == true
        let form = node.children.first.map { KeyTable.Form($0.component) } ?? .object
        var keyEntries: [KeyEntry] = []
        for (component, child) in node.children {
            var entry = Self.sentinel()
            if !child.children.isEmpty {
                var inner: [String]?
                if case .key(let key) = component, let path { inner = path + [key] }
                entry.child = write(
                    child, at: inner, isRead: isRead || child.leaf != nil,
                    isCollecting: isCollecting || form.isWildcard)
            }
            if let leaf = child.leaf { fill(&entry, field: leaf.field, rank: leaf.rank) }
            if child.leaf == nil, child.children.isEmpty { entry.disposition = .skip }
            switch component {
            case .key(let key):
                if isRoot, let passedKey, passedKey.key == key { entry.presenceBit = 1 << UInt64(passedKey.field) }
                setKey(&entry, key)
                let isPart = entry.container != nil || entry.child != nil && child.leaf == nil
                if isPart, !QuotedKey(Array(key.utf8)).matchesNothing { entry.expectation = .part }
            case .index(let at): entry.elementIndex = at
            case .anyIndex, .anyKey: break
            }
            keyEntries.append(entry)
        }
        var table = KeyTable(form, keyEntries, in: memory)
        let words = max(fields.count - 1, 0) / 64
        var (required, defaults) = (FieldSet(), FieldSet())
        for (index, field) in fields.enumerated() {
            if field.isRequired { required.insert(index) }
            if field.group == nil, field.defaultsWhenMissing { defaults.insert(index) }
        }
        (table.required, table.defaults) = (required[0], defaults[0])
        table.furtherBits = list((0..<words).map { (required: required[$0 + 1], defaults: defaults[$0 + 1]) })
        let hasRanks = fields.contains { $0.paths.count > 1 }
        (table.extendedPresenceSize, table.rankOffset) = (words * 8 + (hasRanks ? fields.count : 0), words * 8)
        if isRoot { table.template = template() }
        (table.size, table.alignmentMask) = (size, alignment - 1)
        table.hasRequired = fields.contains(where: \.isRequired)
        table.unknown = isRoot && unknownKeys != .ignore ? .look : table.hasRequired ? .note : .skip
        table.isSpecial = isSpecial || words > 0
        if form.isWildcard {
            if !isCollecting { table.collecting = list(node.children.flatMap(\.node.leaves).map(\.field)) }
            table.aligned = list(innermostLeaves(below: node).filter { fields[$0].isAligned })
        }
        table.encodingHooks = encodingHooks
        for entry in keyEntries { table.reserveAddition(of: entry) }
        let address = memory.copy(CollectionOfOne(table))
        tables.append(address)
        if !isRoot, form == .object { parts.append((address, path, isRead)) }
        return TableReference(address)
    }

    /// Returns the fields whose last wildcard is the step to the children of a node.
    private func innermostLeaves(below node: PathTrie) -> [Int] {
        node.children.flatMap { component, child in
            let own = child.leaf.map { [$0.field] } ?? []
            let isOuter = child.children.first?.component.isWildcard == true
            return own + (isOuter ? [] : innermostLeaves(below: child))
        }
    }

    private mutating func fill(_ entry: inout KeyEntry, field: Int, rank: Int) {
        let info = fields[field]
        let layout = info.layout!
        entry.offset = info.offset
        entry.disposition = .store(layout.kind)
        entry.layout = layout
        entry.rank = UInt8(rank)
        entry.isRanked = info.paths.count > 1
        entry.field = field
        entry.presenceBit = field < 64 && !entry.isRanked && entry.child == nil ? 1 << UInt64(field) : 0
        // A nil that is present must not be treated as a missing key.
        let cases = info.declared.defaultCases
        if layout.isOptional, info.makeDefault != nil, !cases.isSuperset(of: [.missing, .null]) {
            entry.presenceBit = 0
        }
        if entry.child != nil { entry.disposition = .record }
        if info.hook != nil { (entry.disposition, entry.presenceBit) = (.record, 0) }
        if info.collects { insert(&entry, info) }
    }

    /// Makes an entry add its values to the field's container.
    private mutating func insert(_ entry: inout KeyEntry, _ info: FieldInfo) {
        guard let container = info.shape?.container, container.insert != nil, let element = info.element else {
            defect =
                defect
                ?? "'\(info.name)' collects values by \(info.wildcards) or as extra keys, and is not a container"
            return
        }
        if entry.child != nil {
            defect = defect ?? "'\(info.name)' collects values of which another field reads parts"
        }
        entry.layout = element
        entry.disposition = .store(element.kind)
        entry.presenceBit = 0
        entry.container = .passUnretained(container)
    }

    private mutating func addExtra(to table: UnsafeMutablePointer<KeyTable>) {
        let extras = fields.indices.filter { fields[$0].isExtra }
        guard let field = extras.first else { return }
        if extras.count > 1 {
            defect = defect ?? "'\(fields[extras[1]].name)' is the second property for extra keys"
        }
        var entry = Self.sentinel()
        fill(&entry, field: field, rank: 0)
        insert(&entry, fields[field])
        table.pointee.reserveAddition(of: entry)
        table.pointee.extra = EntryReference(memory.copy(CollectionOfOne(entry)))
        table.pointee.unknown = .look
        // A key beside those of paths stays below the keys of its object.
        for part in parts {
            guard let path = part.path, entry.layout.kind == .value, let witness = fields[field].shape?.container,
                let access = fields[field].shape?.members
            else {
                // Extra keys of another type cannot hold such a key, and none hold a key in an array.
                if !part.isRead { part.table.pointee.unknown = .look }
                continue
            }
            part.table.pointee.unknown = .look
            entry.container = memory.keep(PartWitness(witness, access.inside(path)) as ContainerWitness)
            part.table.pointee.reserveAddition(of: entry)
            part.table.pointee.extra = EntryReference(memory.copy(CollectionOfOne(entry)))
        }
    }

    /// Makes the entry of a flattened enum, which has no key of its own.
    mutating func entry(ofFlattened field: Int) -> EntryReference {
        var entry = Self.sentinel()
        fill(&entry, field: field, rank: 0)
        // The completion of the enum may continue with the end of the model.
        entry.presenceBit = 0
        return EntryReference(memory.copy(CollectionOfOne(entry)))
    }

    static func sentinel() -> KeyEntry {
        KeyEntry(
            head: 0, keyCount: -1, key: noKey, quoted: .none, offset: 0, elementIndex: -1, disposition: .descend,
            rank: 0,
            isRanked: false,
            field: -1, presenceBit: 0, layout: LayoutReference(nodeShape.layout), child: nil)
    }

    nonisolated(unsafe) private static let noKey = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
    private static let nodeShape = JSONShape(Void.self, kind: .ignored, expectation: "an object")

    func setKey(_ entry: inout KeyEntry, _ key: String) { Self.setKey(&entry, key, memory) }

    /// Sets the key of an entry whose presence bit is known.
    static func setKey(_ entry: inout KeyEntry, _ key: String, _ memory: PlanMemory) {
        entry.setKey(key.utf8, memory)
        if entry.presenceBit != 0 { entry.quoted = QuotedKey(Array(key.utf8)) }
    }

    /// Copies numbers to the memory of the plan.
    private func list<Number: BitwiseCopyable>(_ numbers: some Collection<Number>) -> UnsafeBufferPointer<Number> {
        UnsafeBufferPointer(start: numbers.isEmpty ? nil : memory.copy(numbers), count: numbers.count)
    }

    /// Makes a table of keys without presence bits.
    static func table(of keys: [(key: String, field: Int)], _ memory: PlanMemory) -> TableReference {
        TableReference(mutableTable(of: keys, memory, size: 0, alignmentMask: 0))
    }

    /// The same for the object of an enum, whose memory has a size.
    static func mutableTable(
        of keys: [(key: String, field: Int)], _ memory: PlanMemory, size: Int, alignmentMask: Int
    ) -> UnsafeMutablePointer<KeyTable> {
        let entries = keys.map { key, field in
            var entry = sentinel()
            entry.setKey(key.utf8, memory)
            entry.field = field
            if !QuotedKey(Array(key.utf8)).matchesNothing { entry.expectation = .part }
            return entry
        }
        var table = KeyTable(.object, entries, in: memory)
        (table.size, table.alignmentMask) = (size, alignmentMask)
        (table.unknown, table.isSpecial) = (.look, true)
        return memory.copy(CollectionOfOne(table))
    }

    static func slots(
        _ entries: EntryReference, _ count: Int, _ memory: PlanMemory
    ) -> (slots: UnsafePointer<UInt32>, mask: Int, hashesMiddle: Bool) {
        let hashesMiddle = differInTheMiddle((0..<count).lazy.map { entries[$0].ownKey })
        // Most slots are free, so that nearly all searches end at the first one, also those of keys without an entry.
        var size = 4
        while size < count * 8 { size *= 2 }
        let slots = memory.copy(repeatElement(UInt32(0), count: size))
        for index in 0..<count where entries[index].keyCount >= 0 || entries[index].elementIndex >= 0 {
            let entry = entries[index]
            let hash =
                entry.keyCount >= 0
                ? entry.ownKey.hash(includesMiddle: hashesMiddle) : KeyTable.hash(entry.elementIndex)
            var slot = hash & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(index + 1)
        }
        return (UnsafePointer(slots), size - 1, hashesMiddle)
    }

    /// Whether so many keys differ only in the middle that searches would be long.
    private static func differInTheMiddle(_ keys: some Sequence<Key>) -> Bool {
        var counts: [Int: Int] = [:]
        for key in keys where key.count > 16 {
            let count = counts[key.hash(includesMiddle: false), default: 0] + 1
            if count > 4 { return true }
            counts[key.hash(includesMiddle: false)] = count
        }
        return false
    }

    /// Makes the initial memory of a model, in which every optional is nil.
    private func template() -> UnsafeRawPointer? {
        let optionals = fields.filter { $0.layout?.isOptional ?? false }
        if optionals.isEmpty { return nil }
        let block = memory.allocateRaw(size, alignment: max(alignment, 16))
        block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        for field in optionals {
            let layout = field.layout!
            block.advanced(by: field.offset).copyMemory(from: layout.none!, byteCount: layout.size)
        }
        return UnsafeRawPointer(block)
    }
}

extension [JSONPath] {
    /// The first wildcard, as in a path.
    var wildcards: String {
        lazy.flatMap(\.components).first(where: \.isWildcard) == .anyKey ? ".*" : "[*]"
    }
}
