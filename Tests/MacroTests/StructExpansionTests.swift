#if Macros
import Testing

@Suite("Expansions of structs filled in place")
struct StructExpansionTests {
    @Test func `keys, defaults and ignored properties are part of the plan`() {
        expectExpansion(
            #"""
            @JSONModel
            struct Repository {
                let id: Int
                @JSONKey("full_name") let name: String
                @JSONKey("owner.login", or: "user.login", #"a\.b"#) let owner: String
                var stars = 0
                let license: License?
                @JSONIgnore var cached = false
                @JSONIgnore var note: String?
                static let limit = 10
                var isNew: Bool { stars == 0 }
                private var state: Int { get { 0 } set {} }
            }
            """#,
            #"""
            struct Repository {
                let id: Int
                let name: String
                let owner: String
                var stars = 0
                let license: License?
                var cached = false
                var note: String?
                static let limit = 10
                var isNew: Bool { stars == 0 }
                private var state: Int { get { 0 } set {} }

                nonisolated static let plan: Sluice::ModelPlan<Repository> = {
                    var fields: [Sluice::JSONField<Repository>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Repository>]) {
                        fields.append(.init(\.id, name: "id"))
                        fields.append(.init(\.name, name: "name", key: "full_name"))
                        fields.append(.init(\.owner, name: "owner", key: "owner.login", or: "user.login", #"a\.b"#))
                        fields.append(.init(\.stars, name: "stars", default: 0))
                        #sourceLocation(file: "test.swift", line: 7)
                        fields.append(.init(\.license, name: "license"))
                        #sourceLocation()
                        fields.append(.init(ignoring: \.cached, name: "cached", default: false))
                        fields.append(.init(ignoring: \.note, name: "note", default: nil))
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Repository>(fields)
                }()
            }

            extension Repository: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    /// The compiler reports the value at the property, and not at the plan once more.
    @Test func `an initial value of a wrong type is reported once`() {
        expectExpansion(
            """
            @JSONModel
            struct Wrong {
                var a: Int = "a"
                var b: String? = 5
                var c: [Int] = "c"
                var d: Bool = nil
                @JSONIgnore var e: Double = true
                var f: Double = 1
                var g: Color = "red"
                var h: Int8 = -1
            }
            """,
            #"""
            struct Wrong {
                var a: Int = "a"
                var b: String? = 5
                var c: [Int] = "c"
                var d: Bool = nil
                var e: Double = true
                var f: Double = 1
                var g: Color = "red"
                var h: Int8 = -1

                nonisolated static let plan: Sluice::ModelPlan<Wrong> = {
                    var fields: [Sluice::JSONField<Wrong>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Wrong>]) {
                        fields.append(.init(\.a, name: "a", default: Sluice::jsonInitial("a")))
                        fields.append(.init(\.b, name: "b", default: Sluice::jsonInitial(5)))
                        fields.append(.init(\.c, name: "c", default: Sluice::jsonInitial("c")))
                        fields.append(.init(\.d, name: "d", default: Sluice::jsonInitial(nil)))
                        fields.append(.init(ignoring: \.e, name: "e", default: Sluice::jsonInitial(true)))
                        fields.append(.init(\.f, name: "f", default: 1))
                        #sourceLocation(file: "test.swift", line: 9)
                        fields.append(.init(\.g, name: "g", default: "red"))
                        #sourceLocation()
                        fields.append(.init(\.h, name: "h", default: -1))
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Wrong>(fields)
                }()
            }

            extension Wrong: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `optionals need no default`() {
        expectExpansion(
            """
            @JSONModel
            struct Optionals {
                let a: Int?
                var b: Optional<Int>
                var c: Swift.Optional<Int> = nil
                var d: Int! = .none
                var e: Int? = 5
                var f: [Int?] = []
            }
            """,
            #"""
            struct Optionals {
                let a: Int?
                var b: Optional<Int>
                var c: Swift.Optional<Int> = nil
                var d: Int! = .none
                var e: Int? = 5
                var f: [Int?] = []

                nonisolated static let plan: Sluice::ModelPlan<Optionals> = {
                    var fields: [Sluice::JSONField<Optionals>] = []
                    fields.append(.init(\.a, name: "a"))
                    fields.append(.init(\.b, name: "b"))
                    fields.append(.init(\.c, name: "c"))
                    fields.append(.init(\.d, name: "d"))
                    fields.append(.init(\.e, name: "e", default: 5))
                    fields.append(.init(\.f, name: "f", default: []))
                    return Sluice::ModelPlan<Optionals>(fields)
                }()
            }

            extension Optionals: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `each property of a declaration gets a field`() {
        expectExpansion(
            """
            @JSONModel
            struct Point {
                let a: Int, b: Int
                var x, y: Double
                var s = "", t, u: Bool?
            }
            """,
            #"""
            struct Point {
                let a: Int, b: Int
                var x, y: Double
                var s = "", t, u: Bool?

                nonisolated static let plan: Sluice::ModelPlan<Point> = {
                    var fields: [Sluice::JSONField<Point>] = []
                    fields.append(.init(\.a, name: "a"))
                    fields.append(.init(\.b, name: "b"))
                    fields.append(.init(\.x, name: "x"))
                    fields.append(.init(\.y, name: "y"))
                    fields.append(.init(\.s, name: "s", default: ""))
                    fields.append(.init(\.t, name: "t"))
                    fields.append(.init(\.u, name: "u"))
                    return Sluice::ModelPlan<Point>(fields)
                }()
            }

            extension Point: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `escaped names are kept`() {
        expectExpansion(
            """
            @JSONModel
            struct `Type` {
                var `default`: Int
                var `a.b [0]`: Int
                var plan: Int
            }
            """,
            #"""
            struct `Type` {
                var `default`: Int
                var `a.b [0]`: Int
                var plan: Int

                nonisolated static let plan: Sluice::ModelPlan<`Type`> = {
                    var fields: [Sluice::JSONField<`Type`>] = []
                    fields.append(.init(\.`default`, name: "default"))
                    fields.append(.init(\.`a.b [0]`, name: "a.b [0]"))
                    fields.append(.init(\.plan, name: "plan"))
                    return Sluice::ModelPlan<`Type`>(fields)
                }()
            }

            extension `Type`: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `initial values of several lines are repeated`() {
        expectExpansion(
            #"""
            @JSONModel
            struct Values {
                var text = """
                    two
                      lines
                    """
                var made: [Int] = {
                    let one = 1
                    return [one]
                }()
                var kind: Kind = .plain  // the usual one
            }
            """#,
            #"""
            struct Values {
                var text = """
                    two
                      lines
                    """
                var made: [Int] = {
                    let one = 1
                    return [one]
                }()
                var kind: Kind = .plain  // the usual one

                nonisolated static let plan: Sluice::ModelPlan<Values> = {
                    var fields: [Sluice::JSONField<Values>] = []
                    @inline(never) func add1(to fields: inout [Sluice::JSONField<Values>]) {
                        fields.append(.init(\.text, name: "text", default: """
                        two
                          lines
                        """))
                        fields.append(.init(\.made, name: "made", default: {
                        let one = 1
                        return [one]
                    }()))
                        #sourceLocation(file: "test.swift", line: 11)
                        fields.append(.init(\.kind, name: "kind", default: .plain))
                        #sourceLocation()
                    }
                    add1(to: &fields)
                    return Sluice::ModelPlan<Values>(fields)
                }()
            }

            extension Values: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }

    @Test func `ignored properties with recognized types are part of the plan`() {
        expectExpansion(
            """
            @JSONModel
            struct Ignoring {
                let id: Int
                @JSONIgnore var a: [Cache] = []
                @JSONIgnore var b: [String: Cache]?
                @JSONIgnore var c = Cache()
                @JSONIgnore var d: Kind = .plain
                @JSONIgnore var e = Set<Int>()
                @JSONIgnore var f: any Error = Failure()
                @JSONIgnore var g: Optional<Int> = nil
                @JSONIgnore let h = -1
            }
            """,
            #"""
            struct Ignoring {
                let id: Int
                var a: [Cache] = []
                var b: [String: Cache]?
                var c = Cache()
                var d: Kind = .plain
                var e = Set<Int>()
                var f: any Error = Failure()
                var g: Optional<Int> = nil
                let h = -1

                nonisolated static let plan: Sluice::ModelPlan<Ignoring> = {
                    var fields: [Sluice::JSONField<Ignoring>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(ignoring: \.a, name: "a", default: []))
                    fields.append(.init(ignoring: \.b, name: "b", default: nil))
                    fields.append(.init(ignoring: \.c, name: "c", default: Cache()))
                    fields.append(.init(ignoring: \.d, name: "d", default: .plain))
                    fields.append(.init(ignoring: \.e, name: "e", default: Set<Int>()))
                    fields.append(.init(ignoring: \.f, name: "f", default: Failure()))
                    fields.append(.init(ignoring: \.g, name: "g", default: nil))
                    fields.append(.init(ignoring: \.h, name: "h", default: -1))
                    return Sluice::ModelPlan<Ignoring>(fields)
                }()
            }

            extension Ignoring: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#)
    }
}
#endif
