import Foundation
import Testing

@Suite struct OptionalDecodingTests {
    struct Optionals: Decodable, Equatable {
        var bool: Bool?
        var int: Int?
        var small: UInt8?
        var double: Double?
        var float: Float?
        var string: String?
        var array: [Int]?
        var nested: Box<Int>?
        var date: Date?
        var url: URL?
        var data: Data?
        var decimal: Decimal?
    }

    private static let all = """
        {"bool":true,"int":-1,"small":2,"double":0.5,"float":1.5,"string":"s","array":[1],"nested":{"value":3},\
        "date":0,"url":"https://a.b","data":"AQ==","decimal":1.25}
        """

    @Test func `present values are decoded`() throws {
        let value = try decode(Optionals.self, Self.all)
        #expect(value.bool == true && value.int == -1 && value.small == 2 && value.double == 0.5)
        #expect(value.float == 1.5 && value.string == "s" && value.array == [1] && value.nested == Box(value: 3))
        #expect(value.date == Date(timeIntervalSinceReferenceDate: 0) && value.url == URL(string: "https://a.b"))
        #expect(value.data == Data([1]) && value.decimal == Decimal(string: "1.25"))
    }

    @Test func `absent keys and nulls are nil`() throws {
        #expect(try decode(Optionals.self, "{}") == Optionals())
        let nulls = Self.all.replacing(/:("[^"]*"|[^,"{}\[\]]+|\[1\]|\{"value":3\})(?=[,}])/) { _ in ":null" }
        #expect(nulls.contains("\"nested\":null") && nulls.hasSuffix(":null}"))
        #expect(try decode(Optionals.self, nulls) == Optionals())
    }

    @Test func `a value of another type is not nil`() {
        #expect(
            failure(Optionals.self, #"{"bool":1}"#)
                == "typeMismatch Bool | bool | Expected to decode Bool but found number instead.")
        #expect(
            failure(Optionals.self, #"{"int":"1"}"#)
                == "typeMismatch Int | int | Expected to decode Int but found a string instead.")
        #expect(
            failure(Optionals.self, #"{"small":256}"#) == notRepresentable("256", in: "UInt8", at: "small"))
        #expect(
            failure(Optionals.self, #"{"double":{}}"#)
                == "typeMismatch Double | double | Expected to decode Double but found a dictionary instead.")
        #expect(
            failure(Optionals.self, #"{"float":false}"#)
                == "typeMismatch Float | float | Expected to decode Float but found bool instead.")
        #expect(
            failure(Optionals.self, #"{"string":[]}"#)
                == "typeMismatch String | string | Expected to decode String but found an array instead.")
        #expect(
            failure(Optionals.self, #"{"array":{}}"#)
                == "typeMismatch Array<Any> | array | Expected to decode Array<Any> but found a dictionary instead."
        )
        #expect(
            failure(Optionals.self, #"{"nested":[]}"#)
                == "typeMismatch Dictionary<String, Any> | nested | Expected to decode Dictionary<String, Any> but found an array instead."
        )
        #expect(
            failure(Optionals.self, #"{"nested":{}}"#)
                == #"keyNotFound value | nested | No value associated with key CodingKeys(stringValue: "value", intValue: nil) ("value")."#
        )
        #expect(
            failure(Optionals.self, #"{"date":"x"}"#)
                == "typeMismatch Double | date | Expected to decode Double but found a string instead.")
        #expect(failure(Optionals.self, #"{"url":""}"#) == "dataCorrupted - | url | Invalid URL string.")
        #expect(
            failure(Optionals.self, #"{"data":"?"}"#)
                == "dataCorrupted - | data | Encountered Data is not valid Base64.")
        #expect(failure(Optionals.self, #"{"decimal":"1"}"#) == "typeMismatch Decimal | decimal | ")
    }

    @Test func `null at the top level is nil`() throws {
        #expect(try decode(Int?.self, "null") == nil)
        #expect(try decode(Int?.self, "1") == 1)
        #expect(try decode(String?.self, " null ") == nil)
        #expect(try decode(Box<Int>?.self, "null") == nil)
        #expect(try decode([Int]?.self, "[1]") == [1])
    }

    @Test func `null in a collection is nil`() throws {
        #expect(try decode([Int?].self, "[1,null,2]") == [1, nil, 2])
        #expect(try decode([String: Bool?].self, #"{"a":null,"b":true}"#) == ["a": Bool?.none, "b": true])
        #expect(try decode([Date?].self, "[null]") == [nil])
        #expect(try decode([URL?].self, "[null]") == [nil])
        #expect(try decode([Decimal?].self, "[null,1]") == [nil, 1])
    }

    @Test func `optionals nest`() throws {
        #expect(try decode([Int??].self, "[null,1]") == [nil, 1])
        #expect(try decode(Box<Int??>.self, #"{"value":null}"#).value == Int??.none)
        #expect(try decode(Box<Int??>.self, #"{"value":2}"#).value == 2)
    }

    @Test func `null is not a value`() {
        #expect(
            failure(Box<Int>.self, #"{"value":null}"#)
                == "valueNotFound Int | value | Cannot get value of type Int -- found null value instead")
        #expect(
            failure(Box<String>.self, #"{"value":null}"#)
                == "valueNotFound String | value | Cannot get value of type String -- found null value instead")
        #expect(
            failure(Box<Double>.self, #"{"value":null}"#)
                == "valueNotFound Double | value | Cannot get value of type Double -- found null value instead")
        #expect(
            failure(Box<[Int]>.self, #"{"value":null}"#)
                == "valueNotFound Array<Any> | value | Cannot get unkeyed decoding container -- found null value instead"
        )
        #expect(
            failure(Box<[String: Int]>.self, #"{"value":null}"#)
                == "valueNotFound Dictionary<String, Any> | value | Cannot get keyed decoding container -- found null value instead"
        )
        #expect(
            failure(Box<Box<Int>>.self, #"{"value":null}"#)
                == "valueNotFound Dictionary<String, Any> | value | Cannot get keyed decoding container -- found null value instead"
        )
        #expect(
            failure(Box<Date>.self, #"{"value":null}"#)
                == "valueNotFound Date | value | Cannot get value of type Date -- found null value instead")
        #expect(
            failure(Box<Data>.self, #"{"value":null}"#)
                == "valueNotFound Data | value | Cannot get value of type Data -- found null value instead")
        #expect(
            failure(Box<URL>.self, #"{"value":null}"#)
                == "valueNotFound URL | value | Cannot get value of type URL -- found null value instead")
        #expect(
            failure(Box<Decimal>.self, #"{"value":null}"#)
                == "valueNotFound Decimal | value | Cannot get value of type Decimal -- found null value instead")
        #expect(
            failure([Int].self, "[null]")
                == "valueNotFound Int | Index 0(0) | Cannot get value of type Int -- found null value instead")
        #expect(
            failure([String].self, "null")
                == "valueNotFound Array<Any> |  | Cannot get unkeyed decoding container -- found null value instead"
        )
    }

    @Test func `a missing key is an error`() {
        #expect(
            failure(Box<Int>.self, "{}")
                == #"keyNotFound value |  | No value associated with key CodingKeys(stringValue: "value", intValue: nil) ("value")."#
        )
        #expect(
            failure(Box<Box<Int>>.self, #"{"value":{"valu":1}}"#)
                == #"keyNotFound value | value | No value associated with key CodingKeys(stringValue: "value", intValue: nil) ("value")."#
        )
        #expect(
            failure([Box<String>].self, #"[{"value":"a"},{}]"#)
                == #"keyNotFound value | Index 1(1) | No value associated with key CodingKeys(stringValue: "value", intValue: nil) ("value")."#
        )
    }
}
