/// The keys of dictionaries and of `JSONValue` as strings. Equal keys share the memory of their bytes.
struct KeyStrings: ~Copyable {
    private static var slotCount: Int { 256 }
    /// The greatest length of a key that is kept. Longer keys are seldom those of many objects.
    private static var longest: Int { 64 }

    /// The last key of each hash. Created for the first key that a string does not store inline.
    private var slots: UnsafeMutablePointer<String>?

    deinit {
        slots?.deinitialize(count: Self.slotCount)
        slots?.deallocate()
    }

    /// Stores a key at an address, which holds no string yet.
    @inline(__always)
    mutating func store(_ key: Key, isSmallKnown: Bool, at target: UnsafeMutableRawPointer) {
        if key.count <= SmallString.capacity, isSmallKnown {
            SmallString.store(key.text, isASCII: UTF8Validation.isASCII(key.bytes, key.count), at: target)
        } else {
            target.initializeMemory(as: String.self, to: string(key))
        }
    }

    @inline(never)
    private mutating func string(_ key: Key) -> String {
        guard key.count > SmallString.capacity, key.count <= Self.longest, StringBytes.isKnown else {
            return String(checkedUTF8: key.text)
        }
        let slot = (slots ?? makeSlots()) + key.hash(includesMiddle: true) & (Self.slotCount - 1)
        if let known = StringBytes(at: slot).native, known.count == key.count, let bytes = known.baseAddress,
            Kernels.haveEqualBytes(bytes, key.bytes, key.count)
        {
            return slot.pointee
        }
        slot.pointee = String(checkedUTF8: key.text)
        return slot.pointee
    }

    private mutating func makeSlots() -> UnsafeMutablePointer<String> {
        let slots = UnsafeMutablePointer<String>.allocate(capacity: Self.slotCount)
        slots.initialize(repeating: "", count: Self.slotCount)
        self.slots = slots
        return slots
    }
}
