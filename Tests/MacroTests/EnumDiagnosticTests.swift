#if Macros
import Testing

@Suite("Enums that are refused")
struct EnumDiagnosticTests {
    @Test func `types that no JSON stands for`() {
        expectReports(
            """
            @JSONModel
            enum Shape {
                case a(Any)
                case b(x: Int, y: [any Error])
            }
            """,
            """
            3:10 error: 'a' holds 'Any', which no JSON stands for
            4:10 error: 'b' holds 'any Error', which no JSON stands for
            """)
    }

    @Test func fallbacks() {
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
            1:22 error: no case is named 'other': there are 'a', 'b'
            6:22 error: no case is named 'x': there are 'one'
            11:22 error: the fallback has to be a plain string literal: the plan is made when compiling
            18:10 error: the fallback 'd' has more than one value: it keeps what is unknown as one, or not at all
            """)
    }

    @Test func values() {
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
            3:10 error: 'a' has several values: give its values labels, which are their keys
            4:10 error: 'b' has several values: give its values labels, which are their keys
            5:10 error: 'c' has several values: give its values labels, which are their keys
            6:10 error: 'd' has a function for a value, which no JSON stands for
            7:10 error: 'e' has a function for a value, which no JSON stands for
            """)
    }

    @Test func tagInNoObject() {
        let source = """
            @JSONModel(tag: "type", fallback: "f")
            enum A {
                case a(Int), b([Circle]), c([String: Circle]?), d(Circle), e(x: Int), f(String)
            }
            """
        expectReports(
            source,
            """
            3:10 error: the value of 'a' is no object that could hold the tag: add 'content:', or give the value a label
            3:18 error: the value of 'b' is no object that could hold the tag: add 'content:', or give the value a label
            3:31 error: the value of 'c' is no object that could hold the tag: add 'content:', or give the value a label
            """)
    }

    @Test func keys() {
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
              3:14 note: 'a' has it here
            5:23 error: 'c' is a key of 'c' already
              5:14 note: 'c' has it here
            6:14 error: a key has to be a plain string literal, without interpolation: the plan is made when compiling
            7:14 error: '' is no key: it is empty
            8:5 error: @JSONKey is for one case, but this declares 2: give each its own 'case'
            """)
    }

    @Test func embedded() {
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
            4:5 error: 'b' has no value that a string of JSON could hold
            5:5 error: @JSONEmbedded is for one case, but this declares 2: give each its own 'case'
            8:10 error: the value of 'a' is a string of JSON, which has no place beside the tag: add 'content:'
            """)
    }

    @Test func keysByStrategy() {
        let source = """
            @JSONModel(keys: .snakeCase)
            enum A {
                @JSONKey("b") case a
                case b
            }
            """
        expectReports(source, "")
    }

    @Test func attributes() {
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
            3:5 error: @JSONIgnore goes on a property, not on a case
            10:5 error: @JSONKey has no effect on 'a': in JSON this case is its raw value
            11:5 error: @JSONLossy goes on a property, not on a case
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

    @Test func conditional() {
        let source = """
            @JSONModel
            enum A {
                case a
                #if DEBUG
                case b, c
                #endif
            }
            """
        expectReports(
            source,
            """
            5:10 error: 'b' is inside '#if', where @JSONModel can't see if it exists: move it out of the '#if'
            5:13 error: 'c' is inside '#if', where @JSONModel can't see if it exists: move it out of the '#if'
            """)
    }

    @Test func noCases() {
        let source = """
            @JSONModel
            enum A {
            }
            """
        expectReports(
            source,
            """
            2:6 error: 'A' has no cases, so it has no value that could be decoded
            """)
    }

    @Test func hidden() {
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
            3:18 error: a macro can't conform 'A', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONConvertible' yourself
              fix-it: add 'JSONConvertible'
              fix-it: make it 'fileprivate'
            8:18 error: a macro can't conform 'B', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONModel, JSONConvertible, Codable' yourself
              fix-it: add ': JSONModel, JSONConvertible, Codable'
              fix-it: make it 'fileprivate'
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
            source, "make it 'fileprivate'",
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
