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
/// The value of the key at index 6 begins at index 8, and the next key at index 11, which the array's value gives. A value is thus
/// skipped without reading it.
///
/// Texts without escapes are ranges of the input. Other texts are copied to memory of the tape.
///
/// Invariants: The first `count` entries are initialized, and entry 0 is `null`. `input` is valid until `copyTexts()` is called,
/// which must happen before the memory of the input becomes invalid if the tape has another reference.
package final class Tape {
    /// The memory, whose address is constant.
    private let memory: UnsafeMutablePointer<TapeMemory>
    /// The locations of the entries, if the input cannot be read again.
    private(set) var locations: [JSONLocation] = []

    init(input: UnsafeBufferPointer<UInt8>?, capacity: Int) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: TapeMemory(input: input, capacity: max(capacity, TapeMemory.leastCapacity)))
    }

    /// Empties the tape for another input.
    func restart(input: UnsafeBufferPointer<UInt8>?) {
        removeAll()
        memory.pointee.setInput(input)
    }

    /// Whether the tape is small enough to be kept for another input.
    var isSmall: Bool { size < 1 << 16 }

    /// The memory of the tape in bytes.
    var size: Int { memory.pointee.size }

    /// Creates a tape for the next element of the same input.
    convenience init(continuing other: Tape) {
        self.init(
            input: UnsafeBufferPointer(start: other.memory.pointee.input, count: other.memory.pointee.inputCount),
            capacity: Self.elementCapacity)
    }

    /// The number of entries for an element of an array, at first.
    static var elementCapacity: Int { 256 }

    deinit {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }

    /// The index of the first recorded value.
    static var root: Int { 1 }

    var view: TapeView { TapeView(memory: memory) }

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

    /// Copies a text, and returns the offset of the copy.
    @inline(never)
    func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int { memory.pointee.copy(bytes, count) }

    /// Stores the location of an entry.
    func setLocation(_ location: JSONLocation, of index: Int) {
        while locations.count <= index { locations.append(JSONLocation()) }
        locations[index] = location
    }

    /// Removes all entries.
    func removeAll() {
        memory.pointee.removeAll()
        if !locations.isEmpty { locations.removeAll(keepingCapacity: true) }
    }

    /// Copies the texts that are ranges of the input, whose memory becomes invalid, and frees unused memory.
    func copyTexts() { memory.pointee.copyTexts() }
}

/// The memory of a tape.
///
/// Invariants: those of `Tape`.
struct TapeMemory: ~Copyable {
    fileprivate(set) var entries: UnsafeMutablePointer<TapeEntry>
    fileprivate(set) var count = 1
    fileprivate(set) var capacity: Int
    /// The memory of the input, or nil if the input is read in chunks.
    fileprivate(set) var input: UnsafePointer<UInt8>?
    fileprivate(set) var inputCount: Int
    /// The copied texts. Eight bytes after the last one are readable.
    fileprivate(set) var texts: UnsafeMutablePointer<UInt8>?
    private var textCount = 0
    private var textCapacity = 0

    private static var slack: Int { 8 }
    fileprivate static var leastCapacity: Int { 16 }

    fileprivate init(input: UnsafeBufferPointer<UInt8>?, capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(to: TapeEntry(kind: .null))
        self.input = input?.baseAddress
        inputCount = input?.count ?? 0
    }

    deinit {
        entries.deallocate()
        texts?.deallocate()
    }

    fileprivate mutating func setInput(_ input: UnsafeBufferPointer<UInt8>?) {
        self.input = input?.baseAddress
        inputCount = input?.count ?? 0
    }

    fileprivate var size: Int { capacity * MemoryLayout<TapeEntry>.stride + textCapacity }

    fileprivate mutating func grow(_ count: Int) {
        capacity *= 2
        entries = Self.moved(entries, count, capacity: capacity)
    }

    fileprivate mutating func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let start = textCount
        if start + count + Self.slack > textCapacity {
            textCapacity = max(textCapacity * 2, start + count + Self.slack, 256)
            texts = texts.map { Self.moved($0, start, capacity: textCapacity) } ?? .allocate(capacity: textCapacity)
        }
        (texts.unsafelyUnwrapped + start).update(from: bytes, count: count)
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
        let (oldCapacity, oldTextCapacity) = (capacity, textCapacity)
        capacity = max(count, Self.leastCapacity)
        if capacity < oldCapacity { entries = Self.moved(entries, count, capacity: capacity) }
        if let texts, textCount + Self.slack < oldTextCapacity {
            textCapacity = textCount + Self.slack
            self.texts = Self.moved(texts, textCount, capacity: textCapacity)
        }
    }

    private static func moved<T>(
        _ old: UnsafeMutablePointer<T>, _ count: Int, capacity: Int
    ) -> UnsafeMutablePointer<T> {
        let new = UnsafeMutablePointer<T>.allocate(capacity: capacity)
        new.moveInitialize(from: old, count: count)
        old.deallocate()
        return new
    }
}

extension TapeEntry.Kind {
    /// The number of entries, without those inside of a container.
    @inline(__always)
    var length: Int {
        switch self {
        case .number, .key, .hiddenKey: 2
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
