/// Receives the tokens of JSON5, which has more numbers than JSON.
protocol JSON5Sink: TokenSink, ~Copyable {
    /// Receives `NaN` or `Infinity`, perhaps with a sign.
    ///
    /// - Parameters:
    ///   - text: The bytes of the number, borrowed: valid during the call.
    ///   - count: The number of bytes.
    mutating func nonFinite(_ value: Double, at text: UnsafePointer<UInt8>, _ count: Int) -> TokenAction

    /// Receives a hexadecimal integer, rewritten in decimal.
    mutating func hexadecimal(_ token: NumberToken) -> TokenAction
}

extension JSON5Sink where Self: ~Copyable {
    mutating func hexadecimal(_ token: NumberToken) -> TokenAction { number(token) }
}

extension AnySink: JSON5Sink {
    mutating func nonFinite(_ value: Double, at text: UnsafePointer<UInt8>, _ count: Int) -> TokenAction {
        withJSON5Sink { $0.nonFinite(value, at: text, count) }
    }

    mutating func hexadecimal(_ token: NumberToken) -> TokenAction { withJSON5Sink { $0.hexadecimal(token) } }

    private mutating func withJSON5Sink(_ body: (inout any JSON5Sink) -> TokenAction) -> TokenAction {
        guard var json5 = sink as? any JSON5Sink else { preconditionFailure("the sink receives no JSON5") }
        defer { sink = json5 }
        return body(&json5)
    }
}

/// Reads a complete JSON5 document in memory and sends its tokens to a sink. See `TokenSink` for the contract.
///
/// Follows the specification of JSON5, with one addition: `\x` is an escape in an unquoted key, too. Foundation's decoder differs in
/// line continuations, in the escapes of strings and keys, and in white space beyond ASCII.
///
/// Unlike Foundation, the source checks all numbers and strings, including those that the sink ignores.
///
/// The sink's actions are `proceed`, `stop` and `handlePending`. Text of JSON5 cannot be recorded, because recordings are JSON.
struct JSON5Source: ~Copyable {
    /// The tokens allowed at the next position. After a comma, a container may end.
    private enum Expectation {
        case value, valueOrClose, keyOrClose, colon, commaOrClose, end
    }

    private enum Container {
        case array, object
        /// The object around a document that lacks its braces.
        case bareObject
    }

    private let limits: JSONLimits
    private let assumesTopLevelDictionary: Bool
    private var text = LookbackBuffer()
    private var recorder: RawRecorder

    /// The current position, and the end of the input within the document limit.
    private var at: UnsafePointer<UInt8>
    private var end: UnsafePointer<UInt8>
    private var containers: [Container] = []
    /// The text of the current token, if the text differs from the input.
    private var rewritten = RewrittenText()
    /// Whether the parse ended early, with an error or because the sink needs no more.
    private(set) var isStopped = false

    /// - Parameter assumesTopLevelDictionary: Whether the document is an object whose braces may be missing.
    init(limits: JSONLimits, assumesTopLevelDictionary: Bool = false) {
        self.limits = limits
        self.assumesTopLevelDictionary = assumesTopLevelDictionary
        recorder = RawRecorder(limits: limits)
        at = text.chunk
        end = at
    }

    /// Reads a complete document, whose memory must stay valid until the last call to the source.
    ///
    /// - Throws: The first error in the document.
    mutating func run(
        _ whole: UnsafeBufferPointer<UInt8>, to sink: inout some JSON5Sink & ~Copyable
    ) throws(JSONModelError) {
        text.begin(whole)
        do throws(JSON5Fault) {
            try begin()
            try readDocument(&sink)
        } catch {
            isStopped = true
            defer { text.retireRest() }
            if case .stopped = error { text.truncate(at: text.offset(of: at)) }
            if let failure = failure(error, &sink) { throw failure }
        }
    }

    /// Examines the encoding and skips a byte order mark.
    private mutating func begin() throws(JSON5Fault) {
        if let encoding = Encoding.other(text.bytes) { throw .rejected(.unsupportedEncoding(encoding), at: 0) }
        if Encoding.hasByteOrderMark(text.bytes) { text.dropByteOrderMark() }
        at = text.chunk
        end = at + min(text.count, max(max(limits.document, 0) - text.chunkOffset, 0))
    }

    // MARK: The grammar

