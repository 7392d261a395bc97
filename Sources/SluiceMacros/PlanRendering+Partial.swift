#if Macros
import SwiftSyntax

// The nested type `Partial` of the option `.partial`: a model with the same keys, whose properties are optional.
//
// The macro does not know which types have a partial type of their own. Each property therefore has an initial value, nil, from a
// function whose overloads give the property its type. See `_JSONMacro.partial`.
extension PlanRenderer {
    var partial: [[String]] {
        let decoded = model.planned.filter { $0.ignoredDirection != ".decoding" }
        var structure = ModelDeclaration(kind: .structure, name: "Partial")
        structure.isGeneric = model.isGeneric
        structure.options = model.options
        structure.properties = decoded.map(\.partial)
        let plan = PlanRenderer(model: structure)
        let sendable = model.isSendable ? ", \(swift)Sendable" : ""
        return [
            [
                "/// The properties of `\(model.name)`, as far as they are read.",
                "\(access)nonisolated struct Partial: \(sluice)JSONPartialModel\(sendable) {",
            ] + decoded.map { indented(partialProperty($0)) }
                + ["", "\(access)init() {}", ""].map { $0.isEmpty ? $0 : indented($0) }
                + plan.stored(plan.planBody, as: "plan", modifiers: "\(access)static").map(indented) + ["}"],
            ["\(access)typealias _JSONPartial = Partial"],
        ]
    }

    private func partialProperty(_ property: ModelProperty) -> String {
        let access = property.isPrivate ? "private " : property.access.map { $0 + " " } ?? ""
        let name = "\(access)var \(property.reference)"
        if property.location == .extra { return "\(name): \(property.type.map { inStorage($0) } ?? "_") = [:]" }
        let helper =
            switch property.location {
            case .flattened: "flattened"
            case _ where property.transform != nil: "whole"
            default: "partial"
            }
        let argument = property.type.map { "\(raw: inStorage($0))" as TypeSyntax }.map(\.withoutForce.metatype)
        let value = argument ?? property.value.map { "of: \(unevaluated($0))" } ?? ""
        return "\(name) = \(sluice)_JSONMacro.\(helper)(\(value))"
    }
}

extension ModelProperty {
    /// The property of the partial type, without a default.
    fileprivate var partial: ModelProperty {
        var copy = self
        (copy.value, copy.declaredDefaultNode) = (nil, nil)
        // The type itself is inferred.
        copy.type = "Any?"
        return copy
    }
}

extension TypeSyntax {
    /// The type with `?` instead of `!`, which is not part of a type in an expression.
    fileprivate var withoutForce: TypeSyntax {
        self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self).map {
            TypeSyntax(OptionalTypeSyntax(wrappedType: $0.wrappedType))
        }
            ?? self
    }
}
#endif
