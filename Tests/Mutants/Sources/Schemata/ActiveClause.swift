import SwiftSyntax

/// The choice of a clause of `#if` that is compiled on this machine, with the traits of the build.
enum ActiveClause {
    private static let flags: Set = ["YAJL", "GZIP", "ZSTD"]

    static func of(_ conditional: IfConfigDeclSyntax) -> IfConfigClauseSyntax.Elements? {
        for clause in conditional.clauses {
            guard let condition = clause.condition else { return clause.elements }
            if holds(condition) { return clause.elements }
        }
        return nil
    }

    private static func holds(_ condition: ExprSyntax) -> Bool {
        if let sequence = condition.as(SequenceExprSyntax.self) {
            // `&&` binds more tightly than `||`.
            var result = false
            var term = true
            for element in sequence.elements {
                if let name = element.as(BinaryOperatorExprSyntax.self)?.operator.text {
                    if name == "||" {
                        result = result || term
                        term = true
                    }
                } else {
                    term = term && holds(element)
                }
            }
            return result || term
        }
        if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            return !holds(negation.expression)
        }
        if let tuple = condition.as(TupleExprSyntax.self), let inner = tuple.elements.first,
            tuple.elements.count == 1
        {
            return holds(inner.expression)
        }
        if let name = condition.as(DeclReferenceExprSyntax.self) { return flags.contains(name.baseName.text) }
        if let call = condition.as(FunctionCallExprSyntax.self) {
            let function = call.calledExpression.trimmedDescription
            let argument = call.arguments.trimmedDescription
            switch function {
            case "os": return argument == system
            case "arch": return argument == processor
            case "canImport": return argument == "Darwin" ? system == "macOS" : argument != "UIKit"
            case "_runtime": return system == "macOS"
            case "targetEnvironment": return false
            default: return true
            }
        }
        return false
    }

    private static var system: String {
        #if os(macOS)
        "macOS"
        #else
        "Linux"
        #endif
    }

    private static var processor: String {
        #if arch(arm64)
        "arm64"
        #else
        "x86_64"
        #endif
    }
}
