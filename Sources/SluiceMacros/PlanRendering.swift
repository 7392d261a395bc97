#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Generates the code that `@JSONModel` adds.
///
/// Four rules apply to all generated code:
/// - Types of the core are written with their module, so that a user's own `JSONField` causes no conflict.
/// - Names that the macro adds and no program uses begin with an underscore, also those of local variables, because copied initial
///   values may refer to names of the program.
/// - All members are `nonisolated`, because decoding is not isolated to an actor, even if the type or the module is. The
///   functions that read a finished model are an exception, see `_JSONMacro.reading`.
/// - Each field is one statement, in functions of a few statements. Compile time is therefore linear.
struct PlanRenderer {
    let model: ModelDeclaration
    /// Whether the model is the partial type of another one.
    var isPartial = false
    /// Returns the location of a node of the declaration, or nil if the location is unknown.
    var location: (Syntax) -> AbstractSourceLocation? = { _ in nil }

    /// The members that the macro adds to the type.
    var members: [[String]] {
        guard !model.hasTakenName else { return [] }
        guard !model.isRefused else { return refused }
        var members: [[String]]
        switch model.kind {
        case .rawEnum: members = [rawShape]
        case .union: members = unionPlan + [unionShape] + unionStructs
        default: members = plan
        }
        if model.usesStorage {
            members.append(storage)
            if !model.initializesInExtension, !model.inheritsInitializers { members.append(storageInitializer) }
            members += storageAccessors
        }
        members += isolatedFields + isolatedHooks
        members += implicitInitializer
        if model.options.isPartial { members += partial }
        if model.isHidden { members += codable }
        return members
    }

    /// The members that the macro adds in an extension.
    var extensionMembers: [[String]] {
        guard !model.isRefused else { return [] }
        return (model.initializesInExtension && model.usesStorage ? [storageInitializer] : []) + codable
    }

    /// Returns the extension that adds the protocols which the type does not name itself, or nil if it would be empty.
    func conformance(of type: String, adding protocols: [String]) throws -> ExtensionDeclSyntax? {
        guard !model.isHidden, !model.hasTakenName else { return nil }
        // The compiler crashes on a subclass if a class lacks conformances that its macro lists.
        let isRefusedClass = model.isRefused && model.kind == .openClass
        let listed =
            model.conformances + (isRefusedClass ? ["Decodable", "Encodable", "_JSONCodableModel"] : [])
        let isolation = hasNonisolatedConformances ? "nonisolated " : ""
        let added = protocols.filter { listed.contains($0) }
            .filter { !model.isRefused || isRefusedClass || $0.hasPrefix("JSON") }
            .map { isolation + (["Decodable", "Encodable"].contains($0) ? swift : sluice) + $0 }
        let members = Array(extensionMembers.joined(separator: [""]))
        guard !added.isEmpty || !members.isEmpty else { return nil }
        let lines =
            model.availability + ["extension \(type)\(added.isEmpty ? "" : ": ")\(added.joined(separator: ", ")) {"]
            + members.map(indented) + ["}"]
        return try ExtensionDeclSyntax("\(raw: lines.joined(separator: "\n"))")
    }

    /// The members with the plan of a struct or a class.
    ///
    /// A class that has a superclass or may have subclasses needs two members, because only a computed property can be
    /// overridden.
    private var plan: [[String]] {
        let body = planBody
        guard model.isInFamily else {
            return [stored(body, as: "plan", modifiers: "\(access)nonisolated static")]
        }
        let override = model.superclass == nil ? "" : "override "
        let head =
            "\(model.isOpen ? "open " : access)nonisolated \(override)class var plan: \(sluice)_AnyModelPlan {"
        // A static property would override the one of a superclass whose private members are visible.
        if model.isGeneric || model.isInsideSuperclass {
            return [[head] + shared(body, "._erased").map(indented) + ["}"]]
        }
        return [
            stored(body, as: "_jsonPlan", modifiers: "private nonisolated static"),
            [head, indented("_jsonPlan._erased"), "}"],
        ]
    }

    /// Returns a property whose plan is made once, even in a type that cannot have static stored properties.
    func stored(_ body: [String], as name: String, modifiers: String) -> [String] {
        deprecation
            + (model.isGeneric
                ? ["\(modifiers) var \(name): \(planType) {"] + shared(body).map(indented) + ["}"]
                : ["\(modifiers) let \(name): \(planType) = {"] + body.map(indented) + ["}()"])
    }

    private func shared(_ body: [String], _ suffix: String = "") -> [String] {
        ["\(planType).shared {"] + body.map(indented) + ["}\(suffix)"]
    }

