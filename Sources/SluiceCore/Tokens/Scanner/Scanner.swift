// The scanner reads JSON and calls a sink for each token. The driver, which writes models, is the most important sink.
//
// A worked example. The sink is the driver of a model with the properties `id: Int` and `tags: [String]`:
//
//     {"id": 17, "tags": ["a", "b\n"]}
//
//     position  byte  state          the scanner                                     the sink
//      0        {     value          pushes an object, depth 1                       startObject: pushes the frame of the model
//      1        "     keyOrClose     compares the bytes with the expected key        expectedKey: accepts `id`, targets the property
//      5        :     colon          skips the colon and one space
//      7        1     value          offers the position of a plain number           plainNumber: stores 17, returns position 9
//      9        ,     value          reads the comma after a member at once
//     11        "     key            as above                                        expectedKey: accepts `tags`
//     19        [     value          pushes an array, depth 2                        startArray: pushes the frame of the array
//     20        "     valueOrClose   finds the closing quote                         string: appends `a`
//     25        "     value          finds a backslash, and unescapes into a buffer  string: appends the two bytes of `b\n`
//     30        ]     commaOrClose   pops the array, depth 1                         endArray: moves the array to the property
//     31        }     commaOrClose   pops the object, depth 0                        endObject: completes the model
//
// The parts of this file, in the order of the text:
//
//   - The state: a position in the window (`cursor`), the tokens that the grammar allows there (`expectation`), and the open containers.
//     This is all that the scanner needs to continue in the next window. `ScannerSource` completes a token that a window cuts.
//   - `advance` runs the loop until the window ends, the document is complete, or the sink stops. `Pause` has the reasons.
//   - `scan` is the loop: a chain of states, each of which falls through to the most frequent next one. An unexpected key, white space other
//     than one space, an escape or a number with a limit leave the chain for a function.
//   - `skipMembers` is a loop for members whose keys the sink expects and does not read. It compares each key, and sends no token.
//   - `skipContainer` is a loop for containers that the sink ignores. It has the same grammar, and calls the sink once, at the end.
//   - Numbers, arrays of doubles and escapes have loops of their own.
//   - `apply` performs what the sink asks for by its return value (`TokenAction`). Nearly all tokens return `proceed`, which costs one
//     comparison.
//   - `reject…` make the error of a token that is not valid. The diagnosis reads the token again (`SyntaxDiagnosis`).
//
// The scanner validates all that it passes: UTF-8, escapes, numbers and the grammar, also in ignored containers.

/// Sluice's own scanner: reads a window of the input and sends its tokens to a sink.
///
/// The scanner has only the current window. A token is never split: if the window ends inside a token, the scanner stops
/// before the token, and continues there when more bytes are available (see `ScannerSource`, which keeps the windows).
///
/// Invariant of all reads: from any position up to `safeEnd`, 64 bytes are readable; a token begins there or the scanner
/// stops. `vectorEnd` is the last position from which 16 bytes are readable. The loops over long tokens check `vectorEnd`.
struct Scanner: ~Copyable {
    /// The tokens allowed at the next position.
    typealias Expectation = GrammarState.Expectation

    private(set) var limits: JSONLimits
    var text: LookbackBuffer

    // The current position.
    var cursor: UnsafePointer<UInt8>
    var expectation = Expectation.value
    private var depth = 0
    private var containers: OpenContainers
    /// The depth outside the ignored container, or −1 if none is ignored.
    private var skipBase = -1
    /// Whether the scanner skips a container, whose tokens the sink does not receive.
    var isSkipping: Bool { skipBase >= 0 }
    /// Whether the container that has begun has a loop of its own: it is recorded, is an array of doubles, or is for another sink. A recorded
    /// container is switched until its end.
    private var isSwitched = false

    // The current window.
    private var end: UnsafePointer<UInt8>
    private var safeEnd: UnsafePointer<UInt8>
    private var vectorEnd: UnsafePointer<UInt8>
    /// The positions at which plain numbers can be read.
    private var plainNumbers: PlainNumberRange
    /// Whether the window is the last.
    var isFinal = false
    /// The start of the window, and its offset in the input.
    private var windowStart: UnsafePointer<UInt8>
    private var windowOffset = 0

    /// The recording of a value, which also performs the sink's actions.
    var recorder: RawRecorder
    /// The buffer for strings with escapes.
    private var unescaped: UnescapeBuffer
    /// The error that ended the parse.
    var rejection: Rejection?
    private var isStoppedBySink = false
    /// Where the loop, which has returned, continues after looking ahead; nil behind the opening bracket.
    private var resumePoint: Lookahead.ResumePoint?
    private var extraReading = ExtraReading()
    /// Whether the scanner only helps another source, and leaves errors and actions other than to proceed to that source.
    private var isTentative = false

    /// The number of readable bytes after `safeEnd`.
    static var slack: Int { TokenWindow.padding }

    /// - Parameter memory: Memory for the open containers and for strings with escapes, while the memory suffices.
    @inline(__always)
    init(limits: JSONLimits, in memory: Region, after origin: LineCount = LineCount()) {
        let half = memory.size / 2
        containers = OpenContainers(limit: limits.depth, in: Region(start: memory.start, size: half))
        unescaped = UnescapeBuffer(in: Region(start: memory.start + half, size: half))
        self.limits = limits
        recorder = RawRecorder(limits: limits)
        text = LookbackBuffer(after: origin)
        cursor = LookbackBuffer.nothing
        end = cursor
        safeEnd = cursor
        vectorEnd = cursor
        windowStart = cursor
        plainNumbers = PlainNumberRange(from: cursor, to: cursor)
    }

    /// Begins the next document. The last one is complete, and no value was recorded.
    ///
    /// The white space that the containers expect is kept.
    @inline(__always)
    mutating func beginDocument(after origin: LineCount) {
        (depth, expectation, isFinal, extraReading) = (0, .value, false, ExtraReading())
        text.beginDocument(after: origin)
    }

    /// Whether the root value is complete.
    var isComplete: Bool { depth == 0 && expectation == .commaOrClose }

    var isStopped: Bool { rejection != nil || isStoppedBySink }

