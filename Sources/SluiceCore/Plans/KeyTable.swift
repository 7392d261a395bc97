// A worked example. The model
//
//     struct Repository { let id: Int; let name: String; let login: String?; var stars = 0 }
//
// with the keys "id", "full_name", "owner.login" and "stars" becomes two tables that fill the same memory:
//
//     root    key        offset  kind     bit  flags
//             id              0  int        0
//             full_name       8  string     1
//             owner           –  node       –  → inner
//             stars          40  int        3
//     inner   login          24  string     2                    (a String? is written as its String is)
//
//     required = bits 0, 1     defaults = bit 3     template = 48 bytes, with nil at offset 24
//
// `{` copies the template and clears all presence bits. A key finds its entry, the value is written at base + offset, and
// its bit is set. `}` compares the bits with `required` and makes the missing values of `defaults`.

/// A key of an object, or an index of an array, that a plan reads. Plain data, read for every key.
struct KeyEntry {
    /// How the entry is compared with a key if the entry is expected next.
    enum Expectation: UInt8 {
        /// By the words of the quoted key.
        case words
        /// The same, but the value is that of a node, or added to a container: `quoted` matches nothing.
        case part
        /// By the words of a key without a field, in a table of `LearnedKeys`.
        case unread
    }

    /// The first eight bytes of the key, filled up with zeros (see `Key`). Most comparisons need no other bytes.
    var head: UInt64
    var keyCount: Int
    /// The bytes of the key, in the memory of the plan.
    var key: UnsafePointer<UInt8>
    /// The quoted key, in the form that most inputs have. See `QuotedKey`. Matches nothing in entries without a fast path.
    var quoted: QuotedKey
    /// The offset of the value in the model's memory.
    var offset: Int
    /// In a table of an array's elements: the index of the element.
    var elementIndex: Int
    var disposition: Disposition
    /// The rank of a null, which is worse than that of every candidate.
    static var nullRank: UInt8 { 200 }
    /// The greatest rank of a candidate. All later candidates share the rank.
    static var maximumRank: Int { 100 }
    /// The greatest number of candidates of a field.
    static var maximumCandidateCount: Int { 100 }
    /// The rank of this key among the candidates of its field. The lowest rank that is present wins.
    var rank: UInt8
    /// Whether the field has several candidates.
    var isRanked: Bool
    /// The index of the field, which is also the index of its presence bit.
    var field: Int
    /// The presence bit; 0 for entries without a fast path: nodes, fields beyond the first 64, fields with candidates.
    var presenceBit: UInt64
    var layout: LayoutReference
    /// For a node: the table of the keys below.
    var child: TableReference?
    /// The entry that is expected after this one, in the same table; nil for an entry outside of a table.
    var successor: EntryReference?
    var expectation = Expectation.words
    /// The container of the field, which the plan retains, if values are added to it one by one. The layout is then that of a value.
    var container: Unmanaged<ContainerWitness>?
}

