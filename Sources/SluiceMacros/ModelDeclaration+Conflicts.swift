#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

extension ModelParser {
    /// Reports properties whose type is private to a class that may have subclasses.
    ///
    /// The storage of such a class is as visible as the class, and its fields are at least as visible as `fileprivate`. A
    /// field cannot have a type that is private to the class.
    mutating func reportPrivateTypes(of name: TokenSyntax) {
        let hidden = members.compactMap { $0.decl.asProtocol((any NamedDeclSyntax).self) }.filter {
            $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.access == .private
                && ($0.isProtocol((any DeclGroupSyntax).self) || $0.is(TypeAliasDeclSyntax.self))
        }.map(\.name.text)
        for property in properties where !property.isIgnored {
            guard let type = property.typeNode else { continue }
            // A name after that of another type is not the name of a member of the class.
            let names = type.tokens(viewMode: .sourceAccurate).filter {
                let base = $0.parent?.as(MemberTypeSyntax.self)?.baseType.trimmedDescription
                return base == nil || base == "Self" || base == name.text
            }.map(\.bareName)
            if let name = hidden.first(where: names.contains) {
                report(.privateType(name, property.name), at: type)
            }
        }
    }

    /// Reports keys that conflict with each other.
    mutating func reportConflicts() {
        let trie = PathTrie()
        for (index, property) in properties.enumerated() {
            for (rank, key) in knownKeys(of: property).enumerated() {
                guard let conflict = trie.insert(key.path, .init(field: index, rank: rank)) else { continue }
                let other = properties[conflict.leaf.field]
                if !property.conditions.exclude(other.conditions, haveOneName: other.name == property.name) {
                    report(conflict, of: key, property)
                }
            }
        }
    }

    /// Returns the keys of a property. With a key strategy, the key cannot be derived from the name here.
    private func knownKeys(of property: ModelProperty) -> [ModelKey] {
        guard property.keys.isEmpty else { return property.keys }
        return options["keys"] == nil ? property.derivedKey.map { [$0] } ?? [] : []
    }

    /// Reports the names of keys in `CodingKeys`, which are those of `Codable` alone. A property with `@JSONKey` has the keys of its own.
    mutating func reportCodingKeys() {
        guard options["keys"] == nil else { return }
        let cases = members.compactMap { $0.decl.as(EnumDeclSyntax.self) }.filter {
            $0.name.bareName == "CodingKeys"
        }
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

    /// Reports code for `Codable` that a model does not call. With the option `.codable`, the code is for other decoders and encoders.
    mutating func reportCoding(of declaration: some DeclGroupSyntax) {
        guard !options.isCodable else { return }
        let members = [("init(from:)", declares.initFromDecoder), ("encode(to:)", declares.encodeToEncoder)]
        for (name, found) in members {
            for coding in found {
                report(
                    .ownCoding(name), at: coding.name, .removeModel(from: declaration), .addCodable(to: declaration)
                )
            }
        }
        guard let clause = declaration.inheritanceClause, clause.names("Decodable") || clause.names("Encodable")
        else {
            return
        }
        for property in properties where !property.isIgnored && property.transform == nil {
            guard let wrapper = property.wrapper, !wrapper.isOfKnownMacro, let node = property.node else {
                continue
            }
            report(
                .wrapperCoding(property.name, wrapper.trimmedName), at: node,
                .add("@JSONTransform(<#transform#>)", to: property))
        }
    }

    private mutating func report(
        _ conflict: PathTrie.Conflict, of key: ModelKey, _ property: ModelProperty
    ) {
        let components = key.path.components
        let other = properties[conflict.leaf.field]
        let otherKey = knownKeys(of: other)[conflict.leaf.rank]
        switch conflict {
        case .samePath:
            report(
                .sameKey(property.name, other.name, key.path), at: key.node,
                note: .sameKey(other.name), at: otherKey.node)
        case .objectAndArray(let depth, _):
            let isArray = !components[depth].isOfObject
            report(
                .objectAndArray(JSONPath(Array(components.prefix(depth))), isArray: isArray), at: key.node,
                note: .otherUse(isArray: !isArray), at: otherKey.node)
        case .everyAndOne(let depth, _):
            let isEvery = components[depth].isWildcard
            report(
                .everyAndOne(JSONPath(Array(components.prefix(depth))), isEvery: isEvery), at: key.node,
                note: .otherSelection(isEvery: !isEvery), at: otherKey.node)
        }
    }
}
#endif
