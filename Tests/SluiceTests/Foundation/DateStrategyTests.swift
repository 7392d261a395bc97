import Foundation
import Sluice
import SluiceCore
import TestSupport
import Testing

@Suite struct DateStrategyTests {
    private static let noon = Date(timeIntervalSince1970: 1_714_979_289)

    private func decode(_ text: String, _ strategy: JSONDateStrategy) throws -> Date {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = strategy
        return try decoder.decode(Date.self, from: text)
    }

    private func refusal(_ text: String, _ strategy: JSONDateStrategy) -> JSONIssue.Kind? {
        let error = #expect(throws: JSONModelError.self, "\(text)") { try decode(text, strategy) }
        return error?.issues.first?.kind
    }

    // MARK: Reading

    @Test func `the iso8601 strategies accept strings only`() throws {
        for strategy in [JSONDateStrategy.iso8601, .iso8601WithFractionalSeconds] {
            #expect(try decode(#""2024-05-06T07:08:09Z""#, strategy) == Self.noon)
            #expect(try decode(#""2024-05-06T09:08:09.5+02:00""#, strategy) == Self.noon + 0.5)
            #expect(
                refusal("1714979289", strategy)
                    == .typeMismatch(expected: "a date (ISO 8601 text)", found: "a number"))
        }
    }

    @Test func `the automatic strategy accepts strings and numbers`() throws {
        #expect(try decode(#""2024-05-06T07:08:09Z""#, .automatic) == Self.noon)
        #expect(try decode("1714979289", .automatic) == Self.noon)
    }

    @Test(arguments: [
        ("1700000000000", true), ("253402300800", true), ("-62135596801", true), ("1e14", true),
        ("1700000000000000000", false), ("-1e300", false),
    ])
    func `the automatic strategy rejects numbers whose year is not 1 to 9999`(text: String, isHinted: Bool) throws {
        let error = #expect(throws: JSONModelError.self) { try decode(text, .automatic) }
        let issue = try #require(error?.issues.first)
        #expect(
            issue.kind
                == .invalidValue(
                    expected: "a date (ISO 8601 text, or seconds since 1970)",
                    reason: "\(text) seconds since 1970 lie outside the years 1 to 9999"))
        #expect(
            issue.hint
                == (isHinted ? "for milliseconds, use JSONDateStrategy.millisecondsSince1970" : nil))
        // Who asks for seconds gets them.
        #expect(try decode(text, .secondsSince1970).timeIntervalSince1970 == Double(text))
    }

    @Test func `the automatic strategy accepts the first and last second of the years 1 to 9999`() throws {
        for seconds in [-62_135_596_800, 253_402_300_799] {
            #expect(try decode("\(seconds)", .automatic).timeIntervalSince1970 == Double(seconds))
        }
    }

    @Test func `the numeric strategies accept numbers in their unit only`() throws {
        #expect(try decode("1714979289", .secondsSince1970) == Self.noon)
        #expect(try decode("-0.5", .secondsSince1970) == Date(timeIntervalSince1970: -0.5))
        #expect(try decode("1714979289000", .millisecondsSince1970) == Self.noon)
        #expect(try decode("1.714979289125e12", .millisecondsSince1970) == Self.noon + 0.125)
        let expected = "a date (milliseconds since 1970)"
        #expect(
            refusal(#""2024-05-06T07:08:09Z""#, .millisecondsSince1970)
                == .typeMismatch(expected: expected, found: "a string"))
        #expect(
            refusal("true", .secondsSince1970)
                == .typeMismatch(expected: "a date (seconds since 1970)", found: "a boolean"))
        #expect(refusal("1e400", .millisecondsSince1970) == .numberOutOfRange(type: "Date", text: "1e400"))
    }

    #if Foundation || canImport(Darwin)
    @Test func `a format with a time zone decodes dates`() throws {
        let german = JSONDateStrategy.format("dd.MM.yyyy HH:mm:ss")
        #expect(try decode(#""06.05.2024 07:08:09""#, german) == Self.noon)
        let berlin = JSONDateStrategy.format(
            "yyyy-MM-dd HH:mm:ss", timeZone: TimeZone(identifier: "Europe/Berlin")!)
        #expect(try decode(#""2024-05-06 09:08:09""#, berlin) == Self.noon)
        // The format's own zone counts more than the strategy's.
        let zoned = JSONDateStrategy.format("yyyy-MM-dd'T'HH:mm:ssZ", timeZone: TimeZone(identifier: "Asia/Tokyo")!)
        #expect(try decode(#""2024-05-06T09:08:09+0200""#, zoned) == Self.noon)
        let english = JSONDateStrategy.format("EEE MMM dd HH:mm:ss Z yyyy")
        #expect(try decode(#""Mon May 06 07:08:09 +0000 2024""#, english) == Self.noon)
    }

    @Test(arguments: ["2024-05-06", "06.05.2024", "06.05.2024 07:08:09 Uhr", "31.02.2024 00:00:00", "", "gestern"])
    func `a format refuses other strings`(text: String) {
        #expect(
            refusal("\"\(text)\"", .format("dd.MM.yyyy HH:mm:ss"))
                == .invalidValue(
                    expected: "a date (dd.MM.yyyy HH:mm:ss)", reason: "\"\(text)\" is not like dd.MM.yyyy HH:mm:ss")
        )
    }

    @Test func `a format refuses numbers`() {
        #expect(
            refusal("1714979289", .format("yyyy"))
                == .typeMismatch(expected: "a date (yyyy)", found: "a number"))
    }
    #endif

    private struct Unlucky: Error {}
    private static let days = JSONDateStrategy.custom(
        decode: { scalar in
            guard let days = scalar.double else { throw JSONModelError.ConversionFailure.mismatch }
            if days == 13 { throw Unlucky() }
            return Date(timeIntervalSince1970: days * 86_400)
        },
        encode: { .number(JSONNumber(Int($0.timeIntervalSince1970 / 86_400))) })

    @Test func `a custom strategy calls its closures`() throws {
        #expect(try decode("2", Self.days) == Date(timeIntervalSince1970: 172_800))
        #expect(refusal(#""x""#, Self.days) == .typeMismatch(expected: "a date", found: "a string"))
        #expect(refusal("13", Self.days) == .thrown)
        #expect(try Self.days.encode(Date(timeIntervalSince1970: 172_800)) == 2)
    }

    private struct Event: JSONModel, Equatable {
        let at: Date
        let until: Date?
        let others: [Date?]
        let byName: [String: Date]
        static let plan = ModelPlan<Event>(
            JSONField(\.at, key: "at"), JSONField(\.until, key: "until"), JSONField(\.others, key: "others"),
            JSONField(\.byName, key: "byName"))
    }

    /// Wherever in a model they stand, from every source, and decoders do not disturb one another.
    @Test func `the strategy applies to dates in every position`() throws {
        let text = #"{"at":1000,"until":2000,"others":[3000,null],"byName":{"a":4000}}"#
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            let before = try decoder.decode(Event.self, from: text)
            decoder.dateStrategy = .millisecondsSince1970
            let event = try decoder.decode(Event.self, from: text)
            func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
            #expect(event == Event(at: date(1), until: date(2), others: [date(3), nil], byName: ["a": date(4)]))
            #expect(
                before
                    == Event(
                        at: date(1000), until: date(2000), others: [date(3000), nil], byName: ["a": date(4000)]))
        }
    }

    #if Foundation || canImport(Darwin)
    @Test func `many threads can share the formatter of a decoder`() async throws {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = .format("yyyy-MM-dd HH:mm:ss")
        let fixed = decoder
        try await withThrowingTaskGroup(of: [Date].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<200).map { second in
                        let text = "\"2024-05-06 07:08:\(second % 60 < 10 ? "0" : "")\(second % 60)\""
                        return try fixed.decode(Date.self, from: text)
                    }
                }
            }
            for try await dates in group {
                #expect(dates == (0..<200).map { Self.noon - 9 + Double($0 % 60) })
            }
        }
    }
    #endif
}

