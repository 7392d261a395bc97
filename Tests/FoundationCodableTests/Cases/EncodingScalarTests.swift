import Foundation
import Testing

@Suite struct EncodingScalarTests {
    @Test func `integers of every width are encoded`() throws {
        #expect(try encode([Int8.min, .max, 0]) == "[-128,127,0]")
        #expect(try encode([UInt8.min, .max]) == "[0,255]")
        #expect(try encode([Int16.min, .max]) == "[-32768,32767]")
        #expect(try encode([UInt16.max]) == "[65535]")
        #expect(try encode([Int32.min, .max]) == "[-2147483648,2147483647]")
        #expect(try encode([UInt32.max]) == "[4294967295]")
        #expect(try encode([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
        #expect(try encode([UInt64.max]) == "[18446744073709551615]")
        #expect(try encode([Int.min, .max, -1, 10, 100]) == "[-9223372036854775808,9223372036854775807,-1,10,100]")
        #expect(try encode([UInt.max]) == "[18446744073709551615]")
        #expect(try encode([Int128.min]) == "[-170141183460469231731687303715884105728]")
        #expect(try encode([UInt128.max]) == "[340282366920938463463374607431768211455]")
    }

    @Test func `doubles are encoded with the fewest digits`() throws {
        #expect(try encode([0, -0.0, 1, -1, 0.1, 1.5, 100] as [Double]) == "[0,-0,1,-1,0.1,1.5,100]")
        #expect(
            try encode([1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 123_456_789_012_345_680] as [Double])
                == "[1000000000000000,1e+16,1e+17,1e+20,1e+21,1e+22,1.2345678901234568e+17]")
        #expect(
            try encode([1e-4, 1e-5, 1e-7, 1.5e-10, .leastNonzeroMagnitude] as [Double])
                == "[0.0001,1e-05,1e-07,1.5e-10,5e-324]")
        #expect(
            try encode([Double.greatestFiniteMagnitude, .leastNormalMagnitude, .pi, .ulpOfOne])
                == "[1.7976931348623157e+308,2.2250738585072014e-308,3.141592653589793,2.220446049250313e-16]")
        #expect(
            try encode([9_007_199_254_740_992, 9_007_199_254_740_994, 4503599627370495.5] as [Double])
                == "[9007199254740992,9.007199254740994e+15,4503599627370495.5]")
        #expect(
            try encode([1.0 / 3, 2.0 / 3, 123.456, 1e100, -2.5e-100] as [Double])
                == "[0.3333333333333333,0.6666666666666666,123.456,1e+100,-2.5e-100]")
    }

    @Test func `floats are encoded with the fewest digits`() throws {
        #expect(try encode([0, -0.0, 1, 0.1, 16_777_216, 1.5] as [Float]) == "[0,-0,1,0.1,16777216,1.5]")
        #expect(
            try encode([Float.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi, 1e10, 1e-10, 1e7])
                == "[3.4028235e+38,1e-45,3.1415925,1e+10,1e-10,10000000]")
    }

    @Test func `booleans are encoded`() throws {
        #expect(try encode([true, false]) == "[true,false]")
    }

    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), ("\"\\", #""\"\\""#), ("a/b", #""a\/b""#),
        ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
        ("\0\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""), ("é€😀", #""é€😀""#),
        ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""),
        ("\u{B}", #""\u000b""#), ("e\u{301}", "\"e\u{301}\""), ("</script>", #""<\/script>""#),
        ("'&<>", #""'&<>""#),
    ])
    func `strings are escaped`(text: String, json: String) throws {
        #expect(try encode(text) == json)
        #expect(try encode([text: text]) == "{\(json):\(json)}")
        #expect(try decode(String.self, json) == text)
    }

    @Test func `strings of every length are encoded`() throws {
        for count in [1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 1000] {
            let text = String(repeating: "x", count: count)
            #expect(try encode(text) == "\"\(text)\"")
            #expect(try encode(text + "\n" + text) == "\"\(text)\\n\(text)\"")
            #expect(try encode(text + "é") == "\"\(text)é\"")
        }
    }

    @Test func `values at the top level are encoded`() throws {
        #expect(try encode(1) == "1")
        #expect(try encode("a") == #""a""#)
        #expect(try encode(1.5) == "1.5")
        #expect(try encode(true) == "true")
        #expect(try encode(Int?.none) == "null")
        #expect(try encode(Int?.some(1)) == "1")
        #expect(try encode(Date(timeIntervalSinceReferenceDate: 1)) == "1")
        #expect(try encode(URL(string: "a/b")!) == #""a\/b""#)
        #expect(try encode(Data([1])) == #""AQ==""#)
        #expect(try encode(Decimal(string: "0.10")!) == "0.1")
    }

    @Test func `numbers that are not finite are rejected`() {
        #expect(
            failure(encoding: Double.nan) == "invalidValue nan |  | Unable to encode Double.nan directly in JSON.")
        #expect(
            failure(encoding: [1, Double.infinity])
                == "invalidValue inf | Index 1(1) | Unable to encode Double.inf directly in JSON.")
        #expect(
            failure(encoding: ["a": [-Double.infinity]])
                == "invalidValue -inf | a / Index 0(0) | Unable to encode Double.-inf directly in JSON.")
        #expect(
            failure(encoding: Float.nan) == "invalidValue nan |  | Unable to encode Float.nan directly in JSON.")
        #expect(
            failure(encoding: Box(value: Float.infinity))
                == "invalidValue inf | value | Unable to encode Float.inf directly in JSON.")
        #expect(
            failure(encoding: Box(value: -Float.infinity))
                == "invalidValue -inf | value | Unable to encode Float.-inf directly in JSON.")
    }

    @Test func `strings stand for numbers that are not finite`() throws {
        func strings(_ encoder: JSONEncoder) {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+\"", negativeInfinity: "-", nan: "?")
        }
        #expect(try encode([Double.infinity, -.infinity, .nan, 1.5], strings) == #"["+\"","-","?",1.5]"#)
        #expect(try encode([Float.infinity, -.infinity, .nan, 1.5], strings) == #"["+\"","-","?",1.5]"#)
        #expect(try encode(["a": Double.nan], strings) == #"{"a":"?"}"#)
        #expect(try encode(Double.infinity, strings) == #""+\"""#)
    }
}