/// The keys of one object on a model's key paths: the model's own object, or that of an inner node.
///
/// Plain data in the memory of a `ResolvedPlan`, and valid as long as the plan.
package struct KeyTable {
    enum Form: UInt8 {
        case object
        /// A node that selects elements of an array by index.
        case indexes
        /// A node that selects every element.
        case anyIndex
        /// A node that selects the value of every member of an object.
        case anyKey

        /// Creates the form of a table whose steps are like this one.
        init(_ step: JSONPath.Component) {
            switch step {
            case .key: self = .object
            case .index: self = .indexes
            case .anyIndex: self = .anyIndex
            case .anyKey: self = .anyKey
            }
        }

        var isOfObject: Bool { self == .object || self == .anyKey }
        /// Whether the node selects several values, which are collected.
        var isWildcard: Bool { self == .anyIndex || self == .anyKey }
    }

    let form: Form
    /// The first entry. The last one is followed by an entry that matches no key.
    private(set) var entries: EntryReference
    /// The entry that is expected first.
    var first: EntryReference
    private(set) var count: Int
    /// Whether the table is a copy of `LearnedKeys`.
    var isLearned = false
    /// A hash table of the keys or indexes with open addressing: the number of an entry plus one, or 0 for a free slot. The size is a power of two.
    var slots: UnsafePointer<UInt32>
    var slotMask: Int
    /// Whether the middle of long keys affects their slot.
    var hashesMiddle: Bool
    /// The presence bits of the first 64 fields that are required, and of those with a default.
    var required: UInt64 = 0
    var defaults: UInt64 = 0
    /// The same for the other fields, 64 per element.
    var furtherBits = UnsafeBufferPointer<(required: UInt64, defaults: UInt64)>(start: nil, count: 0)
    /// The number of bytes that a frame needs for further presence bits and for the ranks of candidates.
    var extendedPresenceSize = 0
    var rankOffset = 0
    /// The initial memory of a model, in which every optional is nil.
    package var template: UnsafeRawPointer?
    package var size = 0
    var alignmentMask = 0
    /// How keys without an entry are handled.
    var unknown = UnknownKey.skip
    /// Whether `}` requires more than a comparison of the presence bits.
    var isSpecial = false
    var hasRequired = false
    /// For the outermost node that selects several values: the fields that collect values below. `[` makes these fields empty.
    var collecting = UnsafeBufferPointer<Int>(start: nil, count: 0)
    /// For the innermost node of a path that selects several values: the fields whose elements are optional. Each selected value
    /// adds one element to these fields, which is nil if the value lacks the key.
    var aligned = UnsafeBufferPointer<Int>(start: nil, count: 0)
    /// The entry that adds the values of unknown keys to a dictionary.
    var extra: EntryReference?
    /// The memory of a value that is added to a container.
    var additionSize = 0
    var additionAlignmentMask = 0
    /// The entry of the flattened enum, for a model whose object can be read in place instead of recorded.
    var enumInPlace: EntryReference?
    /// For such a model: the tables for the cases of the enum, by the number of the case; nil for a case whose members are read after those
    /// of the model. Nil without a table.
    var joinedTables: UnsafePointer<TableReference?>?
    /// For one of these tables: the case.
    var joined: JoinedCaseReference?
    /// For the object of an enum: the cases.
    var union: UnionReference?
    /// The functions that are called before a model is encoded; nil without any.
    var encodingHooks: Unmanaged<EncodingHooks>?
    /// The plan; nil for the table of a path that was passed to a decoding call.
    var unretainedPlan: Unmanaged<ResolvedPlan>?

    enum UnknownKey: UInt8 {
        /// Skips the value.
        case skip
        /// Skips the value and notes the key, which may be a misspelling of a required key.
        case note
        /// Adds the value to the extra keys, or rejects or reports the key.
        case look
    }
}

/// A case of a flattened enum whose members are read together with those of the model around it.
///
/// The memory of the model is followed by that of the payload. The numbers of the model's fields are those in the model's own table, and the
/// fields of the payload come after them.
struct JoinedCase {
    let union: UnionReference
    let index: Int
    /// The entry of the enum's field.
    let entry: EntryReference
    let payloadOffset: Int
    /// The presence bits of the enum and of the fields of the payload.
    let enumBit: UInt64
    let payloadBits: UInt64
    /// The table of the model's own keys.
    let modelTable: TableReference
    /// Whether the model is a struct filled in place that needs no more than its fields: no hooks, and no models that may be absent.
    let isPlain: Bool
}

typealias EntryReference = PlanReference<KeyEntry>
typealias JoinedCaseReference = PlanReference<JoinedCase>
package typealias TableReference = PlanReference<KeyTable>

extension EntryReference {
    /// The entry at a distance from this one.
    @inline(__always)
    subscript(distance: Int) -> EntryReference { EntryReference(pointer + distance) }

    @inline(__always)
    func matches(_ key: Key) -> Bool { pointer.pointee.matches(key) }

    /// Whether the value is added to an existing container.
    @inline(__always)
    var addsToContainer: Bool { self.container != nil }

    /// Whether the entry of an object has no key of its own, because its enum shares the object.
    var isFlattenedEnum: Bool { self.keyCount < 0 && !addsToContainer }

    /// See ``KeyEntry/matches(textAt:)``.
    @inline(__always)
    func matches(textAt text: UnsafePointer<UInt8>) -> Bool { pointer.pointee.matches(textAt: text) }
}

extension PlanMemory {
    /// Copies the entries of a table in declared order, in which each entry leads to the next one.
    ///
    /// One more entry follows, with a length that no key has, because the last entry leads there.
    func entries(_ entries: [KeyEntry]) -> EntryReference {
        let copies = copy(entries + [TableBuilder.sentinel()])
        for index in entries.indices { copies[index].successor = EntryReference(copies + index + 1) }
        return EntryReference(copies)
    }
}

