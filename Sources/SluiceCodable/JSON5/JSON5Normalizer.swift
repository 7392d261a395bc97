import SluiceCore

/// Rewrites JSON5 as JSON, which the scanner reads.
///
/// The bytes that JSON5 has in common with JSON are copied, and the others are replaced. For example,
///
///     {a: +1, /* x */ 'b': [0x1F, .5,],}
///
/// is rewritten as
///
///     {"a": 1, "b": [31, 0.5]}
///
/// The map of the replaced parts leads from a token of the JSON to its location in the JSON5. Numbers that JSON lacks are listed, and marked
/// on the tape: an infinity or NaN, which is rewritten as 0, and hexadecimal integers, which types read by other rules.
///
/// Follows the specification of JSON5, with one addition: `\x` is an escape in an unquoted key, too. Foundation's decoder differs in
/// line continuations, in the escapes of strings and keys, and in white space beyond ASCII.
///
/// Unlike Foundation, all numbers and strings are checked, including those that no type reads. The limits apply to the JSON5.
struct JSON5Normalizer {
    /// The tokens allowed at the next position. After a comma, a container may end.
    private enum Expectation {
        case value, valueOrClose, keyOrClose, colon, commaOrClose, end
    }

    private struct Container {
        enum Kind {
            case array, object
            /// The object around a document that lacks its braces.
            case bareObject
            /// The document around the root.
            case document
        }

        let kind: Kind
        /// The number of complete values.
        var count = 0
        /// The offset of the last key.
        var key: Int?
    }

    private let text: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    /// Whether infinities and NaN are faults.
    private let isFinite: Bool
    /// The current offset, and the end of the text within the document limit.
    private var at: Int
    private let end: Int
    private var container = Container(kind: .document)
    /// The containers around the innermost one.
    private var outer: [Container] = []

    /// The JSON, without the bytes of the text from `copied` on.
    private(set) var json: [UInt8] = []
    private var copied = 0
    /// The offsets after each replaced part, if its length has changed.
    private var map: [(json: Int, text: Int)] = []
    /// The number of numbers.
    private var numberCount = 0
    /// The positions, among all numbers, of those that JSON lacks: infinities and NaN with their values, and hexadecimal integers.
    private var numbers: [(position: Int, value: Double?)] = []

    /// Creates a reader that begins at an offset.
    private init(
        _ text: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits, isFinite: Bool = false, at start: Int
    ) {
        (self.text, self.limits, self.isFinite, at, copied) = (text, limits, isFinite, start, start)
        end = min(text.count, max(limits.document, start))
    }

    /// Rewrites a complete document, whose memory must stay valid.
    ///
    /// - Parameters:
    ///   - mayLackBraces: Whether the document is an object whose braces may be missing.
    ///   - isFinite: Whether infinities and NaN are faults, because the JSON is read without a tape.
    /// - Throws: The first error in the document.
    init(
        _ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits, mayLackBraces: Bool, isFinite: Bool = false
    ) throws(JSONModelError) {
        self.init(
            text, limits, isFinite: isFinite, at: Encoding.hasByteOrderMark(text) ? Encoding.byteOrderMark.count : 0
        )
        copied = 0
        json.reserveCapacity(end)
        do throws(SyntaxFault) {
            if let encoding = Encoding.other(text) { throw SyntaxFault(.unsupportedEncoding(encoding), at: 0) }
            try readDocument(mayLackBraces: mayLackBraces)
        } catch {
            let issue = JSONIssue(kind: error.kind, path: path)
            throw JSONModelError(issues: [issue.relocated(to: error.offset, in: text, limit: limits.document)])
        }
        copy(to: end)
    }

    /// The byte at an offset, as a character of Latin-1; U+FFFF at the end.
    private subscript(offset: Int) -> Unicode.Scalar { offset < end ? Unicode.Scalar(text[offset]) : "\u{FFFF}" }

    /// The byte at the current position.
    private var next: Unicode.Scalar { self[at] }

    // MARK: The grammar