    func offset(of position: UnsafePointer<UInt8>) -> Int { windowOffset + (position - windowStart) }

    /// Continues in other memory.
    ///
    /// - Parameters:
    ///   - window: The input from the cursor on.
    ///   - margins: The readable bytes around the window.
    ///   - endsTokens: Whether no token continues after the window, whose next byte is readable.
    mutating func move(
        to window: UnsafeBufferPointer<UInt8>, at offset: Int, margins: TextMargins, endsTokens: Bool
    ) {
        cursor = window.baseAddress.unsafelyUnwrapped
        windowStart = cursor
        windowOffset = offset
        end = cursor + window.count
        safeEnd = end + (margins.after - Self.slack)
        vectorEnd = end + (margins.after - 16)
        let start = windowStart - margins.before
        let longest = PlainNumberRange.maximumLength
        // The limit need not be checked for plain numbers if it allows the longest one.
        let plainEnd =
            if limits.number < longest {
                start
            } else if endsTokens, margins.after >= longest {
                // All numbers, except for one that ends with the window, and is perhaps cut.
                Self.endOfOtherTokens(window) + longest
            } else {
                end
            }
        plainNumbers = PlainNumberRange(from: start, to: plainEnd)
    }

    /// Returns the position after the last closing bracket, quote or white space of a window, after which only one number can begin.
    private static func endOfOtherTokens(_ window: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8> {
        let start = window.baseAddress.unsafelyUnwrapped
        var end = start + window.count
        while end > start {
            switch end[-1] {
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""), 0x20, 0x0A, 0x0D, 0x09: return end
            default: end -= 1
            }
        }
        return end
    }

    /// The reason why `advance` returned.
    enum Pause {
        /// The window ends, perhaps inside the token at the cursor.
        case more
        /// The root value is complete.
        case complete
        /// An issue was found, the sink stopped the parse, or tokens are passed over.
        case stopped
        /// An ignored value begins or ends at the cursor, or a container that is read in another way.
        case switched
    }

    /// Reads to the end of the window.
    mutating func advance(_ sink: inout some TokenSink & ~Copyable) -> Pause {
        var pause = Pause.switched
        // An array of doubles may have begun in an earlier window.
        if skipBase < 0, depth > 0, expectation == .value, !readDoubles(&sink) { pause = .stopped }
        while true {
            if pause == .stopped, !resume() { return .stopped }
            if isComplete { return .complete }
            pause = skipBase < 0 ? sink.readPart(&self) ?? scan(&sink) : skipContainer(&sink)
            if pause != .switched {
                if pause == .stopped { continue }
                return pause
            }
            if isSwitched, !recorder.isOn {
                isSwitched = false
                skipBase = -1
                if !readDoubles(&sink) { pause = .stopped }
            }
        }
    }
}

// MARK: Looking ahead

extension Scanner {
    /// Passes the container that has begun to the sink. Returns the action to take.
    ///
    /// - Parameter start: The first byte after the opening bracket.
    @inline(never)
    private mutating func lookAhead(
        from start: UnsafePointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) -> TokenAction {
        // Only the source of the document can record.
        var container = Lookahead(
            at: start, in: windowStart, end: end, readable: safeEnd + Self.slack - end, depth: depth,
            limits: limits, offset: isTentative ? nil : offset(of: start) - 1)
        let action = extraReading.lookAhead(
            in: &container, of: windowOffset - text.origin + (end - windowStart), &sink)
        resumePoint = container.resumePoint
        return action
    }

    /// Continues after tokens that the sink does not need. Returns false if the parse ends.
    @inline(never)
    private mutating func resume() -> Bool {
        switch resumePoint.take() {
        case .afterContainer(let next)?:
            cursor = next
            depth &-= 1
        case .afterMember(let next)?: cursor = next
        case nil: return false
        }
        expectation = .commaOrClose
        isSwitched = false
        return true
    }
}

// MARK: Recording containers of another source's window

extension Scanner {
    /// The bytes in which a scanner records containers of at most so many levels.
    static func sizeOfMemory(levels: Int) -> Int { 2 * (OpenContainers.size(limit: levels) + 64) }

    /// Creates a scanner that records containers on tapes.
    ///
    /// - Parameter levels: The greatest number of levels of a container.
    init(tentative limits: JSONLimits, levels: Int, in memory: Region) {
        var limits = limits
        limits.depth = levels
        self.init(limits: limits, in: memory)
        isTentative = true
    }

    /// Records a container.
    ///
    /// - Parameters:
    ///   - start: The opening bracket.
    ///   - window: The beginning of the window.
    ///   - readable: The number of readable bytes after the window.
    ///   - levels: The number of levels that the container may have.
    /// - Returns: The position after the container, or nil if the window does not hold the container, or if the container is not valid;
    ///   and the position up to which the window was read.
    mutating func record(
        _ start: UnsafePointer<UInt8>, in window: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, readable: Int,
        levels: Int, on recorder: inout TapeRecorder
    ) -> (end: UnsafePointer<UInt8>?, reached: UnsafePointer<UInt8>) {
        (cursor, windowStart, self.end) = (start, window, end)
        safeEnd = end + (readable - Self.slack)
        vectorEnd = end + (readable - 16)
        limits.depth = levels
        (depth, expectation) = (0, .value)
        switch scan(&recorder) {
        case .complete: return (cursor, cursor)
        case .more: return (nil, end)
        case .stopped, .switched: return (nil, cursor)
        }
    }
}

// MARK: Texts for a sink that another source serves

extension Scanner {
    /// Sends the tokens of a text. Returns false at the first error, and at an action other than to proceed.
    mutating func send(
        _ text: UnsafeBufferPointer<UInt8>, margins: TextMargins, levels: Int,
        to sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        move(to: text, at: 0, margins: margins, endsTokens: true)
        limits.depth = levels
        (depth, expectation, skipBase, isSwitched, isFinal) = (0, .value, -1, false, true)
        extraReading = ExtraReading()
        guard advance(&sink) == .complete else { return false }
        return Self.spaceEnd(cursor, safeEnd: safeEnd, vectorEnd: vectorEnd) == end
    }
}

// MARK: The grammar

