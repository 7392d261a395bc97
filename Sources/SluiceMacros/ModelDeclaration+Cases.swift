#if Macros
import SwiftParser
import SwiftSyntax

// The cases of an enum.
extension ModelParser {
    /// Parses the cases of an enum with a raw type. The compiler assigns the raw values.
    ///
    /// If a case has attributes, generated code may be unable to refer to the case, and `cases` remains empty.
    mutating func parseRawCases(of declaration: some DeclGroupSyntax) {
        for (list, _) in caseLists {
            for (kind, node) in PropertyAttributes(of: list.attributes).ours {
                let name = list.elements.first?.name.bareName ?? "_"
                report(kind == .key ? .keyOnRawValue(name) : .notOnCase(kind), at: node)
            }
        }
        _ = checkFallback(among: caseNames)
        if let type = declaration.firstInheritedType, type.refers(to: "Character") {
            report(.characterRawValues, at: type)
        }
        guard caseLists.allSatisfy(\.list.attributes.isEmpty) else { return }
        cases = caseLists.flatMap { list, conditions in
            list.elements.map {
                ModelCase(conditions: conditions, name: $0.name.bareName, reference: $0.name.codeName)
            }
        }
    }

    mutating func parseCases(of declaration: some DeclGroupSyntax, named name: TokenSyntax) {
        for (list, conditions) in caseLists {
            let attributes = PropertyAttributes(of: list.attributes)
            for (kind, node) in attributes.conditional {
                report(.conditionalAttribute(kind, list.elements.first?.name.bareName ?? "_"), at: node)
            }
            for (kind, node) in attributes.ours {
                if !kind.isForCases {
                    report(.notOnCase(kind), at: node)
                } else if list.elements.count > 1 {
                    report(.severalCases(kind, list.elements.count), at: node)
                }
            }
            for element in list.elements { parse(element, of: list, attributes, conditions) }
        }
        hasIndirectCases = ([declaration.modifiers] + caseLists.map(\.list.modifiers)).joined()
            .contains { $0.name.tokenKind == .keyword(.indirect) }
        if caseLists.isEmpty { report(.noCases(name.text), at: name) }
        nameStructs(apartFrom: declaration)
        if let fallback = checkFallback(among: caseNames),
            let found = caseElements.first(where: { $0.name.bareName == fallback }),
            let count = found.parameterClause?.parameters.count, count > 1
        {
            report(.fallbackWithValues(fallback), at: found.name)
        }
    }

    private mutating func parse(
        _ element: EnumCaseElementSyntax, of list: EnumCaseDeclSyntax, _ attributes: PropertyAttributes,
        _ conditions: [Condition]
    ) {
        var found = ModelCase(
            conditions: conditions, name: element.name.bareName, reference: element.name.codeName)
        found.documentation = list.documentation
        found.node = Syntax(element.name)
        found.availability = DeclaredAvailability(of: list.attributes)
        let other = cases.first { $0.name == found.name && !$0.conditions.exclude(conditions, haveOneName: true) }
        if let node = other?.node { report(.sameCaseName(found.name), at: element.name, note: .sameName, at: node) }
        let keys = list.elements.count == 1 ? attributes[.key].map { caseKeys(from: $0) } ?? [] : []
        found.keys = keys.map(\.literal)
        // A fallback with a value represents all unknown names, also its own.
        if other == nil, found.name != options.fallbackName || element.parameterClause == nil {
            for key in keys { claim(key.text, of: found, at: key.node) }
            // With a key strategy, the key cannot be derived from the name here.
            if keys.isEmpty, options["keys"] == nil { claim(found.name, of: found, at: Syntax(element.name)) }
        }
        found.payload = payload(of: element)
        if let embedded = attributes[.embedded] {
            found.isEmbedded = true
            found.embedding = embedded.argumentList.first?.expression.trimmedDescription
            if case .none = found.payload { report(.embeddedNothing(found.name), at: embedded) }
            if options.hasInternalTag { report(.embeddedBesideTag(found.name), at: embedded) }
        }
        // A value of an unavailable case cannot be made.
        if !found.availability.isUnavailable { cases.append(found) }
    }

    private mutating func claim(_ key: String, of item: ModelCase, at node: Syntax) {
        guard let other = caseClaims[MemberName(key)] else {
            caseClaims[MemberName(key)] = (item, node)
            return
        }
        let name = other.item.name
        if item.conditions.exclude(other.item.conditions, haveOneName: name == item.name) { return }
        report(.sameCaseKey(item.name, name, key), at: node, note: .sameKey(name), at: other.node)
    }

    private mutating func payload(of element: EnumCaseElementSyntax) -> ModelCase.Payload {
        guard let parameters = element.parameterClause?.parameters, let first = parameters.first else {
            return .none
        }
        let name = element.name.bareName
        if parameters.contains(where: \.type.isFunction) { report(.functionInCase(name), at: element.name) }
        for parameter in parameters {
            guard let type = marked(parameter.type).withoutJSON else { continue }
            report(.caseWithoutJSON(name, type.trimmedDescription), at: element.name)
        }
        if parameters.allSatisfy({ $0.label == nil }), parameters.count == 1 {
            let type = marked(first.type)
            if options.hasInternalTag, options.fallbackName != name,
                type.isScalar || [.array, .set].contains(type.written)
            {
                report(.tagInNoObject(name), at: element.name)
            }
            return .value(type)
        }
        guard parameters.allSatisfy({ $0.label != nil }) else {
            report(.valuesWithoutLabels(name), at: element.name)
            return .none
        }
        return .labelled(
            parameters.compactMap { parameter in
                guard let label = parameter.label else { return nil }
                var property = ModelProperty(name: label.bareName, reference: label.codeName)
                property.node = Syntax(label)
                property.type = marked(parameter.type)
                property.value = parameter.defaultValue?.value.trimmed
                return property
            })
    }

    /// Names the structs of labeled values. A struct must not hide the type of a value, nor have a name of the language.
    private mutating func nameStructs(apartFrom declaration: some DeclGroupSyntax) {
        var taken = Set(declaration.tokens(viewMode: .sourceAccurate).map(\.bareName))
        taken.formUnion(["Any", "Protocol", "Self", "Type"])
        for position in cases.indices {
            guard case .labelled = cases[position].payload else { continue }
            let name = cases[position].name.filter { $0.isLetter || $0.isNumber }
            var structName: String = name.prefix(1).uppercased() + name.dropFirst()
            if structName.first?.isLetter != true { structName = "Case" + structName }
            while !taken.insert(structName).inserted { structName += "Case" }
            cases[position].structName = structName
        }
    }
}

extension ModelParser {
    private var caseLists: [(list: EnumCaseDeclSyntax, conditions: [Condition])] {
        members.compactMap { member in member.decl.as(EnumCaseDeclSyntax.self).map { ($0, member.conditions) } }
    }

    var caseElements: [EnumCaseElementSyntax] { caseLists.flatMap(\.list.elements) }

    private var caseNames: [String] { caseElements.map(\.name.bareName) }
}

extension EnumCaseParameterSyntax {
    /// The label, such as `side` in `side: Double`.
    fileprivate var label: TokenSyntax? {
        firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
    }
}

extension TokenSyntax {
    /// The name in code. A keyword, `Type` and `Protocol` can be a label but not the name of a property.
    fileprivate var codeName: String {
        let isReserved = ["Protocol", "Type"].contains(bareName)
        return !isReserved && bareName.isValidSwiftIdentifier(for: .variableName) ? bareName : "`\(bareName)`"
    }
}
#endif
