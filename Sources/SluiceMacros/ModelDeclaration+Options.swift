#if Macros
import SwiftSyntax

extension ModelParser {
    /// Reports arguments of `@JSONModel` that have no meaning for this kind of type, or that exclude each other.
    mutating func checkOptions(of kind: ModelDeclaration.Kind, _ declaration: some DeclGroupSyntax) {
        for argument in options.unknown { report(.unknownOption, at: argument.expression) }
        checkNames()
        if let argument = options.arguments["superclass"] {
            if kind != .finalClass, kind != .openClass {
                report(.onlyOnClasses("superclass:"), at: argument.node)
            } else if declaration.inheritanceClause == nil {
                let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "_"
                report(.noSuperclass(name), at: argument.node)
            }
        }
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
            if let partial = options.partial { report(.partialEnum, at: partial) }
            for label in ["keys", "coercion", "unknownKeys", "defaultsOn"] {
                if let argument = options.arguments[label] {
                    report(.notOnRawValues("\(label):"), at: argument.node)
                }
            }
        case .union:
            if let partial = options.partial, options.isUntagged { report(.partialEnum, at: partial) }
            let tag = options.arguments["tag"]
            if let content = options.arguments["content"], tag == nil {
                report(.contentWithoutTag, at: content.node)
            }
            if let untagged = options.untagged, tag != nil { report(.tagAndUntagged, at: untagged) }
        }
        guard let codable = options.codable else { return }
        if kind == .rawEnum { report(.codableRawValues, at: codable) }
    }

    /// Reports names of members that are empty or equal.
    private mutating func checkNames() {
        let names = ["tag", "content"].map { label in
            options.arguments[label]?.node.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        }
        for (label, name) in zip(["tag", "content"], names) where name?.isEmpty == true {
            guard let argument = options.arguments[label] else { continue }
            report(.emptyName("\(label):"), at: argument.node.expression)
        }
        if let tag = names[0], !tag.isEmpty, tag == names[1], let content = options.arguments["content"] {
            report(.sameNames(tag), at: content.node.expression)
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
