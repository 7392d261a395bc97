/// The members of an object, from which the case of an enum is found before they are read: in the window of a source, or recorded.
protocol ExaminedObject {
    /// Calls a closure with the key of each member, and with its value if this is a string.
    ///
    /// - Returns: Whether the container is an object, and all of its members were examined.
    mutating func examineMembers(_ body: (Key, Key?) -> Void) -> Bool
    /// Returns the value of the member with a key. Returns nil if the object must be examined in another way.
    mutating func tag(_ key: EntryReference) -> ExaminedTag?
}

/// The value of a tag.
struct ExaminedTag {
    /// Nil without a tag, or if its value is not a string.
    let name: Key?
}

/// An object or array that has begun, in the window of a source, which a sink examines before its tokens are sent.
///
/// All that is examined is checked like the tokens: a container whose end is found is valid, and all of its tokens follow from the
/// same window. Nothing is found in a container that the window does not hold, that is not valid, or that nests more than 64 levels.
struct Lookahead: ExaminedObject {
    /// The first byte after the opening bracket.
    private let start: UnsafePointer<UInt8>
    private let windowStart: UnsafePointer<UInt8>
    let isObject: Bool
    /// The offset of the container, from which the source can record after it has sent tokens; nil if it cannot.
    let offset: Int?
    /// Whether the source decides where it reads next: it can also send the tokens of the container again, or leave them out.
    let canResumeInside: Bool
    private let window: Window
    /// The number of bytes that were examined, also in vain.
    private(set) var examinedCount = 0
    /// The position after the container, once the container was read.
    private var valueEnd: UnsafePointer<UInt8>?
    /// The position after the first member, if its value is a string that was found.
    private var firstMemberEnd: UnsafePointer<UInt8>?
    /// Where a seekable source continues; nil behind the opening bracket.
    private(set) var resumePoint: ResumePoint?

    /// A position behind tokens that the source does not send.
    enum ResumePoint {
        /// The sink has made the value of the container.
        case afterContainer(UnsafePointer<UInt8>)
        /// The sink has the first member.
        case afterMember(UnsafePointer<UInt8>)
    }

    /// - Parameters:
    ///   - start: The first byte after the opening bracket.
    ///   - windowStart: The beginning of the window.
    ///   - end: The end of the window.
    ///   - readable: The number of readable bytes after the window.
    ///   - depth: The depth of the members.
    init(
        at start: UnsafePointer<UInt8>, in windowStart: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
        readable: Int, depth: Int, limits: JSONLimits, offset: Int?, canResumeInside: Bool = true
    ) {
        self.start = start
        self.windowStart = windowStart
        (self.offset, self.canResumeInside) = (offset, canResumeInside)
        isObject = start[-1] == UInt8(ascii: "{")
        window = Window(
            end: end, safeEnd: end + (readable - Scanner.slack), vectorEnd: end + (readable - 16),
            maximumKeyLength: limits.key, maximumStringLength: limits.string, maximumNumberLength: limits.number,
            allowedDepth: min(limits.depth - depth, 64))
    }

    private init(nothingAt address: UnsafePointer<UInt8>) {
        (start, windowStart, isObject, offset, canResumeInside) = (address, address, true, nil, false)
        window = Window(
            end: address, safeEnd: address - 1, vectorEnd: address - 1, maximumKeyLength: 0, maximumStringLength: 0,
            maximumNumberLength: 0, allowedDepth: 0)
    }

    /// A container of which nothing is in the window.
    static var nothing: Lookahead { Lookahead(nothingAt: zeros) }

    /// The bytes that are read before the end of the window is compared.
    nonisolated(unsafe) private static let zeros: UnsafePointer<UInt8> = {
        let zeros = UnsafeMutablePointer<UInt8>.allocate(capacity: Scanner.slack)
        zeros.initialize(repeating: 0, count: Scanner.slack)
        return UnsafePointer(zeros)
    }()

    // MARK: Members

