import Synchronization

/// The memory of an object's members, and the table by which they are found.
///
/// Invariants: the first `count` members are initialized; a removed member is nil. Storage that more than one object refers to
/// is not changed, but for the lookup, which is made once and published atomically.
final class MemberStorage: @unchecked Sendable {
    typealias Member = (key: String, value: JSONValue)

    /// Storage without members. It is never changed.
    static let empty = MemberStorage(capacity: 0)

    /// The greatest number of members among which a key is searched one after another.
    private static let searchedCount = 8

    let members: UnsafeMutablePointer<Member?>
    private let capacity: Int
    /// The number of members, removed ones included.
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

    /// Takes decoded members, which are moved out of their memory.
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

    /// The storage with distinct keys: this one, unless keys occur more than once.
    var resolved: MemberStorage { isUnique ? self : table().unique ?? self }

    /// The first position from an offset on that holds a member.
    func position(from offset: Int) -> Int {
        var at = offset
        while at < count, members[at] == nil { at += 1 }
        return at
    }

    /// The position of a key, or nil.
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
        // Another thread was faster.
        made.release()
        return other.takeUnretainedValue()
    }

    // MARK: Changes, by the only owner

    /// - Precondition: The storage is not full, and has no such key.
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

    /// A copy without the removed members.
    func copy(capacity: Int) -> MemberStorage {
        let copy = MemberStorage(capacity: Swift.max(capacity, liveCount))
        for index in 0..<count { if let (key, value) = members[index] { copy.append(key, value) } }
        return copy
    }
}

/// A hash table of members' positions: open addressing with linear probing.
///
/// Hashes are seeded by the process, so that an input cannot be made for collisions.
final class MemberLookup {
    /// The members with each key once, where keys occur more than once.
    private(set) var unique: MemberStorage?
    /// Positions plus one; 0 where a slot is free.
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int
    private var used: Int

    init(of storage: MemberStorage) {
        var size = 16
        while size < storage.count * 2 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: 0, count: size)
        mask = size - 1
        used = storage.count
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

    /// The members of a storage, each key at its first place with its last value.
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

    /// Adds a key; false if the table is full.
    func insert(_ key: String, at position: Int) -> Bool {
        guard (used + 1) * 2 <= mask + 1 else { return false }
        used += 1
        var slot = Self.hash(key) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(position + 1)
        return true
    }

    /// The slot of a key, or the free slot where it would be.
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