    private mutating func readDocument(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
        try skipSpace()
        var expectation = Expectation.value
        if assumesTopLevelDictionary, at == end || at.pointee != UInt8(ascii: "{") {
            expectation = try open(.bareObject, length: 0, &sink)
        } else if at == end {
            throw fault(.emptyInput)
        }
        while true {
            try skipSpace()
            if at == end { return try finish(expectation, &sink) }
            expectation = try readToken(expectation, &sink)
        }
    }

    /// Reads the next token.
    ///
    /// - Returns: The tokens allowed after the token.
    private mutating func readToken(
        _ expectation: Expectation, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) -> Expectation {
        let byte = at.pointee
        switch expectation {
        case .value: return try readValue(&sink)
        case .valueOrClose: return byte == UInt8(ascii: "]") ? try close(&sink) : try readValue(&sink)
        case .keyOrClose:
            if byte == UInt8(ascii: "}") { return try close(&sink) }
            try readKey(&sink)
            return .colon
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw fault(.syntax("a colon is missing after the key")) }
            at += 1
            return .value
        case .commaOrClose:
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return try close(&sink) }
            guard byte == UInt8(ascii: ",") else {
                throw fault(.syntax(byte == UInt8(ascii: ":") ? unexpected : "a comma is missing before \(name)"))
            }
            at += 1
            return containers.last == .array ? .valueOrClose : .keyOrClose
        case .end: throw fault(.trailingContent)
        }
    }

    private mutating func readValue(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) -> Expectation {
        switch at.pointee {
        case UInt8(ascii: "{"): return try open(.object, length: 1, &sink)
        case UInt8(ascii: "["): return try open(.array, length: 1, &sink)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try readString(&sink)
        case UInt8(ascii: "t"): try readLiteral("true", &sink) { $0.bool(true) }
        case UInt8(ascii: "f"): try readLiteral("false", &sink) { $0.bool(false) }
        case UInt8(ascii: "n"): try readLiteral("null", &sink) { $0.null() }
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "I"), UInt8(ascii: "N"):
            try readNumber(&sink)
        default: throw fault(.syntax(unexpected))
        }
        return expectationAfterValue
    }

    private var expectationAfterValue: Expectation { containers.isEmpty ? .end : .commaOrClose }

    private mutating func open(
        _ container: Container, length: Int, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) -> Expectation {
        guard containers.count < limits.depth else { throw fault(.limitExceeded(.depth, limit: limits.depth)) }
        containers.append(container)
        let start = at
        at += length
        try apply(container == .array ? sink.startArray() : sink.startObject(), from: start, &sink)
        return container == .array ? .valueOrClose : .keyOrClose
    }

    private mutating func close(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) -> Expectation {
        let container: Container = at.pointee == UInt8(ascii: "}") ? .object : .array
        guard containers.last == container else {
            switch containers.last {
            case .array: throw fault(.syntax("'}' does not close an array"))
            case .object: throw fault(.syntax("']' does not close an object"))
            default: throw fault(.syntax(unexpected))
            }
        }
        let start = at
        at += 1
        try endContainer(from: start, &sink)
        return expectationAfterValue
    }

    private mutating func endContainer(
        from start: UnsafePointer<UInt8>, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        try apply(containers.removeLast() == .array ? sink.endArray() : sink.endObject(), from: start, &sink)
    }

    /// Ends the document at the end of the input.
    private mutating func finish(
        _ expectation: Expectation, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        switch expectation {
        case .keyOrClose where containers == [.bareObject], .commaOrClose where containers == [.bareObject]:
            try endContainer(from: at, &sink)
        case .end: break
        default: throw fault(.unexpectedEnd)
        }
        // The rest of the input is beyond the document limit.
        if isCut { throw documentFault }
    }

    private mutating func readLiteral<Sink: JSON5Sink & ~Copyable>(
        _ word: StaticString, _ sink: inout Sink, _ token: (inout Sink) -> TokenAction
    ) throws(JSON5Fault) {
        let start = at
        guard try skip(word) else { throw fault(.syntax("expected \(word)"), at: start) }
        try apply(token(&sink), from: start, &sink)
    }

    /// Skips a word at the current position. Returns false, perhaps after some bytes, if other bytes are there.
    private mutating func skip(_ word: StaticString) throws(JSON5Fault) -> Bool {
        for index in 0..<word.utf8CodeUnitCount {
            if at == end { throw fault(.unexpectedEnd) }
            if at.pointee != word.utf8Start[index] { return false }
            at += 1
        }
        return true
    }
}

