/// Records the tokens of a source on a tape.
package struct TapeRecorder: SimpleSink {
    /// Receives each element of the array at the root, so that the tape holds one element at a time.
    private let elements: (any TapeElements)?
    /// The index of the array whose elements are delivered, or −1.
    private var elementParent = -1
    private var tape: Tape
    /// The memory of the next entry, and the last position where two entries fit.
    private var next: UnsafeMutablePointer<TapeEntry>
    private var last: UnsafeMutablePointer<TapeEntry>
    /// The index of the open container, or 0.
    private var open = 0
    /// The number of keys and values in the open container.
    private var count = 0
    private var hasUnicodeKeys = false
    /// The bits of the hashes of the keys in the open object, and whether a bit occurred twice.
    private var keyBits: UInt64 = 0
    private var mayRepeatKeys = false
    /// The bits of the outer objects.
    private var outerKeyBits: [UInt64] = []
    private var input: UnsafePointer<UInt8>?
    private var inputCount: UInt
    private let recordsLocations: Bool
    private let keepsRepeatedKeys: Bool
    /// The action after each token.
    private let action: TokenAction
    /// The index of the entry whose location arrives next.
    private var current = 0
    /// Whether a text of a value in memory, for which no limit applies, is longer than a tape can count. The recording is not used.
    private(set) var hasOverlongText = false
    /// Whether an element is complete, and is delivered when its last location has arrived.
    private var isElementComplete = false

    /// - Parameters:
    ///   - recordsLocations: Whether the tape receives the location of each token, because the input cannot be read again.
    ///   - keepsRepeatedKeys: Whether a key that repeats an earlier key of its object is not hidden.
    ///   - elements: Receives the elements of an array at the root; nil if the tape holds the whole document.
    package init(
        _ tape: Tape, recordsLocations: Bool, keepsRepeatedKeys: Bool = false, elements: (any TapeElements)? = nil
    ) {
        self.tape = tape
        self.elements = elements
        self.recordsLocations = recordsLocations
        self.keepsRepeatedKeys = keepsRepeatedKeys
        action = recordsLocations ? .handlePending : .proceed
        next = tape.entries + 1
        last = tape.end - 2
        input = tape.input
        inputCount = UInt(tape.inputCount)
    }

    // MARK: One value after another

    /// Empties the tape for a value of another input.
    mutating func restart(_ input: UnsafeBufferPointer<UInt8>) {
        tape.restart(input: input)
        next = tape.entries + 1
        last = tape.end - 2
        (self.input, inputCount) = (input.baseAddress, UInt(input.count))
        (open, count, hasUnicodeKeys, keyBits, mayRepeatKeys) = (0, 0, false, 0, false)
        if !outerKeyBits.isEmpty { outerKeyBits.removeAll() }
    }

    /// Returns the recorded value. The recorder keeps the tape until `endValue()`.
    func recordedValue() -> RecordedEntry {
        tape.setCount(next - base)
        return RecordedEntry(tape.view, owner: tape, at: Tape.root)
    }

    /// Ends the use of the recorded value, before the memory of its input becomes invalid.
    ///
    /// - Parameter capacity: The number of entries of another tape, if the tape is large or has another reference.
    mutating func endValue(capacity: Int) {
        if !isKnownUniquelyReferenced(&tape) {
            tape.copyTexts()
        } else if tape.isSmall {
            return
        }
        tape = Tape(input: nil, capacity: capacity)
    }

    // MARK: Entries

    private var base: UnsafeMutablePointer<TapeEntry> { tape.entries }

    @inline(__always)
    private mutating func reserve() {
        if next > last { grow() }
        count &+= 1
        if recordsLocations { current = next - base }
    }

    @inline(never)
    private mutating func grow() {
        let used = next - base
        tape.grow(used)
        next = base + used
        last = tape.end - 2
    }

    @inline(__always)
    private mutating func append(_ entry: TapeEntry) {
        next.initialize(to: entry)
        next += 1
    }

    /// Returns the action after a complete value.
    @inline(__always)
    private mutating func completed() -> TokenAction {
        if open == elementParent {
            if recordsLocations { isElementComplete = true } else { endElement() }
        }
        return action
    }

    @inline(never)
    private mutating func endElement() {
        guard let elements else { return }
        tape.setCount(next - base)
        let array = (base + elementParent).pointee
        let location = tape.location(of: elementParent)
        elements.take(&tape)
        (base + elementParent).initialize(to: array)
        if let location { tape.setLocation(location, of: elementParent) }
        next = base + (elementParent + 1)
        last = tape.end - 2
    }

    // MARK: Tokens

    @inline(__always)
    private mutating func start(_ kind: TapeEntry.Kind) {
        reserve()
        let index = next - base
        var flags: TapeEntry.Flags = hasUnicodeKeys ? .hasUnicodeKeys : []
        if mayRepeatKeys { flags.insert(.mayRepeatKeys) }
        (base + open).pointee.count = UInt32(truncatingIfNeeded: count)
        append(TapeEntry(kind: kind, flags: flags, value: open))
        open = index
        count = 0
        (hasUnicodeKeys, mayRepeatKeys) = (false, false)
    }

    /// Completes the open container. Until then, the flags of its entry are those of the outer container.
    @inline(__always)
    private mutating func end(_ count: Int) {
        let container = base + open
        let outer = container.pointee.value
        let outerFlags = container.pointee.flags
        container.pointee.value = next - base
        container.pointee.count = UInt32(truncatingIfNeeded: count)
        container.pointee.flags = hasUnicodeKeys ? .hasUnicodeKeys : []
        if recordsLocations { current = 0 }
        hasUnicodeKeys = outerFlags.contains(.hasUnicodeKeys)
        mayRepeatKeys = outerFlags.contains(.mayRepeatKeys)
        open = outer
        self.count = Int((base + outer).pointee.count)
    }

    mutating func startObject() -> TokenAction {
        if open > 0 { outerKeyBits.append(keyBits) }
        keyBits = 0
        start(.object)
        return action
    }

    mutating func endObject() -> TokenAction {
        let object = open
        let mayRepeat = mayRepeatKeys
        end(count &>> 1)
        keyBits = open > 0 ? outerKeyBits.popLast() ?? 0 : 0
        if mayRepeat {
            if keepsRepeatedKeys {
                (base + object).pointee.flags.insert(.mayRepeatKeys)
            } else {
                tape.hideRepeatedKeys(of: object)
            }
        }
        return completed()
    }

    mutating func startArray() -> TokenAction {
        start(.array)
        if elements != nil, open == Tape.root { elementParent = open }
        return action
    }

    mutating func endArray() -> TokenAction {
        if open == elementParent {
            elementParent = -1
            // The delivered elements are no longer on the tape.
            end(0)
            return action
        }
        end(count)
        return completed()
    }

    mutating func key(_ key: Key) -> TokenAction {
        reserve()
        var entry = TapeEntry(kind: .key, count: UInt32(truncatingIfNeeded: key.count))
        let isASCII =
            key.head & 0x8080_8080_8080_8080 == 0
            && (key.count <= 8 || UTF8Validation.isASCII(key.bytes, key.count))
        if isASCII { entry.flags = .isASCII } else { hasUnicodeKeys = true }
        let words = TapeKey(key, isASCII: isASCII)
        let bit = words.bit
        if keyBits & bit != 0 { mayRepeatKeys = true }
        keyBits |= bit
        setText(key.bytes, key.count, in: &entry)
        append(entry)
        UnsafeMutableRawPointer(next).storeBytes(of: words, as: TapeKey.self)
        next += 1
        return action
    }

    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        reserve()
        var entry = TapeEntry(
            kind: .string, flags: isASCII ? .isASCII : [], count: UInt32(truncatingIfNeeded: count))
        setText(bytes, count, in: &entry)
        append(entry)
        return completed()
    }

    mutating func number(_ token: NumberToken) -> TokenAction {
        reserve()
        var entry = TapeEntry(kind: .number, count: UInt32(truncatingIfNeeded: token.count))
        if token.isNegative { entry.flags.insert(.isNegative) }
        if token.isInteger { entry.flags.insert(.isInteger) }
        if token.isTruncated { entry.flags.insert(.isTruncated) }
        setText(token.text, token.count, in: &entry)
        append(entry)
        UnsafeMutableRawPointer(next).storeBytes(
            of: TapeNumber(mantissa: token.mantissa, exponent: token.exponent), as: TapeNumber.self)
        next += 1
        return completed()
    }

    mutating func bool(_ value: Bool) -> TokenAction { literal(value ? .true : .false) }

    mutating func null() -> TokenAction { literal(.null) }

    private mutating func literal(_ kind: TapeEntry.Kind) -> TokenAction {
        reserve()
        append(TapeEntry(kind: kind))
        return completed()
    }

    /// Stores the range of a text. A text outside of the input is copied.
    @inline(__always)
    private mutating func setText(_ bytes: UnsafePointer<UInt8>, _ count: Int, in entry: inout TapeEntry) {
        let offset = UInt(bitPattern: bytes) &- UInt(bitPattern: input)
        if offset < inputCount {
            entry.value = Int(bitPattern: offset)
        } else if count <= JSONLimits.maximumTokenLength {
            entry.value = tape.copy(bytes, count)
            entry.flags.insert(.isCopied)
        } else {
            hasOverlongText = true
            (entry.count, entry.value) = (0, 0)
        }
    }

    // MARK: Locations

    var awaitsLocation: Bool { recordsLocations }

    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        if current > 0 { tape.setLocation(start, of: current) }
        if isElementComplete {
            isElementComplete = false
            endElement()
        }
        return .proceed
    }

    // MARK: Result

    /// Closes the containers that stay open at an error.
    ///
    /// - Returns: The entries of these containers, and the entry that replaces the missing value of the last key.
    mutating func closeContainers() -> (unclosed: Set<Int>, absentValue: Int?) {
        var absentValue: Int?
        if open > 0, base[open].kind == .object, count % 2 == 1 {
            absentValue = next - base
            _ = literal(.null)
        }
        var unclosed: Set<Int> = []
        while open > 0 {
            unclosed.insert(open)
            end(count)
        }
        return (unclosed, absentValue)
    }

    /// Returns the tape at the end of the input.
    package func finish() -> Tape {
        tape.setCount(next - base)
        return tape
    }

    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue {
        JSONIssue(kind: kind, path: path(isAtKey: isAtKey))
    }
}

