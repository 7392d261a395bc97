#if Macros
import SwiftDiagnostics

// Messages about the arguments of `@JSONModel`.
extension ModelMessage {
    static var unknownOption: Self {
        Self("the option must be '.codable', '.partial' or '.untagged', because the plan is made at compile time")
    }

    static func onlyOnUnions(_ argument: String) -> Self {
        Self("'\(argument)' can only be used on an enum without a raw type")
    }

    static func onlyOnEnums(_ argument: String) -> Self {
        Self("'\(argument)' can only be used on an enum")
    }

    static func notOnRawValues(_ argument: String) -> Self {
        Self("'\(argument)' has no effect on an enum with a raw type, which has no fields")
    }

    static var codableRawValues: Self {
        Self(
            "'.codable' has no effect on an enum with a raw type; write ': Codable' and Swift adds the conformance")
    }

    static var characterRawValues: Self { Self("a raw value of the type Character has no JSON form; use String") }

    static var contentWithoutTag: Self { Self("'content:' requires 'tag:'") }

    static var tagAndUntagged: Self { Self("an enum can't have both 'tag:' and '.untagged'") }

    static var codableNeedsFinal: Self {
        Self(
            "'.codable' requires 'final' on a class that is hidden by 'private': every subclass would need an initializer of its own"
        )
    }

    static var partialNeedsFinal: Self {
        Self(
            "'.partial' requires a struct, or a final class whose superclass is not a model: a subclass has the partial type of its superclass"
        )
    }

    static var partialEnum: Self {
        Self(
            "'.partial' can't be used on an enum without a tag; in a partial model, it is nil until its value can be made"
        )
    }

    static func onlyOnClasses(_ argument: String) -> Self {
        Self("'\(argument)' can only be used on a class")
    }

    static func noSuperclass(_ name: String) -> Self {
        Self("'superclass:' has no effect: '\(name)' has no superclass")
    }

    static func superclassIsModel(_ name: String) -> Self {
        Self("'superclass:' has no effect: the superclass '\(name)' is a model")
    }

    static func emptyName(_ argument: String) -> Self {
        Self("the name in '\(argument)' is empty")
    }

    static func sameNames(_ name: String) -> Self {
        Self("'tag:' and 'content:' have the same name '\(name)'")
    }
}

extension ModelMessage {
    static func privateType(_ type: String, _ property: String) -> Self {
        Self(
            "'\(type)' is private to the class, but subclasses need the storage of '\(property)'; "
                + "make '\(type)' 'fileprivate', or the class 'final'")
    }

    static func otherActorNeedsFinal(_ name: String) -> Self {
        Self(
            "'\(name)' must be 'final': subclasses can't read a superclass on a global actor other than the main actor"
        )
    }
}

// Messages about names that the macro needs.
extension ModelMessage {
    static func takenName(_ name: String, _ kind: TakenMember, isRaw: Bool) -> Self {
        let advice =
            switch kind {
            case .enumCase where isRaw: "rename this case and write its raw value"
            case .enumCase(hasKey: true): "rename this case"
            case .enumCase: "rename this case and keep its key with '@JSONKey(\(quote(name)))'"
            case .static: "rename this member"
            case .type: "rename this type"
            case .property: "rename this property"
            }
        let added = kind == .property ? "member of its storage" : "static member"
        return Self("@JSONModel adds a \(added) named '\(name)'; \(advice)")
    }
}

// Messages about the cases of an enum.
extension ModelMessage {
    static var fallbackNotLiteral: Self {
        Self(
            "the fallback must be a string literal without interpolation, because the plan is made at compile time")
    }

    static func noSuchCase(_ name: String, _ cases: [String]) -> Self {
        let list =
            cases.isEmpty
            ? "the enum has no cases" : "the cases are " + cases.map { "'\($0)'" }.joined(separator: ", ")
        return Self("no case is named '\(name)'; \(list)")
    }

    static func fallbackWithValues(_ name: String) -> Self {
        Self("the fallback '\(name)' can have at most one value, which keeps the unknown JSON")
    }

    static func valuesWithoutLabels(_ name: String) -> Self {
        Self("'\(name)' has several values; add labels, which are the keys of the values")
    }

    static func functionInCase(_ name: String) -> Self {
        Self("the value of '\(name)' is a function, which has no JSON form")
    }

    static func caseWithoutJSON(_ name: String, _ type: String) -> Self {
        Self("'\(name)' holds '\(type)', which has no JSON form")
    }

    static func tagInNoObject(_ name: String) -> Self {
        Self(
            "the value of '\(name)' is not an object, so it can't contain the tag; "
                + "add 'content:' or a label for the value")
    }

    static func sameCaseName(_ name: String) -> Self {
        Self(
            "two cases are named '\(name)', which generated code can't distinguish; rename one, and add @JSONKey with its key"
        )
    }

    static func sameCaseKey(_ name: String, _ other: String, _ key: String) -> Self {
        name == other
            ? Self("'\(name)' already has the key '\(key)'")
            : Self("'\(name)' and '\(other)' have the same key '\(key)'")
    }

    static func severalCases(_ attribute: PropertyAttribute, _ count: Int) -> Self {
        Self(
            "\(attribute.rawValue) applies to one case, but this declaration has \(count); "
                + "declare each case separately")
    }

    static func embeddedNothing(_ name: String) -> Self {
        Self("@JSONEmbedded has no effect on '\(name)': the case has no value")
    }

    static func embeddedBesideTag(_ name: String) -> Self {
        Self("the value of '\(name)' is a string, so it can't contain the tag; add 'content:'")
    }

    static func keyOnRawValue(_ name: String) -> Self {
        Self("@JSONKey has no effect on '\(name)': the case is represented by its raw value")
    }

    static func notOnCase(_ attribute: PropertyAttribute) -> Self {
        Self("\(attribute.rawValue) can be applied to a property, but not to a case")
    }

    static func noCases(_ name: String) -> Self {
        Self("'\(name)' has no cases, so it can't be decoded")
    }
}
#endif