// MARK: White space and comments

extension JSON5Source {
    /// Skips white space and comments.
    private mutating func skipSpace() throws(JSON5Fault) {
        while at < end {
            switch at.pointee {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), 0x0B, 0x0C:
                at += 1
            case 0xC2, 0xE1...0xE3, 0xEF:
                let (value, length) = try scalar()
                guard Self.isSpace(value) else { return }
                at += length
            case UInt8(ascii: "/") where end - at > 1 && at[1] == UInt8(ascii: "/"): skipLineComment()
            case UInt8(ascii: "/") where end - at > 1 && at[1] == UInt8(ascii: "*"): try skipBlockComment()
            // Perhaps the first half of a comment's beginning.
            case UInt8(ascii: "/") where end - at == 1 && isCut: throw documentFault
            default: return
            }
        }
    }

    /// Whether a character beyond ASCII is white space or ends a line.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }

    private mutating func skipLineComment() {
        while at < end, at.pointee != UInt8(ascii: "\n"), at.pointee != UInt8(ascii: "\r"), !isAtLineSeparator {
            at += 1
        }
    }

    /// Whether U+2028 or U+2029 is at the current position.
    private var isAtLineSeparator: Bool {
        at.pointee == 0xE2 && end - at > 2 && at[1] == 0x80 && at[2] & 0xFE == 0xA8
    }

    private mutating func skipBlockComment() throws(JSON5Fault) {
        let start = at
        at += 2
        while end - at > 1 {
            if at[0] == UInt8(ascii: "*"), at[1] == UInt8(ascii: "/") {
                at += 2
                return
            }
            at += 1
        }
        at = end
        throw isCut ? documentFault : fault(.syntax("a comment is not closed"), at: start)
    }
}

// MARK: Strings, and keys in quotes

extension JSON5Source {
    private mutating func readString(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
        let start = at
        let contents = try readQuoted(.string, limits.string)
        let isASCII = UTF8Validation.isASCII(contents.start, contents.count)
        try apply(sink.string(contents.start, contents.count, isASCII: isASCII), from: start, &sink)
    }

    private mutating func readKey(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
        let start = at
        let isQuoted = at.pointee == UInt8(ascii: "\"") || at.pointee == UInt8(ascii: "'")
        let contents = isQuoted ? try readQuoted(.key, limits.key) : try readUnquotedKey()
        try apply(sink.key(Key(contents.start, contents.count)), from: start, &sink)
    }

    /// Reads a string or key in quotes.
    ///
    /// - Returns: The contents without escapes: in the input, or in `rewritten`.
    private mutating func readQuoted(
        _ name: JSONLimits.Name, _ limit: Int
    ) throws(JSON5Fault) -> (start: UnsafePointer<UInt8>, count: Int) {
        let quote = at.pointee
        let start = at
        at += 1
        // The first byte that has not been copied.
        var plain = at
        rewritten.removeAll()
        while at < end {
            if at - start - 1 > limit { throw fault(.limitExceeded(name, limit: limit), at: start) }
            switch at.pointee {
            case quote:
                at += 1
                if plain == start + 1 { return (plain, at - plain - 1) }
                rewritten.append(from: plain, to: at - 1)
                return (UnsafePointer(rewritten.start), rewritten.count)
            case UInt8(ascii: "\\"):
                rewritten.append(from: plain, to: at)
                try readEscape()
                plain = at
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw fault(.syntax("a string holds a line end: it must be escaped"))
            // Unlike in JSON, all other control characters represent themselves.
            case 0..<0x80: at += 1
            default: at += try scalar().length
            }
        }
        throw fault(.unexpectedEnd)
    }