    /// Returns the value of the first member, if the value is a string without escapes and the member has a key.
    mutating func firstString(of key: EntryReference) -> Key? {
        let window = window
        guard isObject, let at = window.spaceEnd(start), let value = window.value(at, of: key) else { return nil }
        examinedCount = value - start
        guard value.pointee == UInt8(ascii: "\"") else { return nil }
        guard let string = window.string(at: value, limit: window.maximumStringLength) else {
            examinedCount = window.end - start
            return nil
        }
        firstMemberEnd = string.end
        return string.text
    }

    /// Lets the source continue after the first member, whose value was found. Returns false if the source cannot.
    mutating func resumeAfterFirstMember() -> Bool {
        guard canResumeInside, let firstMemberEnd else { return false }
        resumePoint = .afterMember(firstMemberEnd)
        examinedCount = 0
        return true
    }

    /// Calls a closure with the key of each member of the object, and with its value if this is a string without escapes.
    ///
    /// - Returns: Whether the container is an object that ends in the window, is valid, and has no key with an escape.
    @inline(__always)
    mutating func examineMembers(_ body: (Key, Key?) -> Void) -> Bool {
        // A constant, which the loop keeps in registers.
        let window = window
        guard isObject, var at = window.spaceEnd(start) else { return false }
        defer { examinedCount = at - start }
        if at.pointee == UInt8(ascii: "}") { return true }
        while let (name, value) = window.member(at) {
            guard let name else { return false }
            var text: Key?
            if value.pointee == UInt8(ascii: "\"") {
                guard let string = window.string(at: value, limit: window.maximumStringLength) else {
                    at = window.end
                    return false
                }
                text = string.text
                at = string.end
            } else {
                // Not the position, which the loop keeps in a register.
                var reached = value
                guard let next = window.valueEnd(value, &reached) else {
                    at = reached
                    return false
                }
                at = next
            }
            body(name, text)
            guard let next = window.spaceEnd(at) else { return false }
            if next.pointee == UInt8(ascii: "}") { return true }
            guard next.pointee == UInt8(ascii: ","), let following = window.spaceEnd(next + 1) else { return false }
            at = following
        }
        return false
    }

    /// Returns the value of the only member with a key. Returns nil if the value is no string without escapes, if the key is repeated, or if the
    /// container is no valid object in the window.
    mutating func tag(_ key: EntryReference) -> ExaminedTag? {
        firstMemberEnd = nil
        var (text, count): (Key?, Int) = (nil, 0)
        let isWhole = examineMembers { name, value in
            if key.matches(name) { (text, count) = (value, count + 1) }
        }
        return isWhole && count == (text == nil ? 0 : 1) ? ExaminedTag(name: text) : nil
    }

    /// Records the container on a tape. Returns false if the window does not hold the container, or if the container is not valid.
    mutating func record(with scanner: inout Scanner, on recorder: inout TapeRecorder) -> Bool {
        guard window.end > start else { return false }
        let bracket = start - 1
        recorder.restart(UnsafeBufferPointer(start: bracket, count: window.end - bracket))
        let reached: UnsafePointer<UInt8>
        (valueEnd, reached) = scanner.record(
            bracket, in: windowStart, end: window.end, readable: window.safeEnd + Scanner.slack - window.end,
            levels: window.allowedDepth + 1, on: &recorder)
        examinedCount = reached - start
        return valueEnd != nil
    }

    /// Lets the source continue after the container, which was read. Returns false if the source cannot, and sends the tokens.
    mutating func skipContainer() -> Bool {
        guard canResumeInside, let valueEnd else { return false }
        resumePoint = .afterContainer(valueEnd)
        examinedCount = 0
        return true
    }

    /// Returns the bytes of the container, if the container ends in the window and is valid.
    mutating func bytesInWindow() -> UnsafeBufferPointer<UInt8>? {
        var reached = start
        defer { examinedCount = reached - start }
        guard let last = window.containerEnd(start, isObject: isObject, &reached) else { return nil }
        valueEnd = last
        return UnsafeBufferPointer(start: start - 1, count: last - start + 1)
    }
}

