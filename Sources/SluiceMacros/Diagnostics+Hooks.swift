#if Macros
import SwiftDiagnostics
import SwiftSyntax

// Messages about methods that have the name of a hook.
extension ModelMessage {
    /// Reports a method that has the name of a hook and is not a hook.
    ///
    /// The message is an error if the expansion can't call the method, and a warning if the method may have another
    /// purpose.
    static func notHook(_ name: String, _ hook: ModelHook, _ flaw: HookFlaw) -> Self {
        let reason: String
        switch flaw {
        case .mutating where hook == .validate:
            return Self("'\(name)' can't be 'mutating'; use 'didDecode()' to change the model")
        case .mutating:
            return Self("'\(name)' can't be 'mutating': encoding doesn't change the model")
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
            "'\(name)' is not called as a hook: \(reason); if it isn't a hook, move it to an extension",
            .warning)
    }

    static func isolatedHook(_ name: String) -> Self {
        Self(
            "'\(name)' must be 'nonisolated': hooks are called by the thread that decodes or encodes, which can't wait for "
                + "another actor")
    }

    static func hookOfRawValue(_ name: String) -> Self {
        Self(
            "'\(name)' is not called as a hook: an enum with a raw type has no hooks; if it isn't a hook, move it to an "
                + "extension", .warning)
    }
}

extension FixIt {
    /// Makes a method `nonisolated`, in place of its global actor.
    static func makeNonisolated(_ method: FunctionDeclSyntax) -> FixIt {
        for case .attribute(let attribute) in method.attributes
        where AttributeListSyntax([.attribute(attribute)]).hasOtherActor {
            let keyword = TokenSyntax.identifier("nonisolated").with(\.leadingTrivia, attribute.leadingTrivia)
            return FixIt(
                "makeNonisolated", "add 'nonisolated'", attribute,
                keyword.with(\.trailingTrivia, attribute.trailingTrivia))
        }
        let keyword = method.funcKeyword
        return FixIt(
            "makeNonisolated", "add 'nonisolated'", keyword,
            keyword.with(\.tokenKind, .identifier("nonisolated func")))
    }

    /// Makes a method a hook. Returns nil if the body of the method would have to change as well.
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
