#if Macros
import SwiftSyntax

/// The arguments of `@JSONModel`. Arguments for the plan are kept as written.
struct ModelOptions {
    struct Argument {
        var text: String
        var node: LabeledExprSyntax
    }

    var isCodable = false
    var isUntagged = false
    var isPartial = false
    private(set) var codable: LabeledExprSyntax?
    private(set) var untagged: LabeledExprSyntax?
    private(set) var partial: LabeledExprSyntax?
    private(set) var arguments: [String: Argument] = [:]
    /// The unlabeled arguments that are not an option.
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
                case "partial": partial = argument
                default: unknown.append(argument)
                }
            }
        }
        isCodable = codable != nil
        isUntagged = untagged != nil
        isPartial = partial != nil
    }

    subscript(_ label: String) -> String? { arguments[label]?.text }

    /// The arguments of the plan of a struct or class.
    var planArguments: [String] { enumArguments + texts(of: ["defaultsOn"]) }

    /// The arguments of the plan of an enum.
    var enumArguments: [String] { texts(of: ["keys", "coercion", "unknownKeys"]) }

    private func texts(of labels: [String]) -> [String] {
        labels.compactMap { label in self[label].map { "\(label): \($0)" } }
    }

    /// The tagging of an enum in code, or nil for the default of the core.
    var tagging: String? {
        if isUntagged { return ".untagged" }
        guard let tag = self["tag"] else { return nil }
        return self["content"].map { ".adjacent(tag: \(tag), content: \($0))" } ?? ".internal(tag: \(tag))"
    }

    /// Whether the tag is a member of the payload's object.
    var hasInternalTag: Bool { self["tag"] != nil && self["content"] == nil }

    /// The name of the fallback case, or nil if the argument is absent or not a string literal.
    var fallbackName: String? {
        arguments["fallback"]?.node.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}

extension ExprSyntax {
    /// The name of the member in an expression such as `.x` or `Type.x`.
    var memberName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.bareName
    }
}
#endif
