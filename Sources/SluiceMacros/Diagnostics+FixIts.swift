#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

private struct FixMessage: FixItMessage {
    let id: String
    let message: String
    var fixItID: MessageID { MessageID(domain: "Sluice", id: id) }
}

extension FixIt {
    init(_ id: String, _ message: String, _ old: some SyntaxProtocol, _ new: some SyntaxProtocol) {
        self.init(
            message: FixMessage(id: id, message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Adds `@JSONIgnore` to a property.
    ///
    /// Returns nil if the declaration has several properties, or already has an attribute of Sluice.
    static func ignore(_ variable: VariableDeclSyntax) -> FixIt? {
        guard variable.bindings.count == 1, PropertyAttributes(of: variable.attributes).ours.isEmpty else {
            return nil
        }
        return add("@JSONIgnore", "addIgnore", to: variable)
    }

    /// Adds an attribute to a property. Returns nil if the declaration has several properties.
    static func add(_ attribute: String, to property: ModelProperty) -> FixIt? {
        guard let name = property.node,
            let variable = name.ancestorOrSelf(mapping: { $0.as(VariableDeclSyntax.self) }),
            variable.bindings.count == 1
        else { return nil }
        return add(attribute, "addAttribute", to: variable)
    }

    private static func add(_ text: String, _ id: String, to variable: VariableDeclSyntax) -> FixIt {
        var fixed = variable
        fixed.leadingTrivia = []
        var attribute = AttributeSyntax(stringLiteral: text)
        (attribute.leadingTrivia, attribute.trailingTrivia) = (variable.leadingTrivia, .space)
        fixed.attributes.insert(.attribute(attribute), at: fixed.attributes.startIndex)
        return FixIt(id, "add '\(text)'", variable, fixed)
    }

    static func makeVar(_ variable: VariableDeclSyntax) -> FixIt {
        let specifier = variable.bindingSpecifier
        return FixIt(
            "makeVar", "change 'let' to 'var'", specifier, specifier.with(\.tokenKind, .keyword(.var)))
    }

    /// Adds `final` to a class. Returns nil for an `open` class, which can't be final.
    static func addFinal(to type: ClassDeclSyntax) -> FixIt? {
        guard !type.modifiers.contains(.open) else { return nil }
        var fixed = type.classKeyword
        let modifier = DeclModifierSyntax(
            leadingTrivia: fixed.leadingTrivia, name: .keyword(.final), trailingTrivia: .space)
        fixed.leadingTrivia = []
        let head = type.with(\.modifiers, type.modifiers + [modifier]).with(\.classKeyword, fixed)
        return FixIt("addFinal", "add 'final'", type, head)
    }

    /// Adds conformances to the declaration of a type. The macro does not add a conformance that the declaration has.
    static func addConformances(_ names: [String], to type: some DeclGroupSyntax, named name: TokenSyntax) -> FixIt
    {
        let missing = names.joined(separator: ", ")
        if let clause = type.inheritanceClause, let last = clause.inheritedTypes.last {
            let types = Array(clause.inheritedTypes.dropLast())
            let added = IdentifierTypeSyntax(name: "\(raw: last.type.trimmedDescription), \(raw: missing)")
            let list = InheritedTypeListSyntax(
                types + [last.with(\.type, TypeSyntax(added.with(\.trailingTrivia, last.trailingTrivia)))])
            return FixIt("addConformances", "add '\(missing)'", clause, clause.with(\.inheritedTypes, list))
        }
        // Without an inheritance clause, the fix-it replaces the preceding token.
        let generics = type.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
        let before = generics?.rightAngle ?? name
        return FixIt(
            "addConformances", "add ': \(missing)'", before,
            before.with(\.tokenKind, .identifier("\(before.text): \(missing)")))
    }

    /// Removes `@JSONModel` from a type.
    static func removeModel(from type: some DeclGroupSyntax) -> FixIt? {
        guard let attribute = type.modelAttribute else { return nil }
        let changed = type.with(\.attributes, type.attributes.removing(attribute))
        return FixIt("removeModel", "remove '@JSONModel'", type, changed.with(\.leadingTrivia, type.leadingTrivia))
    }

    /// Adds the option `.codable` to `@JSONModel`.
    static func addCodable(to type: some DeclGroupSyntax) -> FixIt? {
        guard let attribute = type.modelAttribute else { return nil }
        var arguments = attribute.argumentList
        arguments.insert(LabeledExprSyntax(expression: "\(raw: ".codable")" as ExprSyntax), at: 0)
        if arguments.count > 1 { arguments[0].trailingComma = .commaToken(trailingTrivia: .space) }
        var changed = attribute
        changed.leftParen = .leftParenToken()
        changed.arguments = .argumentList(LabeledExprListSyntax(arguments))
        changed.rightParen = .rightParenToken(trailingTrivia: attribute.trailingTrivia)
        changed.attributeName.trailingTrivia = []
        return FixIt("addCodable", "add '.codable'", attribute, changed)
    }

    /// Changes `private` to `fileprivate`. Returns nil if an enclosing type is private and not the type itself.
    static func makeFileprivate(_ type: some DeclGroupSyntax) -> FixIt? {
        guard let modifier = type.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }) else {
            return nil
        }
        return FixIt(
            "makeFileprivate", "change 'private' to 'fileprivate'", modifier.name,
            modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
    }

    /// Corrects the name of an attribute.
    static func rename(_ attribute: AttributeSyntax, to kind: PropertyAttribute) -> FixIt {
        let name = attribute.attributeName
        let corrected = IdentifierTypeSyntax(name: .identifier(kind.name))
        return FixIt(
            "renameAttribute", "change '\(attribute.trimmedName)' to '\(kind.rawValue)'", name,
            TypeSyntax(corrected).with(\.leadingTrivia, name.leadingTrivia)
                .with(\.trailingTrivia, name.trailingTrivia))
    }

    static func remove(_ token: TokenSyntax) -> FixIt {
        FixIt("removeWord", "remove '\(token.text)'", token, token.without)
    }

    static func makeStatic(_ method: FunctionDeclSyntax) -> FixIt {
        let keyword = method.funcKeyword
        return FixIt(
            "makeStatic", "add 'static'", keyword, keyword.with(\.tokenKind, .identifier("static func")))
    }

    static func remove(
        _ attribute: AttributeSyntax, _ kind: PropertyAttribute, from variable: VariableDeclSyntax
    ) -> FixIt {
        FixIt(
            "remove", "remove '\(kind.rawValue)'", variable,
            variable.with(\.attributes, variable.attributes.removing(attribute)).startingAs(variable))
    }

    /// Appends the keys of one `@JSONKey` to the keys of another.
    static func merge(
        _ extra: AttributeSyntax, into first: AttributeSyntax, of variable: VariableDeclSyntax
    ) -> FixIt? {
        guard case .argumentList(let kept)? = first.arguments, case .argumentList(let moved)? = extra.arguments,
            !kept.isEmpty, !moved.isEmpty
        else { return nil }
        var list = (Array(kept) + Array(moved)).map { LabeledExprSyntax(expression: $0.expression.trimmed) }
        list[1].label = "or"
        list[1].colon = .colonToken(trailingTrivia: .space)
        for position in list.indices.dropLast() {
            list[position].trailingComma = .commaToken(trailingTrivia: .space)
        }

        let merged = first.with(\.arguments, .argumentList(LabeledExprListSyntax(list)))
        let attributes = AttributeListSyntax(
            variable.attributes.compactMap { element in
                if element.id == extra.id { return nil }
                return element.id == first.id ? .attribute(merged) : element
            })
        return FixIt(
            "mergeKeys", "move the keys to the first '@JSONKey'", variable,
            variable.with(\.attributes, attributes).startingAs(variable))
    }
}

extension TokenSyntax {
    /// An empty token that replaces a removed token and the space after the token.
    fileprivate var without: TokenSyntax {
        with(\.tokenKind, .identifier("")).with(\.trailingTrivia, [])
    }
}

extension DeclGroupSyntax {
    fileprivate var modelAttribute: AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.isNamed("JSONModel") }
    }
}

extension AttributeListSyntax {
    fileprivate func removing(_ attribute: AttributeSyntax) -> AttributeListSyntax {
        filter { $0.id != attribute.id }
    }
}

extension VariableDeclSyntax {
    /// Returns the declaration with the leading trivia of the original, whose first token may have been removed.
    fileprivate func startingAs(_ original: VariableDeclSyntax) -> VariableDeclSyntax {
        with(\.leadingTrivia, original.leadingTrivia)
    }
}
#endif
