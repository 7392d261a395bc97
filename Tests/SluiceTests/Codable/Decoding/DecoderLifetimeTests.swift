import Foundation
import Sluice
import Testing

/// Keeps what its initializer receives.
private final class Keeper: Decodable {
    enum Keys: String, CodingKey { case name, list, inner }

    let decoder: any Decoder
    let container: KeyedDecodingContainer<Keys>
    let list: any UnkeyedDecodingContainer
    let inner: KeyedDecodingContainer<Keys>
    let superDecoder: any Decoder

    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: Keys.self)
        list = try container.nestedUnkeyedContainer(forKey: .list)
        inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
        superDecoder = try container.superDecoder(forKey: .inner)
    }

    func check(_ name: String) throws {
        #expect(try container.decode(String.self, forKey: .name) == name)
        var list = list
        #expect(try list.decode(Int.self) == 1)
        #expect(try list.decode(String.self) == "\(name) has a longer text than a small string")
        #expect(try inner.decode(String.self, forKey: .name) == "inner \(name)")
        #expect(
            try superDecoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name) == "inner \(name)")
        #expect(try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name) == name)
        #expect(inner.codingPath.last?.stringValue == "inner")
    }

    static func json(_ name: String) -> String {
        #"{"name": "\#(name)", "list": [1, "\#(name) has a longer text than a small string"], "inner": {"name": "inner \#(name)"}}"#
    }
}

/// Keeps only its keyed container.
private struct ContainerKeeper: Decodable {
    enum Keys: CodingKey { case id }
    let container: KeyedDecodingContainer<Keys>

    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }
}

@Suite struct DecoderLifetimeTests {
    // Serialized, because the cases share a static property.
    @Test(.serialized, arguments: JSONModelDecoder.Source.allCases, [nil, 100])
    func `decoders of the values of models outlive their value`(_ source: JSONModelDecoder.Source, _ piece: Int?)
        throws
    {
        /// Keeps the decoder of a scalar.
        struct ScalarKeeper: Decodable {
            let container: any SingleValueDecodingContainer
            init(from decoder: any Decoder) throws { container = try decoder.singleValueContainer() }
        }
        /// Is kept, and fails.
        final class Failing: Decodable {
            nonisolated(unsafe) static var last: KeyedDecodingContainer<TextKey>?
            init(from decoder: any Decoder) throws {
                Self.last = try decoder.container(keyedBy: TextKey.self)
                _ = try Self.last?.decode(Int.self, forKey: TextKey("name"))
            }
        }
        defer { Failing.last = nil }
        var decoder = JSONModelDecoder()
        decoder.source = source
        func decode<T: JSONConvertible>(_ type: T.Type, _ elements: [String]) throws -> T {
            var bytes: [UInt8]? = Array("[\(elements.joined(separator: ", "))]".utf8)
            let count = bytes!.count
            defer {
                bytes = nil
                _ = Array(repeating: UInt8(0xFF), count: count)
            }
            guard let piece else { return try decoder.decode(type, from: bytes!) }
            let chunks = stride(from: 0, to: count, by: piece).map { Array(bytes![$0..<min($0 + piece, count)]) }
            bytes = nil
            return try decoder.decode(type, from: .chunks(chunks))
        }
        let names = (0..<20).map { "element \($0)" }
        let keepers = try decode([JSONCodable<Keeper>].self, names.map(Keeper.json))
        for (keeper, name) in zip(keepers, names) { try keeper.value.check(name) }
        let containers = try decode([JSONCodable<ContainerKeeper>].self, (0..<20).map { #"{"id": \#($0)}"# })
        for (index, keeper) in containers.enumerated() {
            #expect(try keeper.value.container.decode(Int.self, forKey: .id) == index)
        }
        let texts = (0..<20).map { "text \($0) that is longer than a small string" }
        let scalars = try decode([JSONCodable<ScalarKeeper>].self, texts.map { "\"\($0)\"" })
        for (scalar, text) in zip(scalars, texts) {
            #expect(try scalar.value.container.decode(String.self) == text)
        }
        #expect(throws: JSONModelError.self) { try decode([JSONCodable<Failing>].self, names.map(Keeper.json)) }
        #expect(try Failing.last?.decode(String.self, forKey: TextKey("name")) == "element 0")
    }

    @Test func `an initializer may use the container of an outer value`() throws {
        final class Shared: @unchecked Sendable { var container: KeyedDecodingContainer<TextKey>? }
        let shared = Shared()
        // The container owns the user information, and with it the object that has the container.
        defer { shared.container = nil }
        let decoder = SluiceJSONDecoder()
        decoder.userInfo[.shared] = shared
        struct Outer: Decodable {
            let inner: Inner
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: TextKey.self)
                (decoder.userInfo[.shared] as? Shared)?.container = container
                inner = try container.decode(Inner.self, forKey: TextKey("inner"))
            }
        }
        struct Inner: Decodable {
            let own: Int
            let other: Leaf
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: TextKey.self)
                let outer = (decoder.userInfo[.shared] as? Shared)?.container
                other = try #require(outer).decode(Leaf.self, forKey: TextKey("leaf"))
                own = try container.decode(Int.self, forKey: TextKey("own"))
            }
        }
        struct Leaf: Decodable { let value: Int }
        let value = try decoder.decode(Outer.self, from: #"{"inner": {"own": 1}, "leaf": {"value": 2}}"#)
        #expect(value.inner.own == 1)
        #expect(value.inner.other.value == 2)
    }
}

extension CodingUserInfoKey {
    fileprivate static let shared = CodingUserInfoKey(rawValue: "shared")!
}
