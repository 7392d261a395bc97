#if Macros
import Foundation
import Sluice
import Synchronization
import TestSupport
import Testing

// Rows of the list of what JSONModel and MJExtension do: conversions, and what becomes of a mismatch.
struct ConversionRows {
    @JSONModel
    struct Numbers: Equatable {
        var int64: Int64 = 0
        var count = 0
        var text = ""
        var flag = false
        var money: Decimal = 0
    }

    @JSONModel(coercion: .lenient)
    struct LenientNumber {
        let count: Int
    }

    @JSONModel
    struct OneCoerced {
        @JSONCoercion(.lenient) let count: Int
        let strict: Int
    }

    @JSONModel
    struct Dates: Equatable {
        let at: Date
    }

    enum Weekday: String, JSONConvertible { case monday, friday }

    @JSONModel
    struct Others: Equatable {
        let url: URL
        let id: UUID
        let zone: TimeZone
        let locale: Locale
        let data: Data
        let day: Weekday
        @JSONTransform(.durationSeconds) let length: Duration
    }

    @JSONModel
    struct Mismatch: Equatable {
        @JSONDefault(on: .mismatch) var retries = 3
        @JSONDefault(9, on: .mismatch) var limit: Int
    }

    struct Color: Equatable {
        let hex: String
    }

    struct HexColor: JSONTransform {
        struct NoColor: Error, Equatable { let text: String }
        func decode(_ json: String) throws -> Color {
            guard json.hasPrefix("#") else { throw NoColor(text: json) }
            return Color(hex: String(json.dropFirst()))
        }
        func encode(_ color: Color) -> String { "#" + color.hex }
    }

    @JSONModel
    struct Painted: Equatable {
        @JSONTransform(HexColor()) let color: Color
        @JSONTransform(HexColor()) let border: Color?
    }

    @JSONModel
    struct ByType: Equatable {
        let colors: [Color]
        let one: Color?
    }

