import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct TimeTransformTests {
    private struct Times: JSONModel, Equatable {
        let text: Date
        let seconds: Date
        let milliseconds: Date?
        let plain: Date
        let timeout: Duration
        let laps: [Duration]
        static let plan = ModelPlan<Times>(
            JSONField(\.text, key: "text", transform: .iso8601),
            JSONField(\.seconds, key: "seconds", transform: .seconds),
            JSONField(\.milliseconds, key: "milliseconds", transform: .milliseconds),
            JSONField(\.plain, key: "plain"),
            JSONField(\.timeout, key: "timeout", transform: .durationSeconds),
            JSONField(\.laps, key: "laps", transform: .durationSeconds))
    }

    @Test func `transforms convert dates and durations of properties`() throws {
        try check(plain: "0", with: JSONModelDecoder())
    }

    /// Each in its own way, whatever the decoder has for dates without a transform.
    @Test func `transforms of properties override the date strategy of the decoder`() throws {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = .millisecondsSince1970
        try check(plain: "0.0", with: decoder)
        #if Foundation || canImport(Darwin)
        decoder.dateStrategy = .format("dd.MM.yyyy")
        try check(plain: #""01.01.1970""#, with: decoder)
        #endif
    }

    private func check(plain: String, with decoder: JSONModelDecoder) throws {
        let text = """
            {"text":"1970-01-01T00:00:01Z","seconds":2.5,"milliseconds":3500,"plain":\(plain),"timeout":0.1,
            "laps":[1,-2.000000000000000001]}
            """
        let times = try decoder.decode(Times.self, from: text)
        func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        #expect(
            times
                == Times(
                    text: date(1), seconds: date(2.5), milliseconds: date(3.5), plain: date(0),
                    timeout: .milliseconds(100),
                    laps: [.seconds(1), Duration(secondsComponent: -2, attosecondsComponent: -1)]))
    }

    #if Foundation || canImport(Darwin)
    @Test func `a date strategy is the transform of a property`() throws {
        struct Person: JSONModel {
            let birthday: Date?
            let visits: [Date]
            let changed: Date
            static let plan = ModelPlan<Person>(
                JSONField(\.birthday, key: "birthday", transform: JSONDateStrategy.format("yyyy-MM-dd")),
                JSONField(\.visits, key: "visits", transform: JSONDateStrategy.format("dd.MM.yyyy")),
                JSONField(\.changed, key: "changed"))
        }
        let text =
            #"{"birthday":"2000-02-29","visits":["01.03.2024","02.03.2024"],"changed":"1970-01-01T00:00:01Z"}"#
        let person = try JSONModelDecoder().decode(Person.self, from: text)
        #expect(person.birthday == Date(timeIntervalSince1970: 951_782_400))
        #expect(person.visits[1].timeIntervalSince(person.visits[0]) == 86_400)
        #expect(try JSONModelEncoder().encode(person, as: .string) == text)
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(
                Person.self, from: text.replacingOccurrences(of: "02.03.2024", with: "2024-03-02"))
        }
        #expect(error?.issues[0].path == "visits[1]")
        #expect(
            error?.issues[0].kind
                == .invalidValue(
                    expected: "a date (dd.MM.yyyy)", reason: #""2024-03-02" is not like dd.MM.yyyy"#))
    }
    #endif

    @Test func `a date strategy converts JSON values`() throws {
        #expect(try JSONDateStrategy.secondsSince1970.decode(1.5 as JSONValue) == Date(timeIntervalSince1970: 1.5))
        #expect(throws: JSONModelError.ConversionFailure.mismatch) {
            try JSONDateStrategy.secondsSince1970.decode("1" as JSONValue)
        }
        #expect(throws: JSONModelError.ConversionFailure.mismatch) {
            try JSONDateStrategy.iso8601.decode([1] as JSONValue)
        }
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try JSONDateStrategy.automatic.decode(1_714_979_289_000 as JSONValue)
        }
        struct Refusal: Error, Equatable {}
        let refusing = JSONDateStrategy.custom { _ in
            throw Refusal()
        } encode: { _ in
            .null
        }
        #expect(throws: Refusal()) { try refusing.decode(1 as JSONValue) }
    }

    @Test func `the short forms are the date strategies`() throws {
        func encoded<T: JSONTransform>(_ transform: T) throws -> JSONValue
        where T.JSON == JSONValue, T.Value == Date {
            let date = Date(timeIntervalSince1970: 1_714_979_289.25)
            let json = try transform.encode(date)
            #expect(try abs(transform.decode(json).timeIntervalSince(date)) <= 0.25)
            return json
        }
        #expect(try encoded(.iso8601) == "2024-05-06T07:08:09Z")
        #expect(try encoded(.iso8601WithFractionalSeconds) == "2024-05-06T07:08:09.250Z")
        #expect(try encoded(.seconds) == 1_714_979_289.25)
        #expect(try encoded(.milliseconds) == 1_714_979_289_250)
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = .iso8601
        #expect(try encoder.encode([Date(timeIntervalSince1970: 1.5)], as: .string) == #"["1970-01-01T00:00:01Z"]"#)
    }

    private struct Moments: JSONModel {
        let seconds: Date
        let milliseconds: Date
        let plain: Date
        let ratio: Double
        static let plan = ModelPlan<Moments>(
            JSONField(\.seconds, key: "seconds", transform: .seconds),
            JSONField(\.milliseconds, key: "milliseconds", transform: .milliseconds),
            JSONField(\.plain, key: "plain"), JSONField(\.ratio, key: "ratio"))
    }

    @Test(
        arguments: [
            (1_700_000_000, "1700000000", "1700000000000"), (0, "0", "0"), (-0.5, "-0.5", "-500"),
            (1_700_000_000.125, "1700000000.125", "1700000000125"), (0.000_976_562_5, "0.0009765625", "0.9765625"),
        ] as [(Double, String, String)])
    func `whole numbers of a date have no decimal point, and doubles keep theirs`(
        time: Double, seconds: String, milliseconds: String
    ) throws {
        let date = Date(timeIntervalSince1970: time)
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = .secondsSince1970
        let text = try encoder.encode(
            Moments(seconds: date, milliseconds: date, plain: date, ratio: 2), as: .string)
        #expect(
            text == #"{"seconds":\#(seconds),"milliseconds":\#(milliseconds),"plain":\#(seconds),"ratio":2.0}"#)
    }

    @Test func `numbers that do not fit in a date are errors`() throws {
        let rest = #","milliseconds":0,"plain":0,"ratio":0}"#
        let found = try #require(issue(Moments.self, #"{"seconds":1e400"# + rest))
        #expect(found.kind == .numberOutOfRange(type: "Date", text: "1e400"))
        let text = try #require(issue(Moments.self, #"{"seconds":"1""# + rest))
        #expect(text.kind == .typeMismatch(expected: "a date (seconds since 1970)", found: "a string"))
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try JSONDateStrategy.secondsSince1970.encode(Date(timeIntervalSince1970: .infinity))
        }
    }

    @Test(arguments: [
        ("0", Duration.zero), ("1", .seconds(1)), ("0.1", .milliseconds(100)), ("-1.5", .milliseconds(-1500)),
        ("0.000000000000000001", Duration(secondsComponent: 0, attosecondsComponent: 1)),
        (
            "9223372036854775807.999999999999999999",
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        ),
        ("-9223372036854775808", Duration(secondsComponent: .min, attosecondsComponent: 0)),
        ("3600000000000", .seconds(3_600_000_000_000)),
    ])
    func `durations equal their decimal seconds`(text: String, duration: Duration) throws {
        let decimal = try decode(Decimal.self, text)
        #expect(try _JSONTransforms.DurationSeconds().decode(decimal) == duration)
        #expect(try _JSONTransforms.DurationSeconds().encode(duration) == decimal)
        #expect("\(try _JSONTransforms.DurationSeconds().encode(duration))" == text)
    }

    @Test func `decimals that do not fit in a duration are errors`() throws {
        for text in ["9223372036854775808", "-9223372036854775809", "1e38", "-1e100"] {
            let decimal = try decode(Decimal.self, text)
            #expect(throws: JSONModelError.ConversionFailure.outOfRange) {
                try _JSONTransforms.DurationSeconds().decode(decimal)
            }
        }
        let fine = try decode(Decimal.self, "1e-19")
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try _JSONTransforms.DurationSeconds().decode(fine)
        }
    }
}