/// The window of a source, in which tokens are checked like by the scanner.
private struct Window {
    let end: UnsafePointer<UInt8>
    let safeEnd: UnsafePointer<UInt8>
    let vectorEnd: UnsafePointer<UInt8>
    let maximumKeyLength: Int
    let maximumStringLength: Int
    let maximumNumberLength: Int
    /// The number of levels that the limit of depth allows inside the container.
    let allowedDepth: Int

    /// Returns the key at a position and the beginning of its value; a nil key if the key has an escape.
    @inline(__always)
    func member(_ at: UnsafePointer<UInt8>) -> (name: Key?, value: UnsafePointer<UInt8>)? {
        guard at.pointee == UInt8(ascii: "\""), let name = string(at: at, limit: maximumKeyLength),
            let value = valueStart(after: name.end)
        else { return nil }
        return (name.text, value)
    }

    /// Returns the beginning of the value of the member at a position; nil if the member has another key.
    @inline(__always)
    func value(_ at: UnsafePointer<UInt8>, of key: EntryReference) -> UnsafePointer<UInt8>? {
        guard key.expectation == .part else {
            guard let (name, value) = member(at), let name, key.matches(name) else { return nil }
            return value
        }
        guard at.pointee == UInt8(ascii: "\""), key.pointer.pointee.matches(plainTextAt: at + 1),
            key.keyCount <= maximumKeyLength
        else { return nil }
        return valueStart(after: at + (key.keyCount + 2))
    }

    /// Returns the beginning of the value after a key.
    @inline(__always)
    private func valueStart(after key: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        if key.pointee == UInt8(ascii: ":") { return spaceEnd(key + 1) }
        guard let colon = spaceEnd(key), colon.pointee == UInt8(ascii: ":") else { return nil }
        return spaceEnd(colon + 1)
    }

    // MARK: Values

