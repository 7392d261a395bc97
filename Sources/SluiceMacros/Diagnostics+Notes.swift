#if Macros
import SwiftDiagnostics

/// A note at the second location of a diagnostic.
struct ModelNote: NoteMessage {
    let id: String
    let message: String

    var noteID: MessageID { MessageID(domain: "Sluice", id: id) }

    static func sameKey(_ name: String) -> Self {
        Self(id: "sameKeyNote", message: "'\(name)' has this key here")
    }

    static func otherUse(isArray: Bool) -> Self {
        Self(id: "objectAndArrayNote", message: "used as \(isArray ? "an array" : "an object") here")
    }
}

extension KeyText.Flaw {
    /// The end of the message about a key.
    var reason: String {
        switch self {
        case .empty: "the key is empty"
        case .root: "'$' alone is the whole value"
        case .emptyComponent: "a component is empty"
        case .unclosedIndex: "'[' has no matching ']'"
        case .badIndex(let text): "an index must be a number from 0, not '\(text)'"
        case .textAfterIndex: "']' must be followed by '.', '[' or the end of the key"
        case .badEscape(let text): "'\(text)' is not an escape; use '\\.', '\\\\', '\\[', '\\]' or '\\*'"
        }
    }
}
#endif
