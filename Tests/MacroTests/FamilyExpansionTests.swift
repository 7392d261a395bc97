#if Macros
import Testing

@Suite("Expansions of superclasses")
struct FamilyExpansionTests {
    @Test func `a class that is not final gets a storage for subclasses`() {
        expectExpansion(
            """
            @JSONModel
            class Animal {
                let name: String
                var legs = 4
                private var secret: Int?
                @JSONIgnore var log: [String] = []
                init(name: String) { self.name = name }
            }
            """,
            #"""
            class Animal {
                let name: String
                var legs = 4
                private var secret: Int?
                var log: [String] = []
                init(name: String) { self.name = name }

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Animal> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.name, name: "name"))
                    fields.append(.init(\.legs, name: "legs", default: 4))
                    fields.append(.init(\.secret, name: "secret"))
                    return Sluice::ModelPlan<Animal>(
                        storage: JSONStorage.self, fields,
                        make: Sluice::jsonMaking(Animal.init(jsonStorage:)),
                        read: Sluice::jsonReading(Animal.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                nonisolated class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                nonisolated struct JSONStorage {
                    var name: String
                    var legs = 4
                    fileprivate var secret: Int?

                    typealias JSONInitial = JSONStorage
                    var jsonInitial: JSONInitial { self }
                    func jsonFinish(_ model: Animal) {}
                    static var jsonAssign: Sluice::JSONAssignment<Animal, JSONStorage>? {
                        nil
                    }
                }

                init(jsonStorage storage: consuming JSONStorage) {
                    self.name = storage.name
                    self.legs = storage.legs
                    self.secret = storage.secret
                }

                static func jsonStorage(of model: Animal) -> JSONStorage {
                    JSONStorage(name: model.name, legs: model.legs, secret: model.secret)
                }
            }

            extension Animal: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `an open class gets open members`() {
        expectExpansion(
            """
            @JSONModel
            open class Animal {
                var legs = 4
            }
            """,
            #"""
            open class Animal {
                var legs = 4

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Animal> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.legs, name: "legs", default: 4))
                    return Sluice::ModelPlan<Animal>(
                        storage: JSONStorage.self, fields,
                        make: Sluice::jsonMaking(Animal.init(jsonStorage:)),
                        read: Sluice::jsonReading(Animal.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                open nonisolated class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                public nonisolated struct JSONStorage {
                    var legs = 4

                    public typealias JSONInitial = JSONStorage
                    public var jsonInitial: JSONInitial { self }
                    public func jsonFinish(_ model: Animal) {}
                    public static var jsonAssign: Sluice::JSONAssignment<Animal, JSONStorage>? {
                        Sluice::jsonAssigning(Animal.jsonAssign(_:to:))
                    }
                }

                public init(jsonStorage storage: consuming JSONStorage) {
                    self.legs = storage.legs
                }

                public static func jsonStorage(of model: Animal) -> JSONStorage {
                    JSONStorage(legs: model.legs)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Animal) {
                    model.legs = storage.legs
                }

                init() {
                }
            }

            extension Animal: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `a class whose superclass is not a model gets a plan of its own`() {
        expectExpansion(
            """
            @JSONModel
            class Model: Base, Hashable {
                let id: Int
            }
            """,
            #"""
            class Model: Base, Hashable {
                let id: Int

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Model> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice::ModelPlan<Model>(
                        storage: JSONStorage.self, fields,
                        make: Sluice::jsonMaking(Model.init(jsonStorage:)),
                        read: Sluice::jsonReading(Model.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                nonisolated class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                nonisolated struct JSONStorage {
                    var id: Int

                    typealias JSONInitial = JSONStorage
                    var jsonInitial: JSONInitial { self }
                    func jsonFinish(_ model: Model) {}
                    static var jsonAssign: Sluice::JSONAssignment<Model, JSONStorage>? {
                        nil
                    }
                }

                init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }

                static func jsonStorage(of model: Model) -> JSONStorage {
                    JSONStorage(id: model.id)
                }
            }

            extension Model: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `classes on global actors get nonisolated members`() {
        expectExpansion(
            """
            @MainActor @JSONModel
            class Screen {
                var title: String
            }

            @RenderActor @JSONModel
            final class Frame {
                var number: Int
            }
            """,
            #"""
            @MainActor
            class Screen {
                var title: String

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Screen> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.title, name: "title"))
                    return Sluice::ModelPlan<Screen>(
                        storage: JSONStorage.self, fields,
                        make: Sluice::jsonMaking(Screen.init(jsonStorage:)),
                        read: Sluice::jsonReading(Screen.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                nonisolated class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                nonisolated struct JSONStorage {
                    var title: String

                    typealias JSONInitial = JSONStorage
                    var jsonInitial: JSONInitial { self }
                    func jsonFinish(_ model: Screen) {}
                    static var jsonAssign: Sluice::JSONAssignment<Screen, JSONStorage>? {
                        Sluice::jsonAssigning(Screen.jsonAssign(_:to:))
                    }
                }

                init(jsonStorage storage: consuming JSONStorage) {
                    self.title = storage.title
                }

                static func jsonStorage(of model: Screen) -> JSONStorage {
                    JSONStorage(title: model.title)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Screen) {
                    model.title = storage.title
                }
            }

            @RenderActor
            final class Frame {
                var number: Int

                nonisolated static let plan: Sluice::ModelPlan<Frame> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.number, name: "number"))
                    return Sluice::ModelPlan<Frame>(
                        storage: JSONStorage.self, fields,
                        make: { Frame(jsonStorage: $0) })
                }()

                private nonisolated struct JSONStorage {
                    var number: Int
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.number = storage.number
                }
            }

            extension Screen: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension Frame: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif
