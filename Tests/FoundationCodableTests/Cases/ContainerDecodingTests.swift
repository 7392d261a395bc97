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
                == #"keyNotFound b |  | No value associated with key AnyKey(stringValue: "b", intValue: nil) ("b")."#
        )
    }

    @Test func `values of every type are decoded by key`() throws {
        let json = #"{"bool":true,"text":"t","number":1,"list":[1],"null":null}"#
        let sum = try decode(json) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let number = AnyKey("number")
            var sum = Double(try container.decode(Int8.self, forKey: number))
            sum += Double(try container.decode(Int16.self, forKey: number))
            sum += Double(try container.decode(Int32.self, forKey: number))
            sum += Double(try container.decode(Int64.self, forKey: number))
            sum += Double(try container.decode(Int128.self, forKey: number))
            sum += Double(try container.decode(UInt8.self, forKey: number))
            sum += Double(try container.decode(UInt16.self, forKey: number))
            sum += Double(try container.decode(UInt32.self, forKey: number))
            sum += Double(try container.decode(UInt64.self, forKey: number))
            sum += Double(try container.decode(UInt128.self, forKey: number))
            sum += Double(try container.decode(UInt.self, forKey: number))
            sum += Double(try container.decode(Float.self, forKey: number))
            sum += try container.decode(Double.self, forKey: number)
            sum += try container.decode(Bool.self, forKey: AnyKey("bool")) ? 1 : 0
            sum += Double(try container.decode(String.self, forKey: AnyKey("text")).count)
            sum += Double(try container.decode([Int].self, forKey: AnyKey("list")).count)
            return sum
        }
        #expect(sum == 16)
    }

    @Test func `values of every type are decoded if present`() throws {
        let json = #"{"n":null,"v":1}"#
        let count = try decode(json) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            var count = 0
            for (key, expected) in [("n", nil), ("missing", nil), ("v", 1)] as [(String, Int?)] {
                let key = AnyKey(key)
                #expect(try container.decodeIfPresent(Int.self, forKey: key) == expected)
                #expect(try container.decodeIfPresent(Int8.self, forKey: key) == expected.map { Int8($0) })
                #expect(try container.decodeIfPresent(Int16.self, forKey: key) == expected.map { Int16($0) })
                #expect(try container.decodeIfPresent(Int32.self, forKey: key) == expected.map { Int32($0) })
                #expect(try container.decodeIfPresent(Int64.self, forKey: key) == expected.map { Int64($0) })
                #expect(try container.decodeIfPresent(Int128.self, forKey: key) == expected.map { Int128($0) })
                #expect(try container.decodeIfPresent(UInt.self, forKey: key) == expected.map { UInt($0) })
                #expect(try container.decodeIfPresent(UInt8.self, forKey: key) == expected.map { UInt8($0) })
                #expect(try container.decodeIfPresent(UInt16.self, forKey: key) == expected.map { UInt16($0) })
                #expect(try container.decodeIfPresent(UInt32.self, forKey: key) == expected.map { UInt32($0) })
                #expect(try container.decodeIfPresent(UInt64.self, forKey: key) == expected.map { UInt64($0) })
                #expect(try container.decodeIfPresent(UInt128.self, forKey: key) == expected.map { UInt128($0) })
                #expect(try container.decodeIfPresent(Float.self, forKey: key) == expected.map { Float($0) })
                #expect(try container.decodeIfPresent(Double.self, forKey: key) == expected.map { Double($0) })
                #expect(try container.decodeIfPresent(Decimal.self, forKey: key) == expected.map { Decimal($0) })
                count += 1
            }
            #expect(try container.decodeIfPresent(Bool.self, forKey: AnyKey("n")) == nil)
            #expect(try container.decodeIfPresent(String.self, forKey: AnyKey("n")) == nil)
            #expect(try container.decodeIfPresent([Int].self, forKey: AnyKey("n")) == nil)
            #expect(try container.decodeIfPresent(URL.self, forKey: AnyKey("missing")) == nil)
            return count
        }
        #expect(count == 3)
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
            } == "typeMismatch Int | 5(5) / 6(6) | Expected to decode Int but found a string instead.")
        #expect(
            failure(json) { decoder in
                try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey(intValue: 7))
            } == #"keyNotFound 7(7) |  | No value associated with key AnyKey(stringValue: "7", intValue: 7) ("7")."#
        )
    }

    @Test func `a container of another kind is rejected`() {
        #expect(
            failure("[1]") { _ = try $0.container(keyedBy: AnyKey.self) }
                == "typeMismatch Dictionary<String, Any> |  | Expected to decode Dictionary<String, Any> but found an array instead."
        )
        #expect(
            failure("null") { _ = try $0.container(keyedBy: AnyKey.self) }
                == "valueNotFound Dictionary<String, Any> |  | Cannot get keyed decoding container -- found null value instead"
        )
        #expect(
            failure("1") { _ = try $0.container(keyedBy: AnyKey.self) }
                == "typeMismatch Dictionary<String, Any> |  | Expected to decode Dictionary<String, Any> but found number instead."
        )
        #expect(
            failure("{}") { _ = try $0.unkeyedContainer() }
                == "typeMismatch Array<Any> |  | Expected to decode Array<Any> but found a dictionary instead.")
        #expect(
            failure("null") { _ = try $0.unkeyedContainer() }
                == "valueNotFound Array<Any> |  | Cannot get unkeyed decoding container -- found null value instead"
        )
        #expect(
            failure("true") { _ = try $0.unkeyedContainer() }
                == "typeMismatch Array<Any> |  | Expected to decode Array<Any> but found bool instead.")
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
        #expect(
            failed("{}", isKeyed: true)
                == #"keyNotFound a |  | No value associated with key AnyKey(stringValue: "a", intValue: nil) ("a")."#
        )
        #expect(
            failed("{}", isKeyed: false)
                == #"keyNotFound a |  | No value associated with key AnyKey(stringValue: "a", intValue: nil) ("a")."#
        )
        #expect(
            failed(#"{"a":null}"#, isKeyed: true)
                == "valueNotFound Dictionary<String, Any> | a | Cannot get keyed decoding container -- found null value instead"
        )
        #expect(
            failed(#"{"a":null}"#, isKeyed: false)
                == "valueNotFound Array<Any> | a | Cannot get unkeyed decoding container -- found null value instead"
        )
        #expect(
            failed(#"{"a":[]}"#, isKeyed: true)
                == "typeMismatch Dictionary<String, Any> | a | Expected to decode Dictionary<String, Any> but found an array instead."
        )
        #expect(
            failed(#"{"a":{}}"#, isKeyed: false)
                == "typeMismatch Array<Any> | a | Expected to decode Array<Any> but found a dictionary instead.")
        #expect(
            failed(#"{"a":"x"}"#, isKeyed: true)
                == "typeMismatch Dictionary<String, Any> | a | Expected to decode Dictionary<String, Any> but found a string instead."
        )
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
        #expect(
            failed { _ = try $0.decode(Int.self) }
                == "valueNotFound Int | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.decode(String.self) }
                == "valueNotFound String | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.decode(Bool.self) }
                == "valueNotFound Bool | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.decode(Double.self) }
                == "valueNotFound Double | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.decode(Box<Int>.self) }
                == "valueNotFound Box<Int> | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.decodeNil() } == "valueNotFound Never | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.nestedUnkeyedContainer() }
                == "valueNotFound UnkeyedDecodingContainer | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.nestedContainer(keyedBy: AnyKey.self) }
                == "valueNotFound KeyedDecodingContainer<AnyKey> | Index 1(1) | Unkeyed container is at end.")
        #expect(
            failed { _ = try $0.superDecoder() }
                == "valueNotFound Decoder | Index 1(1) | Cannot get superDecoder() -- unkeyed container is at end.")
    }

    @Test func `values are decoded if present`() throws {
        let found = try decode(#"[1,null,true,null,"a",null,1.5,null]"#) { decoder in
            var list = try decoder.unkeyedContainer()
            var found: [String] = []
            found.append("\(try list.decodeIfPresent(Int.self) as Any)")
            found.append("\(try list.decodeIfPresent(Int.self) as Any)")
            found.append("\(try list.decodeIfPresent(Bool.self) as Any)")
            found.append("\(try list.decodeIfPresent(Bool.self) as Any)")
            found.append("\(try list.decodeIfPresent(String.self) as Any)")
            found.append("\(try list.decodeIfPresent(String.self) as Any)")
            found.append("\(try list.decodeIfPresent(Double.self) as Any)")
            found.append("\(try list.decodeIfPresent([Int].self) as Any)")
            return found.joined(separator: " ") + " \(list.currentIndex) \(list.isAtEnd)"
        }
        #expect(found == #"Optional(1) nil Optional(true) nil Optional("a") nil Optional(1.5) nil 8 true"#)
    }

    @Test func `an error in an element has its index`() {
        #expect(
            failure(#"[[1],["a"]]"#) { decoder in
                var list = try decoder.unkeyedContainer()
                _ = try list.nestedUnkeyedContainer()
                var inner = try list.nestedUnkeyedContainer()
                return try inner.decode(Int.self)
            } == "typeMismatch Int | Index 1(1) / Index 0(0) | Expected to decode Int but found a string instead.")
        #expect(
            failure("[1,2]") { decoder in
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                return try list.nestedContainer(keyedBy: AnyKey.self).allKeys
            }
                == "typeMismatch Dictionary<String, Any> | Index 1(1) | Expected to decode Dictionary<String, Any> but found number instead."
        )
        #expect(
            failure("[null]") { decoder in
                var list = try decoder.unkeyedContainer()
                return try list.nestedUnkeyedContainer().count
            }
                == "valueNotFound Array<Any> | Index 0(0) | Cannot get unkeyed decoding container -- found null value instead"
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
                == "valueNotFound Dictionary<String, Any> | super | Cannot get keyed decoding container -- found null value instead"
        )
        #expect(
            failure("{}") { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                return try root.superDecoder(forKey: AnyKey("a")).singleValueContainer().decode(Int.self)
            } == "valueNotFound Int | a | Cannot get value of type Int -- found null value instead")
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
            } == "typeMismatch Int | super | Expected to decode Int but found a string instead.")
        #expect(
            failure(#"{"a":[{"super":[1,true]}]}"#) { decoder in
                let root = try decoder.container(keyedBy: AnyKey.self)
                var list = try root.nestedUnkeyedContainer(forKey: AnyKey("a"))
                let inner = try list.nestedContainer(keyedBy: AnyKey.self)
                return try [Int](from: inner.superDecoder())
            }
                == "typeMismatch Int | a / Index 0(0) / super / Index 1(1) | Expected to decode Int but found bool instead."
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
        #expect(
            failure("null") { try $0.singleValueContainer().decode(Int.self) }
                == "valueNotFound Int |  | Cannot get value of type Int -- found null value instead")
        #expect(
            failure("null") { try $0.singleValueContainer().decode(Bool.self) }
                == "typeMismatch Bool |  | Expected to decode Bool but found null instead.")
        #expect(
            failure("null") { try $0.singleValueContainer().decode(String.self) }
                == "valueNotFound String |  | Cannot get value of type String -- found null value instead")
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
