import SluiceCore

/// A box of the standard library, whose class is not public. References are counted as those of any Swift object.
private final class OpaqueBox {}

/// A container of any key type.
private class AnyContainerCell {}

/// A container.
private final class ContainerCell<Container>: AnyContainerCell {
    private let container: Container

    init(_ container: Container) { self.container = container }

    /// Returns a copy of the container.
    ///
    /// The size of the standard library's container is not part of its interface, so that each copy needs the type of the
    /// container. In this class, the type is part of the object's type. A specialized method would look the type up, which takes
    /// longer than the rest of a call.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func copy() -> Container { container }
}

/// Keyed containers that a decoder or an encoder uses again for keys of the same type.
///
/// The standard library puts each keyed container into a box, a generic object whose type is looked up for each box. This takes
/// longer than decoding or encoding a small object.
///
/// The content of a box refers to the decoder or the encoder without a reference count. A box that a client keeps outlives the call
/// that lends the container. Such a box is removed from this table, and its content then owns the decoder or the encoder.
///
/// If the table is full, or if `isReusable(_:content:)` does not recognize the representation of a container, each value has a new
/// container, which owns its decoder or encoder.
///
/// Invariants: The first `count` slots are initialized. A box whose bit in `lent` is not set has no reference but that of its cell.
struct ContainerBoxes: ~Copyable {
    private struct Slot {
        let type: ObjectIdentifier
        let cell: AnyContainerCell
        /// The box, which the cell owns.
        var box: Unmanaged<OpaqueBox>

        /// Whether no client uses the box.
        var isUnused: Bool {
            mutating get {
                withUnsafeMutablePointer(to: &box) { box in
                    isKnownUniquelyReferenced(
                        &UnsafeMutableRawPointer(box).assumingMemoryBound(to: OpaqueBox.self).pointee)
                }
            }
        }

        /// The content of the box, after the two words that each object begins with.
        var content: UnsafeMutableRawPointer { ContainerBoxes.content(of: box.toOpaque()) }
    }

    /// Memory of its own, because an array may be copied, which adds references to the boxes.
    private var slots = GrowableMemory<Slot>()
    private var count = 0
    /// The slot at which a search begins. Values with keys of different types often repeat in the same order.
    private var next = 0
    /// A bit for each slot whose box was lent since the last check.
    private var lent: UInt64 = 0

    init() {}

    deinit {
        slots.start.deinitialize(count: count)
        slots.deallocate()
    }

    private static func content(of box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        box + 2 * MemoryLayout<UnsafeRawPointer>.size
    }

    /// Whether containers can be used again: a container is a reference to an object, which begins with the content of the box.
    ///
    /// Reads only memory that the reflection of the standard library's types describes.
    static func isReusable<Container, Content>(_ container: Container, content: Content) -> Bool {
        guard MemoryLayout<Container>.size == MemoryLayout<OpaqueBox>.size,
            let box = Mirror(reflecting: container).children.first?.value, type(of: box) is AnyClass,
            Mirror(reflecting: box).children.first?.value is Content
        else { return false }
        let address = Unmanaged.passUnretained(box as AnyObject).toOpaque()
        return withUnsafeBytes(of: content) { bytes in
            bytes.elementsEqual(UnsafeRawBufferPointer(start: Self.content(of: address), count: bytes.count))
        } && Self.box(of: container).toOpaque() == address
    }

    private static func box<Container>(of container: Container) -> Unmanaged<OpaqueBox> {
        withUnsafeBytes(of: container) { $0.load(as: Unmanaged<OpaqueBox>.self) }
    }

    /// Finds a container for keys of a type, and records that its box is lent.
    ///
    /// - Parameter isShared: Whether the container may be in use.
    /// - Returns: The index of the container; nil if the table has none.
    @inline(__always)
    mutating func lend(_ type: ObjectIdentifier, isShared: Bool) -> Int? {
        var index = next
        for _ in 0..<count {
            if index >= count { index = 0 }
            if slots.start[index].type == type, isShared || slots.start[index].isUnused {
                next = index &+ 1
                lent |= 1 &<< UInt64(truncatingIfNeeded: index)
                return index
            }
            index &+= 1
        }
        return nil
    }

    /// Returns the container at an index, of a known type.
    @inline(__always)
    func container<Container>(at index: Int) -> Container {
        unsafeDowncast(slots.start[index].cell, to: ContainerCell<Container>.self).copy()
    }

    /// Returns the content of the box at an index.
    @inline(__always)
    func content<Content: BitwiseCopyable>(at index: Int) -> Content {
        slots.start[index].content.load(as: Content.self)
    }

    /// Adds a reusable container, whose box is lent. Returns false if the table is full.
    mutating func add<Container>(_ container: Container, _ type: ObjectIdentifier) -> Bool {
        guard count < lent.bitWidth else { return false }
        if count == slots.capacity { slots.grow(moving: count, toAtLeast: 4) }
        (slots.start + count).initialize(
            to: Slot(type: type, cell: ContainerCell(container), box: Self.box(of: container)))
        lent |= 1 &<< UInt64(truncatingIfNeeded: count)
        count += 1
        return true
    }

    /// Returns whether no client uses a container. If so, all boxes can be lent again.
    @inline(__always)
    mutating func areUnused() -> Bool {
        var rest = lent
        while rest != 0 {
            if !slots.start[rest.trailingZeroBitCount].isUnused { return false }
            rest &= rest &- 1
        }
        lent = 0
        return true
    }

    /// Removes the boxes that clients use. A closure makes the content of each own the decoder or the encoder.
    mutating func removeUsed<Content>(_ type: Content.Type, _ own: (inout Content) -> Void) {
        if areUnused() { return }
        for index in (0..<count).reversed() where !slots.start[index].isUnused {
            own(&slots.start[index].content.assumingMemoryBound(to: type).pointee)
            (slots.start + index).deinitialize(count: 1)
            count -= 1
            // The last slot, whose box is unused, moves to the slot of the removed one.
            if index < count { (slots.start + index).moveInitialize(from: slots.start + count, count: 1) }
        }
        lent = 0
    }
}
