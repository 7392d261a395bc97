#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes what `@JSONModel` adds.
///
/// Three things hold of all of it. Core types are spelled `Sluice.…`, since a user's own `Field` must not get in
/// the way. Everything is `nonisolated`: decoding has no actor, also where a type or a module is on the main
/// actor. And each field is one statement, in functions of a few, which keeps the compiler's work linear.
struct PlanRenderer {
    let model: ModelDeclaration

    func members() -> [DeclSyntax] {
        guard !model.isRefused else { return [declaration(refusedPlan)] }
        var members = [declaration(plan)]
        if model.usesStorage {
            members.append(declaration(storage))
            if !model.initializesInExtension { members.append(declaration(storageInitializer)) }
        }
        if model.losesImplicitInitializer { members.append("init() {\n}") }
        return members
    }

    /// The extension that conforms the type to those protocols that it does not name itself, or nil if there is
    /// nothing for it to say.
    func conformance(of type: String, adding protocols: [String]) throws -> ExtensionDeclSyntax? {
        let needsInitializer = model.initializesInExtension && model.usesStorage && !model.isRefused
        guard !model.isHidden, !protocols.isEmpty || needsInitializer else { return nil }
        var lines = model.availability
        let list = protocols.map { "Sluice.\($0)" }.joined(separator: ", ")
        lines.append("extension \(type)\(list.isEmpty ? "" : ": ")\(list) {")
        if needsInitializer { lines += storageInitializer.map(indented) }
        lines.append("}")
        return try ExtensionDeclSyntax("\(raw: lines.joined(separator: "\n"))")
    }

    private var plan: [String] {
        let body = planBody
        if model.isGeneric {
            return ["\(modifiers)var plan: \(planType) {", indented("\(planType).shared {")]
                + body.map { indented(indented($0)) } + [indented("}"), "}"]
        }
        return ["\(modifiers)let plan: \(planType) = {"] + body.map(indented) + ["}()"]
    }

    private var planBody: [String] {
        // In storage an ignored property has no place, so the plan need not know of it.
        let fields = (model.usesStorage ? model.planned : model.properties).map {
            "fields.append(\(field($0)))"
        }
        let make = "storage: JSONStorage.self, fields, make: { \(model.name)(jsonStorage: $0) }"
        return ["\(fields.isEmpty ? "let" : "var") fields: \(fieldsType) = []"]
            + (fields.count > Self.mostInOnePlace ? grouped(fields) : fields)
            + ["return \(planType)(\(model.usesStorage ? make : "fields"))"]
    }

    /// The optimizer's time goes with the square of a function's length: 200 fields take it 24 s in one body and
    /// 4 s in functions of eight. The type checker gains as much.
    private func grouped(_ fields: [String]) -> [String] {
        stride(from: 0, to: fields.count, by: Self.groupSize).flatMap { start in
            let name = "add\(start / Self.groupSize + 1)"
            return ["@inline(never) func \(name)(to fields: inout \(fieldsType)) {"]
                + fields[start...].prefix(Self.groupSize).map(indented) + ["}", "\(name)(to: &fields)"]
        }
    }

    private static let mostInOnePlace = 16
    private static let groupSize = 8

    private func field(_ property: ModelProperty) -> String {
        var arguments = ["\(property.isIgnored ? "ignoring: " : "")\\.\(property.reference)"]
        arguments.append("name: \(quote(property.name))")
        for (position, key) in property.keys.enumerated() {
            let label = position == 0 ? "key: " : position == 1 ? "or: " : ""
            arguments.append(label + key.literal)
        }
        // The core makes an ignored property's value always, so there nil has to be said too.
        if let value = property.defaultText ?? (property.isIgnored ? "nil" : nil) {
            arguments.append("default: \(value)")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    /// Conforms, so that nothing but the reported errors shows.
    private var refusedPlan: [String] {
        [
            "\(modifiers)var plan: \(planType) {",
            indented("fatalError(\"'\(model.name)' has errors at its declaration\")"),
            "}",
        ]
    }

    private var fieldsType: String { "[Sluice.Field<\(model.usesStorage ? "JSONStorage" : model.name)>]" }

    private var planType: String { "Sluice.ModelPlan<\(model.name)>" }

    private var modifiers: String {
        (model.access.map { $0 + " " } ?? "") + "nonisolated static "
    }

    func indented(_ line: String) -> String { "    " + line }

    func declaration(_ lines: [String]) -> DeclSyntax { "\(raw: lines.joined(separator: "\n"))" }
}
#endif
