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

    /// A function counts as a hook if it is declared as the hook is. (`throws` it may leave out.)
    mutating func add(_ function: FunctionDeclSyntax) {
        let parameters = function.signature.parameterClause.parameters
        guard function.signature.effectSpecifiers?.asyncSpecifier == nil, function.genericParameterClause == nil
        else {
            return
        }
        let isStatic = function.modifiers.contains(.static) || function.modifiers.contains(.class)
        switch function.name.text {
        case "validate", "didDecode", "willEncode":
            if !isStatic, parameters.isEmpty, function.signature.returnsNothing { addHook(function) }
        case "transform":
            if isStatic, parameters.map(\.firstName.text) == ["_", "for"] { addHook(function) }
        case "encode":
            if !isStatic, parameters.map(\.firstName.text) == ["to"],
                parameters.first?.type.isNamed("Encoder") == true
            {
                encodeToEncoder = true
            }
        default: break
        }
    }

    private mutating func addHook(_ function: FunctionDeclSyntax) {
        hooks.append(
            Hook(
                name: function.name.text, isOverride: function.modifiers.contains(.override),
                throws: function.signature.effectSpecifiers?.throwsClause != nil))
    }
}

extension FunctionSignatureSyntax {
    fileprivate var returnsNothing: Bool {
        returnClause.map { ["Void", "()", "Swift.Void"].contains($0.type.trimmedDescription) } ?? true
    }
}

extension TypeSyntax {
    /// `Decoder`, `any Decoder`, `any Swift.Decoder`.
    fileprivate func isNamed(_ name: String) -> Bool {
        let constraint = self.as(SomeOrAnyTypeSyntax.self)?.constraint ?? self
        return constraint.trimmedDescription == name || constraint.trimmedDescription == "Swift.\(name)"
    }
}
#endif