    private mutating func readDocument(mayLackBraces: Bool) throws(SyntaxFault) {
        try skipSpace()
        var expectation = Expectation.value
        if mayLackBraces, next != "{" {
            replace(at, at, with: "{")
            expectation = try open(.bareObject, length: 0)
        } else if at == end {
            throw fault(.emptyInput)
        }
        while at < end {
            expectation = try readToken(expectation)
            try skipSpace()
        }
        switch expectation {
        case .keyOrClose where container.kind == .bareObject, .commaOrClose where container.kind == .bareObject:
            replace(at, at, with: "}")
        case .end: break
        default: throw fault(.unexpectedEnd)
        }
        // The rest of the text is beyond the document limit.
        if isCut { throw documentFault }
    }

    /// Reads the next token.
    ///
    /// - Returns: The tokens allowed after the token.
    private mutating func readToken(_ expectation: Expectation) throws(SyntaxFault) -> Expectation {
        switch expectation {
        case .value: return try readValue()
        case .valueOrClose: return next == "]" ? try close() : try readValue()
        case .keyOrClose:
            if next == "}" { return try close() }
            let start = at
            try readKey()
            container.key = start
            return .colon
        case .colon:
            guard next == ":" else { throw fault(.syntax("a colon is missing after the key")) }
            at += 1
            return .value
        case .commaOrClose:
            if next == "}" || next == "]" { return try close() }
            guard next == "," else {
                throw fault(.syntax(next == ":" ? unexpected : "a comma is missing before \(name)"))
            }
            try readComma()
            return container.kind == .array ? .valueOrClose : .keyOrClose
        case .end: throw fault(.trailingContent)
        }
    }

    private mutating func readValue() throws(SyntaxFault) -> Expectation {
        switch next {
        case "{": return try open(.object, length: 1)
        case "[": return try open(.array, length: 1)
        case "\"", "'": try readQuoted(.string, limits.string)
        case "t": try readWord("true", from: at)
        case "f": try readWord("false", from: at)
        case "n": try readWord("null", from: at)
        case "0"..."9", ".", "+", "-", "I", "N": try readNumber()
        default: throw fault(.syntax(unexpected))
        }
        return completed()
    }

    /// Counts a complete value.
    ///
    /// - Returns: The tokens allowed after the value.
    private mutating func completed() -> Expectation {
        container.count += 1
        return outer.isEmpty ? .end : .commaOrClose
    }

    private mutating func open(_ kind: Container.Kind, length: Int) throws(SyntaxFault) -> Expectation {
        guard outer.count < limits.depth else { throw fault(.limitExceeded(.depth, limit: limits.depth)) }
        outer.append(container)
        container = Container(kind: kind)
        at += length
        return kind == .array ? .valueOrClose : .keyOrClose
    }

    private mutating func close() throws(SyntaxFault) -> Expectation {
        switch (container.kind, next) {
        case (.array, "]"), (.object, "}"): break
        case (.array, _): throw fault(.syntax("'}' does not close an array"))
        case (.object, _): throw fault(.syntax("']' does not close an object"))
        default: throw fault(.syntax(unexpected))
        }
        at += 1
        container = outer.removeLast()
        return completed()
    }

    /// Reads the comma at the current position, and removes a comma before the end of the container.
    private mutating func readComma() throws(SyntaxFault) {
        let start = at
        at += 1
        let gap = try passSpace()
        let isLast = at == end || next == "]" || next == "}"
        if let first = isLast ? start : gap { remove(from: first) }
    }

    /// Reads a word that begins at the current position.
    ///
    /// - Parameter start: The offset of the token.
    private mutating func readWord(_ word: String, from start: Int) throws(SyntaxFault) {
        for character in word.unicodeScalars {
            if at == end { throw fault(.unexpectedEnd) }
            if next != character { throw fault(.syntax("expected \(word)"), at: start) }
            at += 1
        }
    }
}

// MARK: White space and comments

extension JSON5Normalizer {
    /// Skips white space and comments, and removes those that JSON lacks.
    private mutating func skipSpace() throws(SyntaxFault) {
        // Most tokens follow one another, and need no call.
        if "!"..."~" ~= next, next != "/" { return }
        if let first = try passSpace() { remove(from: first) }
    }

