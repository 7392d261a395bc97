import Testing

@testable import SluiceCore

@Suite("Powers of ten") struct DecimalPowersTests {
    /// An entry stands for at most its power, and one more for more. The other side of the comparison is decimal
    /// text: 5^q is 2^-q with the point moved by q, for powers of either sign.
    @Test func `each power of five is between its entry and the next value`() {
        for exponent in DecimalPowers.fives {
            let entry = DecimalPowers.five(to: exponent)
            let value = UInt128(entry.high) << 64 | UInt128(entry.low)
            let power = ExactDecimal(1, twoTo: -exponent).shifted(by: exponent)
            let scale = DecimalPowers.binaryExponent(ofTenTo: exponent) - exponent - 127
            let floor = ExactDecimal(value, twoTo: scale)

            #expect(entry.high >> 63 == 1, "5^\(exponent)")
            #expect(DecimalPowers.exactFives.contains(exponent) ? floor == power : floor < power, "5^\(exponent)")
            #expect(power < ExactDecimal(value + 1, twoTo: scale), "5^\(exponent)")
        }
    }

    @Test func `each power of ten is exact`() {
        for exponent in DecimalPowers.exactTens {
            let ten = DecimalPowers.ten(to: exponent)
            let exact = ExactDecimal(UInt128(ten.significandBitPattern | 1 << 52), twoTo: Int(ten.exponent) - 52)
            #expect(exact == ExactDecimal("1e\(exponent)"))
        }
    }

    /// Threads that race for the first use must all come to see one and the same table.
    @Test func `all threads get the same entries`() async {
        await withTaskGroup(of: DecimalPowers.Five.self) { group in
            for _ in 0..<16 { group.addTask { DecimalPowers.five(to: 1) } }
            for await five in group { #expect(five == DecimalPowers.Five(high: 5 << 61, low: 0)) }
        }
    }

    @Test func `each power of ten is between its binary exponent and the next`() {
        for exponent in DecimalPowers.fives {
            let floor = ExactDecimal(1, twoTo: DecimalPowers.binaryExponent(ofTenTo: exponent))
            let ceiling = ExactDecimal(1, twoTo: DecimalPowers.binaryExponent(ofTenTo: exponent) + 1)
            let ten = ExactDecimal("1e\(exponent)")
            #expect(!(ten < floor) && ten < ceiling, "10^\(exponent)")
        }
    }
}

@Suite("Natural numbers of arbitrary size") struct BigNaturalTests {
    /// 5^n divided by 5 n times is 1 again, over all limb borders on the way.
    @Test(arguments: [0, 1, 26, 27, 28, 54, 55, 342, 1142])
    func `dividing a power of five by five gives one in the end`(exponent: Int) {
        var number = BigNatural(1)
        number.multiply(byFiveTo: exponent)
        for _ in 0..<exponent { number.divide(by: 5) }
        #expect(number == BigNatural(1))
    }

    @Test(arguments: [0, 1, 63, 64, 65, 127, 128, 1000]) func `shifts multiply by powers of two`(count: Int) {
        var shifted = BigNatural(.max)
        shifted.shiftLeft(by: count)
        var doubled = BigNatural(.max)
        for _ in 0..<count { doubled.multiply(by: 2) }
        #expect(shifted == doubled)
        var zero = BigNatural(0)
        zero.shiftLeft(by: count)
        #expect(zero == BigNatural(0))
    }

    @Test func `multiplication carries through all limbs`() {
        var number = BigNatural(.max)
        number.multiply(by: .max, adding: .max)  // (2^64 - 1)^2 + 2^64 - 1 = 2^128 - 2^64
        var expected = BigNatural(.max)
        expected.shiftLeft(by: 64)
        #expect(number == expected)
        #expect(number.leadingBits == DecimalPowers.Five(high: .max, low: 0))
    }

    @Test func `numbers are compared by length, then from the top limb`() {
        var long = BigNatural(1)
        long.shiftLeft(by: 64)
        var longer = BigNatural(1)
        longer.shiftLeft(by: 64)
        longer.multiply(by: 1, adding: 1)
        #expect(BigNatural(.max) < long)
        #expect(long < longer)
        #expect(!(longer < long))
        #expect(!(long < long))
    }
}