    /// Reads the escape at the current position into `rewritten`.
    private mutating func readEscape() throws(JSON5Fault) {
        guard end - at > 1 else { throw fault(.unexpectedEnd, at: end) }
        let letter = at[1]
        switch letter {
        // An escaped line end is not part of the string.
        case UInt8(ascii: "\n"): break
        case UInt8(ascii: "\r"): if end - at > 2, at[2] == UInt8(ascii: "\n") { at += 1 }
        case UInt8(ascii: "u"), UInt8(ascii: "x"): return try readUnicodeEscape()
        case UInt8(ascii: "v"): rewritten.append(0x0B)
        case UInt8(ascii: "0") where end - at < 3 || !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= at[2]):
            rewritten.append(0)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            throw fault(.syntax("a string holds an escape that JSON5 does not know"))
        case 0x80...:
            at += 1
            if isAtLineSeparator {
                at += 3
            } else {
                // Any other character represents itself.
                let length = try scalar().length
                rewritten.append(from: at, to: at + length)
                at += length
            }
            return
        default: rewritten.append(Escape.byte(letter) ?? letter)
        }
        at += 2
    }

    /// Reads an escape by number, or two that are a surrogate pair, into `rewritten`.
    private mutating func readUnicodeEscape() throws(JSON5Fault) {
        let start = at
        let unit = try readUnit()
        let isPair = unit & 0xFC00 == 0xD800
        if isPair, at == end || at.pointee == UInt8(ascii: "\\") && end - at == 1 {
            throw fault(.unexpectedEnd, at: end)
        }
        guard isPair, at[0] == UInt8(ascii: "\\"), at[1] == UInt8(ascii: "u") else {
            guard let scalar = Unicode.Scalar(unit) else { throw fault(.loneSurrogate, at: start) }
            rewritten.append(UTF8.encode(scalar).unsafelyUnwrapped)
            return
        }
        let low = try readUnit()
        guard low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
        else { throw fault(.loneSurrogate, at: start) }
        rewritten.append(UTF8.encode(scalar).unsafelyUnwrapped)
    }

    /// Reads `\u` with four or `\x` with two hexadecimal digits.
    ///
    /// - Returns: The code unit.
    private mutating func readUnit() throws(JSON5Fault) -> UInt32 {
        let start = at
        let isLong = at[1] == UInt8(ascii: "u")
        at += 2
        var value: UInt32 = 0
        for _ in 0..<(isLong ? 4 : 2) {
            if at == end { throw fault(.unexpectedEnd) }
            guard let digit = Self.hexadecimalDigit(at.pointee) else {
                let form = isLong ? "\\u escape lacks its four" : "\\x escape lacks its two"
                throw fault(.syntax("a \(form) hexadecimal digits"), at: start)
            }
            value = value << 4 | UInt32(digit)
            at += 1
        }
        return value
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the character at the current position, and the length of its UTF-8.
    private func scalar() throws(JSON5Fault) -> (value: Unicode.Scalar, length: Int) {
        let lead = at.pointee
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard length <= end - at, UTF8Validation.verdict(at, length) == .utf8 else {
            if isCut, length > end - at { throw documentFault }
            throw fault(.invalidUTF8)
        }
        var value = UInt32(lead) & 0x7F >> UInt32(length)
        for index in 1..<length { value = value << 6 | UInt32(at[index] & 0x3F) }
        return (Unicode.Scalar(value).unsafelyUnwrapped, length)
    }
}

// MARK: Keys without quotes: identifiers

extension JSON5Source {
    private mutating func readUnquotedKey() throws(JSON5Fault) -> (start: UnsafePointer<UInt8>, count: Int) {
        let start = at
        // The first byte that has not been copied.
        var plain = at
        rewritten.removeAll()
        if at.pointee != UInt8(ascii: "\\"), try !Self.mayBeginKey(scalar().value) {
            throw fault(.syntax("\(unexpected) at the beginning of a key"))
        }
        while at < end {
            if at - start > limits.key { throw fault(.limitExceeded(.key, limit: limits.key), at: start) }
            if at.pointee == UInt8(ascii: "\\") {
                rewritten.append(from: plain, to: at)
                try readKeyEscape(isFirst: at == start)
                plain = at
            } else {
                let (value, length) = try scalar()
                guard Self.mayContinueKey(value) else {
                    if plain == start { return (start, at - start) }
                    rewritten.append(from: plain, to: at)
                    return (UnsafePointer(rewritten.start), rewritten.count)
                }
                at += length
            }
        }
        throw fault(.unexpectedEnd)
    }

