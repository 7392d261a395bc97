extension Duration: JSONConvertible {
    /// The shape of a number of seconds, which is decoded from its digits, without a `Double`.
    ///
    /// Digits below an attosecond (1e-18 seconds) are rounded. A duration is encoded with all its digits, so that the JSON decodes to
    /// the same duration. A duration whose `components` would overflow is an error in both directions.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number of seconds") { scalar in
            guard let number = scalar.numberText else { throw JSONModelError.ConversionFailure.mismatch }
            return try Duration(number: number, of: .seconds)
        } write: { duration in
            .number(try duration.number(of: .seconds))
        }
        .schema(["type": "number"])
    }
}

/// A unit in which a duration is a JSON number.
package enum DurationUnit {
    case seconds, milliseconds

    /// The number of decimal digits between the unit and an attosecond.
    fileprivate var digits: Int {
        switch self {
        case .seconds: 18
        case .milliseconds: 15
        }
    }
}

extension Duration {
    /// Creates the duration of a number. Digits below an attosecond are rounded.
    ///
    /// - Parameter number: Text that matches the grammar of JSON numbers.
    /// - Throws: ``JSONModelError/ConversionFailure/outOfRange``
    package init(number: String, of unit: DurationUnit) throws(JSONModelError.ConversionFailure) {
        var text = number.utf8[...]
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { text.removeFirst() }
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let exponent = Self.exponent(text[mantissa.endIndex...].dropFirst())
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }
        var digits = Array(whole) + Array(mantissa[whole.endIndex...].dropFirst())
        digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
        // The digits before the attoseconds' point.
        let fraction = mantissa.count - whole.count - (mantissa.count > whole.count ? 1 : 0)
        let count = digits.count - fraction + exponent + unit.digits
        guard let magnitude = Self.integer(digits, count: count),
            let duration = Self.duration(isNegative ? -magnitude : magnitude)
        else { throw .outOfRange }
        self = duration
    }

    /// Returns the value of an exponent without its letter, limited to a magnitude of about 1,000,000,000.
    private static func exponent(_ text: Substring.UTF8View) -> Int {
        let value = text.reduce(0) { value, byte in
            byte < UInt8(ascii: "0") ? value : min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    /// Returns the integer of the first digits, rounded by the next one; or nil beyond the range of durations.
    ///
    /// - Parameters:
    ///   - digits: The digits, of which the first is not 0.
    ///   - count: The number of digits of the integer, which may be negative, or greater than the number of digits.
    private static func integer(_ digits: [UInt8], count: Int) -> Int128? {
        if digits.isEmpty || count < 0 { return 0 }
        // A duration has at most 37 digits.
        guard count <= 37 else { return nil }
        let integer = (0..<count).reduce(Int128(0)) { value, index in
            value * 10 + (index < digits.count ? Int128(digits[index] - UInt8(ascii: "0")) : 0)
        }
        return count < digits.count && digits[count] >= UInt8(ascii: "5") ? integer + 1 : integer
    }

    /// Returns the duration of a number of attoseconds, or nil beyond the range of durations.
    private static func duration(_ attoseconds: Int128) -> Duration? {
        // The components of a negative duration are negative.
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: seconds) else { return nil }
        return Duration(secondsComponent: seconds, attosecondsComponent: Int64(rest))
    }

    /// Returns the exact number of a unit, without zeros at the end of the fraction.
    ///
    /// - Throws: An error if the seconds are beyond the range of `Int64`, which the decoder rejects, too.
    package func number(of unit: DurationUnit) throws(JSONModelError.ConversionFailure) -> JSONNumber {
        let attoseconds = self.attoseconds
        guard Self.duration(attoseconds) != nil else {
            throw .invalid("the seconds of the duration are beyond the range of Int64")
        }
        let digits = Array(String(attoseconds.magnitude).utf8)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(unit.digits + 1 - digits.count, 0))
        let padded = zeros + digits
        var text = attoseconds < 0 ? [UInt8(ascii: "-")] : []
        text += padded.dropLast(unit.digits)
        var fraction = padded.suffix(unit.digits)
        while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
        return JSONNumber(unchecked: String(decoding: text, as: UTF8.self))
    }
}
