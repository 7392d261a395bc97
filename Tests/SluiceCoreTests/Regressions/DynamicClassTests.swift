import SluiceCore
import SluiceStreams
import TestSupport
import Testing

extension Regressions {
    /// Objects are merged and encoded by their own class, not by the class that a property declares.
    struct DynamicClassTests {
        class Entity: JSONModel {
            struct Storage {
                var id: Int
                var version: Int
            }
            var id: Int
            var version: Int
            init(_ storage: Storage) { (id, version) = (storage.id, storage.version) }

            class var plan: _AnyModelPlan { entityPlan._erased }
            private static let entityPlan = ModelPlan<Entity>(
                storage: Storage.self, [JSONField(\.id), JSONField(\.version, default: 1)], make: { Entity($0) },
                read: { Storage(id: $0.id, version: $0.version) },
                assign: { ($1.id, $1.version) = ($0.id, $0.version) })
        }

        /// A subclass of variables.
        final class Task: Entity, JSONHooks {
            struct TaskStorage {
                var entity: Storage
                var title: String
                var parent: Entity?
            }
            var title: String
            var parent: Entity?
            init(_ storage: TaskStorage) {
                (title, parent) = (storage.title, storage.parent)
                super.init(storage.entity)
            }

            override class var plan: _AnyModelPlan { taskPlan._erased }
            private static let taskPlan = ModelPlan<Task>(
                storage: TaskStorage.self, superclass: Entity.plan, base: \.entity,
                [JSONField(\.title), JSONField(\.parent)], make: { Task($0) },
                read: {
                    TaskStorage(entity: .init(id: $0.id, version: $0.version), title: $0.title, parent: $0.parent)
                },
                assign: {
                    ($1.id, $1.version) = ($0.entity.id, $0.entity.version)
                    ($1.title, $1.parent) = ($0.title, $0.parent)
                })

            func validate() throws { if title == "refused" { throw Refusal() } }
        }

        struct Refusal: Error {}

        /// A subclass with a constant, of which a merge makes a new object.
        final class Project: Entity {
            struct ProjectStorage {
                var entity: Storage
                let name: String
            }
            let name: String
            init(_ storage: ProjectStorage) {
                name = storage.name
                super.init(storage.entity)
            }

            override class var plan: _AnyModelPlan { projectPlan._erased }
            private static let projectPlan = ModelPlan<Project>(
                storage: ProjectStorage.self, superclass: Entity.plan, base: \.entity, [JSONField(\.name)],
                make: { Project($0) },
                read: { ProjectStorage(entity: .init(id: $0.id, version: $0.version), name: $0.name) })
        }

        /// A subclass without a plan.
        final class Draft: Entity {}

        struct Board: JSONModel {
            var first: Entity
            var maybe: Entity?
            var byName: [String: Entity]
            var all: [Entity]
            static let plan = ModelPlan<Board>(
                JSONField(\.first), JSONField(\.maybe), JSONField(\.byName, default: [:]),
                JSONField(\.all, default: [])
            )
        }

        private let task = Task(.init(entity: .init(id: 1, version: 1), title: "t", parent: nil))
        private let project = Project(.init(entity: .init(id: 2, version: 1), name: "p"))

        @Test func `an object is encoded with the plan of its own class`() throws {
            let encoder = JSONModelEncoder()
            let both = #"[{"id":1,"version":1,"title":"t"},{"id":2,"version":1,"name":"p"}]"#
            #expect(try encoder.encode([task, project] as [Entity], as: .string) == both)
            #expect(try encoder.encode(task as Entity?, as: .string) == #"{"id":1,"version":1,"title":"t"}"#)
            task.parent = project
            let board = Board(first: task, maybe: project, byName: ["k": task], all: [project])
            let text = try encoder.encode(board, as: .string)
            let inner = #"{"id":1,"version":1,"title":"t","parent":{"id":2,"version":1,"name":"p"}}"#
            let outer = #"{"id":2,"version":1,"name":"p"}"#
            #expect(text == #"{"first":\#(inner),"maybe":\#(outer),"byName":{"k":\#(inner)},"all":[\#(outer)]}"#)
            var only = encoder
            only.except = ["first.title", "first.parent.id", "byName", "all"]
            #expect(
                try only.encode(board, as: .string)
                    == #"{"first":{"id":1,"version":1,"parent":{"version":1,"name":"p"}},"maybe":\#(outer)}"#)
        }

