#if Macros
import SwiftSyntax

// The nested type `Partial` of the option `.partial`: a model with the same keys, whose properties are optional, or an enum with the
// same cases.
//
// A scalar, a container of scalars, and a value that is read as a whole are written with their types. The macro does not know which other
// types have a partial type of their own. Such a property has an initial value, nil, from a function whose overloads give the property its
// type. See `_JSONMacro.partial`.
extension PlanRenderer {
    var partial: [[String]] {
        [
            model.kind == .union ? partialEnum : partialStruct,
            ["\(access)typealias _JSONPartial = Partial"],
        ]
    }

    /// The partial type of a type parameter is not known, and may be one that is not `Sendable`.
    private var partialSendable: String { model.isSendable && !model.isGeneric ? ", \(swift)Sendable" : "" }

    /// The partial type of an enum: the same cases, whose values have partial types.
    private var partialEnum: [String] {
        var union = ModelDeclaration(kind: .union, name: "Partial")
        (union.access, union.isGeneric, union.options) = (model.access, model.isGeneric, model.options)
        union.hasIndirectCases = model.hasIndirectCases
        union.cases = model.cases.map(partialCase)
        let plan = PlanRenderer(model: union)
        let indirect = model.hasIndirectCases ? "indirect " : ""
        let head = "\(access)nonisolated \(indirect)enum Partial: \(sluice)JSONModel\(partialSendable) {"
        return [partialDescription, head]
            + ([union.cases.flatMap { $0.conditional(["case \($0.declaration)"]) }] + plan.unionPlan + [
                plan.unionShape
            ]
            + plan.unionStructs)
            .joined(separator: [""]).map(indented) + ["}"]
    }

    private func partialCase(_ item: ModelCase) -> ModelCase {
        func partial(_ type: TypeSyntax) -> TypeSyntax {
            "\(raw: sluice)_JSONMacro.Partial<\(raw: inStorage(type))>"
        }
        var item = item
        (item.node, item.documentation, item.availability) = (nil, nil, DeclaredAvailability())
        switch item.payload {
        case .none: break
        case .value(let type): item.payload = .value(partial(type))
        case .labelled(let properties):
            item.payload = .labelled(
                properties.map { property in
                    var copy = property
                    (copy.value, copy.node) = (nil, nil)
                    // An optional has an optional as its partial type.
                    copy.type = property.type.map { type in
                        type.isOptional ? partial(type) : TypeSyntax("\(raw: partial(type).description)?")
                    }
                    return copy
                })
        }
        return item
    }

    private var partialDescription: String { "/// The properties of `\(model.name)`, as far as they are read." }

    private var partialStruct: [String] {
        let decoded = model.planned.filter { $0.ignoredDirection != ".decoding" }
        var structure = ModelDeclaration(kind: .structure, name: "Partial")
        structure.isGeneric = model.isGeneric
        structure.options = model.options
        (structure.isOnMainActor, structure.isInMainActorModule) = (model.isOnMainActor, model.isInMainActorModule)
        structure.properties = decoded.map(partialField)
        var plan = PlanRenderer(model: structure)
        plan.isPartial = true
        // A type with required properties cannot be made without values.
        let isEmptyAtFirst = !decoded.contains { $0.partialPresence == .required }
        let proto = isEmptyAtFirst ? "JSONPartialModel" : "JSONModel"
        let identifiable =
            model.isIdentifiable && decoded.contains { $0.name == "id" } ? ", \(swift)Identifiable" : ""
        let head = "\(access)nonisolated struct Partial: \(sluice)\(proto)\(identifiable)\(partialSendable) {"
        let names = Set(decoded.map(\.name))
        let members =
            [plan.stored(plan.planBody, as: "plan", modifiers: "\(access)static")] + plan.isolatedFields
        return [partialDescription, head]
            + decoded.flatMap { $0.conditional([partialProperty($0, besides: names)]) }.map(indented)
            + (isEmptyAtFirst ? ["", "\(access)init() {}", ""] : [""]).map(indented)
            + members.joined(separator: [""]).map(indented) + ["}"]
    }

    /// Returns the property of the partial type, without a default.
    private func partialField(_ property: ModelProperty) -> ModelProperty {
        var copy = property
        (copy.value, copy.declaredDefaultNode, copy.isDeprecated) = (nil, nil, false)
        copy.isAddressable = true
        // The type itself is inferred. Each property is optional.
        copy.type =
            property.type.map { type in
                type.isOptional ? type : TypeSyntax("\(raw: type.trimmedDescription)?")
            } ?? "Any?"
        // A required property cannot be nil instead of its default.
        if property.partialPresence == .required, !property.isOptional { copy.defaultCases = nil }
        // In the arguments of attributes, `Self` is the model.
        func inModel(_ argument: String) -> String { inStorage("\(raw: argument)" as ExprSyntax) }
        copy.transform = property.transform.map(inModel)
        copy.coercion = property.coercion.map(inModel)
        copy.embedding = property.embedding.map(inModel)
        if case .these(let cases) = copy.defaultCases { copy.defaultCases = .these(inModel(cases)) }
        if case .also(let cases) = copy.defaultCases { copy.defaultCases = .also(inModel(cases)) }
        return copy
    }

    private func partialProperty(_ property: ModelProperty, besides names: Set<String>) -> String {
        let access = property.isPrivate ? "private " : property.access.map { $0 + " " } ?? ""
        let name = "\(access)var \(property.reference)"
        if property.partialPresence == .required {
            return "\(name): \(property.type.map { inStorage($0) } ?? "_")"
        }
        if property.location == .extra { return "\(name): \(property.type.map { inStorage($0) } ?? "_") = [:]" }
        let type = property.type.map { "\(raw: inStorage($0))" as TypeSyntax }
        let isFlattened = property.location == .flattened
        let isWhole = property.transform != nil || property.partialPresence != nil
        if let type, !isFlattened, isWhole || type.isOfScalars { return "\(name): \(type.asOptional)" }
        let helper = isFlattened ? "flattened" : isWhole ? "whole" : "partial"
        let argument = type.map { $0.withoutForce.metatype(besides: names) }
        let value = argument ?? property.value.map { "of: \(unevaluated($0))" } ?? ""
        let absent = "\(sluice)_JSONMacro.\(helper)(\(value))"
        // The conformance of the type may be on the main actor.
        guard model.isOnMainActor, model.isInMainActorModule else {
            return "\(name) = \(absent)"
        }
        return "\(name) = \(sluice)_JSONMacro.absent { @MainActor in \(absent) }"
    }
}

extension ModelCase {
    /// The case in a declaration.
    fileprivate var declaration: String {
        switch payload {
        case .none: reference
        case .value(let type): "\(reference)(\(type))"
        case .labelled(let properties):
            "\(reference)("
                + properties.map { "\($0.name.asLabel): \($0.type?.description ?? "_")" }.joined(separator: ", ")
                + ")"
        }
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

    /// The type as an optional, with parentheses if the type is not a name.
    fileprivate var asOptional: String {
        if isOptional { return withoutForce.trimmedDescription }
        let isName =
            self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self) || self.is(ArrayTypeSyntax.self)
            || self.is(DictionaryTypeSyntax.self)
        return isName ? "\(trimmedDescription)?" : "(\(trimmedDescription))?"
    }
}
#endif
