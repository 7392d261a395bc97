import SluiceCore

/// The observed numbers of a value: their number, and the properties that restrict their type.
struct NumberObservation {
    private(set) var count = 0
    private(set) var features: Features = []

    struct Features: OptionSet {
        let rawValue: UInt8
        static let integer = Features(rawValue: 1)
        static let fraction = Features(rawValue: 2)
        static let negative = Features(rawValue: 4)
        /// An integer that a `Double` may not hold.
        static let beyondDouble = Features(rawValue: 8)
        static let beyondInt = Features(rawValue: 16)
        static let beyondUInt64 = Features(rawValue: 32)
        static let beyondInt128 = Features(rawValue: 64)
        /// A fraction with more digits, or a greater exponent, than a `Double` holds.
        static let longFraction = Features(rawValue: 128)
    }

    /// The type whose values are equal to the numbers.
    enum NumberType {
        case int, uint64, int128, double
        /// A number with all its digits.
        case any
    }

    var type: NumberType {
        if features.contains(.fraction) {
            return features.isDisjoint(with: [.longFraction, .beyondDouble]) ? .double : .any
        }
        if !features.contains(.beyondInt) { return .int }
        if features.isDisjoint(with: [.beyondUInt64, .negative]) { return .uint64 }
        return features.contains(.beyondInt128) ? .any : .int128
    }

    mutating func add(_ other: Features) {
        count += 1
        features.formUnion(other)
    }

    static func features(of number: borrowing JSONReceivedNumber) -> Features {
        if number.isInteger, !number.isTruncated, number.mantissa <= 1 << 53 {
            return number.isNegative ? [.integer, .negative] : .integer
        }
        return number.isInteger ? featuresOfInteger(number) : featuresOfFraction(number)
    }

    private static func featuresOfInteger(_ number: borrowing JSONReceivedNumber) -> Features {
        var features: Features = [.integer, .beyondDouble]
        if number.isNegative { features.insert(.negative) }
        let text = String(decoding: number.text, as: UTF8.self)
        if Int(text) != nil { return features }
        features.insert(.beyondInt)
        if UInt64(text) != nil { return features }
        features.insert(.beyondUInt64)
        if Int128(text) == nil { features.insert(.beyondInt128) }
        return features
    }

    private static func featuresOfFraction(_ number: borrowing JSONReceivedNumber) -> Features {
        var mantissa = number.mantissa
        var digits = number.exponent
        while mantissa >= 100_000_000_000_000_000, mantissa % 10 == 0 { mantissa /= 10 }
        var rest = mantissa
        while rest > 0 {
            rest /= 10
            digits += 1
        }
        let isShort = !number.isTruncated && mantissa < 100_000_000_000_000_000
        return isShort && (mantissa == 0 || (-300...300).contains(digits)) ? .fraction : [.fraction, .longFraction]
    }

    mutating func merge(_ other: NumberObservation) {
        count += other.count
        features.formUnion(other.features)
    }
}
