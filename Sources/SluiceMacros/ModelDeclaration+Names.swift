#if Macros
import SwiftSyntax

// Members that have the name of a member which the macro adds. Swift reports such a conflict in the expansion, without
// naming the member of the type.

extension ModelDeclaration {
    /// The names of the static members and nested types that the macro adds.
    fileprivate var addedNames: [String] {
        switch kind {
        case .rawEnum: ["jsonShape"]
        case .union:
            ["plan", "_jsonPlan", "jsonShape"] + (cases.contains { !$0.structName.isEmpty } ? ["_JSONStorage"] : [])
                + (options.isPartial ? ["Partial"] : [])
        default:
            ["plan"] + (isInFamily ? ["_jsonPlan"] : []) + (usesStorage ? ["_JSONStorage"] : [])
                + (options.isPartial ? ["Partial"] : [])
        }
    }

    /// The names of the members of the storage besides the properties.
    fileprivate var storageNames: [String] {
        (isInFamily ? ["_jsonBase", "_jsonInitial", "_jsonFinish", "_jsonModel"] : [])
            + (kept.isEmpty ? [] : ["_jsonOld"])
    }
}

extension ModelParser {
    /// Reports static members, nested types, cases and properties that have the name of a member which the macro adds.
    ///
    /// - Returns: Whether a member was reported.
    mutating func reportTakenNames(of model: ModelDeclaration, in declaration: some DeclGroupSyntax) -> Bool {
        let taken = members.flatMap(\.decl.typeLevelNames)
            .filter { model.addedNames.contains($0.name.bareName) }
        for (name, kind) in taken {
            report(.takenName(name.bareName, kind, isRaw: model.kind == .rawEnum), at: name)
        }
        let properties = model.planned.filter { model.storageNames.contains($0.name) }
        for property in properties {
            report(.takenName(property.name, .property, isRaw: false), at: property.node ?? Syntax(declaration))
        }
        return !taken.isEmpty || !properties.isEmpty
    }
}

/// The kind of a member that cannot have the name of a member which the macro adds.
enum TakenMember: Equatable {
    case enumCase(hasKey: Bool)
    case `static`, type, property
}

extension DeclSyntax {
    /// The names that a declaration adds to the type and not to its instances.
    fileprivate var typeLevelNames: [(name: TokenSyntax, kind: TakenMember)] {
        if let list = self.as(EnumCaseDeclSyntax.self) {
            let hasKey = PropertyAttributes(of: list.attributes)[.key] != nil
            return list.elements.map { ($0.name, .enumCase(hasKey: hasKey)) }
        }
        if let variable = self.as(VariableDeclSyntax.self), variable.isStatic {
            return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
                .map { ($0, .static) }
        }
        if let function = self.as(FunctionDeclSyntax.self) {
            // A function with parameters has another full name.
            let isStatic = function.modifiers.contains(.static) || function.modifiers.contains(.class)
            return isStatic && function.signature.parameterClause.parameters.isEmpty
                ? [(function.name, .static)] : []
        }
        let isType = self.isProtocol((any DeclGroupSyntax).self) || self.is(TypeAliasDeclSyntax.self)
        guard isType, let name = self.asProtocol((any NamedDeclSyntax).self)?.name else { return [] }
        return [(name, .type)]
    }
}
#endif
