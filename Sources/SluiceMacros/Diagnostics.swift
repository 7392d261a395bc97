#if Macros
import SwiftDiagnostics

/// A diagnostic of the macros, which states the problem and the correction on one line.
struct ModelMessage: DiagnosticMessage {
    let id: String
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "Sluice", id: id) }

    /// - Parameter id: The name of the member that returns the message.
    init(_ message: String, _ severity: DiagnosticSeverity = .error, id: String = #function) {
        self.id = String(id.prefix { $0 != "(" })
        self.message = message
        self.severity = severity
    }
}

// Messages about the type.
extension ModelMessage {
    static func noModelKind(_ introducer: String) -> Self {
        Self("@JSONModel can be applied to a struct, a class or an enum, but not to this '\(introducer)'")
    }

    static func parameterPack(_ name: String) -> Self {
        Self("'\(name)' has a parameter pack, so Swift can't make the key paths of its plan")
    }
}

extension ModelMessage {
    static func hidden(_ name: String, _ conformances: [String]) -> Self {
        Self(
            "a macro can't add conformances to '\(name)', which is hidden by 'private'; use 'fileprivate', "
                + "or write ': \(conformances.joined(separator: ", "))'")
    }
}

// Messages about properties that can't be decoded.
extension ModelMessage {
    static func ownership(_ name: String, _ ownership: String) -> Self {
        Self(
            "'\(name)' is \(ownership), so a decoded value would have no owner; remove '\(ownership)', "
                + "or add @JSONIgnore and a default")
    }

    static func misspelled(_ attribute: String, _ kind: PropertyAttribute) -> Self {
        Self("'\(attribute)' is not an attribute of Sluice; did you mean '\(kind.rawValue)'?")
    }

    static func function(_ name: String) -> Self {
        Self("'\(name)' is a function, which has no JSON form; add @JSONIgnore and a default")
    }

    static func withoutJSON(_ name: String, _ type: String, isAny: Bool) -> Self {
        Self(
            "'\(name)' holds '\(type)', which has no JSON form; "
                + (isAny ? "use 'JSONValue'" : "declare a model")
                + ", add a @JSONTransform, or add @JSONIgnore and a default")
    }

    static func noType(_ name: String) -> Self {
        Self("'\(name)' needs a type or an initial value")
    }

    static var tuplePattern: Self { Self("a tuple pattern has no keys; declare each property separately") }

    static var tooManyConditions: Self {
        Self(
            "the members are inside '#if' with more than 6 conditions, and @JSONModel needs code for each combination; use one '#if' "
                + "for several members")
    }

    static func conditionalInitializer(_ name: String) -> Self {
        Self(
            "'#if' decides whether '\(name)' inherits the initializers of its superclass; give its properties initial values, or "
                + "declare an initializer outside of '#if'")
    }

    static func conditionalAttribute(_ attribute: PropertyAttribute, _ name: String) -> Self {
        Self(
            "\(attribute.rawValue) is inside '#if', but @JSONModel can't evaluate the condition; "
                + "declare '\(name)' in each clause of an '#if'")
    }

    static func undecoded(_ name: String, _ kind: Unplanned) -> Self {
        Self("'\(name)' is neither decoded nor encoded because it is \(kind.rawValue)", .note)
    }

    static func constant(_ name: String) -> Self {
        Self("'\(name)' will not be decoded because it is a constant with an initial value", .warning)
    }
}

// Messages about the attributes.
extension ModelMessage {
    /// The reason why a property is not part of a plan.
    enum Unplanned: String {
        case computed = "computed"
        case `static` = "static"
        /// The superclass declares the property.
        case overriding = "overriding"
        case lazy = "lazy"
        case weak = "weak"
    }

    static func notOnProperty(_ attribute: PropertyAttribute) -> Self {
        Self("\(attribute.rawValue) can only be applied to a stored property of a @JSONModel type")
    }

    static func outsideModel(_ attribute: PropertyAttribute, type: String?) -> Self {
        let reason = type.map { "'\($0)' is not a @JSONModel" } ?? "an extension has no stored properties"
        return Self("\(attribute.rawValue) has no effect here: \(reason)")
    }

    static func withoutEffect(_ attribute: PropertyAttribute, on name: String, _ kind: Unplanned) -> Self {
        let isIgnore = attribute == .ignore
        return Self(
            "\(attribute.rawValue) has no effect on '\(name)': \(kind == .overriding ? "an" : "a") \(kind.rawValue) property is not decoded"
                + (isIgnore ? " anyway" : ""), isIgnore ? .warning : .error)
    }

    static func severalProperties(_ attribute: PropertyAttribute, count: Int) -> Self {
        Self(
            "\(attribute.rawValue) applies to one property, but this declaration has \(count); "
                + "declare each property separately")
    }

    static func twoKeys(_ name: String) -> Self {
        Self("'\(name)' already has a @JSONKey; add further candidates after its 'or:'")
    }

    static func constantWith(_ attribute: PropertyAttribute, _ name: String) -> Self {
        Self("\(attribute.rawValue) has no effect on '\(name)': a constant with an initial value is not decoded")
    }

