#if Macros
import SwiftSyntax

extension PlanRenderer {
    /// An enum with a raw type is what its raw value is. Its values are for the error of an unknown one.
    var rawShape: [String] {
        let values = model.cases.map { ".\($0.reference)" }.joined(separator: ", ")
        let list = values.isEmpty ? "" : ", values: [\(values)]"
        let fallback = model.fallback.map { ", fallback: .\($0)" } ?? ""
        return [
            "\(access)nonisolated static var jsonShape: \(sluice)JSONShape {",
            indented(".rawValue(\(model.name).self\(list)\(fallback))"), "}",
        ]
    }

    var unionPlan: [[String]] {
        let arguments =
            ["cases: cases"] + (model.options.tagging.map { ["tagging: \($0)"] } ?? [])
            + (model.options["fallback"].map { ["fallback: \($0)"] } ?? []) + model.options.planArguments
        let casesType = "[\(sluice)JSONCase<\(model.name)>]"
        let cases = model.cases.map { item in
            located("cases.append(\(self.item(item)))", at: item.isSurelyAccepted ? nil : item.node)
        }
        let body =
            ["var cases: \(casesType) = []"] + lines(of: cases)
            + ["return \(planType)(\(arguments.joined(separator: ", ")))"] + hooks
        return made(body, modifiers: "\(access)nonisolated static")
    }

    /// A plan that a function makes. In an enum Swift 6.3 looks at what a macro adds only when it generates code, and an
    /// error in the initial value of a static property ends the compiler without a message. Of a function it reports it.
    private func made(_ body: [String], modifiers: String) -> [[String]] {
        if model.isGeneric { return [stored(body, as: "plan", modifiers: modifiers)] }
        return [
            ["\(modifiers) let plan: \(planType) = jsonPlan()"],
            ["private nonisolated static func jsonPlan() -> \(planType) {"] + body.map(indented) + ["}"],
        ]
    }

    /// A model's shape is a struct's or a class's unless it says otherwise.
    var unionShape: [String] {
        [
            "\(access)nonisolated static var jsonShape: \(sluice)JSONShape {",
            indented(".union(\(model.name).self)"),
            "}",
        ]
    }

    /// The structs that stand for the labelled values of cases.
    var unionStructs: [[String]] {
        let structs = model.cases.compactMap { item in
            if case .labelled(let properties) = item.payload { lines(of: item, properties) } else { nil }
        }
        guard !structs.isEmpty else { return [] }
        return [
            ["private nonisolated enum JSONStorage {"]
                + structs.joined(separator: [""]).map { $0.isEmpty ? $0 : indented($0) } + ["}"]
        ]
    }

    private func item(_ item: ModelCase) -> String {
        let name = item.reference
        var arguments = [quote(item.name)]
        if !item.keys.isEmpty { arguments.append("keys: [\(item.keys.joined(separator: ", "))]") }
        switch item.payload {
        case .none:
            arguments.append("value: .\(name)")
            arguments.append("matches: { if case .\(name) = $0 { true } else { false } }")
        case .value(let type):
            arguments.append("\(item.payloadLabel): \(type.metatype)")
            arguments.append("make: { .\(name)($0) }")
            arguments.append("read: { if case .\(name)(let value) = $0 { value } else { nil } }")
        case .labelled(let properties):
            let values = properties.map { "\($0.name.asLabel): $0.\($0.reference)" }
            let bindings = properties.map { "let \($0.reference)" }
            let copies = properties.map { "\($0.name.asLabel): \($0.reference)" }
            arguments.append("\(item.payloadLabel): JSONStorage.\(item.structName).self")
            arguments.append("make: { .\(name)(\(values.joined(separator: ", "))) }")
            arguments.append(
                "read: { if case .\(name)(\(bindings.joined(separator: ", "))) = $0 { "
                    + ".init(\(copies.joined(separator: ", "))) } else { nil } }")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
    }

    private func lines(of item: ModelCase, _ properties: [ModelProperty]) -> [String] {
        // Its plan is a struct's as any other, with the enum's own choices.
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
            + plan.made(plan.planBody, modifiers: "static").flatMap { $0 }.map(indented) + ["}"]
    }
}

extension ModelCase {
    fileprivate var payloadLabel: String { isEmbedded ? "embedded" : "payload" }
}

extension ModelDeclaration {
    /// The case that the fallback names, as code refers to it.
    fileprivate var fallback: String? {
        options.fallbackName.map { $0.isPlainName ? $0 : "`\($0)`" }
    }
}

extension TypeSyntax {
    /// `Circle.self`, with parentheses where the type is more than a name.
    fileprivate var metatype: String {
        let isName = self.is(IdentifierTypeSyntax.self) || self.is(MemberTypeSyntax.self)
        let isSugar =
            self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) || self.is(OptionalTypeSyntax.self)
        return isName || isSugar ? "\(trimmedDescription).self" : "(\(trimmedDescription)).self"
    }
}

extension String {
    /// As the label of an argument: any name that needs no back-ticks there, keywords among them.
    var asLabel: String { isPlainName ? self : "`\(self)`" }

    fileprivate var isPlainName: Bool {
        unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
            && unicodeScalars.first.map { $0 == "_" || $0.properties.isXIDStart } ?? false
    }
}
#endif
