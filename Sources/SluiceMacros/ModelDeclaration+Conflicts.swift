#if Macros
import SwiftSyntax

/// The tree of the keys of a model, which finds conflicting keys.
private struct KeyTree {
    /// The property and the key that first used a node of the tree.
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

    /// Adds a claim, or returns its conflict with an earlier claim.
    ///
    /// A key for a value and a key for a part of this value do not conflict.
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
    /// Reports properties whose type is private to a class that may have subclasses.
    ///
    /// The storage of such a class is as visible as the class, and its fields are at least as visible as `fileprivate`. A
    /// field cannot have a type that is private to the class.
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

    /// Reports keys that conflict with each other.
    mutating func reportConflicts() {
        let tree = KeyTree()
        // With a key strategy, the key cannot be derived from the name here.
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
