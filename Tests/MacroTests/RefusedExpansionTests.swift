#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Expansions of what was refused")
struct RefusedExpansionTests {
    /// The type conforms all the same, so that its uses add no errors to the one that counts.
    @Test func stub() {
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

                public nonisolated static var plan: Sluice.ModelPlan<Model> {
                    fatalError("'Model' has errors at its declaration")
                }
            }

            extension Model: Sluice.JSONModel, Sluice.JSONFillable {
            }
            """,
            diagnostics: [
                DiagnosticSpec(
                    message: "'a' is a function, which no JSON stands for: add @JSONIgnore and a default", line: 3,
                    column: 9, highlights: ["a"])
            ])
    }

    @Test func nothing() {
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
                    message: "@JSONModel goes on a struct, a class or an enum; this is of kind 'actor'", line: 2,
                    column: 7)
            ])
    }

    /// Warnings refuse nothing.
    @Test func constant() {
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

                nonisolated static let plan: Sluice.ModelPlan<Model> = {
                    var fields: [Sluice.Field<Model>] = []
                    fields.append(.init(\.id, name: "id"))
                    fields.append(.init(ignoring: \.version, name: "version", default: 5))
                    return Sluice.ModelPlan<Model>(fields)
                }()
            }

            extension Model: Sluice.JSONModel, Sluice.JSONFillable {
            }
            """#,
            diagnostics: [
                DiagnosticSpec(
                    message: "'version' will not be decoded because it is a constant with an initial value",
                    line: 4,
                    column: 9, severity: .warning,
                    fixIts: [FixItSpec(message: "make it 'var'"), FixItSpec(message: "add '@JSONIgnore'")])
            ])
    }
}
#endif
