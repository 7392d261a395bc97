#if Macros
import Testing

@Suite("Attributes that say what a property is")
struct DefaultDiagnosticTests {
    @Test func `an ignored direction must be a literal and may need a default`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONIgnore(.decoding) var a: Int
                @JSONIgnore(.decoding) let b: Int?
                @JSONIgnore(.encoding) var c: Int
                @JSONIgnore(direction) var d = 1
                @JSONIgnore(.encoding) let e = 1
            }
            """
        expectReports(
            source,
            """
            3:32 error: @JSONIgnore needs a default; give 'a' an initial value, or make it an optional 'var'
            4:32 error: @JSONIgnore needs a default; give 'b' an initial value, or make it an optional 'var'
            6:17 error: the direction must be '.both', '.decoding' or '.encoding', because the plan is made at compile time
            7:5 error: @JSONIgnore has no effect on 'e': a constant with an initial value is not decoded
              fix-it: change 'let' to 'var'
            """)
        expectFix(
            source, "change 'let' to 'var'",
            """
            @JSONModel
            struct Model {
                @JSONIgnore(.decoding) var a: Int
                @JSONIgnore(.decoding) let b: Int?
                @JSONIgnore(.encoding) var c: Int
                @JSONIgnore(direction) var d = 1
                @JSONIgnore(.encoding) var e = 1
            }
            """)
    }

    @Test func `attributes of an ignored property are errors`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(1) @JSONIgnore var a = 1
                @JSONIgnore @JSONLossy var b: [Int] = []
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has both @JSONDefault and @JSONIgnore: an ignored property keeps its value
              fix-it: remove '@JSONDefault'
            4:17 error: 'b' has both @JSONLossy and @JSONIgnore: an ignored property keeps its value
              fix-it: remove '@JSONLossy'
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                @JSONIgnore var a = 1
                @JSONIgnore @JSONLossy var b: [Int] = []
            }
            """)
        expectFix(
            source, "remove '@JSONLossy'",
            """
            @JSONModel
            struct Model {
                @JSONDefault(1) @JSONIgnore var a = 1
                @JSONIgnore var b: [Int] = []
            }
            """)
    }

    @Test func `@JSONDefault on a constant with an initial value is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(2) let a = 1
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONDefault has no effect on 'a': a constant with an initial value is not decoded
              fix-it: change 'let' to 'var'
            """)
        expectFix(
            source, "change 'let' to 'var'",
            """
            @JSONModel
            struct Model {
                @JSONDefault(2) var a = 1
            }
            """)
    }

    @Test func `a repeated attribute is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(1) @JSONDefault(2) var a: Int
                @JSONLossy @JSONLossy var b: [Int]
            }
            """
        expectReports(
            source,
            """
            3:21 error: 'a' has @JSONDefault twice
              fix-it: remove '@JSONDefault'
            4:16 error: 'b' has @JSONLossy twice
              fix-it: remove '@JSONLossy'
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                @JSONDefault(1) var a: Int
                @JSONLossy @JSONLossy var b: [Int]
            }
            """)
        expectFix(
            source, "remove '@JSONLossy'",
            """
            @JSONModel
            struct Model {
                @JSONDefault(1) @JSONDefault(2) var a: Int
                @JSONLossy var b: [Int]
            }
            """)
    }

    @Test func `an initial value together with @JSONDefault is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(1) var a = 2
                @JSONDefault(1, on: .mismatch) var b: Int? = nil
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has two defaults: an initial value and the value of @JSONDefault
              fix-it: remove '@JSONDefault'
            4:5 error: 'b' has two defaults: an initial value and the value of @JSONDefault
              fix-it: remove '@JSONDefault'
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                var a = 2
                var b: Int? = nil
            }
            """)
    }

    @Test func `@JSONDefault without a value needs an initial value`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(on: .mismatch) var a: Int
                @JSONDefault(on: .mismatch) let b: Int?
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has no default; add an initial value, or write @JSONDefault(value)
            """)
    }

    @Test func `a transform that is a type is refused`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONTransform(Celsius.self) var a: Int
                @JSONTransform(Celsius(scale: 10)) var b: Int
                @JSONTransform(.seconds) var c: Int
                @JSONTransform(shared) var d: Int
            }
            """
        expectReports(
            source,
            """
            3:20 error: @JSONTransform takes a value, as in '@JSONTransform(Trimmed())'; 'Celsius.self' is a type
            """)
    }

    @Test func `@JSONTransform together with @JSONEmbedded, @JSONFlatten or @JSONExtra is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONTransform(T()) @JSONEmbedded var a: Int
                @JSONFlatten @JSONTransform(T()) var b: Address
                @JSONExtra @JSONTransform(T()) var c: [String: Int]
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has both @JSONEmbedded and @JSONTransform: both convert the string
              fix-it: remove '@JSONTransform'
            4:18 error: 'b' has both @JSONFlatten and @JSONTransform: a flattened model has no value of its own to transform
              fix-it: remove '@JSONTransform'
            5:16 error: 'c' has both @JSONExtra and @JSONTransform: the property collects many values
              fix-it: remove '@JSONTransform'
            """)
        expectFix(
            source, "remove '@JSONTransform'",
            """
            @JSONModel
            struct Model {
                @JSONEmbedded var a: Int
                @JSONFlatten var b: Address
                @JSONExtra var c: [String: Int]
            }
            """)
    }

    @Test func `attributes on other declarations are errors`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONDefault(1) var a: Int { 1 }
                @JSONExtra static var b: [String: Int] = [:]
                @JSONLossy func c() {}
            }

            struct Plain {
                @JSONTransform(T()) var a: Int
                @JSONFlatten @JSONEmbedded @JSONCoercion(.lenient) var b: Int
            }
            """
        expectReports(
            source,
            """
            5:5 error: @JSONLossy can only be applied to a stored property of a @JSONModel type
            3:5 error: @JSONDefault has no effect on 'a': a computed property is not decoded
              fix-it: remove '@JSONDefault'
            4:5 error: @JSONExtra has no effect on 'b': a static property is not decoded
              fix-it: remove '@JSONExtra'
            9:5 error: @JSONTransform has no effect here: 'Plain' is not a @JSONModel
            10:5 error: @JSONFlatten has no effect here: 'Plain' is not a @JSONModel
            10:18 error: @JSONEmbedded has no effect here: 'Plain' is not a @JSONModel
            10:32 error: @JSONCoercion has no effect here: 'Plain' is not a @JSONModel
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                var a: Int { 1 }
                @JSONExtra static var b: [String: Int] = [:]
                @JSONLossy func c() {}
            }

            struct Plain {
                @JSONTransform(T()) var a: Int
                @JSONFlatten @JSONEmbedded @JSONCoercion(.lenient) var b: Int
            }
            """)
        expectFix(
            source, "remove '@JSONExtra'",
            """
            @JSONModel
            struct Model {
                @JSONDefault(1) var a: Int { 1 }
                static var b: [String: Int] = [:]
                @JSONLossy func c() {}
            }

            struct Plain {
                @JSONTransform(T()) var a: Int
                @JSONFlatten @JSONEmbedded @JSONCoercion(.lenient) var b: Int
            }
            """)
    }
}
#endif
