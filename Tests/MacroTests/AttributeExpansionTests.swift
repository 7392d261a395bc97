#if Macros
import Testing

@Suite("Expansions of property attributes")
struct AttributeExpansionTests {
    @Test func `properties can be ignored in one direction`() {
        expectExpansion(
            """
            @JSONModel
            struct User {
                @JSONIgnore(.decoding) let kind = "user"
                @JSONIgnore(.decoding) var note: String?
                @JSONIgnore(.decoding) @JSONKey("s") var stars = 1
                @JSONIgnore(.encoding) let password: String
                @JSONIgnore(JSONIgnoreDirection.both) var cached = false
            }
            """,
            #"""
            struct User {
                let kind = "user"
                var note: String?
                var stars = 1
                let password: String
                var cached = false

                nonisolated static let plan: Sluice::ModelPlan<User> = {
                    var fields: [Sluice::JSONField<User>] = []
                    fields.append(.init(\.kind, name: "kind", default: "user").ignored(.decoding))
                    fields.append(.init(\.note, name: "note").ignored(.decoding))
                    fields.append(.init(\.stars, name: "stars", key: "s", default: 1).ignored(.decoding))
                    fields.append(.init(\.password, name: "password").ignored(.encoding))
                    fields.append(.init(ignoring: \.cached, name: "cached", default: false))
                    return Sluice::ModelPlan<User>(fields)
                }()
            }

            extension User: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `@JSONDefault adds a default and its conditions`() {
        expectExpansion(
            """
            @JSONModel
            struct Page {
                @JSONDefault(1) let number: Int
                @JSONDefault(Kind.plain, on: [.missing, .mismatch]) let kind: Kind
                @JSONDefault(on: .mismatch) var count = 0
                @JSONDefault(on: .mismatch) var title: String?
                @JSONKey("n") @JSONDefault(nil as Int?) let next: Int?
            }
            """,
            #"""
            struct Page {
                let number: Int
                let kind: Kind
                var count = 0
                var title: String?
                let next: Int?

                nonisolated static let plan: Sluice::ModelPlan<Page> = {
                    var fields: [Sluice::JSONField<Page>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Page>]) {
                        #sourceLocation(file: "test.swift", line: 3)
                        fields.append(.init(\.number, name: "number", default: 1))
                        #sourceLocation(file: "test.swift", line: 4)
                        fields.append(.init(\.kind, name: "kind", default: Kind.plain).defaulting(on: [.missing, .mismatch]))
                        #sourceLocation(file: "test.swift", line: 5)
                        fields.append(.init(\.count, name: "count", default: 0).defaulting(on: Sluice::JSONDefaultCases([.missing, .null]).union(.mismatch)))
                        #sourceLocation(file: "test.swift", line: 6)
                        fields.append(.init(\.title, name: "title", default: nil).defaulting(on: Sluice::JSONDefaultCases([.missing, .null]).union(.mismatch)))
                        #sourceLocation(file: "test.swift", line: 7)
                        fields.append(.init(\.next, name: "next", key: "n", default: nil as Int?))
                        #sourceLocation()
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Page>(fields)
                }()
            }

            extension Page: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `@JSONTransform adds the transform of a property`() {
        expectExpansion(
            """
            @JSONModel
            struct Weather {
                @JSONTransform(Celsius()) let degrees: Double
                @JSONTransform(Celsius()) @JSONKey("low", or: "min") var low = 0.5
                @JSONTransform(Units.Celsius.self) let high: [Double]?
            }
            """,
            #"""
            struct Weather {
                let degrees: Double
                var low = 0.5
                let high: [Double]?

                nonisolated static let plan: Sluice::ModelPlan<Weather> = {
                    var fields: [Sluice::JSONField<Weather>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Weather>]) {
                        #sourceLocation(file: "test.swift", line: 3)
                        fields.append(.init(\.degrees, name: "degrees", transform: Celsius()))
                        #sourceLocation(file: "test.swift", line: 4)
                        fields.append(.init(\.low, name: "low", key: "low", or: "min", transform: Celsius(), default: 0.5))
                        #sourceLocation(file: "test.swift", line: 5)
                        fields.append(.init(\.high, name: "high", transform: Units.Celsius.self))
                        #sourceLocation()
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Weather>(fields)
                }()
            }

            extension Weather: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `@JSONEmbedded, @JSONFlatten, @JSONExtra and @JSONLossy are part of the plan`() {
        expectExpansion(
            """
            @JSONModel
            struct Order {
                @JSONEmbedded let payload: Payload
                @JSONEmbedded @JSONKey("meta.text", or: "text") var meta: [String: Int]? = [:]
                @JSONFlatten let address: Address
                @JSONExtra var rest: [String: JSONValue] = [:]
                @JSONLossy @JSONCoercion(.lenient) let ids: [Int]
                @JSONLossy var tags = Set<String>()
                @JSONLossy let byName: Dictionary<String, Int>?
                @JSONKey("items[*].id") let items: [Int]
            }
            """,
            #"""
            struct Order {
                let payload: Payload
                var meta: [String: Int]? = [:]
                let address: Address
                var rest: [String: JSONValue] = [:]
                let ids: [Int]
                var tags = Set<String>()
                let byName: Dictionary<String, Int>?
                let items: [Int]

                nonisolated static let plan: Sluice::ModelPlan<Order> = {
                    var fields: [Sluice::JSONField<Order>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Order>]) {
                        #sourceLocation(file: "test.swift", line: 3)
                        fields.append(.init(embedded: \.payload, name: "payload"))
                        #sourceLocation()
                        fields.append(.init(embedded: \.meta, name: "meta", key: "meta.text", or: "text", default: [:]))
                        #sourceLocation(file: "test.swift", line: 5)
                        fields.append(.init(flatten: \.address, name: "address"))
                        #sourceLocation(file: "test.swift", line: 6)
                        fields.append(.init(extra: \.rest, name: "rest"))
                        #sourceLocation(file: "test.swift", line: 7)
                        fields.append(.init(\.ids, name: "ids").coercion(.lenient).lossy())
                        #sourceLocation(file: "test.swift", line: 8)
                        fields.append(.init(\.tags, name: "tags", default: Set<String>()).lossy())
                        #sourceLocation(file: "test.swift", line: 9)
                        fields.append(.init(\.byName, name: "byName").lossy())
                        #sourceLocation()
                        fields.append(.init(\.items, name: "items", key: "items[*].id"))
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Order>(fields)
                }()
            }

            extension Order: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `attributes of properties are part of the plan of a class`() {
        expectExpansion(
            """
            @JSONModel
            final class Order {
                @JSONIgnore(.decoding) let kind = "order"
                @JSONFlatten var address: Address
                @JSONExtra var rest: [String: JSONValue] = [:]
                @JSONDefault(1) let number: Int
            }
            """,
            #"""
            final class Order {
                let kind = "order"
                var address: Address
                var rest: [String: JSONValue] = [:]
                let number: Int

                nonisolated static let plan: Sluice::ModelPlan<Order> = {
                    var fields: [Sluice::JSONField<JSONStorage>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<JSONStorage>]) {
                        fields.append(.init(\.kind, name: "kind", default: "order").ignored(.decoding))
                        #sourceLocation(file: "test.swift", line: 4)
                        fields.append(.init(flatten: \.address, name: "address"))
                        #sourceLocation(file: "test.swift", line: 5)
                        fields.append(.init(extra: \.rest, name: "rest"))
                        #sourceLocation(file: "test.swift", line: 6)
                        fields.append(.init(\.number, name: "number", default: 1))
                        #sourceLocation()
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Order>(
                        storage: JSONStorage.self, fields,
                        make: { Order(jsonStorage: $0) },
                        read: Sluice::jsonReading(Order.jsonStorage(of:)))
                }()

                private nonisolated struct JSONStorage {
                    var kind = "order"
                    var address: Address
                    var rest: [String: JSONValue]
                    var number: Int
                }

                private nonisolated init(jsonStorage storage: consuming JSONStorage) {
                    self.address = storage.address
                    self.rest = storage.rest
                    self.number = storage.number
                }

                private static func jsonStorage(of model: Order) -> JSONStorage {
                    JSONStorage(kind: model.kind, address: model.address, rest: model.rest, number: model.number)
                }
            }

            extension Order: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif
