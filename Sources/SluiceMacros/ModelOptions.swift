#if Macros
import SwiftSyntax

/// The arguments of `@JSONModel`. What the plan is given is kept as it is written.
struct ModelOptions {
    struct Argument {
        var text: String
        var node: LabeledExprSyntax
    }

    var isCodable = false
    var isUntagged = false
    private(set) var codable: LabeledExprSyntax?
    private(set) var untagged: LabeledExprSyntax?
    private(set) var arguments: [String: Argument] = [:]
    /// Unlabelled arguments that are not the name of an option.
    private(set) var unknown: [LabeledExprSyntax] = []

    init() {}

    init(_ attribute: AttributeSyntax) {
        guard case .argumentList(let list)? = attribute.arguments else { return }
        for argument in list {
            if let label = argument.label?.text {
                guard !argument.expression.isNil else { continue }
                arguments[label] = Argument(text: argument.expression.trimmedDescription, node: argument)
            } else {
                switch argument.expression.memberName {
                case "codable": codable = argument
                case "untagged": untagged = argument
                default: unknown.append(argument)
                }
            }
        }
        isCodable = codable != nil
        isUntagged = untagged != nil
    }

    subscript(_ label: String) -> String? { arguments[label]?.text }

    /// What every plan takes, of a struct, a class or an enum.
    var planArguments: [String] {
        ["keys", "coercion", "unknownKeys"].compactMap { label in self[label].map { "\(label): \($0)" } }
    }

    /// How the cases of an enum are told apart, if it is not by the core's own way.
    var tagging: String? {
        if isUntagged { return ".untagged" }
        guard let tag = self["tag"] else { return nil }
        return self["content"].map { ".adjacent(tag: \(tag), content: \($0))" } ?? ".internal(tag: \(tag))"
    }

    /// Whether the tag lies among the keys of the payload.
    var hasInternalTag: Bool { self["tag"] != nil && self["content"] == nil }

    /// The case that stands for the unknown ones; nil if there is none, or not as a literal.
    var fallbackName: String? {
        arguments["fallback"]?.node.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}

extension ExprSyntax {
    /// `x` of `.x` and of `Type.x`.
    var memberName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.bareName
    }
}
#endif
