#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// The property and the key that use a path.
private struct Claim {
    let property: String
    let key: ModelKey
}

extension ModelParser {
    /// Reports properties whose type is private to a class that may have subclasses.
    ///
    /// The storage of such a class is as visible as the class, and its fields are at least as visible as `fileprivate`. A
    /// field cannot have a type that is private to the class.
    mutating func reportPrivateTypes() {
        let hidden = members.compactMap { $0.asProtocol((any NamedDeclSyntax).self) }.filter {
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
        let trie = PathTrie<Claim>()
        // With a key strategy, the key cannot be derived from the name here.
        let derives = options["keys"] == nil
        for property in properties {
            let derived = derives ? property.derivedKey.map { [$0] } ?? [] : []
            for key in property.keys.isEmpty ? derived : property.keys {
                if let conflict = trie.insert(key.path, Claim(property: property.name, key: key)) {
                    report(conflict, of: key, property)
                }
            }
        }
    }

    /// Reports the names of keys in `CodingKeys`, which are those of `Codable` alone. A property with `@JSONKey` has the keys of its own.
    mutating func reportCodingKeys() {
        guard options["keys"] == nil else { return }
        let cases = members.compactMap { $0.as(EnumDeclSyntax.self) }.filter { $0.name.bareName == "CodingKeys" }
            .flatMap(\.memberBlock.members).compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        for element in cases {
            guard let key = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
                let property = properties.first(where: { $0.name == element.name.bareName }), key != property.name,
                !property.isIgnored, property.keys.isEmpty, [.atKey, .embedded].contains(property.location)
            else { continue }
            let path = StringLiteralExprSyntax(content: JSONPath([.key(key)]).description)
            let attribute = "@JSONKey(\(path))"
            report(.codingKey(property.name, attribute), at: element, .add(attribute, to: property))
        }
    }

    private mutating func report(
        _ conflict: PathTrie<Claim>.Conflict, of key: ModelKey, _ property: ModelProperty
    ) {
        let components = key.path.components
        switch conflict {
        case .samePath(let other):
            report(
                .sameKey(property.name, other.property, key.path), at: key.node,
                note: .sameKey(other.property), at: other.key.node)
        case .objectAndArray(let depth, let other):
            let isArray = !components[depth].isOfObject
            report(
                .objectAndArray(JSONPath(Array(components.prefix(depth))), isArray: isArray), at: key.node,
                note: .otherUse(isArray: !isArray), at: other.key.node)
        case .everyAndOne(let depth, let other):
            let isEvery = components[depth].isWildcard
            report(
                .everyAndOne(JSONPath(Array(components.prefix(depth))), isEvery: isEvery), at: key.node,
                note: .otherSelection(isEvery: !isEvery), at: other.key.node)
        }
    }
}
#endif
