#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// The macros that a property may bear.
enum PropertyAttribute: String {
    case key = "@JSONKey"
    case ignore = "@JSONIgnore"
}

/// A property's attributes, sorted by what they mean to the plan.
struct PropertyAttributes {
    var keys: [AttributeSyntax] = []
    var ignore: AttributeSyntax?
    /// One that is neither ours nor the language's: a property wrapper, or another macro that may rewrite it.
    var wrapper: AttributeSyntax?
    /// The first of ours.
    var first: (kind: PropertyAttribute, node: AttributeSyntax)?

    init(of variable: VariableDeclSyntax) {
        for element in variable.attributes {
            guard case .attribute(let attribute) = element else { continue }
            if attribute.isNamed("JSONKey") {
                keys.append(attribute)
                first = first ?? (.key, attribute)
            } else if attribute.isNamed("JSONIgnore") {
                ignore = attribute
                first = first ?? (.ignore, attribute)
            } else if !attribute.isBuiltIn, wrapper == nil {
                wrapper = attribute
            }
        }
    }
}

extension ModelParser {
    /// The keys of a property: those of `@JSONKey`, else its name. Empty if any of them was refused.
    mutating func keys(
        of property: ModelProperty, _ declared: Declared, _ attributes: PropertyAttributes
    ) -> [ModelKey] {
        guard let attribute = attributes.keys.first else {
            let path = KeyText(key: property.name)
            return [
                ModelKey(literal: quote(path.description), path: path, node: Syntax(declared.identifier))
            ]
        }
        for extra in attributes.keys.dropFirst() {
            report(
                .twoKeys(property.name), at: extra, .merge(extra, into: attribute, of: declared.variable))
        }
        guard declared.variable.bindings.count == 1, case .argumentList(let arguments)? = attribute.arguments else {
            return []
        }
        let keys = arguments.map { key(from: $0.expression) }
        return keys.contains { $0 == nil } ? [] : keys.compactMap { $0 }
    }

    private mutating func key(from expression: ExprSyntax) -> ModelKey? {
        guard let literal = expression.as(StringLiteralExprSyntax.self),
            let text = literal.representedLiteralValue
        else {
            report(.keyNotLiteral, at: expression)
            return nil
        }
        do {
            let path = try KeyText(text)
            let isOneLine = literal.openingQuote.tokenKind == .stringQuote
            return ModelKey(
                literal: isOneLine ? literal.trimmedDescription : quote(text), path: path, node: Syntax(literal))
        } catch {
            report(.badKey(text, error), at: literal)
            return nil
        }
    }
}

/// The text as a string literal.
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

extension AttributeListSyntax.Element {
    func isNamed(_ name: String) -> Bool {
        guard case .attribute(let attribute) = self else { return false }
        return attribute.isNamed(name)
    }
}

extension AttributeSyntax {
    /// `@Sluice.JSONKey` as well as `@JSONKey`.
    func isNamed(_ name: String) -> Bool { lastName == name }

    /// With the at-sign, without arguments.
    var trimmedName: String { "@" + attributeName.trimmedDescription }

    private var lastName: String? {
        if let type = attributeName.as(IdentifierTypeSyntax.self) { return type.name.bareName }
        return attributeName.as(MemberTypeSyntax.self)?.name.bareName
    }

    /// Whether it leaves the property's storage as it is. By syntax a property wrapper, a global actor and
    /// another macro look alike; actors are known by their customary name.
    fileprivate var isBuiltIn: Bool {
        guard let name = lastName else { return false }
        return name.hasPrefix("_") || name.hasSuffix("Actor") || Self.builtIn.contains(name)
    }

    private static let builtIn: Set<String> = [
        "available", "backDeployed", "discardableResult", "inlinable", "inline", "nonobjc", "objc",
        "preconcurrency", "Sendable", "usableFromInline", "warn_unqualified_access",
    ]
}
#endif
