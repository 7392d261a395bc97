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
// `{` copies the template and starts with no bit set. A key finds its entry, the value is written at
// base + offset, its bit is set. `}` compares the bits with `required` and fills what is missing of `defaults`.

/// One key of an object (or one index of an array) that a plan knows: plain data, read for every key.
struct KeyEntry {
    /// The key's first eight bytes, zeros where it is shorter (see `KeyWord`): all that most comparisons look at.
    var head: UInt64
    var keyCount: Int
    /// The key's bytes, in immortal memory.
    var key: UnsafePointer<UInt8>
    /// The key as it stands in most texts, see `QuotedKey`.
    var quoted: QuotedKey
    /// The value's place in the model's memory.
    var offset: Int
    /// In a table of an array's elements: which one.
    var elementIndex: Int
    var kind: ValueKind
    /// Which of several candidates of its field this is; the lowest that is there wins.
    var rank: UInt8
    /// Whether the field has several candidates.
    var isRanked: Bool
    /// The field's number: its bit among those filled.
    var field: Int
    /// The bit; 0 for what goes the long way: a node, a field beyond the first 64, one with several candidates.
    var presenceBit: UInt64
    var shape: UnsafePointer<TypeLayout>
    /// For a node: the table of what is below.
    var child: UnsafePointer<KeyTable>?
    /// Whether the value is put into a container that is there, beside others.
    var isAbsorbed = false
}

/// The keys of one object of a model's paths: the model's own, or those of an inner node.
///
/// Plain data in immortal memory: a plan is built once per type and lives as long as the process.
struct KeyTable {
    enum Form: UInt8 {
        case object
        /// A node that selects elements of an array by index.
        case indexes
        /// A node that selects every element.
        case every
        /// A node that selects the value of every member of an object.
        case members

        /// The form of a table of steps like this one.
        init(_ step: JSONPath.Component) {
            switch step {
            case .key: self = .object
            case .index: self = .indexes
            case .every: self = .every
            case .everyMember: self = .members
            }
        }

        var isOfObject: Bool { self == .object || self == .members }
        /// Whether the values are gathered.
        var isEvery: Bool { self == .every || self == .members }
    }

    var form: Form
    var entries: UnsafePointer<KeyEntry>
    var count: Int
    /// Open addressing over the entries: their index plus one, 0 where free. Its size is a power of two.
    var slots: UnsafePointer<UInt32>
    var slotMask: Int
    /// Whether the middle of long keys decides about their slot.
    var hashesMiddle: Bool
    /// Of the first 64 fields: those that must be filled, and those with a default to make when they are not.
    var required: UInt64
    var defaults: UInt64
    /// The same of the fields beyond them, 64 to a word.
    var extraWords: Int
    var extraRequired: UnsafePointer<UInt64>?
    var extraDefaults: UnsafePointer<UInt64>?
    /// More than 64 fields, or candidates: bytes of extra bits and ranks that a frame needs.
    var furtherBytes: Int
    var rankOffset: Int
    /// The memory of a model of which nothing is filled: every optional is nil.
    var template: UnsafeRawPointer?
    var size: Int
    var alignmentMask: Int
    /// What is done with a key that is none of these.
    var unknown = UnknownKey.skip
    /// Whether there is more to do at `}` than to look at the bits.
    var isSpecial = false
    var hasRequired = false
    /// Whether it is of an enum with values.
    var isUnion = false
    /// Of an array of which every element is wanted: the fields that gather what lies below, made empty at `[`.
    var gathering: UnsafePointer<Int>?
    var gatheringCount = 0
    /// Of these, the fields of optional elements: where an element lacks the key, the field gets a nil.
    var aligned: UnsafePointer<Int>?
    var alignedCount = 0
    /// Where unknown keys' values go: an entry that puts them into a dictionary.
    var extra: UnsafePointer<KeyEntry>?
    /// The cold facts; none for a path that was asked for at the call.
    var plan: Unmanaged<ResolvedPlan>?

    enum UnknownKey: UInt8 {
        /// It is passed over.
        case skip
        /// It is noted, for it may be a misspelt one that is required.
        case note
        /// It is captured, refused or reported.
        case look
    }

    /// The cold facts of the fields.
    var fields: [FieldInfo] {
        plan.map { $0._withUnsafeGuaranteedRef { $0.fields } } ?? []
    }

    /// The entry of a key, or nil.
    @inline(__always)
    func find(_ key: Key) -> UnsafePointer<KeyEntry>? {
        var slot = key.hash(includesMiddle: hashesMiddle) & slotMask
        while true {
            let index = Int(slots[slot])
            if index == 0 { return nil }
            let entry = entries + (index &- 1)
            if entry.pointee.matches(key) { return entry }
            slot = (slot &+ 1) & slotMask
        }
    }

    /// The entry of an array's index, or nil.
    func find(index: Int) -> UnsafePointer<KeyEntry>? {
        (0..<count).lazy.map { entries + $0 }.first { $0.pointee.elementIndex == index }
    }
}

extension TypeLayout {
    /// The keys of a model or an enum. Set when the layout is resolved.
    @inline(__always)
    var table: UnsafePointer<KeyTable>? {
        get { tableAddress?.assumingMemoryBound(to: KeyTable.self) }
        set { tableAddress = UnsafeRawPointer(newValue) }
    }
}
