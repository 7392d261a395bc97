#if Macros
import Testing

@Suite("Expansions of final classes")
struct ClassExpansionTests {
    @Test func `a final class gets a storage and an initializer`() {
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

                nonisolated static let plan: Sluice::ModelPlan<Node> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<JSONStorage>]) {
                        fields.append(.init(\.id, name: "id"))
                        #sourceLocation(file: "test.swift", line: 4)
                        fields.append(.init(\.children, name: "children"))
                        #sourceLocation()
                        fields.append(.init(\.stars, name: "stars", default: 0))
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Node>(
                        storage: JSONStorage.self, fields,
                        make: { Node(jsonStorage: $0) },
                        read: Sluice::jsonReading(Node.jsonStorage(of:)))
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

                private static func jsonStorage(of model: Node) -> JSONStorage {
                    JSONStorage(id: model.id, children: model.children, stars: model.stars)
                }
            }

            extension Node: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a class without a designated initializer gets an empty one`() {
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

                public nonisolated static let plan: Sluice::ModelPlan<Settings> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.a, name: "a", default: 1))
                    fields.append(.init(\.b, name: "b"))
                    return Sluice::ModelPlan<Settings>(
                        storage: JSONStorage.self, fields,
                        make: { Settings(jsonStorage: $0) },
                        read: Sluice::jsonReading(Settings.jsonStorage(of:)),
                        assign: Sluice::jsonAssigning(Settings.jsonAssign(_:to:)))
                }()

                private nonisolated struct JSONStorage {
                    var a = 1
                    var b: Int?
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.a = storage.a
                    self.b = storage.b
                }

                private static func jsonStorage(of model: Settings) -> JSONStorage {
                    JSONStorage(a: model.a, b: model.b)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Settings) {
                    model.a = storage.a
                    model.b = storage.b
                }

                init() {
                }
            }

            extension Settings: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a class with an uninitialized property gets no empty initializer`() {
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

                nonisolated static let plan: Sluice::ModelPlan<Settings> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.a, name: "a", default: 1))
                    fields.append(.init(\.b, name: "b"))
                    return Sluice::ModelPlan<Settings>(
                        storage: JSONStorage.self, fields,
                        make: { Settings(jsonStorage: $0) },
                        read: Sluice::jsonReading(Settings.jsonStorage(of:)),
                        assign: Sluice::jsonAssigning(Settings.jsonAssign(_:to:)))
                }()

                private nonisolated struct JSONStorage {
                    var a = 1
                    var b: Optional<Int>
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.a = storage.a
                    self.b = storage.b
                }

                private static func jsonStorage(of model: Settings) -> JSONStorage {
                    JSONStorage(a: model.a, b: model.b)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Settings) {
                    model.a = storage.a
                    model.b = storage.b
                }
            }

            extension Settings: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif
