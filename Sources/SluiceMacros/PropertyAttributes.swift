#if Macros
import SwiftSyntax

/// The macros that a property may bear.
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

    init?(_ attribute: AttributeSyntax) {
        guard let kind = Self.allCases.first(where: { attribute.isNamed(String($0.rawValue.dropFirst())) }) else {
            return nil
        }
        self = kind
    }
}

/// A property's attributes, sorted by what they mean to the plan.
struct PropertyAttributes {
    /// Ours, in the order in which they are written.
    var ours: [(kind: PropertyAttribute, node: AttributeSyntax)] = []
    /// One that is neither ours nor the language's: a property wrapper, or another macro that may rewrite it.
    var wrapper: AttributeSyntax?

    init(of list: AttributeListSyntax) {
        for case .attribute(let attribute) in list {
            if let kind = PropertyAttribute(attribute) {
                ours.append((kind, attribute))
            } else if !attribute.isBuiltIn, wrapper == nil {
                wrapper = attribute
            }
        }
    }

    /// The first of this kind.
    subscript(_ kind: PropertyAttribute) -> AttributeSyntax? {
        ours.first { $0.kind == kind }?.node
    }

    var keys: [AttributeSyntax] { ours.filter { $0.kind == .key }.map(\.node) }
}

extension AttributeSyntax {
    /// What stands in its parentheses, if anything.
    var argumentList: [LabeledExprSyntax] {
        guard case .argumentList(let list)? = arguments else { return [] }
        return Array(list)
    }

    /// `@Sluice.JSONKey` as well as `@JSONKey`.
    func isNamed(_ name: String) -> Bool { lastName == name }

    /// With the at-sign, without arguments.
    var trimmedName: String { "@" + attributeName.trimmedDescription }

    fileprivate var lastName: String? {
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

extension AttributeListSyntax {
    /// Whether there is a global actor that is not the main one.
    var hasOtherActor: Bool {
        contains {
            guard case .attribute(let attribute) = $0, let name = attribute.lastName else { return false }
            return name.hasSuffix("Actor") && name != "MainActor"
        }
    }
}

extension AttributeListSyntax.Element {
    func isNamed(_ name: String) -> Bool {
        guard case .attribute(let attribute) = self else { return false }
        return attribute.isNamed(name)
    }
}
#endif
