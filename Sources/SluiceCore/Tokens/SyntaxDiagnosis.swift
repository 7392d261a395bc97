/// The first byte of a text that breaks the rules of JSON, and the reason.
package struct SyntaxFault: Error {
    package let kind: JSONIssue.Kind
    /// The offset in the text.
    package let offset: Int
    /// Whether the byte at fault continues the element of an array before, which the sink has already received.
    let continuesValue: Bool
    /// Whether the fault is in a key, or at a position where a key is expected.
    var isAtKey = false
    var hint: String?

    package init(_ kind: JSONIssue.Kind, at offset: Int, continuesValue: Bool = false) {
        self.kind = kind
        self.offset = offset
        self.continuesValue = continuesValue
    }

    /// Returns the issue at the current location of a sink.
    ///
    /// - Parameter isSkipping: Whether the source skips the container of the fault, which the sink does not know.
    func issue(in sink: inout some TokenSink & ~Copyable, isSkipping: Bool = false) -> JSONIssue {
        var issue = sink.issue(kind, isAtKey: isAtKey && !isSkipping)
        issue.hint = hint ?? issue.hint
        // The sink expects the next element, unless the path is that of an ignored container.
        if continuesValue, !isSkipping, !sink.isInIgnoredContainer,
            case .index(let index)? = issue.path.components.last, index > 0
        {
            issue.path.components[issue.path.components.count - 1] = .index(index - 1)
        }
        return issue
    }
}

