/// The tape and token of a keyed container.
///
/// Invariant: the tape lives as long as the state is used: the call that encodes keeps the tape until it has ended, and
/// `owner` keeps the tape for containers that outlive the call.
final class KeyedState {
    private let unretainedTape: Unmanaged<EncodingTape>
    @exclusivity(unchecked) var token: UInt64
    /// The tape, for a container that clients may keep.
    var owner: EncodingTape?

    init(_ tape: EncodingTape, _ token: UInt64) {
        unretainedTape = .passUnretained(tape)
        self.token = token
    }

    @inline(__always)
    var tape: EncodingTape { unretainedTape._withUnsafeGuaranteedRef { $0 } }
}

/// Keyed containers that are used again for values with the same type of keys.
///
/// Making a `KeyedEncodingContainer` looks up three generic types and allocates an object, which takes longer than writing a
/// small object. The object can be used again if no one else refers to it.
struct KeyedBoxes {
    private struct Box {
        let keys: ObjectIdentifier
        /// The object in the `KeyedEncodingContainer`.
        var object: AnyObject
        let state: KeyedState
    }

    private static var capacity: Int { 16 }

    private var boxes: [Box] = []

    /// Whether a `KeyedEncodingContainer` consists of the reference to an object, which has the container.
    static let isKnown: Bool = {
        typealias Container = KeyedEncodingContainer<AnyCodingKey>
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return false }
        let options = EncodableOptions(types: EncodableTypes(special: { _ in nil }), modelOptions: EncodingOptions(), depthLimit: 1)
        let tape = EncodingTape(options)
        let state = KeyedState(tape, 0)
        let container = KeyedEncodingContainer(KeyedTapeContainer<AnyCodingKey>(state: state))
        return withExtendedLifetime((tape, container)) {
            String(describing: type(of: unsafeBitCast(container, to: AnyObject.self)))
                .hasPrefix("_KeyedEncodingContainerBox<")
        }
    }()

    /// Returns a container that is not in use.
    @inline(__always)
    mutating func take<Key: CodingKey>(_ token: UInt64) -> KeyedEncodingContainer<Key>? {
        let keys = ObjectIdentifier(Key.self)
        for index in boxes.indices where boxes[index].keys == keys {
            guard isKnownUniquelyReferenced(&boxes[index].object) else { continue }
            boxes[index].state.token = token
            return unsafeBitCast(boxes[index].object, to: KeyedEncodingContainer<Key>.self)
        }
        return nil
    }

    /// Adds a container that is in use. Returns false if there are enough containers.
    mutating func add<Key: CodingKey>(_ container: KeyedEncodingContainer<Key>, _ state: KeyedState) -> Bool {
        guard boxes.count < Self.capacity, Self.isKnown else { return false }
        boxes.append(
            Box(
                keys: ObjectIdentifier(Key.self), object: unsafeBitCast(container, to: AnyObject.self), state: state))
        return true
    }

    /// Removes the containers that clients keep, which then keep their tape.
    mutating func releaseUsed(_ tape: EncodingTape) {
        for index in boxes.indices.reversed() where !isKnownUniquelyReferenced(&boxes[index].object) {
            boxes[index].state.owner = tape
            boxes.remove(at: index)
        }
    }
}

extension EncodingTape {
    /// Returns a container for the members of a node's object.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ token: UInt64) -> KeyedEncodingContainer<Key> {
        // The containers of a superclass's value keep its tape, whose end they determine.
        if superValue == nil, let known: KeyedEncodingContainer<Key> = boxes.take(token) { return known }
        return newKeyedContainer(token)
    }

    @inline(never)
    private func newKeyedContainer<Key: CodingKey>(_ token: UInt64) -> KeyedEncodingContainer<Key> {
        let state = KeyedState(self, token)
        let container = KeyedEncodingContainer(KeyedTapeContainer<Key>(state: state))
        if superValue != nil || !boxes.add(container, state) { state.owner = self }
        return container
    }
}
