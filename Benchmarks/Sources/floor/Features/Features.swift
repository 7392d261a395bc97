import Foundation
import Sluice

/// A measurement of a model with one feature, compared with a plain model of objects of about the same length, and with Foundation.
struct Features {
    let name: String
    /// The goal of decoding and encoding, as a share of the speed of a plain model.
    let goal: Double
    /// The bytes of the document, and of the encoded models.
    let bytes: (decoded: Int, encoded: Int)
    let decode: (Source) throws -> Void
    let encode: () throws -> Void
    /// Nil if Foundation does not decode the same document.
    let foundation: (decode: () throws -> Void, encode: () throws -> Void)?
    /// Throws an error unless both sources make the same models, and encoded models decode to equal ones.
    let verify: () throws -> Void

    /// The speeds of a row in MB/s.
    struct Speeds {
        /// The speed of decoding with each source.
        let decode: [Double]
        let encode: Double
        let plain: (decode: [Double], encode: Double)
        let foundation: (decode: Double, encode: Double)?
    }

    /// Measures all ways in alternation with those of the plain model.
    func measure(_ sources: [Source], plain: Features, rounds: Int) throws -> Speeds {
        try verify()
        func ways(_ row: Features) -> [() throws -> Void] {
            sources.map { source in { try row.decode(source) } } + [row.encode]
        }
        let others = foundation.map { [$0.decode, $0.encode] } ?? []
        let times = try Rounds(count: rounds).medians(of: ways(self) + ways(plain) + others)
        let count = sources.count
        func speed(_ bytes: Int, _ index: Int) -> Double { Double(bytes) / 1e6 / times[index] }
        func decode(_ row: Features, from index: Int) -> [Double] {
            sources.indices.map { speed(row.bytes.decoded, index + $0) }
        }
        let end = 2 * (count + 1)
        return Speeds(
            decode: decode(self, from: 0), encode: speed(bytes.encoded, count),
            plain: (decode(plain, from: count + 1), speed(plain.bytes.encoded, end - 1)),
            foundation: foundation == nil ? nil : (speed(bytes.decoded, end), speed(bytes.encoded, end + 1)))
    }

    // MARK: Rows

    /// Returns a row of a model that Foundation decodes, too.
    private static func row<Model: JSONModel & Codable & Equatable>(
        _ name: String, _ type: Model.Type, goal: Double = 0.5, _ count: Int, _ object: (Int) -> String
    ) throws -> Features {
        let text = document(count, object)
        let data = Data(text)
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        decoder.dateDecodingStrategy = .iso8601
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        let models = try decoder.decode([Model].self, from: data)
        return try row(name, type, goal: goal, text, equals: models) {
            ({ keep(try decoder.decode([Model].self, from: data)) }, { keep(try encoder.encode(models)) })
        }
    }

    /// Returns a row of a model of Sluice alone.
    private static func own<Model: JSONModel & Equatable>(
        _ name: String, _ type: Model.Type, goal: Double = 0.5, _ count: Int, _ object: (Int) -> String
    ) throws -> Features {
        try row(name, type, goal: goal, document(count, object), equals: nil) { nil }
    }

    private static func document(_ count: Int, _ object: (Int) -> String) -> [UInt8] {
        Array("[\((0..<count).map(object).joined(separator: ","))]".utf8)
    }

    private static func row<Model: JSONModel & Equatable>(
        _ name: String, _ type: Model.Type, goal: Double, _ text: [UInt8], equals others: [Model]?,
        _ foundation: () -> (decode: () throws -> Void, encode: () throws -> Void)?
    ) throws -> Features {
        let decoders = [Source.yajl: Source.yajl.decoder, .scanner: Source.scanner.decoder]
        let encoder = JSONModelEncoder()
        let models = try decoders[.scanner]!.decode([Model].self, from: text)
        let written = try encoder.encode(models)
        return Features(
            name: name, goal: goal, bytes: (text.count, written.count),
            decode: { keep(try decoders[$0]!.decode([Model].self, from: text)) },
            encode: { keep(try encoder.encode(models)) },
            foundation: foundation(),
            verify: {
                guard try decoders.values.allSatisfy({ try $0.decode([Model].self, from: text) == models }),
                    others == nil || others == models,
                    try JSONModelDecoder().decode([Model].self, from: written) == models
                else { throw FloorError("\(name): the models differ.") }
            })
    }