// A chain of positions where a token may begin. Each position falls through to its most frequent successor.
// After the end of a window, the loop can be entered again at any position.

extension Scanner {
    /// Sends the tokens from the cursor on to the sink.
    private mutating func scan(_ sink: inout some TokenSink & ~Copyable) -> Pause { scan(&sink, above: 0) }

    /// Sends the tokens from the cursor on to a sink for a part of the document. See `FastSink.readPart`.
    ///
    /// - Parameter floor: The depth outside the container to read. The scanner pauses after its closing bracket.
    mutating func scanPart(_ sink: inout some TokenSink & ~Copyable, above floor: Int) -> Pause {
        scan(&sink, above: floor)
    }

    // Compiled twice, because the loop over a whole document is faster with a constant depth.
    @inline(__always)
    private mutating func scan<Sink: TokenSink & ~Copyable>(_ sink: inout Sink, above floor: Int) -> Pause {
        // Constant in this function. Local copies let the compiler keep them in registers.
        let (safeEnd, vectorEnd, limits, containers) = (safeEnd, vectorEnd, limits, containers.view)
        let plainNumbers = plainNumbers
        var at = cursor
        var state = expectation
        var inObject = containers.isObject(depth)
        var pause = Pause.more

        scan: while true {
            switch state {
            case .keyOrClose, .key:
                if at > safeEnd { break scan }
                if at.pointee != UInt8(ascii: "\"") {
                    at = Self.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
                    if state == .keyOrClose, at.pointee == UInt8(ascii: "}") {
                        state = .commaOrClose
                        continue scan
                    }
                    if at.pointee != UInt8(ascii: "\"") {
                        pause = rejectToken(at, state, &sink)
                        break scan
                    }
                }
                if let count = sink.expectedKey(at: at + 1, maximumLength: limits.key) {
                    at += count &+ 2
                } else if sink.expectsUnreadKey {
                    // The next state is a constant, so that the compiler needs no jump by the state.
                    guard let next = skipMembers(at, state, &pause, &sink) else { return pause }
                    at = next
                    if skipBase >= 0 {
                        state = .colon
                        pause = .switched
                        break scan
                    }
                } else {
                    var isASCII = true
                    let quote = Self.stringEnd(at, vectorEnd: vectorEnd, isASCII: &isASCII)
                    if quote <= vectorEnd, quote.pointee == UInt8(ascii: "\"") {
                        let count = quote - (at + 1)
                        if count > limits.key || !isASCII && !UTF8Validation.isValid(readable: at + 1, count) {
                            pause = rejectToken(at, state, &sink)
                            break scan
                        }
                        let action = sink.key(Key(readable: at + 1, count))
                        if action != .proceed {
                            if !apply(action, from: at, to: quote + 1, &sink) {
                                pause = .stopped
                                break scan
                            }
                            // The object is recorded from here on.
                            if skipBase >= 0 {
                                at = quote + 1
                                state = .colon
                                pause = .switched
                                break scan
                            }
                        } else if sink.isSkipping {
                            guard let next = skipMember(after: quote + 1, &pause, &sink) else { return pause }
                            at = next
                            if at.pointee == UInt8(ascii: ",") {
                                at += 1
                                state = .key
                                continue scan
                            }
                            state = .commaOrClose
                            continue scan
                        }
                        at = quote + 1
                    } else {
                        guard let next = escapedString(at, state, &pause, &sink) else {
                            break scan
                        }
                        at = next
                        if skipBase >= 0 {
                            state = .colon
                            pause = .switched
                            break scan
                        }
                    }
                }
                state = .colon
                fallthrough

            case .colon:
                if at.pointee == UInt8(ascii: ":"), let next = Self.shortSpaceEnd(at + 1) {
                    at = next
                } else {
                    if at > safeEnd { break scan }
                    at = Self.spaceEnd(at, safeEnd: safeEnd, vectorEnd: vectorEnd)
                    if at > safeEnd { break scan }
                    guard at.pointee == UInt8(ascii: ":") else {
                        pause = rejectToken(at, state, &sink)
                        break scan
                    }
                    at = Self.spaceEnd(at + 1, safeEnd: safeEnd, vectorEnd: vectorEnd)
                }
                state = .value
                fallthrough

            case .value, .valueOrClose:
                if at > safeEnd { break scan }
                at = Self.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
                switch at.pointee {
                case UInt8(ascii: "\""):
                    var isASCII = true
                    let quote = Self.stringEnd(at, vectorEnd: vectorEnd, isASCII: &isASCII)
                    if quote <= vectorEnd, quote.pointee == UInt8(ascii: "\"") {
                        let start = at + 1
                        let count = quote - start
                        if count > limits.string
                            || !isASCII && !UTF8Validation.isValid(readable: start, count)
                        {
                            pause = rejectToken(at, state, &sink)
                            break scan
                        }
                        let action = sink.string(readable: start, count, isASCII: isASCII)
                        if action != .proceed, !apply(action, from: at, to: quote + 1, &sink) {
                            pause = .stopped
                            break scan
                        }
                        at = quote + 1
                    } else {
                        guard let next = escapedString(at, state, &pause, &sink) else {
                            break scan
                        }
                        at = next
                    }
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let isBrace = at.pointee == UInt8(ascii: "{")
                    if depth == limits.depth {
                        rejectDepth(at, &sink)
                        pause = .stopped
                        break scan
                    }
                    if !isBrace, at[1] == UInt8(ascii: "]"), sink.emptyArray() {
                        at += 2
                        break
                    }
                    let wasSkipping = sink.isSkipping
                    depth &+= 1
                    self.containers.open(depth, isObject: isBrace)
                    if !wasSkipping {
                        let action = isBrace ? sink.startObject() : sink.startArray()
                        if action != .proceed, !apply(action, from: at, to: at + 1, &sink) {
                            pause = .stopped
                            break scan
                        }
                    }
                    inObject = isBrace
                    at += 1
                    state = isBrace ? .keyOrClose : .valueOrClose
                    if wasSkipping || isSwitched {
                        skipBase = depth &- 1
                        pause = .switched
                        break scan
                    }
                    continue scan
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if Sink.readsPlainNumbers {
                        if plainNumbers.contains(at), let next = sink.plainNumber(at: at) {
                            at = next
                        } else {
                            guard let next = otherNumber(at, state, &pause, &sink) else { break scan }
                            at = next
                        }
                    } else {
                        guard let next = number(at, state, &pause, &sink) else { break scan }
                        at = next
                    }
                case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                    let letter = at.pointee
                    let length = Self.literalLength(at)
                    if length == 0 {
                        pause = rejectToken(at, state, &sink)
                        break scan
                    }
                    let action = letter == UInt8(ascii: "n") ? sink.null() : sink.bool(length == 4)
                    if action != .proceed, !apply(action, from: at, to: at + length, &sink) {
                        pause = .stopped
                        break scan
                    }
                    at += length
                case UInt8(ascii: "]") where state == .valueOrClose:
                    state = .commaOrClose
                    continue scan
                default:
                    pause = rejectToken(at, state, &sink)
                    break scan
                }
                if inObject {
                    if at.pointee == UInt8(ascii: ",") {
                        at += 1
                        state = .key
                        continue scan
                    }
                } else if depth == 0 {
                    state = .commaOrClose
                    pause = .complete
                    break scan
                } else if at.pointee == UInt8(ascii: ",") {
                    at += 1
                    state = .value
                    continue scan
                }
                state = .commaOrClose
                fallthrough

            case .commaOrClose:
                if at > safeEnd { break scan }
                at = Self.spaceEnd(at, in: containers, depth &- 1, safeEnd: safeEnd, vectorEnd: vectorEnd)
                if at.pointee == UInt8(ascii: ",") {
                    at += 1
                    state = inObject ? .key : .value
                    continue scan
                }
                guard at.pointee == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    pause = rejectToken(at, state, &sink)
                    break scan
                }
                depth &-= 1
                let action = inObject ? sink.endObject() : sink.endArray()
                if action != .proceed, !apply(action, from: at, to: at + 1, &sink) {
                    pause = .stopped
                    break scan
                }
                inObject = containers.isObject(depth)
                at += 1
                if depth == floor {
                    pause = floor == 0 ? .complete : .switched
                    break scan
                }
            }
        }
        cursor = at
        expectation = state
        return pause
    }

    /// Returns the next position that is not white space, before a member of the container at a depth.
    @inline(__always)
    fileprivate static func spaceEnd(
        _ at: UnsafePointer<UInt8>, in containers: OpenContainers.View, _ depth: Int, safeEnd: UnsafePointer<UInt8>,
        vectorEnd: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        if let next = shortSpaceEnd(at) { return next }
        if let next = containers.expectedSpaceEnd(at, depth), next <= safeEnd { return next }
        return unexpectedSpaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
    }

    @inline(never)
    private static func unexpectedSpaceEnd(
        _ at: UnsafePointer<UInt8>, in containers: OpenContainers.View, _ depth: Int, safeEnd: UnsafePointer<UInt8>,
        vectorEnd: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let next = Kernels.spaceEnd(at, last: vectorEnd)
        // A token must not begin after `safeEnd`, so the bytes after `safeEnd` are not examined.
        if next > safeEnd { return min(next, safeEnd + 1) }
        containers.expectSpace(from: at, to: next, depth)
        return next
    }

    /// Returns the next position that is not white space, if the white space is at most a single space, else nil.
    ///
    /// - Precondition: Two bytes can be read. Nonzero bytes are input.
    @inline(__always)
    private static func shortSpaceEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        if at.pointee > 0x20 { return at }
        return at.pointee == 0x20 && at[1] > 0x20 ? at + 1 : nil
    }

    /// Returns the next position that is not white space.
    @inline(__always)
    static func spaceEnd(
        _ at: UnsafePointer<UInt8>, safeEnd: UnsafePointer<UInt8>, vectorEnd: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        if let next = shortSpaceEnd(at) { return next }
        let next = Kernels.spaceEnd(at, last: vectorEnd)
        // A token must not begin after `safeEnd`, so the bytes after `safeEnd` are not examined.
        return next <= safeEnd ? next : min(next, safeEnd + 1)
    }

    /// Returns the first quote, backslash or control character after the quote at `start`, or a position beyond `vectorEnd`.
    ///
    /// - Parameter isASCII: Set to false if a byte before the result is not ASCII.
    @inline(__always)
    private static func stringEnd(
        _ start: UnsafePointer<UInt8>, vectorEnd: UnsafePointer<UInt8>, isASCII: inout Bool
    ) -> UnsafePointer<UInt8> {
        let stop = Kernels.plainEnd(start + 1, last: vectorEnd)
        if stop > vectorEnd || stop.pointee < 0x80 { return stop }
        return Kernels.stringEnd(stop, last: vectorEnd, isASCII: &isASCII)
    }

    /// Returns the length of the literal at a letter, or 0 if the letter begins no literal.
    @inline(__always)
    static func literalLength(_ at: UnsafePointer<UInt8>) -> Int {
        // The last four letters.
        switch at.pointee {
        case UInt8(ascii: "t"): word(at) == 0x6575_7274 ? 4 : 0
        case UInt8(ascii: "n"): word(at) == 0x6C6C_756E ? 4 : 0
        default: at.pointee == UInt8(ascii: "f") && word(at + 1) == 0x6573_6C61 ? 5 : 0
        }
    }

    @inline(__always)
    private static func word(_ at: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt32.self))
    }
}

