import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Objects are merged and encoded by their own class, not by the class that a property declares.
@Suite(.tags(.classes, .merging, .encoding)) struct SubclassTests {
    private let chore = Chore(1, "t")
    private let fixed = Fixed<Int>(2, "p")

    // MARK: Encoding

    @Test func `an object is encoded with the plan of its own class`() throws {
        let encoder = JSONModelEncoder()
        let both = #"[{"id":1,"version":1,"title":"t"},{"id":2,"version":1,"name":"p"}]"#
        #expect(try encoder.encode([chore, fixed] as [Entity], as: .string) == both)
        #expect(try encoder.encode(chore as Entity?, as: .string) == #"{"id":1,"version":1,"title":"t"}"#)
        chore.parent = fixed
        let board = Board(first: chore, maybe: fixed, byName: ["k": chore], all: [fixed])
        let inner = #"{"id":1,"version":1,"title":"t","parent":{"id":2,"version":1,"name":"p"}}"#
        let outer = #"{"id":2,"version":1,"name":"p"}"#
        #expect(
            try encoder.encode(board, as: .string)
                == #"{"first":\#(inner),"maybe":\#(outer),"byName":{"k":\#(inner)},"all":[\#(outer)]}"#)
        let only = JSONModelEncoder.with { $0.except = ["first.title", "first.parent.id", "byName", "all"] }
        #expect(
            try only.encode(board, as: .string)
                == #"{"first":{"id":1,"version":1,"parent":{"version":1,"name":"p"}},"maybe":\#(outer)}"#)
    }

    @Test func `each object of an array is encoded with the plan of its own class`() throws {
        let encoder = JSONModelEncoder()
        var arrays: [[Entity]] = [[]]
        for _ in 0..<4 {
            arrays = arrays.flatMap { array in [Entity(3), Entity(4), chore, fixed].map { array + [$0] } }
            for array in arrays {
                let each = try array.map { try encoder.encode($0, as: .string) }
                #expect(try encoder.encode(array, as: .string) == "[\(each.joined(separator: ","))]")
            }
        }
    }

    @Test func `an omitted path may lead to a property of one subclass only`() throws {
        let all = [Sized(1, Circle(radius: 2, name: "n")), Sized(2, Square(side: 3)), Entity(3)]
        let encoder = JSONModelEncoder.with { $0.except = ["version", "size.radius"] }
        #expect(
            try encoder.encode(all, as: .string)
                == #"[{"id":1,"size":{"name":"n"}},{"id":2,"size":{"side":3,"tags":[]}},{"id":3}]"#)
    }

    @Test func `a subclass without a plan is an error`() throws {
        let draft = Draft(1)
        let inside = try encodingRefusal(Board(first: chore, byName: ["k": draft]))
        #expect(inside.path == "byName.k" && inside.description.contains("add @JSONModel to Draft"))
        let alone = try encodingRefusal(draft as Entity)
        #expect(alone.path == JSONPath() && alone.description.contains("add @JSONModel to Draft"))
        var entity: Entity = draft
        let merging = try failure { try JSONModelDecoder().merge(#"{"version":2}"#, into: &entity) }
        #expect(merging.description.contains("add @JSONModel to Draft"))
        #expect(entity === draft && draft.version == 1)
    }

    /// A transform of one subclass.
    struct Titles: JSONTransform {
        func decode(_ json: String) throws -> Chore { throw Chore.Refusal() }
        func encode(_ chore: Chore) throws -> String { chore.title }
    }

    @Test func `a transform that is registered for a subclass encodes its objects`() throws {
        let encoder = JSONModelEncoder.with { $0.register(Titles()) }
        let other = #"{"id":2,"version":1,"name":"p"}"#
        #expect(try encoder.encode([chore, fixed, chore] as [Entity], as: .string) == #"["t",\#(other),"t"]"#)
        let board = Board(first: chore, maybe: chore, byName: ["k": chore], all: [fixed, chore])
        #expect(
            try encoder.encode(board, as: .string)
                == #"{"first":"t","maybe":"t","byName":{"k":"t"},"all":[\#(other),"t"]}"#)
    }

    // MARK: Merging

    @Test func `an object is merged with the plan of its own class`() throws {
        for feed in Feed.all() {
            var entity: Entity = chore
            try feed.merge(#"{"version":3,"title":"new"}"#, into: &entity)
            #expect(entity === chore)
            #expect(chore.version == 3 && chore.title == "new" && chore.id == 1)
            entity = fixed
            try feed.merge(#"{"version":4}"#, into: &entity)
            let made = try #require(entity as? Fixed<Int>)
            #expect(made !== fixed && made.version == 4 && made.name == "p" && fixed.version == 1)
            var maybe: Entity? = chore
            try feed.merge(#"{"version":1,"title":"t"}"#, into: &maybe)
            #expect(maybe === chore && chore.title == "t" && chore.version == 1)
        }
    }

    @Test func `nested objects keep their identity in a merge`() throws {
        chore.parent = Chore(5, "inner")
        let parent = chore.parent
        var board = Board(first: chore, maybe: fixed, byName: ["k": chore, "l": fixed], all: [chore])
        try JSONModelDecoder().merge(
            #"{"first":{"parent":{"title":"changed"}},"maybe":{"version":7},"byName":{"k":{"version":8},"l":{"id":9}}}"#,
            into: &board, options: .nested)
        #expect(board.first === chore && chore.parent === parent && (parent as? Chore)?.title == "changed")
        #expect((board.maybe as? Fixed<Int>)?.version == 7 && (board.maybe as? Fixed<Int>)?.name == "p")
        #expect(board.byName["k"] === chore && chore.version == 8)
        #expect((board.byName["l"] as? Fixed<Int>)?.id == 9 && fixed.id == 2)
        #expect(board.all[0] === chore)
    }

    @Test(arguments: [
        #"{"first":{"version":5,"parent":{"title":"changed"}},"maybe":{"version":"x"}}"#,
        #"{"first":{"version":5,"parent":{"title":"changed"}},"byName":{"k":{"version":7},"l":{"id":[]}}}"#,
        #"{"first":{"version":5,"parent":{"title":"refused"}}}"#, #"{"first":{"version":5},"maybe":1}"#,
        #"{"first":{"version":5,"parent":{"title":"changed"}}} x"#, #"{"first":{"parent":{"title":"changed"}}"#,
        #"{"first":{"parent":{"title":"changed"},"title":"refused"}}"#,
    ])
    func `a failure undoes every change`(_ text: String) throws {
        let parent = Chore(5, "inner")
        chore.parent = parent
        var board = Board(first: chore, maybe: fixed, byName: ["k": chore, "l": fixed], all: [chore])
        let before = try JSONModelEncoder().encode(board, as: .value)
        for feed in Feed.all() {
            #expect(throws: JSONModelError.self) { try feed.merge(text, into: &board, options: .nested) }
            #expect(try JSONModelEncoder().encode(board, as: .value) == before)
            #expect(board.first === chore && chore.parent === parent)
        }
    }

    @Test func `a new member does not replace the object of the member before`() throws {
        for feed in Feed.all() {
            var byName: [String: Entity] = ["k": chore]
            try feed.merge(#"{"k":{"version":8},"l":{"id":5}}"#, into: &byName, options: .nested)
            #expect(byName["k"] === chore && chore.version == 8)
            #expect(byName["l"]?.id == 5 && byName.count == 2)
        }
    }

    @Test func `an element that fails undoes its changes`() throws {
        struct Kept: JSONModel {
            var kept: [String: Entity]
            static let plan = ModelPlan<Kept>(JSONField(\.kept).lossy())
        }
        let (parent, other) = (Chore(5, "inner"), Chore(6, "other"))
        chore.parent = parent
        var lossy = Kept(kept: ["a": other, "b": chore])
        let text = #"{"kept":{"a":{"version":2},"b":{"version":3,"parent":{"title":"changed"},"id":"x"}}}"#
        try JSONModelDecoder().merge(text, into: &lossy, options: .nested)
        #expect(other.version == 2 && lossy.kept["a"] === other)
        #expect(chore.version == 1 && parent.title == "inner" && lossy.kept["b"] === chore)
    }

    @Test func `objects of the declared class are replaced`() throws {
        for feed in Feed.all() {
            var board = Board(first: Entity(1), maybe: Entity(2), byName: ["k": Entity(3)], all: [Entity(4)])
            try feed.merge(
                #"{"first":{"id":5},"maybe":{"id":6},"byName":{"l":{"id":7}},"all":[{"id":8}]}"#, into: &board)
            #expect(board.first.id == 5 && board.maybe?.id == 6 && board.byName["l"]?.id == 7)
            #expect(board.all.map(\.id) == [8] && board.byName.count == 1)
            // Values other than objects and arrays keep nothing.
            board.maybe = chore
            try feed.merge(#"{"maybe":null}"#, into: &board, options: JSONMergeOptions(nulls: .clear))
            #expect(board.maybe == nil)
        }
    }

    @Test func `a repeated key does not keep the changes of its first object`() throws {
        for feed in Feed.all() {
            let (one, other) = (Chore(1, "t"), Chore(2, "o"))
            var board = Board(first: one, byName: ["k": other])
            try feed.merge(
                #"{"first":{"version":2},"byName":{"k":{"version":3},"k":{"title":"p"}},"first":{"title":"u"}}"#,
                into: &board, options: .nested)
            #expect(board.first === one && one.version == 1 && one.title == "u")
            #expect(board.byName["k"] === other && other.version == 1 && other.title == "p")
            #expect(throws: JSONModelError.self) {
                try feed.merge(
                    #"{"first":{"version":2},"first":{"title":"v"},"maybe":[]}"#, into: &board, options: .nested)
            }
            #expect(one.version == 1 && one.title == "u")
        }
    }

    // MARK: Objects that a merge would replace

    struct Holder<Part: JSONConvertible>: JSONModel {
        var part: Part
        static var plan: ModelPlan<Self> { .shared { ModelPlan(JSONField(\.part)) } }
    }

    struct Pinned: JSONModel {
        var first: Entity
        var rest: [String: Entity] = [:]
        static let plan = ModelPlan<Pinned>(JSONField(\.first, key: "list[0]"), JSONField(extra: \.rest))
    }

    struct Flat: JSONModel {
        var kind: EntityKind
        static let plan = ModelPlan<Flat>(JSONField(flatten: \.kind))
    }

    struct Quoted: JSONModel {
        var entity: Entity
        static let plan = ModelPlan<Quoted>(JSONField(embedded: \.entity))
    }

    private static func refusal(_ reason: String) -> JSONIssue.Kind {
        .invalidValue(expected: "a change of an existing object", reason: reason)
    }
    private static let replaced = refusal(
        "the new value would have no object of the subclass Chore: use nested: .merge, and arrays: .byIndex for arrays"
    )

    private func check<M: JSONModel>(
        _ patch: String, into model: M, _ path: JSONPath, _ options: JSONMergeOptions = JSONMergeOptions(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for feed in Feed.all() {
            var merged = model
            let before = try JSONModelEncoder().encode(merged, as: .string)
            let issue = try failure(sourceLocation: sourceLocation) {
                try feed.merge(patch, into: &merged, options: options)
            }
            #expect((issue.kind, issue.path) == (Self.replaced, path), sourceLocation: sourceLocation)
            #expect(try JSONModelEncoder().encode(merged, as: .string) == before, sourceLocation: sourceLocation)
        }
    }

    @Test func `an object of a subclass is not replaced by an object of the declared class`() throws {
        let entity = Entity(9)
        try check(#"{"first":{"id":3}}"#, into: Board(first: chore), "first")
        try check(#"{"part":{"first":{"id":3}}}"#, into: Holder(part: Board(first: chore)), "part")
        try check(#"{"maybe":{"id":3}}"#, into: Board(first: entity, maybe: chore), "maybe")
        let named = Board(first: entity, byName: ["k": chore])
        try check(#"{"byName":{"k":{"id":3}}}"#, into: named, "byName")
        try check(#"{"byName":{"k":[3]}}"#, into: named, "byName.k", .nested)
        let listed = Board(first: entity, all: [entity, chore])
        try check(#"{"all":[{"id":3}]}"#, into: listed, "all")
        try check(#"{"all":[{"id":3}]}"#, into: listed, "all", .nested)
        try check(#"{"list":[{"id":3}]}"#, into: Pinned(first: chore), "list")
        let rest = Pinned(first: entity, rest: ["k": chore])
        try check(#"{"k":{"id":3}}"#, into: rest, "k")
        try check(#"{"k":{"id":3}}"#, into: rest, "k", .nested)
        // In a flattened enum and in embedded JSON.
        try check(#"{"part":{"entity":{"id":3}}}"#, into: Holder<Flat?>(part: Flat(kind: .entity(chore))), "part")
        let quoted = Holder<Quoted?>(part: Quoted(entity: chore))
        try check(#"{"part":{"entity":"{\"id\":3}"}}"#, into: quoted, "part")
    }

    struct Crate: JSONModel {
        var weight = 1.0
        var item: Entity
        var inner: [Crate] = []
        static let plan = ModelPlan<Crate>(JSONField(\.weight), JSONField(\.item), JSONField(\.inner, default: []))
    }

    @Test func `an object of a subclass is found in values that cannot be encoded`() throws {
        let entity = Entity(9)
        var deep = Crate(item: chore)
        for _ in 0..<600 { deep = Crate(item: entity, inner: [deep]) }
        for (crate, isRefused) in [
            (Crate(weight: .nan, item: chore), true), (Crate(weight: .nan, item: entity), false), (deep, true),
            (Crate(weight: .infinity, item: entity, inner: [Crate(item: entity), Crate(item: chore)]), true),
        ] {
            for source in JSONModelDecoder.Source.allCases {
                var crates = Holder(part: [crate])
                do {
                    try JSONModelDecoder(from: source).merge(
                        #"{"part":[{"weight":1,"item":{"id":3}}]}"#, into: &crates)
                    #expect(!isRefused && crates.part[0].item.id == 3)
                } catch {
                    #expect(isRefused && error.issues[0].kind == Self.replaced)
                    #expect(crates.part[0].item === crate.item)
                }
            }
        }
    }

    struct Wing: JSONModel {
        var pilot: Entity
        static let plan = ModelPlan<Wing>(JSONField(\.pilot, key: "list[0]"))
    }

    struct Plane: JSONModel {
        var wing: Wing?
        static let plan = ModelPlan<Plane>(JSONField(flatten: \.wing))
    }

    @Test func `an array replaces the fields of a flattened model that is nil`() throws {
        for feed in Feed.all() {
            var plane = Plane(wing: nil)
            try feed.merge(#"{"list":[{"id":3}]}"#, into: &plane)
            #expect(plane.wing?.pilot.id == 3)
        }
    }

    @Test func `an object of a subclass that has a flattened enum is not changed`() throws {
        let kind = Self.refusal(
            "an object of the subclass Kinded, which has a flattened enum or a transform, cannot be changed")
        for feed in Feed.all() {
            let kinded = Kinded(.init(entity: .init(id: 1), kind: .entity(fixed)))
            var board = Board(first: kinded)
            let issue = try failure { try feed.merge(#"{"first":{"id":3}}"#, into: &board, options: .nested) }
            #expect((issue.kind, issue.path) == (kind, "first"))
            #expect(board.first === kinded && kinded.id == 1)
        }
    }

    @Test func `an array of subclasses at the root is merged by index only`() throws {
        var all: [Entity] = [chore]
        #expect(try failure { try JSONModelDecoder().merge(#"[{"id":3}]"#, into: &all) }.kind == Self.replaced)
        try JSONModelDecoder().merge(#"[{"version":3}]"#, into: &all, options: .byIndex)
        #expect(all.count == 1 && all[0] === chore && chore.version == 3)
    }

    final class Counted: JSONModel, JSONHooks {
        struct Storage { var id: Int }
        var id: Int
        var encodings = 0
        init(id: Int) { self.id = id }
        static let plan = ModelPlan<Counted>(
            storage: Storage.self, [JSONField(\.id)], make: { Counted(id: $0.id) }, read: { Storage(id: $0.id) },
            assign: { $1.id = $0.id })
        func willEncode() throws { encodings += 1 }
    }

    /// An enum whose hooks change the object, or throw.
    enum Choice: JSONEnum, JSONHooks {
        case counted(Counted)
        case entity(Entity)
        static let plan = ModelPlan<Choice>(cases: [.of("counted", Self.counted), .of("entity", Self.entity)])
        func willEncode() throws {
            switch self {
            case .counted(let object): object.encodings += 1
            case .entity: throw Chore.Refusal()
            }
        }
    }

    @Test func `a merge calls no hooks for encoding`() throws {
        let (one, other) = (Counted(id: 1), Counted(id: 2))
        var byName = ["k": one, "l": other]
        try JSONModelDecoder().merge(#"{"k":{"id":3}}"#, into: &byName)
        #expect(byName["k"]?.id == 3 && byName["l"] === other)
        #expect(one.encodings == 0 && other.encodings == 0)
        var choices = ["k": Choice.counted(one)]
        try JSONModelDecoder().merge(#"{"k":{"counted":{"id":4}}}"#, into: &choices)
        guard case .counted(let new)? = choices["k"] else {
            Issue.record("another case")
            return
        }
        #expect(new.id == 4 && one.encodings == 0)
        // A hook that throws does not hide an object.
        choices = ["k": .entity(chore)]
        let issue = try failure { try JSONModelDecoder().merge(#"{"k":{"entity":{"id":3}}}"#, into: &choices) }
        #expect(issue.kind == Self.replaced)
    }

    // MARK: Subclasses that are passed as their superclass, each the first time that it is decoded

    @Test func `a type that is a subclass of its static type is decoded by its own plan`() throws {
        let (one, other): (Entity.Type, Entity.Type) = (Fixed<Int8>.self, Fixed<Int16>.self)
        let decoder = JSONModelDecoder()
        let text = #"{"id":1,"name":"p"}"#
        var seen: [Entity] = []
        try decoder.forEach(one, in: "[\(text)]") { seen.append($0) }
        #expect((seen.first as? Fixed<Int8>)?.name == "p")
        #expect((try decoder.decode(other, from: text) as? Fixed<Int16>)?.name == "p")
        var cursor = decoder.cursor(of: other, in: "[\(text)]")
        let next = try cursor.next()
        #expect((next as? Fixed<Int16>)?.name == "p")
        let (prefix, length) = try decoder.decodePrefix(one, from: text + " and more")
        #expect((prefix as? Fixed<Int8>)?.name == "p" && length == text.utf8.count)
        #expect(try decoder.decode(Fixed<Int8>.self, from: text).name == "p")
        #expect(try decoder.decode(Fixed<Int16>.self, from: text).name == "p")
        #expect(try decoder.decode(Entity.self, from: text).id == 1)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a subclass is decoded from the front of a text and around elements`(_ source: JSONModelDecoder.Source)
        throws
    {
        let type: Entity.Type = Fixed<Int32>.self
        let text = #"{"id":1,"name":"p","items":[2]}"#
        let decoder = JSONModelDecoder(from: source)
        let first = try decoder.decodePrefix(type, from: text + " x")
        #expect((first.value as? Fixed<Int32>)?.name == "p" && first.byteCount == text.utf8.count)
        let envelope = JSONEnvelope(of: type)
        var cursor = decoder.cursor(of: Int.self, in: text, at: "items[*]", envelope: envelope)
        #expect(try cursor.next() == 2)
        #expect(try cursor.next() == nil)
        #expect((envelope.value as? Fixed<Int32>)?.name == "p")
    }
}
