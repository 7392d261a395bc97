#if Macros
import SwiftSyntax

extension DeclaredMembers {
    mutating func add(_ initializer: InitializerDeclSyntax) {
        if !initializer.modifiers.contains(.convenience) { designatedInitializer = true }
        let parameters = initializer.signature.parameterClause.parameters
        if parameters.count == 1, parameters.first?.firstName.text == "from",
            parameters.first?.type.isNamed("Decoder") == true
        {
            initFromDecoder = true
        }
    }

    mutating func add(_ function: FunctionDeclSyntax) {
        let parameters = function.signature.parameterClause.parameters
        guard function.name.text == "encode", parameters.map(\.firstName.text) == ["to"],
            parameters.first?.type.isNamed("Encoder") == true, !function.modifiers.contains(.static),
            !function.modifiers.contains(.class),
            function.signature.effectSpecifiers?.asyncSpecifier == nil, function.genericParameterClause == nil
        else { return }
        encodeToEncoder = true
    }
}

extension TypeSyntax {
    /// Whether the type is this protocol, as in `Decoder`, `any Decoder` or `any Swift.Decoder`.
    fileprivate func isNamed(_ name: String) -> Bool {
        let constraint = self.as(SomeOrAnyTypeSyntax.self)?.constraint ?? self
        return constraint.trimmedDescription == name || constraint.trimmedDescription == "Swift.\(name)"
    }
}
#endif
