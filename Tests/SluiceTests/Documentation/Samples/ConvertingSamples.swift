// swift-format-ignore-file
// Made from Sources/Sluice/Sluice.docc/Converting.md by `make samples`: change the document, not this file.
#if Macros
import Foundation
import Sluice
import Testing

@Suite struct ConvertingSamples {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 12)
@JSONModel(coercion: .mjExtension)
struct Row {
    let count: Int
    @JSONCoercion(.strict) let code: String
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 19)
@Test func `strings are converted`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 21)
var decoder = JSONModelDecoder()
decoder.coercion = .lenient
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 24)
#expect(try decoder.decode([Int].self, from: #"["42"]"#) == [42])
#expect(throws: JSONModelError.self) { try decoder.decode([Int].self, from: #"["4x"]"#) }
#expect(try decoder.decode(Row.self, from: #"{"count": "40个", "code": "a"}"#).count == 40)
#expect(throws: JSONModelError.self) { try decoder.decode(Row.self, from: #"{"count": 1, "code": 1}"#) }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 62)
#if Foundation || canImport(Darwin)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 64)
@JSONModel
struct Person {
    @JSONTransform(JSONDateStrategy.format("yyyy-MM-dd")) let birthday: Date
    @JSONTransform(JSONDateStrategy.format("dd.MM.yyyy")) let visits: [Date]
    let changed: Date                           // by the strategy of the decoder
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 71)
@Test func `a strategy is a transform`() throws {
let text = #"{"birthday":"2000-02-29","visits":["01.03.2024"],"changed":"2024-05-06T07:08:09Z"}"#
let person = try JSONModelDecoder().decode(Person.self, from: text)
#expect(person.birthday == Date(timeIntervalSince1970: 951_782_400))
#expect(try JSONModelEncoder().encode(person, as: .string) == text)
}
#endif
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 88)
@Test func `durations are numbers`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 90)
struct Lap: JSONModel {
    let time: Duration
    let pause: Duration

    static let plan = ModelPlan<Lap> {
        JSONField(\.time)
        JSONField(\.pause, key: "pause_ms", transform: .durationMilliseconds)
    }
}

let lap = try JSONModelDecoder().decode(Lap.self, from: #"{"time": 83.25, "pause_ms": 500}"#)
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 102)
#expect(lap.time == .milliseconds(83_250) && lap.pause == .milliseconds(500))
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 120)
struct Celsius: JSONConvertible {
    var degrees: Double
    static var jsonShape: JSONShape { .transformed(by: CelsiusTransform()) }
}

struct CelsiusTransform: JSONTransform {
    func decode(_ json: String) throws -> Celsius {
        guard json.hasSuffix("°C"), let degrees = Double(json.dropLast(2)) else { throw JSONModelError.ConversionFailure.mismatch }
        return Celsius(degrees: degrees)
    }

    func encode(_ celsius: Celsius) -> String { "\(celsius.degrees)°C" }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 141)
struct Position: JSONConvertible {
    var longitude: Double
    var latitude: Double
    static var jsonShape: JSONShape { .transformed(by: PositionTransform()) }
}

struct PositionTransform: JSONTransform {
    func decode(_ json: [Double]) throws -> Position {
        guard json.count >= 2 else { throw JSONModelError.ConversionFailure.invalid("a position has two numbers") }
        return Position(longitude: json[0], latitude: json[1])
    }

    func encode(_ position: Position) -> [Double] { [position.longitude, position.latitude] }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 156)
@Test func `positions are arrays`() throws {
let line = try JSONModelDecoder().decode([Position].self, from: "[[7.5,47.5],[8,46]]")
#expect(line.map(\.latitude) == [47.5, 46])
#expect(try JSONModelEncoder().encode(line, as: .string) == "[[7.5,47.5],[8.0,46.0]]")
#expect(throws: JSONModelError.self) { try JSONModelDecoder().decode([Position].self, from: "[[7.5,47.5],[8]]") }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 168)
@JSONModel
struct Forecast {
    @JSONTransform(CelsiusTransform()) let highs: [String: [Celsius]]
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 173)
@Test func `values are transformed`() throws {
let text = #"{"highs":{"Basel":["21.5°C","23.0°C"]}}"#
let forecast = try JSONModelDecoder().decode(Forecast.self, from: text)
#expect(forecast.highs["Basel"]?.map(\.degrees) == [21.5, 23])
#expect(try JSONModelEncoder().encode(forecast, as: .string) == text)
#expect(try JSONModelDecoder().decode(Celsius.self, from: #""-1°C""#).degrees == -1)
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 185)
struct AnyDouble: JSONTransform {
    func decode(_ json: JSONValue) throws -> Double {
        if let number = json.number?.double { return number }
        switch json.string {
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        case "NaN": return .nan
        default: throw JSONModelError.ConversionFailure.mismatch
        }
    }

    func encode(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }
}
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 200)
@Test func `numbers that are not finite are strings`() throws {
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 202)
var encoder = JSONModelEncoder()
encoder.nonConformingFloatStrategy = .write(infinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
var decoder = JSONModelDecoder()
decoder.register(AnyDouble())
let values = try decoder.decode([Double].self, from: encoder.encode([1.5, -.infinity]))
#sourceLocation(file: "Sources/Sluice/Sluice.docc/Converting.md", line: 208)
#expect(values == [1.5, -.infinity])
#expect(throws: JSONModelError.self) { try decoder.decode([Double].self, from: #"["1.5"]"#) }
#expect(throws: JSONModelError.self) { try decoder.decode([Double].self, from: "[1e400]") }
}
#sourceLocation()
}
#endif