    private static let note = "the quick brown fox"

    /// Returns all rows, the plain model first.
    ///
    /// - Parameter count: The number of objects of a document.
    static func all(_ count: Int = 20_000) throws -> [Features] {
        typealias M = RowModels
        func circle(_ id: Int, _ more: String) -> String {
            id % 2 == 0
                ? #"{\#(more)"id":\#(id),"radius":0.875,"note":"\#(note) \#(id)"}"#
                : #"{\#(more)"id":\#(id),"side":1.25,"label":"\#(note) \#(id)"}"#
        }
        func tag(_ id: Int) -> String { id % 2 == 0 ? "circle" : "square" }
        func last(_ id: Int) -> String { "\(circle(id, "").dropLast()),\"type\":\"\(tag(id))\"}" }
        func plain(_ id: Int) -> String {
            #"{"id":\#(id),"name":"n\#(id)","score":0.875,"ok":false,"note":"\#(note) \#(id)"}"#
        }
        func user(_ id: Int, _ more: String, end: String) -> String {
            #"{"id":\#(id),\#(more)"login":"user\#(id)","age":\#(id % 90)\#(end),"note":"\#(note)"}"#
        }
        /// An object with one property of a type besides plain ones.
        func with(_ key: String, _ id: Int, _ value: String) -> String {
            #"{"id":\#(id),"name":"n\#(id)","\#(key)":\#(value),"note":"\#(note)"}"#
        }
        /// The same with fewer plain properties.
        func only(_ key: String, _ id: Int, _ value: String) -> String {
            #"{"id":\#(id),"\#(key)":\#(value),"note":"\#(note)"}"#
        }
        let tags = #"["red","green","blue","gray"]"#
        return try [
            row("plain", M.Plain.self, goal: 1, count, plain),
            row("negative integers", M.Signed.self, goal: 0.7, count) {
                #"{"x":-\#($0),"y":-\#($0 * 7),"z":-\#($0 % 90),"name":"\#(note) \#($0)"}"#
            },
            row("tag first", M.Internal.self, goal: 0.7, count) { circle($0, #""type":"\#(tag($0))","#) },
            row("tag second", M.Internal.self, count) {
                #"{"id":\#($0),"type":"\#(tag($0))",\#(circle($0, "").drop { $0 != "," }.dropFirst())"#
            },
            row("tag last", M.Internal.self, count, last),
            row("external tag", M.External.self, goal: 0.7, count) { #"{"\#(tag($0))":\#(circle($0, ""))}"# },
            row("tag and content", M.Adjacent.self, goal: 0.7, count) {
                #"{"t":"\#(tag($0))","c":\#(circle($0, ""))}"#
            },
            row("content and tag", M.Adjacent.self, count) { #"{"c":\#(circle($0, "")),"t":"\#(tag($0))"}"# },
            row("untagged", M.Untagged.self, count) { circle($0, "") },
            row("string or integer", M.WithScalarUnion.self, goal: 0.7, count) {
                let id = $0 % 2 == 0 ? "\($0)" : #""x\#($0)""#
                return #"{"id":\#(id),"name":"n\#($0)","score":0.875,"note":"\#(note) \#($0)"}"#
            },
            own("flattened enum", M.WithFlattenedEnum.self, count) {
                let end = $0 % 2 == 0 ? #""push","ref":"main""# : #""star","stars":\#($0)"#
                return #"{"id":\#($0),"name":"\#(note) \#($0)","score":0.875,"type":\#(end)}"#
            },
            row("raw values", M.WithRawEnum.self, goal: 0.7, count) {
                let level = ["low", "middle", "high"][$0 % 3]
                return #"{"id":\#($0),"name":"n\#($0)","level":"\#(level)","score":0.875,"note":"\#(note)"}"#
            },
            own("extra keys", M.WithExtra.self, count) {
                #"{"id":\#($0),"name":"n\#($0)","a":\#($0),"b":"\#(note)","c":true}"#
            },
            own("path of two keys", M.WithPath.self, goal: 0.7, count) { user($0, #""user":{"#, end: "}") },
            own("path with a wildcard", M.WithWildcard.self, count) {
                #"{"id":\#($0),"items":[{"login":"a\#($0)"},{"login":"b\#($0)"},{"login":"c\#($0)"}]}"#
            },
            own("alternatives", M.WithAlternatives.self, goal: 0.7, count, plain),
            own("defaults", M.WithDefaults.self, goal: 0.7, count, plain),
            row("optionals", M.WithOptionals.self, goal: 0.7, count, plain),
            row("nested", M.WithNested.self, goal: 0.7, count) { user($0, #""user":{"#, end: "}") },
            own("flattened struct", M.WithFlattenedStruct.self, goal: 0.7, count) { user($0, "", end: "") },
            row("Codable property", M.WithCodable.self, count) {
                with("place", $0, #"{"lat":12.5,"lon":\#($0 % 180)}"#)
            },
            own("lossy", M.WithLossy.self, goal: 0.7, count) { with("values", $0, "[\($0),2,3]") },
            own("lossy, a third lost", M.WithLossy.self, count) { with("values", $0, #"[\#($0),"x",3]"#) },
            own("embedded", M.WithEmbedded.self, count) {
                with("user", $0, #""{\"login\":\"u\#($0)\",\"age\":\#($0 % 90)}""#)
            },
            own("lenient", M.Lenient.self, count) {
                #"{"id":"\#($0)","name":"n\#($0)","score":"0.875","note":"\#(note) \#($0)"}"#
            },
            own("JSONValue", M.WithValue.self, count) { with("data", $0, #"{"a":\#($0),"b":[1,"two"]}"#) },
            own("JSONRaw", M.WithRaw.self, count) { with("data", $0, #"{"a":\#($0),"b":[1,"two"]}"#) },
            row("dictionary of 4", M.WithDictionary.self, count) {
                only("counts", $0, #"{"red":1,"green":2,"blue":3,"gray":\#($0)}"#)
            },
            row("set of 4", M.WithSet.self, count) { only("tags", $0, tags) },
            row("array of 4", M.WithArray.self, goal: 0.7, count) { only("tags", $0, tags) },
            row("URL", M.WithURL.self, count) { only("url", $0, #""https://example.org/items/\#($0)""#) },
            row("Data", M.WithData.self, count) { only("data", $0, #""c2x1aWNlIHJlYWRzIEpTT04gZmFzdA==""#) },
            row("Decimal", M.WithDecimal.self, goal: 0.7, count) { with("price", $0, "\($0).25") },
            row("UUID", M.WithUUID.self, goal: 0.7, count) {
                only(
                    "uuid", $0,
                    #""E621E1F8-C36C-495A-93FC-0C247A3E\#(String($0 % 5000 + 10000, radix: 16, uppercase: true))""#)
            },
            row("date", M.WithDate.self, goal: 0.7, count) {
                with("at", $0, #""2026-11-\#($0 % 20 + 10)T08:30:00Z""#)
            },
            own("date with a fraction", M.WithFraction.self, goal: 0.7, count) {
                with("at", $0, #""2026-11-\#($0 % 20 + 10)T08:30:00.125Z""#)
            },
            own("date in seconds", M.WithSeconds.self, goal: 0.7, count) {
                with("at", $0, "\(1_700_000_000 + $0)")
            },
            own("hook", M.WithHook.self, goal: 0.7, count, plain),
            own("class", M.ClassModel.self, count, plain),
        ]
    }
}