extension TableReference {
    /// The plan, for rarely used data, retained; nil for the table of a path that was passed to a decoding call.
    @inline(__always)
    package var plan: ResolvedPlan? { self.unretainedPlan?.takeUnretainedValue() }

    /// The descriptions of the fields.
    @inline(__always)
    var fields: [FieldInfo] {
        self.unretainedPlan.map { $0._withUnsafeGuaranteedRef { $0.fields } } ?? []
    }

    /// The number of words of presence bits.
    package var wordCount: Int { 1 + self.furtherBits.count }

    /// The presence bits of those of 64 fields that are required, and of those with a default.
    func bits(word: Int) -> (required: UInt64, defaults: UInt64) {
        word == 0 ? (self.required, self.defaults) : self.furtherBits[word - 1]
    }

    /// The access to the members of the extra keys, or of their part that has the members of an object on a path.
    var extraAccess: MemberAccess? {
        guard let extra = self.extra else { return nil }
        let part = extra.container?.takeUnretainedValue() as? PartWitness
        return part?.access ?? self.fields[extra.field].shape?.members
    }

    /// The entry after the last, which matches no key.
    var end: EntryReference { self.entries[self.count] }

    /// All entries.
    var allEntries: some Sequence<EntryReference> { (0..<self.count).lazy.map { self.entries[$0] } }

    /// Returns the entry of a key, or nil.
    @inline(__always)
    func find(_ key: Key) -> EntryReference? {
        var slot = key.hash(includesMiddle: self.hashesMiddle) & self.slotMask
        while true {
            let index = Int(self.slots[slot])
            if index == 0 { return nil }
            let entry = self.entries[index &- 1]
            if entry.matches(key) { return entry }
            slot = (slot &+ 1) & self.slotMask
        }
    }

    func find(_ key: String) -> EntryReference? {
        var key = key
        return key.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return withUnsafePointer(to: 0) { find(Key($0, 0)) } }
            return find(Key(base, bytes.count))
        }
    }

    /// Returns the entry of an array's index, or nil.
    func find(index: Int) -> EntryReference? {
        var slot = KeyTable.hash(index) & self.slotMask
        while true {
            let number = Int(self.slots[slot])
            if number == 0 { return nil }
            let entry = self.entries[number &- 1]
            if entry.elementIndex == index { return entry }
            slot = (slot &+ 1) & self.slotMask
        }
    }

    /// The conversions between a model and its storage; nil for a model that is filled in place.
    @inline(__always)
    var storageFunctions: Unmanaged<StorageFunctions>? {
        guard let plan = self.unretainedPlan else { return nil }
        return plan._withUnsafeGuaranteedRef { $0.storageFunctions }
    }

    /// Makes a model that is filled through storage. The storage is moved out of its memory.
    @inline(__always)
    func makeModel(from storage: UnsafeMutableRawPointer, at target: UnsafeMutableRawPointer) {
        guard let functions = storageFunctions else { preconditionFailure("The model has no storage.") }
        functions._withUnsafeGuaranteedRef { $0.make(storage, target) }
    }
}

extension LayoutReference {
    // A computed property is not read by its key path, which the compiler leaves to the runtime in the loop of the scanner.
    /// The keys of a model or an enum; nil before the layout is resolved, and for other types.
    @inline(__always)
    package var table: TableReference? { pointer.pointee.table }

    /// The keys of a model or an enum, which is resolved.
    @inline(__always)
    var keyTable: TableReference { self.table.unsafelyUnwrapped }

    /// Whether values are written from their fields alone, without hooks or storage.
    @inline(__always)
    var isPlainModel: Bool {
        (pointer.pointee.kind == .model || pointer.pointee.kind == .composite) && !pointer.pointee.hasStorage
            && keyTable.pointer.pointee.encodingHooks == nil
    }
}

extension TypeLayout {
    /// The keys of a model or an enum. Set when the layout is resolved.
    @inline(__always)
    package var table: TableReference? {
        get { tableAddress.map { TableReference(untyped: $0) } }
        set { tableAddress = newValue.map { UnsafeRawPointer($0.pointer) } }
    }
}

