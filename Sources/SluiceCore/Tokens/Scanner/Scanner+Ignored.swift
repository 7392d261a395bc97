// Ignored containers: the same grammar as in Scanner+Loop.swift, without tokens. Checks everything that the other loop
// checks, and can be entered at the same positions.

extension Scanner {
    /// Checks the ignored container from the cursor to its closing bracket.
    mutating func passOver(_ sink: inout some TokenSink & ~Copyable) -> Pause {
        // Constant in this function. Local copies let the compiler keep them in registers.
        let (safeEnd, vectorEnd, end, limits, containers) = (safeEnd, vectorEnd, end, limits, containers.view)
        var at = cursor
        var state = expectation
        var depth = depth
        var inObject = containers.isObject(depth)
        // `stopped` stands for a malformed token at `at`.
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
                        cursor = at
                        expectation = state
                        self.depth = depth
                        rejectDepth(at, sink)
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
        return pause == .stopped ? rejectToken(at, state, sink) : pause
    }

    /// Returns the position after the string or key at a quote; nil, with the reason in `pause`, if the string is malformed,
    /// longer than `limit`, or not complete.
    @inline(__always)
    private static func checkedStringEnd(
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
            // Escapes often follow one another.
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
        let action: TokenAction
        if sink.isCapturing {
            action = inObject ? sink.endObject() : sink.endArray()
        } else {
            action = sink.skipped()
        }
        return action == .proceed || apply(action, from: at - 1, to: at, &sink)
    }
}
