// Floating-point numbers: the shortest decimal that converts back to the number, in the form of Swift's `description`.
//
//     1.0  -0.0  9007199254740992.0      integers, up to the greatest whose neighbors are at most 1 away (1  -0 … in the style
//                                        of Foundation)
//     65.613616999999977  0.00012        fractions, from 0.0001
//     1.2e-05  1e+16                     other numbers, with an exponent of two digits or more

extension OutputBuffer {
    /// Writes a finite number. Requires 48 reserved bytes.
    package mutating func double(_ value: Double) { position = position.after(value, isFoundationStyle) }

    /// Writes numbers with commas between them, up to the first that is not finite.
    ///
    /// - Returns: The number of written numbers.
    mutating func doubles(_ values: UnsafeBufferPointer<Double>) -> Int {
        var index = 0
        while index < values.count {
            // Reserving for several numbers at once leaves a loop without calls.
            let end = min(index + 16, values.count)
            reserve((end - index) * 64)
            var to = position
            while index < end {
                guard values[index].isFinite else {
                    position = to
                    return index
                }
                to.comma()
                to.double(values[index], isFoundationStyle)
                index += 1
            }
            position = to
        }
        return index
    }

    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(never)
    package mutating func float(_ value: Float) {
        let pattern = UInt64(value.bitPattern)
        position.number(
            pattern & ~(1 &<< 31), isNegative: pattern &>> 31 != 0, in: Float.format, isFoundationStyle)
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(never)
    mutating func half(_ value: Float16) {
        let pattern = UInt64(value.bitPattern)
        position.number(
            pattern & ~(1 &<< 15), isNegative: pattern &>> 15 != 0, in: Float16.format, isFoundationStyle)
    }
    #endif
}

extension OutputCursor {
    /// Returns the position after a finite number, which is written here. Requires 48 reserved bytes.
    ///
    /// - Parameter isFoundationStyle: Whether an integral number has no fraction.
    @inline(never)
    func after(_ value: Double, _ isFoundationStyle: Bool) -> OutputCursor {
        var copy = self
        copy.double(value, isFoundationStyle)
        return copy
    }

    /// Writes a finite number. Requires 48 reserved bytes.
    @inline(__always)
    fileprivate mutating func double(_ value: Double, _ isFoundationStyle: Bool) {
        let pattern = value.bitPattern
        number(pattern & ~(1 &<< 63), isNegative: pattern &>> 63 != 0, in: Double.format, isFoundationStyle)
    }

    @inline(__always)
    fileprivate mutating func number(
        _ pattern: UInt64, isNegative: Bool, in format: FloatFormat, _ isFoundationStyle: Bool
    ) {
        // The minus sign is always written, and overwritten unless the number is negative.
        at.pointee = UInt8(ascii: "-")
        at += isNegative ? 1 : 0
        let hasExponent = pattern > format.maximumPlainPattern
        if pattern == 0 {
            integerWithPoint(0, isFoundationStyle)
        } else if !hasExponent, let integer = format.integer(of: pattern) {
            integerWithPoint(integer, isFoundationStyle)
        } else {
            decimal(ShortestDecimal(of: pattern, in: format), hasExponent: hasExponent)
        }
    }

    @inline(never)
    private mutating func integerWithPoint(_ value: UInt64, _ isFoundationStyle: Bool) {
        natural(value)
        store(UInt16(0x302E))  // ".0"
        at += isFoundationStyle ? 0 : 2
    }

    /// Writes a decimal of up to 17 digits that is not an integer, or that has an exponent.
    @inline(__always)
    private mutating func decimal(_ decimal: ShortestDecimal, hasExponent: Bool) {
        var (digits, exponent) = (decimal.digits, decimal.exponent)
        // Give all numbers 16 or 17 digits. Subnormal numbers and short formats have fewer.
        while digits < 1_000_000_000_000_000 {
            digits &*= 10
            exponent &-= 1
        }
        let rest = SixteenDigits(digits)
        // The position of the point after the first of the sixteen digits, and after the first of all.
        let point = 16 &+ exponent
        let magnitude = point &+ rest.leadCount

        if hasExponent || magnitude < -3 {
            scientific(rest, exponent: magnitude &- 1)
        } else if magnitude > 0 {
            store(rest.leadCharacter)
            at += rest.leadCount
            fraction(rest, point)
        } else {
            store(UInt64(0x3030_3030_3030_2E30))  // "0.000000"
            at += 2 &- magnitude
            store(rest.leadCharacter)
            at += rest.leadCount
            store(rest.upper | DecimalWord.zeros)
            store(rest.lower | DecimalWord.zeros, at: 8)
            at += rest.count
        }
    }

    /// Writes sixteen digits with a point after the first `point` digits.
    @inline(__always)
    private mutating func fraction(_ digits: SixteenDigits, _ point: Int) {
        let upper = digits.upper | DecimalWord.zeros
        let lower = digits.lower | DecimalWord.zeros
        // The word with the point is stored last: its digits before the point in place, and those after one byte later.
        store(lower, at: 9)
        if point < 8 {
            let shift = UInt64(truncatingIfNeeded: point &* 8)
            let before: UInt64 = 1 &<< shift &- 1
            store(UInt8(truncatingIfNeeded: upper &>> 56), at: 8)
            store(upper & before | UInt64(UInt8(ascii: ".")) &<< shift | (upper & ~before) &<< 8)
        } else {
            let shift = UInt64(truncatingIfNeeded: (point &- 8) &* 8)
            let before: UInt64 = 1 &<< shift &- 1
            store(UInt8(truncatingIfNeeded: lower &>> 56), at: 16)
            store(upper)
            store(lower & before | UInt64(UInt8(ascii: ".")) &<< shift | (lower & ~before) &<< 8, at: 8)
        }
        at += digits.count &+ 1
    }

    /// Writes one digit, the others as a fraction, and an exponent.
    @inline(never)
    private mutating func scientific(_ digits: SixteenDigits, exponent: Int) {
        store(digits.leadCharacter)
        at += digits.leadCount
        let start = at
        fraction(digits, 1 - digits.leadCount)
        // The point is removed if no digit follows.
        if at - start <= 2 - digits.leadCount { at -= 1 }
        store(UInt8(ascii: "e"))
        store(UInt8(ascii: exponent < 0 ? "-" : "+"), at: 1)
        at += 2
        if abs(exponent) < 10 { byte(UInt8(ascii: "0")) }
        natural(UInt64(abs(exponent)))
    }
}

/// Sixteen decimal digits in two words, each with its first digit in the lowest byte, and perhaps one digit before them.
private struct SixteenDigits {
    let upper: UInt64
    let lower: UInt64
    /// The digit before the sixteen, which is 0 or the first of seventeen.
    private let lead: UInt64

    /// - Precondition: The number has at most 17 digits.
    @inline(__always)
    init(_ number: UInt64) {
        let head = number / 100_000_000
        // Division of a number below 10^9 by 10^8.
        lead = (head &* 1_441_151_881) &>> 57
        (upper, lower) = DecimalWord.sixteen(
            head &- lead &* 100_000_000, number &- head &* 100_000_000)
    }

    @inline(__always)
    var leadCount: Int { lead == 0 ? 0 : 1 }

    @inline(__always)
    var leadCharacter: UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: lead) }

    /// The number of digits without trailing zeros.
    @inline(__always)
    var count: Int {
        let word = lower == 0 ? upper : lower
        let count = lower == 0 ? 8 : 16
        // Reversed, because counting from the lowest bit is faster on some processors.
        return count &- word.byteSwapped.trailingZeroBitCount &>> 3
    }
}
