#if Macros
import SwiftDiagnostics

/// Everything the macros have to say: what is wrong and what would make it right, in one line.
struct ModelMessage: DiagnosticMessage {
    let id: String
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "Sluice", id: id) }

    private init(_ id: String, _ message: String, _ severity: DiagnosticSeverity = .error) {
        self.id = id
        self.message = message
        self.severity = severity
    }
}

// The type.
extension ModelMessage {
    static func notAStructOrClass(_ introducer: String) -> Self {
        Self("notAStructOrClass", "@JSONModel goes on a struct or a final class; this is of kind '\(introducer)'")
    }

    static func parameterPack(_ name: String) -> Self {
        Self("parameterPack", "'\(name)' has a parameter pack, and Swift can't make the key paths of its plan")
    }

    static func nonFinalClass(_ name: String) -> Self {
        Self(
            "nonFinalClass",
            "a class needs 'final' to be a @JSONModel: the plan of '\(name)' can't fill a subclass's properties")
    }
}

extension ModelMessage {
    static func hidden(_ name: String) -> Self {
        Self(
            "hidden",
            "a macro can't conform '\(name)', which 'private' hides from the rest of the file: use 'fileprivate', "
                + "or write ': JSONModel, JSONFillable' yourself")
    }
}

// A property that can't be filled.
extension ModelMessage {
    static func lazy(_ name: String) -> Self {
        Self("lazy", "'\(name)' is lazy, so no plan can fill it: remove 'lazy', or add @JSONIgnore")
    }

    static func ownership(_ name: String, _ ownership: String) -> Self {
        Self(
            "ownership",
            "'\(name)' is \(ownership), so a decoded value would have no owner: remove '\(ownership)', "
                + "or add @JSONIgnore and a default")
    }

    static func wrapped(_ name: String, _ attribute: String) -> Self {
        Self(
            "wrapped",
            "'\(name)' is wrapped by '\(attribute)', so no plan can fill it: remove the wrapper, "
                + "or add @JSONIgnore and a default")
    }

    static func function(_ name: String) -> Self {
        Self("function", "'\(name)' is a function, which no JSON stands for: add @JSONIgnore and a default")
    }

    static func noType(_ name: String) -> Self {
        Self("noType", "'\(name)' needs a type or an initial value")
    }

    static let tuplePattern = Self(
        "tuplePattern", "a tuple pattern has no keys: declare each property by its own name")

    static func insideConditional(_ name: String) -> Self {
        Self(
            "insideConditional",
            "'\(name)' is inside '#if', where @JSONModel can't see if it exists: move it out of the '#if'")
    }

    static func constant(_ name: String) -> Self {
        Self(
            "constant",
            "'\(name)' will not be decoded because it is a constant with an initial value", .warning)
    }
}

// The attributes.
extension ModelMessage {
    /// Why a property has no part in a plan.
    enum Unplanned: String {
        case computed = "computed"
        case `static` = "static"
    }

    static func notOnProperty(_ attribute: PropertyAttribute) -> Self {
        Self("notOnProperty", "\(attribute.rawValue) goes on a stored property of a @JSONModel type")
    }

    static func outsideModel(_ attribute: PropertyAttribute, type: String?) -> Self {
        let place = type.map { "'\($0)' is not a @JSONModel" } ?? "an extension has no stored properties"
        return Self("outsideModel", "\(attribute.rawValue) has no effect here: \(place)")
    }

    static func keyWithoutEffect(_ name: String, _ kind: Unplanned) -> Self {
        Self("keyWithoutEffect", "@JSONKey has no effect on '\(name)': a \(kind.rawValue) property is not decoded")
    }

    static func ignoreWithoutEffect(_ name: String, _ kind: Unplanned) -> Self {
        Self(
            "ignoreWithoutEffect",
            "@JSONIgnore has no effect on '\(name)': a \(kind.rawValue) property is not decoded anyway", .warning)
    }

    static func severalProperties(_ attribute: PropertyAttribute, count: Int) -> Self {
        Self(
            "severalProperties",
            "\(attribute.rawValue) is for one property, but this declares \(count): give each its own declaration")
    }

    static func twoKeys(_ name: String) -> Self {
        Self("twoKeys", "'\(name)' has a @JSONKey already: further candidates go after its 'or:'")
    }

    static func constantWithKey(_ name: String) -> Self {
        Self(
            "constantWithKey",
            "@JSONKey has no effect on '\(name)': a constant with an initial value is not decoded")
    }

    static func ignoredWithKey(_ name: String) -> Self {
        Self("ignoredWithKey", "'\(name)' has both @JSONKey and @JSONIgnore: an ignored property has no key")
    }

    static func ignoredWithoutDefault(_ name: String) -> Self {
        Self(
            "ignoredWithoutDefault",
            "@JSONIgnore needs a default: give '\(name)' an initial value, or make it an optional 'var'")
    }
}

// The keys.
extension ModelMessage {
    static let keyNotLiteral = Self(
        "keyNotLiteral",
        "a key has to be a plain string literal, without interpolation: the plan is made when compiling")

    static func badKey(_ text: String, _ flaw: KeyText.Flaw) -> Self {
        let message =
            flaw == .anyElement
            ? "'[*]' is not supported in a model's key yet: write an index, as in '[0]'"
            : "'\(text)' is no key: \(flaw.reason)"
        return Self("badKey", message)
    }

    static func sameKey(_ name: String, _ other: String, _ path: KeyText) -> Self {
        if name == other {
            return Self("sameKey", "'\(path)' is a key of '\(name)' already")
        }
        return Self("sameKey", "'\(name)' and '\(other)' have the same key '\(path)'")
    }

    static func objectAndArray(_ spot: KeyText, isIndexed: Bool) -> Self {
        let place = spot.components.isEmpty ? "the whole value" : "'\(spot)'"
        let now = isIndexed ? "an array" : "an object"
        let before = isIndexed ? "an object" : "an array"
        return Self("objectAndArray", "this key takes \(place) as \(now), but another takes it as \(before)")
    }
}

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
        case .anyElement: "'[*]' stands for several values"
        case .textAfterIndex: "after a ']' comes '.', '[' or the end"
        case .badEscape(let text): "'\(text)' is no escape; there are '\\.', '\\\\', '\\[' and '\\]'"
        }
    }
}
#endif
