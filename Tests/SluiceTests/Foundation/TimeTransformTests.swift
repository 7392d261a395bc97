import Foundation
import Sluice
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
            Field(\.text, key: "text", transform: JSONISO8601Date.self),
            Field(\.seconds, key: "seconds", transform: JSONSecondsDate.self),
            Field(\.milliseconds, key: "milliseconds", transform: JSONMillisecondsDate.self),
            Field(\.plain, key: "plain"),
            Field(\.timeout, key: "timeout", transform: JSONDurationSeconds.self),
            Field(\.laps, key: "laps", transform: JSONDurationSeconds.self))
    }

    @Test func properties() throws {
        try check(plain: "0", with: JSONModelDecoder())
    }

    /// Each in its own way, whatever the decoder has for dates without a transform.
    @Test func propertiesBesideOtherDates() throws {
        var decoder = JSONModelDecoder()
        decoder.dates = .format("dd.MM.yyyy")
        try check(plain: #""01.01.1970""#, with: decoder)
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

    @Test func dates() throws {
        let date = Date(timeIntervalSince1970: 1_714_979_289.25)
        #expect(try JSONISO8601Date.encode(date) == "2024-05-06T07:08:09.25Z")
        #expect(try JSONISO8601Date.decode("2024-05-06T07:08:09.25Z") == date)
        #expect(throws: JSONScalarProblem.self) { try JSONISO8601Date.decode("2024-05-06") }
        #expect(JSONSecondsDate.encode(date) == 1_714_979_289.25)
        #expect(JSONSecondsDate.decode(1_714_979_289.25) == date)
        #expect(JSONMillisecondsDate.encode(date) == 1_714_979_289_250)
        #expect(JSONMillisecondsDate.decode(1_714_979_289_250) == date)
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
    func durations(text: String, duration: Duration) throws {
        let decimal = try read(Decimal.self, text)
        #expect(try JSONDurationSeconds.decode(decimal) == duration)
        #expect(try JSONDurationSeconds.encode(duration) == decimal)
        #expect("\(try JSONDurationSeconds.encode(duration))" == text)
    }

    @Test func durationsThatAreNone() throws {
        for text in ["9223372036854775808", "-9223372036854775809", "1e38", "-1e100"] {
            let decimal = try read(Decimal.self, text)
            #expect(throws: JSONScalarProblem.outOfRange) { try JSONDurationSeconds.decode(decimal) }
        }
        let fine = try read(Decimal.self, "1e-19")
        #expect(throws: JSONScalarProblem.self) { try JSONDurationSeconds.decode(fine) }
    }
}
