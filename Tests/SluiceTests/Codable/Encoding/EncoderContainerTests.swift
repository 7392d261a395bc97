import Foundation
import Sluice
import TestSupport
import Testing

/// Containers in every order.
@Suite struct EncoderContainerTests {
    @Test func `synthesized types are the same`() throws {
        try expectSameJSON(EncoderSample.list)
        try expectSameJSON(EncoderSample.list[0])
        try expectSameJSON(["a": EncoderSample.list])
        try expectSameJSON(Optional(EncoderSample.list[1]))
        try expectSameJSON(EncodedTree(1, [EncodedTree(2, [EncodedTree(3)]), EncodedTree(4)]))
        try expectSameJSON(EncodedDog(name: "Rex", age: 3))
        try expectSameJSON([EncodedShape.circle(radius: 2), .point, .rectangle(3, 4)])
    }

    @Test func `a container continues a single value`() throws {
        struct Point: Encodable {
            let x = 1
            let y = [2]
        }
        try expectSameJSON(
            EncodedBy { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(Point())
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode("more", forKey: "z")
            })
        try expectSameJSON(
            EncodedBy { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(["a/b": 1])
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode("more", forKey: "z")
                try keyed.encode(2, forKey: "a/b")
            })
        try expectSameJSON(
            EncodedBy { encoder in
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode("first", forKey: "z")
                var single = encoder.singleValueContainer()
                try single.encode(Point())
            })
        try expectSameJSON(
            EncodedBy { encoder in
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode(Point(), forKey: "p")
                var nested = keyed.nestedContainer(keyedBy: TextKey.self, forKey: "p")
                try nested.encode(3, forKey: "z")
            })
    }

    @Test func `the last value of a key wins among more keys than are compared one by one`() throws {
        try expectSameJSON(
            EncodedBy { encoder in
                var keyed = encoder.container(keyedBy: TextKey.self)
                for index in 0..<500 { try keyed.encode(index, forKey: TextKey("key \(index)")) }
                for index in 0..<10 {
                    try keyed.encode("\(index)", forKey: TextKey("key \(index * 50)"))
                }
            })
    }

    @Test func `members keep the order in which they are encoded`() throws {
        struct Ordered: Encodable {
            let z = 1
            let a = 2
            let m = 3
        }
        let text = try SluiceJSONEncoder().encode(Ordered(), as: .string)
        #expect(text == #"{"z":1,"a":2,"m":3}"#)
    }

    @Test func `an object can have many keys`() throws {
        let count = 40_000
        let value = EncodedBy { encoder in
            var keyed = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count { try keyed.encode(index, forKey: TextKey("the key \(index)")) }
        }
        let text = try SluiceJSONEncoder().encode(value, as: .string)
        #expect(text.hasPrefix(#"{"the key 0":0,"the key 1":1,"#))
        #expect(text.hasSuffix(#""the key 39999":39999}"#))
    }

    /// Each value encodes a number of entries in an order that needs a state of the encoder.
    private static let long: [@Sendable (any Encoder, Int) throws -> Void] = [
        { encoder, count in
            var array = encoder.unkeyedContainer()
            for index in 0..<count {
                var inner = array.nestedUnkeyedContainer()
                try inner.encode(index)
            }
        },
        { encoder, count in
            var keyed = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count {
                var inner = keyed.nestedContainer(keyedBy: TextKey.self, forKey: TextKey(intValue: -index))
                try inner.encode(index, forKey: "b")
                try inner.encode(index, forKey: "a")
            }
        },
        { encoder, count in
            var array = encoder.unkeyedContainer()
            var all: [any UnkeyedEncodingContainer] = []
            for _ in 0..<count { all.append(array.nestedUnkeyedContainer()) }
            for index in all.indices.reversed() { try all[index].encode([index]) }
        },
        { encoder, count in
            var keyed = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count { try keyed.encode(index, forKey: TextKey(intValue: index / 2)) }
        },
        { encoder, count in
            var keyed = encoder.container(keyedBy: TextKey.self)
            for index in 0..<count {
                var inner = keyed.nestedUnkeyedContainer(forKey: "same")
                try inner.encode(index)
                try keyed.encode(index, forKey: TextKey(intValue: index))
            }
        },
        { encoder, count in
            var outer = encoder.unkeyedContainer()
            var same = outer
            for index in 0..<count {
                let parent = outer.superEncoder()
                try outer.encode(
                    EncodedBy { encoder in
                        var keyed = encoder.container(keyedBy: TextKey.self)
                        try keyed.encode(index, forKey: "a")
                        try same.encode(index)
                        try keyed.encode(index, forKey: "a")
                    })
                try index.encode(to: parent)
            }
        },
        { encoder, count in
            var array = encoder.unkeyedContainer()
            let parents = (0..<count).map { _ in array.superEncoder() }
            for (index, parent) in parents.enumerated() { try index.encode(to: parent) }
        },
    ]

