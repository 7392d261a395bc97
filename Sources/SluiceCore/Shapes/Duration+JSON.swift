extension Duration: JSONConvertible {
    /// The shape of a number of seconds, which is decoded from its digits, without a `Double`.
    ///
    /// Digits below an attosecond (1e-18 seconds) are rounded. A duration is encoded with all its digits, so that the JSON decodes to
    /// the same duration. A duration whose `components` would overflow is an error in both directions.
    @_documentation(visibility: internal) public static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a number of seconds") { scalar in
            guard let number = scalar.number else { throw JSONModelError.ConversionFailure.mismatch }
            return try Duration(number, of: .seconds)
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
    /// - Throws: ``JSONModelError/ConversionFailure/outOfRange``
    init(_ number: NumberToken, of unit: DurationUnit) throws(JSONModelError.ConversionFailure) {
        guard let magnitude = Self.integer(of: number, digits: number.wholeDigitCount &+ unit.digits),
            let duration = Self.duration(number.isNegative ? -magnitude : magnitude)
        else { throw .outOfRange }
        self = duration
    }

    /// Creates the duration of a number like `init(_:of:)`.
    package init(_ number: JSONNumber, of unit: DurationUnit) throws(JSONModelError.ConversionFailure) {
        self = try number.withToken { token in
            Result { () throws(JSONModelError.ConversionFailure) in try Duration(token, of: unit) }
        }.get()
    }

    /// Returns the integer of the first digits of a number, rounded by the next one; or nil beyond the range of durations.
    ///
    /// - Parameter count: The number of digits, which may be negative, or greater than that of the number.
    private static func integer(of number: NumberToken, digits count: Int) -> Int128? {
        if number.mantissa == 0 || count < 0 { return 0 }
        // A duration has at most 37 digits.
        guard count <= 37 else { return nil }
        var digits = number.significantDigits
        let integer = (0..<count).reduce(Int128(0)) { value, _ in value * 10 + Int128(digits.next() ?? 0) }
        return digits.next() ?? 0 >= 5 ? integer + 1 : integer
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
