#if Macros
import TestSupport
import Testing

@Suite("Expansions of subclasses of models")
struct SubclassExpansionTests {
    @Test func subclass() {
        expectExpansion(
            """
            @JSONModel(keys: .snakeCase)
            public final class Dog: Zoo.Animal, Sendable {
                let barks: Bool
                override var legs: Int { didSet {} }
                func didDecode() {}
                override func validate() throws {}
            }
            """,
            #"""
            public final class Dog: Zoo.Animal, Sendable {
                let barks: Bool
                override var legs: Int { didSet {} }
                func didDecode() {}
                override func validate() throws {}

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Dog> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.barks, name: "barks"))
                    return Sluice::ModelPlan<Dog>(
                        storage: JSONStorage.self, superclass: Zoo.Animal.plan, base: \.jsonBase, fields, keys: .snakeCase,
                        make: Sluice::jsonMaking(Dog.init(jsonStorage:)),
                        read: Sluice::jsonReading(Dog.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                        .hooks(didDecode: { $0.didDecode() })
                }()

                public nonisolated override class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                private nonisolated struct JSONStorage {
                    var jsonBase: Zoo.Animal.JSONStorage
                    var barks: Bool

                    static var jsonAssign: Sluice::JSONAssignment<Dog, JSONStorage>? {
                        nil
                    }
                }

                private init(jsonStorage storage: consuming JSONStorage) {
                    self.barks = storage.barks
                    super.init(jsonStorage: storage.jsonBase.jsonInitial)
                    storage.jsonBase.jsonFinish(self)
                }

                private static func jsonStorage(of model: Dog) -> JSONStorage {
                    JSONStorage(jsonBase: Zoo.Animal.jsonStorage(of: model), barks: model.barks)
                }
            }
            """#,
            missing: subclassConformances)
    }

    @Test func middle() {
        expectExpansion(
            """
            @JSONModel
            public class Pet: Animal {
                var owner: String
                init(owner: String) {
                    self.owner = owner
                    super.init()
                }
            }
            """,
            #"""
            public class Pet: Animal {
                var owner: String
                init(owner: String) {
                    self.owner = owner
                    super.init()
                }

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Pet> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.owner, name: "owner"))
                    return Sluice::ModelPlan<Pet>(
                        storage: JSONStorage.self, superclass: Animal.plan, base: \.jsonBase, fields,
                        make: Sluice::jsonMaking(Pet.init(jsonStorage:)),
                        read: Sluice::jsonReading(Pet.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                public nonisolated override class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                public nonisolated struct JSONStorage {
                    var jsonBase: Animal.JSONStorage
                    var owner: String

                    public typealias JSONInitial = JSONStorage
                    public var jsonInitial: JSONInitial { self }
                    public func jsonFinish(_ model: Pet) {}
                    public static var jsonAssign: Sluice::JSONAssignment<Pet, JSONStorage>? {
                        guard let base = Animal.JSONStorage.jsonAssign else { return nil }
                        let own: Sluice::JSONAssignment<Pet, JSONStorage> = Sluice::jsonAssigning(Pet.jsonAssign(_:to:))
                        return { storage, model in
                            base(storage.jsonBase, model)
                            own(storage, model)
                        }
                    }
                }

                public init(jsonStorage storage: consuming JSONStorage) {
                    self.owner = storage.owner
                    super.init(jsonStorage: storage.jsonBase.jsonInitial)
                    storage.jsonBase.jsonFinish(self)
                }

                public static func jsonStorage(of model: Pet) -> JSONStorage {
                    JSONStorage(jsonBase: Animal.jsonStorage(of: model), owner: model.owner)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Pet) {
                    model.owner = storage.owner
                }
            }
            """#,
            missing: subclassConformances)
    }

    @Test func inheritsInitializers() {
        expectExpansion(
            """
            @JSONModel
            class Pet: Animal {
                var owner: String?
                convenience init(owner: String) { self.init() }
            }
            """,
            #"""
            class Pet: Animal {
                var owner: String?
                convenience init(owner: String) { self.init() }

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Pet> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.owner, name: "owner"))
                    return Sluice::ModelPlan<Pet>(
                        storage: JSONStorage.self, superclass: Animal.plan, base: \.jsonBase, fields,
                        make: { $0.jsonModel() },
                        read: Sluice::jsonReading(Pet.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                nonisolated override class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                nonisolated struct JSONStorage {
                    var jsonBase: Animal.JSONStorage
                    var owner: String?

                    typealias JSONInitial = Animal.JSONStorage.JSONInitial
                    var jsonInitial: JSONInitial { jsonBase.jsonInitial }
                    func jsonFinish(_ model: Pet) {
                        jsonBase.jsonFinish(model)
                        let finish: Sluice::JSONAssignment<Pet, JSONStorage> = Sluice::jsonFinishing(Pet.jsonAssign(_:to:))
                        finish(self, model)
                    }
                    func jsonModel() -> Pet {
                        let make: Sluice::JSONMaking<Pet, JSONInitial> = Sluice::jsonMaking(Pet.init(jsonStorage:))
                        let model = make(jsonInitial)
                        jsonFinish(model)
                        return model
                    }
                    static var jsonAssign: Sluice::JSONAssignment<Pet, JSONStorage>? {
                        guard let base = Animal.JSONStorage.jsonAssign else { return nil }
                        let own: Sluice::JSONAssignment<Pet, JSONStorage> = Sluice::jsonAssigning(Pet.jsonAssign(_:to:))
                        return { storage, model in
                            base(storage.jsonBase, model)
                            own(storage, model)
                        }
                    }
                }

                static func jsonStorage(of model: Pet) -> JSONStorage {
                    JSONStorage(jsonBase: Animal.jsonStorage(of: model), owner: model.owner)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Pet) {
                    model.owner = storage.owner
                }
            }
            """#,
            missing: subclassConformances)
    }

    @Test func finalInheritsInitializers() {
        expectExpansion(
            """
            @JSONModel(.codable)
            final class Pet: Animal {
                var owner: String?
            }
            """,
            #"""
            final class Pet: Animal {
                var owner: String?

                private nonisolated static let jsonPlan: Sluice::ModelPlan<Pet> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.owner, name: "owner"))
                    return Sluice::ModelPlan<Pet>(
                        storage: JSONStorage.self, superclass: Animal.plan, base: \.jsonBase, fields,
                        make: { $0.jsonModel() },
                        read: Sluice::jsonReading(Pet.jsonStorage(of:)),
                        assign: JSONStorage.jsonAssign)
                }()

                nonisolated override class var plan: Sluice::AnyModelPlan {
                    jsonPlan.erasedPlan
                }

                private nonisolated struct JSONStorage {
                    var jsonBase: Animal.JSONStorage
                    var owner: String?

                    typealias JSONInitial = Animal.JSONStorage.JSONInitial
                    var jsonInitial: JSONInitial { jsonBase.jsonInitial }
                    func jsonFinish(_ model: Pet) {
                        jsonBase.jsonFinish(model)
                        let finish: Sluice::JSONAssignment<Pet, JSONStorage> = Sluice::jsonFinishing(Pet.jsonAssign(_:to:))
                        finish(self, model)
                    }
                    func jsonModel() -> Pet {
                        let make: Sluice::JSONMaking<Pet, JSONInitial> = Sluice::jsonMaking(Pet.init(jsonStorage:))
                        let model = make(jsonInitial)
                        jsonFinish(model)
                        return model
                    }
                    static var jsonAssign: Sluice::JSONAssignment<Pet, JSONStorage>? {
                        guard let base = Animal.JSONStorage.jsonAssign else { return nil }
                        let own: Sluice::JSONAssignment<Pet, JSONStorage> = Sluice::jsonAssigning(Pet.jsonAssign(_:to:))
                        return { storage, model in
                            base(storage.jsonBase, model)
                            own(storage, model)
                        }
                    }
                }

                private static func jsonStorage(of model: Pet) -> JSONStorage {
                    JSONStorage(jsonBase: Animal.jsonStorage(of: model), owner: model.owner)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Pet) {
                    model.owner = storage.owner
                }
            }

            extension Pet: Swift::Decodable, Swift::Encodable {
                convenience init(from decoder: any Swift::Decoder) throws {
                    let storage = try Self.jsonStorageDecoded(from: decoder, as: JSONStorage.self)
                    self.init(jsonStorage: storage.jsonInitial)
                    storage.jsonFinish(self)
                }

                nonisolated func encode(to encoder: any Swift::Encoder) throws {
                    try jsonEncode(to: encoder)
                }
            }
            """#,
            missing: subclassConformances)
    }

    @Test func genericClasses() {
        expectExpansion(
            """
            @JSONModel
            class Named<Item: JSONConvertible>: Container<Item> {
                var name: String
            }
            """,
            #"""
            class Named<Item: JSONConvertible>: Container<Item> {
                var name: String

                nonisolated override class var plan: Sluice::AnyModelPlan {
                    Sluice::ModelPlan<Named>.shared {
                        var fields: [Sluice::JSONField<JSONStorage>] = []
                        fields.append(.init(\.name, name: "name"))
                        return Sluice::ModelPlan<Named>(
                            storage: JSONStorage.self, superclass: Container<Item>.plan, base: \.jsonBase, fields,
                            make: { Named(jsonStorage: $0) },
                            read: { Named.jsonStorage(of: $0) },
                            assign: JSONStorage.jsonAssign)
                    }.erasedPlan
                }

                nonisolated struct JSONStorage {
                    var jsonBase: Container<Item>.JSONStorage
                    var name: String

                    typealias JSONInitial = JSONStorage
                    var jsonInitial: JSONInitial { self }
                    func jsonFinish(_ model: Named) {}
                    static var jsonAssign: Sluice::JSONAssignment<Named, JSONStorage>? {
                        guard let base = Container<Item>.JSONStorage.jsonAssign else { return nil }
                        let own: Sluice::JSONAssignment<Named, JSONStorage> = { Named.jsonAssign($0, to: $1) }
                        return { storage, model in
                            base(storage.jsonBase, model)
                            own(storage, model)
                        }
                    }
                }

                nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.name = storage.name
                    super.init(jsonStorage: storage.jsonBase.jsonInitial)
                    storage.jsonBase.jsonFinish(self)
                }

                static func jsonStorage(of model: Named) -> JSONStorage {
                    JSONStorage(jsonBase: Container<Item>.jsonStorage(of: model), name: model.name)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Named) {
                    model.name = storage.name
                }
            }
            """#,
            missing: subclassConformances)
    }
}
#endif