    /// Passes over white space and comments.
    ///
    /// - Returns: The offset of the first byte that is not white space in JSON; nil without such a byte.
    private mutating func passSpace() throws(SyntaxFault) -> Int? {
        var first: Int?
        while at < end {
            let start = at
            switch next {
            case " ", "\n", "\r", "\t":
                at += 1
                continue
            case "\u{B}", "\u{C}": at += 1
            // The first bytes of white space beyond ASCII.
            case "\u{C2}", "\u{E1}"..."\u{E3}", "\u{EF}":
                let (value, length) = try scalar()
                guard Self.isSpace(value) else { return first }
                at += length
            case "/" where self[at + 1] == "/": passLineComment()
            case "/" where self[at + 1] == "*": try passBlockComment()
            // Perhaps the first half of a comment's beginning.
            case "/" where at + 1 == end && isCut: throw documentFault
            default: return first
            }
            first = first ?? start
        }
        return first
    }

    /// Whether a character beyond ASCII is white space or ends a line.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    private mutating func passLineComment() {
        while at < end, next != "\n", next != "\r", !isLineSeparator(at) { at += 1 }
    }

    /// Whether U+2028 or U+2029 is at an offset.
    private func isLineSeparator(_ offset: Int) -> Bool {
        self[offset] == "\u{E2}" && self[offset + 1] == "\u{80}"
            && (self[offset + 2] == "\u{A8}" || self[offset + 2] == "\u{A9}")
    }

    private mutating func passBlockComment() throws(SyntaxFault) {
        let start = at
        at += 2
        while at < end {
            if next == "*", self[at + 1] == "/" {
                at += 2
                return
            }
            at += 1
        }
        throw isCut ? documentFault : fault(.syntax("a comment is not closed"), at: start)
    }
}

// MARK: Strings and keys

extension JSON5Normalizer {
    private mutating func readKey() throws(SyntaxFault) {
        let isQuoted = next == "\"" || next == "'"
        try isQuoted ? readQuoted(.key, limits.key) : readUnquotedKey()
    }

    /// Reads a string or key in quotes.
    private mutating func readQuoted(_ name: JSONLimits.Name, _ limit: Int) throws(SyntaxFault) {
        let start = at
        let quote = next
        if quote == "'" { replace(at, at + 1, with: "\"") }
        at += 1
        // The last offset of a character, or of the closing quote.
        let last = at + min(limit, end - at)
        while true {
            at = plainEnd(before: min(end, last))
            if at == end { throw fault(.unexpectedEnd) }
            if at > last { throw fault(.limitExceeded(name, limit: limit), at: start) }
            switch next {
            case quote:
                if quote == "'" { replace(at, at + 1, with: "\"") }
                at += 1
                return
            case "\\": try readEscape()
            case "\"":
                at += 1
                replace(at - 1, at, with: "\\\"")
            case "\n", "\r": throw fault(.syntax("a string holds a line end: it must be escaped"))
            default: try readCharacter()
            }
        }
    }

    /// Returns the offset of the next byte that is not an ASCII character of all strings, or a limit.
    private func plainEnd(before limit: Int) -> Int {
        var offset = at
        while offset < limit, 0x20..<0x80 ~= text[offset], text[offset] != UInt8(ascii: "\""),
            text[offset] != UInt8(ascii: "'"), text[offset] != UInt8(ascii: "\\")
        {
            offset += 1
        }
        return offset
    }

    /// Reads a character that represents itself. Unlike in JSON, a control character may do so.
    private mutating func readCharacter() throws(SyntaxFault) {
        let character = next
        at += try scalar().length
        if character < " " {
            let digits = String(character.value, radix: 16)
            replace(at - 1, at, with: "\\u00" + (digits.utf8.count < 2 ? "0" : "") + digits)
        }
    }

