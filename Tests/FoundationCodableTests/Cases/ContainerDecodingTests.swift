import Foundation
import Testing

@Suite struct KeyedContainerTests {
    @Test func `all keys that the key type accepts are listed`() throws {
        enum Known: String, CodingKey { case a, b, c }
        let json = #"{"a":1,"x":2,"b":null,"a":3}"#
        let found = try decode(json) { try $0.container(keyedBy: Known.self).allKeys.map(\.stringValue).sorted() }
        #expect(found == ["a", "b"])
        let all = try decode(json) { try $0.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted() }
        #expect(all == ["a", "b", "x"])
    }

    @Test(arguments: ["key", "a key of more than fifteen bytes"])
    func `the first of repeated keys is decoded each time`(_ key: String) throws {
        let json = #"{"\#(key) too":0,"\#(key)":1,"\#(key)":2,"last":3}"#
        let found = try decode(json) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return try [key, key, "last"].map { try container.decode(Int.self, forKey: AnyKey($0)) }
        }
        #expect(found == [1, 1, 3])
    }

    @Test func `present keys are contained, with null values too`() throws {
        let found = try decode(#"{"a":1,"b":null}"#) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return ["a", "b", "c", ""].map { container.contains(AnyKey($0)) }
        }
        #expect(found == [true, true, false, false])
    }

    @Test func `null is told from values`() throws {
        let found = try decode(#"{"a":1,"b":null}"#) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return try [container.decodeNil(forKey: AnyKey("a")), container.decodeNil(forKey: AnyKey("b"))]
        }
        #expect(found == [false, true])
        #expect(
            failure(#"{"a":1}"#) { try $0.container(keyedBy: AnyKey.self).decodeNil(forKey: AnyKey("b")) }
                == noKey("b", of: "AnyKey")
        )
    }

    @Test func `containers know their path`() throws {
        let path = try decode(#"{"a":[[{"b":{"c":1}}]]}"#) { decoder in
            #expect(described(decoder.codingPath) == "")
            let root = try decoder.container(keyedBy: AnyKey.self)
            #expect(described(root.codingPath) == "")
            var list = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
            #expect(described(list.codingPath) == "a")
            var inner = try list.nestedUnkeyedContainer()
            #expect(described(inner.codingPath) == "a / Index 0(0)")
            let keyed = try inner.nestedContainer(keyedBy: AnyKey.self)
            #expect(described(keyed.codingPath) == "a / Index 0(0) / Index 0(0)")
            let last = try keyed.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("b"))
            return described(last.codingPath)
        }
        #expect(path == "a / Index 0(0) / Index 0(0) / b")
    }

    @Test func `a key with an integer value keeps the value in paths`() {
        let json = #"{"5":{"6":"x"}}"#
        #expect(
            failure(json) { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                let inner = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(intValue: 5))
                return try inner.decode(Int.self, forKey: AnyKey(intValue: 6))
            } == mismatch("Int", at: "5(5) / 6(6)", found: "a string"))
        #expect(
            failure(json) { decoder in
                try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey(intValue: 7))
            } == #"keyNotFound 7(7) |  | No value associated with key AnyKey(stringValue: "7", intValue: 7) ("7")."#
        )
    }

    @Test func `a container of another kind is rejected`() {
        #expect(
            failure("[1]") { _ = try $0.container(keyedBy: AnyKey.self) }
                == mismatch(anyDictionary, found: "an array")
        )
        #expect(failure("null") { _ = try $0.container(keyedBy: AnyKey.self) } == noKeyedContainer())
        #expect(
            failure("1") { _ = try $0.container(keyedBy: AnyKey.self) }
                == mismatch(anyDictionary, found: "number")
        )
        #expect(failure("{}") { _ = try $0.unkeyedContainer() } == mismatch(anyArray, found: "a dictionary"))
        #expect(failure("null") { _ = try $0.unkeyedContainer() } == noUnkeyedContainer())
        #expect(failure("true") { _ = try $0.unkeyedContainer() } == mismatch(anyArray, found: "bool"))
    }

    @Test func `a nested container of another kind is rejected`() {
        func failed(_ json: String, isKeyed: Bool) -> String {
            failure(json) { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                if isKeyed {
                    _ = try root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("a"))
                } else {
                    _ = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
                }
            }
        }
        #expect(failed("{}", isKeyed: true) == noKey("a", of: "AnyKey"))
        #expect(failed("{}", isKeyed: false) == noKey("a", of: "AnyKey"))
        #expect(failed(#"{"a":null}"#, isKeyed: true) == noKeyedContainer(at: "a"))
        #expect(failed(#"{"a":null}"#, isKeyed: false) == noUnkeyedContainer(at: "a"))
        #expect(failed(#"{"a":[]}"#, isKeyed: true) == mismatch(anyDictionary, at: "a", found: "an array"))
        #expect(failed(#"{"a":{}}"#, isKeyed: false) == mismatch(anyArray, at: "a", found: "a dictionary"))
        #expect(failed(#"{"a":"x"}"#, isKeyed: true) == mismatch(anyDictionary, at: "a", found: "a string"))
    }

    @Test func `nested containers of one value are independent`() throws {
        let sums = try decode(#"{"a":[1,2,3]}"#) { decoder in
            let root = try decoder.container(keyedBy: AnyKey.self)
            var first = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
            var second = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
            let one = try first.decode(Int.self)
            let both = try second.decode(Int.self) + second.decode(Int.self)
            return [one, both, try first.decode(Int.self)]
        }
        #expect(sums == [1, 3, 2])
    }
}

