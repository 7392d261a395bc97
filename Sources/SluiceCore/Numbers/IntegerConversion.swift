// The conversion of a number to an integer. Any spelling is accepted: `1.0`, `1e2`, `100e-2` and `-0.0` are integers.

/// The result of a conversion to an integer type.
@usableFromInline
package enum IntegerOutcome {
    case exact
    /// The value has a fraction, as `1.5` does, whatever its magnitude.
    case notInteger
    /// The value is an integer beyond the range of the type.
    case outOfRange
}

extension NumberToken {
    /// Initializes the target with the value if that is an integer in range. Otherwise, the target is unchanged.
    ///
    /// Exact for every width up to 128 bits. For wider types, values beyond 128 bits are out of range.
    @inline(__always)
    @inlinable package func integer<T: FixedWidthInteger>(_: T.Type, into target: UnsafeMutablePointer<T>)
        -> IntegerOutcome
    {
        guard isInteger, !isTruncated else {
            return integerByValue(T.self, into: target)
        }
        let limit = UInt64(clamping: isNegative ? T.min.magnitude : T.max.magnitude)
        guard mantissa <= limit else { return .outOfRange }
        let magnitude = T(truncatingIfNeeded: mantissa)
        target.initialize(to: isNegative ? 0 &- magnitude : magnitude)
        return .exact
    }

    /// Converts numbers with many digits, a fraction or an exponent part.
    @inline(__always)
    @inlinable package func integerByValue<T: FixedWidthInteger>(
        _: T.Type, into target: UnsafeMutablePointer<T>
    ) -> IntegerOutcome {
        let limit = UInt128(clamping: isNegative ? T.min.magnitude : T.max.magnitude)
        var magnitude: UInt128 = 0
        let outcome = wholeMagnitude(upTo: limit, into: &magnitude)
        if outcome == .exact {
            let value = T(truncatingIfNeeded: magnitude)
            target.initialize(to: isNegative ? 0 &- value : value)
        }
        return outcome
    }

    /// Returns the magnitude of an integer. One function for all types, to limit the size of rarely used code.
    @inline(never)
    @usableFromInline package func wholeMagnitude(upTo limit: UInt128, into result: inout UInt128) -> IntegerOutcome
    {
        let outcome = isTruncated ? longMagnitude(into: &result) : shortMagnitude(into: &result)
        return outcome == .exact && result > limit ? .outOfRange : outcome
    }

    /// Returns the magnitude of a number whose mantissa has all digits.
    private func shortMagnitude(into result: inout UInt128) -> IntegerOutcome {
        result = UInt128(mantissa)
        guard mantissa != 0 else { return .exact }
        guard exponent < 0 else {
            return raise(&result, byTenTo: exponent)
        }
        // 19 digits are less than 10^19, so no greater power divides them.
        guard exponent >= -NumberToken.mantissaDigits else { return .notInteger }
        var power: UInt128 = 1
        _ = raise(&power, byTenTo: -exponent)
        let (quotient, remainder) = result.quotientAndRemainder(dividingBy: power)
        result = quotient
        return remainder == 0 ? .exact : .notInteger
    }

    /// Returns the magnitude of a number with digits after those of the mantissa. Any number of trailing zeros is allowed,
    /// because the exponent may cancel them: `1000000000000000000000.00` and `100000000000000000000e-20`.
    private func longMagnitude(into result: inout UInt128) -> IntegerOutcome {
        if isInteger {
            return plainMagnitude(into: &result)
        }
        var count = 0
        var lastNonzero = 0
        for digit in significantDigits {
            count &+= 1
            if digit != 0 {
                lastNonzero = count
            }
        }
        let power = exponent &+ NumberToken.mantissaDigits &- lastNonzero
        guard power >= 0 else { return .notInteger }
        guard lastNonzero &+ power <= NumberToken.maximumMagnitude else { return .outOfRange }
        result = 0
        for digit in significantDigits.prefix(lastNonzero) {
            guard append(digit, to: &result) else { return .outOfRange }
        }
        return raise(&result, byTenTo: power)
    }

    /// Returns the magnitude of a plain integer, in which the digits after those of the mantissa end the token.
    private func plainMagnitude(into result: inout UInt128) -> IntegerOutcome {
        guard NumberToken.mantissaDigits &+ exponent <= NumberToken.maximumMagnitude else { return .outOfRange }
        var rest: UInt64 = 0
        var power: UInt64 = 1
        let tail = UnsafeBufferPointer(start: text + (count &- exponent), count: exponent)
        for byte in tail.prefix(NumberToken.mantissaDigits) {
            rest = rest &* 10 &+ UInt64(byte & 0x0F)
            power = power &* 10
        }
        result = UInt128(mantissa) &* UInt128(power) &+ UInt128(rest)
        for byte in tail.dropFirst(NumberToken.mantissaDigits) {
            guard append(UInt64(byte & 0x0F), to: &result) else { return .outOfRange }
        }
        return .exact
    }

    /// The number of digits of 2^128.
    private static var maximumMagnitude: Int { 39 }

    private func raise(_ value: inout UInt128, byTenTo power: Int) -> IntegerOutcome {
        guard power < NumberToken.maximumMagnitude else { return .outOfRange }
        for _ in 0..<power {
            guard append(0, to: &value) else { return .outOfRange }
        }
        return .exact
    }

    private func append(_ digit: UInt64, to value: inout UInt128) -> Bool {
        let (product, overflows) = value.multipliedReportingOverflow(by: 10)
        guard !overflows else { return false }
        let (sum, carries) = product.addingReportingOverflow(UInt128(digit))
        value = sum
        return !carries
    }
}