// MARK: Ignored members

extension Scanner {
    /// Skips members whose keys are expected and have no field, and reads the key that follows.
    ///
    /// - Parameters:
    ///   - start: The opening quote of a key.
    ///   - state: The tokens that the grammar allows there.
    /// - Returns: The position after the key that follows. Returns nil, with the reason in `pause`, if another token follows, such as a
    ///   closing bracket: the cursor is then at that token.
    @inline(never)
    private mutating func skipMembers(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let (safeEnd, containers) = (safeEnd, containers.view)
        cursor = start
        expectation = state
        while sink.expectsUnreadKey, let count = sink.unreadKey(at: cursor + 1, maximumLength: limits.key) {
            guard let value = valueStart(after: cursor + (count &+ 2), &pause), skipValue(value, &pause, &sink)
            else {
                return nil
            }
            // A comma is followed by a key.
            expectation = .commaOrClose
            guard cursor.pointee == UInt8(ascii: ",") else { return nil }
            cursor += 1
            expectation = .key
            if cursor > safeEnd { return nil }
            cursor = Self.spaceEnd(cursor, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
            if cursor > safeEnd || cursor.pointee != UInt8(ascii: "\"") { return nil }
        }
        pause = .more
        if let count = sink.expectedKey(at: cursor + 1, maximumLength: limits.key) { return cursor + (count &+ 2) }
        return escapedString(cursor, expectation, &pause, &sink)
    }

    /// Skips the value of a member whose key the sink has received.
    ///
    /// - Parameter key: The position after the key.
    /// - Returns: The position after the value; nil, with the reason in `pause`, if the loop of tokens continues at the cursor.
    @inline(never)
    private mutating func skipMember(
        after key: UnsafePointer<UInt8>, _ pause: inout Pause, _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        guard let start = valueStart(after: key, &pause), skipValue(start, &pause, &sink) else { return nil }
        // The sink has received the end of a container.
        let isContainer = start.pointee | 0x20 == UInt8(ascii: "{")
        let action = isContainer ? .proceed : sink.skipped()
        if action != .proceed, !apply(action, from: start, to: cursor, &sink) {
            cursor = start
            pause = .stopped
            return nil
        }
        pause = .more
        return cursor
    }

    /// Returns the first byte of the value after a key, and sets the cursor. Returns nil for unexpected white space and for other text.
    @inline(__always)
    private mutating func valueStart(
        after key: UnsafePointer<UInt8>, _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        (cursor, expectation) = (key, .colon)
        pause = .switched
        guard key.pointee == UInt8(ascii: ":"), let start = Self.shortSpaceEnd(key + 1), start <= safeEnd else {
            return nil
        }
        (cursor, expectation) = (start, .value)
        return start
    }

    /// Skips the value of a member at the cursor, and sets the cursor after it. Returns false for other text, and for a container that does
    /// not end.
    @inline(__always)
    private mutating func skipValue(
        _ start: UnsafePointer<UInt8>, _ pause: inout Pause, _ sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        switch start.pointee {
        case UInt8(ascii: "\""):
            var ignored = Pause.more
            guard let next = Self.checkedStringEnd(start, vectorEnd: vectorEnd, limit: limits.string, &ignored)
            else { return false }
            cursor = next
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            var count = Kernels.numberLength(start)
            if count == 0 { count = Kernels.longNumberLength(start) }
            guard count > 0, start + count < end, count <= limits.number else { return false }
            cursor = start + count
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let length = Self.literalLength(start)
            if length == 0 { return false }
            cursor = start + length
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if depth == limits.depth { return false }
            let isObject = start.pointee == UInt8(ascii: "{")
            depth &+= 1
            containers.open(depth, isObject: isObject)
            skipBase = depth &- 1
            (cursor, expectation) = (start + 1, isObject ? .keyOrClose : .valueOrClose)
            pause = skipContainer(&sink)
            return pause == .switched
        default: return false
        }
        return true
    }
}

// MARK: Ignored containers

// The same grammar without tokens. Checks everything that the other loop checks, and can be entered at the same positions.

extension Scanner {
    /// Checks the ignored container from the cursor to its closing bracket.
    private mutating func skipContainer(_ sink: inout some TokenSink & ~Copyable) -> Pause {
        // Constant in this function. Local copies let the compiler keep them in registers.
        let (safeEnd, vectorEnd, end, limits, containers) = (safeEnd, vectorEnd, end, limits, containers.view)
        var at = cursor
        var state = expectation
        var depth = depth
        var inObject = containers.isObject(depth)
        // `stopped` represents a malformed token at `at`.
        var pause = Pause.more

        scan: while true {
            switch state {
            case .keyOrClose, .key:
                if at > safeEnd { break scan }
                if at.pointee != UInt8(ascii: "\"") {
                    at = Self.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
                    if state == .keyOrClose, at.pointee == UInt8(ascii: "}") {
                        state = .commaOrClose
                        continue scan
                    }
                    if at.pointee != UInt8(ascii: "\"") {
                        pause = .stopped
                        break scan
                    }
                }
                guard let next = Self.checkedStringEnd(at, vectorEnd: vectorEnd, limit: limits.key, &pause) else {
                    break scan
                }
                at = next
                state = .colon
                fallthrough

            case .colon:
                if at.pointee == UInt8(ascii: ":"), let next = Self.shortSpaceEnd(at + 1) {
                    at = next
                } else {
                    if at > safeEnd { break scan }
                    at = Self.spaceEnd(at, safeEnd: safeEnd, vectorEnd: vectorEnd)
                    if at > safeEnd { break scan }
                    guard at.pointee == UInt8(ascii: ":") else {
                        pause = .stopped
                        break scan
                    }
                    at = Self.spaceEnd(at + 1, safeEnd: safeEnd, vectorEnd: vectorEnd)
                }
                state = .value
                fallthrough

            case .value, .valueOrClose:
                if at > safeEnd { break scan }
                at = Self.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
                switch at.pointee {
                case UInt8(ascii: "\""):
                    guard let next = Self.checkedStringEnd(at, vectorEnd: vectorEnd, limit: limits.string, &pause)
                    else {
                        break scan
                    }
                    at = next
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    let count = Kernels.numberLength(at)
                    if count > 0, at + count < end, count <= limits.number {
                        at += count
                    } else {
                        self.depth = depth
                        guard let next = ignoredNumberEnd(at, state, &pause, &sink) else {
                            cursor = at
                            expectation = state
                            return pause
                        }
                        at = next
                    }
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    if depth == limits.depth {
                        rejectDepth(at, &sink)
                        return .stopped
                    }
                    inObject = at.pointee == UInt8(ascii: "{")
                    depth &+= 1
                    self.containers.open(depth, isObject: inObject)
                    at += 1
                    state = inObject ? .keyOrClose : .valueOrClose
                    continue scan
                case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                    let length = Self.literalLength(at)
                    if length == 0 {
                        pause = .stopped
                        break scan
                    }
                    at += length
                case UInt8(ascii: "]") where state == .valueOrClose:
                    break
                default:
                    pause = .stopped
                    break scan
                }
                state = .commaOrClose
                fallthrough

            case .commaOrClose:
                if at.pointee != UInt8(ascii: ",") {
                    if at > safeEnd { break scan }
                    at = Self.spaceEnd(at, in: containers, depth &- 1, safeEnd: safeEnd, vectorEnd: vectorEnd)
                }
                if at.pointee == UInt8(ascii: ",") {
                    at += 1
                    state = inObject ? .key : .value
                    continue scan
                }
                guard at.pointee == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    pause = .stopped
                    break scan
                }
                depth &-= 1
                at += 1
                if depth == skipBase {
                    skipBase = -1
                    cursor = at
                    expectation = state
                    self.depth = depth
                    return endSkipped(inObject, at, &sink) ? .switched : .stopped
                }
                inObject = containers.isObject(depth)
            }
        }
        cursor = at
        expectation = state
        self.depth = depth
        return pause == .stopped ? rejectToken(at, state, &sink) : pause
    }

