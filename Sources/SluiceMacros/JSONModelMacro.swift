#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The implementation of `@JSONModel`, which is both a member macro and an extension macro.
///
/// The plan is a member of the type and not of the extension. A copied initial value or type may use names that are
/// visible only in the scope of the type: names in `extension Outer.Inner` are not looked up in `Outer`.
struct JSONModelMacro {}

extension JSONModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        var parser = ModelParser(node, missing: protocols, in: context)
        guard let model = parser.parse(declaration) else { return [] }
        // The compiler expands the members of an enum only when it looks up a member. The extension role therefore reports
        // the diagnostics of an enum.
        if !declaration.is(EnumDeclSyntax.self) { parser.diagnostics.forEach(context.diagnose) }
        return PlanRenderer(model: model, in: context).members.map { "\(raw: $0.joined(separator: "\n"))" }
    }

    // The renderer formats its output. Reformatting 200 fields takes longer than generating them.
    static var formatMode: FormatMode { .disabled }
}

extension PlanRenderer {
    fileprivate init(model: ModelDeclaration, in context: some MacroExpansionContext) {
        self.init(model: model) {
            context.location(of: $0, at: .afterLeadingTrivia, filePathMode: .filePath)
        }
    }
}

extension JSONModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var parser = ModelParser(node, missing: protocols, in: context)
        let model = parser.parse(declaration)
        // The member role reports the diagnostics of a struct or class.
        if model == nil || declaration.is(EnumDeclSyntax.self) { parser.diagnostics.forEach(context.diagnose) }
        let conformance = try model.flatMap {
            try PlanRenderer(model: $0, in: context).conformance(
                of: type.trimmedDescription, adding: protocols.map(\.trimmedDescription))
        }
        return conformance.map { [$0] } ?? []
    }
}
#endif