@Suite struct UnkeyedContainerTests {
    @Test func `an unkeyed container advances by values`() throws {
        let trace = try decode(#"[1,null,"a",[2],{"b":3}]"#) { decoder in
            var list = try decoder.unkeyedContainer()
            var trace = [list.currentIndex, list.count ?? -1]
            trace.append(try list.decode(Int.self))
            trace.append(try list.decodeNil() ? 1 : 0)
            trace.append(try list.decodeNil() ? 1 : 0)
            trace.append(list.currentIndex)
            _ = try list.decode(String.self)
            var inner = try list.nestedUnkeyedContainer()
            trace.append(try inner.decode(Int.self))
            #expect(inner.isAtEnd && !list.isAtEnd)
            trace.append(try list.nestedContainer(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("b")))
            #expect(list.isAtEnd)
            trace.append(list.currentIndex)
            return trace
        }
        #expect(trace == [0, 5, 1, 1, 0, 2, 2, 3, 5])
    }

    @Test func `an unkeyed container stays at a value that is rejected`() throws {
        let trace = try decode(#"["a",2]"#) { decoder in
            var list = try decoder.unkeyedContainer()
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(throws: DecodingError.self) { try list.decode(Bool.self) }
            #expect(throws: DecodingError.self) { try list.nestedUnkeyedContainer() }
            #expect(throws: DecodingError.self) { try list.decode([Int].self) }
            let index = list.currentIndex
            let text = try list.decode(String.self)
            return "\(index) \(text) \(try list.decode(Int.self)) \(list.currentIndex)"
        }
        #expect(trace == "0 a 2 2")
    }

    @Test func `the end of an unkeyed container is an error`() {
        func failed(_ body: @escaping @Sendable (inout any UnkeyedDecodingContainer) throws -> Void) -> String {
            failure("[1]") { decoder in
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                try body(&list)
            }
        }
        #expect(failed { _ = try $0.decode(Int.self) } == noElement("Int", at: "Index 1(1)"))
        #expect(failed { _ = try $0.decode(String.self) } == noElement("String", at: "Index 1(1)"))
        #expect(failed { _ = try $0.decode(Bool.self) } == noElement("Bool", at: "Index 1(1)"))
        #expect(failed { _ = try $0.decode(Double.self) } == noElement("Double", at: "Index 1(1)"))
        #expect(failed { _ = try $0.decode(Box<Int>.self) } == noElement("Box<Int>", at: "Index 1(1)"))
        #expect(failed { _ = try $0.decodeNil() } == noElement("Never", at: "Index 1(1)"))
        #expect(
            failed { _ = try $0.nestedUnkeyedContainer() }
                == noElement("UnkeyedDecodingContainer", at: "Index 1(1)"))
        #expect(
            failed { _ = try $0.nestedContainer(keyedBy: AnyKey.self) }
                == noElement("KeyedDecodingContainer<AnyKey>", at: "Index 1(1)"))
        #expect(
            failed { _ = try $0.superDecoder() }
                == "valueNotFound Decoder | Index 1(1) | Cannot get superDecoder() -- unkeyed container is at end.")
    }

    @Test func `an error in an element has its index`() {
        #expect(
            failure(#"[[1],["a"]]"#) { decoder in
                var list = try decoder.unkeyedContainer()
                _ = try list.nestedUnkeyedContainer()
                var inner = try list.nestedUnkeyedContainer()
                return try inner.decode(Int.self)
            } == mismatch("Int", at: "Index 1(1) / Index 0(0)", found: "a string"))
        #expect(
            failure("[1,2]") { decoder in
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                return try list.nestedContainer(keyedBy: AnyKey.self).allKeys
            }
                == mismatch(anyDictionary, at: "Index 1(1)", found: "number")
        )
        #expect(
            failure("[null]") { decoder in
                var list = try decoder.unkeyedContainer()
                return try list.nestedUnkeyedContainer().count
            }
                == noUnkeyedContainer(at: "Index 0(0)")
        )
    }
}

