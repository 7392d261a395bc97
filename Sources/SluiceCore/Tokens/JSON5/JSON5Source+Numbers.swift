// Numbers. A spelling outside JSON's grammar is sent as a number in JSON's grammar with the same value.

extension JSON5Source {
    mutating func readNumber(_ sink: inout some JSON5Sink & ~Copyable) throws(JSON5Fault) {
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
