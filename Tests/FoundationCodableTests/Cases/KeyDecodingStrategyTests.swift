import Foundation
import Testing

@Suite struct KeyDecodingStrategyTests {
    private func snake(_ decoder: JSONDecoder) { decoder.keyDecodingStrategy = .convertFromSnakeCase }

    @Test(arguments: [
        ("", ""), ("_", "_"), ("__", "__"), ("a", "a"), ("simple", "simple"), ("simpleOneTwo", "simpleOneTwo"),
        ("simple_one_two", "simpleOneTwo"), ("one_two__three", "oneTwoThree"), ("__one_two", "__oneTwo"),
        ("one_two__", "oneTwo__"), ("_one_", "_one_"), ("one__", "one__"), ("ONE_TWO", "oneTwo"),
        ("One_Two", "oneTwo"),
        ("One", "One"), ("URL", "URL"), ("_ONE_two", "_oneTwo"), ("a_1_b", "a1B"), ("test_case_2", "testCase2"),
        ("this_is_an_xml_property", "thisIsAnXmlProperty"), ("é_ü", "éÜ"), ("_a_b_", "_aB_"),
        ("__a__b__", "__aB__"),
        ("a-b_c d", "a-bC D"), ("ß_ß", "ßSs"), ("x_😀", "x😀"), ("snake_ǆ", "snakeǅ"),
        ("a_b2c", "aB2C"), ("to_base64url", "toBase64Url"), ("is_md5hash", "isMd5Hash"), ("a_é2b", "aÉ2B"),
        ("x_日b", "x日B"), ("x_a$b", "xA$B"), ("is_don't", "isDon't"), ("x_a.b", "xA.B"),
        ("x_e\u{301}a", "xE\u{301}a"),
    ])
    func `keys are converted from snake case`(key: String, converted: String) throws {
        let found = try decode(#"{"\#(key)":1}"#, snake) { try $0.container(keyedBy: AnyKey.self).allKeys }
        #expect(found.map(\.stringValue) == [converted])
    }

    struct Person: Decodable, Equatable {
        let firstName: String
        let homeURL: String?
        let addressBook: [Box<Int>]
    }

    @Test func `properties are found by converted keys`() throws {
        let json = #"{"first_name":"a","home_url":"b","homeURL":"c","address_book":[{"value":1}]}"#
        let person = try decode(Person.self, json, snake)
        #expect(person == Person(firstName: "a", homeURL: "c", addressBook: [Box(value: 1)]))
    }

    @Test func `the first of keys that are converted alike wins`() throws {
        #expect(try decode(Box<Int>.self, #"{"value":1,"VALUE":2}"#, snake).value == 1)
        struct Pair: Decodable { let oneTwo: Int }
        #expect(try decode(Pair.self, #"{"one_two":1,"oneTwo":2}"#, snake).oneTwo == 1)
        #expect(try decode(Pair.self, #"{"oneTwo":2,"one_two":1}"#, snake).oneTwo == 2)
        #expect(try decode(Pair.self, #"{"ONE_TWO":3,"one__two":1}"#, snake).oneTwo == 3)
    }

    @Test func `missing keys are named after their conversion`() {
        #expect(failure(Person.self, #"{"first_nam":"a"}"#, snake) == noKey("firstName"))
        #expect(
            failure(Person.self, #"{"first_name":1}"#, snake)
                == mismatch("String", at: "firstName", found: "number"))
        #expect(
            failure(Person.self, #"{"first_name":"a","address_book":[{"value":"b"}]}"#, snake)
                == mismatch("Int", at: "addressBook / Index 0(0) / value", found: "a string")
        )
        #expect(
            failure(Person.self, #"{"first_name":null,"address_book":[]}"#, snake)
                == noValue("String", at: "firstName"))
    }

    @Test func `keys of string dictionaries are not converted`() throws {
        #expect(try decode([String: Int].self, #"{"a_b":1}"#, snake) == ["a_b": 1])
        #expect(try decode([String: [String: Int]].self, #"{"a_b":{"c_d":1}}"#, snake) == ["a_b": ["c_d": 1]])
        struct Item: Decodable, Equatable { let longName: Int }
        #expect(try decode([String: Item].self, #"{"a_b":{"long_name":1}}"#, snake) == ["a_b": Item(longName: 1)])
        #expect(try decode(Box<[String: Int]>.self, #"{"value":{"a_b":1}}"#, snake).value == ["a_b": 1])
    }

    @Test func `keys of other dictionaries are converted`() throws {
        #expect(try decode([Int: Int].self, #"{"1":2}"#, snake) == [1: 2])
        #expect(
            try decode([CollectionDecodingTests.Name: Int].self, #"{"a_b":1}"#, snake)
                == [CollectionDecodingTests.Name(text: "AB"): 1])
    }

    @Test func `errors in string dictionaries have their path`() {
        #expect(
            failure([String: Int].self, #"{"a_b":"x"}"#, snake)
                == mismatch("Int", at: "a_b", found: "a string"))
        #expect(
            failure([String: [Person]].self, #"{"a_b":[{"first_name":1}]}"#, snake)
                == mismatch("String", at: "a_b / Index 0(0) / firstName", found: "number")
        )
        #expect(failure([String: Int].self, "[]", snake) == mismatch(anyDictionary, found: "an array"))
        #expect(failure([String: Int].self, "null", snake) == noValue(anyDictionary))
        #expect(
            failure(Box<[String: Int]>.self, #"{"value":7}"#, snake)
                == mismatch(anyDictionary, at: "value", found: "number")
        )
    }

    @Test func `the first of duplicate keys of a string dictionary wins`() throws {
        #expect(try decode([String: Int].self, #"{"a_b":1,"a_b":2}"#, snake) == ["a_b": 1])
    }

    @Test func `the first of duplicate keys wins in an object of any size`() throws {
        for count in [2, 64, 65, 200] {
            let members = (0..<count).map { #""key \#($0)":\#($0)"# } + [#""key 1":-1"#, #""key 0":-2"#]
            let json = "{\(members.joined(separator: ","))}"
            let (keys, first): (Int, Int) = try decode(json) { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                return (container.allKeys.count, try container.decode(Int.self, forKey: AnyKey("key 1")))
            }
            #expect(keys == count && first == 1)
            #expect(try decode([String: Int].self, json)["key 0"] == 0)
        }
    }

    @Test func `a closure converts keys`() throws {
        let value = try decode(Box<Int>.self, #"{"VALUE":1}"#) {
            $0.keyDecodingStrategy = .custom { path in AnyKey(path.last!.stringValue.lowercased()) }
        }
        #expect(value.value == 1)
    }

    @Test func `a closure receives the path of each key`() throws {
        let paths = Paths()
        _ = try decode([String: [Box<Box<Int>>]].self, #"{"a":[{"value":{"value":1,"b":2}}]}"#) {
            $0.keyDecodingStrategy = .custom { path in
                paths.add(path)
                return path.last!
            }
        }
        #expect(
            paths.all == ["a / Index 0(0) / value", "a / Index 0(0) / value / value", "a / Index 0(0) / value / b"])
    }

    @Test func `the first of keys that a closure converts alike wins`() throws {
        let value = try decode(Box<Int>.self, #"{"a":1,"b":2}"#) {
            $0.keyDecodingStrategy = .custom { _ in AnyKey("value") }
        }
        #expect(value.value == 1)
    }

    @Test func `nested containers convert keys`() throws {
        let value = try decode(#"{"outer_key":{"inner_key":[{"last_key":7}]}}"#, snake) { decoder in
            let outer = try decoder.container(keyedBy: AnyKey.self)
            let inner = try outer.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("outerKey"))
            var list = try inner.nestedUnkeyedContainer(forKey: AnyKey("innerKey"))
            return try list.nestedContainer(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("lastKey"))
        }
        #expect(value == 7)
    }
}

/// Coding paths in the order in which they are added.
final class Paths: @unchecked Sendable {
    private(set) var all: [String] = []

    func add(_ path: [any CodingKey]) { all.append(described(path)) }
}
