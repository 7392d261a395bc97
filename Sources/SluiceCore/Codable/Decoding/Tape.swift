/// The tokens of a document, or of one element of a stream, recorded in document order.
///
/// Texts without escapes are ranges of the input. Other texts are copied to memory of the tape.
///
/// Invariants: The first `count` entries are initialized, and entry 0 is `null`. A number has two entries. `input` is valid
/// until `ownTexts()` is called, which must happen before the memory of the input becomes invalid if the tape has another
/// reference.
package final class Tape {
    @exclusivity(unchecked) private(set) var entries: UnsafeMutablePointer<TapeEntry>
    @exclusivity(unchecked) private(set) var count = 1
    @exclusivity(unchecked) private var capacity: Int
    /// The memory of the input, or nil if the input is read in chunks.
    @exclusivity(unchecked) private(set) var input: UnsafePointer<UInt8>?
    let inputCount: Int
    /// The copied texts. Eight bytes after the last one are readable.
    @exclusivity(unchecked) private var texts: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var textCount = 0
    @exclusivity(unchecked) private var textCapacity = 0
    /// The locations of the entries, if the input cannot be read again.
    @exclusivity(unchecked) var locations: [JSONLocation] = []

    private static var slack: Int { 8 }

    init(input: UnsafeBufferPointer<UInt8>?, capacity: Int) {
        self.capacity = max(capacity, 16)
        entries = .allocate(capacity: self.capacity)
        entries.initialize(to: TapeEntry(kind: .null))
        self.input = input?.baseAddress
        inputCount = input?.count ?? 0
        texts = UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
    }

    /// Creates a tape for the next element of the same input.
    convenience init(continuing other: Tape) {
        self.init(
            input: UnsafeBufferPointer(start: other.input, count: other.inputCount), capacity: other.capacity)
    }

    deinit {
        entries.deallocate()
        if textCapacity > 0 { texts.deallocate() }
    }

    /// The index of the first recorded value.
    static var root: Int { 1 }

    @inline(__always)
    subscript(index: Int) -> TapeEntry { entries[index] }

    // MARK: Recording

    /// Doubles the memory of the entries.
    ///
    /// - Parameter count: The number of recorded entries.
    @inline(never)
    func grow(_ count: Int) {
        self.count = count
        capacity *= 2
        let larger = UnsafeMutablePointer<TapeEntry>.allocate(capacity: capacity)
        larger.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = larger
    }

    /// The end of the memory of the entries.
    var end: UnsafeMutablePointer<TapeEntry> { entries + capacity }

    func setCount(_ count: Int) { self.count = count }

    /// Copies a text, and returns the offset of the copy.
    @inline(never)
    func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let start = textCount
        if start + count + Self.slack > textCapacity {
            let capacity = max(textCapacity * 2, start + count + Self.slack, 256)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            larger.update(from: texts, count: start)
            if textCapacity > 0 { texts.deallocate() }
            (texts, textCapacity) = (larger, capacity)
        }
        (texts + start).update(from: bytes, count: count)
        textCount = start + count
        return start
    }

    /// Removes all entries.
    func removeAll() {
        count = 1
        textCount = 0
        if !locations.isEmpty { locations.removeAll(keepingCapacity: true) }
    }

    /// Copies the texts that are ranges of the input, whose memory becomes invalid.
    func ownTexts() {
        guard let input else { return }
        var index = Self.root
        while index < count {
            switch entries[index].kind {
            case .string, .key, .hiddenKey, .number:
                if !entries[index].flags.contains(.isCopied) {
                    let count = entries[index].kind == .hiddenKey ? 0 : Int(entries[index].count)
                    entries[index].value = copy(input + entries[index].value, count)
                    entries[index].flags.insert(.isCopied)
                }
                index += entries[index].kind == .number ? 2 : 1
            case .null, .false, .true, .nonFinite, .array, .object: index += 1
            }
        }
        self.input = nil
    }

    // MARK: Reading

    /// Returns the index of the entry after a value.
    @inline(__always)
    func next(_ index: Int) -> Int {
        switch entries[index].kind {
        case .array, .object: entries[index].value
        case .number: index &+ 2
        default: index &+ 1
        }
    }

    /// Returns the address of a text.
    @inline(__always)
    func text(_ entry: TapeEntry) -> UnsafePointer<UInt8> {
        let base = entry.flags.contains(.isCopied) ? UnsafePointer(texts) : input.unsafelyUnwrapped
        return base + entry.value
    }

    func bytes(_ entry: TapeEntry) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text(entry), count: Int(entry.count))
    }

    /// Returns the string of an entry.
    @inline(__always)
    func string(_ entry: TapeEntry) -> String {
        String(
            checkedUTF8: bytes(entry), isASCII: entry.flags.contains(.isASCII), isSmallKnown: SmallString.isKnown)
    }

    /// Returns the number of an entry.
    @inline(__always)
    func number(_ index: Int) -> NumberToken {
        let entry = entries[index]
        let parts = UnsafeRawPointer(entries + (index &+ 1)).load(as: TapeNumber.self)
        return NumberToken(
            text: text(entry), count: Int(entry.count), mantissa: parts.mantissa, exponent: parts.exponent,
            isNegative: entry.flags.contains(.isNegative), isInteger: entry.flags.contains(.isInteger),
            isTruncated: entry.flags.contains(.isTruncated))
    }

    /// Calls a closure with the index of each key of an object, in order, without repeated keys.
    func forEachKey(of object: Int, _ body: (Int) throws -> Void) rethrows {
        var key = object + 1
        let end = entries[object].value
        while key < end {
            if entries[key].kind == .key { try body(key) }
            key = next(key + 1)
        }
    }
}

extension Tape {
    /// Stores the location of an entry.
    func setLocation(_ location: JSONLocation, of index: Int) {
        while locations.count <= index { locations.append(JSONLocation()) }
        locations[index] = location
    }
}

extension Tape {
    /// Returns the key or the index of the last value of an open container.
    ///
    /// - Parameter child: The index of that value's entry, or of the next entry.
    func component(ofLastChildOf container: Int, before child: Int) -> JSONPath.Component? {
        let isObject = entries[container].kind == .object
        var component: JSONPath.Component?
        var position = 0
        var index = container + 1
        while index < child {
            if isObject {
                component = .key(string(entries[index]))
                index += 1
                if index >= child { break }
            }
            index = next(index)
            position += 1
        }
        return isObject ? component : .index(position)
    }
}