        struct Size: JSONModel {
            var width = 1
            var height = 2
            static let plan = ModelPlan<Size>(JSONField(\.width), JSONField(\.height))
        }

        struct Length: JSONModel {
            var seconds = 3
            static let plan = ModelPlan<Length>(JSONField(\.seconds))
        }

        final class Photo: Entity {
            override class var plan: _AnyModelPlan { photoPlan._erased }
            private static let photoPlan = ModelPlan<Photo>(
                storage: (Storage, Size).self, superclass: Entity.plan, base: \.0,
                [JSONField(\.1, name: "size", key: "size")], make: { Photo($0.0) },
                read: { (.init(id: $0.id, version: $0.version), Size()) })
        }

        final class Sound: Entity {
            override class var plan: _AnyModelPlan { soundPlan._erased }
            private static let soundPlan = ModelPlan<Sound>(
                storage: (Storage, Length).self, superclass: Entity.plan, base: \.0,
                [JSONField(\.1, name: "size", key: "size")], make: { Sound($0.0) },
                read: { (.init(id: $0.id, version: $0.version), Length()) })
        }

        @Test func `an omitted path may lead to a property of one subclass only`() throws {
            let all: [Entity] = [
                Photo(.init(id: 1, version: 1)), Sound(.init(id: 2, version: 1)), Entity(.init(id: 3, version: 1)),
            ]
            var encoder = JSONModelEncoder()
            encoder.except = ["version", "size.width"]
            #expect(
                try encoder.encode(all, as: .string)
                    == #"[{"id":1,"size":{"height":2}},{"id":2,"size":{"seconds":3}},{"id":3}]"#)
        }

        @Test func `a subclass without a plan is an error`() throws {
            let draft = Draft(.init(id: 1, version: 1))
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelEncoder().encode(Board(first: task, maybe: nil, byName: ["k": draft], all: []))
            }
            #expect(error?.issues[0].path == "byName.k")
            #expect(error?.description.contains("add @JSONModel to Draft") == true)
            let alone = try encodingRefusal(draft as Entity)
            #expect(alone.path == JSONPath() && alone.description.contains("add @JSONModel to Draft"))
            var entity: Entity = draft
            let merging = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().merge(#"{"version":2}"#, into: &entity)
            }
            #expect(merging?.description.contains("add @JSONModel to Draft") == true)
            #expect(entity === draft && draft.version == 1)
        }

