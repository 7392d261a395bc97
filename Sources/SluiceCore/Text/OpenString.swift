/// The state of a string that is not complete. Reads each byte once, to find the end of the string and its first fault.
struct OpenString {
    /// The reason why a byte is at fault.
    enum Fault {
        /// A control character that is not escaped.
        case controlCharacter
        /// An escape that JSON does not know.
        case unknownEscape
        /// An escape `\u` that lacks a digit.
        case missingDigit
        /// A half of a surrogate pair without the other half.
        case loneSurrogate
        case invalidUTF8
    }

    private enum State {
        case text
        /// After a backslash.
        case escape
        /// Before a digit of an escape.
        case digit(index: Int, value: UInt16, isLow: Bool)
        /// After the escape of a high surrogate, which another escape follows.
        case highSurrogate
        /// After the backslash of the escape of a low surrogate.
        case lowSurrogate
        /// Inside of a character that is not ASCII.
        case character(left: Int, least: UInt8, greatest: UInt8)
    }

    private var state = State.text
    /// Whether the closing quote was read.
    private(set) var hasEnded = false
    /// Whether a fault was read. Further faults are not found.
    private(set) var isFaulty = false

    init() {}

    /// Reads the bytes after the opening quote.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes
        while !hasEnded, let count = lengthToEndOrFault(of: rest) {
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Reads the next bytes of a string that has not ended. Returns the number of bytes up to the closing quote or the first fault,
    /// including that byte; nil if neither is found.
    @inline(__always)
    mutating func lengthToEndOrFault(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if case .text = state, bytes.count == 1, bytes[0].isPlainASCII { return nil }
        return advance(over: bytes)
    }

    private mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var at = 0
        while true {
            if case .text = state { at = Self.plainEnd(of: bytes, from: at) }
            guard at < bytes.count else { return nil }
            let isFault = take(bytes[at]) != nil && !isFaulty
            at += 1
            if isFault { isFaulty = true }
            if isFault || hasEnded { return at }
        }
    }

    /// Returns the index of the first byte that does not represent itself.
    private static func plainEnd(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        if let base = bytes.baseAddress, bytes.count - at >= 16 {
            at = Kernels.plainEnd(base + at, last: base + (bytes.count - 16)) - base
        }
        while at < bytes.count, bytes[at].isPlainASCII { at += 1 }
        return at
    }

    /// Whether the next byte begins a character or an escape, or ends the string.
    var isBetweenCharacters: Bool { if case .text = state { true } else { false } }

    /// Reads a byte. Returns its fault, after which the byte is read as one of the text.
    mutating func take(_ byte: UInt8) -> Fault? {
        let fault: Fault
        switch state {
        case .text: return takeText(byte)
        case .escape:
            if byte == UInt8(ascii: "u") {
                state = .digit(index: 0, value: 0, isLow: false)
                return nil
            }
            fault = .unknownEscape
            guard "\"\\/bfnrt".utf8.contains(byte) else { break }
            state = .text
            return nil
        case .digit(let index, var value, let isLow):
            fault = isLow ? .loneSurrogate : .missingDigit
            guard byte < 0x80, let digit = Character(UnicodeScalar(byte)).hexDigitValue else { break }
            value = value << 4 | UInt16(digit)
            if index < 3 {
                state = .digit(index: index + 1, value: value, isLow: isLow)
                return nil
            }
            state = !isLow && value & 0xFC00 == 0xD800 ? .highSurrogate : .text
            return isLow == (value & 0xFC00 == 0xDC00) ? nil : .loneSurrogate
        case .highSurrogate:
            fault = .loneSurrogate
            guard byte == UInt8(ascii: "\\") else { break }
            state = .lowSurrogate
            return nil
        case .lowSurrogate:
            guard byte == UInt8(ascii: "u") else {
                state = .escape
                _ = take(byte)
                return .loneSurrogate
            }
            state = .digit(index: 0, value: 0, isLow: true)
            return nil
        case .character(let left, let least, let greatest):
            fault = .invalidUTF8
            guard byte >= least, byte <= greatest else { break }
            state = left == 1 ? .text : .character(left: left - 1, least: 0x80, greatest: 0xBF)
            return nil
        }
        state = .text
        _ = takeText(byte)
        return fault
    }

    /// Reads a byte that begins a character or an escape, or ends the string.
    private mutating func takeText(_ byte: UInt8) -> Fault? {
        switch byte {
        case UInt8(ascii: "\""): hasEnded = true
        case UInt8(ascii: "\\"): state = .escape
        case 0..<0x20: return .controlCharacter
        case 0x20..<0x80: break
        // RFC 3629, section 4.
        case 0xC2...0xDF: state = .character(left: 1, least: 0x80, greatest: 0xBF)
        case 0xE0: state = .character(left: 2, least: 0xA0, greatest: 0xBF)
        case 0xED: state = .character(left: 2, least: 0x80, greatest: 0x9F)
        case 0xE1...0xEF: state = .character(left: 2, least: 0x80, greatest: 0xBF)
        case 0xF0: state = .character(left: 3, least: 0x90, greatest: 0xBF)
        case 0xF1...0xF3: state = .character(left: 3, least: 0x80, greatest: 0xBF)
        case 0xF4: state = .character(left: 3, least: 0x80, greatest: 0x8F)
        default: return .invalidUTF8
        }
        return nil
    }
}