@Suite struct SuperDecoderTests {
    @Test func `a super decoder reads the value of its key`() throws {
        let found = try decode(#"{"super":{"a":1},"other":{"a":2}}"#) { decoder in
            let root = try decoder.container(keyedBy: AnyKey.self)
            let first = try root.superDecoder()
            let second = try root.superDecoder(forKey: AnyKey("other"))
            #expect(described(first.codingPath) == "super" && described(second.codingPath) == "other")
            return try [first, second].map {
                try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("a"))
            }
        }
        #expect(found == [1, 2])
    }

    @Test func `a missing super decoder reads null`() throws {
        let isNil = try decode("{}") { decoder in
            try decoder.container(keyedBy: AnyKey.self).superDecoder().singleValueContainer().decodeNil()
        }
        #expect(isNil)
        #expect(
            failure("{}") { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                _ = try root.superDecoder().container(keyedBy: AnyKey.self)
            }
                == noKeyedContainer(at: "super")
        )
        #expect(
            failure("{}") { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                return try root.superDecoder(forKey: AnyKey("a")).singleValueContainer().decode(Int.self)
            } == noValue("Int", at: "a"))
    }

    @Test func `a super decoder of an array reads the next element`() throws {
        let found = try decode("[1,[2,3]]") { decoder in
            var list = try decoder.unkeyedContainer()
            let first = try list.superDecoder()
            let second = try list.superDecoder()
            #expect(list.isAtEnd && described(second.codingPath) == "Index 1(1)")
            return try [first.singleValueContainer().decode(Int.self)]
                + second.singleValueContainer().decode([Int].self)
        }
        #expect(found == [1, 2, 3])
    }

    @Test func `an error of a super decoder has its path`() {
        #expect(
            failure(#"{"super":"x"}"#) { decoder in
                try decoder.container(keyedBy: AnyKey.self).superDecoder().singleValueContainer().decode(Int.self)
            } == mismatch("Int", at: "super", found: "a string"))
        #expect(
            failure(#"{"a":[{"super":[1,true]}]}"#) { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                var list = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
                let inner = try list.nestedContainer(keyedBy: AnyKey.self)
                return try [Int](from: inner.superDecoder())
            }
                == mismatch("Int", at: "a / Index 0(0) / super / Index 1(1)", found: "bool")
        )
    }
}

@Suite struct SingleValueContainerTests {
    @Test func `a single value is decoded more than once`() throws {
        let found = try decode("1") { decoder in
            let container = try decoder.singleValueContainer()
            #expect(described(container.codingPath) == "")
            return try "\(container.decode(Int.self)) \(container.decode(Double.self)) \(container.decodeNil())"
        }
        #expect(found == "1 1.0 false")
    }

    @Test func `null is found by a single value container`() throws {
        #expect(try decode("null") { try $0.singleValueContainer().decodeNil() })
        #expect(try !decode("0") { try $0.singleValueContainer().decodeNil() })
        #expect(failure("null") { try $0.singleValueContainer().decode(Int.self) } == noValue("Int"))
        #expect(
            failure("null") { try $0.singleValueContainer().decode(Bool.self) }
                == mismatch("Bool", found: "null"))
        #expect(failure("null") { try $0.singleValueContainer().decode(String.self) } == noValue("String"))
    }

    @Test func `values of every type are single values`() throws {
        #expect(try decode("1") { try $0.singleValueContainer().decode(Int8.self) } == 1)
        #expect(try decode("1") { try $0.singleValueContainer().decode(UInt128.self) } == 1)
        #expect(try decode("1.5") { try $0.singleValueContainer().decode(Float.self) } == 1.5)
        #expect(try decode("[1]") { try $0.singleValueContainer().decode([Int].self) } == [1])
        #expect(
            try decode("{\"value\":1}") { try $0.singleValueContainer().decode(Box<Int>.self) } == Box(value: 1))
        #expect(
            try decode("0") { try $0.singleValueContainer().decode(Date.self) }
                == Date(timeIntervalSinceReferenceDate: 0))
    }
}
