import SluiceCore
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The encoding of deep values, and of streams and files.
@Suite(.tags(.encoding, .stack)) struct DepthEncodingTests {
    final class Chain: JSONModel {
        var next: Chain?
        init(_ next: Chain?) { self.next = next }
        deinit {
            // One by one, or the end of a long chain would recurse.
            var rest = next
            next = nil
            while isKnownUniquelyReferenced(&rest) {
                let one = rest?.next
                rest?.next = nil
                rest = one
            }
        }
        struct Storage { var next: Chain? }
        static let plan = ModelPlan<Chain>(
            storage: Storage.self, [JSONField(\.next)], make: { Chain($0.next) }, read: { Storage(next: $0.next) })
    }

    @Test func `the greatest depth is encoded on a small stack`() throws {
        let results = onSmallStack {
            var chain = Chain(nil)
            for _ in 1..<4_096 { chain = Chain(chain) }
            let encoder = JSONModelEncoder.with { $0.limits.depth = 4_096 }
            let text = try encoder.encode(chain, as: .string)
            #expect(text.hasPrefix(#"{"next":{"next":{"#))
            #expect(text.utf8.count == 4_095 * 9 + 2)
            let issue = try encodingRefusal(Chain(chain), with: encoder)
            #expect(issue.kind == .limitExceeded(.depth, limit: 4_096))
        }
        try results.get()
    }

    final class Link: JSONModel {
        let next: Link?
        let end: End?

        init(_ next: Link?, _ end: End?) { (self.next, self.end) = (next, end) }

        struct Storage {
            var next: Link?
            var end: End?
        }

        static let plan = ModelPlan<Link>(
            storage: Storage.self, [JSONField(\.next), JSONField(\.end)], make: { Link($0.next, $0.end) },
            read: { Storage(next: $0.next, end: $0.end) })
    }

    final class End: JSONModel {
        struct Storage {}
        static let plan = ModelPlan<End>(storage: Storage.self, [], make: { _ in End() }, read: { _ in Storage() })
    }

    @Test(arguments: 255...257)
    func `a value without a size is encoded behind a block of temporary values that is full`(_ count: Int) throws {
        // The storages of 256 links, of 16 bytes each, fill the block.
        var link = Link(nil, End())
        for _ in 1..<count { link = Link(link, nil) }
        let start = String(repeating: #"{"next":"#, count: count - 1) + #"{"end":{}}"#
        let text = try JSONModelEncoder().encode(link, as: .string)
        #expect(text == start + String(repeating: "}", count: count - 1))
    }

    struct Leaves: JSONModel {
        var name: String?
        var numbers: [Int] = []
        static let plan = ModelPlan<Leaves>(JSONField(\.name), JSONField(\.numbers))
    }

    @Test(arguments: [[], [7]]) func `an array of numbers counts, with and without elements`(_ numbers: [Int])
        throws
    {
        var encoder = JSONModelEncoder()
        encoder.limits.depth = 2
        #expect(try encoder.encode(Leaves(numbers: numbers), as: .string) == #"{"numbers":\#(numbers)}"#)
        #expect(
            try encoder.encode(Leaves(name: "a", numbers: numbers), as: .string).hasPrefix(
                #"{"name":"a","numbers":["#))
        encoder.limits.depth = 1
        let issue = try encodingRefusal(Leaves(numbers: numbers), with: encoder)
        #expect(issue.kind == .limitExceeded(.depth, limit: 1))
        #expect(issue.path == "numbers")
    }

    @Test func `a cycle of objects ends with a depth error`() throws {
        let chain = Chain(nil)
        chain.next = chain
        defer { chain.next = nil }
        let issue = try encodingRefusal(chain)
        #expect(issue.kind == .limitExceeded(.depth, limit: 512))
        #expect(issue.path.components.count >= 511)
    }

    indirect enum Nested: JSONEnum {
        case leaf
        case inner(Nested)
        static let plan = ModelPlan<Nested>(cases: [.of("leaf", .leaf), .of("inner", Self.inner)])
    }

    @Test func `nested enums have the greatest depth of their brackets`() throws {
        var value = Nested.leaf
        for _ in 0..<512 { value = .inner(value) }
        #expect(
            try encode(value) == String(repeating: #"{"inner":"#, count: 512) + #""leaf""#
                + String(repeating: "}", count: 512))
        #expect(try encodingRefusal(Nested.inner(value)).kind == .limitExceeded(.depth, limit: 512))
    }

    struct Spelled: JSONTransform {
        func decode(_ json: String) throws -> Int { Int(json) ?? 0 }
        func encode(_ value: Int) throws -> String { String(value) }
    }

    struct Counted: JSONTransform {
        func decode(_ json: Int) throws -> String { String(json) }
        func encode(_ value: String) throws -> Int { value.count }
    }

    @Test func `transforms of each other's values end with a depth error`() throws {
        var encoder = JSONModelEncoder()
        encoder.register(Spelled())
        #expect(try encode(["a": 1], with: encoder) == #"{"a":"1"}"#)
        encoder.register(Counted())
        let issue = try encodingRefusal(["a": 1], with: encoder)
        #expect(issue.kind == .limitExceeded(.depth, limit: 512))
        #expect(issue.path == "a")
    }

    @Test func `a deep value is a depth error with its path`() throws {
        var objects: JSONValue = 1
        var arrays: JSONValue = 1
        for _ in 0..<600 {
            objects = ["a": objects]
            arrays = [arrays]
        }
        for (value, step) in [(objects, JSONPath.Component.key("a")), (arrays, .index(0))] {
            let issue = try encodingRefusal(value)
            #expect(issue.kind == .limitExceeded(.depth, limit: 512))
            #expect(issue.path.components == Array(repeating: step, count: issue.path.components.count))
            #expect(issue.path.components.count >= 511)
        }
    }

    @Test func `an error inside any JSON has its path`() throws {
        let encoder = JSONModelEncoder.with { $0.limits.depth = 3 }
        #expect(try encodingRefusal(["a": [["b": [1]]]] as JSONValue, with: encoder).path == "a[0].b")
        let second: JSONValue = [0, ["c": 1, "d": [["e": 1]]]]
        #expect(try encodingRefusal(second, with: encoder).path == "[1].d[0]")
    }

    // MARK: Streams

    @Test func `the pieces of a stream have a bounded size`() throws {
        var pieces: [Int] = []
        var total = 0
        try JSONModelEncoder().write(elements: (0..<300_000).lazy.map { ["number \($0)": $0] }) { piece in
            pieces.append(piece.count)
            total += piece.count
        }
        #expect(total > 6_000_000)
        #expect(pieces.allSatisfy { $0 > 0 && $0 <= 70_000 })
        #expect(pieces.dropLast().allSatisfy { $0 > 60_000 })
        let long = String(repeating: "\"", count: 3_000_000)
        var largest = 0
        try JSONModelEncoder().write([long, String(repeating: "x", count: 3_000_000)]) {
            largest = max(largest, $0.count)
        }
        #expect(largest <= 70_000)
    }

    @Test func `an error of the sink ends the stream`() throws {
        struct Full: Error {}
        var calls = 0
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write(elements: 0..<1_000_000) { _ in
                calls += 1
                if calls == 2 { throw Full() }
            }
        }
        #expect(calls == 2)
        #expect(error?.issues.first?.underlying is Full)
    }

    @Test func `an error in an element has the path of the element`() throws {
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write(elements: [[1.0], [2, .nan]]) { _ in }
        }
        #expect(error?.issues.first?.path == "[1][1]")
        #expect(error?.issues.first?.description.contains("line") == false)
    }

    @Test func `files are replaced only if encoding succeeds`() throws {
        let path = "/tmp/sluice-encoder-test-\(UInt64.random(in: 0...UInt64.max)).json"
        defer { unlink(path) }
        try JSONModelEncoder().write(["a": [1, 2]], to: .file(path))
        #expect(try JSONModelDecoder().decode([String: [Int]].self, from: .file(path)) == ["a": [1, 2]])
        try JSONModelEncoder().write(elements: 1...3, to: .file(path))
        #expect(try JSONModelDecoder().decode([Int].self, from: .file(path)) == [1, 2, 3])
        // A failure leaves what was there.
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().write([Double.nan], to: .file(path)) }
        #expect(try JSONModelDecoder().decode([Int].self, from: .file(path)) == [1, 2, 3])
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([1], to: .file("/nowhere/at/all.json"))
        }
        guard case .unwritable(let number, let what)? = error?.issues.first?.kind else {
            Issue.record("no error")
            return
        }
        #expect(number == ENOENT)
        #expect(what.contains("/nowhere/at/all.json"))
    }
}