    static func ignoredWith(_ attribute: PropertyAttribute, _ name: String) -> Self {
        let reason = attribute == .key ? "has no key" : "keeps its value"
        return Self(
            "'\(name)' has both \(attribute.rawValue) and @JSONIgnore: an ignored property \(reason)"
        )
    }

    static func ignoredWithoutDefault(_ name: String) -> Self {
        Self("@JSONIgnore needs a default; give '\(name)' an initial value, or make it an optional 'var'")
    }
}

extension ModelMessage {
    static var directionNotLiteral: Self {
        Self("the direction must be '.both', '.decoding' or '.encoding', because the plan is made at compile time")
    }

    static func twice(_ attribute: PropertyAttribute, _ name: String) -> Self {
        Self("'\(name)' has \(attribute.rawValue) twice")
    }

    static func together(
        _ name: String, _ first: PropertyAttribute, _ second: PropertyAttribute, _ reason: String
    ) -> Self {
        Self("'\(name)' has both \(first.rawValue) and \(second.rawValue): \(reason)")
    }

    static func twoDefaults(_ name: String) -> Self {
        Self("'\(name)' has two defaults: an initial value and the value of @JSONDefault")
    }

    static func nilDefault(_ name: String) -> Self {
        Self("nil can't be the default of '\(name)', whose type is not optional")
    }

    static func noDefault(_ name: String) -> Self {
        Self("'\(name)' has no default; add an initial value, or write @JSONDefault(value)")
    }

    static func transformIsType(_ expression: String) -> Self {
        Self("@JSONTransform takes a value, as in '@JSONTransform(Trimmed())'; '\(expression)' is a type")
    }

    static func lossyOnOne(_ name: String) -> Self {
        Self(
            "@JSONLossy drops elements, but the type of '\(name)' is not written as an array, a set or a dictionary"
        )
    }

    static var presenceNotLiteral: Self {
        Self("the argument must be '.whenComplete' or '.required', because the plan is made at compile time")
    }

    static var presenceWithoutPartial: Self {
        Self("@JSONPartial has an effect on the type 'Partial' only; add the option '.partial' to @JSONModel")
    }

    static func requiredOptional(_ name: String) -> Self {
        Self("'\(name)' can't be required in the partial type: its type is optional")
    }

    static func requiredWithoutType(_ name: String) -> Self {
        Self("'\(name)' needs a type to be required in the partial type")
    }

    static func flattenNoModel(_ name: String) -> Self {
        Self("@JSONFlatten needs a property whose type is a model, but '\(name)' has no fields")
    }

    static func flattenWithDefault(_ name: String) -> Self {
        Self("'\(name)' can't have a default: a flattened model or enum is present if its keys are")
    }

    static func extraNoDictionary(_ name: String) -> Self {
        Self("@JSONExtra needs a type written as '[String: T]': '\(name)' stores values by their keys")
    }

    static func secondExtra(_ name: String, _ other: String) -> Self {
        Self("'\(name)' is a second @JSONExtra: '\(other)' already collects the remaining members")
    }
}

// Messages about the keys.
extension ModelMessage {
    static var keyNotLiteral: Self {
        Self("a key must be a string literal without interpolation, because the plan is made at compile time")
    }

    static func badKey(_ text: String, _ reason: String) -> Self {
        Self("'\(text)' is not a valid key: \(reason)")
    }

    static func everyIntoOne(_ name: String, _ wildcard: String) -> Self {
        Self("'\(wildcard)' selects several values; make '\(name)' an array")
    }

    static func everyIntoString(_ name: String, _ wildcard: String) -> Self {
        Self("@JSONEmbedded reads '\(name)' from one string, but '\(wildcard)' selects several values")
    }

    static func codingKey(_ name: String, _ attribute: String) -> Self {
        Self("the plan of a model does not use 'CodingKeys'; add \(attribute) to '\(name)'", .warning)
    }

    static func ownCoding(_ member: String) -> Self {
        Self(
            "the plan of a model does not call '\(member)'; remove '@JSONModel', or add '.codable' if only other coders use it",
            .warning)
    }

    static func wrapperCoding(_ name: String, _ wrapper: String) -> Self {
        Self(
            "the plan of a model does not use the coding of '\(wrapper)'; add a @JSONTransform to '\(name)', or '.codable' if the "
                + "wrapped value is coded", .warning)
    }

    static func sameKey(_ name: String, _ other: String, _ path: JSONPath) -> Self {
        if name == other {
            return Self("'\(name)' already has the key '\(path)'")
        }
        return Self("'\(name)' and '\(other)' have the same key '\(path)'")
    }

    static func objectAndArray(_ prefix: JSONPath, isArray: Bool) -> Self {
        let (now, before) = isArray ? ("an array", "an object") : ("an object", "an array")
        return Self("this key uses \(value(at: prefix)) as \(now), but another key uses it as \(before)")
    }

    static func everyAndOne(_ prefix: JSONPath, isEvery: Bool) -> Self {
        let (now, before) = isEvery ? ("every value", "a single value") : ("a single value", "every value")
        return Self("this key selects \(now) in \(value(at: prefix)), but another key selects \(before)")
    }

    private static func value(at path: JSONPath) -> String {
        path.components.isEmpty ? "the whole value" : "'\(path)'"
    }
}
#endif