    /// Returns the next position that is not white space, if a token can begin there.
    ///
    /// - Parameter at: A position from which 16 bytes can be read, or the one after it.
    @inline(__always)
    func spaceEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        if at.pointee > 0x20 { return at <= safeEnd ? at : nil }
        return longSpaceEnd(at)
    }

    @inline(never)
    private func longSpaceEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard at <= safeEnd else { return nil }
        let next = Scanner.spaceEnd(at, safeEnd: safeEnd, vectorEnd: vectorEnd)
        return next <= safeEnd ? next : nil
    }

    /// Returns the end of the string at a quote, and its contents if it has no escape.
    @inline(__always)
    func string(
        at quote: UnsafePointer<UInt8>, limit: Int
    ) -> (end: UnsafePointer<UInt8>, text: Key?)? {
        let stop = Kernels.plainEnd(quote + 1, last: vectorEnd)
        let count = stop - (quote + 1)
        if stop < safeEnd, stop.pointee == UInt8(ascii: "\""), count <= limit {
            return (stop + 1, Key(readable: quote + 1, count))
        }
        return otherString(at: quote, limit: limit)
    }

    /// The same for a string that is not ASCII, has escapes, or is not valid.
    @inline(never)
    private func otherString(
        at quote: UnsafePointer<UInt8>, limit: Int
    ) -> (end: UnsafePointer<UInt8>, text: Key?)? {
        var pause = Scanner.Pause.more
        guard let end = Scanner.checkedStringEnd(quote, vectorEnd: vectorEnd, limit: limit, &pause), end <= safeEnd
        else { return nil }
        let text = Key(readable: quote + 1, end - quote - 2)
        let hasEscape = text.text.contains(UInt8(ascii: "\\"))
        return (end, hasEscape ? nil : text)
    }

    /// Returns the end of a value that is not a string.
    ///
    /// - Parameter reached: Receives the position up to which a container was examined.
    @inline(__always)
    func valueEnd(_ at: UnsafePointer<UInt8>, _ reached: inout UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard at.pointee == UInt8(ascii: "{") || at.pointee == UInt8(ascii: "[") else {
            return scalarEnd(at).flatMap { $0 <= safeEnd ? $0 : nil }
        }
        return allowedDepth > 0 ? containerEnd(at + 1, isObject: at.pointee == UInt8(ascii: "{"), &reached) : nil
    }

    @inline(__always)
    private func numberEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var count = Kernels.numberLength(at)
        if count == 0 { count = Kernels.longNumberLength(at) }
        return count > 0 && at + count < end && count <= maximumNumberLength ? at + count : nil
    }

    /// Returns the position after the closing bracket of a container.
    ///
    /// - Parameters:
    ///   - start: The first byte after the opening bracket.
    ///   - reached: Receives the position up to which the container was examined.
    @inline(never)
    func containerEnd(
        _ start: UnsafePointer<UInt8>, isObject: Bool, _ reached: inout UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        // The open containers inside this one: the lowest bit is set if the innermost is an object.
        var (objects, depth, inObject): (UInt64, Int, Bool) = (0, 1, isObject)
        guard var at = spaceEnd(start) else { return nil }
        defer { reached = at }
        var mayClose = true
        while true {
            if mayClose, at.pointee == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                // Closed below.
            } else {
                if inObject {
                    var pause = Scanner.Pause.more
                    guard at.pointee == UInt8(ascii: "\""),
                        let end = Scanner.checkedStringEnd(
                            at, vectorEnd: vectorEnd, limit: maximumKeyLength, &pause),
                        let value = valueStart(after: end)
                    else { return nil }
                    at = value
                }
                switch at.pointee {
                case UInt8(ascii: "\""):
                    var pause = Scanner.Pause.more
                    guard
                        let end = Scanner.checkedStringEnd(
                            at, vectorEnd: vectorEnd, limit: maximumStringLength, &pause)
                    else {
                        at = self.end
                        return nil
                    }
                    at = end
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard depth < allowedDepth, let first = spaceEnd(at + 1) else { return nil }
                    objects = objects << 1 | (inObject ? 1 : 0)
                    inObject = at.pointee == UInt8(ascii: "{")
                    depth &+= 1
                    mayClose = true
                    at = first
                    continue
                default:
                    guard let end = scalarEnd(at) else { return nil }
                    at = end
                }
                guard let next = spaceEnd(at) else { return nil }
                at = next
            }
            // After a value, or at the bracket of an empty container.
            while at.pointee == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                at += 1
                depth &-= 1
                if depth == 0 { return at <= safeEnd ? at : nil }
                inObject = objects & 1 != 0
                objects >>= 1
                guard let next = spaceEnd(at) else { return nil }
                at = next
            }
            guard at.pointee == UInt8(ascii: ","), let next = spaceEnd(at + 1) else { return nil }
            at = next
            mayClose = false
        }
    }

    @inline(__always)
    private func scalarEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        switch at.pointee {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return numberEnd(at)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = Scanner.literalLength(at)
            return length == 0 ? nil : at + length
        default: return nil
        }
    }
}

/// The number of bytes of a document that were examined ahead of their tokens.
///
/// The number is bounded by the length of the document so far. Beyond it, values are recorded: containers that nest would otherwise be
/// examined once per level.
struct ExtraReading {
    /// The greatest number of bytes per byte of the document.
    private static var maximumShare: Int { 4 }

    private var count = 0

    /// Passes a container that has begun to the sink, unless the number has reached its bound. Returns the action to take.
    ///
    /// - Parameter documentCount: The length of the document so far.
    mutating func lookAhead(
        in container: inout Lookahead, of documentCount: Int, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        guard count / Self.maximumShare <= documentCount else { return sink.withoutLookahead(.lookAhead) }
        var action: TokenAction
        // The payload of an enum may be an enum.
        repeat {
            action = sink.lookedAhead(&container)
            count &+= container.examinedCount
        } while action == .lookAhead
        return action
    }
}