    /// Reads the escape at the current position into `rewritten`.
    private mutating func readKeyEscape(isFirst: Bool) throws(JSON5Fault) {
        let start = at
        guard end - at > 1 else { throw fault(.unexpectedEnd, at: end) }
        guard at[1] == UInt8(ascii: "u") || at[1] == UInt8(ascii: "x") else {
            throw fault(.syntax("a key holds an escape that JSON5 does not know"))
        }
        guard let value = Unicode.Scalar(try readUnit()) else { throw fault(.loneSurrogate, at: start) }
        guard isFirst ? Self.mayBeginKey(value) : Self.mayContinueKey(value) else {
            throw fault(.syntax("an escape represents a character that a key cannot contain"), at: start)
        }
        rewritten.append(UTF8.encode(value).unsafelyUnwrapped)
    }

    private static func mayBeginKey(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            true
        default: scalar == "$" || scalar == "_"
        }
    }

    private static func mayContinueKey(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        // The zero-width non-joiner and joiner.
        default: mayBeginKey(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}"
        }
    }
}

// MARK: Numbers

// A spelling outside JSON's grammar is sent as a number in JSON's grammar with the same value.

extension JSON5Source {
    private mutating func readNumber(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
        let start = at
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative || at.pointee == UInt8(ascii: "+") { at += 1 }
        guard at < end else { throw fault(.unexpectedEnd) }
        switch at.pointee {
        case UInt8(ascii: "I"):
            try readNonFinite("Infinity", isNegative ? -.infinity : .infinity, from: start, &sink)
        case UInt8(ascii: "N"): try readNonFinite("NaN", isNegative ? -.nan : .nan, from: start, &sink)
        case UInt8(ascii: "0") where end - at > 1 && at[1] | 0x20 == UInt8(ascii: "x"):
            try readHexadecimal(from: start, isNegative: isNegative, &sink)
        default: try readDecimal(from: start, isNegative: isNegative, &sink)
        }
    }

    private mutating func readNonFinite(
        _ word: StaticString, _ value: Double, from start: UnsafePointer<UInt8>,
        _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        guard try skip(word) else { throw fault(.syntax("expected \(word)"), at: start) }
        try endNumber(from: start)
        try apply(sink.nonFinite(value, at: start, at - start), from: start, &sink)
    }

    private mutating func readHexadecimal(
        from start: UnsafePointer<UInt8>, isNegative: Bool, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        at += 2
        let first = at
        var value: UInt128 = 0
        var overflows = false
        while at < end, let digit = Self.hexadecimalDigit(at.pointee) {
            overflows = overflows || value >> 124 != 0
            value = value << 4 | UInt128(digit)
            at += 1
        }
        if at == first { throw missingDigit(from: start) }
        try endNumber(from: start)
        if overflows {
            let text = String(decoding: UnsafeBufferPointer(start: start, count: at - start), as: UTF8.self)
            throw fault(.numberOutOfRange(type: "UInt128", text: text), at: start)
        }
        rewritten.removeAll()
        if isNegative { rewritten.append(UInt8(ascii: "-")) }
        rewritten.append(String(value).utf8)
        let token = NumberToken(checked: rewritten.start, count: rewritten.count)
        try apply(sink.hexadecimal(token), from: start, &sink)
    }

    private mutating func readDecimal(
        from start: UnsafePointer<UInt8>, isNegative: Bool, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        let whole = at
        skipDigits()
        let wholeEnd = at
        if wholeEnd - whole > 1, whole.pointee == UInt8(ascii: "0") {
            throw fault(.syntax("a number cannot begin with a leading zero"), at: start)
        }
        let hasPoint = at < end && at.pointee == UInt8(ascii: ".")
        if hasPoint {
            at += 1
            skipDigits()
        }
        let fractionEnd = at
        let hasFraction = fractionEnd - wholeEnd > 1
        if whole == wholeEnd, !hasFraction { throw missingDigit(from: start) }
        try skipExponent(from: start)
        try endNumber(from: start)
        if start.pointee != UInt8(ascii: "+"), whole < wholeEnd, hasFraction || !hasPoint {
            let token = NumberToken(checked: start, count: at - start)
            return try apply(sink.number(token), from: start, &sink)
        }
        rewritten.removeAll()
        if isNegative { rewritten.append(UInt8(ascii: "-")) }
        if whole == wholeEnd { rewritten.append(UInt8(ascii: "0")) }
        rewritten.append(from: whole, to: hasFraction ? fractionEnd : wholeEnd)
        rewritten.append(from: fractionEnd, to: at)
        try sendRewritten(from: start, &sink)
    }

    private mutating func skipDigits() {
        while at < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= at.pointee { at += 1 }
    }

