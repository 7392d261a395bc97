#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Sets the keys of a property to the keys of `@JSONKey`. Without the attribute, the core derives the key from the name.
    mutating func addKeys(to property: inout ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes)
    {
        guard let attribute = attributes.keys.first else {
            let path = JSONPath([.key(property.name)])
            property.derivedKey = ModelKey(
                literal: quote(path.description), path: path, node: Syntax(declared.identifier))
            return
        }
        for extra in attributes.keys.dropFirst() {
            report(
                .twoKeys(property.name), at: extra, .merge(extra, into: attribute, of: declared.variable))
        }
        guard declared.variable.bindings.count == 1 else { return }
        property.keys = attribute.argumentList.compactMap { key(from: $0.expression) }
        if let key = property.keys.first(where: { $0.path.components.contains(where: \.isWildcard) }) {
            let wildcard = key.path.components.first(where: \.isWildcard) == .anyIndex ? "[*]" : ".*"
            if property.written == .single || property.written == .dictionary {
                report(.everyIntoOne(property.name, wildcard), at: key.node)
            } else if attributes.isInString, let embedded = attributes[.embedded] {
                report(
                    .everyIntoString(property.name, wildcard), at: embedded,
                    .remove(embedded, .embedded, from: declared.variable))
            }
        }
    }

    private mutating func key(from expression: ExprSyntax) -> ModelKey? {
        guard let (literal, text) = plainLiteral(expression) else { return nil }
        let reason: String
        do {
            let path = try JSONPath(checking: text)
            if !path.components.isEmpty {
                return ModelKey(literal: literal.codeText(text), path: path, node: Syntax(literal))
            }
            reason = text.isEmpty ? "the key is empty" : "'$' alone is the whole value"
        } catch {
            reason = error.reason
        }
        report(.badKey(text, reason), at: literal)
        return nil
    }

    /// Returns the keys of an enum case. These keys are not paths.
    mutating func caseKeys(from attribute: AttributeSyntax) -> [(literal: String, text: String, node: Syntax)] {
        attribute.argumentList.compactMap { argument in
            guard let (literal, text) = plainLiteral(argument.expression) else { return nil }
            guard !text.isEmpty else {
                report(.badKey(text, "the key is empty"), at: literal)
                return nil
            }
            return (literal.codeText(text), text, Syntax(literal))
        }
    }

    private mutating func plainLiteral(_ expression: ExprSyntax) -> (StringLiteralExprSyntax, String)? {
        guard let literal = expression.as(StringLiteralExprSyntax.self),
            let text = literal.representedLiteralValue
        else {
            report(.keyNotLiteral, at: expression)
            return nil
        }
        return (literal, text)
    }
}

extension StringLiteralExprSyntax {
    /// The literal as written, or a one-line literal in place of a multiline one.
    fileprivate func codeText(_ text: String) -> String {
        openingQuote.tokenKind == .stringQuote ? trimmedDescription : quote(text)
    }
}

/// Returns a string literal for a text.
func quote(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "\\", "\"": escaped += "\\" + String(scalar)
        case _ where scalar.properties.generalCategory == .control:
            escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return "\"\(escaped)\""
}
#endif
