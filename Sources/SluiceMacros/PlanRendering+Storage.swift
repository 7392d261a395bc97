#if Macros
import SwiftSyntax

// The storage is a struct with the decoded properties. The core writes to the storage if it can't write to the model.
//
// All members of the storage are private, except in a class that may have subclasses. The code of a macro belongs to the
// file of the declaration, so the plan can use the private members, and their types may be private.
extension PlanRenderer {
    /// The statement that returns the plan.
    var storagePlan: [String] {
        let superclass = model.superclass.map { ["superclass: \($0).plan", "base: \\._jsonBase"] } ?? []
        let first = ["storage: _JSONStorage.self"] + superclass + ["_fields"] + model.options.planArguments
        var arguments = [first.joined(separator: ", ")]
        arguments.append("make: \(make)")
        if !model.isOnOtherActor {
            arguments.append("read: \(reading)")
            if model.isInFamily {
                arguments.append("assign: _JSONStorage._jsonAssign")
            } else if model.isAssignable {
                arguments.append("assign: \(calling("assigning"))")
            }
        }
        let check = model.mayHaveOtherSuperclass ? "\(sluice)_JSONMacro.withoutSuperclass(" : ""
        return ["return \(check)\(planType)("] + arguments.dropLast().map { indented($0 + ",") }
            + arguments.suffix(1).map { indented($0 + (check.isEmpty ? ")" : "))")) }
    }

    /// The members of a class with errors that the macro of a subclass uses. The initializer also prevents an error about a
    /// class without initializers.
    var refusedStorage: [[String]] {
        var storage: [String] = []
        if model.kind == .openClass {
            let initial =
                model.inheritsInitializers ? "\(model.superclass ?? "")._JSONStorage._JSONInitial" : "_JSONStorage"
            storage = [
                "\(access)typealias _JSONInitial = \(initial)",
                "\(access)var _jsonInitial: _JSONInitial { \(refusal) }",
                "\(access)func _jsonFinish(_ model: \(model.name)) {}",
                "\(access)static var _jsonAssign: \(sluice)_JSONMacro.Assignment<\(model.name), _JSONStorage>? { nil }",
            ]
        }
        var members = [["\(storageAccess)nonisolated struct _JSONStorage {"] + storage.map(indented) + ["}"]]
        if !model.inheritsInitializers {
            members.append([
                "\(storageAccess)init(_jsonStorage storage: consuming _JSONStorage) {", indented(refusal), "}",
            ])
        }
        if model.kind == .openClass {
            members.append([
                "\(access)static func _jsonStorage(of model: \(model.name)) -> _JSONStorage {", indented(refusal),
                "}",
            ])
        }
        return members + implicitInitializer
    }

    /// The initializer without arguments that the class would have without the initializer from storage.
    ///
    /// An inherited initializer is as accessible as the class, any other one is internal.
    var implicitInitializer: [[String]] {
        guard model.losesImplicitInitializer else { return [] }
        return [
            model.hasOtherSuperclass
                ? ["\(access)override init() {", indented("super.init()"), "}"] : ["init() {", "}"]
        ]
    }

    var storage: [String] {
        let base = model.superclass.map { ["var _jsonBase: \($0)._JSONStorage"] } ?? []
        let properties = model.planned.map { property in
            // Without a written type, the type is inferred from the value. The value is never evaluated.
            let rest =
                property.type.map { ": \(inStorage($0))" } ?? property.value.map { " = \(unevaluated($0))" } ?? ""
            // In a class that may have subclasses, the storage itself is not private.
            let access = property.isPrivate && model.kind == .openClass ? "fileprivate " : ""
            return "\(access)var \(property.reference)\(rest)"
        }
        return ["\(storageAccess)nonisolated struct _JSONStorage {"]
            + (base + properties).map(indented) + familyMembers.map(indented) + ["}"]
    }

    var storageInitializer: [String] {
        let assignments = model.planned.filter { !$0.isFixed }.map {
            located("self.\($0.reference) = storage.\($0.reference)", at: $0.mayBeWrapped ? $0.node : nil)
        }
        let base =
            model.superclass == nil
            ? []
            : ["super.init(_jsonStorage: storage._jsonBase._jsonInitial)", "storage._jsonBase._jsonFinish(self)"]
        let isolation = initializesOnItsActor ? "" : "nonisolated "
        return deprecation + ["\(storageAccess)\(isolation)init(_jsonStorage storage: consuming _JSONStorage) {"]
            + (lines(of: assignments) + base).map(indented) + ["}"]
    }

