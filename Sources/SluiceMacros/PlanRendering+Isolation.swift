#if Macros
import SwiftSyntax

// Members of the main actor. A plan has no isolation, but the defaults and hooks of a type may have the isolation of their
// type. Named functions have this isolation, too, and the compiler selects an overload of `_JSONMacro` by it.
extension PlanRenderer {
    /// The field of a property, made by a function of the type if its type or default may be on the main actor.
    func isolated(_ property: ModelProperty) -> String {
        guard isIsolated(property) else { return field(property) }
        let helper = property.mayCallInDefault ? "field" : "constantField"
        return "\(sluice)_JSONMacro.\(helper)(\(ownType)._jsonField(\(property.name.asLabel):))"
    }

    /// The functions that make such fields.
    var isolatedFields: [[String]] {
        guard model.kind != .union else { return [] }
        return (model.usesStorage ? model.planned : model.properties).filter(isIsolated).map { property in
            let label = property.name.asLabel
            // The partial type is without isolation.
            let actor = isPartial ? "@MainActor " : ""
            let head =
                "\(actor)private static func _jsonField(\(label) _: \(sluice)_JSONMacro.Property) -> \(fieldType) {"
            // The type checker reports an error of the default at the line of the property.
            return property.conditional(
                deprecation + [head] + lines(of: [located(indented(field(property)), at: property.node)]) + ["}"])
        }
    }

    private func isIsolated(_ property: ModelProperty) -> Bool {
        guard model.isOnMainActor, !property.hasWrongLiteral else { return false }
        // A member of a type, such as `Limits.size`, may be a static constant of the main actor.
        if property.writtenDefault?.isLiteral == false { return true }
        // A transform is made with the plan, on any thread.
        guard property.transform == nil, let type = property.type else { return false }
        // Only code of the main actor can make a key path to a property whose type is not `Sendable`.
        if !model.usesStorage, !isPartial, !type.isOfScalars { return true }
        // A conformance may be on the main actor as well. The field of such a type is made where the conformance can be used.
        return model.isInMainActorModule && !property.isIgnored && !type.isOfScalars
    }

    /// The closure or function that calls a hook.
    func call(of hook: DeclaredMembers.Hook) -> String {
        guard isIsolated(hook) else {
            let statement = call(of: hook, on: "$0", for: "$1")
            return hook.returnsBool
                ? "{ guard \(statement) else { throw \(sluice)JSONValidationError() } }" : "{ \(statement) }"
        }
        let name = "\(ownType)._jsonHook"
        return switch hook.kind {
        case .didDecode: "\(sluice)_JSONMacro.changing(\(name)(didDecode:))"
        case .validate, .willEncode: "\(sluice)_JSONMacro.checking(\(name)(\(hook.kind.rawValue):))"
        case .transform: "\(sluice)_JSONMacro.transforming(\(name)(transform:for:))"
        }
    }

    /// The functions that call hooks of the main actor.
    var isolatedHooks: [[String]] {
        model.hooks.filter(isIsolated).map { hook in
            let actor = hook.isOnMainActor ? "@MainActor " : ""
            let parameters =
                switch hook.kind {
                case .didDecode: "didDecode model: inout \(ownType)"
                case .validate, .willEncode: "\(hook.kind.rawValue) model: \(ownType)"
                case .transform: "transform model: \(sluice)JSONValue?, for property: \(swift)String"
                }
            let result = hook.kind == .transform ? " -> \(sluice)JSONValue?" : ""
            let statement = call(of: hook, on: "model", for: "property")
            return hook.conditional([
                "\(actor)private static func _jsonHook(\(parameters)) throws\(result) {",
                indented(
                    hook.returnsBool
                        ? "guard \(statement) else { throw \(sluice)JSONValidationError() }" : statement),
                "}",
            ])
        }
    }

    /// Whether the conformances of the type are `nonisolated`.
    ///
    /// In a module that is isolated to the main actor by default, conformances are isolated as well, and the compiler rejects
    /// decoding elsewhere. A model without code of the main actor can be decoded by any thread.
    var hasNonisolatedConformances: Bool {
        guard model.isInMainActorModule, !model.isRefused else { return false }
        guard model.isOnMainActor else { return true }
        let callsActor =
            model.isClass || model.mayCallInInitializer || model.hooks.contains(where: isIsolated)
            || model.properties.contains { !$0.hasWrongLiteral && $0.mayCallInDefault }
        return !callsActor
    }

    private func isIsolated(_ hook: DeclaredMembers.Hook) -> Bool {
        (model.isOnMainActor || hook.isOnMainActor) && !hook.isNonisolated
    }

    private func call(of hook: DeclaredMembers.Hook, on model: String, for property: String) -> String {
        let method =
            hook.kind == .transform
            ? "\(ownType).transform(\(model), for: \(property))" : "\(model).\(hook.kind.rawValue)()"
        return "\(hook.throws ? "try " : "")\(method)"
    }
}

extension ModelProperty {
    /// Whether the default may call code of the program.
    ///
    /// A member without a call is a case of an enum or a static constant.
    fileprivate var mayCallInDefault: Bool {
        writtenDefault?.mayCall ?? false
    }

    /// The default in the field, or nil if the field has no default or is nil by default.
    fileprivate var writtenDefault: ExprSyntax? {
        guard location == .atKey || location == .embedded || isIgnored, !isLazy, defaultText != nil else {
            return nil
        }
        return declaredDefaultNode ?? value
    }
}
#endif
