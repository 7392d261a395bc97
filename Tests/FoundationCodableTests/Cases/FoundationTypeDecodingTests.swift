import Foundation
import Testing

@Suite struct DataDecodingTests {
    @Test func `data is Base64 by default`() throws {
        #expect(try decode(Data.self, #""AQIDBA==""#) == Data([1, 2, 3, 4]))
        #expect(try decode(Data.self, #""""#) == Data())
        #expect(try decode(Data.self, #""AQ\u003D=""#) == Data([1]))
        #expect(try decode(Data.self, #""\/\/8=""#) == Data([255, 255]))
        #expect(try decode([Data].self, #"["AQ==","Ag=="]"#) == [Data([1]), Data([2])])
        #expect(try decode(Box<Data?>.self, #"{"value":"AQ=="}"#).value == Data([1]))
    }

    @Test(arguments: ["A", "AQ", "AQ=", "A===", "AQI*", "AQ==AQ==", " AQ==", "A Q=="])
    func `malformed Base64 is rejected`(text: String) {
        #expect(
            failure([Data].self, "[\"\(text)\"]")
                == "dataCorrupted - | Index 0(0) | Encountered Data is not valid Base64.")
    }

    @Test func `data may be an array of bytes`() throws {
        func bytes(_ decoder: JSONDecoder) { decoder.dataDecodingStrategy = .deferredToData }
        #expect(try decode(Data.self, "[1,2,255]", bytes) == Data([1, 2, 255]))
        #expect(try decode([Data].self, "[[],[1]]", bytes) == [Data(), Data([1])])
        #expect(
            failure([Data].self, "[[1,256]]", bytes)
                == notRepresentable("256", in: "UInt8", at: "Index 0(0) / Index 1(1)"))
        #expect(failure([Data].self, "[[1,null]]", bytes) == noValue("UInt8", at: "Index 0(0) / Index 1(1)"))
        #expect(
            failure([Data].self, #"["AQ=="]"#, bytes)
                == mismatch(anyArray, at: "Index 0(0)", found: "a string")
        )
        #expect(failure([Data].self, "[null]", bytes) == noValue("Data", at: "Index 0(0)"))
    }

    @Test func `a closure decodes data`() throws {
        func count(_ decoder: JSONDecoder) {
            decoder.dataDecodingStrategy = .custom { Data(count: try $0.singleValueContainer().decode(Int.self)) }
        }
        #expect(try decode(Data.self, "3", count) == Data([0, 0, 0]))
        #expect(
            failure(Box<Data>.self, #"{"value":"3"}"#, count)
                == mismatch("Int", at: "value", found: "a string"))
    }

    @Test func `data is not made from other values`() {
        #expect(failure(Data.self, "1") == mismatch("String", found: "number"))
        #expect(failure(Box<Data>.self, #"{"value":[1]}"#) == mismatch("String", at: "value", found: "an array"))
        #expect(failure(Data.self, "null") == noValue("Data"))
    }
}

