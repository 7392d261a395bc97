/// Keyed containers that are used again for values with the same type of keys.
///
/// Making a `KeyedEncodingContainer` looks up three generic types and allocates an object, which takes longer than writing a
/// small object. The object can be used again if no one else refers to it.
///
/// Invariant: the table has `capacity` places, a power of two or 0. All elements of its memory are initialized. A container is
/// at the place of its type's hash, or at one of the following places. A free place has the key 0.
struct KeyedBoxes: ~Copyable {
    private static var firstCapacity: Int { 8 }
    private static var lastCapacity: Int { 256 }
    /// The number of places that are searched.
    private static var reach: Int { 4 }

    private var capacity = 0
    // Separate memory for each part, because a copy of an object would count as a reference.
    /// The identities of the key types.
    private var keys = UnsafeMutablePointer<UInt>.allocate(capacity: 0)
    /// The objects in the containers.
    private var objects = UnsafeMutablePointer<AnyObject?>.allocate(capacity: 0)
    private var states = UnsafeMutablePointer<KeyedState?>.allocate(capacity: 0)

    deinit { Self.free(keys, objects, states, capacity) }

    private static func free(
        _ keys: UnsafeMutablePointer<UInt>, _ objects: UnsafeMutablePointer<AnyObject?>,
        _ states: UnsafeMutablePointer<KeyedState?>, _ capacity: Int
    ) {
        keys.deallocate()
        objects.deinitialize(count: capacity)
        objects.deallocate()
        states.deinitialize(count: capacity)
        states.deallocate()
    }

    /// Whether a `KeyedEncodingContainer` consists of the reference to an object, which has the container.
    private static let isKnown: Bool = {
        typealias Container = KeyedEncodingContainer<AnyCodingKey>
        guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return false }
        let types = EncodableTypes(special: { _ in nil })
        let tape = EncodingTape(EncodableOptions(types: types, modelOptions: EncodingOptions(), depthLimit: 1))
        let state = KeyedState(tape, 0)
        let container = KeyedEncodingContainer(KeyedTapeContainer<AnyCodingKey>(state: state))
        return withExtendedLifetime((tape, container)) {
            String(describing: type(of: unsafeBitCast(container, to: AnyObject.self)))
                .hasPrefix("_KeyedEncodingContainerBox<")
        }
    }()

    @inline(__always)
    private func place(_ key: UInt, _ offset: Int) -> Int {
        // The low bits of addresses are zero.
        (Int(truncatingIfNeeded: (key &>> 4) ^ (key &>> 12)) &+ offset) & (capacity &- 1)
    }

    /// Returns the object of a container that is not in use.
    @inline(__always)
    func take(_ type: ObjectIdentifier, _ token: UInt64) -> AnyObject? {
        if capacity == 0 { return nil }
        let key = UInt(bitPattern: type)
        var offset = 0
        while offset < Self.reach {
            let place = place(key, offset)
            if keys[place] == key, isKnownUniquelyReferenced(&objects[place]) {
                states[place].unsafelyUnwrapped.token = token
                return objects[place]
            }
            offset &+= 1
        }
        return nil
    }

    /// Adds a container that is in use. Returns false if there is no place for the container.
    mutating func add<Key: CodingKey>(
        _ container: KeyedEncodingContainer<Key>, _ state: KeyedState, _ tape: EncodingTape
    ) -> Bool {
        guard Self.isKnown else { return false }
        if capacity == 0 { grow(tape) }
        let key = UInt(bitPattern: ObjectIdentifier(Key.self))
        return add(key, unsafeBitCast(container, to: AnyObject.self), state, tape)
    }

    private mutating func add(_ key: UInt, _ object: AnyObject, _ state: KeyedState, _ tape: EncodingTape) -> Bool {
        while true {
            for offset in 0..<Self.reach {
                let place = place(key, offset)
                guard keys[place] == 0 else { continue }
                (keys[place], objects[place], states[place]) = (key, object, state)
                return true
            }
            if capacity == Self.lastCapacity { return false }
            grow(tape)
        }
    }

    private mutating func grow(_ tape: EncodingTape) {
        let (oldKeys, oldObjects, oldStates, count) = (keys, objects, states, capacity)
        capacity = max(2 * count, Self.firstCapacity)
        keys = .allocate(capacity: capacity)
        keys.initialize(repeating: 0, count: capacity)
        objects = .allocate(capacity: capacity)
        objects.initialize(repeating: nil, count: capacity)
        states = .allocate(capacity: capacity)
        states.initialize(repeating: nil, count: capacity)
        for place in 0..<count {
            guard let object = oldObjects[place], let state = oldStates[place] else { continue }
            // A container without a place may be in use.
            if !add(oldKeys[place], object, state, tape) { state.owner = tape }
        }
        Self.free(oldKeys, oldObjects, oldStates, count)
    }

    /// Removes the containers that clients keep, which then keep their tape.
    mutating func releaseUsed(_ tape: EncodingTape) {
        for place in 0..<capacity where keys[place] != 0 && !isKnownUniquelyReferenced(&objects[place]) {
            states[place]?.owner = tape
            (keys[place], objects[place], states[place]) = (0, nil, nil)
        }
    }
}