/// Receives the elements of an array at the root.
package protocol TapeElements: AnyObject {
    /// The number of received elements.
    var count: Int { get }

    /// Receives the tape with the next element at its end, and empties or replaces the tape. After an element that failed, the others are
    /// only counted.
    func take(_ tape: inout Tape)

    /// Begins with the first element again, because the text is read again. Elements that were received are only counted.
    func restart()

    /// The error of the first element that failed.
    var failure: TapeElementFailure? { get }

    /// Moves the elements to a new array in uninitialized memory.
    func finish(at target: UnsafeMutableRawPointer)
}

/// The error of an element, which is no longer on the tape.
package struct TapeElementFailure {
    package let error: any Error
    /// The position of the element in the array.
    package let element: Int
    /// The entry at fault on the tape of the element.
    package let entry: Int
    /// The location of the entry, if the input cannot be read again.
    package let location: JSONLocation?
    /// The hint of the issue.
    package let hint: String?

    package init(_ error: any Error, element: Int, entry: Int, location: JSONLocation?, hint: String?) {
        (self.error, self.element, self.entry, self.location, self.hint) = (error, element, entry, location, hint)
    }
}

extension TapeRecorder {
    /// Returns the path of the current value, or of the open container.
    ///
    /// - Parameter isAtKey: Whether the path is that of the open object, of which a key is being read.
    private func path(isAtKey: Bool) -> JSONPath {
        var containers: [Int] = []
        var container = open
        while container > 0 {
            containers.append(container)
            container = (base + container).pointee.value
        }
        containers.reverse()
        var path = JSONPath()
        for (depth, container) in containers.enumerated() {
            let isInnermost = depth + 1 == containers.count
            if isInnermost, isAtKey { break }
            let child = isInnermost ? next - base : containers[depth + 1]
            if container == elementParent {
                path.components.append(.index(elements?.count ?? 0))
            } else if let component = tape.view.component(ofLastChildOf: container, before: child) {
                path.components.append(component)
            }
        }
        return path
    }
}