    /// Reads the escape at the current position, and replaces an escape that JSON lacks.
    private mutating func readEscape() throws(SyntaxFault) {
        guard at + 1 < end else { throw fault(.unexpectedEnd, at: end) }
        let start = at
        let letter = self[at + 1]
        if letter == "u" || letter == "x" { return try readUnicodeEscape() }
        at += 2
        switch letter {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": break
        case "'": replace(start, at, with: "'")
        case "v": replace(start, at, with: "\\u000b")
        case "0" where !isAtDigit: replace(start, at, with: "\\u0000")
        case "0"..."9": throw fault(.syntax("a string holds an escape that JSON5 does not know"), at: start)
        // An escaped line end is not part of the string.
        case "\n": remove(from: start)
        case "\r":
            if next == "\n" { at += 1 }
            remove(from: start)
        default:
            let isLineEnd = isLineSeparator(start + 1)
            at = start + (isLineEnd ? 4 : 1)
            remove(from: start)
            // Any other character represents itself.
            if !isLineEnd { try readCharacter() }
        }
    }

    /// Reads an escape by number, or two that are a surrogate pair.
    private mutating func readUnicodeEscape() throws(SyntaxFault) {
        let start = at
        let unit = try readUnit()
        let isPair = unit & 0xFC00 == 0xD800
        if isPair, at == end || next == "\\" && at + 1 == end { throw fault(.unexpectedEnd, at: end) }
        guard isPair, next == "\\", self[at + 1] == "u" else {
            if unit & 0xF800 == 0xD800 { throw fault(.loneSurrogate, at: start) }
            return
        }
        if try readUnit() & 0xFC00 != 0xDC00 { throw fault(.loneSurrogate, at: start) }
    }

    /// Reads `\u` with four or `\x` with two hexadecimal digits.
    ///
    /// - Returns: The code unit.
    private mutating func readUnit() throws(SyntaxFault) -> UInt32 {
        let start = at
        let isLong = self[at + 1] == "u"
        at += 2
        var value: UInt32 = 0
        for _ in 0..<(isLong ? 4 : 2) {
            if at == end { throw fault(.unexpectedEnd) }
            guard let digit = hexadecimalDigit else {
                let form = isLong ? "\\u escape lacks its four" : "\\x escape lacks its two"
                throw fault(.syntax("a \(form) hexadecimal digits"), at: start)
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        if !isLong { replace(start, start + 2, with: "\\u00") }
        return value
    }

    /// The value of the hexadecimal digit at the current position; nil for another byte.
    private var hexadecimalDigit: Int? { Character(next).hexDigitValue }

    private var isAtDigit: Bool { "0"..."9" ~= next }

    /// Reads a key without quotes: an identifier, to which quotes are added.
    private mutating func readUnquotedKey() throws(SyntaxFault) {
        let start = at
        if next != "\\", try !Self.mayBeginKey(scalar().value) {
            throw fault(.syntax("\(unexpected) at the beginning of a key"))
        }
        replace(at, at, with: "\"")
        let last = start + min(limits.key, end - start)
        while at < end {
            if at > last { throw fault(.limitExceeded(.key, limit: limits.key), at: start) }
            if next == "\\" {
                try readKeyEscape(isFirst: at == start)
                continue
            }
            let (value, length) = try scalar()
            guard Self.mayContinueKey(value) else { return replace(at, at, with: "\"") }
            at += length
        }
        throw fault(.unexpectedEnd)
    }

    /// Reads the escape of a key at the current position.
    private mutating func readKeyEscape(isFirst: Bool) throws(SyntaxFault) {
        let start = at
        guard at + 1 < end else { throw fault(.unexpectedEnd, at: end) }
        guard self[at + 1] == "u" || self[at + 1] == "x" else {
            throw fault(.syntax("a key holds an escape that JSON5 does not know"))
        }
        guard let value = Unicode.Scalar(try readUnit()) else { throw fault(.loneSurrogate, at: start) }
        guard isFirst ? Self.mayBeginKey(value) : Self.mayContinueKey(value) else {
            throw fault(.syntax("an escape represents a character that a key cannot contain"), at: start)
        }
    }

    private static func mayBeginKey(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return "a"..."z" ~= scalar || "A"..."Z" ~= scalar || scalar == "$" || scalar == "_"
        }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            true
        default: false
        }
    }