    /// Returns the position after the string or key at a quote; nil, with the reason in `pause`, if the string is malformed,
    /// longer than `limit`, or not complete.
    @inline(__always)
    static func checkedStringEnd(
        _ start: UnsafePointer<UInt8>, vectorEnd: UnsafePointer<UInt8>, limit: Int, _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        let stop = Kernels.plainEnd(start + 1, last: vectorEnd)
        if stop <= vectorEnd, stop.pointee == UInt8(ascii: "\""), stop - (start + 1) <= limit { return stop + 1 }
        return checkedStringEnd(start, stop, vectorEnd: vectorEnd, limit: limit, &pause)
    }

    /// Continues at the byte that stopped the search for the closing quote. The bytes before are ASCII.
    @inline(never)
    private static func checkedStringEnd(
        _ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, vectorEnd: UnsafePointer<UInt8>, limit: Int,
        _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        // Escape sequences are ASCII. The string is valid UTF-8 if and only if its unescaped form is valid UTF-8.
        var isASCII = true
        var quote = Kernels.stringEnd(stop, last: vectorEnd, isASCII: &isASCII)
        while quote <= vectorEnd, quote.pointee == UInt8(ascii: "\\"), let next = Escape.end(quote) {
            // Consecutive escapes are frequent.
            quote =
                next.pointee == UInt8(ascii: "\\")
                ? next : Kernels.stringEnd(next, last: vectorEnd, isASCII: &isASCII)
        }
        if quote > vectorEnd { return nil }
        let first = start + 1
        guard quote.pointee == UInt8(ascii: "\""), quote - first <= limit,
            isASCII || UTF8Validation.isValid(readable: first, quote - first)
        else {
            pause = .stopped
            return nil
        }
        return quote + 1
    }