/// Finds the first byte of rejected JSON that breaks the rules, token by token, and the reason.
///
/// Used for errors. The yajl source also uses the diagnosis between chunks, and for strings that may have unpaired surrogates.
package struct SyntaxDiagnosis {
    /// The description of a comma before a closing bracket.
    package static let trailingComma = "a comma precedes the closing bracket"
    /// The description of another token, or of a letter, where a key is expected.
    static let keyWithoutQuotes = "a key requires double quotes"

    let text: LookbackBuffer
    var at: Int
    /// The end of the bytes to examine.
    var end: Int
    let limits: JSONLimits
    var grammar = GrammarState()
    /// Whether the innermost container is an object. Valid while `grammar.accepted` is 0.
    var isInObject = false

    /// Returns the first fault: a token at an invalid position, or a malformed token. If neither is found, the input ends too
    /// early, and `grammar` has the tokens that may follow.
    mutating func fault() -> SyntaxFault {
        var fault = firstFault()
        fault.isAtKey = fault.isAtKey || grammar.expectation.isKey
        return fault
    }

    private mutating func firstFault() -> SyntaxFault {
        while at < end {
            let start = at
            let byte = text.byte(at: at)
            if byte.isBlank {
                at += 1
                continue
            }
            guard let token = GrammarState.Token(firstByte: byte) else {
                return SyntaxFault(.syntax(unexpected(byte)), at: at, continuesValue: continuesValue(at))
            }
            guard grammar.takes(token, isInObject: isInObject) else {
                let continues = (token == .number || token == .literal) && continuesValue(start)
                var fault = SyntaxFault(.syntax(misplaced(token, start)), at: start, continuesValue: continues)
                if token == .comma, grammar.expectation == .value, byteBefore(start) == 0 {
                    fault.hint = Self.commaHint
                }
                return fault
            }
            let fault: SyntaxFault?
            switch token {
            case .string: fault = string(grammar.expectation == .colon ? .key : .string)
            case .number: fault = number()
            case .literal:
                fault = literal(byte == UInt8(ascii: "t") ? "true" : byte == UInt8(ascii: "f") ? "false" : "null")
            default:
                fault = nil
                at += 1
            }
            if let fault { return fault }
        }
        return SyntaxFault(.unexpectedEnd, at: end)
    }

    /// Skips the string at the current offset, and returns its first fault.
    mutating func string(_ name: JSONLimits.Name = .string) -> SyntaxFault? {
        var fault = stringFault(name)
        fault?.isAtKey = name == .key
        return fault
    }

    private mutating func stringFault(_ name: JSONLimits.Name) -> SyntaxFault? {
        let limit = name == .key ? limits.key : limits.string
        let start = at
        var string = OpenString()
        at += 1
        // The start of the character, or of its escape.
        var character = at
        while at < end {
            let byte = text.byte(at: at)
            if string.isBetweenCharacters {
                if at - start - 1 > limit { return SyntaxFault(.limitExceeded(name, limit: limit), at: start) }
                character = at
                if byte.isPlainASCII {
                    at += 1
                    continue
                }
            }
            if let fault = string.take(byte) { return SyntaxFault(kind(of: fault, byte), at: character) }
            at += 1
            if string.hasEnded { return nil }
        }
        return SyntaxFault(.unexpectedEnd, at: end)
    }

    private func kind(of fault: OpenString.Fault, _ byte: UInt8) -> JSONIssue.Kind {
        switch fault {
        case .controlCharacter:
            .syntax("a string holds the control character \(hex(byte)): it must be escaped")
        case .unknownEscape: .syntax("a string holds an escape that JSON does not know")
        case .missingDigit: .syntax("a \\u escape lacks its four hexadecimal digits")
        case .loneSurrogate: .loneSurrogate
        case .invalidUTF8: .invalidUTF8
        }
    }

    private mutating func number() -> SyntaxFault? {
        let start = at
        func isDigit(_ at: Int) -> Bool { at < end && (48...57).contains(text.byte(at: at)) }
        func skipDigits() -> Bool {
            let first = at
            while isDigit(at) { at += 1 }
            return at > first
        }
        var isWhole = true
        if text.byte(at: at) == UInt8(ascii: "-") { at += 1 }
        if at < end, text.byte(at: at) == UInt8(ascii: "0") { at += 1 } else { isWhole = skipDigits() }
        if isWhole, at < end, text.byte(at: at) == UInt8(ascii: ".") {
            at += 1
            isWhole = skipDigits()
        }
        if isWhole, at < end, text.byte(at: at) | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < end, text.byte(at: at) == UInt8(ascii: "+") || text.byte(at: at) == UInt8(ascii: "-") {
                at += 1
            }
            isWhole = skipDigits()
        }
        if at - start > limits.number { return .init(.limitExceeded(.number, limit: limits.number), at: start) }
        if isWhole { return nil }
        return at == end ? .init(.unexpectedEnd, at: end) : .init(.syntax("a number lacks a digit"), at: start)
    }

    private mutating func literal(_ word: StaticString) -> SyntaxFault? {
        let start = at
        for index in 0..<word.utf8CodeUnitCount {
            guard at < end else { return SyntaxFault(.unexpectedEnd, at: end) }
            guard text.byte(at: at) == word.utf8Start[index] else {
                return SyntaxFault(.syntax("expected \(word)"), at: start)
            }
            at += 1
        }
        return nil
    }

    // MARK: Messages

    private static let pythonHint = "the literals of Python are not JSON: use null, true or false"
    private static let numberHint = "NaN and Infinity are not JSON numbers"
    private static let caseHint = "literals are in lower case: null, true and false"

    /// The hints for words that other languages have, where JSON has a value, by the word in lower case.
    private static let hints = [
        "none": pythonHint,
        "undefined": "JSON has no undefined: use null, or omit the key",
        "nil": "JSON has no nil: use null",
        "nan": numberHint, "inf": numberHint, "infinity": numberHint,
        "null": caseHint, "true": caseHint, "false": caseHint,
    ]

    /// Returns a hint for a word that other languages have, where JSON has a value.
    static func hint(for word: String) -> String? {
        switch word {
        case "null", "true", "false": nil
        case "True", "False": pythonHint
        default: hints[word.lowercased()]
        }
    }

    /// Whether a word is the beginning of one that has a hint, or such a word.
    static func mayHaveHint(_ beginning: String) -> Bool {
        let beginning = beginning.lowercased()
        return hints.keys.contains { $0.hasPrefix(beginning) }
    }

    /// The hint for a comma before or after a value that is not in an array.
    static let commaHint =
        "only elements of an array have commas between them: remove the comma, or enclose the values in brackets"
    /// The hint for a byte order mark that is not the first character.
    static let markHint = "a byte order mark is allowed only at the start of the input: remove U+FEFF"
    /// The hint for a value after the only value of a document.
    package static let severalValuesHint = "for several values, use the framing .lines or .concatenated"
    /// The hint for a value after the value of a line.
    package static let severalValuesInLineHint = "for several values in a line, use the framing .concatenated"

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private func unexpected(_ byte: UInt8) -> String {
        switch byte {
        case _ where grammar.expectation.isKey && Self.beginsName(byte): Self.keyWithoutQuotes
        case UInt8(ascii: "/"): "comments are not part of JSON"
        case UInt8(ascii: "'"): "strings require double quotes, not single quotes"
        case UInt8(ascii: "+"): "a number cannot begin with a plus sign"
        case UInt8(ascii: "."): "a number begins with a digit"
        case 0x21..<0x7F: "unexpected character '\(UnicodeScalar(byte))'"
        default: "unexpected byte 0x\(String(byte, radix: 16, uppercase: true))"
        }
    }

    /// Whether a byte may begin a key without quotes in JavaScript.
    private static func beginsName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// Returns the reason why a well-formed token is invalid at `start`. Examines only preceding bytes that are retained for every
    /// division of the input into chunks.
    private func misplaced(_ token: GrammarState.Token, _ start: Int) -> String {
        let previous = byteBefore(start)
        let isValue = [.string, .number, .literal, .openObject, .openArray].contains(token)
        switch (grammar.expectation, token) {
        case (.value, .close), (.key, .close):
            return previous == UInt8(ascii: ",")
                ? Self.trailingComma
                : previous == UInt8(ascii: ":") ? "a value is missing after the colon" : plain(token, start)
        case (.value, .comma), (.key, .comma):
            return previous == UInt8(ascii: ",") ? "a value is missing between two commas" : plain(token, start)
        case (.key, _) where isValue, (.keyOrClose, _) where isValue: return Self.keyWithoutQuotes
        case (.colon, _): return "a colon is missing after the key"
        case (.commaOrClose, .number) where followsZero(start): return "a number cannot begin with a leading zero"
        case (.commaOrClose, _) where isValue && previous != 0:
            return "a comma is missing before \(name(token, start))"
        case (.commaOrClose, .close(let isObject)), (.valueOrClose, .close(let isObject)),
            (.keyOrClose, .close(let isObject)):
            return isObject ? "'}' does not close an array" : "']' does not close an object"
        default: return plain(token, start)
        }
    }

    /// Whether a number directly follows a zero. Only the number 0 is followed by a digit that is not its own.
    private func followsZero(_ start: Int) -> Bool {
        start > 0 && text.byte(at: start - 1) == UInt8(ascii: "0") && text.byte(at: start) != UInt8(ascii: "-")
    }

    private func plain(_ token: GrammarState.Token, _ start: Int) -> String { "unexpected \(name(token, start))" }

    private func name(_ token: GrammarState.Token, _ start: Int) -> String {
        switch token {
        case .string: "a string"
        case .number: "a number"
        default: "'\(UnicodeScalar(text.byte(at: start)))'"
        }
    }

    /// Whether the byte at an offset directly follows a number, literal or string in an array, and is neither white space nor a comment.
    private func continuesValue(_ at: Int) -> Bool {
        guard grammar.expectation == .commaOrClose, !isInObject, at > max(text.chunkOffset - text.tail.count, 0)
        else { return false }
        let (before, byte) = (text.byte(at: at - 1), text.byte(at: at))
        if byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") { return false }
        return !before.isBlank && before != UInt8(ascii: "]") && before != UInt8(ascii: "}")
    }

    /// Returns the last byte before `start` that is not white space, or 0.
    private func byteBefore(_ start: Int) -> UInt8 {
        var before = start - 1
        let first = max(start - LookbackBuffer.reach + 4, text.chunkOffset - text.tail.count, 0)
        while before >= first, text.byte(at: before).isBlank { before -= 1 }
        return before >= first ? text.byte(at: before) : 0
    }
}