extension KeyTable {
    /// Returns the hash of an index of an array.
    @inline(__always)
    static func hash(_ index: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15) &>> 32)
    }

    /// Creates a table in the memory of a plan, with the keys of entries in declared order.
    init(_ form: Form, _ entries: [KeyEntry], in memory: PlanMemory) {
        (self.form, self.entries, count) = (form, memory.entries(entries), entries.count)
        first = self.entries
        (slots, slotMask, hashesMiddle) = TableBuilder.slots(self.entries, count, memory)
    }

    /// Makes room for the values that an entry adds to a container.
    mutating func reserveAddition(of entry: KeyEntry) {
        guard entry.container != nil else { return }
        additionSize = max(additionSize, entry.layout.size)
        additionAlignmentMask |= entry.layout.alignmentMask
    }

    /// Creates a copy of a table without entries: each key is a key without a field.
    init(_ other: KeyTable, withoutEntriesIn memory: PlanMemory) {
        self = other
        (entries, count, unknown) = (memory.entries([]), 0, .look)
        first = entries
        (slots, slotMask, hashesMiddle) = TableBuilder.slots(entries, 0, memory)
    }

    /// Creates a copy of a table whose entries are changed while a document is decoded.
    init(_ other: KeyTable, learning entries: EntryReference) {
        self = other
        self.entries = entries
        first = entries
        isLearned = true
    }
}

extension KeyEntry {
    /// Sets the bytes of the key.
    mutating func setKey(_ bytes: some Collection<UInt8>, _ memory: PlanMemory) {
        key = UnsafePointer(memory.copy(bytes))
        keyCount = bytes.count
        head = Key(key, keyCount).head
    }

    /// The key of an entry that has one.
    @inline(__always)
    var knownKey: Key { Key(key, keyCount, head: head) }

    /// The key of the entry; an empty key for the element of an array.
    var ownKey: Key { Key(key, max(keyCount, 0)) }

    @inline(__always)
    func matches(_ other: Key) -> Bool {
        guard head == other.head, keyCount == other.count else { return false }
        return keyCount <= 8 || Kernels.haveEqualBytes(key, other.bytes, keyCount)
    }
}

extension KeyEntry {
    /// The same comparison for an entry whose `quoted` matches nothing.
    ///
    /// - Precondition: The key has no character that needs an escape, and its quoted text has at most `QuotedKey.reach` bytes.
    @inline(__always)
    func matches(plainTextAt at: UnsafePointer<UInt8>) -> Bool {
        matches(Key(readable: at, keyCount)) && at[keyCount] == UInt8(ascii: "\"")
    }

    /// Whether the bytes after an opening quote are this key and its closing quote. Returns false for a key written with
    /// escapes.
    ///
    /// - Precondition: `QuotedKey.reach` bytes can be read.
    @inline(__always)
    func matches(textAt at: UnsafePointer<UInt8>) -> Bool { matches(textAt: at, quoted) }

    /// The same for other words of the key.
    @inline(__always)
    func matches(textAt at: UnsafePointer<UInt8>, _ quoted: QuotedKey) -> Bool {
        let text = UnsafeRawPointer(at)
        guard UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)) & quoted.mask == quoted.head else {
            return false
        }
        if keyCount < 8 { return true }
        if keyCount > 15, !middleMatches(text) { return false }
        return UInt64(littleEndian: text.loadUnaligned(fromByteOffset: keyCount &- 7, as: UInt64.self))
            == quoted.tail
    }

    @inline(__always)
    private func middleMatches(_ text: UnsafeRawPointer) -> Bool {
        let mine = UnsafeRawPointer(key)
        var at = 8
        while at < keyCount &- 7 {
            // The last word overlaps the tail.
            let from = min(at, keyCount &- 8)
            if mine.loadUnaligned(fromByteOffset: from, as: UInt64.self)
                != text.loadUnaligned(fromByteOffset: from, as: UInt64.self)
            {
                return false
            }
            at &+= 8
        }
        return true
    }
}

/// How the driver handles the next value.
///
/// Takes one byte: the payload's type has fewer values than a byte, and the other cases use the rest. The test for one kind of a
/// stored value is one comparison.
enum Disposition: Equatable {
    /// A new value is made and written to the slot.
    case store(ValueKind)
    /// The value is validated only.
    case skip
    /// The value belongs to a key path: an object or array that contains fields of the enclosing model.
    case descend
    /// The value has several readers: the field and its parts, or a hook. The value is recorded and replayed.
    case record
    /// The value replaces that of a worse candidate. Null has no effect.
    case replace

    /// The disposition of a value that is requested as the result.
    init(result layout: LayoutReference) {
        // A type without contents accepts any JSON.
        self = layout.kind == .ignored ? .skip : .store(layout.kind)
    }
}
