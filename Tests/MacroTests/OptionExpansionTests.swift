#if Macros
import TestSupport
import Testing

@Suite("Expansions by the arguments of @JSONModel")
struct OptionExpansionTests {
    @Test func planOptions() {
        expectExpansion(
            """
            @JSONModel(keys: .snakeCase, coercion: .lenient, unknownKeys: .reject)
            struct User {
                let userName: String
                @JSONKey("ID") let id: Int
            }
            """,
            #"""
            struct User {
                let userName: String
                let id: Int

                nonisolated static let plan: Sluice::ModelPlan<User> = {
                    var fields: [Sluice::JSONField<User>] = []
                    fields.append(.init(\.userName, name: "userName"))
                    fields.append(.init(\.id, name: "id", key: "ID"))
                    return Sluice::ModelPlan<User>(fields, keys: .snakeCase, coercion: .lenient, unknownKeys: .reject)
                }()
            }

            extension User: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func planOptionsOfStorage() {
        expectExpansion(
            """
            @JSONModel(keys: .custom { $0.uppercased() }, coercion: nil)
            final class User {
                let userName: String
            }
            """,
            #"""
            final class User {
                let userName: String

                nonisolated static let plan: Sluice::ModelPlan<User> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.userName, name: "userName"))
                    return Sluice::ModelPlan<User>(
                        storage: JSONStorage.self, fields, keys: .custom { $0.uppercased() },
                        make: { User(jsonStorage: $0) },
                        read: Sluice::jsonReading(User.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var userName: String
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.userName = storage.userName
                }

                private static func jsonStorage(of model: User) -> JSONStorage {
                    JSONStorage(userName: model.userName)
                }
            }

            extension User: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func codable() {
        expectExpansion(
            """
            @JSONModel(.codable)
            public struct Point {
                let x: Double
            }
            """,
            #"""
            public struct Point {
                let x: Double

                public nonisolated static let plan: Sluice::ModelPlan<Point> = {
                    var fields: [Sluice::JSONField<Point>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Point>(fields)
                }()
            }

            extension Point: Sluice::JSONModel, Sluice::JSONConvertible, Swift::Decodable, Swift::Encodable {
                public nonisolated init(from decoder: any Swift::Decoder) throws {
                    self = try Self.jsonDecoded(from: decoder)
                }

                public nonisolated func encode(to encoder: any Swift::Encoder) throws {
                    try jsonEncode(to: encoder)
                }
            }
            """#)
    }

    @Test func codableClass() {
        expectExpansion(
            """
            @JSONModel(.codable, keys: .kebabCase)
            final class Node {
                let id: Int
                func encode(to encoder: any Encoder) throws {}
            }
            """,
            #"""
            final class Node {
                let id: Int
                func encode(to encoder: any Encoder) throws {}

                nonisolated static let plan: Sluice::ModelPlan<Node> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    fields.append(.init(\.id, name: "id"))
                    return Sluice::ModelPlan<Node>(
                        storage: JSONStorage.self, fields, keys: .kebabCase,
                        make: { Node(jsonStorage: $0) },
                        read: Sluice::jsonReading(Node.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var id: Int
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.id = storage.id
                }

                private static func jsonStorage(of model: Node) -> JSONStorage {
                    JSONStorage(id: model.id)
                }
            }

            extension Node: Sluice::JSONModel, Sluice::JSONConvertible, Swift::Decodable, Swift::Encodable {
                nonisolated convenience init(from decoder: any Swift::Decoder) throws {
                    self.init(jsonStorage: try Self.jsonStorageDecoded(from: decoder, as: JSONStorage.self))
                }
            }
            """#)
    }

    @Test func codableByHand() {
        expectExpansion(
            """
            @JSONModel(.codable)
            struct Point: Codable {
                let x: Double
                init(from decoder: any Swift.Decoder) throws { x = 0 }
            }
            """,
            #"""
            struct Point: Codable {
                let x: Double
                init(from decoder: any Swift.Decoder) throws { x = 0 }

                nonisolated static let plan: Sluice::ModelPlan<Point> = {
                    var fields: [Sluice::JSONField<Point>] = []
                    fields.append(.init(\.x, name: "x"))
                    return Sluice::ModelPlan<Point>(fields)
                }()
            }

            extension Point: Sluice::JSONModel, Sluice::JSONConvertible, Swift::Decodable, Swift::Encodable {
                nonisolated func encode(to encoder: any Swift::Encoder) throws {
                    try jsonEncode(to: encoder)
                }
            }
            """#)
    }

    @Test func codableHidden() {
        expectExpansion(
            """
            enum Outer {
                @JSONModel(.codable)
                private struct Point: JSONModel, JSONConvertible, Codable {
                    let x: Double
                }
            }
            """,
            #"""
            enum Outer {
                private struct Point: JSONModel, JSONConvertible, Codable {
                    let x: Double

                    nonisolated static let plan: Sluice::ModelPlan<Point> = {
                        var fields: [Sluice::JSONField<Point>] = []
                        fields.append(.init(\.x, name: "x"))
                        return Sluice::ModelPlan<Point>(fields)
                    }()

                    nonisolated init(from decoder: any Swift::Decoder) throws {
                        self = try Self.jsonDecoded(from: decoder)
                    }

                    nonisolated func encode(to encoder: any Swift::Encoder) throws {
                        try jsonEncode(to: encoder)
                    }
                }
            }
            """#)
    }
}
#endif
