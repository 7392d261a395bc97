#if Macros
import Testing

@Suite("Refused enums")
struct EnumDiagnosticTests {
    @Test func `raw values that are characters are an error`() {
        expectReports(
            """
            @JSONModel
            enum Sign: Character { case plus = "+", minus = "-" }
            """,
            "2:12 error: a raw value of the type Character has no JSON form; use String")
    }

    @Test func `payloads without a JSON form are errors`() {
        expectReports(
            """
            @JSONModel
            enum Shape {
                case a(Any)
                case b(x: Int, y: [any Error])
            }
            """,
            """
            3:10 error: 'a' holds 'Any', which has no JSON form
            4:10 error: 'b' holds 'any Error', which has no JSON form
            """)
    }

    @Test func `an invalid fallback is an error`() {
        let source = """
            @JSONModel(fallback: "other")
            enum A {
                case a, `b`
            }

            @JSONModel(fallback: "x")
            enum B: Int {
                case one = 1
            }

            @JSONModel(fallback: name)
            enum C {
                case c
            }

            @JSONModel(fallback: "d")
            enum D {
                case d(tag: String, value: JSONValue)
            }
            """
        expectReports(
            source,
            """
            1:22 error: no case is named 'other'; the cases are 'a', 'b'
            6:22 error: no case is named 'x'; the cases are 'one'
            11:22 error: the fallback must be a string literal without interpolation, because the plan is made at compile time
            18:10 error: the fallback 'd' can have at most one value, which keeps the unknown JSON
            """)
    }

    @Test func `several unlabeled values and functions in a case are errors`() {
        let source = """
            @JSONModel
            enum A {
                case a(Int, String)
                case b(x: Int, String)
                case c(_ x: Int, _ y: Int)
                case d(() -> Void)
                case e(x: Int, y: (() -> Void)?)
            }
            """
        expectReports(
            source,
            """
            3:10 error: 'a' has several values; add labels, which are the keys of the values
            4:10 error: 'b' has several values; add labels, which are the keys of the values
            5:10 error: 'c' has several values; add labels, which are the keys of the values
            6:10 error: the value of 'd' is a function, which has no JSON form
            7:10 error: the value of 'e' is a function, which has no JSON form
            """)
    }

    /// Swift accepts cases that only their labels distinguish, but has no pattern for one of them.
    @Test func `two cases with one name are an error`() {
        let source = """
            @JSONModel
            enum A {
                @JSONKey("one") case a(x: Int)
                @JSONKey("two") case a(y: Int)
                case b, b(x: Int)
            }
            """
        expectReports(
            source,
            """
            4:26 error: two cases are named 'a', which generated code can't distinguish; rename one, and add @JSONKey with its key
              3:26 note: the other case is here
            5:13 error: two cases are named 'b', which generated code can't distinguish; rename one, and add @JSONKey with its key
              5:10 note: the other case is here
            """)
    }

    @Test func `a payload that cannot contain the tag is an error`() {
        let source = """
            @JSONModel(tag: "type", fallback: "f")
            enum A {
                case a(Int), b([Circle]), c(Set<Circle>?), d(Circle), e(x: Int), f(String)
                case g([String: Circle]), h(Dictionary<Int, Circle>?)
            }
            """
        expectReports(
            source,
            """
            3:10 error: the value of 'a' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            3:18 error: the value of 'b' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            3:31 error: the value of 'c' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            """)
    }

    @Test func `invalid keys of cases are errors`() {
        let source = """
            @JSONModel
            enum A {
                @JSONKey("b") case a
                case b
                @JSONKey("c", or: "c") case c
                @JSONKey(name) case d
                @JSONKey("") case e
                @JSONKey("x") case f, g
            }
            """
        expectReports(
            source,
            """
            4:10 error: 'b' and 'a' have the same key 'b'
              3:14 note: 'a' has this key here
            5:23 error: 'c' already has the key 'c'
              5:14 note: 'c' has this key here
            6:14 error: a key must be a string literal without interpolation, because the plan is made at compile time
            7:14 error: '' is not a valid key: the key is empty
            8:5 error: @JSONKey applies to one case, but this declaration has 2; declare each case separately
            """)
    }

    @Test func `keys of cases are compared by their code units`() {
        expectReports(
            """
            @JSONModel
            enum Letter {
                @JSONKey("\\u{E9}") case composed
                @JSONKey("e\\u{301}") case decomposed
            }
            """, "")
    }

