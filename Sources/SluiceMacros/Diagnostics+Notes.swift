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

    static let sameName = Self(id: "sameNameNote", message: "the other case is here")

    static func otherUse(isArray: Bool) -> Self {
        Self(id: "objectAndArrayNote", message: "used as \(isArray ? "an array" : "an object") here")
    }

    static func otherSelection(isEvery: Bool) -> Self {
        Self(id: "everyAndOneNote", message: "\(isEvery ? "every value" : "a single value") is selected here")
    }
}
#endif
