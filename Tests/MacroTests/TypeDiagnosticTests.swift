#if Macros
import Testing

@Suite("Refused types")
struct TypeDiagnosticTests {
    @Test func `actors and protocols are errors`() {
        let source = """
            @JSONModel
            actor Agent {
            }

            @JSONModel
            protocol Shape {
            }
            """
        expectReports(
            source,
            """
            2:7 error: @JSONModel can be applied to a struct, a class or an enum, but not to this 'actor'
            6:10 error: @JSONModel can be applied to a struct, a class or an enum, but not to this 'protocol'
            """)
    }

    @Test func `types of other types and modules have no names of known types`() {
        expectReports(
            """
            @JSONModel(tag: "type")
            enum Event {
                case data(Response.Data)
                case text(API::String)
                case list(Response.Array<Int>)
                case any(Response.Any)
            }

            @JSONModel(tag: "type")
            enum Page<Data: JSONConvertible> {
                case data(Data)
            }

            @JSONModel
            struct Flat {
                @JSONFlatten var data: Response.Data
                @JSONFlatten var url: Flat.URL
                @JSONLossy var set: Foundation.Set<Int>
                @JSONFlatten let own: Date
                @JSONDefault(nil) let page: Response.Int
                struct Date: JSONModel {}
            }

            @JSONModel
            class Root {
                let hidden: Other.Secret
                private struct Secret {}
            }
            """, "")
        expectReports(
            """
            @JSONModel(tag: "type")
            enum Event {
                case data(Foundation.Data)
                case text(Swift.String)
                case list(Swift.Array<Int>)
            }
            """,
            """
            3:10 error: the value of 'data' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            4:10 error: the value of 'text' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            5:10 error: the value of 'list' is not an object, so it can't contain the tag; add 'content:' or a label for the value
            """)
    }

    @Test func `attributes of the language are no property wrappers`() {
        let expansion = Expansion(
            """
            @JSONModel
            struct Model {
                @unsafe var a: Int
                @safe var b: Int
            }
            """)
        #expect(!expansion.expanded.contains("_JSONStorage"))
        let object = Expansion(
            "@JSONModel\nfinal class Model {\n    @exclusivity(unchecked) var a: Int\n    init() { a = 1 }\n}")
        #expect(!object.expanded.contains("#sourceLocation"))
    }

    @Test func `a type with a parameter pack is an error`() {
        let source = """
            @JSONModel
            struct Model<each T> {
                let id: Int
            }
            """
        expectReports(
            source,
            """
            2:8 error: 'Model' has a parameter pack, so Swift can't make the key paths of its plan
            """)
    }

    @Test func `a private struct in a type is an error`() {
        let source = """
            enum Outer {
                @JSONModel
                private struct Model {
                    let id: Int
                }
            }
            """
        expectReports(
            source,
            """
            3:20 error: a macro can't add conformances to 'Model', which is hidden by 'private'; use 'fileprivate', or write ': JSONModel, JSONConvertible'
              fix-it: add ': JSONModel, JSONConvertible'
              fix-it: change 'private' to 'fileprivate'
            """)
        expectFix(
            source, "add ': JSONModel, JSONConvertible'",
            """
            enum Outer {
                @JSONModel
                private struct Model: JSONModel, JSONConvertible {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "change 'private' to 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate struct Model {
                    let id: Int
                }
            }
            """)
    }

    @Test func `a private class with an inheritance clause is an error`() {
        let source = """
            enum Outer {
                @JSONModel
                private final class Model<T>: Hashable, JSONModel {
                    let id: Int
                }
            }
            """
        expectReports(
            source,
            """
            3:25 error: a macro can't add conformances to 'Model', which is hidden by 'private'; use 'fileprivate', or write ': JSONModel, JSONConvertible'
              fix-it: add 'JSONConvertible'
              fix-it: change 'private' to 'fileprivate'
            """)
        expectFix(
            source, "add 'JSONConvertible'",
            """
            enum Outer {
                @JSONModel
                private final class Model<T>: Hashable, JSONModel, JSONConvertible {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "change 'private' to 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate final class Model<T>: Hashable, JSONModel {
                    let id: Int
                }
            }
            """)
    }

    @Test func `a private generic struct in a type is an error`() {
        let source = """
            enum Outer {
                @JSONModel
                private struct Model<T> {
                    let id: Int
                }
            }
            """
        expectReports(
            source,
            """
            3:20 error: a macro can't add conformances to 'Model', which is hidden by 'private'; use 'fileprivate', or write ': JSONModel, JSONConvertible'
              fix-it: add ': JSONModel, JSONConvertible'
              fix-it: change 'private' to 'fileprivate'
            """)
        expectFix(
            source, "add ': JSONModel, JSONConvertible'",
            """
            enum Outer {
                @JSONModel
                private struct Model<T>: JSONModel, JSONConvertible {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "change 'private' to 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate struct Model<T> {
                    let id: Int
                }
            }
            """)
    }

    @Test func `a conformance may have an isolation`() {
        let source = """
            enum Outer {
                @JSONModel
                private struct Model: nonisolated JSONModel, @MainActor JSONConvertible {
                    let id: Int
                }
            }
            """
        expectReports(source, "")
        let expansion = Expansion(
            "@JSONModel\nfinal class Model: nonisolated JSONModel {\n    let id: Int\n}\n",
            missing: subclassConformances)
        #expect(!expansion.expanded.contains("override"), "\(expansion.expanded)")
    }

    @Test func `a struct in a private type is an error`() {
        let source = """
            enum Outer {
                private enum Middle {
                    @JSONModel
                    struct Model {
                        let id: Int
                    }
                }
            }
            """
        expectReports(
            source,
            """
            4:16 error: a macro can't add conformances to 'Model', which is hidden by 'private'; use 'fileprivate', or write ': JSONModel, JSONConvertible'
              fix-it: add ': JSONModel, JSONConvertible'
            """)
        expectFix(
            source, "add ': JSONModel, JSONConvertible'",
            """
            enum Outer {
                private enum Middle {
                    @JSONModel
                    struct Model: JSONModel, JSONConvertible {
                        let id: Int
                    }
                }
            }
            """)
    }
}
#endif
