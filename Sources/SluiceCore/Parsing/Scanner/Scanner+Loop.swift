// The grammar, as a chain of positions where a token may begin. Each position falls through to its most frequent successor.
// After the end of a window, the loop can be entered again at any position.

/// How tokens are handled. The compiler specializes the loop below for each mode.
protocol ScanMode {
    static var isFilling: Bool { get }
}

/// Sends every token to the sink.
enum Filling: ScanMode {
    @inline(__always)
    static var isFilling: Bool { true }
}

/// Checks every token without sending tokens to the sink.
enum PassingOver: ScanMode {
    @inline(__always)
    static var isFilling: Bool { false }
}

extension Scanner where Sink: ~Copyable {
    /// Continues from the cursor in one mode.
    mutating func scan<Mode: ScanMode>(_: Mode.Type) -> Pause {
        // Constant in this function. Local copies let the compiler keep them in registers.
        let (near, last, limits, containers) = (near, last, limits, containers.view)
        var at = cursor
        var place = expectation
        var inObject = containers.isObject(depth)
        var pause = Pause.more

        scan: while true {
            switch place {
            case .keyOrClose, .key:
                if at > near { break scan }
                at = Self.spaceEnd(at, in: containers, depth, near: near, last: last)
                if at.pointee != UInt8(ascii: "\"") {
                    if place == .keyOrClose, at.pointee == UInt8(ascii: "}") {
                        place = .commaOrClose
                        continue scan
                    }
                    pause = refuseToken(at, place)
                    break scan
                }
                if Mode.isFilling, case let count = sink.expectedKey(at: at + 1, longest: limits.key), count >= 0 {
                    at += count &+ 2
                } else {
                    var isASCII = true
                    let quote = Kernels.stringEnd(at + 1, last: last, isASCII: &isASCII)
                    if quote <= last, quote.pointee == UInt8(ascii: "\"") {
                        let count = quote - (at + 1)
                        if count > limits.key || !isASCII && !UTF8Validation.isValid(readable: at + 1, count) {
                            pause = refuseToken(at, place)
                            break scan
                        }
                        if Mode.isFilling {
                            let action = sink.key(Key(readable: at + 1, count))
                            if action != .proceed {
                                if !apply(action, from: at, to: quote + 1) {
                                    pause = .stopped
                                    break scan
                                }
                                // The object is captured from here on.
                                if skipBase >= 0 {
                                    at = quote + 1
                                    place = .colon
                                    pause = .switched
                                    break scan
                                }
                            }
                        }
                        at = quote + 1
                    } else {
                        guard let next = escapedString(at, quote, isASCII, place, Mode.self, &pause) else {
                            break scan
                        }
                        at = next
                        if Mode.isFilling, skipBase >= 0 {
                            place = .colon
                            pause = .switched
                            break scan
                        }
                    }
                }
                place = .colon
                fallthrough

            case .colon:
                if at > near { break scan }
                if at.pointee != UInt8(ascii: ":") {
                    at = Self.spaceEnd(at, near: near, last: last)
                    if at > near { break scan }
                    guard at.pointee == UInt8(ascii: ":") else {
                        pause = refuseToken(at, place)
                        break scan
                    }
                }
                at = Self.spaceEnd(at + 1, near: near, last: last)
                place = .value
                fallthrough

            case .value, .valueOrClose:
                if at > near { break scan }
                at = Self.spaceEnd(at, in: containers, depth, near: near, last: last)
                switch at.pointee {
                case UInt8(ascii: "\""):
                    var isASCII = true
                    let quote = Kernels.stringEnd(at + 1, last: last, isASCII: &isASCII)
                    if quote <= last, quote.pointee == UInt8(ascii: "\"") {
                        let start = at + 1
                        let count = quote - start
                        if count > limits.string
                            || !isASCII && !UTF8Validation.isValid(readable: start, count)
                        {
                            pause = refuseToken(at, place)
                            break scan
                        }
                        if Mode.isFilling {
                            let action = sink.string(start, count, isASCII: isASCII)
                            if action != .proceed, !apply(action, from: at, to: quote + 1) {
                                pause = .stopped
                                break scan
                            }
                        }
                        at = quote + 1
                    } else {
                        guard let next = escapedString(at, quote, isASCII, place, Mode.self, &pause) else {
                            break scan
                        }
                        at = next
                    }
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    let isBrace = at.pointee == UInt8(ascii: "{")
                    if depth == limits.depth {
                        refuseDepth(at)
                        pause = .stopped
                        break scan
                    }
                    let wasSkipping = Mode.isFilling && sink.isSkipping
                    depth &+= 1
                    self.containers.open(depth, isObject: isBrace)
                    if Mode.isFilling, !wasSkipping {
                        let action = isBrace ? sink.startObject() : sink.startArray()
                        if action != .proceed, !apply(action, from: at, to: at + 1) {
                            pause = .stopped
                            break scan
                        }
                    }
                    inObject = isBrace
                    at += 1
                    place = isBrace ? .keyOrClose : .valueOrClose
                    if Mode.isFilling, wasSkipping || capture.isOn {
                        skipBase = depth &- 1
                        pause = .switched
                        break scan
                    }
                    continue scan
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    guard let next = number(at, place, Mode.self, &pause) else { break scan }
                    at = next
                case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                    let letter = at.pointee
                    let length = letter == UInt8(ascii: "f") ? 5 : 4
                    guard Self.word(at + (length - 4)) == Self.lastLetters(of: letter) else {
                        pause = refuseToken(at, place)
                        break scan
                    }
                    if Mode.isFilling {
                        let action = letter == UInt8(ascii: "n") ? sink.null() : sink.bool(length == 4)
                        if action != .proceed, !apply(action, from: at, to: at + length) {
                            pause = .stopped
                            break scan
                        }
                    }
                    at += length
                case UInt8(ascii: "]") where place == .valueOrClose:
                    place = .commaOrClose
                    continue scan
                default:
                    pause = refuseToken(at, place)
                    break scan
                }
                place = .commaOrClose
                if depth == 0 {
                    pause = .complete
                    break scan
                }
                fallthrough

            case .commaOrClose:
                if at > near { break scan }
                at = Self.spaceEnd(at, in: containers, depth &- 1, near: near, last: last)
                if at.pointee == UInt8(ascii: ",") {
                    at += 1
                    place = inObject ? .key : .value
                    continue scan
                }
                guard at.pointee == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    pause = refuseToken(at, place)
                    break scan
                }
                depth &-= 1
                if Mode.isFilling {
                    let action = inObject ? sink.endObject() : sink.endArray()
                    if action != .proceed, !apply(action, from: at, to: at + 1) {
                        pause = .stopped
                        break scan
                    }
                } else if depth == skipBase {
                    skipBase = -1
                    at += 1
                    pause = endSkipped(inObject, at) ? .switched : .stopped
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
        expectation = place
        return pause
    }

    /// Returns the next position that is not white space, before a member of the container at a depth.
    @inline(__always)
    private static func spaceEnd(
        _ at: UnsafePointer<UInt8>, in containers: OpenContainers.View, _ depth: Int, near: UnsafePointer<UInt8>,
        last: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        if at.pointee > 0x20 { return at }
        if at.pointee == 0x20, at[1] > 0x20 { return at + 1 }
        if let next = containers.expectedSpaceEnd(at, depth), next <= near { return next }
        return unexpectedSpaceEnd(at, in: containers, depth, near: near, last: last)
    }

    @inline(never)
    private static func unexpectedSpaceEnd(
        _ at: UnsafePointer<UInt8>, in containers: OpenContainers.View, _ depth: Int, near: UnsafePointer<UInt8>,
        last: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let next = Kernels.spaceEnd(at, last: last)
        // A token must not begin after `near`, so the bytes after `near` are not examined.
        if next > near { return min(next, near + 1) }
        containers.expectSpace(from: at, to: next, depth)
        return next
    }

    /// Returns the next position that is not white space.
    @inline(__always)
    private static func spaceEnd(
        _ at: UnsafePointer<UInt8>, near: UnsafePointer<UInt8>, last: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        if at.pointee > 0x20 { return at }
        // The most frequent case is a single space.
        if at.pointee == 0x20, at[1] > 0x20 { return at + 1 }
        let next = Kernels.spaceEnd(at, last: last)
        // A token must not begin after `near`, so the bytes after `near` are not examined.
        return next <= near ? next : min(next, near + 1)
    }

    @inline(__always)
    private static func word(_ at: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt32.self))
    }

    /// Returns the last four letters of the literal that begins with a letter: `true`, `alse`, `null`.
    @inline(__always)
    private static func lastLetters(of letter: UInt8) -> UInt32 {
        letter == UInt8(ascii: "t") ? 0x6575_7274 : letter == UInt8(ascii: "f") ? 0x6573_6C61 : 0x6C6C_756E
    }

    /// Ends the ignored container that closes just before `at`.
    @inline(never)
    private mutating func endSkipped(_ inObject: Bool, _ at: UnsafePointer<UInt8>) -> Bool {
        let action: TokenAction
        if sink.isCapturing {
            action = inObject ? sink.endObject() : sink.endArray()
        } else {
            action = sink.skipped()
        }
        return action == .proceed || apply(action, from: at - 1, to: at)
    }
}
