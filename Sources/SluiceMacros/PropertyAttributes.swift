#if Macros
import SwiftSyntax

/// The attributes of a property or a case, by their meaning for the plan.
struct PropertyAttributes {
    /// The attributes of Sluice, in source order.
    var ours: [(kind: PropertyAttribute, node: AttributeSyntax)] = []
    /// The first attribute that belongs neither to Sluice nor to the language: a property wrapper or a macro. The syntax does not
    /// distinguish them.
    var foreign: AttributeSyntax?
    /// The attributes of Sluice that are inside `#if`.
    var conditional: [(kind: PropertyAttribute, node: AttributeSyntax)] = []

    init(of list: AttributeListSyntax) {
        for element in list {
            switch element {
            case .attribute(let attribute):
                if let kind = PropertyAttribute(attribute) {
                    ours.append((kind, attribute))
                } else if !attribute.isBuiltIn, foreign == nil {
                    foreign = attribute
                }
            case .ifConfigDecl(let block):
                for case .attributes(let attributes)? in block.clauses.map(\.elements) {
                    let inner = PropertyAttributes(of: attributes)
                    conditional += inner.ours + inner.conditional
                    foreign = foreign ?? inner.foreign
                }
            }
        }
    }

    /// The attribute of Sluice whose name the foreign attribute is likely a misspelling of.
    var misspelled: PropertyAttribute? {
        guard let name = foreign?.lastName, name.lowercased().hasPrefix("json") else { return nil }
        return PropertyAttribute.allCases.first { kind in
            name.editDistance(to: kind.name) <= 2
        }
    }

    /// The first attribute of this kind.
    subscript(_ kind: PropertyAttribute) -> AttributeSyntax? {
        ours.first { $0.kind == kind }?.node
    }

    /// Whether the value is certainly JSON in a string.
    var isInString: Bool {
        guard let embedded = self[.embedded] else { return false }
        return embedded.argumentList.first.map { $0.expression.memberName == "string" } ?? true
    }

    var keys: [AttributeSyntax] { ours.filter { $0.kind == .key }.map(\.node) }
}

extension AttributeSyntax {
    /// The arguments of the attribute.
    var argumentList: [LabeledExprSyntax] {
        guard case .argumentList(let list)? = arguments else { return [] }
        return Array(list)
    }

    /// Whether the attribute has this name, with or without a module, as in `@JSONKey` and `@Sluice.JSONKey`.
    func isNamed(_ name: String) -> Bool { attributeName.knownName == name }

    /// The name with the at sign and without arguments.
    var trimmedName: String { "@" + attributeName.trimmedDescription }

    fileprivate var lastName: String? {
        if let type = attributeName.as(IdentifierTypeSyntax.self) { return type.name.bareName }
        return attributeName.as(MemberTypeSyntax.self)?.name.bareName
    }

    /// Whether the attribute belongs to the language, and is neither a property wrapper nor a macro.
    fileprivate var isBuiltIn: Bool {
        guard let name = attributeName.knownName else { return false }
        return name.hasPrefix("_") || Self.builtIn.contains(name)
    }

    /// Whether the attribute is one of a macro that is known to be no property wrapper.
    var isOfKnownMacro: Bool {
        let macros = [
            "Attribute", "ObservationIgnored", "ObservationTracked", "PerceptionIgnored", "PerceptionTracked",
            "Relationship",
            "Transient",
        ]
        return macros.contains { isNamed($0) }
    }

    private static let builtIn: Set<String> = [
        "abi", "available", "backDeployed", "const", "differentiable", "discardableResult", "exclusivity", "export",
        "GKInspectable", "IBInspectable", "IBOutlet", "implementation", "inlinable", "inline", "MainActor",
        "noDerivative", "nonobjc", "NSCopying", "NSManaged", "objc", "preconcurrency", "safe", "section",
        "Sendable",
        "unsafe", "usableFromInline", "used", "warn_unqualified_access",
    ]
}

extension String {
    /// The number of letters that must be inserted, removed or replaced to make another word, regardless of case.
    fileprivate func editDistance(to other: String) -> Int {
        let (own, other) = (Array(lowercased()), Array(other.lowercased()))
        var row = Array(0...other.count)
        for (i, letter) in own.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, target) in other.enumerated() {
                let replaced = diagonal + (letter == target ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[other.count]
    }
}

extension AttributeListSyntax {
    /// Whether the list of a type or a method contains a global actor other than the main actor.
    ///
    /// A macro has the same syntax. Actors are recognized by the suffix `Actor`, and have no arguments.
    var hasOtherActor: Bool {
        contains {
            guard case .attribute(let attribute) = $0, let name = attribute.lastName else { return false }
            return name.hasSuffix("Actor") && name != "MainActor" && attribute.arguments == nil
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the variable was added by a macro such as `@Observable`, which excludes the variable from observation.
    var isBackingStorage: Bool {
        attributes.contains { $0.isNamed("ObservationIgnored") || $0.isNamed("PerceptionIgnored") }
            && bindings.allSatisfy { $0.pattern.trimmedDescription.hasPrefix("_") }
    }
}

extension AttributeListSyntax.Element {
    func isNamed(_ name: String) -> Bool {
        guard case .attribute(let attribute) = self else { return false }
        return attribute.isNamed(name)
    }

    /// Whether the attribute is a macro that makes the variables of a class computed.
    var isObserving: Bool { ["Model", "Observable", "Perceptible"].contains { isNamed($0) } }
}
#endif
