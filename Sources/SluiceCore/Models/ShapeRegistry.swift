import Synchronization

/// The shapes of types, by the type's identity. A lookup takes no lock and counts no references.
///
/// Invariant: a slot is written once, its shape before its key. A table that is full stays valid for the threads that still
/// read the table, and is never freed. Shapes are never released.
final class ShapeRegistry: @unchecked Sendable {
    /// A hash table with open addressing.
    private struct Table: @unchecked Sendable {
        let mask: Int
        /// The identities of types, or 0 for a free slot.
        let keys: UnsafeMutablePointer<Atomic<UInt>>
        let shapes: UnsafeMutablePointer<Unmanaged<JSONShape>?>

        init(capacity: Int) {
            mask = capacity - 1
            keys = .allocate(capacity: capacity)
            shapes = .allocate(capacity: capacity)
            for slot in 0..<capacity { (keys + slot).initialize(to: Atomic(0)) }
            shapes.initialize(repeating: nil, count: capacity)
        }

        /// Returns the slot of a key, or the free slot where the key belongs.
        @inline(__always)
        func slot(of key: UInt) -> (index: Int, isFree: Bool) {
            // The low bits of the address of a type's metadata are zero.
            var slot = Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) & mask
            while true {
                let known = keys[slot].load(ordering: .acquiring)
                if known == key || known == 0 { return (slot, known == 0) }
                slot = (slot &+ 1) & mask
            }
        }

        func insert(_ shape: Unmanaged<JSONShape>, _ key: UInt) {
            let slot = slot(of: key).index
            shapes[slot] = shape
            keys[slot].store(key, ordering: .releasing)
        }
    }

    static let shared = ShapeRegistry()

    private let table: Atomic<UnsafePointer<Table>>
    /// The number of shapes. The lock is held to add a shape.
    private let count = Mutex(0)

    private init() { table = Atomic(Self.publishable(Table(capacity: 64))) }

    private static func publishable(_ table: Table) -> UnsafePointer<Table> {
        let address = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        address.initialize(to: table)
        return UnsafePointer(address)
    }

    /// Returns the shape of a type, which is valid for the life of the process; or nil.
    @inline(__always)
    func find(_ type: ObjectIdentifier) -> Unmanaged<JSONShape>? {
        let table = table.load(ordering: .acquiring)
        let (slot, isFree) = table.pointee.slot(of: UInt(bitPattern: type))
        return isFree ? nil : table.pointee.shapes[slot]
    }

    /// Adds the shape of a type, and returns the shape that was added first.
    func add(_ shape: JSONShape, for type: ObjectIdentifier) -> JSONShape {
        count.withLock { count in
            if let other = find(type) { return other.takeUnretainedValue() }
            var current = table.load(ordering: .relaxed).pointee
            count += 1
            if count * 2 > current.mask {
                let larger = Table(capacity: (current.mask + 1) * 2)
                for slot in 0...current.mask {
                    if let shape = current.shapes[slot] {
                        larger.insert(shape, current.keys[slot].load(ordering: .relaxed))
                    }
                }
                current = larger
                table.store(Self.publishable(larger), ordering: .releasing)
            }
            current.insert(.passRetained(shape), UInt(bitPattern: type))
            return shape
        }
    }
}
