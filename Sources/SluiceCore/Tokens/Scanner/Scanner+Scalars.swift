// Numbers.

extension Scanner {
    /// Reads the number at `start` and sends it to the sink.
    ///
    /// - Returns: The position after the number; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(__always)
    mutating func number(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let isNegative = start.pointee == UInt8(ascii: "-")
        let first = isNegative ? start + 1 : start
        var mantissa: UInt64 = 0
        var at = Kernels.firstDigits(first, first: windowStart, last: vectorEnd, into: &mantissa)
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
            at = Kernels.digits(point, first: windowStart, last: vectorEnd, into: &mantissa)
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
            guard let next = numberEnd(isWhole, at, start, state, &pause, &sink) else { return nil }
            at = next
            token = NumberToken.scan(start, count: at - start)
        }
        let action = sink.number(token)
        if action != .proceed, !apply(action, from: start, to: at, &sink) {
            pause = .stopped
            return nil
        }
        return at
    }

    /// Reads a number that is not plain, or is beyond the range of plain numbers. Such numbers are rare where plain numbers are
    /// read, so their code is not part of the loop.
    @inline(never)
    mutating func otherNumber(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        number(start, state, &pause, &sink)
    }

    /// Returns the position after the ignored number at `start`; nil, with the reason in `pause`, if the parse cannot continue.
    @inline(never)
    mutating func ignoredNumberEnd(
        _ start: UnsafePointer<UInt8>, _ state: Expectation, _ pause: inout Pause,
        _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        let count = Kernels.longNumberLength(start)
        if count > 0, start + count < end, count <= limits.number { return start + count }
        let first = start.pointee == UInt8(ascii: "-") ? start + 1 : start
        var value: UInt64 = 0
        var at = Kernels.digits(first, first: windowStart, last: vectorEnd, into: &value)
        var isWhole = at > first
        if at - first > 1, first.pointee == UInt8(ascii: "0") {
            // A number ends after a leading zero. The rest is then rejected as an invalid token.
            at = first + 1
        } else if at.pointee == UInt8(ascii: ".") {
            let point = at + 1
            at = Kernels.digits(point, first: windowStart, last: vectorEnd, into: &value)
            isWhole = isWhole && at > point
        }
        return numberEnd(isWhole, at, start, state, &pause, &sink)
    }

    /// Returns the end of a number that has many digits or an exponent, is malformed, or ends with the window.
    ///
    /// - Parameter at: The end of its digits.
    /// - Returns: nil, with the reason in `pause`, if the number is rejected or may continue after the window.
    @inline(never)
    private mutating func numberEnd(
        _ isWhole: Bool, _ at: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ state: Expectation,
        _ pause: inout Pause, _ sink: inout some TokenSink & ~Copyable
    ) -> UnsafePointer<UInt8>? {
        var at = at
        var isWhole = isWhole
        if isWhole, at <= vectorEnd, at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            var value: UInt64 = 0
            let first = at
            at = Kernels.digits(at, first: windowStart, last: vectorEnd, into: &value)
            isWhole = at > first
        }
        let mayContinue = at > vectorEnd || isWhole && at >= end && !isFinal
        if !mayContinue, isWhole, at - start <= limits.number {
            if at >= end, depth > 0 { sink.ignoreCutNumber() }
            return at
        }
        pause = mayContinue ? .more : rejectToken(start, state, sink)
        return nil
    }
}
