#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The attributes of Sluice for properties and cases: their names, where they can be applied, and which exclude each other.
enum PropertyAttribute: String, CaseIterable {
    case key = "@JSONKey"
    case ignore = "@JSONIgnore"
    case `default` = "@JSONDefault"
    case transform = "@JSONTransform"
    case lossy = "@JSONLossy"
    case flatten = "@JSONFlatten"
    case embedded = "@JSONEmbedded"
    case extra = "@JSONExtra"
    case coercion = "@JSONCoercion"
    case partial = "@JSONPartial"

    init?(_ attribute: AttributeSyntax) {
        guard let kind = Self.allCases.first(where: { attribute.isNamed($0.name) }) else { return nil }
        self = kind
    }

    /// The name without the at sign.
    var name: String { String(rawValue.dropFirst()) }

    /// Whether the attribute can be applied to a case of an enum, too.
    var isForCases: Bool { self == .key || self == .embedded }

    /// The attributes that a property with this one cannot have, and the reasons.
    var conflicts: [PropertyAttribute: String] {
        switch self {
        case .key:
            [
                .flatten: "the fields of a flattened model have keys of their own in this object",
                .extra: "the property collects the members that have no other property",
            ]
        case .default:
            [
                .flatten: "a flattened model or enum is present if its keys are",
                .extra: "the property is empty if no members remain",
            ]
        case .transform:
            [
                .flatten: "a flattened model has no value of its own to transform",
                .extra: "the property collects many values", .embedded: "both convert the string",
            ]
        case .partial:
            [
                .flatten: "the properties of the flattened model have attributes of their own",
                .extra: "the property collects many values",
            ]
        case .embedded: [.flatten: Self.severalLocations]
        case .extra: [.flatten: Self.severalLocations, .embedded: Self.severalLocations]
        case .ignore, .lossy, .flatten, .coercion: [:]
        }
    }

    private static let severalLocations = "a property can have only one of them"
}

/// The macro of all attributes, which expand to nothing.
///
/// `@JSONModel` reads and checks the attributes inside its type. This macro reports only attributes outside of a model.
struct PropertyMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) -> [DeclSyntax] {
        if let attribute = PropertyAttribute(node),
            let message = message(of: attribute, for: declaration, in: context.lexicalContext.first)
        {
            context.diagnose(Diagnostic(node: node, message: message))
        }
        return []
    }

    private static func message(
        of attribute: PropertyAttribute, for declaration: some DeclSyntaxProtocol, in parent: Syntax?
    ) -> ModelMessage? {
        // The macro of an observed class copies the attributes of a property to the variable that stores its value.
        if let variable = declaration.as(VariableDeclSyntax.self), variable.isBackingStorage { return nil }
        guard declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self),
            let type = parent?.asProtocol((any DeclGroupSyntax).self)
        else { return .notOnProperty(attribute) }
        if type.attributes.contains(where: { $0.isNamed("JSONModel") }) { return nil }
        let name = type.asProtocol((any NamedDeclSyntax).self)?.name.trimmedDescription
        return .outsideModel(attribute, type: name)
    }
}
#endif
