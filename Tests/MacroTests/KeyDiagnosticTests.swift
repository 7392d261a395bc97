#if Macros
import Testing

@Suite("Refused keys")
struct KeyDiagnosticTests {
    @Test func `a key that is not a literal is an error`() {
        let source = #"""
            @JSONModel
            struct Model {
                @JSONKey(name) var a: Int
                @JSONKey("x", or: "a\(b)", prefix + "c") var d: Int
            }
            """#
        expectReports(
            source,
            """
            3:14 error: a key must be a string literal without interpolation, because the plan is made at compile time
            4:23 error: a key must be a string literal without interpolation, because the plan is made at compile time
            4:32 error: a key must be a string literal without interpolation, because the plan is made at compile time
            """)
    }

    @Test func `a malformed key is an error`() {
        let source = #"""
            @JSONModel
            struct Model {
                @JSONKey("") var a: Int
                @JSONKey("b..c") var b: Int
                @JSONKey("x[0") var c: Int
                @JSONKey("x[-1]") var d: Int
                @JSONKey("$") var e: Int
                @JSONKey("x[0]y") var f: Int
                @JSONKey("x\\y", or: #"x\z"#) var g: Int
            }
            """#
        expectReports(
            source,
            #"""
            3:14 error: '' is not a valid key: the key is empty
            4:14 error: 'b..c' is not a valid key: a key is empty; the empty key is '[""]'
            5:14 error: 'x[0' is not a valid key: '[' has no matching ']'
            6:14 error: 'x[-1]' is not a valid key: '[-1]' is neither an index from 0, nor '[*]', nor a key in quotes
            7:14 error: '$' is not a valid key: '$' alone is the whole value
            8:14 error: 'x[0]y' is not a valid key: ']' must be followed by '.', '[' or the end of the path
            9:14 error: 'x\y' is not a valid key: '\y' is not an escape; use '\.', '\\', '\[', '\]' or '\*'
            9:26 error: 'x\z' is not a valid key: '\z' is not an escape; use '\.', '\\', '\[', '\]' or '\*'
            """#)
    }

    @Test func `code of Codable that a model does not call is reported`() {
        let source = """
            @JSONModel
            struct Price: Codable {
                @Cents var amount: Decimal
                @JSONTransform(Rounded()) @Cents var tax: Decimal
                @JSONIgnore @Cents var cached = 1
                #if DEBUG
                init(from decoder: any Decoder) throws {}
                #endif
                func encode(to encoder: any Encoder) throws {}
            }
            """
        let reports = """
            7:5 warning: the plan of a model does not call 'init(from:)'; remove '@JSONModel', or add '.codable' if only other coders use it
              fix-it: remove '@JSONModel'
              fix-it: add '.codable'
            9:10 warning: the plan of a model does not call 'encode(to:)'; remove '@JSONModel', or add '.codable' if only other coders use it
              fix-it: remove '@JSONModel'
              fix-it: add '.codable'
            3:16 warning: the plan of a model does not use the coding of '@Cents'; add a @JSONTransform to 'amount', or '.codable' if the wrapped value is coded
              fix-it: add '@JSONTransform(<#transform#>)'
            """
        expectReports(source, reports)
        expectReports(source.replacing("@JSONModel", with: "@JSONModel(.codable)"), "")
        // Without a conformance, a wrapper has no coding.
        expectReports("@JSONModel\nstruct Price {\n    @Cents var amount: Decimal\n}", "")
        let row =
            "@JSONModel(keys: .snakeCase)\nstruct Row {\n    let id: Int\n    init(from decoder: any Decoder) throws {}\n}"
        expectFix(row, "add '.codable'", row.replacing("(keys", with: "(.codable, keys"))
        expectFix(row, "remove '@JSONModel'", row.replacing("@JSONModel(keys: .snakeCase)\n", with: ""))
        let model = row.replacing("(keys: .snakeCase)", with: "")
        expectFix(model, "add '.codable'", model.replacing("@JSONModel", with: "@JSONModel(.codable)"))
        expectFix(
            "@JSONModel struct Price: Codable {\n    @Cents var amount: Decimal\n}",
            "add '@JSONTransform(<#transform#>)'",
            "@JSONModel struct Price: Codable {\n    @JSONTransform(<#transform#>) @Cents var amount: Decimal\n}")
    }

    @Test func `keys that only CodingKeys name are reported`() {
        let source = #"""
            @JSONModel
            struct Model {
                let id: Int
                /// The name.
                var fullName: String?
                @JSONKey("e_mail") var email: String?
                var dotted: Int
                @JSONIgnore var note = ""
                enum CodingKeys: String, CodingKey {
                    case id, fullName = "full_name"
                    case email = "mail", dotted = "a.b", note = "n"
                    case unknown = "u"
                }
            }
            """#
        expectReports(
            source,
            ##"""
            10:18 warning: the plan of a model does not use 'CodingKeys'; add @JSONKey("full_name") to 'fullName'
              fix-it: add '@JSONKey("full_name")'
            11:30 warning: the plan of a model does not use 'CodingKeys'; add @JSONKey(#"["a.b"]"#) to 'dotted'
              fix-it: add '@JSONKey(#"["a.b"]"#)'
            """##)
        expectReports(source.replacing("@JSONModel", with: "@JSONModel(keys: .snakeCase)"), "")
    }

    @Test func `the same key of two properties is an error`() {
        let source = """
            @JSONModel
            struct Model {
                let a: Int
                @JSONKey("x", or: "$.a") let b: Int
            }
            """
        expectReports(
            source,
            """
            4:23 error: 'b' and 'a' have the same key 'a'
              3:9 note: 'a' has this key here
            """)
    }

    @Test func `a key equal to the name of another property is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("b") let a: Int
                let b: Int
            }
            """
        expectReports(
            source,
            """
            4:9 error: 'b' and 'a' have the same key 'b'
              3:14 note: 'a' has this key here
            """)
    }

    @Test func `a repeated key of one property is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("x[0]", or: "$.x[00]") let a: Int
            }
            """
        expectReports(
            source,
            """
            3:26 error: 'a' already has the key 'x[0]'
              3:14 note: 'a' has this key here
            """)
    }

    @Test func `escaped keys are compared by their value`() {
        let source = #"""
            @JSONModel
            struct Model {
                @JSONKey("a\\.b") let a: Int
                @JSONKey(#"a\.b"#) let b: Int
            }
            """#
        expectReports(
            source,
            #"""
            4:14 error: 'b' and 'a' have the same key '["a.b"]'
              3:14 note: 'a' has this key here
            """#)
    }

    @Test func `a key used as an object and as an array is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("x.a.b") let a: Int
                @JSONKey("x.a[0]") let b: Int
            }
            """
        expectReports(
            source,
            """
            4:14 error: this key uses 'x.a' as an array, but another key uses it as an object
              3:14 note: used as an object here
            """)
    }

    @Test func `keys that select every element and one element are an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("x[*].a") let a: [Int]
                @JSONKey("x[0].b") let b: Int
            }
            """
        expectReports(
            source,
            """
            4:14 error: this key selects a single value in 'x', but another key selects every value
              3:14 note: every value is selected here
            """)
    }

    @Test func `a root used as an array and as an object is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("[0]") let a: Int
                let b: Int
            }
            """
        expectReports(
            source,
            """
            4:9 error: this key uses the whole value as an object, but another key uses it as an array
              3:14 note: used as an array here
            """)
    }

    @Test func `a value and a part of the value may both be decoded`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("x") let a: Owner
                @JSONKey("x.id") let b: Int
            }
            """
        expectReports(source, "")
    }
}
#endif
