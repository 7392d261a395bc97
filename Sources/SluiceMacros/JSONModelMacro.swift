#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@JSONModel`: two roles over one parse.
///
/// The plan is a member and not part of the extension, because a copied initial value or type may name things
/// that only the type's own scope sees: `extension Outer.Inner` does not look into `Outer`.
struct JSONModelMacro {}

extension JSONModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        var parser = ModelParser(lexicalContext: context.lexicalContext)
        let model = parser.parse(declaration)
        // A declaration that can't be a model at all is the other role's to report: on an enum the compiler does
        // not ask for members.
        if model != nil { parser.diagnostics.forEach(context.diagnose) }
        return model.map { PlanRenderer(model: $0).members() } ?? []
    }

    // The renderer writes its own layout; reformatting 200 fields costs more than making them.
    static var formatMode: FormatMode { .disabled }
}

extension JSONModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // What is wrong within a model is the member role's to report.
        var parser = ModelParser(lexicalContext: context.lexicalContext)
        guard let model = parser.parse(declaration) else {
            parser.diagnostics.forEach(context.diagnose)
            return []
        }
        let renderer = PlanRenderer(model: model)
        return try renderer.conformance(of: type.trimmedDescription, adding: protocols.map(\.trimmedDescription))
            .map { [$0] } ?? []
    }
}
#endif
