#if Macros
import SwiftSyntax

// Members of the type that have the name of a member which the macro adds. Swift allows one of them, and an error in
// the expansion would not say which.

extension ModelDeclaration {
    /// The names of the static members and nested types that the macro adds.
    fileprivate var addedNames: [String] {
        switch kind {
        case .rawEnum: ["jsonShape"]
        case .union:
            ["plan", "jsonPlan", "jsonShape"] + (cases.contains { !$0.structName.isEmpty } ? ["JSONStorage"] : [])
        default: ["plan"] + (isInFamily ? ["jsonPlan"] : []) + (usesStorage ? ["JSONStorage"] : [])
        }
    }
}

extension ModelParser {
    /// Reports static members, nested types and cases that have the name of a member which the macro adds.
    ///
    /// - Returns: whether there are any.
    mutating func reportTakenNames(of model: ModelDeclaration, in declaration: some DeclGroupSyntax) -> Bool {
        let taken = declaration.memberBlock.members.flatMap { $0.decl.typeLevelNames }
            .filter { model.addedNames.contains($0.name.bareName) }
        for (name, kind) in taken {
            report(.takenName(name.bareName, kind, isRaw: model.kind == .rawEnum), at: name)
        }
        return !taken.isEmpty
    }
}

/// What a member at the level of its type is.
enum TypeLevelMember: Equatable {
    case enumCase(hasKey: Bool)
    case `static`, type
}

extension DeclSyntax {
    /// The names that a member declares at the level of its type, not of its instances.
    fileprivate var typeLevelNames: [(name: TokenSyntax, kind: TypeLevelMember)] {
        if let list = self.as(EnumCaseDeclSyntax.self) {
            let hasKey = PropertyAttributes(of: list.attributes)[.key] != nil
            return list.elements.map { ($0.name, .enumCase(hasKey: hasKey)) }
        }
        if let variable = self.as(VariableDeclSyntax.self), variable.isStatic {
            return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
                .map { ($0, .static) }
        }
        if let function = self.as(FunctionDeclSyntax.self) {
            // With parameters, a function has another name.
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
