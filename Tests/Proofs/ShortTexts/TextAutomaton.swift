/// An automaton that judges JSON text byte by byte, as RFC 8259 and the documentation of `JSONIssue.location` define.
///
/// The automaton shares no code with the package, and has a case for each position in the grammar. The offset of an error is that of
/// the first token at fault: of a token at an invalid position, or of a number or literal that is malformed. In a string, that is the
/// offset of the control character, of the backslash of an escape, or of the first byte of an invalid character. If the text ends too
/// early, that is the length of the text.
///
/// Escapes of surrogates are beyond the automaton, which traps.
public struct TextAutomaton: Sendable {
    private enum State: Sendable {
        case value, valueOrClose, key, keyOrClose, colon, separator
        case minus, zero, whole, point, fraction, exponent, exponentSign, exponentDigits
        case text, escape
        case hex(Int)
        case character(Int)
        case word(StaticString, Int)
        case failed(Int)
    }

    private var state = State.value
    /// The brackets that are open, a bit for each, of which 1 is an object. The innermost is the lowest bit.
    private var brackets: UInt64 = 0
    private var depth = 0
    /// Whether the string is a key.
    private var isKey = false
    /// The offset of the token or escape, or of the character in a string.
    private var start = 0
    /// The number of bytes before.
    public private(set) var count = 0

    /// Creates an automaton at the start of a text.
    public init() {}

    /// The offset of the error of the text that ends here; nil for a document.
    public var errorOffset: Int? {
        switch state {
        case .failed(let offset): offset
        case .separator, .zero, .whole, .fraction, .exponentDigits: depth == 0 ? nil : count
        default: count
        }
    }

    /// Whether no text that begins with these bytes is a document.
    public var hasFailed: Bool { if case .failed = state { true } else { false } }

    /// Advances over a byte.
    public mutating func append(_ byte: UInt8) {
        advance(byte)
        count += 1
    }

    private mutating func advance(_ byte: UInt8) {
        switch state {
        case .failed: return
        case .value, .valueOrClose, .key, .keyOrClose, .colon, .separator: begin(byte)
        case .minus:
            state = byte == 0x30 ? .zero : isDigit(byte) ? .whole : .failed(start)
        case .zero: afterInteger(byte)
        case .whole:
            if !isDigit(byte) { afterInteger(byte) }
        case .point: state = isDigit(byte) ? .fraction : .failed(start)
        case .fraction:
            if !isDigit(byte) { afterFraction(byte) }
        case .exponent:
            state = isDigit(byte) ? .exponentDigits : byte == 0x2B || byte == 0x2D ? .exponentSign : .failed(start)
        case .exponentSign: state = isDigit(byte) ? .exponentDigits : .failed(start)
        case .exponentDigits:
            if !isDigit(byte) { afterValue(byte) }
        case .text: inString(byte)
        case .escape:
            switch byte {
            case 0x75: state = .hex(0)
            case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: state = .text
            default: state = .failed(start)
            }
        case .hex(let digits):
            precondition(digits > 0 || byte != 0x64 && byte != 0x44, "an escape that may be a surrogate")
            let isHex = isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            state = !isHex ? .failed(start) : digits == 3 ? .text : .hex(digits + 1)
        case .character(let more):
            let continues = (0x80...0xBF).contains(byte)
            state = !continues ? .failed(start) : more == 1 ? .text : .character(more - 1)
        case .word(let word, let index):
            let continues = byte == word.utf8Start[index]
            let isLast = index + 1 == word.utf8CodeUnitCount
            state = !continues ? .failed(start) : isLast ? .separator : .word(word, index + 1)
        }
    }

    /// Begins a token.
    private mutating func begin(_ byte: UInt8) {
        if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { return }
        switch (state, byte) {
        case (.value, 0x22), (.valueOrClose, 0x22): openString(isKey: false)
        case (.key, 0x22), (.keyOrClose, 0x22): openString(isKey: true)
        case (.value, 0x2D), (.valueOrClose, 0x2D): openNumber(.minus)
        case (.value, 0x30), (.valueOrClose, 0x30): openNumber(.zero)
        case (.value, 0x31...0x39), (.valueOrClose, 0x31...0x39): openNumber(.whole)
        case (.value, 0x74), (.valueOrClose, 0x74): openWord("true")
        case (.value, 0x66), (.valueOrClose, 0x66): openWord("false")
        case (.value, 0x6E), (.valueOrClose, 0x6E): openWord("null")
        case (.value, 0x5B), (.valueOrClose, 0x5B): open(isObject: false)
        case (.value, 0x7B), (.valueOrClose, 0x7B): open(isObject: true)
        case (.valueOrClose, 0x5D), (.keyOrClose, 0x7D): close()
        case (.separator, 0x5D) where depth > 0 && brackets & 1 == 0: close()
        case (.separator, 0x7D) where depth > 0 && brackets & 1 == 1: close()
        case (.separator, 0x2C) where depth > 0: state = brackets & 1 == 1 ? .key : .value
        case (.colon, 0x3A): state = .value
        default: state = .failed(count)
        }
    }

    private mutating func openString(isKey: Bool) {
        self.isKey = isKey
        state = .text
    }

    private mutating func openNumber(_ first: State) {
        start = count
        state = first
    }

    private mutating func openWord(_ word: StaticString) {
        start = count
        state = .word(word, 1)
    }

    private mutating func open(isObject: Bool) {
        brackets = brackets << 1 | (isObject ? 1 : 0)
        depth += 1
        precondition(depth <= 64)
        state = isObject ? .keyOrClose : .valueOrClose
    }

    private mutating func close() {
        brackets >>= 1
        depth -= 1
        state = .separator
    }

    private mutating func inString(_ byte: UInt8) {
        switch byte {
        case 0x22: state = isKey ? .colon : .separator
        case 0x5C:
            start = count
            state = .escape
        case 0x00..<0x20: state = .failed(count)
        case 0x20..<0x80: break
        case 0xC2...0xDF:
            start = count
            state = .character(1)
        // The first continuation of longer characters depends on the leading byte. None is in the alphabet.
        case 0xE0...0xF4: preconditionFailure("a character of more than two bytes")
        default: state = .failed(count)
        }
    }

    private mutating func afterInteger(_ byte: UInt8) {
        if byte == 0x2E { state = .point } else { afterFraction(byte) }
    }

    private mutating func afterFraction(_ byte: UInt8) {
        if byte == 0x65 || byte == 0x45 { state = .exponent } else { afterValue(byte) }
    }

    private mutating func afterValue(_ byte: UInt8) {
        state = .separator
        begin(byte)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