    var planBody: [String] {
        // The storage does not contain ignored properties, so the plan omits them.
        let fields =
            (model.usesStorage ? model.planned : model.properties).map { property in
                located(
                    "_fields.append(\(isolated(property)))", at: property.isSurelyAccepted ? nil : property.node,
                    if: property.conditions.code)
            }
            + (model.kept.isEmpty
                ? [] : [["_fields.append(\(sluice)JSONField(ignoring: \\._jsonOld, default: nil))"]])
        return ["\(fields.isEmpty ? "let" : "var") _fields: \(fieldsType) = []"]
            + adding(fields, to: "_fields", of: fieldsType)
            + (model.usesStorage
                ? storagePlan
                : [returned("\(planType)(\((["_fields"] + model.options.planArguments).joined(separator: ", ")))")])
            + hooks + descriptions
    }

    /// The statement that returns the plan of a struct or an enum. The compiler chooses the overload by the conformances of the type, of
    /// which the macro sees only those of the declaration. In a generic type, the compiler does not see those with conditions.
    func returned(_ plan: String) -> String {
        model.isGeneric ? "return \(plan)" : "return \(sluice)_JSONMacro.knowingHooks(\(plan))"
    }

    /// The calls that add the hooks of the type to the plan: those that a conformance in an extension has, too, and the others.
    ///
    /// Hooks are part of the plan and not a conformance, because the compiler crashes on a superclass that lacks a
    /// conformance which the macro may add.
    var hooks: [String] {
        let conditional = model.hooks.filter { !$0.conditions.isEmpty }
        return calls(of: model.hooks.filter(\.conditions.isEmpty))
            + conditional.flatMap { $0.conditional(calls(of: [$0])) }
    }

    private func calls(of hooks: [DeclaredMembers.Hook]) -> [String] {
        calls(of: hooks.filter(\.isRequirement), in: "_methods")
            + calls(of: hooks.filter { !$0.isRequirement }, in: "hooks")
    }

    private func calls(of hooks: [DeclaredMembers.Hook], in function: String) -> [String] {
        guard !hooks.isEmpty else { return [] }
        let calls = hooks.map { "\($0.kind.rawValue): \(call(of: $0))" }
        return [indented(".\(function)(\(calls.joined(separator: ", ")))")]
    }

    /// Stubs that satisfy the protocol and the macro of a subclass, so that the compiler shows only the reported errors.
    private var refused: [[String]] {
        let head =
            switch model.kind {
            case .rawEnum: "\(access)nonisolated static var jsonShape: \(sluice)JSONShape {"
            case _ where model.isInFamily:
                "\(access)nonisolated \(model.superclass == nil ? "" : "override ")class var plan: \(sluice)_AnyModelPlan {"
            default: "\(access)nonisolated static var plan: \(planType) {"
            }
        let members = [[head, indented(refusal), "}"]]
        return model.isClass ? members + refusedStorage : members
    }

    /// The statement of members that are never called.
    var refusal: String { "\(swift)fatalError(\"'\(model.name)' has errors at its declaration\")" }

    private var fieldsType: String { "[\(fieldType)]" }

    var fieldType: String { "\(sluice)JSONField<\(model.usesStorage ? "_JSONStorage" : ownType)>" }

    var planType: String { "\(sluice)ModelPlan<\(ownType)>" }

    /// The attribute of members that use a deprecated property or case, so that they cause no warnings.
    ///
    /// The compiler accepts a deprecated plan for the requirement of the protocol. The macro of a subclass refers to the members of its
    /// superclass, which are therefore without the attribute.
    var deprecation: [String] {
        model.usesDeprecated && !model.isInFamily ? ["@available(*, deprecated)"] : []
    }

    /// The type in its own members. A type inside of the type can have the same name. In a class, `Self` could be a subclass, and a case
    /// or a property can be named `Self`.
    var ownType: String { model.isClass || hidesSelf ? model.name : "Self" }

    /// Whether a case or a property is named `Self`. In an expression, the name is then not that of the type.
    var hidesSelf: Bool {
        model.cases.contains { $0.name == "Self" } || model.properties.contains { $0.name == "Self" }
    }

    /// The access level of protocol requirements, followed by a space.
    var access: String { model.access.map { $0 + " " } ?? "" }
}

/// Returns a line inside of braces.
func indented(_ line: String) -> String { line.isEmpty ? line : "    " + line }

extension ModelDeclaration {
    /// Whether the type is a class that may have subclasses, or whose superclass is a model. Its plan can be overridden.
    var isInFamily: Bool { kind == .openClass || superclass != nil }
}
#endif
