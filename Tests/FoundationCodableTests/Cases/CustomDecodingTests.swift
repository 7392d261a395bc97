import Foundation
import Testing

@Suite struct CustomDecodingTests {
    @Test func `a value is decoded twice from one decoder`() throws {
        struct Twice: Decodable {
            let keyed: [String: Int]
            let box: Box<Int>
            let container: Int
            init(from decoder: any Decoder) throws {
                keyed = try [String: Int](from: decoder)
                box = try Box<Int>(from: decoder)
                container = try decoder.container(keyedBy: AnyKey.self).decode(Int.self, forKey: AnyKey("value"))
            }
        }
        let values = try decode([Twice].self, #"[{"value":1},{"value":2}]"#)
        #expect(values.map(\.box.value) == [1, 2] && values.map(\.container) == [1, 2])
        #expect(values.map(\.keyed) == [["value": 1], ["value": 2]])
    }

    @Test func `a value is decoded as the first type that fits`() throws {
        enum Either: Decodable, Equatable {
            case number(Int)
            case text(String)
            case list([Either])
            case object([String: Either])
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    self = .number(number)
                } else if let text = try? container.decode(String.self) {
                    self = .text(text)
                } else if let list = try? container.decode([Either].self) {
                    self = .list(list)
                } else {
                    self = .object(try container.decode([String: Either].self))
                }
            }
        }
        let value = try decode(Either.self, #"[1,"a",{"b":[2,[]]},{}]"#)
        #expect(
            value
                == .list([.number(1), .text("a"), .object(["b": .list([.number(2), .list([])])]), .object([:])]))
        #expect(failure(Either.self, #"{"a":[1,true]}"#) == mismatch(anyDictionary, at: "a", found: "an array"))
    }

    @Test func `a value is decoded in part`() throws {
        struct First: Decodable {
            let value: Int
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                value = try list.decode(Int.self)
            }
        }
        #expect(try decode([First].self, #"[[1,"x",null],[2],[3,[4]]]"#).map(\.value) == [1, 2, 3])
        struct Nothing: Decodable { init(from decoder: any Decoder) throws {} }
        #expect(try decode([Nothing].self, #"[1,[2],{"a":3}]"#).count == 3)
        #expect(try decode([String: Nothing].self, #"{"a":[],"b":null}"#).count == 2)
    }

    @Test func `a decoder is used after the call`() throws {
        struct Kept: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let kept = try decode(Box<Kept>.self, #"{"value":{"value":5}}"#)
        #expect(kept.value.decoder.userInfo.isEmpty)
        let top = try decode(Kept.self, #"{"value":5,"long":"a string that is kept beyond the call"}"#)
        #expect(try Box<Int>(from: top.decoder).value == 5)
        let container = try top.decoder.container(keyedBy: AnyKey.self)
        #expect(
            try container.decode(String.self, forKey: AnyKey("long")) == "a string that is kept beyond the call")
    }

    @Test func `an error that a type throws is passed on`() {
        struct Refusal: Error, CustomStringConvertible { let description: String }
        #expect(failure("[1]") { _ in throw Refusal(description: "refused") } == "refused")
        struct Picky: Decodable {
            init(from decoder: any Decoder) throws { throw Refusal(description: described(decoder.codingPath)) }
        }
        #expect(failure([String: [Picky]].self, #"{"a":[1]}"#) == "a / Index 0(0)")
    }

    @Test func `an error that a type makes keeps its context`() {
        #expect(
            failure(#"{"a":1}"#) { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                throw DecodingError.dataCorruptedError(forKey: AnyKey("a"), in: container, debugDescription: "odd")
            } == "dataCorrupted - | a | odd")
        #expect(
            failure("[1]") { decoder in
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd")
            } == "dataCorrupted - | Index 1(1) | odd")
        #expect(
            failure("1") { decoder in
                let container = try decoder.singleValueContainer()
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd")
            } == "dataCorrupted - |  | odd")
    }

    @Test func `decoding continues after an error that is caught`() throws {
        struct Lossy: Decodable, Equatable {
            var values: [Int] = []
            struct Anything: Decodable {}
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                while !list.isAtEnd {
                    if let value = try? list.decode(Int.self) {
                        values.append(value)
                    } else {
                        _ = try list.decode(Anything.self)
                    }
                }
            }
        }
        #expect(try decode(Box<Lossy>.self, #"{"value":[1,{"a":"b"},{},3,{"value":4}]}"#).value.values == [1, 3])
        #expect(failure(Lossy.self, #"[1,"a"]"#) == "no error: Lossy(values: [1])")
    }

    @Test func `user info reaches every decoder`() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        struct Reader: Decodable {
            let found: String
            init(from decoder: any Decoder) throws {
                let key = CodingUserInfoKey(rawValue: "key")!
                found = decoder.userInfo[key] as? String ?? ""
            }
        }
        #expect(try decode([[Reader]].self, "[[1]]") { $0.userInfo = [key: "x"] }[0][0].found == "x")
        func configure(_ decoder: JSONDecoder) { decoder.userInfo[key] = "y" }
        let nested = try decode(#"{"a":1}"#, configure) { decoder in
            try decoder.container(keyedBy: AnyKey.self).superDecoder(forKey: AnyKey("a"))
                .userInfo[CodingUserInfoKey(rawValue: "key")!] as? String
        }
        #expect(nested == "y")
    }

    @Test func `one decoder decodes one value after another`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try decoder.decode(Box<Int>.self, from: Data("{}".utf8)) }
        #expect(try decoder.decode(Box<Int>.self, from: Data(#"{"value":1}"#.utf8)).value == 1)
        #expect(throws: DecodingError.self) { try decoder.decode(Box<Int>.self, from: Data("{".utf8)) }
        #expect(try decoder.decode([Box<Int>].self, from: Data(#"[{"value":2}]"#.utf8)).map(\.value) == [2])
    }

    @Test func `a decoder decodes within a decoder`() throws {
        struct Embedded: Decodable {
            let inner: Box<Int>
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                inner = try JSONDecoder().decode(Box<Int>.self, from: Data(text.utf8))
            }
        }
        #expect(try decode([Embedded].self, #"["{\"value\":1}","{\"value\":2}"]"#).map(\.inner.value) == [1, 2])
        #expect(
            failure([Embedded].self, #"["{\"value\":\"x\"}"]"#)
                == mismatch("Int", at: "value", found: "a string"))
    }

    @Test func `a slice of data is decoded`() throws {
        let data = Data(#"xx{"value":"some text","more":[1]}yy"#.utf8)
        #expect(try JSONDecoder().decode(Box<String>.self, from: data[2..<(data.count - 2)]).value == "some text")
    }
}