@Suite struct EncodingTypeTests {
    private func date(_ date: Date, _ strategy: JSONEncoder.DateEncodingStrategy) throws -> String {
        try encode(["a": date]) { $0.dateEncodingStrategy = strategy }
    }

    @Test func `dates are numbers`() throws {
        let moment = Date(timeIntervalSince1970: 1_000_000_000.25)
        #expect(try date(moment, .deferredToDate) == #"{"a":21692800.25}"#)
        #expect(try date(moment, .secondsSince1970) == #"{"a":1000000000.25}"#)
        #expect(try date(moment, .millisecondsSince1970) == #"{"a":1000000000250}"#)
        #expect(try date(Date(timeIntervalSince1970: -1), .secondsSince1970) == #"{"a":-1}"#)
    }

    @Test func `dates are ISO 8601`() throws {
        #expect(try date(Date(timeIntervalSince1970: 0), .iso8601) == #"{"a":"1970-01-01T00:00:00Z"}"#)
        #expect(
            try date(Date(timeIntervalSince1970: 1_709_209_845.9), .iso8601) == #"{"a":"2024-02-29T12:30:45Z"}"#)
        #expect(try date(Date(timeIntervalSince1970: -1), .iso8601) == #"{"a":"1969-12-31T23:59:59Z"}"#)
    }

