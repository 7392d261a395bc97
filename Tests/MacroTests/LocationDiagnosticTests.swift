#if Macros
import Testing

@Suite("Diagnostics of @JSONLossy, @JSONFlatten, @JSONExtra and keys")
struct LocationDiagnosticTests {
    @Test func `@JSONLossy on a type that is not a container is an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONLossy var a: Int
                @JSONLossy var b: Names?
                @JSONLossy var c = 1
                @JSONLossy var d = makeNames()
                @JSONLossy var e: Optional<[Int]>
                @JSONLossy var f: Swift.Set<Int>
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONLossy drops elements, but the type of 'a' is not written as an array, a set or a dictionary
              fix-it: remove '@JSONLossy'
            4:5 error: @JSONLossy drops elements, but the type of 'b' is not written as an array, a set or a dictionary
              fix-it: remove '@JSONLossy'
            5:5 error: @JSONLossy drops elements, but the type of 'c' is not written as an array, a set or a dictionary
              fix-it: remove '@JSONLossy'
            """)
        expectFix(
            source, "remove '@JSONLossy'",
            """
            @JSONModel
            struct Model {
                var a: Int
                var b: Names?
                var c = 1
                @JSONLossy var d = makeNames()
                @JSONLossy var e: Optional<[Int]>
                @JSONLossy var f: Swift.Set<Int>
            }
            """)
    }

    @Test func `invalid uses of @JSONFlatten are errors`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONFlatten var a: Int
                @JSONFlatten var b: [Address]
                @JSONFlatten var c: [String: Address]?
                @JSONFlatten @JSONKey("x") var d: Address
                @JSONFlatten @JSONDefault(Address()) var e: Address
                @JSONFlatten var f = Address()
                @JSONFlatten var g: Address? = nil
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONFlatten needs a property whose type is a model, but 'a' has no fields
            4:5 error: @JSONFlatten needs a property whose type is a model, but 'b' has no fields
            5:5 error: @JSONFlatten needs a property whose type is a model, but 'c' has no fields
            6:18 error: 'd' has both @JSONFlatten and @JSONKey: the fields of a flattened model have keys of their own in this object
              fix-it: remove '@JSONKey'
            7:18 error: 'e' has both @JSONFlatten and @JSONDefault: a flattened model or enum is present if its keys are
              fix-it: remove '@JSONDefault'
            8:22 error: 'f' can't have a default: a flattened model or enum is present if its keys are
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                @JSONFlatten var a: Int
                @JSONFlatten var b: [Address]
                @JSONFlatten var c: [String: Address]?
                @JSONFlatten @JSONKey("x") var d: Address
                @JSONFlatten var e: Address
                @JSONFlatten var f = Address()
                @JSONFlatten var g: Address? = nil
            }
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            struct Model {
                @JSONFlatten var a: Int
                @JSONFlatten var b: [Address]
                @JSONFlatten var c: [String: Address]?
                @JSONFlatten var d: Address
                @JSONFlatten @JSONDefault(Address()) var e: Address
                @JSONFlatten var f = Address()
                @JSONFlatten var g: Address? = nil
            }
            """)
    }

    @Test func `the elements of JSON in a string can be neither dropped nor collected`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONLossy @JSONEmbedded var a: [Int]
                @JSONKey("r[*].v") @JSONEmbedded(.string) var b: [Int]
                @JSONLossy @JSONEmbedded(.either) var c: [Int]
                @JSONKey("s[*].v") @JSONEmbedded(.either) var d: [Int]
            }
            """
        expectReports(
            source,
            """
            3:5 error: 'a' has both @JSONEmbedded and @JSONLossy: the elements are in one string, which is read as a whole
              fix-it: remove '@JSONLossy'
            4:24 error: @JSONEmbedded reads 'b' from one string, but '[*]' selects several values
              fix-it: remove '@JSONEmbedded'
            """)
    }

    @Test func `two of @JSONFlatten, @JSONEmbedded and @JSONExtra are an error`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONFlatten @JSONEmbedded var a: Address
                @JSONEmbedded @JSONExtra var b: [String: Int]
            }
            """
        expectReports(
            source,
            """
            3:18 error: 'a' has both @JSONFlatten and @JSONEmbedded: a property can have only one of them
              fix-it: remove '@JSONEmbedded'
            4:19 error: 'b' has both @JSONEmbedded and @JSONExtra: a property can have only one of them
              fix-it: remove '@JSONExtra'
            """)
        expectFix(
            source, "remove '@JSONEmbedded'",
            """
            @JSONModel
            struct Model {
                @JSONFlatten var a: Address
                @JSONEmbedded @JSONExtra var b: [String: Int]
            }
            """)
        expectFix(
            source, "remove '@JSONExtra'",
            """
            @JSONModel
            struct Model {
                @JSONFlatten @JSONEmbedded var a: Address
                @JSONEmbedded var b: [String: Int]
            }
            """)
    }

    @Test func `invalid uses of @JSONExtra are errors`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONExtra var a: [Int: Int]
                @JSONExtra var b: [String: Int]?
                @JSONExtra var c = [String: Int]()
                @JSONKey("x") @JSONExtra var d: Dictionary<String, Int>
                @JSONExtra @JSONDefault([:]) var e: [String: Int]
            }
            """
        expectReports(
            source,
            """
            3:5 error: @JSONExtra needs a type written as '[String: T]': 'a' stores values by their keys
            4:5 error: @JSONExtra needs a type written as '[String: T]': 'b' stores values by their keys
            4:5 error: 'b' is a second @JSONExtra: 'a' already collects the remaining members
            5:5 error: @JSONExtra needs a type written as '[String: T]': 'c' stores values by their keys
            5:5 error: 'c' is a second @JSONExtra: 'a' already collects the remaining members
            6:5 error: 'd' has both @JSONExtra and @JSONKey: the property collects the members that have no other property
              fix-it: remove '@JSONKey'
            6:19 error: 'd' is a second @JSONExtra: 'a' already collects the remaining members
            7:16 error: 'e' has both @JSONExtra and @JSONDefault: the property is empty if no members remain
              fix-it: remove '@JSONDefault'
            7:5 error: 'e' is a second @JSONExtra: 'a' already collects the remaining members
            """)
        expectFix(
            source, "remove '@JSONDefault'",
            """
            @JSONModel
            struct Model {
                @JSONExtra var a: [Int: Int]
                @JSONExtra var b: [String: Int]?
                @JSONExtra var c = [String: Int]()
                @JSONKey("x") @JSONExtra var d: Dictionary<String, Int>
                @JSONExtra var e: [String: Int]
            }
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            struct Model {
                @JSONExtra var a: [Int: Int]
                @JSONExtra var b: [String: Int]?
                @JSONExtra var c = [String: Int]()
                @JSONExtra var d: Dictionary<String, Int>
                @JSONExtra @JSONDefault([:]) var e: [String: Int]
            }
            """)
    }

    @Test func `a key with a wildcard needs an array`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("a[*]") var a: Int
                @JSONKey("b", or: "b[*].c") var b: [String: Int]
                @JSONKey("c[*]") var c: [Int]?
                @JSONKey("d[*]") var d: Set<Int>
                @JSONKey("e[*]") var e = makeNames()
                @JSONKey("f[*]") var f = 1
            }
            """
        expectReports(
            source,
            """
            3:14 error: '[*]' selects several values; make 'a' an array
            4:23 error: '[*]' selects several values; make 'b' an array
            8:14 error: '[*]' selects several values; make 'f' an array
            """)
    }

    @Test func `keys derived by a strategy are not compared`() {
        let source = """
            @JSONModel(keys: .snakeCase)
            struct Model {
                @JSONKey("b") let a: Int
                let b: Int
                @JSONKey("b") let c: Int
            }
            """
        expectReports(
            source,
            """
            5:14 error: 'c' and 'a' have the same key 'b'
              3:14 note: 'a' has this key here
            """)
    }

    @Test func `the name of a flattened property is not a key`() {
        let source = """
            @JSONModel
            struct Model {
                @JSONKey("address") let a: Int
                @JSONFlatten let address: Address
            }
            """
        expectReports(source, "")
    }
}
#endif
