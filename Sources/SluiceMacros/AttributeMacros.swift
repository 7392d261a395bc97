#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

// The attributes expand to nothing. `@JSONModel` reads and checks the attributes inside its type. The macros of the
// attributes themselves report only attributes outside of a model.

/// A macro of an attribute of a property or case.
protocol PropertyMacro: PeerMacro {
    static var attribute: PropertyAttribute { get }
}

enum JSONKeyMacro: PropertyMacro { static let attribute = PropertyAttribute.key }
enum JSONIgnoreMacro: PropertyMacro { static let attribute = PropertyAttribute.ignore }
enum JSONDefaultMacro: PropertyMacro { static let attribute = PropertyAttribute.default }
enum JSONTransformMacro: PropertyMacro { static let attribute = PropertyAttribute.transform }
enum JSONLossyMacro: PropertyMacro { static let attribute = PropertyAttribute.lossy }
enum JSONFlattenMacro: PropertyMacro { static let attribute = PropertyAttribute.flatten }
enum JSONEmbeddedMacro: PropertyMacro { static let attribute = PropertyAttribute.embedded }
enum JSONExtraMacro: PropertyMacro { static let attribute = PropertyAttribute.extra }
enum JSONCoercionMacro: PropertyMacro { static let attribute = PropertyAttribute.coercion }
enum JSONPartialMacro: PropertyMacro { static let attribute = PropertyAttribute.partial }

extension PropertyAttribute {
    var macro: any PropertyMacro.Type {
        switch self {
        case .key: JSONKeyMacro.self
        case .ignore: JSONIgnoreMacro.self
        case .default: JSONDefaultMacro.self
        case .transform: JSONTransformMacro.self
        case .lossy: JSONLossyMacro.self
        case .flatten: JSONFlattenMacro.self
        case .embedded: JSONEmbeddedMacro.self
        case .extra: JSONExtraMacro.self
        case .coercion: JSONCoercionMacro.self
        case .partial: JSONPartialMacro.self
        }
    }
}

extension PropertyMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        if let message = message(for: declaration, in: context.lexicalContext.first) {
            context.diagnose(Diagnostic(node: node, message: message))
        }
        return []
    }

    private static func message(for declaration: some DeclSyntaxProtocol, in parent: Syntax?) -> ModelMessage? {
        // The macro of an observed class copies the attributes of a property to the variable that stores its value.
        if let variable = declaration.as(VariableDeclSyntax.self), variable.isBackingStorage { return nil }
        let isCase = declaration.is(EnumCaseDeclSyntax.self)
        guard declaration.is(VariableDeclSyntax.self) || isCase,
            let type = parent?.asProtocol((any DeclGroupSyntax).self)
        else { return .notOnProperty(attribute) }
        if type.attributes.contains(where: { $0.isNamed("JSONModel") }) { return nil }
        let name = type.asProtocol((any NamedDeclSyntax).self)?.name.trimmedDescription
        return .outsideModel(attribute, type: name)
    }
}
#endif