    @Test func `a closure encodes dates`() throws {
        let moment = Date(timeIntervalSince1970: 5)
        #expect(
            try date(
                moment,
                .custom { date, encoder in
                    var container = encoder.unkeyedContainer()
                    try container.encode(date.timeIntervalSince1970)
                    try container.encode(described(encoder.codingPath))
                }) == #"{"a":[5,"a"]}"#)
        #expect(try date(moment, .custom { _, _ in }) == #"{"a":{}}"#)
        struct Refusal: Error {}
        #expect(
            failure(encoding: [moment]) { $0.dateEncodingStrategy = .custom { _, _ in throw Refusal() } }
                == "Refusal()")
    }

    @Test func `dates that are not finite are rejected`() {
        #expect(
            failure(encoding: [Date(timeIntervalSince1970: .infinity)])
                == "invalidValue inf | Index 0(0) | Unable to encode Double.inf directly in JSON.")
        #expect(
            failure(encoding: [Date(timeIntervalSince1970: -.infinity)]) {
                $0.dateEncodingStrategy = .secondsSince1970
            }
                == "invalidValue -inf | Index 0(0) | Unable to encode Double.-inf directly in JSON.")
        #expect(
            failure(encoding: [Date(timeIntervalSince1970: .nan)]) {
                $0.dateEncodingStrategy = .millisecondsSince1970
            }
                == "invalidValue nan | Index 0(0) | Unable to encode Double.nan directly in JSON.")
    }

    @Test func `data is Base64, an array, or custom`() throws {
        let data = Data([0, 1, 254, 255])
        #expect(try encode([data, Data()]) == #"["AAH+\/w==",""]"#)
        #expect(try encode([data, Data()]) { $0.dataEncodingStrategy = .deferredToData } == "[[0,1,254,255],[]]")
        let custom = try encode([data]) {
            $0.dataEncodingStrategy = .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            }
        }
        #expect(custom == "[4]")
        #expect(try encode([data]) { $0.dataEncodingStrategy = .custom { _, _ in } } == "[{}]")
        #expect(try encode(data) { $0.dataEncodingStrategy = .custom { _, _ in } } == "{}")
    }

    @Test func `URLs are strings`() throws {
        #expect(try encode([URL(string: "https://a.b/c?d=e#f")!]) == #"["https:\/\/a.b\/c?d=e#f"]"#)
        #expect(try encode(URL(string: "c", relativeTo: URL(string: "https://a.b"))!) == #""https:\/\/a.b\/c""#)
        #expect(try encode(Box<URL?>(value: URL(string: "x"))) == #"{"value":"x"}"#)
    }

    @Test func `decimals are numbers`() throws {
        let texts = ["0", "-1", "0.1", "123456789012345678901234567890.12345678", "1e10", "1e-20", "-0.5", "1e40"]
        #expect(
            try encode(texts.map { Decimal(string: $0)! })
                == "[0,-1,0.1,123456789012345678901234567890.12345678,10000000000,0.00000000000000000001,-0.5,10000000000000000000000000000000000000000]"
        )
        #expect(try encode(["a": Decimal(1)]) == #"{"a":1}"#)
    }

    @Test func `other types of Foundation are encoded`() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try encode(id) == #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
        #expect(try encode(IndexPath(indexes: [1, 2])) == #"{"indexes":[1,2]}"#)
        #expect(try encode(IndexSet(1...2)) == #"{"indexes":[{"length":2,"location":1}]}"#)
        #expect(
            try encode(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 2))
                == #"{"duration":2,"start":1}"#)
    }

    @Test func `enums are encoded`() throws {
        #expect(try encode([CollectionDecodingTests.Direction.north, .south]) == #"["north","south"]"#)
        #expect(try encode(CollectionDecodingTests.Level.high) == "2")
        let shapes: [OtherTypeDecodingTests.Shape] = [.point, .circle(radius: 1.5), .rectangle(2, height: 3)]
        #expect(
            try encode(shapes) == #"[{"point":{}},{"circle":{"radius":1.5}},{"rectangle":{"_0":2,"height":3}}]"#)
    }

    @Test func `optionals are encoded`() throws {
        #expect(try encode([1, nil, 3] as [Int?]) == "[1,null,3]")
        #expect(try encode(["a": nil, "b": 1] as [String: Int?]) == #"{"a":null,"b":1}"#)
        #expect(try encode(Box<Int?>(value: nil)) == #"{"value":null}"#)
        #expect(try encode(Box<Int?>(value: 1)) == #"{"value":1}"#)
        #expect(try encode([nil] as [Date?]) == "[null]")
        #expect(try encode([[nil]] as [[Int??]]) == "[[null]]")
    }

    @Test func `collections are encoded`() throws {
        #expect(try encode([[Int]]()) == "[]")
        #expect(try encode([[], [1], [2, 3]]) == "[[],[1],[2,3]]")
        #expect(try encode([String: Int]()) == "{}")
        #expect(try encode(Set([1])) == "[1]")
        #expect(try encode(1..<5) == "[1,5]")
        #expect(try encode(SIMD3<Float>(1, 2, 3)) == "[1,2,3]")
        #expect(try encode(Array(0..<1000)) == "[\((0..<1000).map(String.init).joined(separator: ","))]")
    }

    @Test func `dictionaries are objects or arrays of pairs`() throws {
        typealias Types = CollectionDecodingTests
        #expect(try encode(["b": 1, "a": 2]) == #"{"a":2,"b":1}"#)
        #expect(try encode([10: "a", 9: "b", -1: "c"]) == #"{"-1":"c","10":"a","9":"b"}"#)
        #expect(try encode([Types.Direction.south: 1, .north: 2]) == #"{"north":2,"south":1}"#)
        #expect(try encode([Types.Level.low: 1, .high: 2]) == #"{"1":1,"2":2}"#)
        #expect(try encode([UInt8(1): "a"]) == #"[1,"a"]"#)
        #expect(try encode([Types.Plain.a: 1]) == #"["a",1]"#)
    }
}
