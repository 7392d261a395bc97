// Numbers, and strings with escapes.

extension Scanner where Sink: ~Copyable {
    /// Reads the number at `start`.
    ///
    /// - Returns: The position after the number; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(__always)
    mutating func number<Mode: ScanMode>(
        _ start: UnsafePointer<UInt8>, _ place: Expectation, _: Mode.Type, _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        let isNegative = start.pointee == UInt8(ascii: "-")
        let first = isNegative ? start + 1 : start
        var mantissa: UInt64 = 0
        var at = Kernels.firstDigits(first, last: last, into: &mantissa)
        var digits = at - first
        var exponent = 0
        var isWhole = digits != 0
        if digits > 1, first.pointee == UInt8(ascii: "0") {
            // A number ends after a leading zero. The rest is then rejected as an invalid token.
            at = first + 1
            digits = 1
            mantissa = 0
        } else if at.pointee == UInt8(ascii: ".") {
            let point = at + 1
            at = Kernels.digits(point, last: last, into: &mantissa)
            exponent = point - at
            digits &-= exponent
            isWhole = isWhole && exponent != 0
        }
        let token: NumberToken
        if isWhole, at < end, digits <= NumberToken.mantissaDigits, at.pointee | 0x20 != UInt8(ascii: "e"),
            at - start <= limits.number
        {
            token = NumberToken(
                text: start, count: at - start, mantissa: mantissa, exponent: exponent, isNegative: isNegative,
                isInteger: exponent == 0, isTruncated: false)
        } else {
            guard let next = numberEnd(isWhole, at, start, place, &pause) else { return nil }
            at = next
            if !Mode.isFilling { return at }
            token = NumberToken(checked: start, count: at - start)
        }
        if Mode.isFilling {
            let action = sink.number(token)
            if action != .proceed, !apply(action, from: start, to: at) {
                pause = .stopped
                return nil
            }
        }
        return at
    }

    /// Returns the end of a number that has many digits or an exponent, is malformed, or ends with the window.
    ///
    /// - Parameter at: The end of its digits.
    /// - Returns: nil, with the reason in `pause`, if the number is rejected or may continue after the window.
    @inline(never)
    private mutating func numberEnd(
        _ isWhole: Bool, _ at: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ place: Expectation,
        _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        var at = at
        var isWhole = isWhole
        if isWhole, at <= last, at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            var value: UInt64 = 0
            let first = at
            at = Kernels.digits(at, last: last, into: &value)
            isWhole = at > first
        }
        let mayGoOn = at > last || isWhole && at >= end && !isFinal
        if !mayGoOn, isWhole, at - start <= limits.number {
            if at >= end, depth > 0 { sink.ignoreCutNumber() }
            return at
        }
        pause = mayGoOn ? .more : refuseToken(start, place)
        return nil
    }

    /// Reads a string or key with escapes, or a string that is not complete.
    ///
    /// - Parameters:
    ///   - start: The opening quote.
    ///   - stop: The byte that stopped the search for the closing quote.
    ///   - isASCII: Whether the bytes before `stop` are ASCII.
    /// - Returns: The position after the string; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(never)
    mutating func escapedString<Mode: ScanMode>(
        _ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, _ isASCII: Bool, _ place: Expectation,
        _: Mode.Type, _ pause: inout Pause
    ) -> UnsafePointer<UInt8>? {
        var quote = stop
        // Whether the escaped bytes and the unescaped bytes are ASCII.
        var isASCII = isASCII
        var isMadeASCII = true
        var isPlain = true
        while quote <= last, quote.pointee == UInt8(ascii: "\\"), quote + 1 < end {
            if !Mode.isFilling { isPlain = isPlain && Escape.isPlain(quote) }
            if quote[1] == UInt8(ascii: "u") { isMadeASCII = false }
            // An escaped quote does not end the string.
            quote = Kernels.stringEnd(quote + 2, last: last, isASCII: &isASCII)
        }
        guard quote <= last else {
            pause = .more
            return nil
        }
        let isKey = place == .key || place == .keyOrClose
        let first = start + 1
        let length = quote - first
        guard quote.pointee == UInt8(ascii: "\""), length <= (isKey ? limits.key : limits.string) else {
            pause = refuseToken(start, place)
            return nil
        }
        if !Mode.isFilling, isPlain, isASCII || UTF8Validation.firstError(first, length) == nil { return quote + 1 }
        unescaped.reserve(length)
        let bytes = UnsafePointer(unescaped.start)
        guard let count = Escape.unescape(from: first, to: quote, into: unescaped.start),
            isASCII || UTF8Validation.firstError(bytes, count) == nil
        else {
            pause = refuseToken(start, place)
            return nil
        }
        if Mode.isFilling {
            let action =
                isKey
                ? sink.key(Key(readable: bytes, count))
                : sink.string(
                    bytes, count, isASCII: isASCII && (isMadeASCII || UTF8Validation.isASCII(bytes, count)))
            if action != .proceed, !apply(action, from: start, to: quote + 1) {
                pause = .stopped
                return nil
            }
        }
        return quote + 1
    }
}

