#if Macros
import Testing

@Suite("Refused arguments of @JSONModel and refused classes")
struct OptionDiagnosticTests {
    @Test func `unknown options are errors`() {
        let source = """
            @JSONModel(option, .sendable)
            struct Model {
                let a: Int
            }
            """
        expectReports(
            source,
            """
            1:12 error: the option must be '.codable', '.partial' or '.untagged', because the plan is made at compile time
            1:20 error: the option must be '.codable', '.partial' or '.untagged', because the plan is made at compile time
            """)
    }

    @Test func `a partial type requires a struct or a final class`() {
        let source = """
            @JSONModel(.partial)
            class Model {
                let a: Int
            }

            @JSONModel(.partial)
            enum Color: String {
                case red
            }

            @JSONModel(.partial, .untagged)
            enum Shape {
                case point
            }

            @JSONModel(.partial)
            struct Taken {
                let a: Int
                struct Partial {}
            }
            """
        expectReports(
            source,
            """
            1:12 error: '.partial' requires a struct, or a final class whose superclass is not a model: a subclass has the partial type of its superclass
              fix-it: add 'final'
            6:12 error: '.partial' can't be used on an enum without a tag; in a partial model, it is nil until its value can be made
            11:12 error: '.partial' can't be used on an enum without a tag; in a partial model, it is nil until its value can be made
            19:12 error: @JSONModel adds a static member named 'Partial'; rename this type
            """)
    }

    @Test func `options of enums on a struct are errors`() {
        let source = """
            @JSONModel(.untagged, tag: "t", content: "c", fallback: "f")
            struct Model {
                let a: Int
            }
            """
        expectReports(
            source,
            """
            1:23 error: 'tag:' can only be used on an enum
            1:33 error: 'content:' can only be used on an enum
            1:47 error: 'fallback:' can only be used on an enum
            1:12 error: '.untagged' can only be used on an enum
            """)
    }

    @Test func `options without effect on an enum with a raw type are errors`() {
        let source = """
            @JSONModel(.untagged, .codable, keys: .snakeCase, coercion: .lenient, unknownKeys: .reject, tag: "t", content: "c")
            enum Suit: String {
                case a
            }
            """
        expectReports(
            source,
            """
            1:93 error: 'tag:' can only be used on an enum without a raw type
            1:103 error: 'content:' can only be used on an enum without a raw type
            1:12 error: '.untagged' can only be used on an enum without a raw type
            1:33 error: 'keys:' has no effect on an enum with a raw type, which has no fields
            1:51 error: 'coercion:' has no effect on an enum with a raw type, which has no fields
            1:71 error: 'unknownKeys:' has no effect on an enum with a raw type, which has no fields
            1:23 error: '.codable' has no effect on an enum with a raw type; write ': Codable' and Swift adds the conformance
            """)
    }

    @Test func `contradictory taggings are errors`() {
        let source = """
            @JSONModel(content: "c")
            enum A {
                case a
            }

            @JSONModel(.untagged, tag: "t")
            enum B {
                case b
            }
            """
        expectReports(
            source,
            """
            1:12 error: 'content:' requires 'tag:'
            6:12 error: an enum can't have both 'tag:' and '.untagged'
            """)
    }

    /// A macro adds no conformance to such a class, and its members would have to be required ones.
    @Test func `a codable class that is hidden must be final`() {
        let source = """
            enum Outer {
                @JSONModel(.codable)
                private class Model: JSONModel, JSONConvertible, Codable {
                    let a: Int
                }
            }
            """
        expectReports(
            source,
            """
            2:16 error: '.codable' requires 'final' on a class that is hidden by 'private': every subclass would need an initializer of its own
              fix-it: add 'final'
            """)
        expectFix(source, "add 'final'", source.replacing("private class", with: "private final class"))
    }

    @Test func `a codable class may have subclasses`() {
        expectReports(
            """
            @JSONModel(.codable)
            class Model {
                let a: Int
            }
            """, "")
    }

    @Test func `empty and equal names of members are errors`() {
        expectReports(
            """
            @JSONModel(tag: "")
            enum Empty {
                case a(A)
            }

            @JSONModel(tag: "type", content: "")
            enum EmptyContent {
                case a(A)
            }

            @JSONModel(tag: "type", content: "type")
            enum Same {
                case a(A)
            }

            @JSONModel(tag: name, content: #"a"#)
            enum Others {
                case a(A)
            }
            """,
            """
            1:17 error: the name in 'tag:' is empty
            6:34 error: the name in 'content:' is empty
            11:34 error: 'tag:' and 'content:' have the same name 'type'
            """)
    }

    @Test func `superclass has an effect only on a class with a superclass`() {
        expectReports(
            """
            @JSONModel(superclass: .ignored)
            struct Model {
                let a: Int
            }

            @JSONModel(superclass: .ignored)
            class Root {
                let a: Int
            }

            @JSONModel(superclass: .ignored)
            class View: NSView {
                let a: Int
            }
            """,
            """
            1:12 error: 'superclass:' can only be used on a class
            6:12 error: 'superclass:' has no effect: 'Root' has no superclass
            """)
        let subclass = Expansion(
            """
            @JSONModel(superclass: .ignored)
            class Model: Base {
                let a: Int
            }
            """, missing: subclassConformances)
        #expect(subclass.reports == ["1:12 error: 'superclass:' has no effect: the superclass 'Base' is a model"])
    }

    @Test func `a class on a global actor other than the main actor must be final`() {
        let source = """
            @RenderActor @JSONModel
            class Model {
                let a: Int
            }
            """
        expectReports(
            source,
            """
            2:7 error: 'Model' must be 'final': subclasses can't read a superclass on a global actor other than the main actor
              fix-it: add 'final'
            """)
        expectFix(
            source, "add 'final'",
            """
            @RenderActor @JSONModel
            final class Model {
                let a: Int
            }
            """)
    }

    @Test func `private types in the storage of a class are errors`() {
        let source = """
            @JSONModel
            class Model {
                private struct Secret {}
                private typealias Code = Int
                fileprivate enum Kind: String { case a }
                private var a: Secret?
                private var b: [Code]
                private var c: Kind
                @JSONIgnore private var d: Secret?
            }
            """
        expectReports(
            source,
            """
            6:20 error: 'Secret' is private to the class, but subclasses need the storage of 'a'; make 'Secret' 'fileprivate', or the class 'final'
            7:20 error: 'Code' is private to the class, but subclasses need the storage of 'b'; make 'Code' 'fileprivate', or the class 'final'
            """)
    }

    @Test func `attributes of overriding properties have no effect`() {
        let source = """
            @JSONModel
            class Model: Base {
                @JSONKey("x") override var a: Int { didSet {} }
                @JSONIgnore override var b: Int { didSet {} }
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONKey has no effect on 'a': an overriding property is not decoded
              fix-it: remove '@JSONKey'
            4:5 warning: @JSONIgnore has no effect on 'b': an overriding property is not decoded anyway
              fix-it: remove '@JSONIgnore'
            """)
        expectFix(
            source, "remove '@JSONIgnore'",
            """
            @JSONModel
            class Model: Base {
                @JSONKey("x") override var a: Int { didSet {} }
                override var b: Int { didSet {} }
            }
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            class Model: Base {
                override var a: Int { didSet {} }
                @JSONIgnore override var b: Int { didSet {} }
            }
            """)
    }
}
#endif