    /// The functions that copy a model to its storage and assign a storage to a model. They are on the model's actor.
    var storageAccessors: [[String]] {
        guard !model.isOnOtherActor else { return [] }
        let base = model.superclass.map { ["_jsonBase: \($0)._jsonStorage(of: model)"] } ?? []
        let values = base + model.planned.map { "\($0.name.asLabel): model.\($0.reference)" }
        let reading =
            deprecation + [
                "\(storageAccess)static func _jsonStorage(of model: \(ownType)) -> _JSONStorage {",
                indented("_JSONStorage(\(values.joined(separator: ", ")))"), "}",
            ]
        guard model.isAssignable else { return [reading] }
        let assignments = model.planned.filter { !$0.isFixed }.map {
            "model.\($0.reference) = storage.\($0.reference)"
        }
        return [
            reading,
            deprecation + [
                "private static func _jsonAssign(_ storage: consuming _JSONStorage, to model: \(model.name)) {"
            ]
                + assignments.map(indented) + ["}"],
        ]
    }

    /// The function that reads a model.
    ///
    /// The compiler selects an overload by the isolation of the function. In a generic type, every reference to a function
    /// by name causes a warning, so the expansion uses a closure. Such a type must itself be `nonisolated` in a module that
    /// is isolated to the main actor by default.
    private var reading: String {
        model.callsByName
            ? "\(sluice)_JSONMacro.reading(\(ownType)._jsonStorage(of:))"
            : "{ \(ownType)._jsonStorage(of: $0) }"
    }

    func calling(_ helper: String) -> String {
        model.callsByName
            ? "\(sluice)_JSONMacro.\(helper)(\(model.name)._jsonAssign(_:to:))"
            : "{ \(model.name)._jsonAssign($0, to: $1) }"
    }

    private var make: String {
        if model.inheritsInitializers { return "{ $0._jsonModel() }" }
        return making
    }

    /// The function that calls the initializer from storage.
    ///
    /// The initializer also evaluates the initial values of properties. If they may call code of the main actor, the initializer
    /// can be called only there.
    var making: String {
        guard initializesOnItsActor else { return "{ \(ownType)(_jsonStorage: $0) }" }
        let helper = model.isolatedValues.allSatisfy(\.isMemberOfType) ? "making" : "makingOnActor"
        return "\(sluice)_JSONMacro.\(helper)(\(ownType).init(_jsonStorage:))"
    }

    /// Whether the initializer from storage has the isolation of its class.
    ///
    /// In a module that is isolated to the main actor by default, a subclass overrides the initializers of its superclass on
    /// the main actor. The initializer of the superclass can then not be `nonisolated`.
    ///
    /// An initializer without isolation also cannot assign a property with a wrapper.
    var initializesOnItsActor: Bool {
        model.callsByName && (model.isInFamily || model.assignsIsolatedWrappers || !model.isolatedValues.isEmpty)
    }

    /// The access level of the storage. Subclasses use the storage, also in other modules.
    var storageAccess: String { model.kind == .openClass ? access : "private " }

    /// Returns an initial value of the storage, which gives a property its type.
    func unevaluated(_ value: ExprSyntax) -> String {
        model.isOnMainActor && !value.isLiteral
            ? "\(sluice)_JSONMacro.unevaluated { @MainActor in \(inStorage(value)) }" : inStorage(value)
    }

    /// Returns code for use in the storage struct. The name of the model replaces `Self`, which would be the storage.
    func inStorage(_ node: some SyntaxProtocol) -> String {
        SelfReplacer(name: model.name).rewrite(node).trimmedDescription
    }
}

extension ModelDeclaration {
    /// The initial values that the initializer from storage evaluates and that may be on the main actor.
    ///
    /// An initializer without isolation skips the initial values of properties that it assigns.
    var isolatedValues: [ExprSyntax] {
        guard isOnMainActor else { return [] }
        let keepsValues = isInFamily || assignsIsolatedWrappers
        return properties.filter { keepsValues || $0.isIgnored }.compactMap(\.value).filter { !$0.isLiteral }
    }

    /// Whether the initializer from storage assigns properties with wrappers that may be on the main actor.
    var assignsIsolatedWrappers: Bool {
        isOnMainActor && planned.contains { $0.mayBeWrapped && !$0.isFixed }
    }

    var callsByName: Bool { !isGeneric || isOnMainActor }

    /// Whether decoded values can be assigned to an existing model.
    ///
    /// Constants cannot be assigned, and a struct is replaced as a whole.
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