    @JSONModel
    struct Hooked {
        let name: String
        var size = 1

        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            property == "name" ? .string((value?.string ?? "nobody").uppercased()) : value
        }
    }

    private func decoder(_ coercion: JSONCoercion) -> JSONModelDecoder {
        var decoder = JSONModelDecoder()
        decoder.coercion = coercion
        return decoder
    }

    @Test
    func `row 16: strings become numbers`() throws {
        let lenient = decoder(.lenient)
        #expect(try lenient.decode(Numbers.self, from: #"{"int64":"9223372036854775807"}"#).int64 == .max)
        #expect(throws: JSONModelError.self) { try lenient.decode(Numbers.self, from: #"{"count":"40个"}"#) }
        #expect(try decoder(.mjExtension).decode(Numbers.self, from: #"{"count":"40个"}"#).count == 40)
        #expect(throws: JSONModelError.self) { try decoder(.strict).decode(Numbers.self, from: #"{"count":"40"}"#) }
        #expect(try decoder(.strict).decode(LenientNumber.self, from: #"{"count":"40"}"#).count == 40)
        #expect(try decoder(.strict).decode(OneCoerced.self, from: #"{"count":"40","strict":1}"#).count == 40)
        #expect(throws: JSONModelError.self) {
            try decoder(.strict).decode(OneCoerced.self, from: #"{"count":"40","strict":"1"}"#)
        }
    }

    @Test
    func `row 17: a number becomes a string with the same digits`() throws {
        let text = #"{"text":99.990000000000000001}"#
        #expect(try decoder(.lenient).decode(Numbers.self, from: text).text == "99.990000000000000001")
    }

    @Test(
        arguments: [
            ("\"YES\"", true), ("\"true\"", true), ("\"1\"", true), ("\"no\"", false), ("0", false), ("1", true),
        ])
    func `row 18: strings and numbers become booleans`(_ value: String, _ expected: Bool) throws {
        #expect(try decoder(.lenient).decode(Numbers.self, from: "{\"flag\":\(value)}").flag == expected)
        #expect(throws: JSONModelError.self) {
            try decoder(.lenient).decode(Numbers.self, from: #"{"flag":"maybe"}"#)
        }
        #expect(throws: JSONModelError.self) {
            try decoder(.lenient).decode(Numbers.self, from: #"{"flag":-2}"#)
        }
        #expect(try decoder(.mjExtension).decode(Numbers.self, from: #"{"flag":-2}"#).flag)
    }

    @Test
    func `row 19: decimals are exact`() throws {
        let expected = try #require(Decimal(string: "0.1000000000000000055511151231257827"))
        let text = #"{"money":0.1000000000000000055511151231257827}"#
        #expect(try decoder(.strict).decode(Numbers.self, from: text).money == expected)
        let quoted = #"{"money":"0.1000000000000000055511151231257827"}"#
        #expect(try decoder(.lenient).decode(Numbers.self, from: quoted).money == expected)
    }

    @Test
    func `row 20: dates decode with each strategy`() throws {
        let moment = Dates(at: Date(timeIntervalSince1970: 1_353_916_801))
        func check(_ strategy: JSONDateStrategy, _ json: String) throws {
            var decoder = JSONModelDecoder()
            decoder.dateStrategy = strategy
            #expect(try decoder.decode(Dates.self, from: "{\"at\":\(json)}") == moment)
            var encoder = JSONModelEncoder()
            encoder.dateStrategy = strategy
            let back = try encoder.encode(moment)
            #expect(try decoder.decode(Dates.self, from: back) == moment)
            #expect(throws: JSONModelError.self) { try decoder.decode(Dates.self, from: #"{"at":"soon"}"#) }
        }
        try check(.iso8601, #""2012-11-26T10:00:01+02:00""#)
        try check(.iso8601, #""2012-11-26T08:00:01.000Z""#)
        try check(.secondsSince1970, "1353916801")
        try check(.millisecondsSince1970, "1353916801000")
        #if Foundation || canImport(Darwin)
        try check(.format("dd.MM.yyyy HH:mm:ss"), #""26.11.2012 08:00:01""#)
        #endif
    }

    @Test
    func `row 21: URLs and other standard types decode`() throws {
        let text =
            #"{"url":"https://a.b/c?d=e%20f","id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","zone":"Europe/Berlin","#
            + #""locale":"de_CH","data":"AQID","day":"friday","length":90.5}"#
        let model = try JSONModelDecoder().decode(Others.self, from: text)
        #expect(model.url.absoluteString == "https://a.b/c?d=e%20f")
        #expect(model.zone.identifier == "Europe/Berlin")
        #expect(model.locale.identifier == "de_CH")
        #expect(model.data == Data([1, 2, 3]))
        #expect(model.day == .friday)
        #expect(model.length == .milliseconds(90_500))
        #expect(try JSONModelDecoder().decode(Others.self, from: JSONModelEncoder().encode(model)) == model)
    }

    @Test
    func `row 22: a mismatch is an error or leaves the default`() throws {
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([LenientNumber].self, from: #"[{"count":1},{"count":[]}]"#)
        }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .typeMismatch(expected: "an integer", found: "an array"))
        #expect(issue.path.description == "[1].count")
        #expect(issue.location.offset == 22)
        #expect(issue.location.column == 23)
        let reported = Mutex<[String]>([])
        var decoder = JSONModelDecoder()
        decoder.issueHandler = { issue in reported.withLock { $0.append(issue.path.description) } }
        let text = #"{"retries":"many","limit":{"a":[1]}}"#
        #expect(try decoder.decode(Mismatch.self, from: text) == Mismatch(retries: 3, limit: 9))
        #expect(reported.withLock { $0 } == ["retries", "limit"])
        #expect(throws: JSONModelError.self) { try decoder.decode(Mismatch.self, from: "{}") }
    }

    @Test
    func `row 23: a transform can be registered for a type`() throws {
        var decoder = JSONModelDecoder()
        decoder.register(HexColor())
        let text = ##"{"colors":["#a","#b"],"one":"#c"}"##
        let model = try decoder.decode(ByType.self, from: text)
        #expect(model == ByType(colors: [Color(hex: "a"), Color(hex: "b")], one: Color(hex: "c")))
        var encoder = JSONModelEncoder()
        encoder.register(HexColor())
        #expect(try encoder.encode(model, as: .string) == text)
    }

    @Test
    func `row 24: a property can have a transform, and a model a hook for values`() throws {
        let text = ##"{"color":"#a","border":null}"##
        let model = try JSONModelDecoder().decode(Painted.self, from: text)
        #expect(model == Painted(color: Color(hex: "a"), border: nil))
        #expect(try JSONModelEncoder().encode(model, as: .string) == ##"{"color":"#a"}"##)
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Painted.self, from: #"{"color":"red"}"#)
        }
        let thrown = try #require(error?.issues.first?.underlying as? HexColor.NoColor)
        #expect(thrown.text == "red")
        #expect(error?.issues.first?.path.description == "color")
        #expect(error?.issues.first?.location.offset == 9)
        #expect(try JSONModelDecoder().decode(Hooked.self, from: #"{"name":"ann","size":3}"#).name == "ANN")
        #expect(try JSONModelDecoder().decode(Hooked.self, from: "{}").name == "NOBODY")
    }
}

extension ConversionRows.Color: JSONConvertible {
    static var jsonShape: JSONShape {
        .scalar(Self.self, expecting: "a colour") { scalar in
            Self(hex: scalar.string ?? "")
        } write: {
            .string("#" + $0.hex)
        }
    }
}
#endif
