#if Macros
import SwiftDiagnostics
import SwiftSyntax

// Methods that have the name of a hook.
extension ModelMessage {
    /// A warning where the method may be meant for something else, an error where the expansion can't call it.
    static func notHook(_ name: String, _ hook: ModelHook, _ flaw: HookFlaw) -> Self {
        let reason: String
        switch flaw {
        case .mutating where hook == .validate:
            return Self(
                "mutatingHook", "'\(name)' can't be 'mutating': 'didDecode()' is the hook that changes a model")
        case .mutating:
            return Self("mutatingHook", "'\(name)' can't be 'mutating': encoding doesn't change a model")
        case .async: reason = "a hook can't be 'async'"
        case .generic: reason = "a hook can't be generic"
        case .static: reason = "the hook '\(name)' is an instance method"
        case .notStatic: reason = "the hook '\(name)' is a static method"
        case .parameters where hook == .transform: reason = "the hook takes '(_: JSONValue?, for: String)'"
        case .parameters: reason = "the hook '\(hook.rawValue)()' takes no arguments"
        case .result where hook == .transform: reason = "the hook returns a 'JSONValue?'"
        case .result where hook == .validate: reason = "the hook returns nothing, or a 'Bool'"
        case .result: reason = "the hook returns nothing"
        }
        return Self(
            "notHook",
            "'\(name)' is never called as a hook: \(reason). Move a method that is no hook to an extension",
            .warning)
    }

    static func hookOfRawValue(_ name: String) -> Self {
        Self(
            "hookOfRawValue",
            "'\(name)' is never called as a hook: an enum with a raw type has none. Move a method that is no hook to "
                + "an extension", .warning)
    }
}

extension FixIt {
    /// Nil where the method's body has to change too.
    static func makeHook(_ method: FunctionDeclSyntax, _ flaw: HookFlaw) -> FixIt? {
        switch flaw {
        case .generic, .parameters, .result: nil
        case .async(let token): .remove(token)
        case .static(let modifier), .mutating(let modifier): .remove(modifier.name)
        case .notStatic: .makeStatic(method)
        }
    }
}
#endif
