#if Macros
import SwiftParser
import SwiftSyntax

extension PlanRenderer {
    /// The shape of an enum with a raw type. The list of values is for the error about an unknown raw value.
    var rawShape: [String] {
        // The parameter is an optional, of which `.none` is nil.
        let fallback = model.fallback.map { ", fallback: \(ownType).\($0)" } ?? ""
        let shape = combined(model.cases) { cases in
            let values = cases.map { ".\($0.reference)" }.joined(separator: ", ")
            let list = values.isEmpty ? "" : ", values: [\(values)]"
            return [".rawValue(\(ownType).self\(list)\(fallback))"]
                + (model.documentation.map { [indented(".describing(\(quote($0)))")] } ?? [])
        }
        return ["\(access)nonisolated static var jsonShape: \(sluice)JSONShape {"] + shape.map(indented) + ["}"]
    }

    var unionPlan: [[String]] {
        let arguments =
            ["cases: _cases"] + (model.options.tagging.map { ["tagging: \($0)"] } ?? [])
            + (model.options["fallback"].map { ["fallback: \($0)"] } ?? []) + model.options.enumArguments
        let casesType = "[\(sluice)JSONCase<\(ownType)>]"
        let names = Set(model.cases.map(\.name))
        let cases = model.cases.map { item in
            limited(
                "_cases.append(\(self.item(item, besides: names)))", by: item.availability, item.conditions,
                at: item.isSurelyAccepted ? nil : item.node)
        }
        let body =
            ["var _cases: \(casesType) = []"] + lines(of: cases)
            + projected("\(planType)(\(arguments.joined(separator: ", ")))") + hooks + descriptions
        return planDeclaration(body, modifiers: "\(access)nonisolated static")
    }

    /// The statement that returns the plan of an enum, with a function that moves the payload out of a value. The box of an indirect
    /// case cannot be moved, and a case that some systems lack cannot be part of a `switch`.
    private func projected(_ plan: String) -> [String] {
        if model.hasIndirectCases || model.cases.isEmpty || model.cases.contains(where: \.isLimited) {
            return [returned(plan)]
        }
        let head =
            "\(sluice)_JSONMacro.projecting(_plan) { (_jsonModel: consuming \(ownType), _jsonPayload: \(sluice)_JSONPayload) in"
        let moves = model.cases.enumerated().map { index, item in
            let (pattern, value) =
                switch item.payload {
                case .none: ("", "")
                case .value: ("(let value)", "value")
                case .labelled(let properties):
                    (
                        "(\(item.bindings(of: properties)))",
                        "_JSONStorage.\(item.structName)(\(item.copies(of: properties)))"
                    )
                }
            let result = value.isEmpty ? "\(index)" : "_jsonPayload.store(\(value), of: \(index))"
            return "case .\(item.reference)\(pattern): return \(result)"
        }
        let body = ["switch consume _jsonModel {"] + moves + ["}"]
        let (start, end) =
            model.isGeneric ? ("return \(head)", "}") : ("return \(sluice)_JSONMacro.knowingHooks(\(head)", "})")
        return ["let _plan = \(plan)", start] + body.map(indented) + [end]
    }

    /// A plan that is made by a function.
    ///
    /// Swift 6.3 type-checks the expansion inside an enum only when generating code. An error in the initial value of a
    /// static property then ends the compiler without a message. An error in a function is reported.
    private func planDeclaration(_ body: [String], modifiers: String) -> [[String]] {
        if model.isGeneric { return [stored(body, as: "plan", modifiers: modifiers)] }
        return [
            deprecation + ["\(modifiers) let plan: \(planType) = _jsonPlan()"],
            deprecation + ["private nonisolated static func _jsonPlan() -> \(planType) {"] + body.map(indented) + [
                "}"
            ],
        ]
    }

    /// The shape of an enum with values, which replaces the default shape of a model.
    var unionShape: [String] {
        [
            "\(access)nonisolated static var jsonShape: \(sluice)JSONShape {",
            indented(".union(\(ownType).self)"),
            "}",
        ]
    }

    /// The structs for the labeled values of cases.
    var unionStructs: [[String]] {
        let structs = model.cases.compactMap { item in
            if case .labelled(let properties) = item.payload {
                item.conditional(lines(of: item, properties))
            } else {
                nil
            }
        }
        guard !structs.isEmpty else { return [] }
        return [
            ["private nonisolated enum _JSONStorage {"]
                + structs.joined(separator: [""]).map(indented) + ["}"]
        ]
    }

