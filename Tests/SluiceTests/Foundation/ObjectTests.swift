import Foundation
import Sluice
import TestSupport
import Testing

/// Decoding from and encoding to dictionaries and arrays in memory.
struct ObjectTests {
    struct Owner: JSONModel, Equatable {
        var login: String
        var since: Date?
        static let plan = ModelPlan<Owner>([JSONField(\.login), JSONField(\.since)])
    }

    struct Model: JSONModel, Equatable {
        var id: Int
        var big: UInt64?
        var price: Double
        var exact: Decimal?
        var isNew: Bool
        var name: String?
        var owner: Owner?
        var tags: [String] = []
        var scores: [String: [Double]] = [:]
        var data: Data?
        var any: JSONValue?
        var city: String?
        static let plan = ModelPlan<Model>([
            JSONField(\.id), JSONField(\.big), JSONField(\.price), JSONField(\.exact), JSONField(\.isNew),
            JSONField(\.name),
            JSONField(\.owner),
            JSONField(\.tags, default: []), JSONField(\.scores, default: [:]), JSONField(\.data), JSONField(\.any),
            JSONField(\.city, key: "address[1].city"),
        ])
    }

    private let full = Model(
        id: 1, big: .max, price: 1.5, exact: Decimal(string: "0.1234567890123456789"), isNew: true, name: "é\"",
        owner: Owner(login: "me", since: Date(timeIntervalSince1970: 1.5)), tags: ["a", ""],
        scores: ["x": [1, 2.5]],
        data: Data([0, 1, 255]), any: ["k": [1, nil, true]], city: "Bern")

