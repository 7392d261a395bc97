import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

/// Code of users runs while plans are resolved, and may decode itself, on any thread.
@Suite(.tags(.time)) struct PlanLockTests {
    /// Runs closures at once, each on a thread of its own, and reports those that do not end.
    private func together(
        _ bodies: [@Sendable () throws -> Void], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let ended = DispatchSemaphore(value: 0)
        for body in bodies {
            Thread.detachNewThread {
                do { try body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
                ended.signal()
            }
        }
        let deadline = DispatchTime.now() + 60
        for _ in bodies where ended.wait(timeout: deadline) == .timedOut {
            Issue.record("the threads wait for one another", sourceLocation: sourceLocation)
            return
        }
    }

    // MARK: Code that decodes

    struct Key: JSONModel {
        let name: String
        static let plan = ModelPlan<Key>(JSONField(\.name, key: "name"))
    }

    struct PlanThatDecodes: JSONModel, Equatable {
        let value: Int
        static let plan: ModelPlan<PlanThatDecodes> = {
            let key = try! JSONModelDecoder().decode(Key.self, from: #"{"name":"from text"}"#)
            return ModelPlan(JSONField(\.value, key: key.name))
        }()
    }

    struct ShapeThatDecodes: JSONConvertible, Equatable {
        let value: String
        static var jsonShape: JSONShape {
            let texts = try! JSONModelDecoder().decode([[String]].self, from: #"[["a shape"]]"#)
            return .scalar(ShapeThatDecodes.self, expecting: texts[0][0]) {
                ShapeThatDecodes(value: $0.string ?? "")
            } write: {
                .string($0.value)
            }
        }
    }

    struct Holder: JSONModel, Equatable {
        let shape: ShapeThatDecodes
        let model: PlanThatDecodes?
        static let plan = ModelPlan<Holder>(JSONField(\.shape, key: "shape"), JSONField(\.model, key: "model"))
    }

    @Test func `a plan may decode while the plan is made`() throws {
        #expect(try decode(PlanThatDecodes.self, #"{"from text":1}"#).value == 1)
    }

    @Test func `a shape may decode while the shape is made`() throws {
        #expect(
            try decode(Holder.self, #"{"shape":"s","model":{"from text":2}}"#)
                == Holder(shape: ShapeThatDecodes(value: "s"), model: PlanThatDecodes(value: 2)))
    }

    struct Pair: JSONModel, Equatable {
        let one: Int
        let two: [Int]
        static let plan = ModelPlan<Pair>(JSONField(\.one), JSONField(\.two))
    }

    @Test func `a key strategy may decode with the options that contain the strategy`() throws {
        final class Box: Sendable { let decoder = Mutex<JSONModelDecoder?>(nil) }
        let box = Box()
        var decoder = JSONModelDecoder()
        decoder.keyStrategy = .custom { name in
            let decoder = box.decoder.withLock { $0 }
            return try! decoder!.decode([String: String].self, from: #"{"one":"1","two":"2"}"#)[name]!
        }
        box.decoder.withLock { [decoder] in $0 = decoder }
        #expect(try decoder.decode(Pair.self, from: #"{"1":1,"2":[2]}"#) == Pair(one: 1, two: [2]))
        box.decoder.withLock { $0 = nil }
    }

    // MARK: Threads

    struct Left<Tag>: JSONModel {
        let name: String
        let rights: [Right<Tag>]
        let middle: [String: Middle<Tag>?]?
        static var plan: ModelPlan<Left> {
            .shared { ModelPlan(JSONField(\.name), JSONField(\.rights, default: []), JSONField(\.middle)) }
        }
    }

    struct Right<Tag>: JSONModel {
        let left: [Left<Tag>]?
        let others: [Right<Tag>]
        static var plan: ModelPlan<Right> {
            .shared { ModelPlan(JSONField(\.left), JSONField(\.others, default: [])) }
        }
    }

    struct Middle<Tag>: JSONModel {
        let lefts: [Left<Tag>]
        let right: [Right<Tag>]
        static var plan: ModelPlan<Middle> {
            .shared { ModelPlan(JSONField(\.lefts, default: []), JSONField(\.right, default: [])) }
        }
    }

    private func race<Tag>(_ tag: Tag.Type, with decoder: JSONModelDecoder) throws {
        let leftText = #"{"name":"a","rights":[{"left":[{"name":"b"}]}],"middle":{"m":{"lefts":[{"name":"c"}]}}}"#
        // The thread sanitizer knows the lock of Foundation, but not `Mutex`.
        let lock = NSLock()
        nonisolated(unsafe) var tables: [Set<UInt>] = [[], [], []]
        let body: @Sendable (Int) throws -> Void = { number in
            switch number % 3 {
            case 0:
                let left = try decoder.decode(Left<Tag>.self, from: leftText)
                #expect(left.rights[0].left?[0].name == "b")
                #expect(left.middle?["m"]??.lefts[0].name == "c")
            case 1:
                let right = try decoder.decode([Right<Tag>].self, from: #"[{"others":[{"left":[\#(leftText)]}]}]"#)
                #expect(right[0].others[0].left?[0].rights[0].left?[0].name == "b")
            default:
                let middle = try decoder.decode(Middle<Tag>.self, from: #"{"lefts":[\#(leftText)],"right":[{}]}"#)
                #expect(middle.lefts[0].name == "a")
            }
            let environment = decoder.planCache
            let shapes = [JSONShape.of(Left<Tag>.self), .of(Right<Tag>.self), .of(Middle<Tag>.self)]
            for (index, shape) in shapes.enumerated() {
                let table = UInt(bitPattern: try environment.layout(for: shape).table?.pointer)
                lock.withLock { _ = tables[index].insert(table) }
            }
        }
        together((0..<16).map { number in { try body(number) } })
        // One plan of each for all threads.
        #expect(lock.withLock { tables.map(\.count) } == [1, 1, 1])
    }

    @Test func `threads that resolve the same models at once share one plan per model`() throws {
        try race(Int.self, with: JSONModelDecoder())
        try race(String.self, with: JSONModelDecoder())
        try race([Int].self, with: JSONModelDecoder())
        for _ in 0..<10 {
            // Options of its own make all plans anew.
            var decoder = JSONModelDecoder()
            decoder.keyStrategy = .custom { $0 }
            try race(Int.self, with: decoder)
        }
    }

    struct Slow: JSONModel {
        let value: Int
        static let isBeingMade = DispatchSemaphore(value: 0)
        static let plan: ModelPlan<Slow> = {
            isBeingMade.signal()
            // Until the other thread waits for this plan.
            Thread.sleep(forTimeInterval: 0.3)
            let cold = try! JSONModelDecoder().decode([Cold].self, from: #"[{"key":"value"}]"#)
            return ModelPlan(JSONField(\.value, key: cold[0].key))
        }()
        struct Cold: JSONModel {
            let key: String
            static let plan = ModelPlan<Cold>(JSONField(\.key, key: "key"))
        }
    }

    @Test func `a thread waits without a lock for a plan that another thread makes`() throws {
        together([
            { _ = Slow.plan },
            {
                Slow.isBeingMade.wait()
                let slow = try JSONModelDecoder().decode(Slow.self, from: #"{"value":1}"#)
                #expect(slow.value == 1)
            },
        ])
    }

    struct First: JSONModel {
        let value: Int
        let second: [Second]?
        static let plan: ModelPlan<First> = {
            Thread.sleep(forTimeInterval: 0.1)
            let input = try! JSONModelDecoder().decode(Second.Input.self, from: #"{"key":"value"}"#)
            return ModelPlan(JSONField(\.value, key: input.key), JSONField(\.second, key: "second"))
        }()
        struct Input: JSONModel {
            let key: String
            static let plan = ModelPlan<Input>(JSONField(\.key, key: "key"))
        }
    }

    struct Second: JSONModel {
        let value: Int
        let first: [First]?
        static let plan: ModelPlan<Second> = {
            Thread.sleep(forTimeInterval: 0.1)
            let input = try! JSONModelDecoder().decode(First.Input.self, from: #"{"key":"value"}"#)
            return ModelPlan(JSONField(\.value, key: input.key), JSONField(\.first, key: "first"))
        }()
        struct Input: JSONModel {
            let key: String
            static let plan = ModelPlan<Input>(JSONField(\.key, key: "key"))
        }
    }

    @Test func `two plans that decode each other's inputs do not deadlock`() throws {
        together([
            {
                let first = try JSONModelDecoder().decode(First.self, from: #"{"value":1,"second":[{"value":2}]}"#)
                #expect(first.second?[0].value == 2)
            },
            {
                let second = try JSONModelDecoder().decode(Second.self, from: #"{"value":1,"first":[{"value":2}]}"#)
                #expect(second.first?[0].value == 2)
            },
        ])
    }
}