    private static func mayContinueKey(_ scalar: Unicode.Scalar) -> Bool {
        if mayBeginKey(scalar) { return true }
        if scalar.isASCII { return "0"..."9" ~= scalar }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        // The zero-width non-joiner and joiner.
        default: scalar == "\u{200C}" || scalar == "\u{200D}"
        }
    }

    /// Returns the character at the current position, and the length of its UTF-8.
    private func scalar() throws(SyntaxFault) -> (value: Unicode.Scalar, length: Int) {
        let lead = text[at]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text[at..<min(at + length, end)].makeIterator()
        guard case .valid(let encoded) = parser.parseScalar(from: &bytes) else {
            throw isCut && length > end - at ? documentFault : fault(.invalidUTF8)
        }
        return (Unicode.UTF8.decode(encoded), length)
    }
}

// MARK: Numbers

extension JSON5Normalizer {
    private mutating func readNumber() throws(SyntaxFault) {
        let start = at
        let isNegative = next == "-"
        if isNegative || next == "+" { at += 1 }
        guard at < end else { throw fault(.unexpectedEnd) }
        switch next {
        case "I": try readNonFinite("Infinity", isNegative ? -.infinity : .infinity, from: start)
        case "N": try readNonFinite("NaN", isNegative ? -.nan : .nan, from: start)
        case "0" where self[at + 1] == "x" || self[at + 1] == "X":
            try readHexadecimal(from: start, isNegative: isNegative)
        default: try readDecimal(from: start)
        }
        numberCount += 1
    }

    private mutating func readNonFinite(_ word: String, _ value: Double, from start: Int) throws(SyntaxFault) {
        try readWord(word, from: start)
        try endNumber(from: start)
        if isFinite {
            throw fault(
                .syntax("\(word) is no number of JSON, and only 'Codable' types without a plan receive it"),
                at: start)
        }
        replace(start, at, with: "0")
        numbers.append((numberCount, value))
    }

    private mutating func readHexadecimal(from start: Int, isNegative: Bool) throws(SyntaxFault) {
        at += 2
        let first = at
        while hexadecimalDigit != nil { at += 1 }
        if at == first { throw missingDigit(from: start) }
        try endNumber(from: start)
        guard let value = UInt128(String(decoding: text[first..<at], as: UTF8.self), radix: 16) else {
            let number = String(decoding: text[start..<at], as: UTF8.self)
            throw fault(.numberOutOfRange(type: "UInt128", text: number), at: start)
        }
        replace(start, at, with: (isNegative ? "-" : "") + String(value))
        numbers.append((numberCount, nil))
    }

    private mutating func readDecimal(from start: Int) throws(SyntaxFault) {
        let whole = at
        skipDigits()
        let wholeEnd = at
        if wholeEnd - whole > 1, self[whole] == "0" {
            throw fault(.syntax("a number cannot begin with a leading zero"), at: start)
        }
        let hasPoint = next == "."
        if hasPoint {
            at += 1
            skipDigits()
        }
        let hasFraction = at - wholeEnd > 1
        if whole == wholeEnd, !hasFraction { throw missingDigit(from: start) }
        try skipExponent(from: start)
        try endNumber(from: start)
        let hasPlus = self[start] == "+"
        if whole == wholeEnd {
            replace(hasPlus ? start : whole, whole, with: "0")
        } else if hasPlus {
            // The map leads from the first digit to the sign, because the part that is replaced begins with the token.
            replace(start, whole + 1, with: String(decoding: text[whole...whole], as: UTF8.self))
        }
        if hasPoint, !hasFraction { replace(wholeEnd, wholeEnd + 1, with: "") }
    }

    private mutating func skipDigits() {
        while isAtDigit { at += 1 }
    }

    private mutating func skipExponent(from start: Int) throws(SyntaxFault) {
        guard next == "e" || next == "E" else { return }
        at += 1
        if next == "+" || next == "-" { at += 1 }
        let first = at
        skipDigits()
        if at == first { throw missingDigit(from: start) }
    }

