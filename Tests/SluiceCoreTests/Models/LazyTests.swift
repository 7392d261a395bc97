import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

/// Lazy values whose decoding reads lazy values: the value was decoded under a lock.
@Suite(.tags(.lazy)) struct LazyTests {
    /// A model whose hook calls the closure of a test.
    private struct Hooked: JSONModel, JSONHooks {
        let id: Int
        static let plan = ModelPlan<Hooked>(JSONField(\.id))
        @TaskLocal static var onValidate: @Sendable (Int) throws -> Void = { _ in }
        func validate() throws { try Self.onValidate(id) }
    }

    @Test(.timeLimit(.minutes(30))) func `a hook that reads the value that it belongs to receives an error`() throws
    {
        let lazy = try JSONLazy<Hooked>(#"{"id":1}"#)
        let read: @Sendable (Int) throws -> Void = { _ in
            let error = #expect(throws: JSONModelError.self) { try lazy.value }
            #expect(error.map { "\($0)" }?.contains("reads the lazy value") == true)
        }
        // The hook may do without the value.
        let id = try Hooked.$onValidate.withValue(read) { try lazy.value.id }
        #expect(id == 1)
        #expect(try lazy.value.id == 1)
    }

    @Test(.timeLimit(.minutes(30))) func `threads that read two lazy values in opposite order do not wait`() throws
    {
        let lazies = [try JSONLazy<Hooked>(#"{"id":0}"#), try JSONLazy<Hooked>(#"{"id":1}"#)]
        let begun = Atomic(0)
        let wait: @Sendable (Int) throws -> Void = { id in
            // Both threads have begun to decode before either reads the other value.
            begun.add(1, ordering: .relaxed)
            let end = ContinuousClock.now + .seconds(5)
            while begun.load(ordering: .relaxed) < 2, .now < end { Thread.sleep(forTimeInterval: 0.001) }
            _ = try? lazies[1 - id].value
        }
        let results = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            Hooked.$onValidate.withValue(wait) {
                let id = try? lazies[index].value.id
                results.withLock { $0.append(id ?? -1) }
            }
        }
        #expect(results.withLock { $0.sorted() } == [0, 1])
    }

    @Test func `all threads receive the value that was complete first`() throws {
        final class Node: JSONModel, Sendable {
            let id: Int
            init(id: Int) { self.id = id }
            struct Storage { var id: Int }
            static let plan = ModelPlan<Node>(
                storage: Storage.self, [JSONField(\.id)], make: { Node(id: $0.id) }, read: { Storage(id: $0.id) })
        }
        let lazy = try JSONLazy<Node>(#"{"id":7}"#)
        let found = Mutex<Set<ObjectIdentifier>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            guard let node = try? lazy.value else { return }
            found.withLock { _ = $0.insert(ObjectIdentifier(node)) }
        }
        #expect(found.withLock { $0.count } == 1)
    }

    private struct Item: JSONModel {
        let id: Int
        static let plan = ModelPlan<Item>([JSONField(\.id)], unknownKeys: .report)
    }

    private enum Kind: JSONEnum {
        case item(JSONLazy<Item>)
        static let plan = ModelPlan<Kind>(cases: [.of("item", Self.item)], tagging: .internal(tag: "type"))
    }

    private struct Named: JSONModel {
        let name: String
        let kind: Kind
        static let plan = ModelPlan<Named>(JSONField(\.name), JSONField(flatten: \.kind))
    }

    @Test func `the lines of members that belong to the enclosing model count`() throws {
        let log = IssueLog()
        var decoder = JSONModelDecoder()
        decoder.issueHandler = { log.add($0) }
        let named = try decoder.decode(
            Named.self, from: "{\"name\":\"a\",\n\n\"id\":1,\"type\":\"item\",\n \"x\":2}")
        guard case .item(let item) = named.kind else { return }
        #expect(try item.value.id == 1)
        let unknown = try #require(log.issues.first { $0.kind == .unknownKey("x") })
        #expect((unknown.location.line, unknown.location.column) == (4, 2))
    }

    // MARK: Tags around

    private struct Strict: JSONModel {
        let id: Int
        let part: JSONLazy<Strict>?
        static let plan = ModelPlan<Strict>(
            [JSONField(\.id), JSONField(\.part)], unknownKeys: .reject)
    }

    private enum Kinded: JSONEnum {
        case strict(JSONLazy<Strict>)
        case model(Strict)
        static let plan = ModelPlan<Kinded>(
            cases: [.of("strict", Self.strict), .of("model", Self.model)], tagging: .internal(tag: "kind"))
    }

    private enum Outer: JSONEnum {
        case tagged(Kinded)
        case lazy(JSONLazy<Kinded>)
        static let plan = ModelPlan<Outer>(
            cases: [.of("tagged", Self.tagged), .of("lazy", Self.lazy)], tagging: .internal(tag: "type"))

        var strict: Strict {
            get throws {
                switch self {
                case .tagged(.strict(let lazy)): return try lazy.value
                case .tagged(.model(let model)): return model
                case .lazy(let lazy): return try Outer.tagged(lazy.value).strict
                }
            }
        }
    }

    @Test(arguments: [
        #"{"type":"tagged","kind":"strict",MEMBERS}"#, #"{MEMBERS,"kind":"strict","type":"tagged"}"#,
        #"{"type":"lazy","kind":"strict",MEMBERS}"#, #"{MEMBERS,"kind":"strict","type":"lazy"}"#,
        #"{"kind":"model","type":"lazy",MEMBERS}"#,
    ])
    func `a value that rejects unknown keys knows the tags of the enums around`(_ text: String) throws {
        func strict(_ members: String) throws -> Strict {
            try JSONModelDecoder().decode(Outer.self, from: text.replacing("MEMBERS", with: members)).strict
        }
        #expect(try strict(#""id":7"#).id == 7)
        #expect(try issues { try strict(#""id":7,"x":1"#) } == ["x"])
        // The tags are not keys of an object inside.
        #expect(try issues { try strict(#""id":7,"part":{"id":1,"type":2}"#).part?.value } == ["part.type"])
    }

    /// Returns the paths of the issues of an error.
    private func issues<T>(_ body: () throws -> T) throws -> [String] {
        do { _ = try body() } catch let error as JSONModelError { return error.issues.map { "\($0.path)" } }
        return []
    }

    // MARK: Locations of issues

    struct Late: JSONModel {
        var list: [JSONLazy<Inner>]
        static let plan = ModelPlan<Late>(JSONField(\.list, key: "data.list"))
    }

    struct Inner: JSONModel {
        var id: Int
        var deep: JSONLazy<[Int]>?
        static let plan = ModelPlan<Inner>(JSONField(\.id), JSONField(\.deep))
    }

    private func issue<T>(_ body: () throws(JSONModelError) -> T) throws -> JSONIssue {
        do { _ = try body() } catch { return try #require(error.issues.first) }
        throw Unexpected()
    }

    private struct Unexpected: Error {}

    @Test func `an issue of a JSONLazy has its path and location in the document`() throws {
        let text = "{\"data\": {\"list\": [{\"id\": 1},\n  {\"deep\": [1,\n2, true], \"id\": false}]}}"
        for feed in Feed.all() {
            let late = try feed.decode(Late.self, Array(text.utf8), at: JSONPath(), with: JSONModelDecoder())
            let outer = try issue { () throws(JSONModelError) in try late.list[1].value }
            #expect(outer.path == "data.list[1].id")
            #expect((outer.location.offset, outer.location.line, outer.location.column) == (61, 3, 17))
        }
        let valid = text.replacing("false", with: "2")
        let late = try JSONModelDecoder().decode(Late.self, from: valid)
        let inner = try #require(try late.list[1].value.deep)
        let deep = try issue { () throws(JSONModelError) in try inner.value }
        #expect(deep.path == "data.list[1].deep[2]")
        #expect((deep.location.offset, deep.location.line, deep.location.column) == (48, 3, 4))
    }

    @Test func `an issue of a JSONLazy without a document begins at its JSON`() throws {
        let lazy = try JSONLazy<Inner>(#" {"id":true}"#)
        #expect(try issue { () throws(JSONModelError) in try lazy.value }.path == "id")
        let tree: JSONValue = ["data": ["list": [["id": true]]]]
        let late = try JSONModelDecoder().decode(Late.self, from: tree)
        let found = try issue { () throws(JSONModelError) in try late.list[0].value }
        #expect((found.path, found.location.line) == ("data.list[0].id", 0))
    }

    @Test func `an issue of a JSONLazy in a replayed value has its location in the document`() throws {
        let text = #"[{"deep": [1, true], "id": 5, "type": "inner"}]"#
        let list = try JSONModelDecoder().decode([Tagged].self, from: text)
        guard case .inner(let inner) = list[0], let deep = inner.deep else { throw Unexpected() }
        let found = try issue { () throws(JSONModelError) in try deep.value }
        #expect((found.path, found.location.offset) == ("[0].deep[1]", 14))
    }

    enum Tagged: JSONEnum {
        case inner(Inner)
        static let plan = ModelPlan<Tagged>(cases: [.of("inner", Self.inner)], tagging: .internal(tag: "type"))
    }

    struct Holder: JSONModel {
        struct Pair: JSONModel {
            let first: Int
            let second: Int
            static let plan = ModelPlan<Pair>(JSONField(\.first), JSONField(\.second))
        }
        let lazy: JSONLazy<Pair>
        static let plan = ModelPlan<Holder>(JSONField(\.lazy))
    }

    @Test func `a lazy value of a partial value has the error policy of the decoder`() throws {
        let text = #"{"lazy":{"first":"a","second":"b"}}"#
        let partial = try #require(try JSONModelDecoder().decodePartially(Holder.self, from: text).value)
        let first = #expect(throws: JSONModelError.self) { try partial.lazy.value }
        #expect(first?.issues.count == 1)
        let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: 10) }
        let collected = try #require(try decoder.decodePartially(Holder.self, from: text).value)
        let all = #expect(throws: JSONModelError.self) { try collected.lazy.value }
        #expect(all?.issues.count == 2)
    }
}
