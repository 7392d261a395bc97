#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

// `@JSONKey` and `@JSONIgnore` make nothing: `@JSONModel` reads them where they stand, and reports on those
// inside its type. What is left for them is the place that no `@JSONModel` sees.

struct JSONKeyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        diagnosePlace(of: .key, node, on: declaration, in: context)
        return []
    }
}

struct JSONIgnoreMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        diagnosePlace(of: .ignore, node, on: declaration, in: context)
        return []
    }
}

private func diagnosePlace(
    of attribute: PropertyAttribute,
    _ node: AttributeSyntax,
    on declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
) {
    guard declaration.is(VariableDeclSyntax.self) else {
        context.diagnose(Diagnostic(node: node, message: ModelMessage.notOnProperty(attribute)))
        return
    }
    switch context.lexicalContext.first?.asProtocol((any DeclGroupSyntax).self) {
    case let type? where type.attributes.contains(where: { $0.isNamed("JSONModel") }):
        break
    case let type?:
        let name = type.asProtocol((any NamedDeclSyntax).self)?.name.trimmedDescription
        context.diagnose(Diagnostic(node: node, message: ModelMessage.outsideModel(attribute, type: name)))
    case nil:
        context.diagnose(Diagnostic(node: node, message: ModelMessage.notOnProperty(attribute)))
    }
}
#endif
