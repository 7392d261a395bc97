import Foundation
import Testing

@Suite struct ContainerEncodingTests {
    private func json(_ body: @escaping (any Encoder) throws -> Void) throws -> String {
        try encode(Encoding(body))
    }

    private func failed(_ body: @escaping (any Encoder) throws -> Void) -> String {
        failure(encoding: Encoding(body))
    }

    @Test func `nil is null, or no member if the value is encoded if present`() throws {
        let text = try json { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeNil(forKey: AnyKey("a"))
            try container.encode(Int?.none, forKey: AnyKey("b"))
            try container.encodeIfPresent(Int?.none, forKey: AnyKey("c"))
            try container.encodeIfPresent(3, forKey: AnyKey("d"))
        }
        #expect(text == #"{"a":null,"b":null,"d":3}"#)
    }

    @Test func `an unkeyed container counts values`() throws {
        let text = try json { encoder in
            var list = encoder.unkeyedContainer()
            #expect(list.count == 0)
            try list.encode(1)
            try list.encodeNil()
            try list.encode("a")
            try list.encode([Int?.none])
            #expect(list.count == 4)
            var inner = list.nestedUnkeyedContainer()
            #expect(described(inner.codingPath) == "Index 4(4)")
            try inner.encode(true)
            var keyed = list.nestedContainer(keyedBy: AnyKey.self)
            #expect(described(keyed.codingPath) == "Index 5(5)")
            try keyed.encode(UInt8(2), forKey: AnyKey("b"))
            #expect(list.count == 6)
            try list.encode(contentsOf: [3, 4])
            #expect(list.count == 8)
        }
        #expect(text == #"[1,null,"a",[null],[true],{"b":2},3,4]"#)
    }

