import Sluice
import Testing

#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

/// Equal times make equal dates, in each form, and a date is written with the fewest digits.
struct EqualDateTests {
    private static let strategies: [JSONDateStrategy] = [.automatic, .secondsSince1970, .millisecondsSince1970]

    private func encode(_ date: Date, _ strategy: JSONDateStrategy) throws -> String {
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = strategy
        return try encoder.encode(date, as: .string)
    }

    private func decode(_ text: String, _ strategy: JSONDateStrategy) throws -> Date {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = strategy
        return try decoder.decode(Date.self, from: text)
    }

    @Test func `whole milliseconds are written whole`() throws {
        for milliseconds in [1, 999, 250_000_000_123, -1, -530_000_000_001, 1_674_036_251_123, 978_307_200_001] {
            let date = try decode("\(milliseconds)", .millisecondsSince1970)
            #expect(try encode(date, .millisecondsSince1970) == "\(milliseconds)")
        }
        #expect(try encode(decode("0.001", .secondsSince1970), .secondsSince1970) == "0.001")
        #expect(try encode(decode("-0.25", .secondsSince1970), .secondsSince1970) == "-0.25")
        #expect(
            try encode(Date(timeIntervalSince1970: 1_674_036_251.123), .automatic) == #""2023-01-18T10:04:11.123Z""#
        )
        #expect(try encode(Date(timeIntervalSince1970: 1_674_036_251.123), .secondsSince1970) == "1674036251.123")
        #expect(try decode("1674036251.123", .secondsSince1970) == Date(timeIntervalSince1970: 1_674_036_251.123))
    }

    @Test func `the same instant as text and as a number is the same date`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &generator)
            let fraction = String(Int.random(in: 0..<1_000_000_000_000, using: &generator) + 1_000_000_000_000)
                .dropFirst().prefix(count)
            let seconds = Int.random(in: 0..<4_000_000_000, using: &generator)
            let whole = try encode(Date(timeIntervalSince1970: Double(seconds)), .automatic)
            let text = String(whole.dropLast(2)) + ".\(fraction)Z\""
            let date = try decode(text, .automatic)
            #expect(try decode("\(seconds).\(fraction)", .automatic) == date)
            #expect(try decode("\(seconds).\(fraction)", .secondsSince1970) == date)
            let milliseconds = "\(seconds)\((fraction + "000").prefix(3)).\(fraction.dropFirst(3))0"
            #expect(try decode(milliseconds, .millisecondsSince1970) == date, "\(milliseconds)")
        }
    }

    @Test func `every date is decoded from its text`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let range = [1.0, 1e3, 1e5, 1e9, 5e9, 6e10].randomElement(using: &generator)!
            let time = Double.random(in: -range...range, using: &generator)
            for date in [Date(timeIntervalSinceReferenceDate: time), Date(timeIntervalSince1970: time)] {
                for strategy in Self.strategies {
                    let text = try encode(date, strategy)
                    #expect(try decode(text, strategy) == date, "\(text)")
                }
            }
        }
        for time in [1e300, -1e20, 9e15, 1e16, -9.1e15 + 0.5] {
            for strategy in Self.strategies.dropFirst() {
                let date = Date(timeIntervalSinceReferenceDate: time)
                let distance = try decode(encode(date, strategy), strategy).timeIntervalSince(date)
                #expect(abs(distance) <= 2 * time.ulp)
            }
        }
    }
}
