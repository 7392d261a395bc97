/// The order of a document's keys, learned while the document is decoded.
///
/// In the table of a plan, each entry leads to the next one in declared order, which is the guess of the next key. In a document with
/// another order, most guesses are wrong, and each key is looked up. If more than two guesses per object are wrong, the driver uses copies
/// of the tables, in which each entry leads to the one that followed last. Keys without a field have entries in the copies, too.
///
/// Invariant: the copies live as long as the driver that owns them, and no other driver changes them. An entry leads to entries of its own
/// table only.
struct LearnedKeys: ~Copyable {
    /// The key before the current one, if that key has no field.
    fileprivate enum Last {
        /// The current key is the first.
        case none
        case unread(EntryReference)
        /// The key before has no entry.
        case unknown
    }

    /// The number of wrong guesses that take less time than a copy.
    private static var threshold: Int { 32 }
    /// The number of wrong guesses per object up to which the declared order is the best guess: those of members that are missing.
    fileprivate static var tolerance: Int { 2 }

    private var wrongGuesses = 0
    private var last = Last.none
    private var unretainedTables: Unmanaged<LearnedTables>?

    deinit { unretainedTables?.release() }

    /// Whether a new object has a copy of its table.
    ///
    /// - Parameter objectCount: The number of objects so far.
    @inline(__always)
    func isWanted(_ objectCount: Int) -> Bool {
        wrongGuesses > Self.threshold &+ Self.tolerance &* objectCount
    }

    /// Counts a key that was not the expected one, in an object without a copy of its table.
    @inline(__always)
    mutating func countWrongGuess() { wrongGuesses &+= 1 }

    /// Returns the copy of a table for a new object, or the table itself if its order counts as random.
    @inline(never)
    mutating func begin(_ table: TableReference) -> TableReference {
        last = .none
        return (unretainedTables ?? makeTables())._withUnsafeGuaranteedRef { $0.begin(table) }
    }

    private mutating func makeTables() -> Unmanaged<LearnedTables> {
        let tables = Unmanaged.passRetained(LearnedTables())
        unretainedTables = tables
        // All further objects have copies.
        wrongGuesses = .max / 2
        return tables
    }

    /// Notes the entry of a key that was not the expected one.
    ///
    /// - Parameters:
    ///   - before: The entry of the key before; nil for a key without a field, and for the first key.
    ///   - table: The copy of the object's table.
    func recordSuccessor(_ before: EntryReference?, with entry: EntryReference, in table: TableReference) {
        let last = last
        unretainedTables?._withUnsafeGuaranteedRef { $0.recordSuccessor(before, last, with: entry, in: table) }
    }

    /// Notes a key without a field that was not the expected one.
    ///
    /// - Parameters:
    ///   - before: The entry of the key before; nil for a key without a field, and for the first key.
    ///   - guess: The entry that was expected.
    ///   - table: The copy of the object's table.
    /// - Returns: The entry that is expected next.
    mutating func recordSuccessor(
        _ before: EntryReference?, withUnread key: Key, in table: TableReference, expecting guess: EntryReference
    ) -> EntryReference {
        let entry = unretainedTables?._withUnsafeGuaranteedRef { $0.entry(ofUnread: key, in: table, before: guess) }
        guard let entry = entry ?? nil else {
            last = .unknown
            return guess
        }
        recordSuccessor(before, with: entry, in: table)
        last = .unread(entry)
        return entry.successor.unsafelyUnwrapped
    }

    /// Compares the bytes after an opening quote with the expected key, which has no field.
    ///
    /// - Precondition: `QuotedKey.reach` bytes can be read.
    @inline(__always)
    mutating func reads(_ entry: EntryReference, textAt text: UnsafePointer<UInt8>) -> Bool {
        guard UnreadEntry.of(entry).pointee.matches(textAt: text) else { return false }
        last = .unread(entry)
        return true
    }
}

/// The entry of a key without a field, in the copy of a table.
private struct UnreadEntry {
    /// The first property, so that both have the same address. Matches no text: an entry that matches is that of a field.
    var entry: KeyEntry
    /// The words of the key.
    let quoted: QuotedKey
    let table: TableReference

    @inline(__always)
    func matches(textAt text: UnsafePointer<UInt8>) -> Bool { entry.matches(textAt: text, quoted) }

