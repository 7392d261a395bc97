// Strings, and keys in quotes.

extension JSON5Source {
    mutating func readString(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
        let start = at
        let contents = try readQuoted(.string, limits.string)
        let isASCII = UTF8Validation.isASCII(contents.start, contents.count)
        try apply(sink.string(contents.start, contents.count, isASCII: isASCII), from: start, &sink)
    }

    mutating func readKey(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
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
            case 0..<0x20: throw fault(.syntax("a string holds a control character: it must be escaped"))
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
        case UInt8(ascii: "'"), UInt8(ascii: "\n"): rewritten.append(letter)
        case UInt8(ascii: "\r"):
            rewritten.append(letter)
            if end - at > 2, at[2] == UInt8(ascii: "\n") {
                rewritten.append(at[2])
                at += 1
            }
        case UInt8(ascii: "u"), UInt8(ascii: "x"): return try readUnicodeEscape()
        default:
            guard let byte = Escape.byte(letter) else {
                throw fault(.syntax("a string holds an escape that JSON5 does not know"))
            }
            rewritten.append(byte)
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
    /// - Returns: The number, which is not zero.
    mutating func readUnit() throws(JSON5Fault) -> UInt32 {
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
        if value == 0 { throw fault(.syntax("an escape stands for the null character"), at: start) }
        return value
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the character at the current position, and the length of its UTF-8.
    func scalar() throws(JSON5Fault) -> (value: Unicode.Scalar, length: Int) {
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
