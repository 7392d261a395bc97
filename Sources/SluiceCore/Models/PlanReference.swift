/// A reference to data of a plan: the layout of a type, a key table, or an entry of a key table.
///
/// Invariant: the data is plain, and immutable once the plan is resolved. The data lives as long as its owner: a ``JSONShape``,
/// ``PlanCache`` or `RootPath`, which outlives every decoding or encoding call that uses the data. The reference retains nothing,
/// because threads that share a plan would otherwise update the same reference count.
///
/// The properties of the data are those of the reference. Access costs as much as through a pointer.
@dynamicMemberLookup
@usableFromInline
struct PlanReference<Data>: Hashable {
    let pointer: UnsafePointer<Data>

    @inline(__always)
    init(_ pointer: UnsafePointer<Data>) { self.pointer = pointer }

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<Data>) { self.pointer = UnsafePointer(pointer) }

    /// Creates a reference to the data at an address that was stored without its type.
    @inline(__always)
    init(untyped address: UnsafeRawPointer) { pointer = address.assumingMemoryBound(to: Data.self) }

    @inline(__always)
    subscript<Value>(dynamicMember property: KeyPath<Data, Value>) -> Value { pointer.pointee[keyPath: property] }
}

typealias LayoutReference = PlanReference<TypeLayout>
