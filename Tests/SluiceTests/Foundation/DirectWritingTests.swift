import Foundation
import Sluice
import SluiceCore
import Testing

/// Types of Foundation that are written by digits have the texts of Foundation.
@Suite struct DirectWritingTests {
    private func text(_ value: some JSONConvertible, _ encoder: JSONModelEncoder = JSONModelEncoder()) throws
        -> String
    {
        try encoder.encode(value, as: .string)
    }

    @Test func `decimals have all digits of their description`() throws {
        var random = SystemRandomNumberGenerator()
        var texts = [
            "0", "-0", "0.1", "-0.05", "1.50", "100", "0.00", "1e20", "-12e3", "123456789.987654321", "1e-38",
        ]
        for _ in 0..<2_000 {
            let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in "\(Int.random(in: 0...9))" }
                .joined()
            texts.append("\(Bool.random() ? "-" : "")\(digits)e\(Int.random(in: -45...20, using: &random))")
        }
        for text in texts {
            let value = try #require(Decimal(string: text))
            guard value.isFinite else { continue }
            #expect(try self.text(value) == value.description, "\(text)")
        }
        // Sums and products are not in the form that a text makes.
        let third = Decimal(1) / 3
        for value in [
            third, third * 3, third * 1000, Decimal(25) / 100 + Decimal(75) / 100, -third, Decimal(10) * 10,
        ] {
            #expect(try text(value) == value.description)
        }
        #expect(throws: JSONModelError.self) { try text(Decimal.nan) }
    }

    @Test func `UUIDs are in uppercase`() throws {
        for _ in 0..<200 {
            let value = UUID()
            #expect(try text(value) == "\"\(value.uuidString)\"")
        }
    }

    @Test func `data of every length is base64`() throws {
        var slashes = JSONModelEncoder()
        slashes.escapesSlashes = true
        for length in 0..<70 {
            let value = Data(
                (0..<length).map { _ in UInt8.random(in: 0...255) } + (length % 5 == 0 ? [0xFF, 0xFF] : []))
            #expect(try text(value) == "\"\(value.base64EncodedString())\"")
            #expect(
                try text(value, slashes)
                    == "\"\(value.base64EncodedString().replacingOccurrences(of: "/", with: #"\/"#))\"")
        }
    }

    @Test func `whole seconds are ISO 8601 in UTC`() throws {
        let formatter = ISO8601DateFormatter()
        // Every 31st day of the years 1600 to 9999, at a varying time.
        var seconds = -11_676_096_000
        while seconds < 253_402_300_800 {
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(try text(date) == "\"\(formatter.string(from: date))\"")
            seconds += 31 * 86_400 + 3_661
        }
        for (seconds, expected) in [
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        ] {
            #expect(try text(Date(timeIntervalSince1970: Double(seconds))) == "\"\(expected)\"")
        }
        for seconds in [-62_167_219_201, 253_402_300_800] {
            #expect(throws: JSONModelError.self) { try text(Date(timeIntervalSince1970: Double(seconds))) }
        }
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = .secondsSince1970
        for seconds in [0, -1, 1_700_000_000, -62_167_219_201, 9_007_199_254_740_992, 5_000_000_000_000_000] {
            #expect(try text(Date(timeIntervalSince1970: Double(seconds)), encoder) == "\(seconds)")
        }
    }

    @Test func `milliseconds are those of Foundation, and transforms write the texts of strategies`() throws {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var random = SystemRandomNumberGenerator()
        var encoder = JSONModelEncoder()
        for _ in 0..<2_000 {
            let milliseconds = Int.random(in: -11_676_096_000_000..<253_402_300_800_000, using: &random)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let model = Moments(iso: date, fraction: date, seconds: date, milliseconds: date)
            let iso = try JSONDateStrategy.iso8601.encode(date).string ?? ""
            let fraction = try JSONDateStrategy.iso8601WithFractionalSeconds.encode(date).string ?? ""
            let seconds = try JSONDateStrategy.secondsSince1970.encode(date)
            #expect(fraction == formatter.string(from: date) && iso == "\(fraction.prefix(19))Z")
            #expect(
                try text(model, encoder)
                    == #"{"iso":"\#(iso)","fraction":"\#(fraction)","seconds":\#(seconds),"milliseconds":\#(milliseconds)}"#
            )
            encoder.dateStrategy = .secondsSince1970
            #expect(try text(date, encoder) == "\(seconds)")
        }
    }

    struct Moments: JSONModel {
        var iso: Date, fraction: Date, seconds: Date, milliseconds: Date

        static let plan = ModelPlan<Moments>(
            JSONField(\.iso, key: "iso", transform: .iso8601),
            JSONField(\.fraction, key: "fraction", transform: .iso8601WithFractionalSeconds),
            JSONField(\.seconds, key: "seconds", transform: .seconds),
            JSONField(\.milliseconds, key: "milliseconds", transform: .milliseconds))
    }

    enum Color: String, JSONConvertible { case red, green }

    struct Uppercase: JSONTransform {
        func decode(_ json: JSONRaw) throws -> String { "\(json)".lowercased() }
        func encode(_ value: String) throws -> JSONRaw { try JSONRaw("[\"\(value.uppercased())\"]") }
    }

    @Test func `a transform of the raw values applies`() throws {
        var encoder = JSONModelEncoder()
        #expect(try text([Color.red, .green], encoder) == #"["red","green"]"#)
        encoder.register(Uppercase())
        #expect(try text(["red"], encoder) == #"[["RED"]]"#)
        #expect(try text([Color.red, .green], encoder) == #"[["RED"],["GREEN"]]"#)
    }

    struct Stamp: RawRepresentable, JSONConvertible, Equatable { let rawValue: Date }

    @Test func `the date strategy applies to raw values in both directions`() throws {
        var (decoder, encoder) = (JSONModelDecoder(), JSONModelEncoder())
        let stamps = [Stamp(rawValue: Date(timeIntervalSince1970: 5))]
        let json = try text(stamps, encoder)
        #expect(json == #"["1970-01-01T00:00:05Z"]"#)
        #expect(try decoder.decode([Stamp].self, from: json) == stamps)
        decoder.dateStrategy = .secondsSince1970
        encoder.dateStrategy = .secondsSince1970
        #expect(try text(stamps, encoder) == "[5]")
        #expect(try decoder.decode([Stamp].self, from: "[5]") == stamps)
    }
}
