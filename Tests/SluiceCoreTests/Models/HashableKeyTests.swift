import Testing

@testable import SluiceCore

/// The shape of a dictionary gives the key of a pair for the search of equal keys.
struct HashableKeyTests {
    private func key<Key, Value>(_ shape: JSONShape, _ text: String, of type: (Key, Value).Type) throws
        -> AnyHashable?
    {
        let pair = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<(Key, Value)>.size, alignment: MemoryLayout<(Key, Value)>.alignment)
        defer { pair.deallocate() }
        let makeKey = try #require(shape.makeKey)
        let bytes = Array(text.utf8)
        try #require(bytes.withUnsafeBufferPointer { makeKey($0, pair) })
        defer { shape.destroyKey?(pair) }
        return shape.hashableKey?(pair)
    }

    @Test func `keys that convert to equal values are equal`() throws {
        let ints = JSONShape.of([Int: String].self)
        #expect(try key(ints, "1", of: (Int, String).self) == key(ints, "01", of: (Int, String).self))
        #expect(try key(ints, "1", of: (Int, String).self) != key(ints, "2", of: (Int, String).self))
        let strings = JSONShape.of([String: Int].self)
        #expect(
            try key(strings, "\u{E9}", of: (String, Int).self) == key(strings, "e\u{301}", of: (String, Int).self))
        #expect(try key(strings, "e", of: (String, Int).self) == AnyHashable("e"))
        #expect(try key(JSONShape.of([Int: Bool]?.self), "7", of: (Int, Bool).self) == AnyHashable(7))
    }

    struct Plain { let text: String }

    struct Pairs: JSONConvertible {
        let count: Int
        static var jsonShape: JSONShape {
            .dictionary(
                Pairs.self, key: Plain.self, value: Int.self, makeKey: { Plain(text: $0) },
                make: { pairs in
                    defer { pairs.deinitialize() }
                    return Pairs(count: pairs.count)
                })
        }
    }

    @Test func `key types that are not Hashable have no hashable key`() throws {
        #expect(JSONShape.of(Pairs.self).hashableKey == nil)
        #expect(try JSONModelDecoder().decode(Pairs.self, from: #"{"a":1,"b":2}"#).count == 2)
    }
}
