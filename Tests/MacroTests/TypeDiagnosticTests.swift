#if Macros
import Testing

@Suite("Types that can't be models")
struct TypeDiagnosticTests {
    @Test func kinds() {
        let source = """
            @JSONModel
            enum Model {
                case a
            }

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
            2:6 error: @JSONModel goes on a struct or a final class; this is of kind 'enum'
            7:7 error: @JSONModel goes on a struct or a final class; this is of kind 'actor'
            11:10 error: @JSONModel goes on a struct or a final class; this is of kind 'protocol'
            """)
    }

    @Test func nonFinalClass() {
        let source = """
            @JSONModel
            public class Model {
                let id: Int
            }
            """
        expectReports(
            source,
            """
            2:14 error: a class needs 'final' to be a @JSONModel: the plan of 'Model' can't fill a subclass's properties
              fix-it: add 'final'
            """)
        expectFix(
            source, "add 'final'",
            """
            @JSONModel
            public final class Model {
                let id: Int
            }
            """)
    }

    @Test func nonFinalClassBare() {
        let source = """
            /// A model.
            @JSONModel
            class Model: Base {
                let id: Int
            }
            """
        expectReports(
            source,
            """
            3:7 error: a class needs 'final' to be a @JSONModel: the plan of 'Model' can't fill a subclass's properties
              fix-it: add 'final'
            """)
        expectFix(
            source, "add 'final'",
            """
            /// A model.
            @JSONModel
            final class Model: Base {
                let id: Int
            }
            """)
    }

    @Test func openClass() {
        let source = """
            @JSONModel
            open class Model {
                let id: Int
            }
            """
        expectReports(
            source,
            """
            2:12 error: a class needs 'final' to be a @JSONModel: the plan of 'Model' can't fill a subclass's properties
            """)
    }

    @Test func parameterPack() {
        let source = """
            @JSONModel
            struct Model<each T> {
                let id: Int
            }
            """
        expectReports(
            source,
            """
            2:8 error: 'Model' has a parameter pack, and Swift can't make the key paths of its plan
            """)
    }

    @Test func privateInAType() {
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
            3:20 error: a macro can't conform 'Model', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONModel, JSONFillable' yourself
              fix-it: add ': JSONModel, JSONFillable'
              fix-it: make it 'fileprivate'
            """)
        expectFix(
            source, "add ': JSONModel, JSONFillable'",
            """
            enum Outer {
                @JSONModel
                private struct Model: JSONModel, JSONFillable {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "make it 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate struct Model {
                    let id: Int
                }
            }
            """)
    }

    @Test func privateInATypeWithClause() {
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
            3:25 error: a macro can't conform 'Model', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONModel, JSONFillable' yourself
              fix-it: add 'JSONFillable'
              fix-it: make it 'fileprivate'
            """)
        expectFix(
            source, "add 'JSONFillable'",
            """
            enum Outer {
                @JSONModel
                private final class Model<T>: Hashable, JSONModel, JSONFillable {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "make it 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate final class Model<T>: Hashable, JSONModel {
                    let id: Int
                }
            }
            """)
    }

    @Test func privateInATypeGeneric() {
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
            3:20 error: a macro can't conform 'Model', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONModel, JSONFillable' yourself
              fix-it: add ': JSONModel, JSONFillable'
              fix-it: make it 'fileprivate'
            """)
        expectFix(
            source, "add ': JSONModel, JSONFillable'",
            """
            enum Outer {
                @JSONModel
                private struct Model<T>: JSONModel, JSONFillable {
                    let id: Int
                }
            }
            """)
        expectFix(
            source, "make it 'fileprivate'",
            """
            enum Outer {
                @JSONModel
                fileprivate struct Model<T> {
                    let id: Int
                }
            }
            """)
    }

    @Test func inAPrivateType() {
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
            4:16 error: a macro can't conform 'Model', which 'private' hides from the rest of the file: use 'fileprivate', or write ': JSONModel, JSONFillable' yourself
              fix-it: add ': JSONModel, JSONFillable'
            """)
        expectFix(
            source, "add ': JSONModel, JSONFillable'",
            """
            enum Outer {
                private enum Middle {
                    @JSONModel
                    struct Model: JSONModel, JSONFillable {
                        let id: Int
                    }
                }
            }
            """)
    }
}
#endif
