#if Macros
import SwiftDiagnostics
import SwiftSyntax

// Hooks are recognized by name and signature. A method that has only the name is reported, because it is never called.

/// A method of a model that the core calls.
enum ModelHook: String, CaseIterable {
    case didDecode, validate, willEncode, transform

    /// The protocol that declares the hook.
    var protocolName: String { self == .transform ? "JSONValueHook" : "JSONHooks" }

    /// Returns the reason why a method with this name is not the hook, or nil if the method is the hook.
    fileprivate func flaw(of method: FunctionDeclSyntax) -> HookFlaw? {
        if method.genericParameterClause != nil { return .generic }
        if let async = method.signature.effectSpecifiers?.asyncSpecifier { return .async(async) }
        return self == .transform ? valueFlaw(of: method) : modelFlaw(of: method)
    }

    private func modelFlaw(of method: FunctionDeclSyntax) -> HookFlaw? {
        if let modifier = method.staticModifier { return .static(modifier) }
        // A method whose parameters all have defaults can be called without arguments.
        guard method.parameters.allSatisfy({ $0.defaultValue != nil }) else { return .parameters }
        guard method.signature.returnsNothing || (self == .validate && method.signature.returnsBool) else {
            return .result
        }
        if self != .didDecode,
            let modifier = method.modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) })
        {
            return .mutating(modifier)
        }
        return nil
    }

    private func valueFlaw(of method: FunctionDeclSyntax) -> HookFlaw? {
        let parameters = method.parameters
        guard parameters.map(\.firstName.text) == ["_", "for"] else { return .parameters }
        guard parameters[0].type.isOptional, parameters[0].type.refers(to: "JSONValue"),
            parameters[1].type.refers(to: "String")
        else { return .parameters }
        guard method.signature.returnClause?.type.refers(to: "JSONValue") == true else { return .result }
        return method.staticModifier == nil ? .notStatic : nil
    }

    /// Whether a method is likely intended as the hook. `transform` is a common name.
    fileprivate func isMeant(by method: FunctionDeclSyntax) -> Bool {
        self != .transform || method.parameters.map(\.firstName.text) == ["_", "for"]
            || method.parameters.contains { $0.type.refers(to: "JSONValue") }
    }
}

/// The reason why a method with the name of a hook is not the hook.
enum HookFlaw {
    case generic, parameters, result, notStatic
    case async(TokenSyntax)
    case `static`(DeclModifierSyntax)
    case mutating(DeclModifierSyntax)
}

extension ModelParser {
    /// Finds the hooks among the methods of a type, and reports methods that have only the name of a hook.
    mutating func resolveHooks(of declaration: some DeclGroupSyntax, as kind: ModelDeclaration.Kind) {
        var found: [(hook: ModelHook, method: FunctionDeclSyntax, conditions: [Condition])] = []
        for (method, conditions) in hookMethods {
            guard kind != .rawEnum, let hook = method.hook, hook.flaw(of: method) == nil else { continue }
            let others = found.indices.filter {
                found[$0].hook == hook
                    && !found[$0].conditions.exclude(
                        conditions, haveOneName: found[$0].method.fullName == method.fullName)
            }
            if others.contains(where: { found[$0].method.parameters.count <= method.parameters.count }) { continue }
            for other in others.reversed() { found.remove(at: other) }
            found.append((hook, method, conditions))
        }
        for (method, _) in hookMethods {
            guard let hook = method.hook, !found.contains(where: { $0.hook == hook }), hook.isMeant(by: method)
            else {
                continue
            }
            report(method, hook, kind)
        }
        let ordered = ModelHook.allCases.flatMap { hook in found.filter { $0.hook == hook } }
        for (_, method, _) in ordered { reportIsolation(of: method, in: declaration) }
        declares.hooks = ordered.compactMap { hook, method, conditions in
            let declared = DeclaredMembers.Hook(hook, method, conditions)
            // If the type names the protocol, the core finds the hooks that have the signature of the protocol.
            let isNamed = declaration.inheritanceClause?.names(hook.protocolName) == true
            return isNamed && declared.isRequirement ? nil : declared
        }
    }

    /// Reports a hook on a global actor other than the main actor. No thread that decodes is known to be on such an actor.
    private mutating func reportIsolation(of method: FunctionDeclSyntax, in declaration: some DeclGroupSyntax) {
        let isIsolated =
            method.attributes.hasOtherActor
            || declaration.attributes.hasOtherActor
                && !method.attributes.contains(where: { $0.isNamed("MainActor") })
        guard isIsolated, !method.modifiers.contains(.nonisolated) else { return }
        report(.isolatedHook(method.fullName), at: method.name, .makeNonisolated(method))
    }

    private mutating func report(_ method: FunctionDeclSyntax, _ hook: ModelHook, _ kind: ModelDeclaration.Kind) {
        let name = method.fullName
        guard kind != .rawEnum, let flaw = hook.flaw(of: method) else {
            return report(.hookOfRawValue(name), at: method.name)
        }
        // The macro of the superclass reports the overridden method.
        guard !method.modifiers.contains(.override) else { return }
        report(.notHook(name, hook, flaw), at: method.name, .makeHook(method, flaw))
    }
}

extension DeclaredMembers.Hook {
    fileprivate init(_ hook: ModelHook, _ method: FunctionDeclSyntax, _ conditions: [Condition]) {
        self.init(
            conditions: conditions, kind: hook, isOverride: method.modifiers.contains(.override),
            throws: method.signature.effectSpecifiers?.throwsClause != nil,
            returnsBool: hook == .validate && method.signature.returnsBool,
            isRequirement: hook == .transform || (method.parameters.isEmpty && method.signature.returnsNothing),
            isNonisolated: method.modifiers.contains(.nonisolated),
            isOnMainActor: method.attributes.contains { $0.isNamed("MainActor") })
    }
}

extension FunctionDeclSyntax {
    /// The hook with the name of the method.
    var hook: ModelHook? { ModelHook(rawValue: name.bareName) }

    fileprivate var parameters: [FunctionParameterSyntax] { Array(signature.parameterClause.parameters) }

    fileprivate var staticModifier: DeclModifierSyntax? {
        modifiers.first { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    /// The name with argument labels, such as `transform(_:for:)`.
    fileprivate var fullName: String {
        "\(name.bareName)(\(parameters.map { $0.firstName.text + ":" }.joined()))"
    }
}

extension FunctionSignatureSyntax {
    fileprivate var returnsNothing: Bool {
        returnClause.map { ["Void", "()", "Swift.Void"].contains($0.type.trimmedDescription) } ?? true
    }

    fileprivate var returnsBool: Bool {
        ["Bool", "Swift.Bool"].contains(returnClause?.type.trimmedDescription)
    }
}
#endif