    /// Ends the ignored container that closes just before `at`.
    @inline(never)
    private mutating func endSkipped(
        _ inObject: Bool, _ at: UnsafePointer<UInt8>, _ sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        // The opening bracket of the container may be part of an ignored value.
        let action = isSwitched ? inObject ? sink.endObject() : sink.endArray() : sink.skipped()
        isSwitched = false
        return action == .proceed || apply(action, from: at - 1, to: at, &sink)
    }
}

// MARK: Numbers

extension Scanner {
    /// Reads the number at `start` and sends it to the sink.
    ///
    /// - Returns: The position after the number; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(__always)
    private mutating func number(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let isNegative = start.pointee == UInt8(ascii: "-")
        let first = isNegative ? start + 1 : start
        var mantissa: UInt64 = 0
        var at = Kernels.firstDigits(first, first: windowStart, last: vectorEnd, into: &mantissa)
        var digits = at - first
        var exponent = 0
        var isWhole = digits != 0
        if digits > 1, first.pointee == UInt8(ascii: "0") {
            // A number ends after a leading zero. The rest is then rejected as an invalid token.
            at = first + 1
            digits = 1
            mantissa = 0
        } else if at.pointee == UInt8(ascii: ".") {
            let point = at + 1
            at = Kernels.digits(point, first: windowStart, last: vectorEnd, into: &mantissa)
            exponent = point - at
            digits &-= exponent
            isWhole = isWhole && exponent != 0
        }
        let token: NumberToken
        if isWhole, at < end, digits <= NumberToken.mantissaDigits, at.pointee | 0x20 != UInt8(ascii: "e"),
            at - start <= limits.number
        {
            token = NumberToken(
                text: start, count: at - start, mantissa: mantissa, exponent: exponent, isNegative: isNegative,
                isInteger: exponent == 0, isTruncated: false)
        } else {
            guard let next = numberEnd(isWhole, at, start, state, &pause, &sink) else { return nil }
            at = next
            token = NumberToken.scan(start, count: at - start)
        }
        let action = sink.number(token)
        if action != .proceed, !apply(action, from: start, to: at, &sink) {
            pause = .stopped
            return nil
        }
        return at
    }

    /// Reads a number that is not plain, or is beyond the range of plain numbers. Such numbers are rare where plain numbers are
    /// read, so their code is not part of the loop.
    @inline(never)
    private mutating func otherNumber(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        number(start, state, &pause, &sink)
    }

    /// Returns the position after the ignored number at `start`; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(never)
    private mutating func ignoredNumberEnd(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let count = Kernels.longNumberLength(start)
        if count > 0, start + count < end, count <= limits.number { return start + count }
        let first = start.pointee == UInt8(ascii: "-") ? start + 1 : start
        var value: UInt64 = 0
        var at = Kernels.digits(first, first: windowStart, last: vectorEnd, into: &value)
        var isWhole = at > first
        if at - first > 1, first.pointee == UInt8(ascii: "0") {
            // A number ends after a leading zero. The rest is then rejected as an invalid token.
            at = first + 1
        } else if at.pointee == UInt8(ascii: ".") {
            let point = at + 1
            at = Kernels.digits(point, first: windowStart, last: vectorEnd, into: &value)
            isWhole = isWhole && at > point
        }
        return numberEnd(isWhole, at, start, state, &pause, &sink)
    }

