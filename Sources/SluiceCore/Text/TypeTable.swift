import Synchronization

/// A map from types to objects, from which nothing is removed. A lookup takes no lock and counts no references.
@usableFromInline package final class TypeTable<Object: AnyObject & Sendable>: Sendable {
    @usableFromInline package let objects: AddressTable

    @inlinable package init(capacity: Int = 16) { objects = AddressTable(capacity: capacity) }

    /// Returns the object of a type, or nil.
    @inline(__always)
    @inlinable package subscript(type: ObjectIdentifier) -> Unmanaged<Object>? {
        objects[UInt(bitPattern: type)].map { .fromOpaque($0) }
    }

    /// Returns the object of a type, or nil.
    @inline(__always)
    @inlinable package subscript(type: Any.Type) -> Unmanaged<Object>? { self[ObjectIdentifier(type)] }

    /// Adds an object, which is not released, and returns the object of the type that was added first.
    @inline(never)
    @inlinable package func insert(_ object: Object, for type: Any.Type) -> Unmanaged<Object> {
        let new = Unmanaged.passRetained(object)
        let first = objects.insert(new.toOpaque(), for: UInt(bitPattern: ObjectIdentifier(type)))
        // Another thread may have added an object, which is equal.
        if first != UnsafeRawPointer(new.toOpaque()) { new.release() }
        return .fromOpaque(first)
    }
}

/// A map from addresses to addresses, from which nothing is removed. A lookup takes no lock and counts no references.
///
/// The map consists of a hash table, which is replaced by a larger table when half full. The old table stays valid for
/// threads that still read the old table, and is freed with the map.
@usableFromInline package final class AddressTable: Sendable {
    // Unchecked sendability: insertions exclude each other, and other threads may look up a key at any time.
    /// A hash table with open addressing.
    ///
    /// Invariant: a slot is written once, its value before its key.
    @usableFromInline package final class Slots: @unchecked Sendable {
        @usableFromInline package let mask: Int
        /// Addresses, or 0 for a free slot.
        @usableFromInline package let keys: UnsafeMutablePointer<Atomic<UInt>>
        @usableFromInline package let values: UnsafeMutablePointer<UInt>
        private var count = 0

        @usableFromInline package init(capacity: Int) {
            mask = capacity - 1
            keys = .allocate(capacity: capacity)
            values = .allocate(capacity: capacity)
            for slot in 0..<capacity { (keys + slot).initialize(to: Atomic(0)) }
            values.initialize(repeating: 0, count: capacity)
        }

        /// Creates a copy of a table with twice as many slots.
        convenience init(doubling other: Slots) {
            self.init(capacity: (other.mask + 1) * 2)
            for slot in 0...other.mask {
                let key = other.keys[slot].load(ordering: .relaxed)
                if key != 0 { insert(other.values[slot], for: key) }
            }
        }

        deinit {
            keys.deallocate()
            values.deallocate()
        }

        /// Whether a larger table must replace this one before another key is added.
        var isFull: Bool { (count + 1) * 2 > mask }

        /// Returns the value of a key, or nil.
        @inline(__always)
        @inlinable package subscript(key: UInt) -> UInt? {
            let (slot, isFree) = find(key)
            return isFree ? nil : values[slot]
        }

        /// Adds the value of a new key.
        func insert(_ value: UInt, for key: UInt) {
            let slot = find(key).slot
            values[slot] = value
            keys[slot].store(key, ordering: .releasing)
            count += 1
        }

        /// Returns the slot of a key, or the free slot where the key belongs.
        @inline(__always)
        @inlinable package func find(_ key: UInt) -> (slot: Int, isFree: Bool) {
            // The low bits of addresses are zero.
            var slot = Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) & mask
            while true {
                let known = keys[slot].load(ordering: .acquiring)
                if known == key || known == 0 { return (slot, known == 0) }
                slot = (slot &+ 1) & mask
            }
        }
    }

    /// The table that lookups use.
    @usableFromInline package let current: Atomic<Unmanaged<Slots>>
    /// All tables, the current one last. The list owns the tables.
    @usableFromInline package let tables: Lock<[Slots]>

    @inlinable package init(capacity: Int = 16) {
        let first = Slots(capacity: capacity)
        current = Atomic(.passUnretained(first))
        tables = Lock([first])
    }

    /// Returns the value of a key, or nil.
    @inline(__always)
    @inlinable package subscript(key: UInt) -> UnsafeRawPointer? {
        current.load(ordering: .acquiring)._withUnsafeGuaranteedRef { slots in
            slots[key].flatMap { UnsafeRawPointer(bitPattern: $0) }
        }
    }

    /// Adds a value, and returns the value of the key that was added first.
    @usableFromInline package func insert(_ value: UnsafeRawPointer, for key: UInt) -> UnsafeRawPointer {
        let value = UInt(bitPattern: value)
        let first = tables.withLock { tables -> UInt in
            var slots = tables[tables.count - 1]
            if let known = slots[key] { return known }
            if slots.isFull {
                slots = Slots(doubling: slots)
                tables.append(slots)
                current.store(.passUnretained(slots), ordering: .releasing)
            }
            slots.insert(value, for: key)
            return value
        }
        return UnsafeRawPointer(bitPattern: first).unsafelyUnwrapped
    }
}
