import SluiceCore
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

            class var plan: AnyModelPlan { entityPlan.erasedPlan }
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

            override class var plan: AnyModelPlan { taskPlan.erasedPlan }
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

            override class var plan: AnyModelPlan { projectPlan.erasedPlan }
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

        @Test func `a subclass without a plan is an error`() throws {
            let draft = Draft(.init(id: 1, version: 1))
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelEncoder().encode(Board(first: task, maybe: nil, byName: ["k": draft], all: []))
            }
            #expect(error?.issues[0].path == "byName.k")
            #expect(error?.description.contains("add @JSONModel to Draft") == true)
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
            try JSONModelDecoder().merge(text, into: &board, nested: .merge)
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
                #expect(throws: JSONModelError.self) { try decoder.merge(text, into: &board, nested: .merge) }
                #expect(try JSONModelEncoder().encode(board, as: .string).count == before.count)
                #expect(
                    board.first === task && task.version == 1 && task.parent === parent && parent.title == "inner")
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
            try JSONModelDecoder().merge(text, into: &lossy, nested: .merge)
            #expect(other.version == 2 && lossy.kept["a"] === other)
            #expect(task.version == 1 && parent.title == "inner" && lossy.kept["b"] === task)
        }
    }
}
