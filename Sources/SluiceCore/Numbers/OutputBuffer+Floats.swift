// Floating-point numbers: the shortest decimal that converts back to the number, in the form of Swift's `description`.
//
//     1.0  -0.0  9007199254740992.0      integers, up to the greatest whose neighbors are at most 1 away (1  -0 … in the style
//                                        of Foundation)
//     65.613616999999977  0.00012        fractions, from 0.0001
//     1.2e-05  1e+16                     other numbers, with an exponent of two digits or more

extension OutputBuffer {
    /// Writes a finite number. Requires 48 reserved bytes.
    package mutating func double(_ value: Double) { position = position.after(value, isFoundationStyle) }

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

// MARK: Arrays of doubles

// The conversion of one number is a long chain of operations, and so are its digits. A processor works on several numbers at once if each
// of the two steps is a loop of its own.

extension OutputBuffer {
    /// The number of numbers that are converted before they are written.
    static var batchCount: Int { 16 }

    /// Writes numbers with commas between them, up to the first that is not finite.
    ///
    /// - Returns: The number of written numbers.
    mutating func doubles(_ values: UnsafeBufferPointer<Double>) -> Int {
        withUnsafeTemporaryAllocation(of: ShortestDecimal.self, capacity: Self.batchCount) { memory in
            let decimals = memory.baseAddress.unsafelyUnwrapped
            var index = 0
            while index < values.count {
                let part = UnsafeBufferPointer(
                    rebasing: values[index..<min(index + Self.batchCount, values.count)])
                part.convert(to: decimals)
                reserve(part.count &* 64)
                var to = position
                let written = to.doubles(part, decimals, isFoundationStyle)
                position = to
                index += written
                if written < part.count { break }
            }
            return index
        }
    }
}

extension UnsafeBufferPointer<Double> {
    /// Converts the numbers to decimals, without digits for those that are not fractions.
    @inline(__always)
    func convert(to decimals: UnsafeMutablePointer<ShortestDecimal>) {
        for index in indices { decimals[index] = .ofFraction(self[index].magnitude.bitPattern) }
    }
}

extension OutputCursor {
    /// Writes numbers, up to the first that is not finite. Requires 64 reserved bytes for each.
    ///
    /// - Parameter decimals: The numbers as decimals, without digits for those that are not fractions.
    /// - Returns: The number of written numbers.
    @inline(__always)
    mutating func doubles(
        _ values: UnsafeBufferPointer<Double>, _ decimals: UnsafePointer<ShortestDecimal>,
        _ isFoundationStyle: Bool
    ) -> Int {
        for index in values.indices {
            let (value, decimal) = (values[index], decimals[index])
            if decimal.digits != 0 {
                comma()
                at.pointee = UInt8(ascii: "-")
                at += value.sign == .minus ? 1 : 0
                self.decimal(decimal, hasExponent: false)
            } else {
                guard value.isFinite else { return index }
                comma()
                self = after(value, isFoundationStyle)
            }
        }
        return values.count
    }
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
        if !hasExponent, let integer = format.integer(of: pattern) {
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
        // The position of the point after the first of the sixteen digits.
        let point = 16 &+ exponent
        // Whether there are 16 or 17 digits cannot be predicted, so that this condition must not depend on the number.
        if point > 0, !hasExponent {
            store(rest.leadCharacter)
            at += rest.leadCount
            fraction(rest, point)
        } else {
            smallOrLarge(rest, point, hasExponent: hasExponent)
        }
    }

    /// Writes digits of a number that is less than 10, or that has an exponent.
    @inline(never)
    private mutating func smallOrLarge(_ digits: SixteenDigits, _ point: Int, hasExponent: Bool) {
        // The position of the point after the first of all digits.
        let magnitude = point &+ digits.leadCount
        if hasExponent || magnitude < -3 {
            scientific(digits, exponent: magnitude &- 1)
        } else if magnitude > 0 {
            store(digits.leadCharacter)
            at += digits.leadCount
            fraction(digits, point)
        } else {
            store(UInt64(0x3030_3030_3030_2E30))  // "0.000000"
            at += 2 &- magnitude
            store(digits.leadCharacter)
            at += digits.leadCount
            store(digits.upper | DecimalWord.zeros)
            store(digits.lower | DecimalWord.zeros, at: 8)
            at += digits.count
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
