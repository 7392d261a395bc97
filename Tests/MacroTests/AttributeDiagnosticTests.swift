#if Macros
import Testing

@Suite("Misplaced @JSONKey and @JSONIgnore attributes")
struct AttributeDiagnosticTests {
    @Test func `@JSONKey on a computed property is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") var a: Int { 1 }
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONKey has no effect on 'a': a computed property is not decoded
              fix-it: remove '@JSONKey'
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            struct Model {
                var a: Int { 1 }
            }
            """)
    }

    @Test func `@JSONKey on a static property is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") static var a = 1
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONKey has no effect on 'a': a static property is not decoded
              fix-it: remove '@JSONKey'
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            struct Model {
                static var a = 1
            }
            """)
    }

    @Test func `@JSONIgnore on a computed property is a warning`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONIgnore var a: Int {
                    get { 1 }
                }
            }
            """
        expectReports(
            source,
            """
            3:5 warning: @JSONIgnore has no effect on 'a': a computed property is not decoded anyway
              fix-it: remove '@JSONIgnore'
            """)
        expectFix(
            source, "remove '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                var a: Int {
                    get { 1 }
                }
            }
            """)
    }

    @Test func `@JSONIgnore on a static property is a warning`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONIgnore static let a = 1
            }
            """
        expectReports(
            source,
            """
            3:5 warning: @JSONIgnore has no effect on 'a': a static property is not decoded anyway
              fix-it: remove '@JSONIgnore'
            """)
        expectFix(
            source, "remove '@JSONIgnore'",
            """
            @JSONModel
            struct Model {
                static let a = 1
            }
            """)
    }

    @Test func `@JSONKey on a constant with an initial value is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") let a = 1
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONKey has no effect on 'a': a constant with an initial value is not decoded
              fix-it: change 'let' to 'var'
            """)
        expectFix(
            source, "change 'let' to 'var'",
            """
            @JSONModel
            struct Model {
                @JSONKey("b") var a = 1
            }
            """)
    }

    @Test func `a second @JSONKey is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") @JSONKey("c", or: "d") var a: Int
            }
            """
        expectReports(
            source,
            """
            3:19 error: 'a' already has a @JSONKey; add further candidates after its 'or:'
              fix-it: move the keys to the first '@JSONKey'
            """)
        expectFix(
            source, "move the keys to the first '@JSONKey'",
            """
            @JSONModel
            struct Model {
                @JSONKey("b", or: "c", "d") var a: Int
            }
            """)
    }

    @Test func `@JSONKey together with @JSONIgnore is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") @JSONIgnore var a = 1
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has both @JSONKey and @JSONIgnore: an ignored property has no key
              fix-it: remove '@JSONKey'
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            struct Model {
                @JSONIgnore var a = 1
            }
            """)
    }

    @Test func `an attribute on several properties is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("c") var a: Int, b: Int
                @JSONIgnore var d = 1, e = 2
            }
            """
        expectReports(
            source,
            """
            3:5 error: peer macro can only be applied to a single variable
            4:5 error: peer macro can only be applied to a single variable
            3:5 error: @JSONKey applies to one property, but this declaration has 2; declare each property separately
            4:5 error: @JSONIgnore applies to one property, but this declaration has 2; declare each property separately
            """)
    }

    @Test func `@JSONIgnore without a default is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONIgnore var a: Int
                @JSONIgnore let b: Int?
                @JSONIgnore var c: Optional<Int>
            }
            """
        expectReports(
            source,
            """
            3:21 error: @JSONIgnore needs a default; give 'a' an initial value, or make it an optional 'var'
            4:21 error: @JSONIgnore needs a default; give 'b' an initial value, or make it an optional 'var'
            5:21 error: @JSONIgnore needs a default; give 'c' an initial value, or make it an optional 'var'
            """)
    }

    @Test func `attributes outside of a model are errors`() {
        let source = """
            struct Plain {
                @JSONKey("b") var a: Int
                @JSONIgnore var c = 1
            }

            extension Plain {
                @JSONKey("b") var d: Int { 1 }
            }
            """
        expectReports(
            source,
            """
            2:5 error: @JSONKey has no effect here: 'Plain' is not a @JSONModel
            3:5 error: @JSONIgnore has no effect here: 'Plain' is not a @JSONModel
            7:5 error: @JSONKey has no effect here: an extension has no stored properties
            """)
    }

    @Test func `attributes on other declarations are errors`() {
        let source = """
            @JSONModel
            struct Model {
                let id: Int
                @JSONKey("b") func a() {}
            }

            @JSONIgnore struct Other {}

            @JSONKey("a") var global = 1
            """
        expectReports(
            source,
            """
            4:5 error: @JSONKey can only be applied to a stored property of a @JSONModel type
            7:1 error: @JSONIgnore can only be applied to a stored property of a @JSONModel type
            9:1 error: @JSONKey can only be applied to a stored property of a @JSONModel type
            """)
    }

    /// The compiler says only that the attribute is unknown.
    @Test func `misspelled attributes are errors with the correct name`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKeys("a") let a: Int
                @Sluice.JSONDefaults(1) var b: Int
                @JsonIgnore var c = 1
                @JSONDate var d: Int
            }
            """
        expectReports(
            source,
            """
            3:5 error: '@JSONKeys' is not an attribute of Sluice; did you mean '@JSONKey'?
              fix-it: change '@JSONKeys' to '@JSONKey'
            4:5 error: '@Sluice.JSONDefaults' is not an attribute of Sluice; did you mean '@JSONDefault'?
              fix-it: change '@Sluice.JSONDefaults' to '@JSONDefault'
            5:5 error: '@JsonIgnore' is not an attribute of Sluice; did you mean '@JSONIgnore'?
              fix-it: change '@JsonIgnore' to '@JSONIgnore'
            """)
        expectFix(source, "change '@JSONKeys' to '@JSONKey'", source.replacing("JSONKeys", with: "JSONKey"))
    }

    @Test func `nil is no default of a type that is not optional`() {
        expectReports(
            """
            @JSONModel
            struct Model {
                @JSONDefault(nil, on: .mismatch) let a: Int
                @JSONDefault(nil) let b: [Int]
                @JSONDefault(nil, on: .mismatch) let c: Int?
                @JSONDefault(nil) let d: OptionalAlias
            }
            """,
            """
            3:18 error: nil can't be the default of 'a', whose type is not optional
            4:18 error: nil can't be the default of 'b', whose type is not optional
            """)
    }

    @Test func `the presence in a partial type needs the type`() {
        let source = """
            @JSONModel(.partial)
            struct Model {
                @JSONPartial(.required) let a: Int?
                @JSONPartial(.required) var b = 1
                @JSONPartial(presence) let c: Int
                @JSONFlatten @JSONPartial(.required) let d: Inner
            }

            @JSONModel
            struct Whole {
                @JSONPartial(.required) let a: Int
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' can't be required in the partial type: its type is optional
            4:33 error: 'b' needs a type to be required in the partial type
            5:18 error: the argument must be '.whenComplete' or '.required', because the plan is made at compile time
            6:18 error: 'd' has both @JSONFlatten and @JSONPartial: the properties of the flattened model have attributes of their own
              fix-it: remove '@JSONPartial'
            11:5 error: @JSONPartial has an effect on the type 'Partial' only; add the option '.partial' to @JSONModel
              fix-it: remove '@JSONPartial'
            """)
    }
}
#endif
