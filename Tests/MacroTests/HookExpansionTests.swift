#if Macros
import Testing

@Suite("Expansions of types with hooks")
struct HookExpansionTests {
    @Test func `methods with the names of hooks are part of the plan`() {
        expectExpansion(
            """
            @JSONModel
            struct Hooked {
                var x: Int
                func validate() throws {}
                mutating func didDecode() {}
                func willEncode() throws(Failure) -> Void {}
                static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }
            }
            """,
            #"""
            struct Hooked {
                var x: Int
                func validate() throws {}
                mutating func didDecode() {}
                func willEncode() throws(Failure) -> Void {}
                static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }

                nonisolated static let plan: Sluice::ModelPlan<Hooked> = {
                    var fields: [Sluice::JSONField<Hooked>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Hooked>(fields)
                        .hooks(didDecode: { $0.didDecode() }, validate: { try $0.validate() }, willEncode: { try $0.willEncode() }, transform: { try Hooked.transform($0, for: $1) })
                }()
            }

            extension Hooked: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `hooks may return a Bool and have default arguments`() {
        expectExpansion(
            """
            @JSONModel
            struct Hooked {
                var x: Int
                func validate() throws -> Bool { true }
                func didDecode(again: Bool = false) {}
                func willEncode(_ strictly: Bool = true) {}
                func willEncode() throws {}
            }
            """,
            #"""
            struct Hooked {
                var x: Int
                func validate() throws -> Bool { true }
                func didDecode(again: Bool = false) {}
                func willEncode(_ strictly: Bool = true) {}
                func willEncode() throws {}

                nonisolated static let plan: Sluice::ModelPlan<Hooked> = {
                    var fields: [Sluice::JSONField<Hooked>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Hooked>(fields)
                        .hooks(didDecode: { $0.didDecode() }, validate: { guard try $0.validate() else { throw Sluice::JSONValidationError() } }, willEncode: { try $0.willEncode() })
                }()
            }

            extension Hooked: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `the plan of a type that declares the protocols has no hooks`() {
        expectExpansion(
            """
            @JSONModel
            struct Hooked: JSONHooks, Sluice.JSONValueHook {
                var x: Int
                func validate() throws {}
                static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }
            }
            """,
            #"""
            struct Hooked: JSONHooks, Sluice.JSONValueHook {
                var x: Int
                func validate() throws {}
                static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? { value }

                nonisolated static let plan: Sluice::ModelPlan<Hooked> = {
                    var fields: [Sluice::JSONField<Hooked>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Hooked>(fields)
                }()
            }

            extension Hooked: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    /// The protocol's own requirement has a default, so the core would call that.
    @Test func `a Bool hook is part of the plan despite a declared protocol`() {
        expectExpansion(
            """
            @JSONModel
            struct Hooked: JSONHooks {
                var x: Int
                func validate() -> Bool { true }
                mutating func didDecode() {}
            }
            """,
            #"""
            struct Hooked: JSONHooks {
                var x: Int
                func validate() -> Bool { true }
                mutating func didDecode() {}

                nonisolated static let plan: Sluice::ModelPlan<Hooked> = {
                    var fields: [Sluice::JSONField<Hooked>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Hooked>(fields)
                        .hooks(validate: { guard $0.validate() else { throw Sluice::JSONValidationError() } })
                }()
            }

            extension Hooked: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `hooks of a class are part of the plan`() {
        expectExpansion(
            """
            @JSONModel
            final class Hooked {
                var x: Int
                func didDecode() throws {}
            }
            """,
            #"""
            final class Hooked {
                var x: Int
                func didDecode() throws {}

                nonisolated static let plan: Sluice::ModelPlan<Hooked> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Hooked>(
                        storage: JSONStorage.self, fields,
                        make: { Hooked(jsonStorage: $0) },
                        read: Sluice::jsonReading(Hooked.jsonStorage(of:)),
                        assign: Sluice::jsonAssigning(Hooked.jsonAssign(_:to:)))
                        .hooks(didDecode: { try $0.didDecode() })
                }()

                private nonisolated struct JSONStorage {
                    var x: Int
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.x = storage.x
                }

                private static func jsonStorage(of model: Hooked) -> JSONStorage {
                    JSONStorage(x: model.x)
                }

                private static func jsonAssign(_ storage: consuming JSONStorage, to model: Hooked) {
                    model.x = storage.x
                }
            }

            extension Hooked: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif
