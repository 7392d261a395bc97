#if Macros
import Testing

@Suite("Refused properties")
struct PropertyDiagnosticTests {
    @Test func `lazy and weak properties are ignored with a note`() {
        let source = """
            @JSONModel
            struct Model {
                let id: Int
                lazy var twice = id * 2
                /// The owner.
                weak var owner: Owner?
                @JSONIgnore weak var other: Owner?
                @IBOutlet weak var label: Label!
            }
            """
        expectReports(
            source,
            """
            4:14 note: 'twice' is neither decoded nor encoded because it is lazy
              fix-it: add '@JSONIgnore'
            6:14 note: 'owner' is neither decoded nor encoded because it is weak
              fix-it: add '@JSONIgnore'
            8:24 note: 'label' is neither decoded nor encoded because it is weak
              fix-it: add '@JSONIgnore'
            """)
        expectFix(
            source, "add '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                let id: Int
                @JSONIgnore lazy var twice = id * 2
                /// The owner.
                @JSONIgnore weak var owner: Owner?
                @JSONIgnore weak var other: Owner?
                @JSONIgnore @IBOutlet weak var label: Label!
            }
            """)
    }

    @Test func `attributes have no effect on lazy and weak properties`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                @JSONKey("a") lazy var twice = 2
                @JSONIgnore(.decoding) weak var owner: Owner?
            }
            """,
            """
            3:5 error: @JSONKey has no effect on 'twice': a lazy property is not decoded
              fix-it: remove '@JSONKey'
            4:5 warning: @JSONIgnore has no effect on 'owner': a weak property is not decoded anyway
              fix-it: remove '@JSONIgnore'
            """)
    }

    /// No initializer could make it.
    @Test func `a weak constant is an error`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                weak let owner: Owner?
            }
            """,
            """
            3:14 error: 'owner' is weak, so a decoded value would have no owner; remove 'weak', or add @JSONIgnore and a default
            """)
    }

    @Test func `an unowned property is an error`() {
        let source = """
            @JSONModel
            struct Model {
                unowned(unsafe) let owner: Owner
            }
            """
        expectReports(
            source,
            """
            3:25 error: 'owner' is unowned, so a decoded value would have no owner; remove 'unowned', or add @JSONIgnore and a default
            """)
    }

    @Test func `properties of function types are errors`() {
        let source = """
            @JSONModel
            struct Model {
                var a: (Int) -> Void
                var b: (() -> Void)?
                var c: @Sendable () -> Void = {}
                var d: Optional<() -> Void>
                var e: ((() -> Void))!
                var f = { 1 }
            }
            """
        expectReports(
            source,
            """
            3:9 error: 'a' is a function, which has no JSON form; add @JSONIgnore and a default
            4:9 error: 'b' is a function, which has no JSON form; add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            5:9 error: 'c' is a function, which has no JSON form; add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            6:9 error: 'd' is a function, which has no JSON form; add @JSONIgnore and a default
            7:9 error: 'e' is a function, which has no JSON form; add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            8:9 error: 'f' is a function, which has no JSON form; add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            """)
        expectFix(
            source, "add '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                var a: (Int) -> Void
                @JSONIgnore var b: (() -> Void)?
                @JSONIgnore var c: @Sendable () -> Void = {}
                var d: Optional<() -> Void>
                @JSONIgnore var e: ((() -> Void))!
                @JSONIgnore var f = { 1 }
            }
            """)
    }

    @Test func `properties of types without a JSON form are errors`() {
        let source = """
            @JSONModel
            struct Model {
                var a: Any
                var b: [String: Any]?
                let c: (Int, String)
                var d: [any Error] = []
                var e: Int.Type
                var f: ()
                @JSONTransform(Pairs()) var g: (Int, Int)
                @JSONIgnore var h: Any = 1
                var i: (Int)
                var j: Box<Any>
            }
            """
        expectReports(
            source,
            """
            3:9 error: 'a' holds 'Any', which has no JSON form; use 'JSONValue', add a @JSONTransform, or add @JSONIgnore and a default
            4:9 error: 'b' holds 'Any', which has no JSON form; use 'JSONValue', add a @JSONTransform, or add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            5:9 error: 'c' holds '(Int, String)', which has no JSON form; declare a model, add a @JSONTransform, or add @JSONIgnore and a default
            6:9 error: 'd' holds 'any Error', which has no JSON form; declare a model, add a @JSONTransform, or add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            7:9 error: 'e' holds 'Int.Type', which has no JSON form; declare a model, add a @JSONTransform, or add @JSONIgnore and a default
            8:9 error: 'f' holds '()', which has no JSON form; declare a model, add a @JSONTransform, or add @JSONIgnore and a default
            """)
    }

    /// The compiler rejects a wrapper whose value can't be assigned, see `CompilerMessageTests`.
    @Test func `properties with wrappers and macros are accepted`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                @Published var a: Int
                @Wrapping.Clamped(0...1) private var b = 2
                @JSONIgnore @Environment(\\.locale) var c
                @RenderActor var d: Int
                @IBInspectable var e: Int
                @objc @NSManaged @NSCopying var f: Int
            }
            """, "")
    }

    @Test func `an ignored property with a wrapper needs a value or arguments of the wrapper`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                @JSONIgnore @Wrapped var a: Int
            }
            """,
            """
            3:30 error: @JSONIgnore needs a default; give 'a' an initial value, or make it an optional 'var'
            """)
    }

    @Test func `a tuple pattern is an error`() {
        let source = """
            @JSONModel
            struct Model {
                let (a, b): (Int, Int)
            }
            """
        expectReports(
            source,
            """
            3:9 error: a tuple pattern has no keys; declare each property separately
            """)
    }

    @Test func `a property without a type is an error`() {
        let source = """
            @JSONModel
            struct Model {
                var a
            }
            """
        expectReports(
            source,
            """
            3:9 error: 'a' needs a type or an initial value
            """)
    }

    @Test func `each clause of a condition is checked on its own, and an error is reported once`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                #if DEBUG
                let a: Int
                @JSONKey("x") let b: Int
                #else
                let a: Any
                @JSONKey("x") let c: Int
                #endif
                @JSONKey("y") let d: Int
                let e: Any
                #if os(Linux)
                @JSONKey("y") let f: Int
                #endif
            }
            """,
            """
            7:9 error: 'a' holds 'Any', which has no JSON form; use 'JSONValue', add a @JSONTransform, or add @JSONIgnore and a default
            11:9 error: 'e' holds 'Any', which has no JSON form; use 'JSONValue', add a @JSONTransform, or add @JSONIgnore and a default
            13:14 error: 'f' and 'd' have the same key 'y'
              10:14 note: 'd' has this key here
            """)
    }

    @Test func `a condition and its negation exclude each other`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                #if DEBUG
                @JSONKey("x") let a: Int
                #endif
                #if !DEBUG
                @JSONKey("x") let b: Int
                #endif
            }

            @JSONModel(fallback: "other")
            enum Choice {
                #if !DEBUG
                case other
                #endif
                #if DEBUG
                case other(JSONValue)
                #endif
            }
            """, "")
    }

    @Test func `conditions in parentheses, and the clauses of other conditions, are combined`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                #if (os(Linux))
                @JSONKey("x") let a: Int
                #endif
                #if !((os(Linux)))
                @JSONKey("x") let b: Int
                #endif
            }

            @JSONModel
            struct Clauses {
                #if DEBUG
                @JSONKey("x") let a: Int
                #elseif os(Linux)
                @JSONKey("y") let b: Int
                #endif
                #if !(DEBUG)
                @JSONKey("x") let c: Int
                #endif
                #if !os(Linux)
                @JSONKey("y") let d: Int
                #endif
            }
            """, "")
    }

    @Test func `many conditions are an error if each combination needs code`() {
        func source(_ type: String, _ count: Int) -> String {
            let conditions = (1...count).map { "#if A\($0)\nvar a\($0): Int\n#endif\n" }
            return "@JSONModel\n\(type) Model {\n\(conditions.joined())}"
        }
        expectReports(source("struct", 20), "")
        expectReports(source("final class", 6), "")
        expectReports(
            source("final class", 7),
            """
            2:13 error: the members are inside '#if' with more than 6 conditions, and @JSONModel needs code for each combination; use one '#if' for several members
            """)
        let equal = (1...9).map { "#if \($0 % 2 == 0 ? "(A)" : "!(A)")\nvar a\($0): Int\n#else\n#endif\n" }
        expectReports("@JSONModel\nfinal class Model {\n\(equal.joined())}", "")
    }

    @Test func `a condition cannot decide about inherited initializers`() {
        expectReports(
            """
            @JSONModel
            class Leaf: Root {
                var a = 1
                #if DEBUG
                var b: Int
                #endif
            }
            """,
            """
            2:7 error: '#if' decides whether 'Leaf' inherits the initializers of its superclass; give its properties initial values, or declare an initializer outside of '#if'
            """, missing: subclassConformances)
    }

    @Test func `attributes inside a condition are errors`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                #if DEBUG
                @JSONKey("x")
                #endif
                let a: Int
            }

            @JSONModel
            enum Kind {
                #if DEBUG
                @JSONKey("x")
                #endif
                case a
            }
            """,
            """
            4:5 error: @JSONKey is inside '#if', but @JSONModel can't evaluate the condition; declare 'a' in each clause of an '#if'
            12:5 error: @JSONKey is inside '#if', but @JSONModel can't evaluate the condition; declare 'a' in each clause of an '#if'
            """)
    }

    @Test func `a constant with an initial value is a warning`() {
        let source = """
            @JSONModel
            struct Model {
                let version = 5
            }
            """
        expectReports(
            source,
            """
            3:9 warning: 'version' will not be decoded because it is a constant with an initial value
              fix-it: change 'let' to 'var'
              fix-it: add '@JSONIgnore'
            """)
        expectFix(
            source, "add '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                @JSONIgnore let version = 5
            }
            """)
        expectFix(
            source, "change 'let' to 'var'",
            """
            @JSONModel
            struct Model {
                var version = 5
            }
            """)
    }

    @Test func `each constant of a declaration is a warning`() {
        let source = """
            @JSONModel
            struct Model {
                let a = 1, b = 2
            }
            """
        expectReports(
            source,
            """
            3:9 warning: 'a' will not be decoded because it is a constant with an initial value
              fix-it: change 'let' to 'var'
            3:16 warning: 'b' will not be decoded because it is a constant with an initial value
              fix-it: change 'let' to 'var'
            """)
        expectFix(
            source, "change 'let' to 'var'",
            """
            @JSONModel
            struct Model {
                var a = 1, b = 2
            }
            """)
    }

    @Test func `several errors are reported together`() {
        let source = """
            @JSONModel
            struct Model {
                var a: Any?
                var b: () -> Void
            }
            """
        expectReports(
            source,
            """
            3:9 error: 'a' holds 'Any', which has no JSON form; use 'JSONValue', add a @JSONTransform, or add @JSONIgnore and a default
              fix-it: add '@JSONIgnore'
            4:9 error: 'b' is a function, which has no JSON form; add @JSONIgnore and a default
            """)
        expectFix(
            source, "add '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                @JSONIgnore var a: Any?
                var b: () -> Void
            }
            """)
    }
}
#endif
