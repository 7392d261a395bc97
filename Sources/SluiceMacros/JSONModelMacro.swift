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
        var parser = ModelParser(node, missing: protocols, in: context.lexicalContext)
        let model = parser.parse(declaration)
        // For an enum the compiler asks for members only when it looks for one, so there the other role reports.
        if model != nil, !declaration.is(EnumDeclSyntax.self) { parser.diagnostics.forEach(context.diagnose) }
        return model.map { model in
            PlanRenderer(model: model) {
                context.location(of: $0, at: .afterLeadingTrivia, filePathMode: .filePath)
            }
            .members()
        } ?? []
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
        var parser = ModelParser(node, missing: protocols, in: context.lexicalContext)
        let model = parser.parse(declaration)
        // What is wrong within a struct or a class is the member role's to report.
        if model == nil || declaration.is(EnumDeclSyntax.self) { parser.diagnostics.forEach(context.diagnose) }
        guard let model else { return [] }
        let renderer = PlanRenderer(model: model)
        return try renderer.conformance(of: type.trimmedDescription, adding: protocols.map(\.trimmedDescription))
            .map { [$0] } ?? []
    }
}
#endif
