#if Macros
import Testing

@Suite("Expansions that go by way of storage")
struct StorageExpansionTests {
    @Test func finalClass() {
        expectExpansion(
            """
            @JSONModel
            final class Node {
                let id: Int
                let children: [Node]
                var stars = 0
                @JSONIgnore weak var parent: Node?
                init(id: Int) {
                    self.id = id
                    children = []
                }
            }
            """,
            #"""
            final class Node {
                let id: Int
                let children: [Node]
                var stars = 0
                weak var parent: Node?
                init(id: Int) {
                    self.id = id
                    children = []
                }

                nonisolated static let plan: Sluice.ModelPlan<Node> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(\.children, name: "children"))
                    fields.append(.init(\.stars, name: "stars", default: 0))
                    return Sluice.ModelPlan<Node>(storage: JSONStorage.self, fields, make: { Node(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                    var children: [Node]
                    var stars = 0
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                    self.children = storage.children
                    self.stars = storage.stars
                }
            }

            extension Node: Sluice.JSONModel, Sluice.JSONFillable {
            }
            """#)
    }

    @Test func implicitInitializer() {
        expectExpansion(
            """
            @JSONModel
            public final class Settings {
                var a = 1
                var b: Int?
                @JSONIgnore lazy var c = a + 1
                convenience init(a: Int) {
                    self.init()
                    self.a = a
                }
            }
            """,
            #"""
            public final class Settings {
                var a = 1
                var b: Int?
                lazy var c = a + 1
                convenience init(a: Int) {
                    self.init()
                    self.a = a
                }

                public nonisolated static let plan: Sluice.ModelPlan<Settings> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.a, name: "a", default: 1))
                    fields.append(.init(\.b, name: "b"))
                    return Sluice.ModelPlan<Settings>(storage: JSONStorage.self, fields, make: { Settings(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var a = 1
                    var b: Int?
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.a = storage.a
                    self.b = storage.b
                }

                init() {
                }
            }

            extension Settings: Sluice.JSONModel, Sluice.JSONFillable {
            }
            """#)
    }

    @Test func noImplicitInitializer() {
        expectExpansion(
            """
            @JSONModel
            private final class Settings {
                var a = 1
                var b: Optional<Int>
            }
            """,
            #"""
            private final class Settings {
                var a = 1
                var b: Optional<Int>

                nonisolated static let plan: Sluice.ModelPlan<Settings> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.a, name: "a", default: 1))
                    fields.append(.init(\.b, name: "b"))
                    return Sluice.ModelPlan<Settings>(storage: JSONStorage.self, fields, make: { Settings(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var a = 1
                    var b: Optional<Int>
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.a = storage.a
                    self.b = storage.b
                }
            }

            extension Settings: Sluice.JSONModel, Sluice.JSONFillable {
            }
            """#)
    }

    @Test func observed() {
        expectExpansion(
            """
            @JSONModel
            public struct Observed {
                public var id: Int { didSet { print(id) } }
                var stars = 0 { willSet {} }
                let name: String
                @JSONIgnore var changes = 0
            }
            """,
            #"""
            public struct Observed {
                public var id: Int { didSet { print(id) } }
                var stars = 0 { willSet {} }
                let name: String
                var changes = 0

                public nonisolated static let plan: Sluice.ModelPlan<Observed> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(\.stars, name: "stars", default: 0))
                    fields.append(.init(\.name, name: "name"))
                    return Sluice.ModelPlan<Observed>(storage: JSONStorage.self, fields, make: { Observed(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                    var stars = 0
                    var name: String
                }
            }

            extension Observed: Sluice.JSONModel, Sluice.JSONFillable {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                    self.stars = storage.stars
                    self.name = storage.name
                }
            }
            """#)
    }

    @Test func selfInStorage() {
        expectExpansion(
            """
            @JSONModel
            struct Tree {
                var children: [Self] = []
                var start = Self.first { didSet {} }
            }
            """,
            #"""
            struct Tree {
                var children: [Self] = []
                var start = Self.first { didSet {} }

                nonisolated static let plan: Sluice.ModelPlan<Tree> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.children, name: "children", default: []))
                    fields.append(.init(\.start, name: "start", default: Self.first))
                    return Sluice.ModelPlan<Tree>(storage: JSONStorage.self, fields, make: { Tree(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var children: [Tree]
                    var start = Tree.first
                }
            }

            extension Tree: Sluice.JSONModel, Sluice.JSONFillable {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.children = storage.children
                    self.start = storage.start
                }
            }
            """#)
    }

    @Test func ignoredWeak() {
        expectExpansion(
            """
            @JSONModel
            struct Ignoring {
                let id: Int
                @JSONIgnore weak var owner: Owner?
            }
            """,
            #"""
            struct Ignoring {
                let id: Int
                weak var owner: Owner?

                nonisolated static let plan: Sluice.ModelPlan<Ignoring> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice.ModelPlan<Ignoring>(storage: JSONStorage.self, fields, make: { Ignoring(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                }
            }

            extension Ignoring: Sluice.JSONModel, Sluice.JSONFillable {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }
            }
            """#)
    }

    @Test func ignoredUnderAName() {
        expectExpansion(
            """
            @JSONModel
            struct Ignoring {
                let id: Int
                @JSONIgnore var handler: Handler?
            }
            """,
            #"""
            struct Ignoring {
                let id: Int
                var handler: Handler?

                nonisolated static let plan: Sluice.ModelPlan<Ignoring> = {
                    var fields: [Sluice.Field<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice.ModelPlan<Ignoring>(storage: JSONStorage.self, fields, make: { Ignoring(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                }
            }

            extension Ignoring: Sluice.JSONModel, Sluice.JSONFillable {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }
            }
            """#)
    }

    @Test func privateInAType() {
        expectExpansion(
            """
            enum Outer {
                @JSONModel
                private struct Hidden: JSONModel, JSONFillable {
                    var x: Int { didSet {} }
                }
            }
            """,
            #"""
            enum Outer {
                private struct Hidden: JSONModel, JSONFillable {
                    var x: Int { didSet {} }

                    nonisolated static let plan: Sluice.ModelPlan<Hidden> = {
                        var fields: [Sluice.Field<JSONStorage>] = []
                        fields.append(.init(\.x, name: "x"))
                        return Sluice.ModelPlan<Hidden>(storage: JSONStorage.self, fields, make: { Hidden(jsonStorage: $0) })
                    }()

                    private nonisolated struct JSONStorage {
                        var x: Int
                    }

                    private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                        self.x = storage.x
                    }
                }
            }
            """#)
    }
}
#endif
