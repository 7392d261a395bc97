#if Macros
import SwiftDiagnostics

/// What is said at the other place.
struct ModelNote: NoteMessage {
    let id: String
    let message: String

    var noteID: MessageID { MessageID(domain: "Sluice", id: id) }

    static func sameKey(_ name: String) -> Self {
        Self(id: "sameKeyNote", message: "'\(name)' has it here")
    }

    static func otherUse(isArray: Bool) -> Self {
        Self(id: "objectAndArrayNote", message: "taken as \(isArray ? "an array" : "an object") here")
    }
}

extension KeyText.Flaw {
    var reason: String {
        switch self {
        case .empty: "it is empty"
        case .root: "'$' alone is the whole value"
        case .emptyComponent: "a part of it is empty"
        case .unclosedIndex: "a '[' has no ']'"
        case .badIndex(let text): "an index is a number from 0, not '\(text)'"
        case .textAfterIndex: "after a ']' comes '.', '[' or the end"
        case .badEscape(let text): "'\(text)' is no escape; there are '\\.', '\\\\', '\\[', '\\]' and '\\*'"
        }
    }
}
#endif