    @Test func `a fallback with a value has no key`() {
        expectReports(
            """
            @JSONModel(fallback: "other")
            enum Kind {
                case known
                @JSONKey("other") case miscellaneous
                case other(String)
            }
            """, "")
    }

    @Test func `@JSONEmbedded without a single payload is an error`() {
        let source = """
            @JSONModel(tag: "t", content: "c")
            enum A {
                @JSONEmbedded case a(B)
                @JSONEmbedded case b
                @JSONEmbedded case c(B), d(B)
            }
            @JSONModel(tag: "t")
            enum C { @JSONEmbedded case a(B) }
            """
        expectReports(
            source,
            """
            4:5 error: @JSONEmbedded has no effect on 'b': the case has no value
            5:5 error: @JSONEmbedded applies to one case, but this declaration has 2; declare each case separately
            8:10 error: the value of 'a' is a string, so it can't contain the tag; add 'content:'
            """)
    }

    @Test func `keys derived by a strategy are not compared`() {
        let source = """
            @JSONModel(keys: .snakeCase)
            enum A {
                @JSONKey("b") case a
                case b
            }
            """
        expectReports(source, "")
    }

    @Test func `attributes without effect on a case are errors`() {
        let source = """
            @JSONModel
            enum A {
                @JSONIgnore case a
                @JSONKey("x") static var b = 1
                @JSONKey("y") var c: Int { 1 }
            }

            @JSONModel
            enum B: String {
                @JSONKey("x") case a
                @JSONLossy case b
            }

            enum C {
                @JSONKey("x") case a
            }
            """
        expectReports(
            source,
            """
            4:5 error: @JSONKey has no effect on 'b': a static property is not decoded
              fix-it: remove '@JSONKey'
            5:5 error: @JSONKey has no effect on 'c': a computed property is not decoded
              fix-it: remove '@JSONKey'
            3:5 error: @JSONIgnore can be applied to a property, but not to a case
            10:5 error: @JSONKey has no effect on 'a': the case is represented by its raw value
            11:5 error: @JSONLossy can be applied to a property, but not to a case
            15:5 error: @JSONKey has no effect here: 'C' is not a @JSONModel
            """)
        expectFix(
            source, "remove '@JSONKey'",
            """
            @JSONModel
            enum A {
                @JSONIgnore case a
                static var b = 1
                var c: Int { 1 }
            }

            @JSONModel
            enum B: String {
                @JSONKey("x") case a
                @JSONLossy case b
            }

            enum C {
                @JSONKey("x") case a
            }
            """)
    }

    @Test func `cases of different clauses may have the same key`() {
        expectReports(
            """
            @JSONModel
            enum A {
                case a
                #if DEBUG
                @JSONKey("x") case b
                #else
                @JSONKey("x") case c
                #endif
            }
            """, "")
    }

    @Test func `an enum without cases is an error`() {
        let source = """
            @JSONModel
            enum A {
            }
            """
        expectReports(
            source,
            """
            2:6 error: 'A' has no cases, so it can't be decoded
            """)
    }

    @Test func `a private enum in a type is an error`() {
        let source = """
            enum Outer {
                @JSONModel
                private enum A: String {
                    case a
                }

                @JSONModel(.codable)
                private enum B {
                    case b
                }
            }
            """
        expectReports(
            source,
            """
            3:18 error: a macro can't add conformances to 'A', which is hidden by 'private'; use 'fileprivate', or write ': JSONConvertible'
              fix-it: add 'JSONConvertible'
              fix-it: change 'private' to 'fileprivate'
            8:18 error: a macro can't add conformances to 'B', which is hidden by 'private'; use 'fileprivate', or write ': JSONModel, JSONConvertible, Codable'
              fix-it: add ': JSONModel, JSONConvertible, Codable'
              fix-it: change 'private' to 'fileprivate'
            """)
        expectFix(
            source, "add ': JSONModel, JSONConvertible, Codable'",
            """
            enum Outer {
                @JSONModel
                private enum A: String {
                    case a
                }

                @JSONModel(.codable)
                private enum B: JSONModel, JSONConvertible, Codable {
                    case b
                }
            }
            """)
        expectFix(
            source, "add 'JSONConvertible'",
            """
            enum Outer {
                @JSONModel
                private enum A: String, JSONConvertible {
                    case a
                }

                @JSONModel(.codable)
                private enum B {
                    case b
                }
            }
            """)
        expectFix(
            source, "change 'private' to 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate enum A: String {
                    case a
                }

                @JSONModel(.codable)
                fileprivate enum B {
                    case b
                }
            }
            """)
    }
}
#endif
