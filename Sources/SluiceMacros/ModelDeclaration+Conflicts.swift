#if Macros
import SwiftSyntax

/// The places that the keys of a model name, to find two that can't both be.
private struct KeyTree {
    /// Where a path first said what a spot is: the property and the literal.
    struct Claim {
        var property: String
        var key: ModelKey
    }

    enum Conflict {
        case sameSpot(Claim)
        case objectAndArray(KeyText, isIndexed: Bool, Claim)
    }

    private final class Spot {
        var filled: Claim?
        var asObject: Claim?
        var asArray: Claim?
        var inner: [KeyText.Component: Spot] = [:]
    }

    private let root = Spot()

    /// Adds a claim unless it conflicts with an earlier one. A whole subtree and a part of it don't.
    func add(_ claim: Claim) -> Conflict? {
        var spot = root
        for (depth, component) in claim.key.path.components.enumerated() {
            var isIndexed = true
            switch component {
            case .key, .everyMember: isIndexed = false
            case .index, .every: break
            }
            if let other = isIndexed ? spot.asObject : spot.asArray {
                return .objectAndArray(claim.key.path.prefix(depth), isIndexed: isIndexed, other)
            }
            if isIndexed {
                spot.asArray = spot.asArray ?? claim
            } else {
                spot.asObject = spot.asObject ?? claim
            }
            let next = spot.inner[component] ?? Spot()
            spot.inner[component] = next
            spot = next
        }
        if let other = spot.filled { return .sameSpot(other) }
        spot.filled = claim
        return nil
    }
}

extension ModelParser {
    /// The storage of a class that may have subclasses is as visible as the class, its fields as the file: a type that
    /// is private to the class can't be theirs.
    mutating func reportPrivateTypes(in declaration: some DeclGroupSyntax) {
        let members = declaration.memberBlock.members.compactMap { $0.decl.asProtocol((any NamedDeclSyntax).self) }
        let hidden = members.filter {
            $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.access == .private
                && ($0.isProtocol((any DeclGroupSyntax).self) || $0.is(TypeAliasDeclSyntax.self))
        }.map(\.name.text)
        for property in properties where !property.isIgnored {
            let names = property.type?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
            if let name = hidden.first(where: names.contains), let type = property.typeNode {
                report(.privateType(name, property.name), at: type)
            }
        }
    }

    mutating func reportConflicts() {
        let tree = KeyTree()
        // With a strategy for keys, the name says nothing of the key.
        let derives = options["keys"] == nil
        for property in properties {
            let derived = derives ? property.derivedKey.map { [$0] } ?? [] : []
            for key in property.keys.isEmpty ? derived : property.keys {
                switch tree.add(.init(property: property.name, key: key)) {
                case nil:
                    break
                case .sameSpot(let other):
                    report(
                        .sameKey(property.name, other.property, key.path), at: key.node,
                        note: .sameKey(other.property), at: other.key.node)
                case .objectAndArray(let spot, let isIndexed, let other):
                    report(
                        .objectAndArray(spot, isIndexed: isIndexed), at: key.node,
                        note: .otherUse(isArray: !isIndexed), at: other.key.node)
                }
            }
        }
    }
}
#endif