@Suite struct DateWritingTests {
    @Test(
        arguments: [
            (1_714_979_289, "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.000Z", "2024-05-06T07:08:09Z"),
            (1_714_979_289.5, "2024-05-06T07:08:09Z", "2024-05-06T07:08:09.500Z", "2024-05-06T07:08:09.5Z"),
            (0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00Z"),
            (-0.25, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.750Z", "1969-12-31T23:59:59.75Z"),
            (978_307_199.9999, "2000-12-31T23:59:59Z", "2001-01-01T00:00:00.000Z", nil),
            (951_782_400, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z", "2000-02-29T00:00:00Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z", "9999-12-31T23:59:59Z"),
        ] as [(Double, String, String, String?)])
    func `ISO 8601 dates are written with whole seconds, milliseconds or the shortest fraction`(
        seconds: Double, whole: String, milliseconds: String, shortest: String?
    ) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try JSONDateStrategy.iso8601.encode(date).string == whole)
        #expect(try JSONDateStrategy.iso8601WithFractionalSeconds.encode(date).string == milliseconds)
        let automatic = try #require(try JSONDateStrategy.automatic.encode(date).string)
        if let shortest { #expect(automatic == shortest) }
        // A millisecond before 2001 has digits that no femtosecond tells.
        #expect(
            abs(try decode(Date.self, "\"\(automatic)\"").timeIntervalSince(date))
                < (shortest == nil ? 1e-15 : 1e-99)
        )
    }

    @Test(arguments: [
        -62_167_219_201, 253_402_300_800, .infinity, -.infinity, .nan, 1e300,
    ])
    func `dates outside of the years 0 to 9999 cannot be written as ISO 8601`(seconds: Double) {
        for strategy in [JSONDateStrategy.iso8601, .iso8601WithFractionalSeconds, .automatic] {
            #expect(throws: JSONModelError.ConversionFailure.self) {
                try strategy.encode(Date(timeIntervalSince1970: seconds))
            }
        }
    }