@Suite struct URLDecodingTests {
    @Test func `URLs are decoded`() throws {
        #expect(
            try decode(URL.self, #""https:\/\/swift.org\/a?b=c#d""#) == URL(string: "https://swift.org/a?b=c#d"))
        #expect(
            try decode([URL].self, #"["a/b","mailto:x@y.z"]"#).map(\.absoluteString) == ["a/b", "mailto:x@y.z"])
        #expect(try decode([String: URL].self, #"{"a":"file:///b"}"#)["a"]?.path() == "/b")
    }

    @Test func `malformed URLs are rejected`() {
        #expect(failure([URL].self, #"["http://a.b",""]"#) == "dataCorrupted - | Index 1(1) | Invalid URL string.")
        #expect(failure(URL.self, #""http://[""#) == "dataCorrupted - |  | Invalid URL string.")
    }

    @Test func `a URL is not made from other values`() {
        #expect(failure([URL].self, "[1]") == mismatch("String", at: "Index 0(0)", found: "number"))
        #expect(failure(URL.self, "{}") == mismatch("String", found: "a dictionary"))
        #expect(failure(Box<URL>.self, #"{"value":null}"#) == noValue("URL", at: "value"))
    }
}

@Suite struct DecimalDecodingTests {
    @Test(arguments: [
        "0", "1", "-1", "0.1", "123456789012345678901234567890.12345678", "1e10", "-2.50", "1E-5", "0.000001",
        "79228162514264337593543950336", "1e127",
    ])
    func `decimals are exact`(json: String) throws {
        #expect(try decode(Decimal.self, json) == Decimal(string: json))
        #expect(try decode([Decimal].self, "[\(json)]") == [Decimal(string: json)!])
        #expect(try decode(Box<Decimal?>.self, "{\"value\":\(json)}").value == Decimal(string: json))
    }

    @Test func `numbers beyond the range of decimals are rejected`() {
        #expect(failure(Decimal.self, "1e200") == notRepresentable("1e200", in: "Decimal"))
        #expect(
            failure([Decimal].self, "[1,-1e200]") == notRepresentable("-1e200", in: "Decimal", at: "Index 1(1)"))
    }

    @Test func `a decimal is not made from other values`() {
        #expect(failure(Decimal.self, #""1""#) == "typeMismatch Decimal |  | ")
        #expect(failure([Decimal].self, "[true]") == "typeMismatch Decimal | Index 0(0) | ")
        #expect(failure(Decimal.self, "{}") == "typeMismatch Decimal |  | ")
        #expect(failure(Decimal.self, "null") == noValue("Decimal"))
    }
}

@Suite struct OtherTypeDecodingTests {
    @Test func `identifiers are decoded`() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        #expect(try decode(UUID.self, "\"\(text)\"") == UUID(uuidString: text))
        #expect(
            failure([UUID].self, #"["E621"]"#)
                == "dataCorrupted - | Index 0(0) | Attempted to decode UUID from invalid UUID string.")
        #expect(failure([UUID].self, "[1]") == mismatch("String", at: "Index 0(0)", found: "number"))
    }

    @Test func `ranges, index sets and intervals are decoded`() throws {
        #expect(try decode(DateInterval.self, #"{"start":1,"duration":2}"#).duration == 2)
        #expect(try decode(IndexPath.self, #"{"indexes":[1,2]}"#) == [1, 2])
        #expect(try decode(IndexSet.self, #"{"indexes":[{"location":1,"length":2}]}"#) == [1, 2])
    }

    @Test func `locales and time zones are decoded`() throws {
        #expect(try decode(Locale.self, #"{"identifier":"de_DE"}"#).identifier == "de_DE")
        #expect(try decode(TimeZone.self, #"{"identifier":"GMT"}"#).identifier == "GMT")
        #expect(
            failure(TimeZone.self, #"{"identifier":"Nowhere"}"#)
                == "dataCorrupted - |  | Invalid TimeZone identifier.")
    }

    @Test func `raw values make enums`() throws {
        #expect(try decode([CollectionDecodingTests.Direction].self, #"["south","north"]"#) == [.south, .north])
        #expect(
            failure([CollectionDecodingTests.Direction].self, #"["up"]"#)
                == "dataCorrupted - | Index 0(0) | Cannot initialize Direction from invalid String value up")
        #expect(
            failure([CollectionDecodingTests.Level].self, "[1,3]")
                == "dataCorrupted - | Index 1(1) | Cannot initialize Level from invalid Int value 3")
        #expect(
            failure([CollectionDecodingTests.Level].self, #"["1"]"#)
                == mismatch("Int", at: "Index 0(0)", found: "a string"))
    }

    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case rectangle(Int, height: Int)
    }

    @Test func `enums with associated values are decoded`() throws {
        let json = #"[{"point":{}},{"circle":{"radius":1.5}},{"rectangle":{"_0":2,"height":3}}]"#
        #expect(try decode([Shape].self, json) == [.point, .circle(radius: 1.5), .rectangle(2, height: 3)])
        #expect(
            failure([Shape].self, "[{}]")
                == "typeMismatch Shape | Index 0(0) | Invalid number of keys found, expected one.")
        #expect(
            failure([Shape].self, #"[{"point":{},"circle":{}}]"#)
                == "typeMismatch Shape | Index 0(0) | Invalid number of keys found, expected one.")
        #expect(
            failure([Shape].self, #"[{"circle":{}}]"#)
                == noKey("radius", at: "Index 0(0) / circle", of: "CircleCodingKeys")
        )
        #expect(
            failure([Shape].self, #"[{"line":{}}]"#)
                == "typeMismatch Shape | Index 0(0) | Invalid number of keys found, expected one.")
        #expect(
            failure([Shape].self, #"["point"]"#)
                == mismatch(anyDictionary, at: "Index 0(0)", found: "a string")
        )
    }
}