    private func item(_ item: ModelCase, besides names: Set<String>) -> String {
        let name = item.reference
        var arguments = [quote(item.name)]
        if !item.keys.isEmpty { arguments.append("keys: [\(item.keys.joined(separator: ", "))]") }
        switch item.payload {
        case .none:
            arguments.append("value: .\(name)")
            arguments.append("matches: { if case .\(name) = $0 { true } else { false } }")
        case .value(let type):
            arguments.append("\(item.payloadLabel): \(type.metatype(besides: names))\(item.payloadForm)")
            arguments.append("make: { .\(name)($0) }")
            arguments.append("read: { if case .\(name)(let value) = $0 { value } else { nil } }")
        case .labelled(let properties):
            let values = properties.map { "\($0.name.asLabel): $0.\($0.reference)" }
            arguments.append("\(item.payloadLabel): _JSONStorage.\(item.structName).self\(item.payloadForm)")
            arguments.append("make: { .\(name)(\(values.joined(separator: ", "))) }")
            arguments.append(
                "read: { if case .\(name)(\(item.bindings(of: properties))) = $0 { "
                    + ".init(\(item.copies(of: properties))) } else { nil } }")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    private func lines(of item: ModelCase, _ properties: [ModelProperty]) -> [String] {
        // The plan is an ordinary plan of a struct, with the options of the enum.
        var structure = ModelDeclaration(kind: .structure, name: item.structName)
        structure.isGeneric = model.isGeneric
        structure.options = model.options
        structure.properties = properties.map { property in
            var copy = property
            copy.type = property.type.map { "\(raw: inStorage($0))" }
            copy.value = property.value.map { "\(raw: inStorage($0))" }
            return copy
        }
        let plan = PlanRenderer(model: structure, location: location)
        return ["nonisolated struct \(item.structName): \(sluice)JSONModel {"]
            + structure.properties.map { indented("var \($0.reference): \($0.type?.trimmedDescription ?? "_")") }
            + plan.planDeclaration(plan.planBody, modifiers: "static").flatMap { $0 }.map(indented) + ["}"]
    }
}

extension ModelCase {
    /// Whether some builds or systems do not have the case.
    fileprivate var isLimited: Bool { availability.isLimited || !conditions.isEmpty }

    fileprivate var payloadLabel: String { isEmbedded ? "embedded" : "payload" }

    /// The patterns that bind labeled values.
    fileprivate func bindings(of properties: [ModelProperty]) -> String {
        properties.map { "let \($0.reference)" }.joined(separator: ", ")
    }

    /// The arguments that make the struct of labeled values from bound ones.
    fileprivate func copies(of properties: [ModelProperty]) -> String {
        properties.map { "\($0.name.asLabel): \($0.reference)" }.joined(separator: ", ")
    }

    /// The argument that follows the type of the payload.
    fileprivate var payloadForm: String { embedding.map { ", as: \($0)" } ?? "" }
}

extension ModelDeclaration {
    /// The name of the fallback case after a dot.
    fileprivate var fallback: String? {
        options.fallbackName.map { $0.isValidSwiftIdentifier(for: .memberAccess) ? $0 : "`\($0)`" }
    }
}

extension TypeSyntax {
    /// Returns the metatype, such as `Circle.self`, with parentheses if the type is not a name.
    ///
    /// - Parameter names: The names that are those of members in an expression, but not in a type.
    func metatype(besides names: Set<String>) -> String {
        if tokens(viewMode: .sourceAccurate).contains(where: { names.contains($0.bareName) }) {
            return "\(sluice)_JSONMacro.Same<\(trimmedDescription)>.self"
        }
        let isName = self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
        let isSugar =
            self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) || self.is(OptionalTypeSyntax.self)
        return isName || isSugar ? "\(trimmedDescription).self" : "(\(trimmedDescription)).self"
    }
}

extension String {
    /// The name as the label of an argument. Keywords need no backticks, apart from `inout`.
    var asLabel: String { isPlainName && self != "inout" ? self : "`\(self)`" }

    fileprivate var isPlainName: Bool {
        unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
            && unicodeScalars.first.map { $0 == "_" || $0.properties.isXIDStart } ?? false
    }
}
#endif