    @Test func `the last second of the year 9999 is not rounded up`() {
        let date = Date(timeIntervalSince1970: 253_402_300_799.9999)
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try JSONDateStrategy.iso8601WithFractionalSeconds.encode(date)
        }
        #expect((try? JSONDateStrategy.iso8601.encode(date).string) == "9999-12-31T23:59:59Z")
    }

    /// The seconds around 2001 have more digits than a fraction of fifteen tells.
    @Test func `dates near the reference date are read back exactly`() throws {
        var random = SeededRandom(seed: 13)
        var times: [Double] = [
            1e-300, .leastNonzeroMagnitude, 0.1 + 0.2 - 0.3, 1.0.nextUp, 1.0.nextDown, 0.5.nextUp, 65_535.0.nextUp,
            65_536.0.nextDown,
            65_536.0.nextUp, 65_537.0.nextDown, 65_537.0.nextUp, 978_307_199.9999 - 978_307_200, 2.0.nextDown,
        ]
        for _ in 0..<5_000 {
            let scale = [1e-20, 1e-16, 1e-9, 1e-6, 1e-3, 0.1, 1, 10, 1e3, 7e4].randomElement(using: &random)!
            times.append(Double.random(in: 0...1, using: &random) * scale)
        }
        for time in times.flatMap({ [$0, -$0] }) {
            let date = Date(timeIntervalSinceReferenceDate: time)
            let text = try #require(try JSONDateStrategy.automatic.encode(date).string)
            let back = try JSONModelDecoder().decode(Date.self, from: "\"\(text)\"")
            if back != date { Issue.record("\(text) is \(back.timeIntervalSinceReferenceDate), not \(time)") }
        }
    }

    @Test(arguments: [
        (0.5, "2001-01-01T00:00:00.5Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
        (1e-20, "2001-01-01T00:00:00.00000000000000000001Z"),
        (-1e-20, "2000-12-31T23:59:59.99999999999999999999Z"), (-1.0625, "2000-12-31T23:59:58.9375Z"),
        (3_661.001, "2001-01-01T01:01:01.001Z"),
    ])
    func `fractions near the reference date are written with the shortest exact digits`(time: Double, text: String)
        throws
    {
        #expect(try JSONDateStrategy.automatic.encode(Date(timeIntervalSinceReferenceDate: time)).string == text)
    }

    /// What is before the year 0 or after 9999 is refused; all else comes back.
    @Test func `dates at the ends of the calendar are read back or refused`() throws {
        for seconds in [-63_145_526_400, 252_423_993_600] as [Double] {
            for distance in [-86_400, -1.5, -1, -0.001, 0, 0.001, 1, 1.5, 86_400] {
                let date = Date(timeIntervalSinceReferenceDate: seconds + distance)
                do {
                    let text = try JSONModelEncoder().encode(date, as: .string)
                    #expect(try JSONModelDecoder().decode(Date.self, from: text) == date)
                    #expect((seconds < 0) == (distance >= 0))
                } catch {
                    #expect((seconds < 0) == (distance < 0))
                    #expect("\(error)".contains("outside the years 0000 to 9999 of ISO 8601"))
                }
            }
        }
    }

    @Test func `every millisecond is written exactly`() throws {
        for milliseconds in 0..<1000 {
            let digits = String(String(1000 + milliseconds).dropFirst())
            let text = "2024-05-06T07:08:09.\(digits)Z"
            let date = try decode(Date.self, "\"\(text)\"")
            #expect(try JSONDateStrategy.iso8601WithFractionalSeconds.encode(date).string == text)
            #expect(
                try JSONDateStrategy.millisecondsSince1970.encode(date).number?.description
                    == "\(1_714_979_289_000 + milliseconds)")
        }
    }

    @Test(arguments: [
        ("0", "0"), ("1714979289", "1714979289"), ("1714979289.125", "1714979289.125"), ("-0.5", "-0.5"),
        ("1714979289.1", "1714979289.1"), ("100000000000000000000", "1e+20"),
    ])
    func `seconds since 1970 are written exactly`(text: String, written: String) throws {
        let date = Date(timeIntervalSince1970: try #require(Double(text)))
        #expect(try JSONDateStrategy.secondsSince1970.encode(date).number?.description == written)
    }

    @Test func `infinite dates cannot be written as numbers`() {
        let date = Date(timeIntervalSince1970: .infinity)
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try JSONDateStrategy.secondsSince1970.encode(date)
        }
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try JSONDateStrategy.millisecondsSince1970.encode(date)
        }
    }

    #if Foundation || canImport(Darwin)
    @Test func `dates are written in a format`() throws {
        let date = Date(timeIntervalSince1970: 1_714_979_289)
        let berlin = TimeZone(identifier: "Europe/Berlin")!
        #expect(try JSONDateStrategy.format("yyyy-MM-dd").encode(date) == "2024-05-06")
        #expect(
            try JSONDateStrategy.format("EEEE, d. MMMM yyyy, HH:mm", timeZone: berlin).encode(date)
                == "Monday, 6. May 2024, 09:08")
    }
    #endif

    @Test func `decoders with equal date strategies share their plans`() {
        func plans(_ strategy: JSONDateStrategy) -> PlanCache {
            JSONModelDecoder.with { $0.dateStrategy = strategy }.planCache
        }
        func registered(_ strategy: JSONDateStrategy) -> PlanCache {
            JSONModelDecoder.with { $0.register(strategy) }.planCache
        }
        #expect(plans(.iso8601) === plans(.iso8601) && plans(.iso8601) !== plans(.secondsSince1970))
        #if Foundation || canImport(Darwin)
        let tokyo = TimeZone(identifier: "Asia/Tokyo")!
        #expect(
            plans(.format("yyyy")) === plans(.format("yyyy")) && plans(.format("yyyy")) !== plans(.format("yy")))
        #expect(plans(.format("yyyy")) !== plans(.format("yyyy", timeZone: tokyo)))
        #endif
        #expect(registered(.iso8601) === registered(.iso8601) && registered(.iso8601) !== plans(.iso8601))
        func custom() -> JSONDateStrategy { .custom(decode: { _ in Date() }, encode: { _ in .null }) }
        #expect(custom() != custom() && plans(custom()) !== plans(custom()))
    }
}
