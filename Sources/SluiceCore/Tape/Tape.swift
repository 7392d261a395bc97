/// The tokens of a document, or of one element of a stream, recorded in document order.
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
    var isSmall: Bool { memory.pointee.size < 1 << 16 }

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
