import TestSupport
import Testing

@testable import SluiceCore

/// The shape of a dictionary gives the key of a pair for the search of equal keys.
@Suite(.tags(.keys, .collections)) struct HashableKeyTests {
    private func key<Key, Value>(_ shape: JSONShape, _ text: String, of type: (Key, Value).Type) throws
        -> AnyHashable?
    {
        let pair = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<(Key, Value)>.size, alignment: MemoryLayout<(Key, Value)>.alignment)
        defer { pair.deallocate() }
        guard case .dictionary(let dictionary) = shape.category else { return nil }
        let keys = dictionary.keys
        let bytes = Array(text.utf8)
        try #require(bytes.withUnsafeBufferPointer { keys.make($0, pair) })
        defer { keys.destroy(pair) }
        return keys.hashable(pair)
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

    /// A dictionary of the last members, at most three.
    struct Recent: JSONConvertible, Equatable {
        var members: [String: Int]
        static var jsonShape: JSONShape {
            .dictionary(
                Recent.self, key: String.self, value: Int.self,
                make: { Recent(members: Dictionary($0.suffix(3).map { ($0.key, $0.value) }) { $1 }) },
                members: { $0.members.sorted { $0.key < $1.key } })
        }
    }

    @Test func `a dictionary type of one's own is decoded and encoded`() throws {
        let recent = try JSONModelDecoder().decode(Recent.self, from: #"{"a":1,"b":2,"c":3,"d":4}"#)
        #expect(recent == Recent(members: ["b": 2, "c": 3, "d": 4]))
        #expect(try JSONModelEncoder().encode(recent, as: .string) == #"{"b":2,"c":3,"d":4}"#)
    }

    /// A key that is neither a raw value nor its description.
    struct Point: JSONDictionaryKey {
        let x: Int
        let y: Int
        init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
        init?(jsonKey: String) {
            let parts = jsonKey.split(separator: ":").compactMap { Int($0) }
            guard parts.count == 2 else { return nil }
            self.init(x: parts[0], y: parts[1])
        }
        var jsonKey: String { "\(x):\(y)" }
    }

    @Test func `a key is encoded in the form from which it is decoded`() throws {
        let points = try JSONModelDecoder().decode([Point: Int].self, from: #"{"1:2":3}"#)
        #expect(points == [Point(x: 1, y: 2): 3])
        #expect(try JSONModelEncoder().encode(points, as: .string) == #"{"1:2":3}"#)
    }
}
