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

/// The representation of a keyed container of the standard library: a reference to an object, whose only property is the
/// container that was put into the box.
private enum BoxLayout {
    /// Whether the standard library has this representation. Otherwise each container is new, and owns its decoder.
    static let isKnown: Bool = {
        typealias Container = KeyedDecodingContainer<AnyCodingKey>
        guard MemoryLayout<Container>.size == MemoryLayout<OpaqueBox>.size,
            MemoryLayout<KeyedTapeDecodingContainer<AnyCodingKey>>.size == MemoryLayout<TapeDecoderReference>.size
        else { return false }
        // The decoder is not used, only the address.
        let address = UnsafeRawPointer(bitPattern: 0x1C0D_EB0C_5000).unsafelyUnwrapped
        let container = Container(KeyedTapeDecodingContainer<AnyCodingKey>(borrowing: .fromOpaque(address)))
        return withExtendedLifetime(container) {
            UnsafeRawPointer(reference(in: box(of: container))).load(as: UnsafeRawPointer?.self) == address
        }
    }()

    static func box(of container: KeyedDecodingContainer<some CodingKey>) -> Unmanaged<OpaqueBox> {
        .passUnretained(unsafeBitCast(container, to: OpaqueBox.self))
    }

    /// Returns the address of the decoder's reference in a box, after the two words that each object begins with.
    static func reference(in box: Unmanaged<OpaqueBox>) -> UnsafeMutablePointer<TapeDecoderReference> {
        (box.toOpaque() + 2 * MemoryLayout<UnsafeRawPointer>.size).assumingMemoryBound(
            to: TapeDecoderReference.self)
    }
}

/// The containers of a decoder, by the type of their keys.
///
/// The standard library puts each keyed container into a box, a generic object whose type is looked up for each box. A decoder
/// that is reused gives out the same boxes again.
///
/// A container does not own its decoder, because each call of a box copies the container. A box that a client keeps outlives the
/// initializer. Such a box leaves this table, and its container then owns the decoder.
///
/// Invariants: The containers are those of one decoder, which they do not own. The first `count` slots are initialized.
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
        guard BoxLayout.isKnown else {
            return KeyedDecodingContainer(KeyedTapeDecodingContainer<Key>(owning: decoder))
        }
        let container = KeyedDecodingContainer(
            KeyedTapeDecodingContainer<Key>(borrowing: .passUnretained(decoder)))
        let slots = self.slots ?? .allocate(capacity: Self.capacity)
        self.slots = slots
        if count == Self.capacity {
            Self.release(slots, to: decoder)
            slots.moveInitialize(from: slots + 1, count: count - 1)
            count -= 1
        }
        (slots + count).initialize(
            to: Slot(
                type: ObjectIdentifier(type), cell: ContainerCell(container),
                box: BoxLayout.box(of: container)))
        count += 1
        return container
    }

    /// Removes the box of a slot. If a client uses the box, its container then owns the decoder.
    private static func release(_ slot: UnsafeMutablePointer<Slot>, to decoder: TapeDecoder) {
        if !slot.pointee.isUnique { BoxLayout.reference(in: slot.pointee.box).pointee = .owned(decoder) }
        slot.deinitialize(count: 1)
    }

    /// Whether no client has kept a box.
    @inline(__always)
    mutating func areUniquelyReferenced() -> Bool {
        guard isInUse, let slots else { return true }
        isInUse = false
        for at in 0..<count where !slots[at].isUnique { return false }
        return true
    }

    /// Removes all boxes. The containers that clients keep then own the decoder.
    mutating func removeAll(of decoder: TapeDecoder) {
        guard let slots else { return }
        for at in 0..<count { Self.release(slots + at, to: decoder) }
        slots.deallocate()
        (self.slots, count) = (nil, 0)
    }
}
