/// Reads a complete JSON5 document in memory and sends its tokens to a sink. See `TokenSink` for the contract.
///
/// Accepts the dialect of JSON5 that Foundation's decoder accepts. This dialect differs from the specification of JSON5:
///
///   * An escaped line end in a string stands for the line end. The specification removes the line end.
///   * The escapes `\v`, `\0`, `\x00` and `\u0000` are rejected.
///   * Escapes in an unquoted key must be valid, and belong to the key as they are written: `\u0061` has six characters.
///   * The byte 0xA0 is white space. The characters beyond ASCII that the specification counts as white space are rejected.
///
/// Unlike Foundation, the source checks all numbers and strings, also those that nobody reads.
///
///     JSON5Source.swift           the grammar, token by token
///     JSON5Source+Space.swift     white space and comments
///     JSON5Source+Strings.swift   strings and keys
///     JSON5Source+Numbers.swift   numbers
///     JSON5Source+Faults.swift    errors and their locations
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

    let limits: JSONLimits
    private let assumesTopLevelDictionary: Bool
    var text = LookbackBuffer()
    var capture: RawCapture

    /// The current position, and the end of the input within the document limit.
    var at: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    private var containers: [Container] = []
    /// The text of the current token, if the token is not sent as it is written.
    var rewritten = RewrittenText()
    /// Whether the parse ended early, with an error or because the sink needs no more.
    private(set) var isStopped = false

    /// - Parameter assumesTopLevelDictionary: Whether the document is an object whose braces may be missing.
    init(limits: JSONLimits, assumesTopLevelDictionary: Bool = false) {
        self.limits = limits
        self.assumesTopLevelDictionary = assumesTopLevelDictionary
        capture = RawCapture(limits: limits)
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
            if let failure = failure(error, sink) { throw failure }
        }
    }

    /// Examines the encoding and skips a byte order mark.
    private mutating func begin() throws(JSON5Fault) {
        if let encoding = Encoding.other(text.bytes) { throw .rejected(.unsupportedEncoding(encoding), at: 0) }
        if Encoding.hasByteOrderMark(text.bytes) { text.pass(3) }
        at = text.chunk
        end = at + min(text.count, max(limits.document - text.chunkOffset, 0))
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
    mutating func skip(_ word: StaticString) throws(JSON5Fault) -> Bool {
        for index in 0..<word.utf8CodeUnitCount {
            if at == end { throw fault(.unexpectedEnd) }
            if at.pointee != word.utf8Start[index] { return false }
            at += 1
        }
        return true
    }
}
