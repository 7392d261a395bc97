#if Macros
import SwiftSyntax

extension DeclaredMembers {
    mutating func add(_ initializer: InitializerDeclSyntax, _ conditions: [Condition]) {
        if !initializer.modifiers.contains(.convenience) { designatedInitializers.append(conditions) }
        let parameters = initializer.signature.parameterClause.parameters
        if parameters.count == 1, parameters.first?.firstName.text == "from",
            parameters.first?.type.isNamed("Decoder") == true
        {
            initFromDecoder.append(Coding(name: initializer.initKeyword, conditions: conditions))
        }
    }

    mutating func add(_ function: FunctionDeclSyntax, _ conditions: [Condition]) {
        let parameters = function.signature.parameterClause.parameters
        guard function.name.text == "encode", parameters.map(\.firstName.text) == ["to"],
            parameters.first?.type.isNamed("Encoder") == true, !function.modifiers.contains(.static),
            !function.modifiers.contains(.class),
            function.signature.effectSpecifiers?.asyncSpecifier == nil, function.genericParameterClause == nil
        else { return }
        encodeToEncoder.append(Coding(name: function.name, conditions: conditions))
    }
}

extension TypeSyntax {
    /// Whether the type is this protocol, as in `Decoder`, `any Decoder` or `any Swift.Decoder`.
    fileprivate func isNamed(_ name: String) -> Bool {
        let constraint = self.as(SomeOrAnyTypeSyntax.self)?.constraint ?? self
        return constraint.knownName == name
    }
}
#endif
