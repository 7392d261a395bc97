#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of refused types")
struct RefusedExpansionTests {
    /// The type conforms all the same, so that its uses add no errors to the one that counts.
    @Test func `a refused class gets a plan that traps`() {
        expectExpansion(
            """
            @JSONModel
            public final class Model {
                var a: () -> Void
            }
            """,
            """
            public final class Model {
                var a: () -> Void

                public nonisolated static var plan: Sluice::ModelPlan<Model> {
                    Swift::fatalError("'Model' has errors at its declaration")
                }
            }

            extension Model: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'a' is a function, which has no JSON form; add @JSONIgnore and a default", line: 3,
                    column: 9, highlights: ["a"])
            ])
    }

    @Test func `an actor gets no members`() {
        expectExpansion(
            """
            @JSONModel
            actor Model {
            }
            """,
            """
            actor Model {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "@JSONModel can be applied to a struct, a class or an enum, but not to this 'actor'",
                    line: 2,
                    column: 7)
            ])
    }

    @Test func `a refused enum gets a plan that traps`() {
        expectExpansion(
            """
            @JSONModel
            enum Shape {
                case a(Int, Int)
            }
            """,
            """
            enum Shape {
                case a(Int, Int)

                nonisolated static var plan: Sluice::ModelPlan<Shape> {
                    Swift::fatalError("'Shape' has errors at its declaration")
                }
            }

            extension Shape: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'a' has several values; add labels, which are the keys of the values", line: 3,
                    column: 10)
            ])
    }

    @Test func `a refused enum with a raw type gets a shape that traps`() {
        expectExpansion(
            """
            @JSONModel(tag: "x")
            enum Shape: String {
                case a
            }
            """,
            """
            enum Shape: String {
                case a

                nonisolated static var jsonShape: Sluice::JSONShape {
                    Swift::fatalError("'Shape' has errors at its declaration")
                }
            }

            extension Shape: Sluice::JSONConvertible {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'tag:' can only be used on an enum without a raw type", line: 1, column: 12)
            ])
    }

    @Test func `a refused open class gets a public plan that traps`() {
        expectExpansion(
            """
            @JSONModel
            open class Shape {
                lazy var x = 1
            }
            """,
            """
            open class Shape {
                lazy var x = 1

                public nonisolated class var plan: Sluice::AnyModelPlan {
                    Swift::fatalError("'Shape' has errors at its declaration")
                }
            }

            extension Shape: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'x' is lazy, so it can't be decoded; remove 'lazy', or add @JSONIgnore", line: 3,
                    column: 14,
                    fixIts: [FixItSpec(message: "add '@JSONIgnore'")])
            ])
    }

    @Test func `a refused subclass gets an overriding plan that traps`() {
        expectExpansion(
            """
            @JSONModel
            class Shape: Base {
                lazy var x = 1
            }
            """,
            """
            class Shape: Base {
                lazy var x = 1

                nonisolated override class var plan: Sluice::AnyModelPlan {
                    Swift::fatalError("'Shape' has errors at its declaration")
                }
            }
            """,
            missing: subclassConformances,
            diagnostics: [
                DiagnosticSpec(
                    message: "'x' is lazy, so it can't be decoded; remove 'lazy', or add @JSONIgnore", line: 3,
                    column: 14,
                    fixIts: [FixItSpec(message: "add '@JSONIgnore'")])
            ])
    }

    @Test func `a refused codable struct gets no Codable members`() {
        expectExpansion(
            """
            @JSONModel(.codable)
            struct Shape {
                lazy var x = 1
            }
            """,
            """
            struct Shape {
                lazy var x = 1

                nonisolated static var plan: Sluice::ModelPlan<Shape> {
                    Swift::fatalError("'Shape' has errors at its declaration")
                }
            }

            extension Shape: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'x' is lazy, so it can't be decoded; remove 'lazy', or add @JSONIgnore", line: 3,
                    column: 14,
                    fixIts: [FixItSpec(message: "add '@JSONIgnore'")])
            ])
    }

    /// Warnings refuse nothing.
    @Test func `a warning does not change the expansion`() {
        expectExpansion(
            """
            @JSONModel
            struct Model {
                let id: Int
                let version = 5
            }
            """,
            #"""
            struct Model {
                let id: Int
                let version = 5

                nonisolated static let plan: Sluice::ModelPlan<Model> = {
                    var fields: [Sluice::JSONField<Model>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(ignoring: \.version, name: "version", default: 5))
                    return Sluice::ModelPlan<Model>(fields)
                }()
            }

            extension Model: Sluice::JSONModel, Sluice::JSONConvertible {
            }
            """#,
            diagnostics: [
                DiagnosticSpec(
                    message: "'version' will not be decoded because it is a constant with an initial value",
                    line: 4,
                    column: 9, severity: .warning,
                    fixIts: [FixItSpec(message: "change 'let' to 'var'"), FixItSpec(message: "add '@JSONIgnore'")])
            ])
    }
}
#endif
