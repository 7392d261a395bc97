import Synchronization

/// A map from addresses to addresses, from which nothing is removed. A lookup takes no lock and counts no references.
///
/// The map consists of a hash table, which is replaced by a larger table when half full. The old table stays valid for
/// threads that still read the old table, and is freed with the map.
///
/// Invariant: a slot is written once, its value before its key.
final class AddressTable: @unchecked Sendable {
    /// A hash table with open addressing.
    private struct Slots {
        let mask: Int
        /// Addresses, or 0 for a free slot.
        let keys: UnsafeMutablePointer<Atomic<UInt>>
        let values: UnsafeMutablePointer<UInt>

        init(capacity: Int) {
            mask = capacity - 1
            keys = .allocate(capacity: capacity)
            values = .allocate(capacity: capacity)
            for slot in 0..<capacity { (keys + slot).initialize(to: Atomic(0)) }
            values.initialize(repeating: 0, count: capacity)
        }

        func free() {
            keys.deallocate()
            values.deallocate()
        }

        /// Returns the slot of a key, or the free slot where the key belongs.
        @inline(__always)
        func find(_ key: UInt) -> (slot: Int, isFree: Bool) {
            // The low bits of addresses are zero.
            var slot = Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) & mask
            while true {
                let known = keys[slot].load(ordering: .acquiring)
                if known == key || known == 0 { return (slot, known == 0) }
                slot = (slot &+ 1) & mask
            }
        }

        func insert(_ value: UInt, _ key: UInt) {
            let slot = find(key).slot
            values[slot] = value
            keys[slot].store(key, ordering: .releasing)
        }
    }

    private let current: Atomic<UnsafePointer<Slots>>
    // Unchecked sendability: the lock guards the properties below.
    /// All tables, the current one last.
    private var tables: [UnsafeMutablePointer<Slots>]
    private var count = 0
    private let lock = Mutex<Void>(())

    init(capacity: Int = 16) {
        let first = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
        first.initialize(to: Slots(capacity: capacity))
        current = Atomic(UnsafePointer(first))
        tables = [first]
    }

    deinit {
        for table in tables {
            table.pointee.free()
            table.deallocate()
        }
    }

    /// Returns the value of a key, or nil.
    @inline(__always)
    subscript(key: UnsafeRawPointer) -> UnsafeRawPointer? {
        let slots = current.load(ordering: .acquiring)
        let (slot, isFree) = slots.pointee.find(UInt(bitPattern: key))
        return isFree ? nil : UnsafeRawPointer(bitPattern: slots.pointee.values[slot])
    }

    /// Adds a value, and returns the value of the key that was added first.
    func insert(_ value: UnsafeRawPointer, for key: UnsafeRawPointer) -> UnsafeRawPointer {
        let (value, key) = (UInt(bitPattern: value), UInt(bitPattern: key))
        let first = lock.withLock { _ -> UInt in
            let known = tables[tables.count - 1].pointee.find(key)
            if !known.isFree { return tables[tables.count - 1].pointee.values[known.slot] }
            var slots = tables[tables.count - 1].pointee
            count += 1
            if count * 2 > slots.mask {
                let larger = Slots(capacity: (slots.mask + 1) * 2)
                for slot in 0...slots.mask {
                    let key = slots.keys[slot].load(ordering: .relaxed)
                    if key != 0 { larger.insert(slots.values[slot], key) }
                }
                let address = UnsafeMutablePointer<Slots>.allocate(capacity: 1)
                address.initialize(to: larger)
                tables.append(address)
                current.store(UnsafePointer(address), ordering: .releasing)
                slots = larger
            }
            slots.insert(value, key)
            return value
        }
        return UnsafeRawPointer(bitPattern: first).unsafelyUnwrapped
    }
}
