import Synchronization

/// The members of a JSON object, in their order.
///
/// Members keep the order of the input and are written in this order. The last value of a duplicate key wins, at the
/// position of the first. Two objects are equal if they have equal members, in any order.
///
/// Keys are compared by their code units, as RFC 8259 requires. Strings that are canonically equivalent are equal in Swift, but
/// `"\u{E9}"` and `"e\u{301}"` are two keys. A `[String: Value]` cannot hold both.
///
/// No key is hashed until a value is looked up. Access to a member takes constant time on average.
public struct JSONObject: Sendable {
    /// A key and its value.
    public typealias Element = (key: String, value: JSONValue)

    // Unchecked: the invariants of the class make shared storage safe for threads.
    private nonisolated(unsafe) var storage: MemberStorage

    /// Creates an object without members.
    public init() { storage = .empty }

    /// Creates an object from members, whose keys may be duplicates. The last value of a key wins.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// Creates an object from the members of a dictionary, sorted by their keys.
    public init(_ dictionary: [String: JSONValue]) {
        self.init(uniqueMembers: dictionary.sorted { $0.key < $1.key })
    }

    /// Creates an object from members with distinct keys.
    ///
    /// - Parameter members: The keys and values, in the order of the object.
    /// - Precondition: The keys are distinct.
    public init(uniqueKeysWithValues members: some Sequence<(String, JSONValue)>) {
        self.init(members, uniquingKeysWith: { _, _ in preconditionFailure("a key is not unique") })
    }

    /// Creates an object from members.
    ///
    /// - Parameters:
    ///   - members: The keys and values.
    ///   - combine: Returns the value of a duplicate key, from the value so far and the next one.
    public init(
        _ members: some Sequence<(String, JSONValue)>,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows {
        self.init()
        try merge(members, uniquingKeysWith: combine)
    }

    private init(uniqueMembers members: some Collection<Element>) {
        storage = .with(capacity: members.count)
        for (key, value) in members { storage.append(key, value) }
    }

    /// Creates an object from decoded members, which are moved out of their memory.
    init(taking members: UnsafeMutableBufferPointer<(String, JSONValue)>) {
        storage = members.isEmpty ? .empty : .taking(members)
    }

    // MARK: Values

    /// The value of a key, or nil. Assigning nil removes the member; assigning to a new key appends one.
    public subscript(key: String) -> JSONValue? {
        get { storage.resolved.find(key).flatMap { storage.resolved.members[$0]?.value } }
        set {
            if let newValue {
                updateValue(newValue, forKey: key)
            } else {
                removeValue(forKey: key)
            }
        }
        _modify {
            // The value is moved out of the object, so that a change in place does not copy the value.
            let position = takeOwnership(of: key)
            var value = position.flatMap { storage.members[$0]?.value }
            if let position { storage.members[position]?.value = .null }
            defer {
                switch (position, value) {
                case (let position?, let value?): storage.members[position]?.value = value
                case (nil, let value?): updateValue(value, forKey: key)
                case (_?, nil): removeValue(forKey: key)
                case (nil, nil): break
                }
            }
            yield &value
        }
    }

    /// The value of a key, or a default.
    public subscript(key: String, default defaultValue: @autoclosure () -> JSONValue) -> JSONValue {
        get { self[key] ?? defaultValue() }
        _modify {
            var value = removeForChange(key) ?? defaultValue()
            defer { updateValue(value, forKey: key) }
            yield &value
        }
    }

    /// The keys, in their order.
    public var keys: some Collection<String> { lazy.map { $0.key } }

    /// The values, in the order of their keys.
    public var values: some Collection<JSONValue> { lazy.map { $0.value } }

    /// Sets the value of a key.
    ///
    /// - Returns: The previous value, or nil if the member was appended.
    @discardableResult
    public mutating func updateValue(_ value: JSONValue, forKey key: String) -> JSONValue? {
        if let position = takeOwnership(of: key) {
            let before = storage.members[position]?.value
            storage.members[position]?.value = value
            return before
        }
        if storage.isFull { storage = storage.copy(capacity: Swift.max(4, storage.count * 2)) }
        storage.append(key, value)
        return nil
    }

    /// Removes a member.
    ///
    /// - Returns: The value of the removed member, or nil if the key was missing.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSONValue? {
        guard storage.resolved.find(key) != nil, let position = takeOwnership(of: key) else { return nil }
        let value = storage.remove(at: position)
        if storage.count > 8, storage.liveCount < storage.count / 2 {
            storage = storage.copy(capacity: storage.liveCount)
        }
        return value
    }

    /// Removes all members.
    public mutating func removeAll() { storage = .empty }

