/// The strings of a call that are longer than 15 bytes: keys of dictionaries and of `JSONValue`, and values of fields. Equal strings share
/// the memory of their bytes.
///
/// A string that is shared takes a third of the time of a new one. The values of a field are no longer looked up if fewer than a third of
/// them are shared.
struct SharedStrings: ~Copyable {
    private static var slotCount: Int { 256 }
    /// The greatest length of a string that is kept. Longer strings are seldom those of many objects.
    static var maximumLength: Int { 64 }
    /// The number of values before the first that is kept. Few values are not worth the memory of the slots.
    private static var minimumCount: Int { 100 }

    private static var scoreCount: Int { 64 }

    /// The last string of each hash, followed by the scores of fields. Created for the first string that is kept.
    private var slots: UnsafeMutablePointer<String>?
    /// The number of values so far, up to the least.
    private var valueCount = 0

    /// Whether strings of up to 15 bytes can be written without the standard library.
    let isSmallKnown = SmallString.isKnown

    deinit {
        slots?.deinitialize(count: Self.slotCount)
        UnsafeMutableRawPointer(slots)?.deallocate()
    }

    // MARK: Keys

    /// Stores a key at an address, which holds no string yet.
    @inline(__always)
    mutating func store(_ key: Key, at target: UnsafeMutableRawPointer) {
        if key.count <= SmallString.capacity, isSmallKnown {
            SmallString.store(key.text, isASCII: UTF8Validation.isASCII(key.bytes, key.count), at: target)
        } else {
            target.initializeMemory(as: String.self, to: string(key))
        }
    }

    /// Returns a key as a string.
    @inline(never)
    mutating func string(_ key: Key) -> String {
        guard key.count > SmallString.capacity, key.count <= Self.maximumLength, StringBytes.isKnown else {
            let isASCII = UTF8Validation.isASCII(key.bytes, key.count)
            return String(checkedUTF8: key.text, isASCII: isASCII, isSmallKnown: isSmallKnown)
        }
        let slot = slot(of: key, includesMiddle: true)
        if Self.holds(slot, key) { return slot.pointee }
        slot.pointee = String(checkedUTF8: key.text)
        return slot.pointee
    }

    // MARK: Values

    /// Stores a value at an address, which holds no string yet.
    ///
    /// - Parameters:
    ///   - bytes: Valid UTF-8, of 16 bytes up to the greatest length.
    ///   - field: The identity of the field, or of the array, that has the value.
    @inline(__always)
    mutating func store(
        _ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, of field: UInt, at target: UnsafeMutableRawPointer
    ) {
        target.initializeMemory(as: String.self, to: value(bytes, isASCII: isASCII, of: field))
    }

    @inline(__always)
    private mutating func value(
        _ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, of field: UInt
    ) -> String {
        guard valueCount >= Self.minimumCount else {
            if StringBytes.isKnown { valueCount &+= 1 }
            return String(checkedLong: bytes, isASCII: isASCII)
        }
        let score = score(of: field)
        guard score.pointee > 0, let start = bytes.baseAddress else {
            return String(checkedLong: bytes, isASCII: isASCII)
        }
        let key = Key(readable: start, bytes.count)
        let slot = slot(of: key, includesMiddle: false)
        if Self.holds(slot, key) {
            score.pointee = min(score.pointee &+ 2, 200)
            return slot.pointee
        }
        score.pointee &-= 1
        slot.pointee = String(checkedLong: bytes, isASCII: isASCII)
        return slot.pointee
    }

    /// Returns the score of a field, which is 0 if too few of its values are shared. Fields with the same hash have one score.
    @inline(__always)
    private mutating func score(of field: UInt) -> UnsafeMutablePointer<UInt8> {
        let index = Int((UInt64(field) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        return UnsafeMutableRawPointer((slots ?? makeSlots()) + Self.slotCount).assumingMemoryBound(to: UInt8.self)
            + index
    }

    // MARK: Slots

    @inline(__always)
    private mutating func slot(of key: Key, includesMiddle: Bool) -> UnsafeMutablePointer<String> {
        (slots ?? makeSlots()) + key.hash(includesMiddle: includesMiddle) & (Self.slotCount - 1)
    }

    @inline(__always)
    private static func holds(_ slot: UnsafeMutablePointer<String>, _ key: Key) -> Bool {
        guard let known = StringBytes(at: slot).native, known.count == key.count, let bytes = known.baseAddress
        else {
            return false
        }
        return Kernels.haveEqualBytes(bytes, key.bytes, key.count)
    }

    @inline(never)
    private mutating func makeSlots() -> UnsafeMutablePointer<String> {
        let size = Self.slotCount * MemoryLayout<String>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size + Self.scoreCount, alignment: 16)
        let slots = memory.initializeMemory(as: String.self, repeating: "", count: Self.slotCount)
        (memory + size).initializeMemory(as: UInt8.self, repeating: 16, count: Self.scoreCount)
        self.slots = slots
        return slots
    }
}
