// The scan of a number's bytes into a token. A lexer has checked the grammar, so one bit distinguishes digits from the
// other bytes of a number: 0x10 is set in '0'...'9' and clear in '-', '+', '.', 'e' and 'E'.

extension NumberToken {
    /// Scans bytes that match `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`. Reads no byte beyond `count`.
    ///
    /// Other input of at least one byte results in a token with an unspecified value, without reads out of bounds.
    @inline(__always)
    init(checked text: UnsafePointer<UInt8>, count: Int) {
        let end = text + count
        let isNegative = text.pointee == UInt8(ascii: "-")
        let start = isNegative ? text + 1 : text
        var run = DigitRun(text: text, cursor: start, end: end)
        run.takeDigits()
        var digits = run.cursor - start
        if run.cursor == end, digits <= NumberToken.mantissaDigits {
            self.init(
                text: text, count: count, mantissa: run.value, exponent: 0,
                isNegative: isNegative, isInteger: true, isTruncated: false)
            return
        }
        var exponent = 0
        if run.cursor < end, run.cursor.pointee == UInt8(ascii: ".") {
            run.cursor += 1
            let point = run.cursor
            run.takeDigits()
            exponent = point - run.cursor
            digits &-= exponent
        }
        // More than 19 digits have overflowed the mantissa, unless some are leading zeros.
        guard run.cursor == end, digits <= NumberToken.mantissaDigits else {
            self.init(
                text: text, count: count, isNegative: isNegative, digits: digits, afterDigits: run.cursor,
                mantissa: run.value, exponent: exponent)
            return
        }
        self.init(
            text: text, count: count, mantissa: run.value, exponent: exponent,
            isNegative: isNegative, isInteger: false, isTruncated: false)
    }

    /// Scans the bytes of a number, as `init(checked:count:)` does, but by a call. The scanner reads few numbers this way, and code
    /// for them in its loop would occupy registers that all numbers need.
    @inline(never)
    static func scan(_ text: UnsafePointer<UInt8>, count: Int) -> NumberToken {
        NumberToken(checked: text, count: count)
    }

    /// Completes the scan for numbers with an exponent part or many digits.
    @inline(never)
    private init(
        text: UnsafePointer<UInt8>, count: Int, isNegative: Bool, digits: Int,
        afterDigits: UnsafePointer<UInt8>, mantissa: UInt64, exponent: Int
    ) {
        var mantissa = mantissa
        var dropped = 0
        if digits > NumberToken.mantissaDigits {
            (mantissa, dropped) = NumberToken.leadingDigits(from: text, to: afterDigits)
        }
        let written = NumberToken.writtenExponent(from: afterDigits, to: text + count)
        let isInteger = exponent == 0 && afterDigits == text + count
        self.init(
            text: text, count: count, mantissa: mantissa, exponent: exponent &+ dropped &+ written,
            isNegative: isNegative, isInteger: isInteger, isTruncated: dropped > 0)
    }

    /// Returns the value of the first 19 significant digits, and the number of digits after these.
    private static func leadingDigits(
        from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> (mantissa: UInt64, dropped: Int) {
        var digits = SignificantDigits(text: start, count: end - start)
        var mantissa: UInt64 = 0
        for _ in 0..<mantissaDigits { if let digit = digits.next() { mantissa = mantissa &* 10 &+ digit } }
        return (mantissa, digits.reduce(0) { count, _ in count + 1 })
    }

    /// Returns the value of `[eE][+-]?\d+`, or 0 for no bytes. Ignores digits once the value is beyond 2^56 (2^24 with a
    /// 32-bit `Int`), which is more than the digits of any number can cancel.
    private static func writtenExponent(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int {
        var cursor = start + 1
        guard cursor < end else { return 0 }
        let isNegative = cursor.pointee == UInt8(ascii: "-")
        if cursor.pointee & DigitRun.digitBit == 0 {
            cursor += 1
        }
        var value = 0
        while cursor < end {
            if value <= Int.max &>> 7 {
                value = value &* 10 &+ Int(cursor.pointee & 0x0F)
            }
            cursor += 1
        }
        return isNegative ? -value : value
    }
}

/// A cursor that computes the value of digits, eight at a time. The value wraps, so the caller counts the digits.
struct DigitRun {
    let text: UnsafePointer<UInt8>
    var cursor: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var value: UInt64 = 0

    static var digitBit: UInt8 { 0x10 }
    private static var digitBits: UInt64 { 0x1010_1010_1010_1010 }

    @inline(__always)
    init(text: UnsafePointer<UInt8>, cursor: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        self.text = text
        self.cursor = cursor
        self.end = end
    }

    /// Moves the cursor past the digits that follow.
    @inline(__always)
    mutating func takeDigits() {
        guard end - text >= 8 else {
            while cursor < end, cursor.pointee & DigitRun.digitBit != 0 {
                value = value &* 10 &+ UInt64(cursor.pointee & 0x0F)
                cursor += 1
            }
            return
        }
        while end - cursor >= 8 {
            let chunk = Kernels.word(cursor)
            let others = ~chunk & DigitRun.digitBits
            guard others == 0 else {
                take(others.trailingZeroBitCount &>> 3, of: chunk)
                return
            }
            value = value &* 100_000_000 &+ DigitRun.value(ofEight: chunk)
            cursor += 8
        }
        // Fewer than eight bytes are left. The last eight bytes of the number contain them, after bytes that were read before.
        // A shift removes the latter and adds zero bytes at the end, which are not digits.
        let left = end - cursor
        guard left > 0 else { return }
        let chunk = Kernels.word(end - 8) &>> UInt64(truncatingIfNeeded: 64 &- left &* 8)
        take((~chunk & DigitRun.digitBits).trailingZeroBitCount &>> 3, of: chunk)
    }

    /// Reads the first `count` bytes of the chunk, at most seven, which must be digits.
    @inline(__always)
    private mutating func take(_ count: Int, of chunk: UInt64) {
        guard count > 0 else { return }
        let digits = chunk &<< UInt64(truncatingIfNeeded: 64 &- count &* 8)
        value = value &* DigitRun.powerOfTen(count) &+ DigitRun.value(ofEight: digits)
        cursor += count
    }

    /// Returns the value of eight digits, the first in the lowest byte. Zero bytes count as the digit 0. Neighbors are
    /// combined in pairs, then fours, then eights ("SIMD within a register", as in Lemire 2021, section 3).
    @inline(__always)
    static func value(ofEight chunk: UInt64) -> UInt64 {
        let ones = chunk & 0x0F0F_0F0F_0F0F_0F0F
        let pairs = ((ones &* (1 &+ 10 &<< 8)) &>> 8) & 0x00FF_00FF_00FF_00FF
        let fours = ((pairs &* (1 &+ 100 &<< 16)) &>> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* (1 &+ 10_000 &<< 32)) &>> 32
    }

    /// Returns a power of ten. A switch instead of an array compiles to a table in read-only memory.
    @inline(__always)
    static func powerOfTen(_ count: Int) -> UInt64 {
        switch count {
        case 1: 10
        case 2: 100
        case 3: 1_000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        case 7: 10_000_000
        default: 1
        }
    }
}