    /// Makes the storage unique to this object.
    ///
    /// - Returns: The position of a key in that storage, or nil.
    private mutating func takeOwnership(of key: String) -> Int? {
        if !storage.isUnique || storage === MemberStorage.empty || !isKnownUniquelyReferenced(&storage) {
            storage = storage.resolved.copy(capacity: storage.count)
        }
        return storage.find(key)
    }

    /// Returns the address of the value of a key, which only this object contains; nil if the key is missing. The address is valid until
    /// the object changes.
    package mutating func address(of key: String) -> UnsafeMutablePointer<JSONValue>? {
        guard let position = takeOwnership(of: key) else { return nil }
        return MemberStorage.member(storage.members, at: position).map { UnsafeMutablePointer(mutating: $0.value) }
    }

    private mutating func removeForChange(_ key: String) -> JSONValue? {
        guard let position = takeOwnership(of: key) else { return nil }
        let value = storage.members[position]?.value
        storage.members[position]?.value = .null
        return value
    }

    // MARK: Transforms

    /// Returns an object with the same keys and transformed values.
    public func mapValues(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONObject {
        JSONObject(uniqueMembers: try map { ($0.key, try transform($0.value)) })
    }

    /// Returns an object with the members whose transformed value is not nil.
    public func compactMapValues(_ transform: (JSONValue) throws -> JSONValue?) rethrows -> JSONObject {
        JSONObject(uniqueMembers: try compactMap { member in try transform(member.value).map { (member.key, $0) } })
    }

    /// Returns an object with the members that satisfy a predicate.
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> JSONObject {
        var members: [Element] = []
        for member in self where try isIncluded(member) { members.append(member) }
        return JSONObject(uniqueMembers: members)
    }

    /// Adds members.
    ///
    /// - Parameters:
    ///   - other: The members to add.
    ///   - combine: Returns the value of an existing key, from the value so far and the next one.
    public mutating func merge(
        _ other: some Sequence<(String, JSONValue)>,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows {
        for (key, value) in other {
            if let position = takeOwnership(of: key), let before = storage.members[position]?.value {
                storage.members[position]?.value = try combine(before, value)
            } else {
                updateValue(value, forKey: key)
            }
        }
    }

    /// Adds the members of another object.
    ///
    /// - Parameters:
    ///   - other: The object whose members are added.
    ///   - combine: Returns the value of a key in both objects, from this object's value and the other's.
    public mutating func merge(
        _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows {
        try merge(other.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
    }

    /// Returns an object with the members of another added.
    ///
    /// - Parameters:
    ///   - other: The object whose members are added.
    ///   - combine: Returns the value of a key in both objects, from this object's value and the other's.
    public func merging(
        _ other: JSONObject, uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows -> JSONObject {
        var result = self
        try result.merge(other, uniquingKeysWith: combine)
        return result
    }

    /// The storage of the members, which is not retained.
    @inline(__always)
    var unretainedStorage: Unmanaged<MemberStorage> { .passUnretained(storage) }

    /// Whether two objects share their storage, as unchanged copies do.
    func isIdentical(to other: JSONObject) -> Bool { storage === other.storage }
}

extension JSONObject: Collection {
    /// A position in an object.
    public struct Index: Comparable, Sendable {
        fileprivate let offset: Int

        /// Whether a position is before another.
        @_documentation(visibility: internal) public static func < (a: Index, b: Index) -> Bool {
            a.offset < b.offset
        }
    }

    /// The number of members.
    public var count: Int { storage.resolved.liveCount }

    /// Whether the object has no members.
    public var isEmpty: Bool { storage.liveCount == 0 }

    /// The position of the first member.
    @_documentation(visibility: internal) public var startIndex: Index {
        Index(offset: storage.resolved.position(from: 0))
    }

    /// The position after the last member.
    @_documentation(visibility: internal) public var endIndex: Index { Index(offset: storage.resolved.count) }

    /// Returns the position after another.
    @_documentation(visibility: internal) public func index(after index: Index) -> Index {
        Index(offset: storage.resolved.position(from: index.offset + 1))
    }

    /// Returns the position of a key, or nil.
    public func index(forKey key: String) -> Index? { storage.resolved.find(key).map { Index(offset: $0) } }

    /// The member at a position.
    public subscript(position: Index) -> Element {
        guard position.offset < storage.resolved.count, let member = storage.resolved.members[position.offset]
        else {
            preconditionFailure("the index is not that of a member")
        }
        return member
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object from a literal. The last value of a duplicate key wins.
    @_documentation(visibility: internal) public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}

extension JSONObject: Hashable {
    /// Whether two objects have equal members, in any order.
    @_documentation(visibility: internal) public static func == (a: JSONObject, b: JSONObject) -> Bool {
        JSONValue.object(a) == JSONValue.object(b)
    }

    /// Hashes the members without regard to their order.
    @_documentation(visibility: internal) public func hash(into hasher: inout Hasher) {
        hasher.combine(JSONValue.object(self))
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as JSON.
    public var description: String { JSONValue.object(self).description }
}

extension [String: JSONValue] {
    /// Creates a dictionary from the members of an object. The last value of canonically equivalent keys wins, because the keys of a
    /// dictionary are then equal.
    public init(_ object: JSONObject) {
        self.init(minimumCapacity: object.count)
        for (key, value) in object { self[key] = value }
    }
}

/// An object's members, in memory behind the storage's own, and the table that finds them by key.
///
/// Invariants: The first `count` members are initialized. A removed member is nil. Storage with several owners is immutable,
/// except for the lookup table, which is made once and published atomically.
final class MemberStorage: ManagedBuffer<MemberStorage.Header, MemberStorage.Member?> {
    typealias Member = (key: String, value: JSONValue)

    struct Header {
        fileprivate let capacity: Int
        /// The number of members, including removed ones.
        fileprivate var count = 0
        /// The number of members that are not removed.
        fileprivate var liveCount = 0
        /// The number of removed members before the first other one.
        fileprivate var leadingRemovedCount = 0
        /// Whether the keys are known to be distinct.
        fileprivate var isUnique = true
        /// The place of the lookup table, which is only accessed as an `Atomic`.
        fileprivate let lookup: Unmanaged<MemberLookup>? = nil
    }

    /// The storage of empty objects, which is never changed.
    // Safe for threads, like each storage with several owners.
    nonisolated(unsafe) static let empty = MemberStorage.with(capacity: 0)

    /// The greatest number of members that a linear search compares with a key.
    private static let searchedCount = 8

    static func with(capacity: Int) -> MemberStorage {
        unsafeDowncast(
            create(minimumCapacity: capacity) { _ in Header(capacity: capacity) }, to: MemberStorage.self)
    }

    /// Creates storage from decoded members, which are moved out of their memory.
    static func taking(_ run: UnsafeMutableBufferPointer<(String, JSONValue)>) -> MemberStorage {
        let storage = with(capacity: run.count)
        let members = storage.members
        for index in run.indices {
            let (key, value) = (run.baseAddress.unsafelyUnwrapped + index).move()
            (members + index).initialize(to: (key, value))
        }
        storage.withUnsafeMutablePointerToHeader {
            ($0.pointee.count, $0.pointee.liveCount, $0.pointee.isUnique) = (run.count, run.count, run.count < 2)
        }
        return storage
    }

    deinit {
        let (members, count) = (members, count)
        // One by one: the runtime's function for any number of values of a type takes several times as long.
        for index in 0..<count { _ = (members + index).move() }
        if let table = lookup.pointee.load(ordering: .acquiring) { Self.release(table) }
    }

    var members: UnsafeMutablePointer<Member?> {
        @inline(__always) get { withUnsafeMutablePointerToElements { $0 } }
    }

    /// The header. An access by the property `header` would be checked for exclusivity.
    private var fields: UnsafeMutablePointer<Header> {
        @inline(__always) get { withUnsafeMutablePointerToHeader { $0 } }
    }

    var count: Int { fields.pointee.count }
    var liveCount: Int { fields.pointee.liveCount }
    var isUnique: Bool { fields.pointee.isUnique }

    private var lookup: UnsafeMutablePointer<Atomic<Unmanaged<MemberLookup>?>> {
        withUnsafeMutablePointerToHeader {
            // A stored property has an offset, and an atomic value the layout of its value.
            (UnsafeMutableRawPointer($0) + MemoryLayout<Header>.offset(of: \.lookup).unsafelyUnwrapped)
                .assumingMemoryBound(to: Atomic<Unmanaged<MemberLookup>?>.self)
        }
    }

    var isFull: Bool { count == fields.pointee.capacity }

    /// The storage with distinct keys: this storage, unless keys occur more than once.
    var resolved: MemberStorage { isUnique ? self : table._withUnsafeGuaranteedRef { $0.unique } ?? self }

    /// The members with distinct keys, in memory that lives as long as the storage. Removed members are among them.
    @inline(__always)
    var distinctMembers: (base: UnsafeRawPointer, count: Int) {
        if !isUnique, let unique = table._withUnsafeGuaranteedRef({ $0.unretainedUnique }) {
            return unique._withUnsafeGuaranteedRef { (UnsafeRawPointer($0.members), $0.count) }
        }
        return (UnsafeRawPointer(members), count)
    }

    /// Returns the key and the value of a member in place, or nil for a removed member.
    ///
    /// - Parameter members: The members of a storage that lives longer than the result.
    @inline(__always)
    static func member(
        _ members: UnsafeRawPointer, at index: Int
    ) -> (key: UnsafePointer<String>, value: UnsafePointer<JSONValue>)? {
        let address = members + index * MemoryLayout<Member?>.stride
        if case .none = address.assumingMemoryBound(to: Member?.self).pointee { return nil }
        // A present member is at the start of its optional.
        return (
            address.assumingMemoryBound(to: String.self),
            (address + MemoryLayout<String>.stride).assumingMemoryBound(to: JSONValue.self)
        )
    }

    /// Returns the first position from an offset on that has a member.
    func position(from offset: Int) -> Int {
        var at = Swift.max(offset, fields.pointee.leadingRemovedCount)
        while at < count, members[at] == nil { at += 1 }
        return at
    }

    /// Returns the position of a key, or nil.
    ///
    /// - Precondition: The keys are distinct.
    func find(_ key: String) -> Int? {
        if count <= Self.searchedCount {
            return (0..<count).first { members[$0]?.key.hasSameCodeUnits(as: key) == true }
        }
        return table._withUnsafeGuaranteedRef { $0.find(key, in: self) }
    }

    /// The table, which lives as long as the storage.
    private var table: Unmanaged<MemberLookup> { lookup.pointee.load(ordering: .acquiring) ?? makeTable() }

    @inline(never)
    private func makeTable() -> Unmanaged<MemberLookup> {
        let needsNoTable = count <= Self.searchedCount && hasDistinctKeys
        let candidate =
            needsNoTable
            ? .passUnretained(MemberLookup.ofFewMembers) : Unmanaged.passRetained(MemberLookup(of: self))
        let (won, winner) = lookup.pointee.compareExchange(
            expected: nil, desired: candidate, ordering: .acquiringAndReleasing)
        guard !won, let winner else { return candidate }
        // Another thread has published its table first.
        Self.release(candidate)
        return winner
    }

    /// Whether no key occurs twice. Compares each key with all others.
    private var hasDistinctKeys: Bool {
        let members = members
        return (0..<count).allSatisfy { at in
            guard let key = members[at]?.key else { return true }
            return (0..<at).allSatisfy { members[$0]?.key.hasSameCodeUnits(as: key) != true }
        }
    }

    private static func release(_ table: Unmanaged<MemberLookup>) {
        if table.toOpaque() != Unmanaged.passUnretained(MemberLookup.ofFewMembers).toOpaque() { table.release() }
    }

    // MARK: Changes by the only owner

    /// - Precondition: The storage is not full and does not contain the key.
    func append(_ key: String, _ value: JSONValue) {
        (members + count).initialize(to: (key, value))
        fields.pointee.count += 1
        fields.pointee.liveCount += 1
        guard let known = lookup.pointee.load(ordering: .acquiring) else { return }
        if known.takeUnretainedValue().insert(key, at: count - 1) { return }
        Self.release(known)
        lookup.pointee.store(nil, ordering: .releasing)
    }

    func remove(at position: Int) -> JSONValue? {
        defer {
            members[position] = nil
            fields.pointee.liveCount -= 1
            // Counted once, so that the removal of one first member after another takes linear time.
            if position == fields.pointee.leadingRemovedCount {
                fields.pointee.leadingRemovedCount = self.position(from: position)
            }
        }
        return members[position]?.value
    }

    /// Returns a copy without the removed members.
    @inline(never)
    func copy(capacity: Int) -> MemberStorage {
        let copy = MemberStorage.with(capacity: Swift.max(capacity, liveCount))
        for index in 0..<count { if let (key, value) = members[index] { copy.append(key, value) } }
        return copy
    }
}

/// A hash table of the members' positions, with open addressing and linear probing.
///
/// Hashes have a random seed per process, so that an input cannot cause collisions on purpose.
final class MemberLookup {
    /// The table of storages with distinct keys that are too few for a table.
    // Never changed: the table has no room.
    nonisolated(unsafe) static let ofFewMembers = MemberLookup()

    /// The storage with each key once; nil if the keys are distinct.
    private(set) var unique: MemberStorage?
    /// The same storage, not retained.
    var unretainedUnique: Unmanaged<MemberStorage>? { unique.map { .passUnretained($0) } }
    /// Positions plus one; 0 for a free slot.
    private let slots: UnsafeMutablePointer<UInt32>
    private let mask: Int
    private var count: Int

    private init() {
        slots = .allocate(capacity: 1)
        slots.initialize(to: 0)
        (mask, count) = (0, 1)
    }

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
        let unique = MemberStorage.with(capacity: storage.liveCount - earlier.count)
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
        while slots[slot] != 0, storage.members[Int(slots[slot]) - 1]?.key.hasSameCodeUnits(as: key) != true {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func hash(_ key: String) -> Int {
        var hasher = Hasher()
        key.hashCodeUnits(into: &hasher)
        return hasher.finalize()
    }
}