    @Test func `decoding an object and decoding its JSON give equal models`() throws {
        let object = try JSONModelEncoder().encode(full, as: .any)
        #expect(try JSONModelDecoder().decode(Model.self, from: .object(object)) == full)
        let text = try JSONModelEncoder().encode(full, as: .data)
        #expect(try JSONModelDecoder().decode(Model.self, from: text) == full)
        let serialised = try JSONSerialization.jsonObject(with: text)
        var read = try JSONModelDecoder().decode(Model.self, from: .object(serialised))
        // JSONSerialization gives some digits of the decimal.
        read.exact = full.exact
        #expect(read == full)
        #expect(
            try JSONModelDecoder().decode(Model.self, from: JSONModelEncoder().encode(full, as: .value)) == full)
    }

    @Test func `encoded objects contain Swift types`() throws {
        let object = try JSONModelEncoder().encode(full, as: .object)
        #expect(object["id"] as? Int == 1)
        #expect(object["big"] as? UInt64 == .max)
        #expect(object["price"] as? Double == 1.5)
        #expect(object["exact"] as? Decimal == full.exact)
        #expect(object["isNew"] as? Bool == true)
        #expect(object["owner"] as? [String: String] == ["login": "me", "since": "1970-01-01T00:00:01.5Z"])
        #expect(object["tags"] as? [String] == ["a", ""])
        #expect(object["scores"] as? [String: [Double]] == ["x": [1, 2.5]])
        let any: Any = try JSONModelEncoder().encode([1, 2], as: .any)
        #expect(any as? [Int] == [1, 2])
    }

    @Test func `a number is a decimal only if a double has fewer digits`() throws {
        let doubles = [0.1 + 0.2, 0.00012345678901234567, 1e-300, 1.5]
        let any: Any = try JSONModelEncoder().encode(doubles, as: .any)
        #expect(any as? [Double] == doubles)
        let texts = ["0.123456789012345678", "1.00000000000000000000e+200", "1e400"]
        let numbers = try JSONValue(parsing: "[\(texts.joined(separator: ","))]")
        let other: Any = try JSONModelEncoder().encode(numbers, as: .any)
        let objects = try #require(other as? [Any])
        #expect(objects[0] as? Decimal == Decimal(string: texts[0]))
        #expect(objects[1] as? Double == 1e200)
        #expect(objects[2] as? String == texts[2])
    }

    @Test func `objects of Swift types are decoded`() throws {
        let object: [String: Any] = [
            "id": Int8(5), "big": UInt64.max, "price": Float(0.5), "exact": Decimal(string: "12.345")!,
            "isNew": false,
            "name": Substring("xyz").dropFirst(), "owner": ["login": "o", "since": Date(timeIntervalSince1970: 3)],
            "tags": ["t"], "scores": ["a": [1, 2.5]] as [String: Any], "data": Data([7]),
            "any": JSONValue.array([1]),
            "address": [Int?.none as Any, ["city": Optional("Bern") as Any]],
        ]
        let model = try JSONModelDecoder().decode(Model.self, from: .object(object))
        let expected = Model(
            id: 5, big: .max, price: 0.5, exact: Decimal(string: "12.345"), isNew: false, name: "yz",
            owner: Owner(login: "o", since: Date(timeIntervalSince1970: 3)), tags: ["t"], scores: ["a": [1, 2.5]],
            data: Data([7]), any: [1], city: "Bern")
        #expect(model == expected)
        #expect(
            try JSONModelDecoder().decode([Int].self, from: .object(["a": [["b": [1, 2]]]]), at: "a[0].b") == [
                1, 2,
            ])
        #expect(try JSONModelDecoder().decode(Int?.self, from: .object(NSNull())) == nil)
    }

    @Test func `objects with NSNumber values are decoded`() throws {
        let numbers: [Any] = [
            NSNumber(value: 1), NSNumber(value: Int8(0)), NSNumber(value: 2.5), NSNumber(value: UInt64.max),
            NSDecimalNumber(string: "0.1"), NSNumber(value: Float(0.1)), NSNumber(value: Int64.min),
        ]
        let values = try JSONModelDecoder().decode([JSONValue].self, from: .object(numbers))
        let texts = values.map { $0.number?.description ?? "no number" }
        #expect(texts == ["1", "0", "2.5", "18446744073709551615", "0.1", "0.1", "-9223372036854775808"])
        let booleans: [Any] = [NSNumber(value: true), NSNumber(value: false), true]
        #expect(try JSONModelDecoder().decode([Bool].self, from: .object(booleans)) == [true, false, true])
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode([Int].self, from: .object(booleans)) }
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode([Bool].self, from: .object(numbers)) }
        let serialised = try JSONSerialization.jsonObject(with: Data("[true,1,0,false,1.0]".utf8))
        #expect(
            try JSONModelDecoder().decode(JSONRaw.self, from: .object(serialised)).description.hasPrefix(
                "[true,1,0,false,1"))
    }

    @Test func `NSNumber values in optionals keep their kind and their digits`() throws {
        let members: [String: Any?] = ["bool": NSNumber(value: true), "fraction": NSNumber(value: 2.5)]
        let object: [String: Any] = [
            "members": members, "bool": Optional(NSNumber(value: false)) as Any,
            "one": Optional(NSNumber(value: 1)) as Any, "big": Optional(NSNumber(value: UInt64.max)) as Any,
            "swift": Optional(true) as Any, "none": NSNumber?.none as Any,
        ]
        let value = try JSONModelDecoder().decode(JSONValue.self, from: .object(object))
        let expected: JSONValue = [
            "members": ["bool": true, "fraction": 2.5], "bool": false, "one": 1,
            "big": .number(JSONNumber(UInt64.max)), "swift": true, "none": nil,
        ]
        #expect(value == expected)
    }

    @Test func `property lists are decoded`() throws {
        let list = """
            <plist version="1.0"><dict><key>id</key><integer>5</integer><key>price</key><real>1.5</real>
            <key>isNew</key><true/><key>name</key><string>n</string><key>data</key><data>AAEC</data>
            <key>owner</key><dict><key>login</key><string>me</string><key>since</key><date>2024-05-06T07:08:09Z</date></dict>
            <key>tags</key><array><string>x</string></array></dict></plist>
            """
        let object = try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil)
        let model = try JSONModelDecoder().decode(Model.self, from: .object(object))
        let since = Date(timeIntervalSince1970: 1_714_979_289)
        #expect(
            model
                == Model(
                    id: 5, price: 1.5, isNew: true, name: "n", owner: Owner(login: "me", since: since), tags: ["x"],
                    data: Data([0, 1, 2])))
    }

    @Test func `raw JSON is written from objects`() throws {
        let object: [String: Any] = ["a": [1, "x\n", NSNull(), ["k": true]] as [Any], "b": "s"]
        let raw = try JSONModelDecoder().decode([String: JSONRaw].self, from: .object(object))
        #expect(raw["a"]?.description == #"[1,"x\n",null,{"k":true}]"#)
        #expect(raw["b"]?.description == #""s""#)
    }

    @Test func `all of an object is validated`() throws {
        let decoder = JSONModelDecoder()
        let infinite: [String: Any] = ["a": [1, ["b": Double.infinity] as [String: Any]] as [Any], "c": 2]
        for framing in [JSONFraming.document, .lines] {
            #expect(throws: JSONModelError.self) { try decoder.validate(.object(infinite), framing: framing) }
            #expect(throws: JSONModelError.self) {
                try decoder.validate(.object(infinite), at: "c", framing: framing)
            }
            try decoder.validate(.object(["a": [1]]), at: "a[0]", framing: framing)
        }
        #expect(throws: JSONModelError.self) { try decoder.validate(.object(Calendar.current)) }
    }

    @Test func `an object is decoded up to a part without JSON`() throws {
        let object: [String: Any] = ["items": [1, 2, Double.infinity, 3] as [Any]]
        let partial = try JSONModelDecoder().decodePartially([Double].self, from: .object(object), at: "items")
        #expect(partial.value == [1, 2])
        #expect(partial.issues.map(\.path) == ["items[2]"])
        #expect(partial.issues.allSatisfy { $0.location.line == 0 })
    }

    @Test func `errors in objects have a path and no location`() throws {
        func issue(_ object: Any) throws -> JSONIssue {
            let error = #expect(throws: JSONModelError.self) {
                _ = try JSONModelDecoder().decode([Model].self, from: .object(object))
            }
            return try #require(error?.issues.first)
        }
        let good: [String: Any] = ["id": 1, "price": 1, "isNew": true]
        let mismatch = try issue([good, good.merging(["owner": ["login": 5]]) { $1 }])
        #expect(mismatch.kind == .typeMismatch(expected: "a string", found: "a number"))
        #expect(mismatch.path == "[1].owner.login")
        #expect(!mismatch.description.contains("line"))
        let missing = try issue([["id": 1]])
        #expect(missing.kind == .missingKeys(["price", "isNew"]))
        let strange = try issue([good.merging(["name": Calendar.current]) { $1 }])
        #expect(strange.path == "[0].name")
        #expect("\(strange)".contains("Calendar"))
        let infinite = try issue([good.merging(["price": Double.infinity]) { $1 }])
        #expect(infinite.path == "[0].price")
        let keys = try issue([good.merging(["scores": [1: 2]]) { $1 }])
        #expect("\(keys)".contains("not strings"))
        // What nobody wants is not looked at.
        let unknown = good.merging(["unknown": Calendar.current]) { $1 }
        #expect(try JSONModelDecoder().decode(Model.self, from: .object(unknown)).id == 1)
        var deep: Any = 1
        for _ in 0..<600 { deep = [deep] }
        let tooDeep = #expect(throws: JSONModelError.self) {
            _ = try JSONModelDecoder().decode(JSONValue.self, from: .object(deep))
        }
        #expect(tooDeep?.issues.first?.kind == .limitExceeded(.depth, limit: 512))
    }
}