    private func missingDigit(from start: Int) -> SyntaxFault {
        at == end ? fault(.unexpectedEnd) : fault(.syntax("a number lacks a digit"), at: start)
    }

    /// Checks the length of the number that ends at the current position, and the byte after the number.
    private func endNumber(from start: Int) throws(SyntaxFault) {
        if at - start > limits.number { throw fault(.limitExceeded(.number, limit: limits.number), at: start) }
        switch next {
        case "0"..."9", "A"..."Z", "a"..."z", ".", "+", "-": throw fault(.syntax("\(unexpected) in a number"))
        default: return
        }
    }
}

// MARK: Faults

extension JSON5Normalizer {
    /// Whether the text continues beyond the document limit.
    private var isCut: Bool { end < text.count }

    /// The fault of a text beyond the document limit.
    private var documentFault: SyntaxFault {
        SyntaxFault(.limitExceeded(.document, limit: limits.document), at: end)
    }

    /// Returns a fault at an offset, by default the current one. A text that the document limit cuts has no other end.
    private func fault(_ kind: JSONIssue.Kind, at offset: Int? = nil) -> SyntaxFault {
        if isCut, kind == .unexpectedEnd || kind == .emptyInput { return documentFault }
        return SyntaxFault(kind, at: offset ?? at)
    }

    /// The byte at the current position, for messages.
    private var name: String {
        let byte = text[at]
        return 0x21..<0x7F ~= byte
            ? "'\(UnicodeScalar(byte))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }

    private var unexpected: String { "unexpected " + (name.hasPrefix("'") ? "character " : "") + name }

    /// The path of the current value.
    private var path: JSONPath {
        var path = JSONPath()
        for container in outer + [container] {
            if container.kind == .array {
                path.components.append(.index(container.count))
            } else if let key = container.key, let name = string(ofKeyAt: key) {
                path.components.append(.key(name))
            }
        }
        return path
    }

    private func string(ofKeyAt offset: Int) -> String? {
        var reader = Self(text, limits, at: offset)
        guard (try? reader.readKey()) != nil else { return nil }
        reader.copy(to: reader.at)
        return reader.json.withUnsafeBufferPointer { String(written: $0) }
    }
}

// MARK: The JSON

extension JSON5Normalizer {
    /// Copies the text up to an offset.
    private mutating func copy(to offset: Int) {
        json.append(contentsOf: text[copied..<offset])
        copied = offset
    }

    /// Replaces the text from one offset to another.
    private mutating func replace(_ first: Int, _ last: Int, with replacement: String) {
        copy(to: first)
        json.append(contentsOf: replacement.utf8)
        copied = last
        if replacement.utf8.count != last - first { map.append((json.count, last)) }
    }

    /// Removes the text from an offset to the current position.
    private mutating func remove(from first: Int) { replace(first, at, with: "") }

    /// Marks the numbers that JSON lacks on the tape of the JSON.
    func markNumbers(on tape: Tape) {
        var rest = numbers[...]
        var position = 0
        var index = Tape.root
        while let number = rest.first {
            if tape.view[index].kind == .number {
                if position == number.position {
                    tape.markNumber(index, nonFinite: number.value)
                    rest.removeFirst()
                }
                position += 1
            }
            index += tape.view[index].kind.length
        }
    }

    /// Whether the JSON lacks a number of the text.
    var hasMarkedNumbers: Bool { !numbers.isEmpty }

    /// Returns an issue at a value of the JSON, located in the text.
    func relocated(_ issue: JSONIssue) -> JSONIssue {
        let offset = issue.location.offset
        // A part that begins with the token ends after the offset.
        let part = map.last { $0.json <= offset } ?? (0, 0)
        var reader = Self(text, limits, at: part.text + offset - part.json)
        let start = reader.at
        // The brace that a document lacks is before its first key.
        let isAdded = json.dropFirst(offset).first == UInt8(ascii: "{") && reader.next != "{"
        if !isAdded { _ = try? reader.readValue() }
        return issue.relocated(to: start..<reader.at, in: text)
    }
}
