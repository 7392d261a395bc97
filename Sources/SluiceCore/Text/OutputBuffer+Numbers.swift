// Numbers: written in place, two digits at a time, from the last to the first.

/// The digit pairs of the numbers 0 to 99.
enum DigitPairs {
    nonisolated(unsafe) static let table: UnsafePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 200)
        for number in 0..<100 {
            (table + 2 * number).initialize(to: UInt8(48 + number / 10))
            (table + 2 * number + 1).initialize(to: UInt8(48 + number % 10))
        }
        return UnsafePointer(table)
    }()

    /// The powers of ten that fit in 64 bits.
    nonisolated(unsafe) static let powers: UnsafePointer<UInt64> = {
        let table = UnsafeMutablePointer<UInt64>.allocate(capacity: 20)
        var power: UInt64 = 1
        for exponent in 0..<20 {
            (table + exponent).initialize(to: power)
            power = power &* 10
        }
        return UnsafePointer(table)
    }()
}

extension OutputBuffer {
    /// Returns the number of digits.
    @inline(__always)
    private func count(_ value: UInt64) -> Int {
        if value < 10 { return 1 }
        // 1233 / 2^12 is slightly more than the base-10 logarithm of 2.
        let guess = ((64 &- value.leadingZeroBitCount) &* 1_233) &>> 12
        return guess &+ (value < powers[guess] ? 0 : 1)
    }

    /// Writes an integer of any width. Requires 40 reserved bytes.
    @inline(__always)
    mutating func integer(_ value: some FixedWidthInteger) {
        if value.bitWidth > 64 { return wide(value) }
        let magnitude = value < 0 ? 0 &- UInt64(truncatingIfNeeded: value) : UInt64(truncatingIfNeeded: value)
        if value < 0 { byte(UInt8(ascii: "-")) }
        digits(magnitude, count: count(magnitude))
    }

    /// Writes the last `count` digits of a number, with leading zeros.
    @inline(__always)
    mutating func digits(_ value: UInt64, count: Int) {
        var value = value
        var at = cursor + count
        cursor = at
        var left = count
        while left >= 2 {
            let (rest, pair) = value.quotientAndRemainder(dividingBy: 100)
            at -= 2
            let digits = UnsafeRawPointer(pairs + Int(truncatingIfNeeded: pair &* 2))
            UnsafeMutableRawPointer(at).storeBytes(of: digits.loadUnaligned(as: UInt16.self), as: UInt16.self)
            value = rest
            left &-= 2
        }
        if left > 0 { (at - 1).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10) }
    }

    @inline(never)
    private mutating func wide(_ value: some FixedWidthInteger) {
        var rest = value < 0 ? 0 &- UInt128(truncatingIfNeeded: value) : UInt128(truncatingIfNeeded: value)
        if value < 0 { byte(UInt8(ascii: "-")) }
        // Three parts of up to 19 digits.
        var parts: [UInt64] = []
        let unit: UInt128 = 10_000_000_000_000_000_000
        repeat {
            parts.append(UInt64(truncatingIfNeeded: rest % unit))
            rest /= unit
        } while rest > 0
        digits(parts.last!, count: count(parts.last!))
        for part in parts.dropLast().reversed() { digits(part, count: 19) }
    }

    /// Writes the shortest digits that decode to the same number, as Swift prints them. Requires 40 reserved bytes.
    ///
    /// - Precondition: `value` is finite.
    @inline(__always)
    mutating func double(_ value: Double) {
        // Up to 15 digits identify one number, so no shorter or nearer digits exist.
        let scaled = (value * 1e6).rounded(.toNearestOrEven)
        if abs(scaled) < 1e15, abs(value) >= 1e-3, scaled / 1e6 == value {
            return fixed(Int64(scaled))
        }
        shortest(value)
    }

    /// Writes a number of millionths, with one to six digits after the point and no trailing zeros.
    @inline(__always)
    private mutating func fixed(_ millionths: Int64) {
        if millionths < 0 { byte(UInt8(ascii: "-")) }
        let (whole, millionth) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        digits(whole, count: count(whole))
        byte(UInt8(ascii: "."))
        var fraction = millionth
        var places = 6
        if fraction % 1_000 == 0 { (fraction, places) = (fraction / 1_000, 3) }
        while places > 1, fraction % 10 == 0 {
            fraction /= 10
            places &-= 1
        }
        digits(fraction, count: places)
    }

    @inline(never)
    private mutating func shortest(_ value: Double) { text(value.description) }

    /// Writes the description of a number.
    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            reserve(bytes.count)
            guard let base = bytes.baseAddress else { return }
            cursor.update(from: base, count: bytes.count)
            cursor += bytes.count
        }
    }
}
