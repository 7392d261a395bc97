/// The tokens of a document, of one element of a stream, or of a recorded value, in document order.
///
/// An entry has 16 bytes: its kind, its flags, a count and a value. Numbers and keys have a second entry of 16 bytes. For example, the
/// tape of
///
///     {"id": 7, "tags": ["a", "\u00e9"], "next": null}
///
/// has these entries:
///
///     index  kind     count  value
///         0  null                    represents no value
///         1  object       3     14   3 members; the entry after the object has index 14
///         2  key          2      2   2 bytes at offset 2 of the input
///         3   …                      the bytes of the key as two words, which are compared at once
///         4  number       1      7   1 byte at offset 7
///         5   …                      the mantissa 7 and the exponent 0
///         6  key          4     11
///         7   …
///         8  array        2     11   2 elements; the entry after the array has index 11
///         9  string       1     20   the text at offset 20, without quotes
///        10  string       2      0   é: 2 bytes at offset 0 of the copied texts, because the input has an escape
///        11  key          4     36
///        12   …
///        13  null
///
/// The value of the key at index 6 begins at index 8, and the next key at index 11, which is the value of the array's
/// entry. A value is thus skipped without reading its entries.
///
/// Texts without escapes are ranges of the input. Other texts are copied to memory of the tape.
///
/// Invariants: The first `count` entries are initialized, and entry 0 is `null`. `input` is valid until `copyTexts()` is called,
/// which must happen before the memory of the input becomes invalid if the tape has another reference.
@usableFromInline package final class Tape {
    /// The memory, whose address is constant.
    @usableFromInline package let memory: UnsafeMutablePointer<TapeMemory>
    /// The locations of the entries, if the input cannot be read again.
    @exclusivity(unchecked) private var locations: [JSONLocation] = []

    package init(input: UnsafeBufferPointer<UInt8>?, capacity: Int) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: TapeMemory(input: input, capacity: max(capacity, TapeMemory.minimumCapacity)))
    }

    /// Empties the tape for another input.
    package func restart(input: UnsafeBufferPointer<UInt8>?) {
        removeAll()
        memory.pointee.setInput(input)
    }

    /// Whether the tape is small enough to be kept for another input.
    package var isSmall: Bool { size < 1 << 16 }

    /// The memory of the tape in bytes.
    var size: Int { memory.pointee.size }

    /// Creates a tape for the next element of the same input.
    package convenience init(continuing other: Tape) {
        self.init(
            input: UnsafeBufferPointer(start: other.memory.pointee.input, count: other.memory.pointee.inputCount),
            capacity: Self.elementCapacity)
    }

    /// The number of entries for an element of an array, at first.
    package static var elementCapacity: Int { 256 }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// The index of the first recorded value.
    @inlinable package static var root: Int { 1 }

    @inlinable package var view: TapeView { TapeView(memory: memory) }

    // MARK: Recording

    /// Doubles the memory of the entries.
    ///
    /// - Parameter count: The number of recorded entries.
    @inline(never)
    func grow(_ count: Int) { memory.pointee.grow(count) }

    /// The memory of the entries.
    var entries: UnsafeMutablePointer<TapeEntry> { memory.pointee.entries }
    /// The end of the memory of the entries.
    var end: UnsafeMutablePointer<TapeEntry> { memory.pointee.entries + memory.pointee.capacity }
    var input: UnsafePointer<UInt8>? { memory.pointee.input }
    var inputCount: Int { memory.pointee.inputCount }

    func setCount(_ count: Int) { memory.pointee.count = count }

    /// Marks a recorded number that represents a number of another language than JSON.
    ///
    /// - Parameter nonFinite: The infinity or NaN; nil for a hexadecimal integer.
    package func markNumber(_ index: Int, nonFinite: Double?) {
        guard let nonFinite else {
            entries[index].flags.insert(.isHexadecimal)
            return
        }
        var entry = TapeEntry(kind: .nonFinite)
        entry.wideValue = Int64(bitPattern: nonFinite.bitPattern)
        entries[index] = entry
        memory.pointee.hasNonFinite = true
    }

    /// Copies a text, and returns the offset of the copy.
    @inline(never)
    func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { memory.pointee.copy(bytes, count) }

    /// Returns the location of an entry, if the input cannot be read again.
    package func location(of index: Int) -> JSONLocation? { index < locations.count ? locations[index] : nil }

    /// Stores the location of an entry.
    func setLocation(_ location: JSONLocation, of index: Int) {
        while locations.count <= index { locations.append(JSONLocation()) }
        locations[index] = location
    }

    /// Removes all entries.
    package func removeAll() {
        memory.pointee.removeAll()
        if !locations.isEmpty { locations.removeAll(keepingCapacity: true) }
    }

    /// Copies the texts that are ranges of the input, whose memory becomes invalid, and frees unused memory.
    package func copyTexts() { memory.pointee.copyTexts() }
}

