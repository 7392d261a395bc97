#if Macros
import SwiftSyntax

// Storage: a struct with the planned properties only, filled in place of a model that can't be filled itself.
//
// All its parts are private, but for a class that may have subclasses. A macro's code counts as written in the
// same file, so the plan reaches them, and their types may be as private as any property's.
extension PlanRenderer {
    /// The end of a plan's function: the plan itself.
    var storagePlan: [String] {
        let superclass = model.superclass.map { ["superclass: \($0).plan", "base: \\.jsonBase"] } ?? []
        let first = ["storage: JSONStorage.self"] + superclass + ["fields"] + model.options.planArguments
        var arguments = [first.joined(separator: ", ")]
        arguments.append("make: \(make)")
        if !model.isOnOtherActor {
            arguments.append("read: \(reading)")
            if model.isInFamily {
                arguments.append("assign: JSONStorage.jsonAssign")
            } else if model.isAssignable {
                arguments.append("assign: \(calling("jsonAssigning"))")
            }
        }
        return ["return \(planType)("] + arguments.dropLast().map { indented($0 + ",") }
            + arguments.suffix(1).map { indented($0 + ")") }
    }

    var storage: [String] {
        let base = model.superclass.map { ["var jsonBase: \($0).JSONStorage"] } ?? []
        let properties = model.planned.map { property in
            // Without a written type the value is there to infer it from, and is never evaluated.
            let rest =
                property.type.map { ": \(inStorage($0))" } ?? property.value.map { " = \(inStorage($0))" } ?? ""
            // In a class that may have subclasses the storage is no longer private as a whole.
            let access = property.isPrivate && model.kind == .openClass ? "fileprivate " : ""
            return "\(access)var \(property.reference)\(rest)"
        }
        return ["\(storageAccess)nonisolated struct JSONStorage {"]
            + (base + properties).map(indented) + familyMembers.map { $0.isEmpty ? $0 : indented($0) } + ["}"]
    }

    var storageInitializer: [String] {
        let assignments = model.planned.filter { !$0.isFixed }.map {
            "self.\($0.reference) = storage.\($0.reference)"
        }
        let base =
            model.superclass == nil
            ? []
            : ["super.init(jsonStorage: storage.jsonBase.jsonInitial)", "storage.jsonBase.jsonFinish(self)"]
        let isolation = initializesOnItsActor ? "" : "nonisolated "
        return ["\(storageAccess)\(isolation)init(jsonStorage storage: consuming JSONStorage) {"]
            + (assignments + base).map(indented) + ["}"]
    }

    /// What makes storage of a model, and what assigns it to one. They are on the model's actor, if it is on one.
    var storageAccessors: [[String]] {
        guard !model.isOnOtherActor else { return [] }
        let base = model.superclass.map { ["jsonBase: \($0).jsonStorage(of: model)"] } ?? []
        let values = base + model.planned.map { "\($0.name.asLabel): model.\($0.reference)" }
        let reading = [
            "\(storageAccess)static func jsonStorage(of model: \(model.name)) -> JSONStorage {",
            indented("JSONStorage(\(values.joined(separator: ", ")))"), "}",
        ]
        guard model.isAssignable else { return [reading] }
        let assignments = model.planned.filter { !$0.isFixed }.map {
            "model.\($0.reference) = storage.\($0.reference)"
        }
        return [
            reading,
            ["private static func jsonAssign(_ storage: consuming JSONStorage, to model: \(model.name)) {"]
                + assignments.map(indented) + ["}"],
        ]
    }

    /// The compiler chooses a helper by the function's isolation. In a generic type it has a warning for any function
    /// by name, so there is none, and a type in a module on the main actor has to be `nonisolated` itself.
    private var reading: String {
        model.callsByName
            ? "\(sluice)jsonReading(\(model.name).jsonStorage(of:))" : "{ \(model.name).jsonStorage(of: $0) }"
    }

    func calling(_ helper: String) -> String {
        model.callsByName
            ? "\(sluice)\(helper)(\(model.name).jsonAssign(_:to:))" : "{ \(model.name).jsonAssign($0, to: $1) }"
    }

    private var make: String {
        if model.inheritsInitializers { return "{ $0.jsonModel() }" }
        return initializesOnItsActor
            ? "\(sluice)jsonMaking(\(model.name).init(jsonStorage:))" : "{ \(model.name)(jsonStorage: $0) }"
    }

    /// In a module on the main actor a subclass overrides its superclass's initializers there, which a superclass's
    /// must not be `nonisolated` for.
    var initializesOnItsActor: Bool { model.isInFamily && model.callsByName }

    /// Subclasses build on it, in other modules too.
    var storageAccess: String { model.kind == .openClass ? access : "private " }

    /// Inside the storage struct, `Self` would be the storage.
    func inStorage(_ node: some SyntaxProtocol) -> String {
        SelfReplacer(name: model.name).rewrite(node).trimmedDescription
    }
}

extension ModelDeclaration {
    var callsByName: Bool { !isGeneric || isOnMainActor }

    /// Whether what is decoded can be assigned to a model that is there: not to constants, nor in a struct, which
    /// is made anew.
    var isAssignable: Bool { isClass && planned.allSatisfy { !$0.isConstant || $0.isFixed } }
}

private final class SelfReplacer: SyntaxRewriter {
    let name: String

    init(name: String) {
        self.name = name
        super.init()
    }

    override func visit(_ token: TokenSyntax) -> TokenSyntax {
        token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(name)) : token
    }
}
#endif
