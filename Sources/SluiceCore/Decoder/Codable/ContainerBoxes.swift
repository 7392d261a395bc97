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
    /// The size of the standard library's container is not part of its interface, so that each copy needs its type. Here the type
    /// is part of the object's type. A specialized method would look it up, which takes longer than the rest of a call.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    func copy() -> Container { container }
}

/// The containers of a decoder, by the type of their keys.
///
/// The standard library puts each keyed container into a box, a generic object whose type is looked up for each box. A decoder
/// that is reused gives out the same boxes again.
///
/// A container does not own its decoder, because each call of a box copies the container. Therefore a box that a client keeps
/// is registered together with the decoder, see `KeptContainers`.
///
/// Invariants: The containers are those of one decoder. The first `count` slots are initialized.
struct ContainerBoxes: ~Copyable {
    private struct Slot {
        let type: ObjectIdentifier
        let cell: AnyContainerCell
        /// The box, which the cell owns.
        var box: Unmanaged<OpaqueBox>

        /// Whether no client has kept the box.
        var isUnique: Bool {
            mutating get {
                withUnsafeMutablePointer(to: &box) { box in
                    isKnownUniquelyReferenced(
                        &UnsafeMutableRawPointer(box).assumingMemoryBound(to: OpaqueBox.self).pointee)
                }
            }
        }
    }

    /// Memory of its own, because an array may be copied, which adds references to the boxes.
    private var slots: UnsafeMutablePointer<Slot>?
    private var count = 0
    /// Whether a box was given out since the last check.
    private var isInUse = false

    /// Whether a keyed container of the standard library is a reference to its box and nothing else.
    private static let isKnown =
        MemoryLayout<KeyedDecodingContainer<AnyCodingKey>>.size == MemoryLayout<OpaqueBox>.size

    /// The greatest number of boxes.
    private static var capacity: Int { 8 }

    init() {}

    deinit {
        slots?.deinitialize(count: count)
        slots?.deallocate()
    }

    /// Returns the container of a decoder.
    @inline(__always)
    mutating func container<Key: CodingKey>(
        keyedBy type: Key.Type, of decoder: TapeDecoder
    ) -> KeyedDecodingContainer<Key> {
        isInUse = true
        let id = ObjectIdentifier(type)
        if let slots {
            for at in 0..<count where slots[at].type == id {
                return unsafeDowncast(slots[at].cell, to: ContainerCell<KeyedDecodingContainer<Key>>.self).copy()
            }
        }
        return make(type, of: decoder)
    }

    @inline(never)
    private mutating func make<Key: CodingKey>(
        _ type: Key.Type, of decoder: TapeDecoder
    ) -> KeyedDecodingContainer<Key> {
        let container = KeyedDecodingContainer(KeyedTapeDecodingContainer<Key>(decoder))
        precondition(Self.isKnown, "The standard library has another representation of keyed containers.")
        let slots = self.slots ?? .allocate(capacity: Self.capacity)
        self.slots = slots
        if count == Self.capacity { removeFirst(slots, decoder) }
        let box = Unmanaged.passUnretained(unsafeBitCast(container, to: OpaqueBox.self))
        (slots + count).initialize(
            to: Slot(type: ObjectIdentifier(type), cell: ContainerCell(container), box: box))
        count += 1
        return container
    }

    private mutating func removeFirst(_ slots: UnsafeMutablePointer<Slot>, _ decoder: TapeDecoder) {
        let isUnique = slots[0].isUnique
        let slot = slots.move()
        // The client may still use the box.
        if !isUnique {
            withExtendedLifetime(slot.cell) {
                KeptContainers.shared.keep(slot.box.takeUnretainedValue(), of: decoder)
            }
        }
        slots.moveInitialize(from: slots + 1, count: count - 1)
        count -= 1
    }

    /// Whether no client has kept a box.
    @inline(__always)
    mutating func areUnique() -> Bool {
        guard isInUse, let slots else { return true }
        isInUse = false
        for at in 0..<count where !slots[at].isUnique { return false }
        return true
    }

    /// Keeps a decoder alive as long as its boxes.
    mutating func keep(_ decoder: TapeDecoder) {
        guard let slots else { return }
        for at in 0..<count {
            let slot = (slots + at).move()
            withExtendedLifetime(slot.cell) {
                KeptContainers.shared.keep(slot.box.takeUnretainedValue(), of: decoder)
            }
        }
        count = 0
    }
}

/// The containers that clients have kept after the call of an initializer, with their decoders.
///
/// A decoder is released when no client has its container any more, which is noticed when the next container is kept.
private final class KeptContainers: Sendable {
    static let shared = KeptContainers()

    fileprivate struct Kept: @unchecked Sendable {
        var box: OpaqueBox
        let decoder: TapeDecoder
    }

    private let containers = Lock<[Kept]>([])

    fileprivate func keep(_ box: OpaqueBox, of decoder: TapeDecoder) {
        let kept = Kept(box: box, decoder: decoder)
        // Released after the lock: the last release may run the code of a client.
        let unused = containers.withLock { containers in
            let unused = containers.indices.filter { isKnownUniquelyReferenced(&containers[$0].box) }
            let removed = unused.map { containers[$0] }
            for index in unused.reversed() { containers.remove(at: index) }
            containers.append(kept)
            return removed
        }
        _ = unused
    }
}
