import Foundation
import Testing

/// Keys with different code points that are equal strings.
@Suite struct EquivalentKeyTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    private struct Pairs: Encodable {
        let pairs: [(String, Int)]
        init(_ pairs: (String, Int)...) { self.pairs = pairs }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for (key, value) in pairs { try container.encode(value, forKey: AnyKey(key)) }
        }
    }

    private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Strings that are equal have other bytes.
    private func expect(_ value: some Encodable, _ json: String, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        #expect(utf8(try encode(value)) == utf8(json), sourceLocation: sourceLocation)
    }

    @Test func `the later of two equal keys is encoded`() throws {
        let (composed, decomposed) = (Self.composed, Self.decomposed)
        try expect(Pairs((composed, 1), (decomposed, 2)), "{\"\(composed)\":2}")
        try expect(
            Pairs((decomposed, 1), ("a", 0), (composed, 2), (decomposed, 3)), "{\"a\":0,\"\(decomposed)\":3}")
        try expect(Pairs(("\u{212A}", 1), ("K", 2)), "{\"\u{212A}\":2}")
        try expect(Pairs(("K", 1), ("\u{212A}", 2)), "{\"K\":2}")
        try expect(Pairs(("a\u{37E}b\u{1FEF}", 1), ("a;b`", 2)), "{\"a\u{37E}b\u{1FEF}\":2}")
        try expect(Pairs(("\u{212B}", 1), ("A\u{30A}", 2), ("\u{C5}", 3)), "{\"\u{212B}\":3}")
        let long = "a key of more than fifteen bytes, "
        try expect(Pairs((long + composed, 1), (long + decomposed, 2)), "{\"\(long)\(composed)\":2}")
        try expect(Pairs((long + "\u{212A}", 1), (long + "K", 2)), "{\"\(long)\u{212A}\":2}")
        // Neither compatible nor similar characters are equal.
        try expect(Pairs(("\u{2460}", 1), ("1", 2)), "{\"1\":2,\"\u{2460}\":1}")
    }

    @Test func `equal keys of an object with many keys are found`() throws {
        let pairs =
            (0..<200).map { ("\(Self.composed)\($0)", 0) } + (0..<200).map { ("\(Self.decomposed)\($0)", 1) }
        struct Many: Encodable {
            let pairs: [(String, Int)]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                for (key, value) in pairs { try container.encode(value, forKey: AnyKey(key)) }
            }
        }
        let decoded = try decode([String: Int].self, try encode(Many(pairs: pairs)))
        #expect(decoded.count == 200 && decoded.values.allSatisfy { $0 == 1 })
    }

    @Test func `equal keys of nested containers are one`() throws {
        let text = try encode(
            Encoding { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                var first = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(Self.composed))
                try first.encode(1, forKey: AnyKey("a"))
                var second = root.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(Self.decomposed))
                try second.encode(2, forKey: AnyKey("b"))
            })
        #expect(utf8(text) == utf8("{\"\(Self.composed)\":{\"a\":1,\"b\":2}}"))
    }

    @Test(arguments: [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}"), ("\u{212A}", "K"), ("K", "\u{212A}")])
    func `values are found by an equal key`(key: String, other: String) throws {
        for filler in ["", "\"x\":0,", "\"ü\":0,"] {
            let found = try decode("{\(filler)\"\(key)\":1,\"last\":5}") { decoder in
                let container = try decoder.container(keyedBy: AnyKey.self)
                #expect(container.contains(AnyKey(other)) && container.contains(AnyKey(key)))
                #expect(try container.decode(Int.self, forKey: AnyKey(key)) == 1)
                #expect(try container.decodeIfPresent(Int.self, forKey: AnyKey(other)) == 1)
                #expect(try container.decode(Int.self, forKey: AnyKey("last")) == 5)
                #expect(!container.contains(AnyKey(other + other)))
                return try container.decode(Int.self, forKey: AnyKey(other))
            }
            #expect(found == 1)
        }
    }

    @Test func `the first of two equal keys is decoded`() throws {
        let json = "{\"\(Self.composed)\":1,\"\(Self.decomposed)\":2,\"K\":3,\"\u{212A}\":4}"
        let keys = try decode(json) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(try container.decode(Int.self, forKey: AnyKey(Self.composed)) == 1)
            #expect(try container.decode(Int.self, forKey: AnyKey(Self.decomposed)) == 1)
            #expect(try container.decode(Int.self, forKey: AnyKey("K")) == 3)
            return container.allKeys.map { Array($0.stringValue.utf8) }
        }
        #expect(Set(keys) == [utf8(Self.composed), utf8("K")])
        #expect(try decode([String: Int].self, json) == [Self.composed: 1, "K": 3])
    }
}
