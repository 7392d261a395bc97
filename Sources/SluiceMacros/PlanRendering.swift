#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Writes what `@JSONModel` adds.
///
/// Three things hold of all of it. Core types are spelled with their module, so that a user's own `Field` does not get in
/// the way. Everything is `nonisolated`: decoding has no actor, also where a type or a module is on the main
/// actor. (What reads a finished model is not, see `Sluice.jsonReading`.) And each field is one statement, in
/// functions of a few, which keeps the compiler's work linear.
struct PlanRenderer {
    let model: ModelDeclaration
    /// Where a node of the declaration is written; nil where nobody knows.
    var location: (Syntax) -> AbstractSourceLocation? = { _ in nil }

    func members() -> [DeclSyntax] {
        guard !model.hasTakenName else { return [] }
        guard !model.isRefused else { return [declaration(refused)] }
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
        if model.losesImplicitInitializer { members.append(["init() {", "}"]) }
        if model.isHidden { members += codable }
        return members.map(declaration)
    }

    /// The extension that conforms the type to those protocols that it does not name itself, or nil if there is
    /// nothing for it to say.
    func conformance(of type: String, adding protocols: [String]) throws -> ExtensionDeclSyntax? {
        guard !model.isHidden, !model.hasTakenName else { return nil }
        var body: [[String]] = []
        if !model.isRefused {
            if model.initializesInExtension, model.usesStorage { body.append(storageInitializer) }
            body += codable
        }
        let added = model.conformances.filter { protocols.contains($0) }
            .filter { !model.isRefused || !["Decodable", "Encodable"].contains($0) }
            .map { (["Decodable", "Encodable"].contains($0) ? "\(swift)" : "\(sluice)") + $0 }
        guard !added.isEmpty || !body.isEmpty else { return nil }
        var lines = model.availability
        lines.append("extension \(type)\(added.isEmpty ? "" : ": ")\(added.joined(separator: ", ")) {")
        lines += body.joined(separator: [""]).map { $0.isEmpty ? $0 : indented($0) }
        lines.append("}")
        return try ExtensionDeclSyntax("\(raw: lines.joined(separator: "\n"))")
    }

    /// The plan of a struct or a class: one member, or two for a class that has or is a superclass, where only a
    /// computed property can be overridden.
    private var plan: [[String]] {
        let body = planBody
        guard model.isInFamily else {
            return [stored(body, as: "plan", modifiers: "\(access)nonisolated static")]
        }
        let override = model.superclass == nil ? "" : "override "
        let head =
            "\(model.isOpen ? "open " : access)nonisolated \(override)class var plan: \(sluice)AnyModelPlan {"
        if model.isGeneric {
            return [[head] + shared(body, ".erasedPlan").map(indented) + ["}"]]
        }
        return [
            stored(body, as: "jsonPlan", modifiers: "private nonisolated static"),
            [head, indented("jsonPlan.erasedPlan"), "}"],
        ]
    }

    /// A plan that is made once, also where Swift has no stored property for it.
    func stored(_ body: [String], as name: String, modifiers: String) -> [String] {
        model.isGeneric
            ? ["\(modifiers) var \(name): \(planType) {"] + shared(body).map(indented) + ["}"]
            : ["\(modifiers) let \(name): \(planType) = {"] + body.map(indented) + ["}()"]
    }

    private func shared(_ body: [String], _ suffix: String = "") -> [String] {
        ["\(planType).shared {"] + body.map(indented) + ["}\(suffix)"]
    }

    var planBody: [String] {
        // In storage an ignored property has no place, so the plan need not know of it.
        let fields = (model.usesStorage ? model.planned : model.properties).map { property in
            located("fields.append(\(field(property)))", at: property.isSurelyAccepted ? nil : property.node)
        }
        return ["\(fields.isEmpty ? "let" : "var") fields: \(fieldsType) = []"]
            + adding(fields, to: "fields", of: fieldsType)
            + (model.usesStorage
                ? storagePlan
                : ["return \(planType)(\((["fields"] + model.options.planArguments).joined(separator: ", ")))"])
            + hooks
    }

    /// The end of a plan's function where the type has hooks. They are the plan's and no conformance, since the
    /// compiler can't bear a superclass that might have conformed to what a macro can add and didn't.
    var hooks: [String] {
        guard !model.hooks.isEmpty else { return [] }
        let calls = model.hooks.map { hook in
            let name = hook.kind.rawValue
            let method = hook.kind == .transform ? "\(model.name).transform($0, for: $1)" : "$0.\(name)()"
            let call = "\(hook.throws ? "try " : "")\(method)"
            return hook.returnsBool
                ? "\(name): { guard \(call) else { throw \(sluice)JSONValidationError() } }"
                : "\(name): { \(call) }"
        }
        return [indented(".hooks(\(calls.joined(separator: ", ")))")]
    }

    /// Conforms, so that nothing but the reported errors shows.
    private var refused: [String] {
        let head =
            switch model.kind {
            case .rawEnum: "\(access)nonisolated static var jsonShape: \(sluice)JSONShape {"
            case _ where model.isInFamily:
                "\(access)nonisolated \(model.superclass == nil ? "" : "override ")class var plan: \(sluice)AnyModelPlan {"
            default: "\(access)nonisolated static var plan: \(planType) {"
            }
        return [head, indented("\(swift)fatalError(\"'\(model.name)' has errors at its declaration\")"), "}"]
    }

    private var fieldsType: String { "[\(sluice)JSONField<\(model.usesStorage ? "JSONStorage" : model.name)>]" }

    var planType: String { "\(sluice)ModelPlan<\(model.name)>" }

    /// The access of what a protocol needs, with a space behind.
    var access: String { model.access.map { $0 + " " } ?? "" }

    func indented(_ line: String) -> String { "    " + line }

    private func declaration(_ lines: [String]) -> DeclSyntax { "\(raw: lines.joined(separator: "\n"))" }
}

extension ModelDeclaration {
    /// A class that has subclasses or a superclass that are models too: its plan is a property to override.
    var isInFamily: Bool { kind == .openClass || superclass != nil }
}
#endif
