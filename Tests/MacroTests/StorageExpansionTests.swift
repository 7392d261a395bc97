#if Macros
import Testing

@Suite("Expansions of structs with a storage")
struct StorageExpansionTests {
    @Test func `a struct with observers gets a storage`() {
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

                public nonisolated static let plan: Sluice::ModelPlan<Observed> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(\.stars, name: "stars", default: 0))
                    fields.append(.init(\.name, name: "name"))
                    return Sluice::ModelPlan<Observed>(
                        storage: JSONStorage.self, fields,
                        make: { Observed(jsonStorage: $0) },
                        read: Sluice::jsonReading(Observed.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                    var stars = 0
                    var name: String
                }

                private static func jsonStorage(of model: Observed) -> JSONStorage {
                    JSONStorage(id: model.id, stars: model.stars, name: model.name)
                }
            }

            extension Observed: Sluice::JSONModel, Sluice::JSONConvertible {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                    self.stars = storage.stars
                    self.name = storage.name
                }
            }
            """#)
    }

    @Test func `the storage of a struct may contain Self`() {
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

                nonisolated static let plan: Sluice::ModelPlan<Tree> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<JSONStorage>]) {
                        #sourceLocation(file: "test.swift", line: 3)
                        fields.append(.init(\.children, name: "children", default: []))
                        #sourceLocation(file: "test.swift", line: 4)
                        fields.append(.init(\.start, name: "start", default: Self.first))
                        #sourceLocation()
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Tree>(
                        storage: JSONStorage.self, fields,
                        make: { Tree(jsonStorage: $0) },
                        read: Sluice::jsonReading(Tree.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var children: [Tree]
                    var start = Tree.first
                }

                private static func jsonStorage(of model: Tree) -> JSONStorage {
                    JSONStorage(children: model.children, start: model.start)
                }
            }

            extension Tree: Sluice::JSONModel, Sluice::JSONConvertible {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.children = storage.children
                    self.start = storage.start
                }
            }
            """#)
    }

    @Test func `an ignored weak property is not part of the storage`() {
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

                nonisolated static let plan: Sluice::ModelPlan<Ignoring> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice::ModelPlan<Ignoring>(
                        storage: JSONStorage.self, fields,
                        make: { Ignoring(jsonStorage: $0) },
                        read: Sluice::jsonReading(Ignoring.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                }

                private static func jsonStorage(of model: Ignoring) -> JSONStorage {
                    JSONStorage(id: model.id)
                }
            }

            extension Ignoring: Sluice::JSONModel, Sluice::JSONConvertible {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }
            }
            """#)
    }

    @Test func `an ignored property of an unknown type is not part of the storage`() {
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

                nonisolated static let plan: Sluice::ModelPlan<Ignoring> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice::ModelPlan<Ignoring>(
                        storage: JSONStorage.self, fields,
                        make: { Ignoring(jsonStorage: $0) },
                        read: Sluice::jsonReading(Ignoring.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                }

                private static func jsonStorage(of model: Ignoring) -> JSONStorage {
                    JSONStorage(id: model.id)
                }
            }

            extension Ignoring: Sluice::JSONModel, Sluice::JSONConvertible {
                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }
            }
            """#)
    }

    @Test func `a private struct in a type gets its initializer in place`() {
        expectExpansion(
            """
            enum Outer {
                @JSONModel
                private struct Hidden: JSONModel, JSONConvertible {
                    var x: Int { didSet {} }
                }
            }
            """,
            #"""
            enum Outer {
                private struct Hidden: JSONModel, JSONConvertible {
                    var x: Int { didSet {} }

                    nonisolated static let plan: Sluice::ModelPlan<Hidden> = {
                        var fields: [Sluice::JSONField<JSONStorage>] = []
                        fields.append(.init(\.x, name: "x"))
                        return Sluice::ModelPlan<Hidden>(
                            storage: JSONStorage.self, fields,
                            make: { Hidden(jsonStorage: $0) },
                            read: Sluice::jsonReading(Hidden.jsonStorage(of:)))
                    }()

                    private nonisolated struct JSONStorage {
                        var x: Int
                    }

                    private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                        self.x = storage.x
                    }

                    private static func jsonStorage(of model: Hidden) -> JSONStorage {
                        JSONStorage(x: model.x)
                    }
                }
            }
            """#)
    }
}
#endif