@Suite struct TypeTests {
    class Animal: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    class Dog: Animal {
        var breed = ""
        enum CodingKeys: String, CodingKey { case breed }
        init(name: String, breed: String) {
            super.init(name: name)
            self.breed = breed
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            breed = try container.decode(String.self, forKey: .breed)
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(breed, forKey: .breed)
            try super.encode(to: container.superEncoder())
        }
    }

    /// A subclass that shares the object of its superclass.
    class Cat: Animal {
        var lives = 0
        enum CodingKeys: String, CodingKey { case lives }
        init(name: String, lives: Int) {
            super.init(name: name)
            self.lives = lives
        }
        required init(from decoder: any Decoder) throws {
            lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(lives, forKey: .lives)
        }
    }

    @Test func `a superclass has a decoder of its own`() throws {
        let json = #"{"breed":"b","super":{"name":"n"}}"#
        let dog = try decode(Dog.self, json)
        #expect(dog.name == "n" && dog.breed == "b")
        #expect(try encode(dog) == json)
        #expect(failure(Dog.self, #"{"breed":"b"}"#) == noKeyedContainer(at: "super"))
        #expect(
            failure(Dog.self, #"{"breed":"b","super":{"name":1}}"#)
                == mismatch("String", at: "super / name", found: "number"))
    }

    @Test func `a superclass shares the object`() throws {
        let json = #"{"lives":9,"name":"n"}"#
        let cat = try decode(Cat.self, json)
        #expect(cat.name == "n" && cat.lives == 9)
        #expect(try encode(cat) == json)
        #expect(failure([Cat].self, #"[{"lives":9}]"#) == noKey("name", at: "Index 0(0)"))
    }

    @propertyWrapper struct Clamped: Codable, Equatable {
        var wrappedValue: Int
        init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
        init(from decoder: any Decoder) throws {
            wrappedValue = min(try decoder.singleValueContainer().decode(Int.self), 10)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    @propertyWrapper struct Defaulted: Codable {
        var wrappedValue = "default"
        init() {}
        init(from decoder: any Decoder) throws {
            wrappedValue = (try? decoder.singleValueContainer().decode(String.self)) ?? "default"
        }
        func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
    }

    struct Wrapped: Codable {
        @Clamped var level: Int = 0
        @Defaulted var name: String
        @Clamped var other: Int = 1
    }

    @Test func `property wrappers decode and encode their values`() throws {
        let value = try decode(Wrapped.self, #"{"level":12,"name":5,"other":3}"#)
        #expect(value.level == 10 && value.name == "default" && value.other == 3)
        #expect(try encode(value) == #"{"level":10,"name":"default","other":3}"#)
        #expect(failure(Wrapped.self, #"{"level":"x"}"#) == mismatch("Int", at: "level", found: "a string"))
        #expect(failure(Wrapped.self, #"{"level":1,"name":"a"}"#) == noKey("other"))
    }

    struct Pair<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
        var first: First
        var second: Second?
    }

    @Test func `generic types are decoded and encoded`() throws {
        typealias Value = Pair<[Int], Pair<String, Bool>>
        let json = #"{"first":[1],"second":{"first":"a"}}"#
        let value = Value(first: [1], second: Pair(first: "a", second: nil))
        #expect(try decode(Value.self, json) == value)
        #expect(try encode(value) == json)
        #expect(
            failure(Value.self, #"{"first":[1],"second":{"first":"a","second":3}}"#)
                == mismatch("Bool", at: "second / second", found: "number"))
    }

    indirect enum Tree: Codable, Equatable {
        case leaf(Int)
        case node([Tree])
        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var children: [Tree] = []
                while !list.isAtEnd { children.append(try list.decode(Tree.self)) }
                self = .node(children)
            } else {
                self = .leaf(try decoder.singleValueContainer().decode(Int.self))
            }
        }
        func encode(to encoder: any Encoder) throws {
            switch self {
            case .leaf(let value):
                var container = encoder.singleValueContainer()
                try container.encode(value)
            case .node(let children):
                var container = encoder.unkeyedContainer()
                for child in children { try container.encode(child) }
            }
        }
    }

    final class Chain: Codable {
        var value: Int
        var next: Chain?
        init(_ value: Int, _ next: Chain?) { (self.value, self.next) = (value, next) }
    }

    @Test func `recursive types are decoded and encoded`() throws {
        let json = "[1,[],[2,[3]]]"
        let tree = Tree.node([.leaf(1), .node([]), .node([.leaf(2), .node([.leaf(3)])])])
        #expect(try decode(Tree.self, json) == tree)
        #expect(try encode(tree) == json)
        #expect(
            failure(Tree.self, #"[1,[2,"x"]]"#)
                == mismatch("Int", at: "Index 1(1) / Index 1(1)", found: "a string")
        )
        let chain = try decode(Chain.self, #"{"next":{"next":null,"value":2},"value":1}"#)
        #expect(chain.next?.value == 2)
        #expect(try encode(chain) == #"{"next":{"value":2},"value":1}"#)
    }

    struct Scaled: CodableWithConfiguration, Equatable {
        struct Factor: Sendable { let factor: Int }
        var value: Int
        init(value: Int) { self.value = value }
        init(from decoder: any Decoder, configuration: Factor) throws {
            value = try decoder.singleValueContainer().decode(Int.self) * configuration.factor
        }
        func encode(to encoder: any Encoder, configuration: Factor) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value / configuration.factor)
        }
    }

    struct Three: DecodingConfigurationProviding, EncodingConfigurationProviding {
        static var decodingConfiguration: Scaled.Factor { Scaled.Factor(factor: 3) }
        static var encodingConfiguration: Scaled.Factor { Scaled.Factor(factor: 3) }
    }

    struct Configured: Codable {
        @CodableConfiguration(from: Three.self) var scaled = Scaled(value: 0)
    }

    @Test func `a configuration reaches the type`() throws {
        let ten = Scaled.Factor(factor: 10)
        #expect(try JSONDecoder().decode(Scaled.self, from: Data("5".utf8), configuration: ten).value == 50)
        #expect(try JSONDecoder().decode(Scaled.self, from: Data("5".utf8), configuration: Three.self).value == 15)
        #expect(try JSONEncoder().encode(Scaled(value: 50), configuration: ten) == Data("5".utf8))
        #expect(try JSONEncoder().encode(Scaled(value: 15), configuration: Three.self) == Data("5".utf8))
        let data = Data("[1,2]".utf8)
        #expect(try JSONDecoder().decode([Scaled].self, from: data, configuration: ten).map(\.value) == [10, 20])
        #expect(try JSONEncoder().encode([Scaled(value: 10)], configuration: ten) == Data("[1]".utf8))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Scaled.self, from: Data(#""a""#.utf8), configuration: ten)
        }
    }

    @Test func `a configuration wrapper reaches the type`() throws {
        #expect(try decode(Configured.self, #"{"scaled":4}"#).scaled.value == 12)
        #expect(try encode(Configured(scaled: Scaled(value: 12))) == #"{"scaled":4}"#)
    }
}
