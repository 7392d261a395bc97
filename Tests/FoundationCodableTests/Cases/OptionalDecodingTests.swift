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
        #expect(failure(Optionals.self, #"{"bool":1}"#) == mismatch("Bool", at: "bool", found: "number"))
        #expect(failure(Optionals.self, #"{"int":"1"}"#) == mismatch("Int", at: "int", found: "a string"))
        #expect(failure(Optionals.self, #"{"small":256}"#) == notRepresentable("256", in: "UInt8", at: "small"))
        #expect(
            failure(Optionals.self, #"{"double":{}}"#)
                == mismatch("Double", at: "double", found: "a dictionary"))
        #expect(failure(Optionals.self, #"{"float":false}"#) == mismatch("Float", at: "float", found: "bool"))
        #expect(failure(Optionals.self, #"{"string":[]}"#) == mismatch("String", at: "string", found: "an array"))
        #expect(failure(Optionals.self, #"{"array":{}}"#) == mismatch(anyArray, at: "array", found: "a dictionary"))
        #expect(
            failure(Optionals.self, #"{"nested":[]}"#)
                == mismatch(anyDictionary, at: "nested", found: "an array")
        )
        #expect(failure(Optionals.self, #"{"nested":{}}"#) == noKey("value", at: "nested"))
        #expect(failure(Optionals.self, #"{"date":"x"}"#) == mismatch("Double", at: "date", found: "a string"))
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
        #expect(failure(Box<Int>.self, #"{"value":null}"#) == noValue("Int", at: "value"))
        #expect(failure(Box<String>.self, #"{"value":null}"#) == noValue("String", at: "value"))
        #expect(failure(Box<Double>.self, #"{"value":null}"#) == noValue("Double", at: "value"))
        #expect(failure(Box<[Int]>.self, #"{"value":null}"#) == noUnkeyedContainer(at: "value"))
        #expect(failure(Box<[String: Int]>.self, #"{"value":null}"#) == noKeyedContainer(at: "value"))
        #expect(failure(Box<Box<Int>>.self, #"{"value":null}"#) == noKeyedContainer(at: "value"))
        #expect(failure(Box<Date>.self, #"{"value":null}"#) == noValue("Date", at: "value"))
        #expect(failure(Box<Data>.self, #"{"value":null}"#) == noValue("Data", at: "value"))
        #expect(failure(Box<URL>.self, #"{"value":null}"#) == noValue("URL", at: "value"))
        #expect(failure(Box<Decimal>.self, #"{"value":null}"#) == noValue("Decimal", at: "value"))
        #expect(failure([Int].self, "[null]") == noValue("Int", at: "Index 0(0)"))
        #expect(failure([String].self, "null") == noUnkeyedContainer())
    }

    @Test func `a missing key is an error`() {
        #expect(failure(Box<Int>.self, "{}") == noKey("value"))
        #expect(failure(Box<Box<Int>>.self, #"{"value":{"valu":1}}"#) == noKey("value", at: "value"))
        #expect(failure([Box<String>].self, #"[{"value":"a"},{}]"#) == noKey("value", at: "Index 1(1)"))
    }
}
