#if Macros
import TestSupport
import Testing

@Suite("Expansions of enums")
struct EnumExpansionTests {
    @Test func rawValues() {
        expectExpansion(
            """
            @JSONModel
            enum Suit: String {
                case hearts, spades
            }

            @JSONModel(fallback: "in")
            public enum Status: Int, Sendable {
                case open = 1
                case `in` = 2
            }

            @JSONModel
            enum Level: Number {
                case low = 1
            }
            """,
            """
            enum Suit: String {
                case hearts, spades

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .rawValue(Suit.self, values: [.hearts, .spades])
                }
            }
            public enum Status: Int, Sendable {
                case open = 1
                case `in` = 2

                public nonisolated static var jsonShape: Sluice::JSONShape {
                    .rawValue(Status.self, values: [.open, .`in`], fallback: .in)
                }
            }
            enum Level: Number {
                case low = 1

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .rawValue(Level.self, values: [.low])
                }
            }

            extension Suit: Sluice::JSONConvertible {
            }

            extension Status: Sluice::JSONConvertible {
            }

            extension Level: Sluice::JSONConvertible {
            }
            """)
    }

    @Test func cases() {
        expectExpansion(
            """
            @JSONModel
            enum Shape {
                case none
                case circle(Circle)
                case square(side: Double, in: Unit? = nil, Circle: [Self] = [])
            }
            """,
            #"""
            enum Shape {
                case none
                case circle(Circle)
                case square(side: Double, in: Unit? = nil, Circle: [Self] = [])

                nonisolated static let plan: Sluice::ModelPlan<Shape> = jsonPlan()

                private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Shape> {
                    var cases: [Sluice::JSONCase<Shape>] = []
                    cases.append(.init("none", value: .none, matches: { if case .none = $0 { true } else { false } }))
                    #sourceLocation(file: "test.swift", line: 4)
                    cases.append(.init("circle", payload: Circle.self, make: { .circle($0) }, read: { if case .circle(let value) = $0 { value } else { nil } }))
                    #sourceLocation()
                    cases.append(.init("square", payload: JSONStorage.Square.self, make: { .square(side: $0.side, in: $0.`in`, Circle: $0.Circle) }, read: { if case .square(let side, let `in`, let Circle) = $0 { .init(side: side, in: `in`, Circle: Circle) } else { nil } }))
                    return Sluice::ModelPlan<Shape>(cases: cases)
                }

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .union(Shape.self)
                }

                private nonisolated enum JSONStorage {
                    nonisolated struct Square: Sluice::JSONModel {
                        var side: Double
                        var `in`: Unit?
                        var Circle: [Shape]
                        static let plan: Sluice::ModelPlan<Square> = jsonPlan()
                        private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Square> {
                            var fields: [Sluice::JSONField<Square>] = []
                            @inline(never) func add1(to fields: inout [Sluice::JSONField<Square>]) {
                                fields.append(.init(\.side, name: "side"))
                                #sourceLocation(file: "test.swift", line: 5)
                                fields.append(.init(\.`in`, name: "in"))
                                #sourceLocation(file: "test.swift", line: 5)
                                fields.append(.init(\.Circle, name: "Circle", default: []))
                                #sourceLocation()
                            }
                            add1(to: &fields)
                            return Sluice::ModelPlan<Square>(fields)
                        }
                    }
                }
            }

            extension Shape: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func keysAndFallback() {
        expectExpansion(
            """
            @JSONModel(keys: .snakeCase, coercion: .lenient, tag: "type", fallback: "other")
            public enum Shape {
                @JSONKey("none", or: "nothing") case empty
                case circle(Circle)
                indirect case pair(first: Shape, second: Shape)
                case other(JSONValue)
                func validate() throws {}
            }
            """,
            #"""
            public enum Shape {
                case empty
                case circle(Circle)
                indirect case pair(first: Shape, second: Shape)
                case other(JSONValue)
                func validate() throws {}

                public nonisolated static let plan: Sluice::ModelPlan<Shape> = jsonPlan()

                private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Shape> {
                    var cases: [Sluice::JSONCase<Shape>] = []
                    cases.append(.init("empty", keys: ["none", "nothing"], value: .empty, matches: { if case .empty = $0 { true } else { false } }))
                    #sourceLocation(file: "test.swift", line: 4)
                    cases.append(.init("circle", payload: Circle.self, make: { .circle($0) }, read: { if case .circle(let value) = $0 { value } else { nil } }))
                    #sourceLocation()
                    cases.append(.init("pair", payload: JSONStorage.Pair.self, make: { .pair(first: $0.first, second: $0.second) }, read: { if case .pair(let first, let second) = $0 { .init(first: first, second: second) } else { nil } }))
                    #sourceLocation(file: "test.swift", line: 6)
                    cases.append(.init("other", payload: JSONValue.self, make: { .other($0) }, read: { if case .other(let value) = $0 { value } else { nil } }))
                    #sourceLocation()
                    return Sluice::ModelPlan<Shape>(cases: cases, tagging: .internal(tag: "type"), fallback: "other", keys: .snakeCase, coercion: .lenient)
                        .hooks(validate: { try $0.validate() })
                }

                public nonisolated static var jsonShape: Sluice::JSONShape {
                    .union(Shape.self)
                }

                private nonisolated enum JSONStorage {
                    nonisolated struct Pair: Sluice::JSONModel {
                        var first: Shape
                        var second: Shape
                        static let plan: Sluice::ModelPlan<Pair> = jsonPlan()
                        private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Pair> {
                            var fields: [Sluice::JSONField<Pair>] = []
                            @inline(never) func add1(to fields: inout [Sluice::JSONField<Pair>]) {
                                #sourceLocation(file: "test.swift", line: 5)
                                fields.append(.init(\.first, name: "first"))
                                #sourceLocation(file: "test.swift", line: 5)
                                fields.append(.init(\.second, name: "second"))
                                #sourceLocation()
                            }
                            add1(to: &fields)
                            return Sluice::ModelPlan<Pair>(fields, keys: .snakeCase, coercion: .lenient)
                        }
                    }
                }
            }

            extension Shape: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func taggings() {
        expectExpansion(
            """
            @JSONModel(tag: "t", content: "c")
            enum Adjacent {
                case a(Int)
            }

            @JSONModel(.untagged)
            enum Untagged {
                case a([Int]), b([String]?)
            }
            """,
            """
            enum Adjacent {
                case a(Int)

                nonisolated static let plan: Sluice::ModelPlan<Adjacent> = jsonPlan()

                private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Adjacent> {
                    var cases: [Sluice::JSONCase<Adjacent>] = []
                    cases.append(.init("a", payload: Int.self, make: { .a($0) }, read: { if case .a(let value) = $0 { value } else { nil } }))
                    return Sluice::ModelPlan<Adjacent>(cases: cases, tagging: .adjacent(tag: "t", content: "c"))
                }

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .union(Adjacent.self)
                }
            }
            enum Untagged {
                case a([Int]), b([String]?)

                nonisolated static let plan: Sluice::ModelPlan<Untagged> = jsonPlan()

                private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Untagged> {
                    var cases: [Sluice::JSONCase<Untagged>] = []
                    cases.append(.init("a", payload: [Int].self, make: { .a($0) }, read: { if case .a(let value) = $0 { value } else { nil } }))
                    cases.append(.init("b", payload: [String]?.self, make: { .b($0) }, read: { if case .b(let value) = $0 { value } else { nil } }))
                    return Sluice::ModelPlan<Untagged>(cases: cases, tagging: .untagged)
                }

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .union(Untagged.self)
                }
            }

            extension Adjacent: Sluice::JSONModel, Sluice::JSONConvertible {
            }

            extension Untagged: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """)
    }

    @Test func genericUnion() {
        expectExpansion(
            """
            @JSONModel(.codable, unknownKeys: .reject)
            enum Either<Left: JSONConvertible> {
                case left(Left)
                case both(left: Left, right: Int)
            }
            """,
            #"""
            enum Either<Left: JSONConvertible> {
                case left(Left)
                case both(left: Left, right: Int)

                nonisolated static var plan: Sluice::ModelPlan<Either> {
                    Sluice::ModelPlan<Either>.shared {
                        var cases: [Sluice::JSONCase<Either>] = []
                        #sourceLocation(file: "test.swift", line: 3)
                        cases.append(.init("left", payload: Left.self, make: { .left($0) }, read: { if case .left(let value) = $0 { value } else { nil } }))
                        #sourceLocation()
                        cases.append(.init("both", payload: JSONStorage.Both.self, make: { .both(left: $0.left, right: $0.right) }, read: { if case .both(let left, let right) = $0 { .init(left: left, right: right) } else { nil } }))
                        return Sluice::ModelPlan<Either>(cases: cases, unknownKeys: .reject)
                    }
                }

                nonisolated static var jsonShape: Sluice::JSONShape {
                    .union(Either.self)
                }

                private nonisolated enum JSONStorage {
                    nonisolated struct Both: Sluice::JSONModel {
                        var left: Left
                        var right: Int
                        static var plan: Sluice::ModelPlan<Both> {
                            Sluice::ModelPlan<Both>.shared {
                                var fields: [Sluice::JSONField<Both>] = []
                                @inline(never) func add1(to fields: inout [Sluice::JSONField<Both>]) {
                                    #sourceLocation(file: "test.swift", line: 4)
                                    fields.append(.init(\.left, name: "left"))
                                    #sourceLocation()
                                    fields.append(.init(\.right, name: "right"))
                                }
                                add1(to: &fields)
                                return Sluice::ModelPlan<Both>(fields, unknownKeys: .reject)
                            }
                        }
                    }
                }
            }

            extension Either: Sluice::JSONModel, Sluice::JSONConvertible, Swift::Decodable, Swift::Encodable {
                nonisolated init(from decoder: any Swift::Decoder) throws {
                    self = try Self.jsonDecoded(from: decoder)
                }

                nonisolated func encode(to encoder: any Swift::Encoder) throws {
                    try jsonEncode(to: encoder)
                }
            }
            """#)
    }

    @Test func hiddenUnion() {
        expectExpansion(
            """
            enum Outer {
                @JSONModel
                private enum Shape: JSONModel, JSONConvertible {
                    case a
                }
            }
            """,
            """
            enum Outer {
                private enum Shape: JSONModel, JSONConvertible {
                    case a

                    nonisolated static let plan: Sluice::ModelPlan<Shape> = jsonPlan()

                    private nonisolated static func jsonPlan() -> Sluice::ModelPlan<Shape> {
                        var cases: [Sluice::JSONCase<Shape>] = []
                        cases.append(.init("a", value: .a, matches: { if case .a = $0 { true } else { false } }))
                        return Sluice::ModelPlan<Shape>(cases: cases)
                    }

                    nonisolated static var jsonShape: Sluice::JSONShape {
                        .union(Shape.self)
                    }
                }
            }
            """)
    }
}
#endif
