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
            guarded(
                model.hasOtherSuperclass
                    ? ["\(access)override init() {", indented("super.init()"), "}"] : ["init() {", "}"],
                unless: model.conditionsOfInitializers)
        ]
    }

    var storage: [String] {
        let base = model.superclass.map { ["var _jsonBase: \($0)._JSONStorage"] } ?? []
        let properties = model.planned.flatMap { property in
            // Without a written type, the type is inferred from the value. The value is never evaluated.
            let rest =
                property.type.map { ": \(inStorage($0))" } ?? property.value.map { " = \(unevaluated($0))" } ?? ""
            // In a class that may have subclasses, the storage itself is not private.
            let access = property.isPrivate && model.kind == .openClass ? "fileprivate " : ""
            return property.conditional(["\(access)var \(property.reference)\(rest)"])
        }
        // Subclasses use the storage, but not the old model in it.
        let access = model.kind == .openClass ? "fileprivate " : ""
        let old = model.kept.isEmpty ? [] : ["\(access)var _jsonOld: \(model.name)?"]
        return ["\(storageAccess)nonisolated struct _JSONStorage {"]
            + (base + properties + old).map(indented) + familyMembers.map(indented) + ["}"]
    }

    var storageInitializer: [String] {
        let assignments = model.planned.filter { !$0.isFixed }.map {
            located(
                "self.\($0.reference) = storage.\($0.reference)", at: $0.mayBeWrapped ? $0.node : nil,
                if: $0.conditions.code)
        }
        let base =
            model.superclass == nil
            ? []
            : ["super.init(_jsonStorage: storage._jsonBase._jsonInitial)", "storage._jsonBase._jsonFinish(self)"]
        let isolation = model.initializesOnItsActor ? "" : "nonisolated "
        return deprecation + ["\(storageAccess)\(isolation)init(_jsonStorage storage: consuming _JSONStorage) {"]
            + (lines(of: assignments) + base + kept(in: "self", if: "")).map(indented) + ["}"]
    }

    /// The statements that copy ignored properties of the old model to the new one, which a merge makes from the storage. In an initializer,
    /// assignments call no observers.
    private func kept(in new: String, if condition: String) -> [String] {
        model.kept.flatMap { property in
            let name = property.reference
            let copy: String
            if !property.isAssignedByFunction {
                copy = "\(new).\(name) = old.\(name)"
            } else if model.isClass {
                copy = "\(sluice)_JSONMacro.keep(\\.\(name), of: old, in: \(new))"
            } else {
                let argument = property.isConstant ? "\\.\(name)" : "wrapper: \"_\(property.name)\""
                copy = "\(sluice)_JSONMacro.keep(\(argument), of: old, in: &\(new))"
            }
            return property.conditional(["if let old = storage._jsonOld\(condition) { \(copy) }"])
        }
    }

    /// The functions that copy a model to its storage and assign a storage to a model. They are on the model's actor.
    var storageAccessors: [[String]] {
        guard !model.isOnOtherActor else { return [] }
        let base = model.superclass.map { ["_jsonBase: \($0)._jsonStorage(of: model)"] } ?? []
        let old = model.kept.isEmpty ? [] : ["_jsonOld: model"]
        let reading =
            deprecation + ["\(storageAccess)static func _jsonStorage(of model: \(ownType)) -> _JSONStorage {"]
            + combined(model.planned) { properties in
                let values = base + properties.map { "\($0.name.asLabel): model.\($0.reference)" } + old
                return ["_JSONStorage(\(values.joined(separator: ", ")))"]
            }.map(indented) + ["}"]
        guard model.isAssignable else { return [reading] }
        let assignments = model.planned.filter { !$0.isFixed }.flatMap {
            $0.conditional(["model.\($0.reference) = storage.\($0.reference)"])
        }
        // The function also completes an object that an inherited initializer has made.
        let kept = model.inheritsInitializers ? kept(in: "model", if: ", old !== model") : []
        return [
            reading,
            deprecation + [
                "private static func _jsonAssign(_ storage: consuming _JSONStorage, to model: \(model.name)) {"
            ]
                + (assignments + kept).map(indented) + ["}"],
        ]
    }

    /// The function that reads a model.
    ///
    /// The compiler selects an overload by the isolation of the function. In a generic type, every reference to a function
    /// by name causes a warning, so the expansion uses a closure. Such a type must itself be `nonisolated` in a module that
    /// is isolated to the main actor by default.
    private var reading: String {
        guard model.callsByName else { return "{ \(ownType)._jsonStorage(of: $0) }" }
        // The getter of a wrapper is code of the program.
        let copies = model.isOnMainActor && !model.isClass && !model.planned.contains(where: \.mayBeWrapped)
        return "\(sluice)_JSONMacro.\(copies ? "copying" : "reading")(\(ownType)._jsonStorage(of:))"
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
    /// The initializer also evaluates the initial values of properties, and calls the initializer of a superclass that is not a model.
    /// If they may call code of the main actor, the initializer can be called only there.
    var making: String {
        guard model.initializesOnItsActor else { return "{ \(ownType)(_jsonStorage: $0) }" }
        let helper = model.mayCallInInitializer ? "makingOnActor" : "making"
        return "\(sluice)_JSONMacro.\(helper)(\(ownType).init(_jsonStorage:))"
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
    /// Whether the initializer from storage has the isolation of its type.
    ///
    /// In a module that is isolated to the main actor by default, a subclass overrides the initializers of its superclass on
    /// the main actor. The initializer of the superclass can then not be `nonisolated`.
    ///
    /// A superclass that is not a model may be on an actor, to which its subclass and its initializers belong, too.
    ///
    /// An initializer without isolation can assign neither a property with a wrapper or a macro, nor a property whose type is not
    /// `Sendable`. The macro does not know which types are, and prefers an initializer without isolation if initial values may call
    /// code of the main actor: an initializer with isolation evaluates them, and can then be called only there. An initializer
    /// without isolation skips the initial values of properties that it assigns.
    var initializesOnItsActor: Bool {
        guard callsByName, !isInFamily, !hasIgnoredSuperclass else { return callsByName }
        let mayCall = values.contains(where: \.mayCall)
        if mayHaveOtherSuperclass, !mayCall { return true }
        guard isOnMainActor else { return false }
        let assigned = planned.filter { !$0.isFixed }
        return assigned.contains { $0.mayBeWrapped || isObserved && !$0.isConstant }
            || properties.contains { $0.isIgnored && !$0.isLazy && $0.value?.isLiteral == false }
            || !mayCall && !(assigned.allSatisfy(\.isSurelySendable) && ignoredVariables.isEmpty)
    }

    /// The ignored properties that a model made by a merge gets from the old one. The storage then contains the old model, too.
    ///
    /// An initializer without isolation cannot read a model of the main actor.
    var kept: [ModelProperty] { isOnMainActor && !initializesOnItsActor ? [] : ignoredVariables }

    /// The ignored properties that can be copied to a new model, unless merges change all models in place.
    ///
    /// The value of a lazy property would be evaluated, and a constant of a class cannot be assigned. The initializer cannot refer to the
    /// object before an implicit call of the initializer of the superclass.
    private var ignoredVariables: [ModelProperty] {
        guard usesStorage, !isOnOtherActor, isInFamily || !isAssignable else { return [] }
        let callsImplicitly = mayHaveOtherSuperclass || hasOtherSuperclass
        return properties.filter { property in
            guard property.isIgnored, !property.isLazy else { return false }
            if property.isConstant { return !isClass && property.value?.isLiteral == false }
            return !(property.isAssignedByFunction && callsImplicitly)
        }
    }

    /// Whether the initializer from storage has the isolation of its type and may call code of the main actor: initial values, or the
    /// initializer of a superclass that is not a model.
    var mayCallInInitializer: Bool {
        guard usesStorage, initializesOnItsActor else { return false }
        return hasIgnoredSuperclass || isOnMainActor && values.contains(where: \.mayCall)
    }

    /// Whether the class states that its superclass is not a model.
    private var hasIgnoredSuperclass: Bool { isClass && options["superclass"] != nil }

    /// The initial values that an initializer evaluates.
    private var values: [ExprSyntax] { properties.filter { !$0.isLazy }.compactMap(\.value) }

    var callsByName: Bool { !isGeneric || isOnMainActor }

    /// Whether decoded values can be assigned to an existing model.
    ///
    /// Constants cannot be assigned, and a struct is replaced as a whole.
    var isAssignable: Bool { isClass && planned.allSatisfy { !$0.isConstant || $0.isFixed } }
}

extension ModelProperty {
    /// Whether the compiler may reject an assignment, which only a function can then replace.
    fileprivate var isAssignedByFunction: Bool { isConstant || wrapper?.isOfKnownMacro == false }

    /// Whether the type is certainly `Sendable`.
    fileprivate var isSurelySendable: Bool { type?.isOfScalars ?? value?.isLiteral ?? false }
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
