#if Macros
import SwiftSyntax

extension ModelParser {
    /// Reports arguments of `@JSONModel` that have no meaning for this kind of type, or that exclude each other.
    mutating func checkOptions(of kind: ModelDeclaration.Kind, _ declaration: some DeclGroupSyntax) {
        for argument in options.unknown { report(.unknownOption, at: argument.expression) }
        switch kind {
        case .structure, .finalClass, .openClass:
            for label in ["tag", "content", "fallback"] {
                if let argument = options.arguments[label] { report(.onlyOnEnums("\(label):"), at: argument.node) }
            }
            if let untagged = options.untagged { report(.onlyOnEnums(".untagged"), at: untagged) }
        case .rawEnum:
            for label in ["tag", "content"] {
                if let argument = options.arguments[label] { report(.onlyOnUnions("\(label):"), at: argument.node) }
            }
            if let untagged = options.untagged { report(.onlyOnUnions(".untagged"), at: untagged) }
            for label in ["keys", "coercion", "unknownKeys"] {
                if let argument = options.arguments[label] {
                    report(.notOnRawValues("\(label):"), at: argument.node)
                }
            }
        case .union:
            let tag = options.arguments["tag"]
            if let content = options.arguments["content"], tag == nil {
                report(.contentWithoutTag, at: content.node)
            }
            if let untagged = options.untagged, tag != nil { report(.tagAndUntagged, at: untagged) }
        }
        guard let codable = options.codable else { return }
        if kind == .rawEnum { report(.codableRawValues, at: codable) }
        if kind == .openClass, let type = declaration.as(ClassDeclSyntax.self) {
            report(.codableNeedsFinal, at: codable, .addFinal(to: type))
        }
    }

    /// Returns the name of the fallback, or nil without a valid fallback. Reports a fallback that is not a case.
    mutating func checkFallback(among names: [String]) -> String? {
        guard let argument = options.arguments["fallback"] else { return nil }
        guard let name = options.fallbackName else {
            report(.fallbackNotLiteral, at: argument.node.expression)
            return nil
        }
        guard names.contains(name) else {
            report(.noSuchCase(name, names), at: argument.node.expression)
            return nil
        }
        return name
    }
}
#endif