    /// Returns the end of a number that has many digits or an exponent, is malformed, or ends with the window.
    ///
    /// - Parameter at: The end of its digits.
    /// - Returns: nil, with the reason in `pause`, if the number is rejected or may continue after the window.
    @inline(never)
    private mutating func numberEnd(
        _ isWhole: Bool, _ at: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ state: Expectation,
        _ pause: inout Pause, _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        var at = at
        var isWhole = isWhole
        if isWhole, at <= vectorEnd, at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            var value: UInt64 = 0
            let first = at
            at = Kernels.digits(at, first: windowStart, last: vectorEnd, into: &value)
            isWhole = at > first
        }
        let mayContinue = at > vectorEnd || isWhole && at >= end && !isFinal
        if !mayContinue, isWhole, at - start <= limits.number {
            if at >= end, depth > 0 { sink.ignoreCutNumber() }
            return at
        }
        pause = mayContinue ? .more : rejectToken(start, state, &sink)
        return nil
    }
}

// MARK: Arrays of doubles

// The elements are written to the sink's memory without a token for each number.

extension Scanner {
    /// Reads the next elements of the open array of doubles, and the arrays of doubles that follow in the same array. Ends before a
    /// value that is no number, is a long number, or may continue after the window. The general loop reads that value, and reports
    /// its errors. Reads nothing if the open container is another one.
    ///
    /// - Returns: Whether the parse may continue.
    @inline(never)
    private mutating func readDoubles(_ sink: inout some TokenSink & ~Copyable) -> Bool {
        // No number that is read here is longer, so the limit need not be checked for each number.
        guard limits.number >= PlainNumberRange.maximumLength else { return true }
        let reader = DoubleReader(
            plainNumbers: plainNumbers, safeEnd: safeEnd, vectorEnd: vectorEnd, containers: containers.view)
        while let memory = sink.nextDoubles {
            let run = reader.read(from: cursor, to: memory, depth)
            if run.count == 0 { break }
            take(run, &sink)
            guard run.isClosed else { continue }
            depth &-= 1
            cursor += 1
            let action = sink.endArray()
            if action != .proceed, !apply(action, from: run.end, to: cursor, &sink) { return false }
            readNextArrays(reader, &sink)
        }
        return true
    }

    /// Reads the arrays of doubles that follow an array of doubles in the same array. Opens the first one that has other values, or
    /// does not end in the window or in the memory.
    @inline(__always)
    private mutating func readNextArrays(
        _ reader: DoubleReader, _ sink: inout some TokenSink & ~Copyable
    ) {
        while let start = reader.nextArray(cursor, depth), let memory = sink.doubleArray {
            let run = reader.read(from: start, to: memory, depth &+ 1)
            guard run.isClosed else {
                // The entry of this depth in `containers` is still that of the array before.
                depth &+= 1
                _ = sink.startArray()
                (cursor, expectation) = (start, .valueOrClose)
                if run.count > 0 { take(run, &sink) }
                break
            }
            sink.doubleArray(UnsafeMutableBufferPointer(rebasing: memory[..<run.count]))
            cursor = run.end + 1
        }
    }

    @inline(__always)
    private mutating func take(_ run: DoubleReader.Run, _ sink: inout some TokenSink & ~Copyable) {
        sink.doubles(run.count)
        cursor = run.end
        expectation = run.isClosed ? .commaOrClose : .value
    }

    /// Reads consecutive elements of an array of doubles from the scanner's window.
    private struct DoubleReader {
        /// Consecutive elements.
        struct Run {
            /// The closing bracket, or the first value that was not read, or white space before.
            var end: UnsafePointer<UInt8>
            var count = 0
            var isClosed = false
        }

        // The window, as in the scanner.
        let plainNumbers: PlainNumberRange
        let safeEnd: UnsafePointer<UInt8>
        let vectorEnd: UnsafePointer<UInt8>
        let containers: OpenContainers.View

        /// Reads numbers from a position where a value may begin, or white space before.
        ///
        /// - Parameter depth: The depth of the array, for the expected white space.
        @inline(__always)
        func read(
            from start: UnsafePointer<UInt8>, to memory: UnsafeMutableBufferPointer<Double>, _ depth: Int
        ) -> Run {
            var run = Run(end: start)
            while run.count < memory.count, run.end <= safeEnd {
                run.end = spaceEnd(run.end, depth)
                guard run.end <= safeEnd, let number = number(at: run.end), number.end <= safeEnd else { break }
                let next = spaceEnd(number.end, depth &- 1)
                if next.pointee == UInt8(ascii: ",") {
                    run.end = next + 1
                } else if next.pointee == UInt8(ascii: "]"), next <= safeEnd {
                    run.end = next
                    run.isClosed = true
                } else {
                    break
                }
                memory.initializeElement(at: run.count, to: number.value)
                run.count &+= 1
                if run.isClosed { break }
            }
            return run
        }