/// The memory of a tape.
///
/// Invariants: those of `Tape`.
@usableFromInline package struct TapeMemory: ~Copyable {
    @usableFromInline package var entryMemory: GrowableMemory<TapeEntry>
    @usableFromInline package var count = 1
    /// The memory of the input, or nil if the input is read in chunks.
    @usableFromInline package var input: UnsafePointer<UInt8>?
    fileprivate(set) var inputCount: Int
    /// The copied texts. Eight bytes after the last one are readable.
    @usableFromInline package var textMemory = GrowableMemory<UInt8>()
    private var textCount = 0
    /// Whether an entry may be an infinity or NaN.
    fileprivate(set) var hasNonFinite = false
    /// The value of ``SmallString/isKnown``, which costs a call, so that a hot path reads the value here.
    @usableFromInline package let isSmallKnown = SmallString.isKnown

    private static var slack: Int { 8 }
    fileprivate static var minimumCapacity: Int { 16 }

    fileprivate init(input: UnsafeBufferPointer<UInt8>?, capacity: Int) {
        entryMemory = GrowableMemory(capacity: capacity)
        entryMemory.start.initialize(to: TapeEntry(kind: .null))
        self.input = input?.baseAddress
        inputCount = input?.count ?? 0
    }

    deinit {
        entryMemory.deallocate()
        textMemory.deallocate()
    }

    @inlinable package var entries: UnsafeMutablePointer<TapeEntry> {
        @inline(__always) get { entryMemory.start }
    }
    @inlinable package var texts: UnsafePointer<UInt8> {
        @inline(__always) get { UnsafePointer(textMemory.start) }
    }
    fileprivate var capacity: Int { entryMemory.capacity }
    fileprivate var size: Int { entryMemory.size + textMemory.size }

    fileprivate mutating func setInput(_ input: UnsafeBufferPointer<UInt8>?) {
        self.input = input?.baseAddress
        inputCount = input?.count ?? 0
        hasNonFinite = false
    }

    fileprivate mutating func grow(_ count: Int) { entryMemory.grow(moving: count) }

    fileprivate mutating func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let start = textCount
        let needed = start + count + Self.slack
        if needed > textMemory.capacity { textMemory.grow(moving: start, toAtLeast: max(needed, 256)) }
        (textMemory.start + start).update(from: bytes, count: count)
        textCount = start + count
        return start
    }

    fileprivate mutating func removeAll() {
        count = 1
        textCount = 0
    }

    fileprivate mutating func copyTexts() {
        guard let input else { return shrink() }
        var index = Tape.root
        while index < count {
            let entry = entries[index]
            if entry.kind.hasText, !entry.flags.contains(.isCopied) {
                entries[index].value = copy(input + entry.value, entry.kind == .hiddenKey ? 0 : Int(entry.count))
                entries[index].flags.insert(.isCopied)
            }
            index += entry.kind.length
        }
        self.input = nil
        shrink()
    }

    /// Frees memory that is not used.
    private mutating func shrink() {
        entryMemory.shrink(moving: count, to: max(count, Self.minimumCapacity))
        textMemory.shrink(moving: textCount, to: textCount + Self.slack)
    }
}

extension TapeEntry.Kind {
    /// The number of entries, without those inside of a container.
    @inline(__always)
    @inlinable package var length: Int {
        switch self {
        case .number, .nonFinite, .key, .hiddenKey: 2
        default: 1
        }
    }

    fileprivate var hasText: Bool {
        switch self {
        case .number, .key, .hiddenKey, .string: true
        default: false
        }
    }
}

// MARK: Repeated keys

/// Repeated keys. The first one counts, as in Foundation.
extension Tape {
    /// Hides the keys of an object that repeat an earlier key.
    ///
    /// - Parameter object: The index of a complete object.
    @inline(never)
    func hideRepeatedKeys(of object: Int) {
        if view[object].count > Self.maximumComparedCount { return hideRepeatedKeys(ofLarge: object) }
        view.forEachKey(of: object) { key in
            if hasKey(equalTo: key, from: object + 1) { hide(key) }
        }
    }

    /// The greatest number of keys that are compared with one another.
    private static var maximumComparedCount: UInt32 { 64 }

    /// Hides the repeated keys of an object with so many members that comparing each with all others takes too long.
    private func hideRepeatedKeys(ofLarge object: Int) {
        var seen = Set<MemberName>(minimumCapacity: Int(view[object].count))
        view.forEachKey(of: object) { key in
            if !seen.insert(MemberName(view.string(view[key]))).inserted { hide(key) }
        }
    }

    private func hide(_ key: Int) { entries[key].kind = .hiddenKey }

    /// Whether a key equals one of the keys before.
    private func hasKey(equalTo key: Int, from first: Int) -> Bool {
        let words = view.words(ofKey: key)
        var other = first
        while other < key {
            if view.words(ofKey: other) == words, view.isKey(other, view.bytes(view[key])) { return true }
            other = view.nextKey(other)
        }
        return false
    }
}

extension TapeView {
    /// Whether a key of an object equals an earlier one.
    package func repeatsKeys(of object: Int) -> Bool {
        var seen = Set<String>(minimumCapacity: Int(self[object].count))
        var isRepeated = false
        forEachKey(of: object) { key in
            if !isRepeated { isRepeated = !seen.insert(string(self[key])).inserted }
        }
        return isRepeated
    }
}
