import Foundation
import Testing

/// Decoders and containers that a client keeps, and the end of their memory.
@Suite struct KeptTests {
    /// An object in the user info, which lives as long as the options of the decoder.
    private final class Sentinel: Sendable {}

    /// Keys of several types, more than a decoder has boxes for.
    private struct NumberedKey<Number>: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    /// Decodes a value that keeps a part of its decoder, uses the part after the call, and checks that all memory is freed with the
    /// part.
    private func check<Kept>(
        _ json: String, keep: @escaping @Sendable (any Decoder) throws -> Kept, use: (inout Kept) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        weak var sentinel: Sentinel?
        func run<T: Decodable>(_ type: T.Type, _ json: String, _ parts: (T) -> [Kept]) throws {
            var kept: [Kept] = []
            do {
                let object = Sentinel()
                sentinel = object
                let value = try decode(type, json) {
                    $0.userInfo[.closure] = DecodingClosure(body: keep)
                    $0.userInfo[.sentinel] = object
                }
                kept = parts(value)
            }
            #expect(sentinel != nil, sourceLocation: sourceLocation)
            for index in kept.indices { try use(&kept[index]) }
            kept = []
            #expect(sentinel == nil, "\(type)", sourceLocation: sourceLocation)
        }
        try run(Custom<Kept>.self, json) { [$0.value] }
        try run([Custom<Kept>].self, "[\(json),\(json)]") { $0.map(\.value) }
        try run(Box<[Custom<Kept>]>.self, #"{"value":[\#(json),\#(json)]}"#) { $0.value.map(\.value) }
        try run([String: Custom<Kept>].self, #"{"a":\#(json)}"#) { $0.values.map(\.value) }
    }

    private let json =
        #"{"k":{"value":1},"text":"a text that is longer than a small string","list":[1,{"value":2}]}"#

    /// Compares in a function, because an expectation in a closure cannot throw.
    private func equal<T: Equatable>(
        _ value: T, _ expected: T, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: sourceLocation)
    }

    @Test func `a kept keyed container is used and freed`() throws {
        try check(json) {
            try $0.container(keyedBy: AnyKey.self)
        } use: {
            try equal($0.decode(Box<Int>.self, forKey: AnyKey("k")).value, 1)
            try equal($0.decodeIfPresent(Int.self, forKey: AnyKey("x")), nil)
            try equal($0.decode(String.self, forKey: AnyKey("text")), "a text that is longer than a small string")
            #expect($0.allKeys.count == 3)
        }
    }

    @Test func `kept nested containers are used and freed`() throws {
        try check(json) {
            try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("k"))
        } use: {
            try equal($0.decode(Int.self, forKey: AnyKey("value")), 1)
            #expect($0.codingPath.last?.stringValue == "k")
        }
        try check(json) {
            try $0.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: AnyKey("list"))
        } use: {
            try equal($0.decode(Int.self), 1)
            let nested = try $0.nestedContainer(keyedBy: AnyKey.self)
            try equal(nested.decode(Int.self, forKey: AnyKey("value")), 2)
        }
    }

    @Test func `kept decoders of superclasses are used and freed`() throws {
        try check(json) {
            try $0.container(keyedBy: AnyKey.self).superDecoder(forKey: AnyKey("k"))
        } use: {
            try equal(Box<Int>(from: $0).value, 1)
            try equal($0.container(keyedBy: AnyKey.self).allKeys.count, 1)
        }
    }

    @Test func `kept unkeyed and single value containers are used and freed`() throws {
        try check("[1,[2],3]") {
            try $0.unkeyedContainer()
        } use: {
            try equal($0.decode(Int.self), 1)
            try equal($0.decode([Int].self), [2])
            try equal($0.decode(Int.self), 3)
            #expect($0.isAtEnd)
        }
        try check("5") {
            try $0.singleValueContainer()
        } use: {
            // Foundation's container reads the value at the root after the call.
            #expect($0.codingPath.count < 3)
        }
    }

    @Test func `kept containers of many key types are used and freed`() throws {
        try check(json) { decoder in
            var containers: [() throws -> String] = []
            func keep<Number>(_ type: Number.Type, nested depth: Int = 0) throws {
                let container = try decoder.container(keyedBy: NumberedKey<Number>.self)
                containers.append { try container.decode(String.self, forKey: NumberedKey("text")) }
                if depth > 0 { try keep([Number].self, nested: depth - 1) }
            }
            try keep(Int.self, nested: 69)
            try keep(Int.self)
            return containers
        } use: { containers in
            for read in containers { try equal(read(), "a text that is longer than a small string") }
        }
    }

    @Test func `containers that end before the call keep nothing`() throws {
        weak var sentinel: Sentinel?
        do {
            let object = Sentinel()
            sentinel = object
            let decoder = JSONDecoder()
            decoder.userInfo[.closure] = DecodingClosure<Int> { decoder in
                var containers = try (0..<3).map { _ in try decoder.container(keyedBy: AnyKey.self) }
                containers.append(try decoder.container(keyedBy: AnyKey.self))
                return try containers.reduce(0) { try $0 + $1.decode(Int.self, forKey: AnyKey("value")) }
            }
            decoder.userInfo[.sentinel] = object
            let values = try decoder.decode([Custom<Int>].self, from: Data(#"[{"value":1},{"value":2}]"#.utf8))
            #expect(values.map(\.value) == [4, 8])
        }
        #expect(sentinel == nil)
    }

    @Test func `kept containers are used from several threads`() async throws {
        struct Kept: @unchecked Sendable { let container: KeyedDecodingContainer<AnyKey> }
        let keep = DecodingClosure { Kept(container: try $0.container(keyedBy: AnyKey.self)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let json =
                        "[" + (0..<200).map { #"{"id":\#($0),"part":{"value":\#(task)}}"# }.joined(separator: ",")
                        + "]"
                    let elements = try decode([Custom<Kept>].self, json) { $0.userInfo[.closure] = keep }
                    let members = try decode(Box<[Custom<Kept>]>.self, #"{"value":\#(json)}"#) {
                        $0.userInfo[.closure] = keep
                    }
                    for kept in [elements.map(\.value), members.value.map(\.value)] {
                        // Half of them are used and freed on another thread.
                        let half = Array(kept[100...])
                        let other = Task.detached {
                            try half.map { try $0.container.decode(Int.self, forKey: AnyKey("id")) }
                        }
                        let ids = try kept[..<100].map { try $0.container.decode(Int.self, forKey: AnyKey("id")) }
                        #expect(try await ids + other.value == Array(0..<200))
                        let part = try kept[7].container.decode(Box<Int>.self, forKey: AnyKey("part"))
                        #expect(part.value == task)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `kept containers take linear time`() throws {
        let keep = DecodingClosure { try $0.container(keyedBy: AnyKey.self) }
        func time(_ count: Int) throws -> Duration {
            let json = #"{"value":["# + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]}"
            let clock = ContinuousClock()
            var last = 0
            let time = try clock.measure {
                let kept = try decode(Box<[Custom<KeyedDecodingContainer<AnyKey>>]>.self, json) {
                    $0.userInfo[.closure] = keep
                }
                last = try kept.value[count - 1].value.decode(Int.self, forKey: AnyKey("id"))
            }
            #expect(last == count - 1)
            return time
        }
        // The quadratic time was 64 times as long.
        let times = try (0..<3).map { _ in (try time(4_000), try time(32_000)) }
        let ratio = times.map { $1 / $0 }.min() ?? 0
        #expect(ratio < 32)
    }
}

extension CodingUserInfoKey {
    fileprivate static let sentinel = CodingUserInfoKey(rawValue: "sentinel")!
}
