import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// Lazy values whose decoding reads lazy values: the value was decoded under a lock.
    struct LazyTests {
        /// A model whose hook calls the closure of a test.
        private struct Hooked: JSONModel, JSONHooks {
            let id: Int
            static let plan = ModelPlan<Hooked>(JSONField(\.id))
            @TaskLocal static var onValidate: @Sendable (Int) throws -> Void = { _ in }
            func validate() throws { try Self.onValidate(id) }
        }

        @Test(.timeLimit(.minutes(30))) func `a hook that reads the value that it belongs to receives an error`()
            throws
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

        @Test(.timeLimit(.minutes(30))) func `threads that read two lazy values in opposite order do not wait`()
            throws
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
                    storage: Storage.self, [JSONField(\.id)], make: { Node(id: $0.id) },
                    read: { Storage(id: $0.id) })
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
            static let plan = ModelPlan<Kind>(
                cases: [
                    JSONCase(
                        "item", payload: JSONLazy<Item>.self, make: { .item($0) },
                        read: { if case .item(let value) = $0 { value } else { nil } })
                ], tagging: .internal(tag: "type"))
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
    }
}
