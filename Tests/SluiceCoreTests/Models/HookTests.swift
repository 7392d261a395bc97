import SluiceCore
import Synchronization
import TestSupport
import Testing

/// The hooks `didDecode` and `validate`.
@Suite(.tags(.hooks)) struct HookTests {
    struct Refused: Error, Equatable { let what: String }

    struct Span: JSONModel, JSONHooks, Equatable {
        var from: Int
        var to: Int
        var log: [String]
        static let plan = ModelPlan<Span>(
            JSONField(\.from, key: "from"), JSONField(\.to, key: "to"), JSONField(ignoring: \.log, default: []))

        mutating func didDecode() {
            log.append("didDecode")
            if from < 0 { from = 0 }
        }

        func validate() throws {
            if log != ["didDecode"] { throw Refused(what: "order: \(log)") }
            if to < from { throw Refused(what: "\(from)-\(to)") }
        }
    }

    final class Node: JSONModel, JSONHooks, Equatable {
        struct Storage {
            let name: String
            let span: Span?
        }
        let name: String
        let span: Span?
        var isDecoded = false
        init(_ storage: consuming Storage) { (name, span) = (storage.name, storage.span) }
        static let plan = ModelPlan<Node>(
            storage: Storage.self, [JSONField(\.name, key: "name"), JSONField(\.span, key: "span")],
            make: { Node($0) })
        func didDecode() { isDecoded = true }
        func validate() throws { if name.isEmpty { throw Refused(what: "no name") } }
        static func == (a: Node, b: Node) -> Bool {
            a.name == b.name && a.span == b.span && a.isDecoded == b.isDecoded
        }
    }

    @Test func `hooks change and check a model`() throws {
        #expect(try decode(Span.self, #"{"from":-3,"to":5}"#) == Span(from: 0, to: 5, log: ["didDecode"]))
        let node = try decode(Node.self, #"{"name":"a","span":{"from":1,"to":2}}"#)
        #expect(node.isDecoded)
        #expect(node.span?.log == ["didDecode"])
        #expect(try decode([Span?].self, #"[null,{"from":1,"to":1}]"#)[1]?.from == 1)
    }

    struct Line: JSONModel, JSONHooks {
        var count: Int
        var city = "a"
        var width = 1
        static let plan = ModelPlan<Line>(
            JSONField(\.count, key: "count"), JSONField(\.city, key: "address.city", default: "a"),
            JSONField(\.width, key: "width", default: 1))

        func validate() throws {
            if count > 9 { throw JSONValidationError("must be at most 9", at: "count") }
            if city.isEmpty { throw JSONValidationError("must not be empty", at: "address.city") }
            if width < 0 { throw JSONValidationError("is negative") }
        }
        func willEncode() throws { try validate() }
    }

    struct Delivery: JSONModel, JSONHooks {
        let lines: [Line]
        let first: Line?
        static let plan = ModelPlan<Delivery>(
            JSONField(\.lines, key: "lines"), JSONField(flatten: \.first))
        func validate() throws {
            guard let index = lines.firstIndex(where: { $0.count == 0 }) else { return }
            throw JSONValidationError("must not be 0", at: JSONPath([.key("lines"), .index(index), .key("count")]))
        }
    }

    @Test func `a hook names the value that it refuses`() throws {
        let count = try refusal(Delivery.self, #"{"lines":[{"count":1},{"count":10}]}"#)
        #expect(count.kind == .thrown && count.path == "lines[1].count" && count.location.offset == 33)
        #expect((count.model, count.property) == ("Line", "count"))
        #expect(count.description.hasPrefix("must be at most 9 at lines[1].count, for Line.count (line 1"))
        let city = try refusal([Line].self, #"[{"count":1,"address":{"city":""}}]"#)
        #expect((city.path.pointer, city.property) == ("/0/address/city", "city"))
        // Without a path, the issue is that of the model.
        let whole = try refusal([Line].self, #"[{"count":1,"width":-1}]"#)
        #expect(whole.path == "[0]" && whole.property == nil && whole.model == "Line")
        // A path through a field that leads into its value is that of no field of the model.
        let inner = try refusal(Delivery.self, #"{"lines":[{"count":0}]}"#)
        #expect((inner.path, inner.property, inner.model) == ("lines[0].count", nil, "Delivery"))
        // The values of a flattened model are members of the object around the model.
        let flat = try refusal([Delivery].self, #"[{"lines":[],"count":10}]"#)
        #expect((flat.path, flat.property, flat.model) == ("[0].count", "count", "Line"))
    }

    @Test func `a hook names one of several values`() throws {
        var decoder = JSONModelDecoder()
        decoder.errorPolicy = .collect(limit: 5)
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Line].self, from: #"[{"count":10},{"count":"1"},{"count":11}]"#)
        }
        #expect(error?.issues.map(\.path.description) == ["[0].count", "[1].count", "[2].count"])
        let refused = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode([Line(count: 10)]) }
        #expect(refused?.issues.map(\.path.description) == ["[0].count"])
        #expect(JSONValidationError().description == "validate() returned false")
    }

    @Test func `errors of hooks have the path and location of the model`() throws {
        let issue = try refusal(Node.self, #"{"name":"a","span":{"from":2,"to":1}}"#)
        #expect(issue.kind == .thrown)
        #expect(issue.underlying as? Refused == Refused(what: "2-1"))
        #expect((issue.path, issue.location.offset) == ("span", 35))
        let node = try refusal([Node].self, #"[{"name":"a"},{"name":""}]"#)
        #expect(node.underlying as? Refused == Refused(what: "no name"))
        #expect((node.path, node.location.offset) == ("[1]", 24))
        #expect(try refusal(Span.self, #"{"from":2,"to":1}"#).path == "$")
    }

    @Test func `the driver recovers from errors of hooks`() throws {
        struct Outer: JSONModel, Equatable {
            let spans: [Span]
            let fallback: Span?
            static let plan = ModelPlan<Outer>(
                JSONField(\.spans, key: "spans").lossy(),
                JSONField(\.fallback, key: "fallback", default: nil).defaulting(on: [.mismatch]))
        }
        let (value, issues) = try reported(
            Outer.self,
            #"{"fallback":{"from":2,"to":1},"spans":[{"from":1,"to":2},{"from":4,"to":3},{"from":5,"to":6}]}"#)
        #expect(value.spans.map(\.from) == [1, 5])
        #expect(value.fallback == nil)
        #expect(issues.map(\.path) == ["fallback", "spans[1]"])
        let all = try refusals(
            [Span].self, #"[{"from":1,"to":0},{"from":3,"to":2},{"from":"x","to":0}]"#, with: .collecting)
        #expect(all.map(\.path) == ["[0]", "[1]", "[2].from"])
    }

    struct Failing: JSONModel, JSONHooks {
        let a: Int
        static let plan = ModelPlan<Failing>(JSONField(\.a, key: "a"))
        mutating func didDecode() throws { throw Refused(what: "didDecode") }
        func validate() throws { throw Refused(what: "validate") }
    }

    /// A model whose hook counts its calls and fails at the first.
    final class Once: JSONModel {
        struct Storage { let once: Int }
        let once: Int
        init(_ storage: consuming Storage) { once = storage.once }
        @TaskLocal static var calls = CallCount()
        static let plan = ModelPlan<Once>(
            storage: Storage.self, [JSONField(\.once, key: "once")], make: { Once($0) }
        ).hooks(didDecode: { _ in if calls.add() == 1 { throw Refused(what: "first") } })
    }

    final class CallCount: Sendable {
        let count = Mutex(0)
        func add() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    enum Attempted: JSONEnum {
        case once(Once)
        case deep([[String: Once]])
        case value(JSONValue)
        static let plan = ModelPlan<Attempted>(
            cases: [.of("once", Self.once), .of("deep", Self.deep), .of("value", Self.value)], tagging: .untagged)
    }

    enum Counted: JSONEnum {
        case plain(Point)
        static let plan = ModelPlan<Counted>(cases: [.of("plain", Self.plain)], tagging: .internal(tag: "kind"))
            .hooks(didDecode: { _ in if Once.calls.add() == 1 { throw Refused(what: "first") } })
    }

    struct Joined: JSONModel {
        let once: Once?
        let kind: Counted
        static let plan = ModelPlan<Joined>(JSONField(\.once, key: "o"), JSONField(flatten: \.kind))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a hook that throws is not called again when a value is read again`(_ source: JSONModelDecoder.Source)
        throws
    {
        let decoder = JSONModelDecoder(from: source)
        for text in [#"{"once":1}"#, #"[{"a":{"once":1}}]"#] {
            let calls = CallCount()
            try Once.$calls.withValue(calls) {
                guard case .value = try decoder.decode(Attempted.self, from: text) else {
                    Issue.record("the case of the hook")
                    return
                }
            }
            #expect(calls.count.withLock { $0 } == 1, "\(text)")
        }
        for (text, path) in [
            (#"{"x":1,"o":{"once":1},"kind":"plain"}"#, "o"), (#"{"kind":"plain","x":1,"o":{"once":1}}"#, "o"),
            (#"{"kind":"plain","x":1}"#, ""), (#"{"x":1,"kind":"plain"}"#, ""),
        ] {
            let calls = CallCount()
            let error = #expect(throws: JSONModelError.self) {
                try Once.$calls.withValue(calls) { try decoder.decode([Joined].self, from: "[" + text + "]") }
            }
            #expect(error?.issues[0].path == JSONPath(stringLiteral: path.isEmpty ? "[0]" : "[0]." + path))
            #expect(error?.issues[0].property == (path.isEmpty ? "kind" : nil))
            #expect(calls.count.withLock { $0 } == 1, "\(text)")
        }
    }

    @Test func `hooks are not called for incomplete models`() throws {
        #expect(try refusal(Failing.self, "{}").kind == .missingKeys(["a"]))
        #expect(try refusal(Failing.self, #"{"a":1}"#).underlying as? Refused == Refused(what: "didDecode"))
        #expect(
            try refusals(Failing.self, #"{"a":"x"}"#, with: .collecting).brief == ["a: an integer, not a string"])
    }

    // MARK: Conformances

    /// A hook in an extension, besides hooks of the plan.
    struct Both: JSONModel {
        var log: [String]
        static let plan = ModelPlan<Both>(JSONField(ignoring: \.log, default: [])).hooks(didDecode: {
            $0.log.append("plan")
        })
    }

    struct Limited: JSONModel, Equatable {
        var count: Int
        static let plan = ModelPlan<Limited>(JSONField(\.count, key: "count")).hooks(
            validate: { if $0.count > 9 { throw Refused(what: "validate") } },
            willEncode: { if $0.count < 0 { throw Refused(what: "willEncode") } })
    }

    @Test func `a plan has hooks that accept and refuse models`() throws {
        #expect(try decode(Limited.self, #"{"count":9}"#).count == 9)
        #expect(try refusal(Limited.self, #"{"count":10}"#).underlying as? Refused == Refused(what: "validate"))
        #expect(try JSONModelEncoder().encode(Limited(count: 10), as: .string) == #"{"count":10}"#)
        let issue = try encodingRefusal(Limited(count: -1))
        #expect(issue.underlying as? Refused == Refused(what: "willEncode"))
    }

    struct Box<Content: JSONConvertible & Sendable>: JSONModel {
        var content: Content
        static var plan: ModelPlan<Box> { .shared { ModelPlan(JSONField(\.content, key: "content")) } }
    }

    class Base: JSONModel {
        struct Storage { var name: String }
        var storage: Storage
        init(_ storage: consuming Storage) { self.storage = storage }
        class var plan: _AnyModelPlan { basePlan._erased }
        static let basePlan = ModelPlan<Base>(
            storage: Storage.self, [JSONField(\.name, key: "name")], make: { Base($0) })
    }

    final class Derived: Base, JSONHooks {
        override class var plan: _AnyModelPlan { derivedPlan._erased }
        static let derivedPlan = ModelPlan<Derived>(
            storage: Storage.self, [JSONField(\.name, key: "name")], make: { Derived($0) })
        func didDecode() { storage.name += "!" }
    }

    /// A class whose plan calls its method, without a conformance.
    class Called: JSONModel {
        struct Storage { var name: String }
        var name: String
        init(_ storage: consuming Storage) { name = storage.name }
        class var plan: _AnyModelPlan { calledPlan._erased }
        static let calledPlan = ModelPlan<Called>(
            storage: Storage.self, [JSONField(\.name, key: "name")], make: { Called($0) }
        ).hooks(didDecode: { $0.didDecode() })
        func didDecode() { name += "?" }
    }

    final class Checked: Called, JSONHooks {
        struct Parts { var base: Called.Storage }
        init(_ parts: consuming Parts) { super.init(parts.base) }
        override class var plan: _AnyModelPlan { checkedPlan._erased }
        static let checkedPlan = ModelPlan<Checked>(
            storage: Parts.self, superclass: Called.calledPlan, base: \.base, [], make: { Checked($0) })
        override func didDecode() {
            super.didDecode()
            name += "!"
        }
        func validate() throws { if name == "?!" { throw Refused(what: "no name") } }
    }

    /// A class whose plan calls the method of its conformance.
    final class Listed: JSONModel, JSONHooks {
        struct Storage { var name: String }
        var name: String
        init(_ storage: consuming Storage) { name = storage.name }
        static let plan = ModelPlan<Listed>(
            storage: Storage.self, [JSONField(\.name, key: "name")], make: { Listed($0) }
        )._methods(didDecode: { $0.didDecode() })
        func didDecode() { name += "!" }
        func validate() throws { if name == "!" { throw Refused(what: "no name") } }
    }

    @Test func `a method that the plan lists is called once`() throws {
        #expect(try decode(Listed.self, #"{"name":"a"}"#).name == "a!")
        #expect(try refusal(Listed.self, #"{"name":""}"#).underlying as? Refused == Refused(what: "no name"))
    }

    @Test func `a class adds the hooks of its conformance to those of its superclass`() throws {
        let decoder = JSONModelDecoder()
        #expect(try decoder.decode(Called.self, from: #"{"name":""}"#).name == "?")
        #expect(try decoder.decode(Checked.self, from: #"{"name":"a"}"#).name == "a?!")
        let issue = try refusal(Checked.self, #"{"name":""}"#)
        #expect(issue.underlying as? Refused == Refused(what: "no name"))
    }

    enum Choice: JSONEnum, JSONHooks, Equatable {
        case text(String)
        static let plan = ModelPlan<Choice>(cases: [.of("text", Self.text)])
        mutating func didDecode() { if case .text(let text) = self { self = .text(text + "!") } }
    }

    struct Outer: JSONModel {
        var inner: Both
        var page: Both?
        static let plan = ModelPlan<Outer>(JSONField(flatten: \.inner), JSONField(\.page, key: "page"))
    }

    @Test func `hooks are found in every kind of conformance`() throws {
        let decoder = JSONModelDecoder()
        #expect(try decoder.decode(Both.self, from: "{}").log == ["extension", "plan"])
        #expect(try decoder.decode(Both.self, from: "{}").log == ["extension", "plan"])
        let outer = try decoder.decode(Outer.self, from: #"{"page":{}}"#)
        #expect(outer.inner.log == ["extension", "plan"])
        #expect(outer.page?.log == ["extension", "plan"])
        #expect(try decoder.decode(Box<Int>.self, from: #"{"content":1}"#).content == 2)
        #expect(try decoder.decode(Box<String>.self, from: #"{"content":"a"}"#).content == "a")
        #expect(try decoder.decode(Base.self, from: #"{"name":"a"}"#).storage.name == "a")
        #expect(try decoder.decode(Derived.self, from: #"{"name":"a"}"#).storage.name == "a!")
        #expect(try decoder.decode(Choice.self, from: #"{"text":"a"}"#) == .text("a!"))
        struct Local: JSONModel, JSONHooks {
            var number: Int
            static let plan = ModelPlan<Local>(JSONField(\.number, key: "number"))
            mutating func didDecode() { number += 1 }
        }
        #expect(try decoder.decode(Local.self, from: #"{"number":1}"#).number == 2)
    }

    @Test func `threads can find the same hooks at the same time`() async {
        struct Raced: JSONModel, JSONHooks {
            var number: Int
            static let plan = ModelPlan<Raced>(JSONField(\.number, key: "number"))
            mutating func didDecode() { number += 1 }
        }
        await withTaskGroup(of: Int?.self) { group in
            for index in 0..<32 {
                group.addTask {
                    var decoder = JSONModelDecoder()
                    // Each decoder with options resolves the plan itself.
                    decoder.keyStrategy = index % 2 == 0 ? .snakeCase : .asDeclared
                    return try? decoder.decode(Raced.self, from: #"{"number":1}"#).number
                }
            }
            for await number in group { #expect(number == 2) }
        }
    }
}

extension HookTests.Both: JSONHooks { mutating func didDecode() { log.append("extension") } }

extension HookTests.Box: JSONHooks where Content == Int { mutating func didDecode() { content += 1 } }