/// The position in JSON's grammar, in few words of memory, so that updates are cheap on the hot path: the tokens that may follow the
/// last string or number, and the number of brackets and literals accepted since then.
struct GrammarState {
    enum Expectation: UInt8 {
        case value, valueOrClose, key, keyOrClose, colon, commaOrClose

        /// Whether the next string is a key.
        var isKey: Bool { self == .key || self == .keyOrClose }
    }

    enum Token: Equatable {
        case string, number, literal, openObject, openArray, comma, colon
        case close(isObject: Bool)

        /// Whether the token is a value, or the first one of a value.
        var beginsValue: Bool {
            switch self {
            case .string, .number, .literal, .openObject, .openArray: true
            case .comma, .colon, .close: false
            }
        }

        init?(firstByte byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""): self = .string
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): self = .literal
            case UInt8(ascii: "{"): self = .openObject
            case UInt8(ascii: "["): self = .openArray
            case UInt8(ascii: "}"): self = .close(isObject: true)
            case UInt8(ascii: "]"): self = .close(isObject: false)
            case UInt8(ascii: ","): self = .comma
            case UInt8(ascii: ":"): self = .colon
            default: return nil
            }
        }
    }

    var expectation = Expectation.value
    /// The number of brackets and literals passed to the sink since the last string or number.
    var accepted = 0

    /// Accepts the next token. Returns false if its position is invalid. Tokens accepted before are not checked again.
    mutating func takes(_ token: Token, isInObject: Bool) -> Bool {
        let isKnown = accepted > 0
        switch token {
        case .string:
            switch expectation {
            case .key, .keyOrClose: expectation = .colon
            case .value, .valueOrClose: expectation = .commaOrClose
            default: return false
            }
        case .number, .literal, .openObject, .openArray:
            guard isKnown || expectation == .value || expectation == .valueOrClose else { return false }
            if token == .openObject {
                expectation = .keyOrClose
            } else if token == .openArray {
                expectation = .valueOrClose
            } else {
                expectation = .commaOrClose
            }
            if token != .number { accepted = max(accepted - 1, 0) }
        case .close(let isObject):
            let mayClose =
                expectation == .commaOrClose || expectation == (isObject ? .keyOrClose : .valueOrClose)
            guard isKnown || mayClose && isObject == isInObject else { return false }
            expectation = .commaOrClose
            accepted = max(accepted - 1, 0)
        case .comma:
            guard isKnown || expectation == .commaOrClose else { return false }
            // Before an accepted bracket or literal, the comma is in an array: in an object, a key would come first.
            expectation = isInObject && !isKnown ? .key : .value
        case .colon:
            guard expectation == .colon else { return false }
            expectation = .value
        }
        return true
    }
}
