// The grammar, as a chain of positions where a token may begin. Each position falls through to its most frequent successor.
// After the end of a window, the loop can be entered again at any position.

extension Scanner {
    /// Sends the tokens from the cursor on to the sink.
    mutating func scan<Sink: TokenSink & ~Copyable>(_ sink: inout Sink) -> Pause {
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
                        pause = rejectToken(at, state, sink)
                        break scan
                    }
                }
                if let count = sink.expectedKey(at: at + 1, longest: limits.key) {
                    at += count &+ 2
                } else {
                    var isASCII = true
                    let quote = Self.stringEnd(at, vectorEnd: vectorEnd, isASCII: &isASCII)
                    if quote <= vectorEnd, quote.pointee == UInt8(ascii: "\"") {
                        let count = quote - (at + 1)
                        if count > limits.key || !isASCII && !UTF8Validation.isValid(readable: at + 1, count) {
                            pause = rejectToken(at, state, sink)
                            break scan
                        }
                        let action = sink.key(Key(readable: at + 1, count))
                        if action != .proceed {
                            if !apply(action, from: at, to: quote + 1, &sink) {
                                pause = .stopped
                                break scan
                            }
                            // The object is captured from here on.
                            if skipBase >= 0 {
                                at = quote + 1
                                state = .colon
                                pause = .switched
                                break scan
                            }
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
                        pause = rejectToken(at, state, sink)
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
                            pause = rejectToken(at, state, sink)
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
                        rejectDepth(at, sink)
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
                        pause = rejectToken(at, state, sink)
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
                    pause = rejectToken(at, state, sink)
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
                    pause = rejectToken(at, state, sink)
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
                if depth == 0 {
                    pause = .complete
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
    static func spaceEnd(
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
    static func shortSpaceEnd(_ at: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
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