    @Test func `containers nest`() throws {
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            var first = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            var second = root.nestedUnkeyedContainer(forKey: AnyKey("b"))
            try first.encode(1, forKey: AnyKey("x"))
            try second.encode(2)
            try root.encode(3, forKey: AnyKey("c"))
            try first.encode(4, forKey: AnyKey("y"))
            var deep = second.nestedContainer(keyedBy: AnyKey.self)
            try deep.encode(5, forKey: AnyKey("z"))
            #expect(described(deep.codingPath) == "b / Index 1(1)")
        }
        #expect(text == #"{"a":{"x":1,"y":4},"b":[2,{"z":5}],"c":3}"#)
    }

    @Test func `containers without values are empty`() throws {
        #expect(try json { _ = $0.container(keyedBy: AnyKey.self) } == "{}")
        #expect(try json { _ = $0.unkeyedContainer() } == "[]")
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            _ = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            _ = root.nestedUnkeyedContainer(forKey: AnyKey("b"))
        }
        #expect(text == #"{"a":{},"b":[]}"#)
    }

    @Test func `a container is used by key more than once`() throws {
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            var first = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            try first.encode(1, forKey: AnyKey("x"))
            var again = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
            try again.encode(2, forKey: AnyKey("y"))
            var list = root.nestedUnkeyedContainer(forKey: AnyKey("b"))
            try list.encode(1)
            var more = root.nestedUnkeyedContainer(forKey: AnyKey("b"))
            try more.encode(2)
        }
        #expect(text == #"{"a":{"x":1,"y":2},"b":[1,2]}"#)
    }

    @Test func `the containers of one encoder are the same`() throws {
        let text = try json { encoder in
            var first = encoder.container(keyedBy: AnyKey.self)
            try first.encode(1, forKey: AnyKey("a"))
            var second = encoder.container(keyedBy: AnyKey.self)
            try second.encode(2, forKey: AnyKey("b"))
            try first.encode(3, forKey: AnyKey("c"))
        }
        #expect(text == #"{"a":1,"b":2,"c":3}"#)
        let list = try json { encoder in
            var first = encoder.unkeyedContainer()
            try first.encode(1)
            var second = encoder.unkeyedContainer()
            try second.encode(2)
            try first.encode(3)
        }
        #expect(list == "[1,2,3]")
    }

    @Test func `encoders know their path`() throws {
        struct Reader: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(described(encoder.codingPath) + "|" + described(container.codingPath))
            }
        }
        #expect(try encode(["a": [Reader()]]) == #"{"a":["a \/ Index 0(0)|a \/ Index 0(0)"]}"#)
        #expect(try encode(Box(value: Reader())) == #"{"value":"value|value"}"#)
        #expect(try encode(Reader()) == #""|""#)
    }

    @Test func `super encoders have their keys`() throws {
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            let first = root.superEncoder()
            let second = root.superEncoder(forKey: AnyKey("other"))
            #expect(described(first.codingPath) == "super" && described(second.codingPath) == "other")
            try [1].encode(to: first)
            var single = second.singleValueContainer()
            try single.encode("x")
            try root.encode(2, forKey: AnyKey("a"))
        }
        #expect(text == #"{"a":2,"other":"x","super":[1]}"#)
    }

    @Test func `super encoders of arrays have their indexes`() throws {
        let text = try json { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            let second = list.superEncoder()
            #expect(described(second.codingPath) == "Index 1(1)")
            try Box(value: 2).encode(to: second)
            try list.encode(3)
        }
        #expect(text == #"[1,{"value":2},3]"#)
    }

    @Test func `super encoders without values write empty objects`() throws {
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            _ = root.superEncoder()
            var list = root.nestedUnkeyedContainer(forKey: AnyKey("a"))
            _ = list.superEncoder()
        }
        #expect(text == #"{"a":[{}],"super":{}}"#)
    }

    @Test func `a value that encodes nothing is an empty object`() throws {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(try encode([Nothing()]) == "[{}]")
        #expect(try encode(["a": Nothing()]) == #"{"a":{}}"#)
        #expect(
            failure(encoding: Nothing())
                == "invalidValue Nothing() |  | Top-level Nothing did not encode any values.")
    }

    @Test func `an error that a value throws is passed on`() {
        struct Refusal: Error {}
        #expect(failed { _ in throw Refusal() } == "Refusal()")
        #expect(
            failed { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                try root.encode(Encoding { _ in throw Refusal() }, forKey: AnyKey("a"))
            } == "Refusal()")
    }

    @Test func `encoding continues after an error that is caught`() throws {
        struct Refusal: Error {}
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            try? root.encode(Encoding { _ in throw Refusal() }, forKey: AnyKey("a"))
            try? root.encode(Double.nan, forKey: AnyKey("b"))
            try root.encode(1, forKey: AnyKey("c"))
            var list = root.nestedUnkeyedContainer(forKey: AnyKey("d"))
            try? list.encode(Encoding { _ in throw Refusal() })
            try? list.encode(Double.nan)
            try list.encode(2)
        }
        #expect(text == #"{"c":1,"d":[2]}"#)
    }

    @Test func `a value that fails after it began is left out`() throws {
        struct Refusal: Error {}
        let text = try json { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            try? root.encode(
                Encoding { encoder in
                    var inner = encoder.container(keyedBy: AnyKey.self)
                    try inner.encode(1, forKey: AnyKey("x"))
                    throw Refusal()
                }, forKey: AnyKey("a"))
            try root.encode(1, forKey: AnyKey("c"))
        }
        #expect(text == #"{"c":1}"#)
    }

    @Test func `an error has the path of its value`() {
        #expect(
            failure(encoding: ["a": [Box(value: Double.nan)]])
                == "invalidValue nan | a / Index 0(0) / value | Unable to encode Double.nan directly in JSON.")
        // The keys of a dictionary have integers, except those that a strategy for keys keeps as text.
        #expect(
            failure(encoding: ["7": Box(value: Double.nan)])
                == "invalidValue nan | 7(7) / value | Unable to encode Double.nan directly in JSON.")
        #expect(
            failure(encoding: ["7": Box(value: Double.nan)]) { $0.keyEncodingStrategy = .convertToSnakeCase }
                == "invalidValue nan | 7 / value | Unable to encode Double.nan directly in JSON.")
        #expect(
            failed { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                try list.encode(Float.infinity)
            } == "invalidValue inf | Index 1(1) | Unable to encode Float.inf directly in JSON.")
        #expect(
            failed { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                var single = root.superEncoder().singleValueContainer()
                try single.encode(-Double.infinity)
            } == "invalidValue -inf | super | Unable to encode Double.-inf directly in JSON.")
        #expect(
            failed { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                try root.encode(Double.nan, forKey: AnyKey(intValue: 7))
            } == "invalidValue nan | 7(7) | Unable to encode Double.nan directly in JSON.")
    }

    @Test func `user info reaches every encoder`() throws {
        struct Reader: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(encoder.userInfo[.closure] as? String ?? "")
                let other = container.superEncoder()
                try (other.userInfo[.closure] as? String ?? "").encode(to: other)
            }
        }
        #expect(try encode(["a": Reader()]) { $0.userInfo[.closure] = "x" } == #"{"a":["x","x"]}"#)
    }

    @Test func `one encoder encodes one value after another`() throws {
        let encoder = JSONEncoder()
        #expect(throws: EncodingError.self) { try encoder.encode([Double.nan]) }
        #expect(try encoder.encode([1]) == Data("[1]".utf8))
        #expect(try encoder.encode("a") == Data(#""a""#.utf8))
    }

    @Test func `a single value is encoded`() throws {
        func single(_ encode: @escaping (inout any SingleValueEncodingContainer) throws -> Void) throws -> String {
            try json { encoder in
                var container = encoder.singleValueContainer()
                try encode(&container)
            }
        }
        #expect(try single { try $0.encode(1) } == "1")
        #expect(try single { try $0.encodeNil() } == "null")
        #expect(try single { try $0.encode(["a": 1]) } == #"{"a":1}"#)
        #expect(try single { try $0.encode(Int128.max) } == "170141183460469231731687303715884105727")
        #expect(try json { try Box(value: 1).encode(to: $0) } == #"{"value":1}"#)
    }
}