    @Test(arguments: long.indices, [SluiceJSONEncoder.OutputFormatting(), .sortedKeys])
    func `the time is linear in the number of entries`(
        index: Int, formatting: SluiceJSONEncoder.OutputFormatting
    ) throws {
        try expectLinearTime(upTo: 32_000) { count in
            let encoder = SluiceJSONEncoder()
            encoder.outputFormatting = formatting
            _ = try encoder.encode(EncodedBy { try Self.long[index]($0, count) })
        }
    }

    @Test func `the encoder of a superclass may be released late`() throws {
        try expectSameJSON(
            EncodedBy { encoder in
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode(1, forKey: "a")
                let parent = keyed.superEncoder(forKey: "parent")
                let other = keyed.superEncoder()
                try withExtendedLifetime((parent, other)) {
                    try keyed.encode(2, forKey: "b")
                    var container = parent.container(keyedBy: TextKey.self)
                    try container.encode(3, forKey: "c")
                    try keyed.encode([4], forKey: "d")
                    try container.encode(["e": 5], forKey: "e")
                }
            })
    }

    // MARK: Errors inside of values

    @Test func `a value whose error was caught leaves no trace`() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: TextKey.self)
                try keyed.encode(1, forKey: "partial")
                var nested = keyed.nestedUnkeyedContainer(forKey: "n")
                try nested.encode(Double.infinity)
            }
        }
        let value = EncodedBy { encoder in
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode(1, forKey: "a")
            try? keyed.encode(Failing(), forKey: "b")
            try keyed.encode(2, forKey: "c")
            try keyed.encode(3, forKey: "b")
            var array = keyed.nestedUnkeyedContainer(forKey: "array")
            try array.encode(1)
            try? array.encode([Failing()])
            try? array.encode(["x": Failing()])
            try? array.encode(Double.nan)
            try array.encode(2)
            #expect(array.count == 2)
            try keyed.encode(
                EncodedBy { encoder in
                    var single = encoder.singleValueContainer()
                    do { try single.encode(Failing()) } catch { try single.encode("instead") }
                }, forKey: "single")
        }
        let text = try SluiceJSONEncoder().encode(value, as: .string)
        #expect(text == #"{"a":1,"c":2,"b":3,"array":[1,2],"single":"instead"}"#)
    }

    @Test(arguments: [10, 66, 100, 200, 300], [10, 66, 100, 200, 300])
    func `another value can be encoded in place of one with many keys`(first: Int, second: Int) throws {
        struct Object: Encodable {
            let count: Int
            let fails: Bool
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: TextKey.self)
                for index in 0..<count { try keyed.encode(index, forKey: TextKey("k\(index)")) }
                if fails { throw CancellationError() }
            }
        }
        let (failing, other) = (Object(count: first, fails: true), Object(count: second, fails: false))
        let text = try SluiceJSONEncoder().encode(other, as: .string)
        let single = EncodedBy { encoder in
            var single = encoder.singleValueContainer()
            do { try single.encode(failing) } catch { try single.encode(other) }
        }
        #expect(try SluiceJSONEncoder().encode(single, as: .string) == text)
        let members = EncodedBy { encoder in
            var keyed = encoder.container(keyedBy: TextKey.self)
            for index in 0..<second {
                let key = TextKey("k\(index)")
                do { try keyed.encode(failing, forKey: key) } catch { try keyed.encode(index, forKey: key) }
            }
        }
        #expect(try SluiceJSONEncoder().encode(members, as: .string) == text)
    }

    @Test func `the container of a failed value has no effect`() throws {
        let value = EncodedBy { encoder in
            var single = encoder.singleValueContainer()
            var kept: KeyedEncodingContainer<TextKey>?
            let failing = EncodedBy { encoder in
                kept = encoder.container(keyedBy: TextKey.self)
                try kept?.encode(1, forKey: "a")
                throw CancellationError()
            }
            do { try single.encode(failing) } catch { try single.encode([1]) }
            try kept?.encode(2, forKey: "b")
            _ = kept?.nestedUnkeyedContainer(forKey: "c")
        }
        #expect(try SluiceJSONEncoder().encode(value, as: .string) == "[1]")
    }

    // MARK: Depth

    @Test func `the depth is limited as in Foundation`() throws {
        for depth in [510, 511, 512, 513, 600] {
            let tree = EncodedTree.chain(depth)
            let array = EncodedArrays(depth: depth)
            if depth % 2 == 1 || depth < 512 { try compare(array) }
            try compare(tree)
        }
        func compare<T: Encodable>(_ value: T) throws {
            let options = EncoderOptions()
            let theirs = EncodingFailure { _ = try options.foundation.encode(value) }
            let ours = EncodingFailure { _ = try options.sluice.encode(value) }
            #expect(ours?.text == theirs?.text)
            #expect(ours?.path == theirs?.path)
            if theirs == nil { #expect(try options.sluice.encode(value) == options.foundation.encode(value)) }
        }
    }

    @Test func `endless nesting is an error`() {
        let value = EncodedBy { encoder in
            let outer = encoder.unkeyedContainer()
            var inner = outer
            for _ in 0..<100_000 { inner = inner.nestedUnkeyedContainer() }
            try inner.encode(1)
        }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode(value) }
        let reopened = EncodedBy { encoder in
            var outer = encoder.container(keyedBy: TextKey.self)
            var first = outer.nestedUnkeyedContainer(forKey: "first")
            var inner = first
            for _ in 0..<100_000 { inner = inner.nestedUnkeyedContainer() }
            try outer.encode(1, forKey: "second")
            try first.encode(2)
            try inner.encode(3)
            inner = inner.nestedUnkeyedContainer()
        }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode(reopened) }
        let pretty = SluiceJSONEncoder()
        pretty.outputFormatting = .prettyPrinted
        #expect(throws: EncodingError.self) { try pretty.encode(value) }
    }

    // MARK: Escaped encoders

    @Test func `new encoders with the same options share no state`() throws {
        final class Keeper: @unchecked Sendable { var container: KeyedEncodingContainer<TextKey>? }
        let keeper = Keeper()
        for index in 0..<5 {
            let value = EncodedBy { encoder in
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(index, forKey: "index")
                if index == 1 { keeper.container = container }
            }
            #expect(try SluiceJSONEncoder().encode(value, as: .string) == #"{"index":\#(index)}"#)
            try keeper.container?.encode("late", forKey: "late")
            let other = SluiceJSONEncoder()
            other.outputFormatting = .prettyPrinted
            #expect(try other.encode(value, as: .string) == "{\n  \"index\" : \(index)\n}")
            other.outputFormatting = []
            #expect(try other.encode(value, as: .string) == #"{"index":\#(index)}"#)
        }
    }

    @Test func `an encoder that outlives its value has no effect`() throws {
        final class Keeper: @unchecked Sendable {
            var keyed: KeyedEncodingContainer<TextKey>?
            var unkeyed: (any UnkeyedEncodingContainer)?
            var encoder: (any Encoder)?
        }
        let keeper = Keeper()
        let value = EncodedBy { encoder in
            var keyed = encoder.container(keyedBy: TextKey.self)
            try keyed.encode(
                EncodedBy { inner in
                    keeper.encoder = inner
                    var container = inner.container(keyedBy: TextKey.self)
                    try container.encode(1, forKey: "in")
                    keeper.keyed = container
                    keeper.unkeyed = container.nestedUnkeyedContainer(forKey: "n")
                }, forKey: "a")
            try keeper.keyed?.encode("late", forKey: "late")
            try keeper.unkeyed?.encode(EncoderSample.list)
            _ = keeper.keyed?.nestedContainer(keyedBy: TextKey.self, forKey: "late nested")
            try keyed.encode(2, forKey: "b")
        }
        try expectSameJSON(value)
        // After the call, and during a later call with the same memory.
        let encoder = SluiceJSONEncoder()
        let expected = #"{"a":{"in":1,"n":[]},"b":2}"#
        #expect(try encoder.encode(value, as: .string) == expected)
        try keeper.keyed?.encode("late", forKey: "late")
        try keeper.unkeyed?.encode("late")
        var late = keeper.encoder?.container(keyedBy: TextKey.self)
        try late?.encode(EncoderSample.list, forKey: "a")
        _ = keeper.encoder?.codingPath
        #expect(try encoder.encode(value, as: .string) == expected)
        #expect(try encoder.encode([1], as: .string) == "[1]")
    }

    /// Checks that a container that is requested after the call keeps what it refers to.
    private func checkLate(
        _ request: (any Encoder, inout KeyedEncodingContainer<TextKey>) throws ->
            KeyedEncodingContainer<TextKey>?
    ) throws {
        final class Sentinel: Sendable {}
        final class Keeper: @unchecked Sendable {
            var encoder: (any Encoder)?
            var keyed: KeyedEncodingContainer<TextKey>?
        }
        weak var sentinel: Sentinel?
        var late: KeyedEncodingContainer<TextKey>?
        do {
            let keeper = Keeper()
            let object = Sentinel()
            sentinel = object
            let encoder = SluiceJSONEncoder()
            // With user information, the encoder shares no memory with others.
            encoder.userInfo[CodingUserInfoKey(rawValue: "sentinel")!] = object
            _ = try encoder.encode(
                EncodedBy { inner in
                    keeper.encoder = inner
                    keeper.keyed = inner.container(keyedBy: TextKey.self)
                })
            let kept = try #require(keeper.encoder)
            var keyed = try #require(keeper.keyed)
            late = try request(kept, &keyed)
        }
        #expect(sentinel != nil)
        try late?.encode(EncoderSample.list, forKey: "late")
        late = nil
        #expect(sentinel == nil)
    }

    @Test func `a container that is requested after the call keeps what it refers to`() throws {
        try checkLate { encoder, _ in encoder.container(keyedBy: TextKey.self) }
        try checkLate { _, keyed in keyed.nestedContainer(keyedBy: TextKey.self, forKey: "nested") }
        try checkLate { _, keyed in
            var nested = keyed.nestedUnkeyedContainer(forKey: "nested")
            return nested.nestedContainer(keyedBy: TextKey.self)
        }
        try checkLate { _, keyed in
            var inner: KeyedEncodingContainer<TextKey>?
            try keyed.encode(EncodedBy { inner = $0.container(keyedBy: TextKey.self) }, forKey: "value")
            return inner
        }
    }

    @Test func `a late container does not change the next value`() throws {
        final class Keeper: @unchecked Sendable { var container: KeyedEncodingContainer<TextKey>? }
        let keeper = Keeper()
        let encoder = SluiceJSONEncoder()
        let value = EncodedBy { inner in
            keeper.container = inner.container(keyedBy: TextKey.self)
            try keeper.container?.encode(1, forKey: "a")
        }
        for _ in 0..<2 {
            #expect(try encoder.encode(value, as: .string) == #"{"a":1}"#)
            var late = keeper.container?.nestedUnkeyedContainer(forKey: "late")
            // Deeper than the limit.
            for _ in 0..<600 { late = late?.nestedUnkeyedContainer() }
            keeper.container = nil
        }
        #expect(throws: EncodingError.self) { try encoder.encode(EncodedBy { _ in }) }
        #expect(try encoder.encode(value, as: .string) == #"{"a":1}"#)
    }

    @Test func `an outer container can be written to from inside of a value`() throws {
        let value = EncodedBy { encoder in
            var outer = encoder.container(keyedBy: TextKey.self)
            var same = outer
            try outer.encode("x", forKey: "x")
            try outer.encode(
                EncodedBy { inner in
                    var keyed = inner.container(keyedBy: TextKey.self)
                    try keyed.encode(1, forKey: "first")
                    try same.encode("outer", forKey: "outer")
                    try keyed.encode([2], forKey: "second")
                    try same.encode(EncoderSample.list[0], forKey: "sample")
                    try keyed.encode(EncoderSample.list[1], forKey: "third")
                }, forKey: "inner")
            try outer.encode("y", forKey: "y")
        }
        try expectSameJSON(value)
        try expectSameJSON([value, value])
        try expectSameJSON(["a": ["b": value]])
        let nested = EncodedBy { encoder in
            var outer = encoder.unkeyedContainer()
            var same = outer
            var list: (any UnkeyedEncodingContainer)?
            try outer.encode(
                EncodedBy { inner in
                    var keyed = inner.container(keyedBy: TextKey.self)
                    list = same.nestedUnkeyedContainer()
                    try keyed.encode(EncodedBy { _ in try list?.encode(1) }, forKey: "a")
                })
            // The value in which the container was requested has ended.
            try list?.encode(2)
        }
        try expectSameJSON(nested)
        try expectSameJSON([nested, nested])
    }

    @Test func `a value may use the encoder of its call`() throws {
        let encoder = SluiceJSONEncoder()
        let value = EncodedBy { outer in
            var keyed = outer.container(keyedBy: TextKey.self)
            try keyed.encode("before", forKey: "a")
            try keyed.encode(encoder.encode(EncoderSample.list[0], as: .string), forKey: "inner")
            try keyed.encode("after", forKey: "b")
        }
        let text = try encoder.encode(value, as: .string)
        let inner = try encoder.encode(EncoderSample.list[0], as: .string)
        let members = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(members == ["a": "before", "inner": inner, "b": "after"])
    }

    @Test func `several threads use one encoder`() async throws {
        let encoder = EncoderOptions().sluice
        let expected = try EncoderOptions().foundation.encode(EncoderSample.list)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 where try encoder.encode(EncoderSample.list) != expected { return false }
                    return true
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