        /// Returns the position after the opening bracket if another array follows, in an array of this depth.
        @inline(__always)
        func nextArray(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8>? {
            guard at <= safeEnd, at.pointee == UInt8(ascii: ",") else { return nil }
            let next = spaceEnd(at + 1, depth)
            return next <= safeEnd && next.pointee == UInt8(ascii: "[") ? next + 1 : nil
        }

        @inline(__always)
        private func spaceEnd(_ at: UnsafePointer<UInt8>, _ depth: Int) -> UnsafePointer<UInt8> {
            Scanner.spaceEnd(at, in: containers, depth, safeEnd: safeEnd, vectorEnd: vectorEnd)
        }

        /// Reads the number at a position. Returns nil for other values, and for long numbers.
        @inline(__always)
        private func number(at start: UnsafePointer<UInt8>) -> PlainNumber<Double>? {
            if plainNumbers.contains(start), let number = Double.plain(at: start), number.isComplete {
                return number
            }
            return Self.otherNumber(at: start)
        }

        @inline(never)
        private static func otherNumber(at start: UnsafePointer<UInt8>) -> PlainNumber<Double>? {
            let first = start.pointee == UInt8(ascii: "-") ? start[1] : start.pointee
            guard first &- 0x30 <= 9 else { return nil }
            let count = Kernels.longNumberLength(start)
            guard count > 0, let value = NumberToken.scan(start, count: count).floatingPoint(Double.self) else {
                return nil
            }
            return PlainNumber(value: value, end: start + count)
        }
    }
}

// MARK: Escapes

extension Scanner {
    /// Reads a string or key with escapes, or a string that is not complete, and sends it to the sink.
    ///
    /// - Parameter start: The opening quote.
    /// - Returns: The position after the string; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(never)
    private mutating func escapedString(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let isKey = state == .key || state == .keyOrClose
        let limit = isKey ? limits.key : limits.string
        let first = start + 1
        var text = Unescaping(from: first, into: unescaped.start)
        while text.proceed(last: vectorEnd, outLast: unescaped.last) {
            // The buffer is full, or the window ends.
            if text.at > vectorEnd || text.at - first > limit { break }
            text.out = unescaped.grow(from: text.out)
        }
        if text.at > vectorEnd {
            pause = .more
            return nil
        }
        let bytes = UnsafePointer<UInt8>(unescaped.start)
        let count = text.out - unescaped.start
        guard text.at.pointee == UInt8(ascii: "\""), text.at - first <= limit,
            text.isPlainASCII || UTF8Validation.isValid(readable: bytes, count)
        else {
            pause = rejectToken(start, state, &sink)
            return nil
        }
        let end = text.at + 1
        let action =
            isKey
            ? sink.key(Key(readable: bytes, count))
            : sink.string(bytes, count, isASCII: text.isPlainASCII && text.isEscapedASCII)
        if action != .proceed, !apply(action, from: start, to: end, &sink) {
            pause = .stopped
            return nil
        }
        return end
    }
}

/// The memory of the current unescaped string, which the sink reads before the next string.
struct UnescapeBuffer: ~Copyable {
    private var memory: GrowableMemory<UInt8>

    init(in region: Region) { memory = GrowableMemory(in: region) }

    deinit { memory.deallocate() }

    var start: UnsafeMutablePointer<UInt8> { memory.start }

    /// The last position of a step of `Unescaping`. Eight bytes after the contents stay readable.
    var last: UnsafeMutablePointer<UInt8> { start + (memory.capacity - Unescaping.slack - 8) }

    /// Doubles the capacity. Keeps the contents up to a position, and returns the position in the new memory.
    mutating func grow(from out: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let count = out - start
        memory.grow(moving: count)
        return start + count
    }
}

// MARK: Actions other than `proceed`, and errors in the input

extension Scanner {
    /// Performs the sink's action. Returns false at the end of the parse.
    @inline(never)
    mutating func apply(
        _ action: TokenAction, from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>,
        _ sink: inout some TokenSink & ~Copyable
    ) -> Bool {
        var (action, start, end) = (action, start, end)
        if isTentative {
            if action == .lookAhead { action = lookAhead(from: end, &sink) }
            isSwitched = action == .switchReading
            if !isSwitched, action != .proceed { resumePoint = nil }
            return (isSwitched || action == .proceed) && resumePoint == nil
        }
        if action == .lookAhead {
            action = lookAhead(from: end, &sink)
            // An issue of the value is located like one of the closing bracket.
            if case .afterContainer(let last)? = resumePoint { (start, end) = (last - 1, last) }
        }
        // A container that is recorded from its bracket on, or from a key on, has a loop of its own.
        isSwitched =
            action == .switchReading || action == .recordMembers
            || action == .record && sink.isRecording && !recorder.isOn
        if action == .switchReading || action == .proceed { return resumePoint == nil }
        let outcome = recorder.handle(action, &sink, &text, from: offset(of: start), to: offset(of: end))
        if action == .recordMembers { skipBase = depth - 1 }
        switch outcome {
        case .proceed: return resumePoint == nil
        case .stop:
            isStoppedBySink = true
            text.truncate(at: offset(of: end))
        case .fail(let failure): rejection = Rejection(failure)
        }
        resumePoint = nil
        return false
    }

    /// Rejects the token at `start`, which is at an invalid position, malformed, too long, or incomplete in this window.
    @inline(never)
    mutating func rejectToken(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ sink: inout some TokenSink & ~Copyable
    ) -> Pause {
        // Too near to the end of the readable bytes. The next window decides.
        if start > safeEnd || isTentative { return .more }
        // Nothing is at fault before the next byte, or an opening quote.
        if !isFinal {
            if start == end { return .more }
            let takesString = state != .colon && state != .commaOrClose
            if start + 1 == end, start.pointee == UInt8(ascii: "\""), takesString { return .more }
        }
        var walk = SyntaxDiagnosis(
            text: text, at: offset(of: start), end: offset(of: end), limits: limits,
            grammar: GrammarState(expectation: state), isInObject: containers.view.isObject(depth))
        let fault = walk.fault()
        if fault.kind == .unexpectedEnd {
            if !isFinal { return .more }
            if start == end, depth == 0 {
                reject(.emptyInput, at: fault.offset, &sink)
                return .stopped
            }
        }
        reject(fault.issue(in: &sink, isSkipping: isSkipping), at: fault.offset)
        return .stopped
    }

    @inline(never)
    mutating func rejectDepth(_ start: UnsafePointer<UInt8>, _ sink: inout some TokenSink & ~Copyable) {
        if isTentative { return }
        reject(.limitExceeded(.depth, limit: limits.depth), at: offset(of: start), &sink)
    }

    mutating func reject(
        _ kind: JSONIssue.Kind, at offset: Int, _ sink: inout some TokenSink & ~Copyable
    ) {
        reject(sink.issue(kind), at: offset)
    }

    private mutating func reject(_ issue: JSONIssue, at offset: Int) {
        rejection = text.rejected(issue, at: offset, limit: text.end(ofDocumentWithin: limits.document))
    }

    /// Rejects anything except white space after the root value.
    @inline(__always)
    mutating func checkTrailing(
        in bytes: UnsafeBufferPointer<UInt8>, at start: Int, _ sink: inout some TokenSink & ~Copyable
    ) {
        guard let index = bytes.firstIndex(where: { !$0.isBlank }) else { return }
        reject(.trailingContent, at: start + index, &sink)
    }
}