    private mutating func skipExponent(from start: UnsafePointer<UInt8>) throws(JSON5Fault) {
        guard at < end, at.pointee | 0x20 == UInt8(ascii: "e") else { return }
        at += 1
        if at < end, at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
        let first = at
        skipDigits()
        if at == first { throw missingDigit(from: start) }
    }

    private func missingDigit(from start: UnsafePointer<UInt8>) -> JSON5Fault {
        at == end ? fault(.unexpectedEnd) : fault(.syntax("a number lacks a digit"), at: start)
    }

    /// Checks the length of the number that ends at the current position, and the byte after the number.
    private func endNumber(from start: UnsafePointer<UInt8>) throws(JSON5Fault) {
        if at - start > limits.number { throw fault(.limitExceeded(.number, limit: limits.number), at: start) }
        guard at < end else { return }
        switch at.pointee {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"):
            throw fault(.syntax("\(unexpected) in a number"))
        default: return
        }
    }

    private mutating func sendRewritten(
        from start: UnsafePointer<UInt8>, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        try apply(sink.number(NumberToken(checked: rewritten.start, count: rewritten.count)), from: start, &sink)
    }
}

// MARK: The actions of the sink, and errors in the input

extension JSON5Source {
    /// Performs the sink's action after the token from `start` to the current position.
    private mutating func apply(
        _ action: TokenAction, from start: UnsafePointer<UInt8>, _ sink: inout some JSON5Sink & ~Copyable
    ) throws(JSON5Fault) {
        if action == .proceed { return }
        let (first, last) = (text.offset(of: start), text.offset(of: at))
        switch recorder.handle(action, &sink, &text, from: first, to: last) {
        case .proceed: return
        case .stop: throw .stopped
        case .fail(let issue): throw .failed(issue)
        }
    }

    /// Whether the input continues beyond the document limit.
    private var isCut: Bool { end - text.chunk < text.count }

    /// The fault of input beyond the document limit.
    private var documentFault: JSON5Fault {
        .rejected(.limitExceeded(.document, limit: limits.document), at: text.offset(of: end))
    }

    /// Returns a fault at a position, by default the current one. Input that the document limit cuts has no other end.
    private func fault(_ kind: JSONIssue.Kind, at position: UnsafePointer<UInt8>? = nil) -> JSON5Fault {
        if isCut, kind == .unexpectedEnd || kind == .emptyInput { return documentFault }
        return .rejected(kind, at: text.offset(of: position ?? at))
    }

    /// Returns the error of a fault, or nil if the sink stopped the parse.
    private mutating func failure(
        _ fault: JSON5Fault, _ sink: inout some JSON5Sink & ~Copyable
    ) -> JSONModelError? {
        switch fault {
        case .stopped: return nil
        case .failed(let issue): return JSONModelError(issues: [issue])
        case .rejected(let kind, let offset):
            let limit = text.end(ofDocumentWithin: limits.document)
            return text.rejected(sink.issue(kind), at: offset, limit: limit).error
        }
    }

    /// The character at the current position, for messages.
    private var name: String {
        let byte = at.pointee
        return 0x21..<0x7F ~= byte
            ? "'\(UnicodeScalar(byte))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }

    private var unexpected: String {
        0x21..<0x7F ~= at.pointee ? "unexpected character \(name)" : "unexpected \(name)"
    }
}

/// The text of a token that differs from the input: a string without its escapes, or a number in JSON's grammar.
private struct RewrittenText: ~Copyable {
    private var memory = GrowableMemory<UInt8>(capacity: 256)
    private(set) var count = 0

    deinit { memory.deallocate() }

    var start: UnsafeMutablePointer<UInt8> { memory.start }
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Appends the bytes of a part of the input.
    mutating func append(from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>) {
        reserve(last - first)
        (start + count).update(from: first, count: last - first)
        count += last - first
    }

    private mutating func reserve(_ room: Int) {
        if memory.capacity - count < room { memory.grow(moving: count, toAtLeast: count + room) }
    }
}

/// The end of a parse of JSON5.
private enum JSON5Fault: Error {
    /// The input breaks a rule at an offset.
    case rejected(JSONIssue.Kind, at: Int)
    /// The sink failed with an issue.
    case failed(JSONIssue)
    /// The sink needs no more tokens.
    case stopped
}
