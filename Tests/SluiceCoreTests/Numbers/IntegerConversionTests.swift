import TestSupport
import Testing

@testable import SluiceCore

@Suite("Conversions to integers") struct IntegerConversionTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("-0.0", 0), ("0e999999999999", 0), ("0.000e-999999999999", 0), ("1.0", 1),
        ("1e2", 100), ("100e-2", 1), ("-1.5e1", -15), ("12.50e1", 125), ("1.00000000000000000000000", 1),
        ("0.00000000000000000000000000001e30", 10), ("-120000000000000000000000e-21", -120),
        ("1270000000000000000000000000000000000000000000e-43", 127),
    ])
    func `whole numbers in any spelling are integers`(text: String, value: Int8) throws {
        #expect(integer(text, as: Int8.self) == .value(value))
        #expect(integer(text, as: Int64.self) == .value(Int64(value)))
        #expect(integer(text, as: Int128.self) == .value(Int128(value)))
        #expect(integer(text, as: UInt64.self) == (value < 0 ? .failure(.outOfRange) : .value(UInt64(value))))
        #expect(integer(text, as: UInt128.self) == (value < 0 ? .failure(.outOfRange) : .value(UInt128(value))))
    }

    @Test(arguments: [
        "1.5", "-0.1", "1e-1", "15e-1", "1e-999999999999", "9e-20", "0.99999999999999999999999999",
        "1.00000000000000000000000001", "123456789012345678901234567890123456789012345678901234567890.5",
        "10000000000000000000000000000000000000000000000000000000000001e-1",
    ])
    func `fractions are not integers`(text: String) {
        #expect(integer(text, as: Int8.self) == .failure(.notInteger))
        #expect(integer(text, as: UInt64.self) == .failure(.notInteger))
        #expect(integer(text, as: Int128.self) == .failure(.notInteger))
    }

    @Test(arguments: [
        "1e39", "1e999999999999", "1.5e400", "340282366920938463463374607431768211456", "4e38",
        "999999999999999999999999999999999999999", "1000000000000000000000000000000000000000",
        "-170141183460469231731687303715884105729", "-1e39", "340282366920938463463374607431768211456.0",
        "3.40282366920938463463374607431768211456e38",
    ])
    func `numbers beyond the range of all types are refused`(text: String) {
        #expect(integer(text, as: Int8.self) == .failure(.outOfRange))
        #expect(integer(text, as: Int64.self) == .failure(.outOfRange))
        #expect(integer(text, as: Int128.self) == .failure(.outOfRange))
        #expect(integer(text, as: UInt128.self) == .failure(.outOfRange))
    }

    @Test func `integers of every width hold their bounds`() {
        for type in IntegerTypes.all { checkEnds(of: type) }
    }

    private func checkEnds<T: FixedWidthInteger & Sendable>(of type: T.Type) {
        for distance in 0...2 as ClosedRange<T> {
            #expect(integer("\(T.max - distance)", as: type) == .value(T.max - distance))
            #expect(integer("\(T.min + distance)", as: type) == .value(T.min + distance))
        }
        // The greatest value in other spellings.
        #expect(integer("\(T.max).000", as: type) == .value(.max))
        #expect(integer("\(T.max)000e-3", as: type) == .value(.max))
        let digits = "\(T.max)"
        #expect(integer("\(digits.prefix(1)).\(digits.dropFirst())e\(digits.count - 1)", as: type) == .value(.max))
        #expect(integer("\(T.max)0", as: type) == .failure(.outOfRange))
        #expect(integer(T.textAbove, as: type) == .failure(.outOfRange))
        #expect(integer(T.textBelow, as: type) == .failure(.outOfRange))
    }

    // MARK: Random numbers

    /// A magnitude and a spelling for it, against the standard library's conversion of the number itself.
    @Test func `random integers in random spellings keep their value`() {
        NumberCases.run(0.15, "integer") { generator in
            let bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
            let magnitude = bits >> UInt128(generator.below(128))
            let sign = generator.below(2) == 0 ? "" : "-"
            let digits = String(magnitude)
            let text: String
            switch generator.below(4) {
            case 0: text = ExactDecimal(digits).text(whole: generator.below(digits.count + 1))
            case 1:
                let zeros = generator.below(30)
                text = digits + String(repeating: "0", count: zeros) + "e-\(zeros)"
            case 2: text = digits + "." + String(repeating: "0", count: 1 + generator.below(20))
            default: text = digits
            }
            return complaint(about: sign + text, whichIs: sign + digits)
        }
    }

    @Test func `random fractions are not integers`() {
        NumberCases.run(0.05, "fraction") { generator in
            let digits = generator.digits(1 + generator.below(45)) + "\(1 + generator.below(9))"
            let text = ExactDecimal(digits).text(whole: generator.below(digits.count), zeros: generator.below(9))
            let shifted = text.prefix { $0 != "e" }
            return integer(String(shifted), as: Int128.self) == .failure(.notInteger) ? nil : String(shifted)
        }
    }

    private func complaint(about text: String, whichIs digits: String) -> String? {
        let agree =
            agrees(text, digits, Int8.self) && agrees(text, digits, UInt8.self) && agrees(text, digits, Int16.self)
            && agrees(text, digits, UInt16.self) && agrees(text, digits, Int32.self)
            && agrees(text, digits, UInt32.self) && agrees(text, digits, Int64.self)
            && agrees(text, digits, UInt64.self) && agrees(text, digits, Int128.self)
            && agrees(text, digits, UInt128.self)
        return agree ? nil : text
    }

    private func agrees<T: FixedWidthInteger>(_ text: String, _ digits: String, _: T.Type) -> Bool {
        integer(text, as: T.self) == T(digits).map { .value($0) } ?? .failure(.outOfRange)
    }
}