    @inline(__always)
    static func of(_ entry: EntryReference) -> UnsafePointer<UnreadEntry> {
        UnsafeRawPointer(entry.pointer).assumingMemoryBound(to: UnreadEntry.self)
    }
}

/// The copies of the tables of a driver.
private final class LearnedTables {
    /// The copy of a table.
    private struct Copy {
        /// The first property, so that both have the same address.
        var table: KeyTable
        var objectCount = 0
        var wrongGuesses = 0

        /// Whether the order counts as random, so that a guess is not worth its time.
        var isRandom: Bool { wrongGuesses > 1000 + LearnedKeys.tolerance * objectCount }
    }

    private static let maximumUnreadCount = 500
    private static let slotCount = 1024

    private let memory = PlanMemory()
    private let copies = AddressTable()
    /// A hash table of the keys without a field, with open addressing. Created for the first key.
    private lazy var unread: UnsafeMutablePointer<UnsafeMutablePointer<UnreadEntry>?> = {
        let slots = memory.allocate(UnsafeMutablePointer<UnreadEntry>?.self, Self.slotCount)
        slots.initialize(repeating: nil, count: Self.slotCount)
        return slots
    }()
    private var unreadCount = 0

    // MARK: Tables

    func begin(_ table: TableReference) -> TableReference {
        let copy = copy(of: table)
        copy.pointee.objectCount += 1
        return copy.pointee.isRandom ? table : TableReference(untyped: copy)
    }

    private func copy(of table: TableReference) -> UnsafeMutablePointer<Copy> {
        let key = UInt(bitPattern: table.pointer)
        if let known = copies[key] { return Self.mutable(known) }
        let entries = memory.entries(table.allEntries.map { $0.pointer.pointee })
        let copy = memory.allocate(Copy.self, 1)
        copy.initialize(to: Copy(table: KeyTable(table.pointer.pointee, learning: entries)))
        return Self.mutable(copies.insert(copy, for: key))
    }

    private static func mutable<Data>(_ address: UnsafeRawPointer) -> UnsafeMutablePointer<Data> {
        UnsafeMutableRawPointer(mutating: address).assumingMemoryBound(to: Data.self)
    }

    // MARK: Keys

    /// - Parameters:
    ///   - before: The entry of the key before, in any table; nil for a key without a field, and for the first key.
    ///   - last: The key before, if that key has no field.
    func recordSuccessor(
        _ before: EntryReference?, _ last: LearnedKeys.Last, with entry: EntryReference, in table: TableReference
    ) {
        let copy: UnsafeMutablePointer<Copy> = Self.mutable(table.pointer)
        copy.pointee.wrongGuesses += 1
        switch (before, last) {
        case (let before?, _):
            // The entries of extra keys and of flattened enums are not in the table.
            let index = before.pointer - table.entries.pointer
            if (0..<table.count).contains(index) { setSuccessor(of: before, to: entry) }
        case (nil, .unread(let before)):
            if UnreadEntry.of(before).pointee.table == table { setSuccessor(of: before, to: entry) }
        case (nil, .none): copy.pointee.table.first = entry
        case (nil, .unknown): break
        }
    }

    private func setSuccessor(of entry: EntryReference, to successor: EntryReference) {
        let entry: UnsafeMutablePointer<KeyEntry> = Self.mutable(entry.pointer)
        entry.pointee.successor = successor
    }

    /// Returns the entry of a key without a field, or nil if there are too many, or if no text is compared with the key.
    ///
    /// - Parameter next: The entry that a new entry leads to.
    func entry(ofUnread key: Key, in table: TableReference, before next: EntryReference) -> EntryReference? {
        var slot = key.hash(includesMiddle: true) & (Self.slotCount - 1)
        while let known = unread[slot] {
            if known.pointee.table == table, known.pointee.entry.matches(key) {
                return EntryReference(untyped: known)
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        guard unreadCount < Self.maximumUnreadCount, key.count < QuotedKey.reach else { return nil }
        let quoted = QuotedKey(Array(key.text))
        guard !quoted.matchesNothing else { return nil }
        var entry = TableBuilder.sentinel()
        entry.setKey(key.text, memory)
        (entry.expectation, entry.disposition, entry.successor) = (.unread, .skip, next)
        let added = memory.allocate(UnreadEntry.self, 1)
        added.initialize(to: UnreadEntry(entry: entry, quoted: quoted, table: table))
        unread[slot] = added
        unreadCount += 1
        return EntryReference(untyped: added)
    }
}
