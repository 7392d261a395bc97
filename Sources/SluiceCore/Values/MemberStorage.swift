import Synchronization

/// The memory of an object's members, and the table that finds them by key.
///
/// Invariants: The first `count` members are initialized. A removed member is nil. Storage with several owners is immutable,
/// except for the lookup table, which is made once and published atomically.
final class MemberStorage: @unchecked Sendable {
    typealias Member = (key: String, value: JSONValue)

    /// The storage of empty objects, which is never changed.
    static let empty = MemberStorage(capacity: 0)

    /// The greatest number of members that a linear search compares with a key.
    private static let searchedCount = 8

    let members: UnsafeMutablePointer<Member?>
    private let capacity: Int
    /// The number of members, including removed ones.
    private(set) var count = 0
    /// The number of members that are not removed.
    private(set) var liveCount = 0
    /// Whether the keys are known to be distinct.
    var isUnique = true
    private let lookup = Atomic<Unmanaged<MemberLookup>?>(nil)

    init(capacity: Int) {
        self.capacity = capacity
        members = .allocate(capacity: capacity)
    }

    /// Creates storage from decoded members, which are moved out of their memory.
    init(taking run: UnsafeMutableBufferPointer<(String, JSONValue)>) {
        capacity = run.count
        members = .allocate(capacity: capacity)
        for index in run.indices {
            let (key, value) = (run.baseAddress.unsafelyUnwrapped + index).move()
            (members + index).initialize(to: (key, value))
        }
        count = run.count
        liveCount = count
        isUnique = count < 2
    }

    deinit {
        members.deinitialize(count: count)
        members.deallocate()
        lookup.load(ordering: .acquiring)?.release()
    }

    var isFull: Bool { count == capacity }

    /// The storage with distinct keys: this storage, unless keys occur more than once.
    var resolved: MemberStorage { isUnique ? self : table().unique ?? self }

    /// Returns the first position from an offset on that has a member.
    func position(from offset: Int) -> Int {
        var at = offset
        while at < count, members[at] == nil { at += 1 }
        return at
    }

    /// Returns the position of a key, or nil.
    ///
    /// - Precondition: The keys are distinct.
    func find(_ key: String) -> Int? {
        if count <= Self.searchedCount {
            return (0..<count).first { members[$0]?.key == key }
        }
        return table().find(key, in: self)
    }

    private func table() -> MemberLookup {
        if let made = lookup.load(ordering: .acquiring) { return made.takeUnretainedValue() }
        let made = Unmanaged.passRetained(MemberLookup(of: self))
        let (won, other) = lookup.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !won, let other else { return made.takeUnretainedValue() }
        // Another thread has published its table first.
        made.release()
        return other.takeUnretainedValue()
    }

    // MARK: Changes by the only owner

    /// - Precondition: The storage is not full and does not contain the key.
    func append(_ key: String, _ value: JSONValue) {
        (members + count).initialize(to: (key, value))
        count += 1
        liveCount += 1
        guard let known = lookup.load(ordering: .acquiring) else { return }
        if known.takeUnretainedValue().insert(key, at: count - 1) { return }
        known.release()
        lookup.store(nil, ordering: .releasing)
    }

    func remove(at position: Int) -> JSONValue? {
        defer {
            members[position] = nil
            liveCount -= 1
        }
        return members[position]?.value
    }

    /// Returns a copy without the removed members.
    func copy(capacity: Int) -> MemberStorage {
        let copy = MemberStorage(capacity: Swift.max(capacity, liveCount))
        for index in 0..<count { if let (key, value) = members[index] { copy.append(key, value) } }
        return copy
    }
}

/// A hash table of the members' positions, with open addressing and linear probing.
///
/// Hashes have a random seed per process, so that an input cannot cause collisions on purpose.
final class MemberLookup {
    /// The storage with each key once; nil if the keys are distinct.
    private(set) var unique: MemberStorage?
    /// Positions plus one; 0 for a free slot.
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int
    private var count: Int

    init(of storage: MemberStorage) {
        var size = 16
        while size < storage.count * 2 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: 0, count: size)
        mask = size - 1
        count = storage.count
        var earlier: [Int: Int] = [:]
        for position in 0..<storage.count {
            guard let key = storage.members[position]?.key else { continue }
            let slot = slot(of: key, in: storage)
            if slots[slot] == 0 {
                slots[slot] = UInt32(position + 1)
            } else {
                earlier[position] = Int(slots[slot]) - 1
            }
        }
        if !earlier.isEmpty { unique = Self.merged(storage, earlier) }
    }

    deinit { slots.deallocate() }

    /// Returns a storage with each key once, at its first position and with its last value.
    private static func merged(_ storage: MemberStorage, _ earlier: [Int: Int]) -> MemberStorage {
        var last: [Int: Int] = [:]
        for (position, first) in earlier { last[first] = max(last[first] ?? 0, position) }
        let unique = MemberStorage(capacity: storage.liveCount - earlier.count)
        for position in 0..<storage.count where earlier[position] == nil {
            guard let (key, value) = storage.members[position] else { continue }
            unique.append(key, last[position].flatMap { storage.members[$0]?.value } ?? value)
        }
        return unique
    }

    func find(_ key: String, in storage: MemberStorage) -> Int? {
        let found = slots[slot(of: key, in: storage)]
        return found == 0 ? nil : Int(found) - 1
    }

    /// Adds a key. Returns false if the table is full.
    func insert(_ key: String, at position: Int) -> Bool {
        guard (count + 1) * 2 <= mask + 1 else { return false }
        count += 1
        var slot = Self.hash(key) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(position + 1)
        return true
    }

    /// Returns the slot of a key, or the free slot for a missing key.
    private func slot(of key: String, in storage: MemberStorage) -> Int {
        var slot = Self.hash(key) & mask
        while slots[slot] != 0, storage.members[Int(slots[slot]) - 1]?.key != key { slot = (slot + 1) & mask }
        return slot
    }

    private static func hash(_ key: String) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        return hasher.finalize()
    }
}