/// The escapes of RFC 8259, section 7.
enum Escape {
    /// Writes the unescaped bytes of a string to a buffer that has the string's length plus eight bytes. 16 bytes after
    /// the string must be readable.
    ///
    /// - Returns: The number of bytes; nil for an invalid escape or an unpaired surrogate.
    static func unescape(
        from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, into buffer: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        var at = start
        var out = buffer
        while at < end {
            let word = Kernels.word(at)
            let marks = word ^ (Kernels.ones &* 0x5C)
            let found = (marks &- Kernels.ones) & ~marks & Kernels.highs
            UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
            let plain = min(found.trailingZeroBitCount &>> 3, end - at)
            at += plain
            out += plain
            if at == end || found == 0 { continue }
            if at[1] != UInt8(ascii: "u") {
                guard let byte = byte(at[1]) else { return nil }
                out.pointee = byte
                at += 2
                out += 1
                continue
            }
            guard at + 6 <= end, let unit = unit(at + 2) else { return nil }
            var scalar = unit
            at += 6
            if unit & 0xF800 == 0xD800 {
                guard unit < 0xDC00, at + 6 <= end, at[0] == UInt8(ascii: "\\"), at[1] == UInt8(ascii: "u"),
                    let low = self.unit(at + 2), low & 0xFC00 == 0xDC00
                else { return nil }
                scalar = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
                at += 6
            }
            out = write(scalar, to: out)
        }
        return out - buffer
    }

    static func byte(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: nil
        }
    }

    /// Whether the escape at a backslash is valid by itself: a letter, or a scalar that is not a surrogate.
    /// Seven bytes must be readable.
    static func isPlain(_ backslash: UnsafePointer<UInt8>) -> Bool {
        if backslash[1] != UInt8(ascii: "u") { return byte(backslash[1]) != nil }
        guard let unit = unit(backslash + 2) else { return false }
        return unit & 0xF800 != 0xD800
    }

    /// Returns the value of four hexadecimal digits.
    static func unit(_ digits: UnsafePointer<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for index in 0..<4 {
            let digit = digits[index]
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value &<< 4 | UInt32(digit &- UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                value = value &<< 4 | UInt32(digit &- (UInt8(ascii: "a") - 10))
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                value = value &<< 4 | UInt32(digit &- (UInt8(ascii: "A") - 10))
            default: return nil
            }
        }
        return value
    }

    /// Writes a scalar as UTF-8, which is never longer than its escape.
    static func write(_ scalar: UInt32, to out: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case 0..<0x80:
            out[0] = UInt8(truncatingIfNeeded: scalar)
            return out + 1
        case 0x80..<0x800:
            out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            out[1] = tail(0)
            return out + 2
        case 0x800..<0x10000:
            out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            out[1] = tail(6)
            out[2] = tail(0)
            return out + 3
        default:
            out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
            out[1] = tail(12)
            out[2] = tail(6)
            out[3] = tail(0)
            return out + 4
        }
    }
}