        @Test func `an object is merged with the plan of its own class`() throws {
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                var entity: Entity = task
                try decoder.merge(#"{"version":3,"title":"new"}"#, into: &entity)
                #expect(entity === task)
                #expect(task.version == 3 && task.title == "new" && task.id == 1)
                entity = project
                try decoder.merge(#"{"version":4}"#, into: &entity)
                let made = try #require(entity as? Project)
                #expect(made !== project && made.version == 4 && made.name == "p" && project.version == 1)
                var maybe: Entity? = task
                try decoder.merge(#"{"version":1,"title":"t"}"#, into: &maybe)
                #expect(maybe === task && task.title == "t" && task.version == 1)
            }
        }

        @Test func `nested objects keep their identity in a merge`() throws {
            task.parent = Task(.init(entity: .init(id: 5, version: 1), title: "inner", parent: nil))
            let parent = task.parent
            var board = Board(first: task, maybe: project, byName: ["k": task, "l": project], all: [task])
            let text =
                #"{"first":{"parent":{"title":"changed"}},"maybe":{"version":7},"byName":{"k":{"version":8},"l":{"id":9}}}"#
            try JSONModelDecoder().merge(text, into: &board, options: JSONMergeOptions(nested: .merge))
            #expect(board.first === task && task.parent === parent && (parent as? Task)?.title == "changed")
            #expect((board.maybe as? Project)?.version == 7 && (board.maybe as? Project)?.name == "p")
            #expect(board.byName["k"] === task && task.version == 8)
            #expect((board.byName["l"] as? Project)?.id == 9 && project.id == 2)
            #expect(board.all[0] === task)
        }

        @Test(arguments: [
            #"{"first":{"version":5,"parent":{"title":"changed"}},"maybe":{"version":"x"}}"#,
            #"{"first":{"version":5,"parent":{"title":"changed"}},"byName":{"k":{"version":7},"l":{"id":[]}}}"#,
            #"{"first":{"version":5,"parent":{"title":"refused"}}}"#, #"{"first":{"version":5},"maybe":1}"#,
            #"{"first":{"version":5,"parent":{"title":"changed"}}} x"#, #"{"first":{"parent":{"title":"changed"}}"#,
            #"{"first":{"parent":{"title":"changed"},"title":"refused"}}"#,
        ])
        func `a failure undoes every change`(_ text: String) throws {
            let parent = Task(.init(entity: .init(id: 5, version: 1), title: "inner", parent: nil))
            task.parent = parent
            var board = Board(first: task, maybe: project, byName: ["k": task, "l": project], all: [task])
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                let before = try JSONModelEncoder().encode(board, as: .string)
                #expect(throws: JSONModelError.self) {
                    try decoder.merge(text, into: &board, options: JSONMergeOptions(nested: .merge))
                }
                #expect(try JSONModelEncoder().encode(board, as: .string).count == before.count)
                #expect(
                    board.first === task && task.version == 1 && task.parent === parent && parent.title == "inner")
            }
        }

        @Test func `a new member does not replace the object of the member before`() throws {
            for source in JSONModelDecoder.Source.allCases {
                var byName: [String: Entity] = ["k": task]
                try JSONModelDecoder(from: source).merge(
                    #"{"k":{"version":8},"l":{"id":5}}"#, into: &byName, options: JSONMergeOptions(nested: .merge))
                #expect(byName["k"] === task && task.version == 8)
                #expect(byName["l"]?.id == 5 && byName.count == 2)
            }
        }

        @Test func `an element that fails undoes its changes`() throws {
            struct Lossy: JSONModel {
                var kept: [String: Entity]
                static let plan = ModelPlan<Lossy>(JSONField(\.kept, key: "kept").lossy())
            }
            let parent = Task(.init(entity: .init(id: 5, version: 1), title: "inner", parent: nil))
            task.parent = parent
            let other = Task(.init(entity: .init(id: 6, version: 1), title: "other", parent: nil))
            var lossy = Lossy(kept: ["a": other, "b": task])
            let text = #"{"kept":{"a":{"version":2},"b":{"version":3,"parent":{"title":"changed"},"id":"x"}}}"#
            try JSONModelDecoder().merge(text, into: &lossy, options: JSONMergeOptions(nested: .merge))
            #expect(other.version == 2 && lossy.kept["a"] === other)
            #expect(task.version == 1 && parent.title == "inner" && lossy.kept["b"] === task)
        }

        // MARK: Replaced values

        struct Holder: JSONModel {
            var board: Board
            static let plan = ModelPlan<Holder>(JSONField(\.board))
        }

        struct Pinned: JSONModel {
            var first: Entity
            var rest: [String: Entity]
            static let plan = ModelPlan<Pinned>(JSONField(\.first, key: "list[0]"), JSONField(extra: \.rest))
        }

        private static let refusal = JSONIssue.Kind.invalidValue(
            expected: "a change of an existing object",
            reason:
                "the new value would have no object of the subclass Task: use nested: .merge, and arrays: .byIndex for arrays"
        )

        private func checkRefusal<M: JSONModel>(
            _ patch: String, into model: M, at path: JSONPath, nested: JSONMergeOptions.Nested = .replace,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                var merged = model
                let before = try JSONModelEncoder().encode(merged, as: .string)
                let error = #expect(throws: JSONModelError.self, sourceLocation: sourceLocation) {
                    try decoder.merge(patch, into: &merged, options: JSONMergeOptions(nested: nested))
                }
                #expect(error?.issues.first?.kind == Self.refusal, sourceLocation: sourceLocation)
                #expect(error?.issues.first?.path == path, sourceLocation: sourceLocation)
                #expect(
                    try JSONModelEncoder().encode(merged, as: .string) == before, sourceLocation: sourceLocation)
            }
        }

        @Test func `an object of a subclass is not replaced by an object of the declared class`() throws {
            let entity = Entity(.init(id: 9, version: 1))
            let base = Board(first: entity, maybe: nil, byName: [:], all: [])
            var board = base
            board.first = task
            try checkRefusal(#"{"first":{"id":3}}"#, into: board, at: "first")
            try checkRefusal(#"{"board":{"first":{"id":3}}}"#, into: Holder(board: board), at: "board")
            board = base
            board.maybe = task
            try checkRefusal(#"{"maybe":{"id":3}}"#, into: board, at: "maybe")
            board = base
            board.byName = ["k": task]
            try checkRefusal(#"{"byName":{"k":{"id":3}}}"#, into: board, at: "byName")
            try checkRefusal(#"{"byName":{"k":[3]}}"#, into: board, at: "byName.k", nested: .merge)
            board = base
            board.all = [entity, task]
            try checkRefusal(#"{"all":[{"id":3}]}"#, into: board, at: "all")
            try checkRefusal(#"{"all":[{"id":3}]}"#, into: board, at: "all", nested: .merge)
            try checkRefusal(#"{"list":[{"id":3}]}"#, into: Pinned(first: task, rest: [:]), at: "list")
            try checkRefusal(#"{"k":{"id":3}}"#, into: Pinned(first: entity, rest: ["k": task]), at: "k")
            try checkRefusal(
                #"{"k":{"id":3}}"#, into: Pinned(first: entity, rest: ["k": task]), at: "k", nested: .merge)
        }

        struct Box: JSONModel {
            var weight = 1.0
            var item: Entity
            var inner: [Box] = []
            static let plan = ModelPlan<Box>(
                JSONField(\.weight, key: "weight"), JSONField(\.item, key: "item"),
                JSONField(\.inner, key: "inner", default: []))
        }

        struct Boxes: JSONModel {
            var list: [Box]
            static let plan = ModelPlan<Boxes>(JSONField(\.list, key: "list"))
        }

        @Test func `an object of a subclass is found in values that cannot be encoded`() throws {
            let entity = Entity(.init(id: 9, version: 1))
            var deep = Box(item: task)
            for _ in 0..<600 { deep = Box(item: entity, inner: [deep]) }
            for (box, isRefused) in [
                (Box(weight: .nan, item: task), true), (Box(weight: .nan, item: entity), false), (deep, true),
                (Box(weight: .infinity, item: entity, inner: [Box(item: entity), Box(item: task)]), true),
            ] {
                for source in JSONModelDecoder.Source.allCases {
                    var boxes = Boxes(list: [box])
                    let patch = #"{"list":[{"weight":1,"item":{"id":3}}]}"#
                    do {
                        try JSONModelDecoder(from: source).merge(patch, into: &boxes)
                        #expect(!isRefused && boxes.list[0].item.id == 3)
                    } catch {
                        #expect(
                            isRefused && error.issues[0].kind == Self.refusal && boxes.list[0].item === box.item)
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
            for source in JSONModelDecoder.Source.allCases {
                var plane = Plane(wing: nil)
                try JSONModelDecoder(from: source).merge(#"{"list":[{"id":3}]}"#, into: &plane)
                #expect(plane.wing?.pilot.id == 3)
            }
        }

        final class Counted: JSONModel, JSONHooks {
            struct Storage { var id: Int }
            var id: Int
            var encodings = 0
            init(id: Int) { self.id = id }
            static let plan = ModelPlan<Counted>(
                storage: Storage.self, [JSONField(\.id)], make: { Counted(id: $0.id) },
                read: { Storage(id: $0.id) }, assign: { $1.id = $0.id })
            func willEncode() throws { encodings += 1 }
        }

        /// An enum whose hooks change the object, or throw.
        enum Choice: JSONEnum, JSONHooks {
            case counted(Counted)
            case entity(Entity)
            static let plan = ModelPlan<Choice>(cases: [
                JSONCase(
                    "counted", payload: Counted.self, make: { .counted($0) },
                    read: { if case .counted(let value) = $0 { value } else { nil } }),
                JSONCase(
                    "entity", payload: Entity.self, make: { .entity($0) },
                    read: { if case .entity(let value) = $0 { value } else { nil } }),
            ])
            func willEncode() throws {
                switch self {
                case .counted(let object): object.encodings += 1
                case .entity: throw Refusal()
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
            choices = ["k": .entity(task)]
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().merge(#"{"k":{"entity":{"id":3}}}"#, into: &choices)
            }
            #expect(error?.issues.first?.kind == Self.refusal)
        }

        enum Kind: JSONEnum {
            case entity(Entity)
            static let plan = ModelPlan<Kind>(cases: [
                JSONCase(
                    "entity", payload: Entity.self, make: { .entity($0) },
                    read: { if case .entity(let value) = $0 { value } else { nil } })
            ])
        }

        struct Flat: JSONModel {
            var kind: Kind
            static let plan = ModelPlan<Flat>(JSONField(flatten: \.kind))
        }

        struct Quoted: JSONModel {
            var entity: Entity
            static let plan = ModelPlan<Quoted>(JSONField(embedded: \.entity))
        }

        struct Parts: JSONModel {
            var flat: Flat?
            var quoted: Quoted?
            static let plan = ModelPlan<Parts>(JSONField(\.flat), JSONField(\.quoted))
        }

        @Test func `an object of a subclass in a flattened enum or in embedded JSON is not replaced`() throws {
            try checkRefusal(
                #"{"flat":{"entity":{"id":3}}}"#, into: Parts(flat: Flat(kind: .entity(task))), at: "flat")
            try checkRefusal(
                #"{"quoted":{"entity":"{\"id\":3}"}}"#, into: Parts(quoted: Quoted(entity: task)), at: "quoted")
        }

        /// A transform of one subclass.
        struct Titles: JSONTransform {
            func decode(_ json: String) throws -> Task { throw Refusal() }
            func encode(_ task: Task) throws -> String { task.title }
        }

        @Test func `a transform that is registered for a subclass encodes its objects`() throws {
            var encoder = JSONModelEncoder()
            encoder.register(Titles())
            let other = #"{"id":2,"version":1,"name":"p"}"#
            #expect(try encoder.encode([task, project, task] as [Entity], as: .string) == #"["t",\#(other),"t"]"#)
            let board = Board(first: task, maybe: task, byName: ["k": task], all: [project, task])
            #expect(
                try encoder.encode(board, as: .string)
                    == #"{"first":"t","maybe":"t","byName":{"k":"t"},"all":[\#(other),"t"]}"#)
        }

        /// A subclass whose JSON has the members of an enum.
        final class Kinded: Entity {
            struct KindedStorage {
                var entity: Storage
                var kind: Kind
            }
            var kind: Kind
            init(_ storage: KindedStorage) {
                kind = storage.kind
                super.init(storage.entity)
            }

            override class var plan: _AnyModelPlan { kindedPlan._erased }
            private static let kindedPlan = ModelPlan<Kinded>(
                storage: KindedStorage.self, superclass: Entity.plan, base: \.entity,
                [JSONField(flatten: \.kind)], make: { Kinded($0) },
                read: { KindedStorage(entity: .init(id: $0.id, version: $0.version), kind: $0.kind) })
        }

        @Test func `an object of a subclass that has a flattened enum is not changed`() throws {
            let refusal = JSONIssue.Kind.invalidValue(
                expected: "a change of an existing object",
                reason:
                    "an object of the subclass Kinded, which has a flattened enum or a transform, cannot be changed"
            )
            for source in JSONModelDecoder.Source.allCases {
                let kinded = Kinded(.init(entity: .init(id: 1, version: 1), kind: .entity(project)))
                var board = Board(first: kinded, maybe: nil, byName: [:], all: [])
                let error = #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder(from: source).merge(
                        #"{"first":{"id":3}}"#, into: &board, options: JSONMergeOptions(nested: .merge))
                }
                #expect(error?.issues.first?.kind == refusal)
                #expect(error?.issues.first?.path == "first")
                #expect(board.first === kinded && kinded.id == 1)
            }
        }

        @Test func `an array of subclasses at the root is merged by index only`() throws {
            var all: [Entity] = [task]
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().merge(#"[{"id":3}]"#, into: &all)
            }
            #expect(error?.issues.first?.kind == Self.refusal)
            try JSONModelDecoder().merge(
                #"[{"version":3}]"#, into: &all, options: JSONMergeOptions(arrays: .byIndex))
            #expect(all.count == 1 && all[0] === task && task.version == 3)
        }

        // Subclasses that no other test decodes.

        final class Errand: Entity {
            struct ErrandStorage {
                var entity: Storage
                let place: String
            }
            let place: String
            init(_ storage: ErrandStorage) {
                place = storage.place
                super.init(storage.entity)
            }

            override class var plan: _AnyModelPlan { errandPlan._erased }
            private static let errandPlan = ModelPlan<Errand>(
                storage: ErrandStorage.self, superclass: Entity.plan, base: \.entity, [JSONField(\.place)],
                make: { Errand($0) },
                read: { ErrandStorage(entity: .init(id: $0.id, version: $0.version), place: $0.place) })
        }

        final class Chore: Entity {
            struct ChoreStorage {
                var entity: Storage
                let place: String
            }
            let place: String
            init(_ storage: ChoreStorage) {
                place = storage.place
                super.init(storage.entity)
            }

            override class var plan: _AnyModelPlan { chorePlan._erased }
            private static let chorePlan = ModelPlan<Chore>(
                storage: ChoreStorage.self, superclass: Entity.plan, base: \.entity, [JSONField(\.place)],
                make: { Chore($0) },
                read: { ChoreStorage(entity: .init(id: $0.id, version: $0.version), place: $0.place) })
        }

        @Test func `a type that is a subclass of its static type is decoded by its own plan`() throws {
            let errand: Entity.Type = Errand.self
            let chore: Entity.Type = Chore.self
            let decoder = JSONModelDecoder()
            let text = #"{"id":1,"place":"p"}"#
            // The first use of each class.
            var seen: [Entity] = []
            try decoder.forEach(errand, in: "[\(text)]") { seen.append($0) }
            #expect((seen.first as? Errand)?.place == "p")
            let first = try decoder.decode(chore, from: text)
            #expect((first as? Chore)?.place == "p")
            var cursor = decoder.cursor(of: chore, in: "[\(text)]")
            let next = try cursor.next()
            #expect((next as? Chore)?.place == "p")
            let (prefix, length) = try decoder.decodePrefix(errand, from: text + " and more")
            #expect((prefix as? Errand)?.place == "p")
            #expect(length == text.utf8.count)
            #expect(try decoder.decode(Errand.self, from: text).place == "p")
            #expect(try decoder.decode(Chore.self, from: text).place == "p")
            #expect(try decoder.decode(Entity.self, from: text).id == 1)
        }

        @Test(arguments: JSONModelDecoder.Source.allCases)
        func `a subclass is decoded from the front of a text and around elements`(
            _ source: JSONModelDecoder.Source
        ) throws {
            let errand: Entity.Type = Errand.self
            let text = #"{"id":1,"place":"p","items":[2]}"#
            let decoder = JSONModelDecoder(from: source)
            let first = try decoder.decodePrefix(errand, from: text + " x")
            #expect((first.value as? Errand)?.place == "p")
            #expect(first.byteCount == text.utf8.count)
            let envelope = JSONEnvelope(of: errand)
            var cursor = decoder.cursor(of: Int.self, in: text, at: "items[*]", envelope: envelope)
            #expect(try cursor.next() == 2)
            #expect(try cursor.next() == nil)
            #expect((envelope.value as? Errand)?.place == "p")
        }

        @Test func `objects of the declared class are replaced`() throws {
            func entity(_ id: Int) -> Entity { Entity(.init(id: id, version: 1)) }
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                var board = Board(first: entity(1), maybe: entity(2), byName: ["k": entity(3)], all: [entity(4)])
                try decoder.merge(
                    #"{"first":{"id":5},"maybe":{"id":6},"byName":{"l":{"id":7}},"all":[{"id":8}]}"#, into: &board)
                #expect(board.first.id == 5 && board.maybe?.id == 6 && board.byName["l"]?.id == 7)
                #expect(board.all.map(\.id) == [8] && board.byName.count == 1)
                // Values other than objects and arrays keep nothing.
                board.maybe = task
                try decoder.merge(#"{"maybe":null}"#, into: &board, options: JSONMergeOptions(nulls: .clear))
                #expect(board.maybe == nil)
            }
        }

        @Test func `a repeated key does not keep the changes of its first object`() throws {
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                let one = Task(.init(entity: .init(id: 1, version: 1), title: "t", parent: nil))
                let other = Task(.init(entity: .init(id: 2, version: 1), title: "o", parent: nil))
                var board = Board(first: one, maybe: nil, byName: ["k": other], all: [])
                try decoder.merge(
                    #"{"first":{"version":2},"byName":{"k":{"version":3},"k":{"title":"p"}},"first":{"title":"u"}}"#,
                    into: &board, options: JSONMergeOptions(nested: .merge))
                #expect(board.first === one && one.version == 1 && one.title == "u")
                #expect(board.byName["k"] === other && other.version == 1 && other.title == "p")
                #expect(throws: JSONModelError.self) {
                    try decoder.merge(
                        #"{"first":{"version":2},"first":{"title":"v"},"maybe":[]}"#, into: &board,
                        options: JSONMergeOptions(nested: .merge))
                }
                #expect(one.version == 1 && one.title == "u")
            }
        }
    }
}
