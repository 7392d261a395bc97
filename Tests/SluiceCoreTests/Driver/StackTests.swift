import Foundation
import TestSupport
import Testing

@testable import SluiceCodable
@testable import SluiceCore

/// Input and values that used more native stack with each level, on threads with half a megabyte.
@Suite(.tags(.stack)) struct StackTests {
    private static let limits = [1, 512, 4_096]

    private func kinds<T: DeepModel>(_ type: T.Type, depth: Int, core: String, limit: Int, level: Int? = nil)
        -> [JSONIssue.Kind?]
    {
        let text = type.document(depth, core: core) { level ?? $0 % type.levels.count }
        return StackOracle(type, text, depth: limit).run().map { $0?.kind }
    }

    /// Calls every verb with each form of document at the limits.
    private func check<T: DeepModel>(_ type: T.Type) {
        // The last form has all kinds of levels.
        for form in 0...T.levels.count {
            let level = form < T.levels.count ? form : nil
            let core = T.cores[form % T.cores.count]
            _ = kinds(type, depth: 510, core: T.cores[0], limit: 512, level: level)
            _ = kinds(type, depth: 4_095, core: core, limit: 4_096, level: level)
        }
        _ = kinds(type, depth: 1_500, core: T.cores[1], limit: 1_100)
        _ = kinds(type, depth: 2, core: T.cores[0], limit: 1)
    }

    // MARK: Enums

    @Test func `a value that fits no untagged case at any level ends with an error`() throws {
        typealias Tree = DeepTree<DeepUntagged>
        for (depth, limit) in [(200, 512), (500, 512), (700, 4_096)] {
            for kind in kinds(Tree.self, depth: depth, core: #""x""#, limit: limit, level: 0) {
                guard case .invalidValue = kind else {
                    Issue.record("\(String(describing: kind)) at \(depth) levels")
                    continue
                }
            }
        }
        check(Tree.self)
    }

    @Test func `a hook that refuses every case of untagged enums uses no stack`() { check(DeepRefusal.self) }

    @Test func `tagged enums of any depth are decoded and encoded`() throws {
        check(DeepTree<DeepExternal>.self)
        check(DeepTree<DeepAdjacent>.self)
        check(DeepTree<DeepInternal>.self)
    }

    @Test(arguments: [512, 4_096]) func `payloads go through the stack of the writer`(depth: Int) throws {
        // The runtime needs more stack to release the values than the thread has.
        final class Kept { var values: [Any] = [] }
        let kept = Kept()
        defer { _ = onSmallStack(bytes: 128 << 20) { kept.values = [] } }
        try onSmallStack {
            func check<T: DeepTagging>(_ type: T.Type, _ open: String, _ close: String) throws {
                var tree = DeepTree<T>.end
                for _ in 1..<depth { tree = .node(tree) }
                let encoder = JSONModelEncoder.with { $0.limits.depth = depth }
                kept.values.append(tree)
                let text = try encoder.encode(tree, as: .string)
                #expect(text.hasPrefix(open + open))
                #expect(text.hasSuffix(close + close))
                let deeper = DeepTree<T>.node(.node(tree))
                kept.values.append(deeper)
                let issue = try encodingRefusal(deeper, with: encoder)
                #expect(issue.kind == .limitExceeded(.depth, limit: depth))
                let advice =
                    depth == 4_096 ? "JSONLimits.depth cannot be greater" : "raise JSONLimits.depth to allow it"
                #expect(issue.hint == advice)
            }
            try check(DeepExternal.self, #"{"node":"#, "}")
            try check(DeepAdjacent.self, #"{"t":"node","c":"#, "}")
        }.get()
    }

    @Test func `tags that share an object nest up to the limit`() throws {
        for limit in Self.limits {
            for count in [10, 400, 2_000, 9_000] {
                let chain = String(repeating: #""type":"node","#, count: count)
                _ = StackOracle(DeepChain.self, "{\(chain)\"type\":\"end\"}", depth: limit).run()
                let pairs = String(repeating: #""a":"node","b":"node","#, count: count)
                _ = StackOracle(DeepAlternation.self, "{\(pairs)\"a\":\"end\"}", depth: limit).run()
            }
        }
    }

    // MARK: Models

    @Test func `models, classes and transforms of any depth are decoded and encoded`() {
        check(DeepRecord.self)
        check(DeepClass.self)
        check(DeepTransformed.self)
        check(DeepHooked.self)
    }

    @Test func `enums that are parts of their models nest as far as the stack allows`() {
        check(DeepFlattened.self)
    }

    @Test func `any JSON of any depth is decoded and encoded`() {
        check(JSONValue.self)
        check(JSONRaw.self)
    }

    @Test func `a value of the default depth fits in the stack of every thread`() throws {
        func check<T: DeepModel>(_ type: T.Type, _ level: Int, _ depth: Int) {
            let kinds = kinds(type, depth: depth, core: type.cores[0], limit: 512, level: level)
            #expect(kinds.allSatisfy { $0 == nil }, "\(type)")
        }
        check(DeepTree<DeepUntagged>.self, 0, 512)
        check(DeepTree<DeepUntagged>.self, 1, 512)
        check(DeepTree<DeepExternal>.self, 0, 512)
        check(DeepTree<DeepExternal>.self, 1, 256)
        check(DeepTree<DeepAdjacent>.self, 1, 511)
        check(DeepTree<DeepInternal>.self, 1, 511)
        check(DeepRecord.self, 0, 255)
        check(DeepRecord.self, 1, 255)
        check(DeepClass.self, 0, 512)
        check(DeepTransformed.self, 0, 255)
        check(JSONValue.self, 0, 512)
    }

    @Test func `a value that the stack is too small to release is refused`() throws {
        let text = DeepRecord.document(1_500, core: "{}") { _ in 0 }
        let error = try #require(throws: JSONModelError.self) {
            // The runtime, whose frames no sanitizer changes, releases the value.
            try onSmallStack(bytes: 512 * 1_024) {
                let decoder = JSONModelDecoder.with { $0.limits.depth = 4_096 }
                _ = try decoder.decode(DeepRecord.self, from: text)
            }.get()
        }
        let issue = error.issues[0]
        #expect(issue.kind == .limitExceeded(.depth, limit: 4_096))
        #expect(
            issue.description.hasPrefix(
                "nesting is deeper than the stack of the thread allows (use a thread with a larger stack) at "))
        #expect(issue.location.offset > 5_000)
        try onSmallStack(bytes: 4 << 20) {
            let decoder = JSONModelDecoder.with { $0.limits.depth = 4_096 }
            _ = try decoder.decode(DeepRecord.self, from: text)
        }.get()
    }

    // MARK: Code of clients

    @Test func `calls of decoders inside of transforms end with an error`() { check(DeepCalls.self) }

    @Test func `types without a plan are decoded and encoded as far as the stack allows`() {
        check(JSONCodable<DeepCodable>.self)
        check(DeepMixed.self)
    }

    @Test func `lazy values that read lazy values end with an error`() { check(DeepLazy.self) }

    @Test func `an error of the stack is not kept by a lazy value`() throws {
        let text = DeepLazy.document(500, core: "null") { _ in 0 }
        let lazy = try JSONLazy<DeepLazy>(text)
        let error = #expect(throws: JSONModelError.self) {
            try onSmallStack(bytes: 160 * 1_024) { _ = try lazy.value }.get()
        }
        #expect(error.map { "\($0)" }?.contains("the stack of the thread") == true)
        _ = try onSmallStack(bytes: 64 << 20) { _ = try lazy.value }.get()
    }

    // MARK: Paths, trees and schemas

    @Test func `paths of any length use no stack`() throws {
        let components = [JSONPath.Component](repeating: .key("a"), count: 100_000)
        try onSmallStack {
            let path = JSONPath(components)
            let parsed = try JSONPath(parsing: path.description)
            #expect(parsed == path)
            let deep = JSONPath(Array(components.prefix(4_000)))
            let text = String(repeating: #"{"a":"#, count: 4_000) + "1" + String(repeating: "}", count: 4_000)
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder(from: source)
                decoder.limits.depth = 4_096
                let value = try decoder.decode(Int.self, from: text, at: deep)
                #expect(value == 1)
                #expect(throws: JSONModelError.self) { try decoder.decode(Int.self, from: text, at: path) }
            }
        }.get()
    }
}
