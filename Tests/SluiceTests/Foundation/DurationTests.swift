import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct DurationTests {
    private struct Lap: JSONModel, Codable, Equatable {
        var time: Duration
        var limit: Duration?
        var parts: [Duration] = []
        var named: [String: Duration] = [:]

        static let plan = ModelPlan<Lap>(
            JSONField(\.time, key: "time"), JSONField(\.limit, key: "limit"),
            JSONField(\.parts, key: "parts", default: []), JSONField(\.named, key: "named", default: [:]))
    }

    private static func duration(_ seconds: Int64, _ attoseconds: Int64 = 0) -> Duration {
        Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }

    @Test func `durations of a model are seconds`() throws {
        let text = #"{"time":90,"limit":1.5,"parts":[0.1,-0.000000000000000001,2],"named":{"a":0.25}}"#
        let lap = Lap(
            time: .seconds(90), limit: .milliseconds(1500),
            parts: [.milliseconds(100), Self.duration(0, -1), .seconds(2)], named: ["a": .milliseconds(250)])
        #expect(try decode(Lap.self, text) == lap)
        #expect(try JSONModelEncoder().encode(lap, as: .string) == text)
        #expect(try decode(Lap.self, #"{"time":1,"limit":null}"#) == Lap(time: .seconds(1)))
    }

    @Test(arguments: [
        ("0", duration(0)), ("1", duration(1)), ("-1", duration(-1)), ("0.1", duration(0, 100_000_000_000_000_000)),
        ("-0.5", duration(0, -500_000_000_000_000_000)), ("-1.5", duration(-1, -500_000_000_000_000_000)),
        ("0.000000000000000001", duration(0, 1)), ("-0.000000000000000001", duration(0, -1)),
        ("9223372036854775807.999999999999999999", duration(.max, 999_999_999_999_999_999)),
        ("-9223372036854775808", duration(.min)),
        ("-9223372036854775808.999999999999999999", duration(.min, -999_999_999_999_999_999)),
        ("1000000", duration(1_000_000)), ("10.00000000000000001", duration(10, 10)),
    ])
    func `durations are exact in both directions`(text: String, duration: Duration) throws {
        #expect(try decode(Duration.self, text) == duration)
        #expect(try JSONModelEncoder().encode(duration, as: .string) == text)
    }

    @Test(arguments: [
        ("1e3", duration(1000)), ("1.5E+1", duration(15)), ("25e-1", duration(2, 500_000_000_000_000_000)),
        ("-0", duration(0)), ("0e999999999999999999999", duration(0)), ("0.0E-99999999999999999999", duration(0)),
        ("1e-18", duration(0, 1)), ("1e-99999999999999999999", duration(0)), ("0.000e5", duration(0)),
        ("5e-19", duration(0, 1)), ("4.9999e-19", duration(0)), ("-5e-19", duration(0, -1)), ("1e-20", duration(0)),
        ("0.30000000000000004", duration(0, 300_000_000_000_000_040)),
        ("0.0123456789012345678999", duration(0, 12_345_678_901_234_568)),
        ("9.9999999999999999999", duration(10)), ("0.00000000000000000050", duration(0, 1)),
        ("1.00000000000000000000000000000000000000000000000000000000", duration(1)),
    ])
    func `numbers in other forms are durations`(text: String, duration: Duration) throws {
        #expect(try decode(Duration.self, text) == duration)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "9223372036854775807.9999999999999999999", "1e19", "1e999",
        "-1e999999999999999999999", "99999999999999999999999999999999999999999999999999",
    ])
    func `numbers beyond the range are errors`(text: String) {
        let issue = issue(Duration.self, text)
        #expect(issue?.kind == .numberOutOfRange(type: "Duration", text: text))
        #expect(issue?.description == "\(text) does not fit in Duration at $ (line 1, column 1, offset 0)")
    }

    @Test func `a duration whose seconds an integer of 64 bits does not hold is an error`() throws {
        let durations: [Duration] = [
            Duration.seconds(Int64.max) + Duration.seconds(1), Duration.seconds(Int64.min) - Duration.seconds(1),
            Duration.seconds(Int64.max) + Duration.seconds(Int64.max),
        ]
        for duration in durations {
            let issue = try encodingRefusal(Lap(time: duration))
            #expect(
                issue.kind == .notEncodable("the seconds of the duration are beyond the range of Int64"))
            #expect(issue.path == "time")
            #expect(throws: JSONModelError.ConversionFailure.self) {
                try _JSONTransforms.DurationMilliseconds().encode(duration)
            }
            #expect(throws: JSONModelError.ConversionFailure.self) {
                try _JSONTransforms.DurationSeconds().encode(duration)
            }
        }
    }

    @Test func `other values are errors at their path`() {
        for (text, found) in [
            ("\"1\"", "a string"), ("true", "a boolean"), ("[1,2]", "an array"), ("{}", "an object"),
        ] {
            let issue = issue(Lap.self, #"{"time":1,"parts":[1,\#(text)]}"#)
            #expect(issue?.kind == .typeMismatch(expected: "a number of seconds", found: found))
            #expect(issue?.path == "parts[1]")
        }
        #expect(issue(Lap.self, #"{"time":null}"#)?.path == "time")
    }

    @Test func `durations in Codable types are seconds for decoders of models`() throws {
        struct Race: Codable, Equatable { var laps: [Duration], best: Duration? }
        let race = Race(laps: [.seconds(1), .milliseconds(2500)], best: .milliseconds(-1))
        let text = #"{"laps":[1,2.5],"best":-0.001}"#
        #expect(try JSONModelDecoder().decode(Race.self, from: text) == race)
        #expect(try JSONModelEncoder().encode(race, as: .string) == text)
    }

    @Test func `durations in Codable types are those of Foundation for its stand-ins`() throws {
        struct Race: Codable, Equatable { var laps: [Duration], best: Duration?, named: [String: Duration] }
        let race = Race(
            laps: [.seconds(1), .milliseconds(2500), Self.duration(.max, 1)], best: .milliseconds(-1),
            named: ["a": .zero])
        let (foundation, sluice) = (JSONEncoder(), SluiceJSONEncoder())
        foundation.outputFormatting = .sortedKeys
        sluice.outputFormatting = .sortedKeys
        let data = try foundation.encode(race)
        #expect(try sluice.encode(race) == data)
        #expect(try SluiceJSONDecoder().decode(Race.self, from: data) == race)
        #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Duration].self, from: Data("[1]".utf8))
        }
    }

    @Test func `a model inside of a Codable type has durations in seconds`() throws {
        struct Race: Codable, Equatable { var lap: Lap }
        let race = Race(lap: Lap(time: .milliseconds(1500)))
        let data = try SluiceJSONEncoder().encode(race)
        #expect(String(decoding: data, as: UTF8.self) == #"{"lap":{"time":1.5,"parts":[],"named":{}}}"#)
        #expect(try SluiceJSONDecoder().decode(Race.self, from: data) == race)
    }

    @Test func `transforms and registered transforms have milliseconds`() throws {
        struct Lap: JSONModel, Equatable {
            let time: Duration
            let pause: Duration
            static let plan = ModelPlan<Lap>(
                JSONField(\.time, key: "time"), JSONField(\.pause, key: "pause", transform: .durationMilliseconds))
        }
        let lap = Lap(time: .seconds(2), pause: .microseconds(1_500))
        #expect(try decode(Lap.self, #"{"time":2,"pause":1.5}"#) == lap)
        #expect(try JSONModelEncoder().encode(lap, as: .string) == #"{"time":2,"pause":1.5}"#)
        var decoder = JSONModelDecoder()
        decoder.register(.durationMilliseconds)
        var encoder = JSONModelEncoder()
        encoder.register(.durationMilliseconds)
        #expect(
            try decoder.decode([Duration].self, from: "[2, 0.25, -1e15]") == [
                .milliseconds(2), .microseconds(250), .seconds(-1_000_000_000_000),
            ])
        #expect(
            try encoder.encode([Duration.seconds(1), Self.duration(0, 1)], as: .string)
                == "[1000,0.000000000000001]")
        #expect(throws: JSONModelError.ConversionFailure.self) {
            try _JSONTransforms.DurationMilliseconds().decode(JSONNumber(UInt128(1) << 100))
        }
    }

    @Test func `random durations survive a round trip`() throws {
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: .min ... .max) >> Int64.random(in: 0..<64)
            let fraction = Int64.random(in: 0..<1_000_000_000_000_000_000) >> Int64.random(in: 0..<60)
            let value = Self.duration(seconds, seconds < 0 ? -fraction : fraction)
            #expect(try JSONModelDecoder().decode(Duration.self, from: JSONModelEncoder().encode(value)) == value)
        }
    }
}
