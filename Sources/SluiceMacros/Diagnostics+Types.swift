#if Macros
import SwiftDiagnostics

// The arguments of `@JSONModel`.
extension ModelMessage {
    static let unknownOption = Self(
        "unknownOption", "write '.codable' or '.untagged': the plan is made when compiling")

    static func onlyOnUnions(_ argument: String) -> Self {
        Self("onlyOnUnions", "'\(argument)' is for an enum whose cases have values")
    }

    static func onlyOnEnums(_ argument: String) -> Self {
        Self("onlyOnEnums", "'\(argument)' is for an enum")
    }

    static func notOnRawValues(_ argument: String) -> Self {
        Self(
            "notOnRawValues",
            "'\(argument)' has no effect on an enum with a raw type: it has a value, and no fields")
    }

    static let codableRawValues = Self(
        "codableRawValues", "an enum with a raw type needs no '.codable': write ': Codable', and Swift does it")

    static let contentWithoutTag = Self("contentWithoutTag", "'content:' needs a 'tag:' beside it")

    static let tagAndUntagged = Self("tagAndUntagged", "an enum has a 'tag:' or is '.untagged', not both")

    static let codableNeedsFinal = Self(
        "codableNeedsFinal", "'.codable' needs 'final': a subclass would have to have an initializer of its own")
}

extension ModelMessage {
    static func privateType(_ type: String, _ property: String) -> Self {
        Self(
            "privateType",
            "'\(type)' is private to the class, but the storage of '\(property)' is not, for the sake of subclasses: "
                + "make it 'fileprivate', or the class 'final'")
    }

    static func otherActorNeedsFinal(_ name: String) -> Self {
        Self(
            "otherActorNeedsFinal",
            "'\(name)' needs 'final': on a global actor of its own it can't be read for its subclasses")
    }
}

// Names that the macro needs.
extension ModelMessage {
    static func takenName(_ name: String, _ kind: TypeLevelMember, isRaw: Bool) -> Self {
        let advice =
            switch kind {
            case .enumCase where isRaw: "rename this case, and write its raw value"
            case .enumCase(hasKey: true): "rename this case"
            case .enumCase: "rename this case, and keep its key by '@JSONKey(\(quote(name)))'"
            case .static: "rename this one"
            case .type: "rename this type"
            }
        return Self("takenName", "@JSONModel adds a static member named '\(name)': \(advice)")
    }
}

// The cases of an enum.
extension ModelMessage {
    static let fallbackNotLiteral = Self(
        "fallbackNotLiteral", "the fallback has to be a plain string literal: the plan is made when compiling")

    static func noSuchCase(_ name: String, _ cases: [String]) -> Self {
        let list =
            cases.isEmpty ? "there are no cases" : "there are " + cases.map { "'\($0)'" }.joined(separator: ", ")
        return Self("noSuchCase", "no case is named '\(name)': \(list)")
    }

    static func fallbackWithValues(_ name: String) -> Self {
        Self(
            "fallbackWithValues",
            "the fallback '\(name)' has more than one value: it keeps what is unknown as one, or not at all")
    }

    static func valuesWithoutLabels(_ name: String) -> Self {
        Self("valuesWithoutLabels", "'\(name)' has several values: give its values labels, which are their keys")
    }

    static func functionInCase(_ name: String) -> Self {
        Self("functionInCase", "'\(name)' has a function for a value, which no JSON stands for")
    }

    static func caseWithoutJSON(_ name: String, _ type: String) -> Self {
        Self("caseWithoutJSON", "'\(name)' holds '\(type)', which no JSON stands for")
    }

    static func tagInNoObject(_ name: String) -> Self {
        Self(
            "tagInNoObject",
            "the value of '\(name)' is no object that could hold the tag: add 'content:', or give the value a label"
        )
    }

    static func sameCaseKey(_ name: String, _ other: String, _ key: String) -> Self {
        name == other
            ? Self("sameCaseKey", "'\(key)' is a key of '\(name)' already")
            : Self("sameCaseKey", "'\(name)' and '\(other)' have the same key '\(key)'")
    }

    static func severalCases(_ attribute: PropertyAttribute, _ count: Int) -> Self {
        Self(
            "severalCases",
            "\(attribute.rawValue) is for one case, but this declares \(count): give each its own 'case'")
    }

    static func embeddedNothing(_ name: String) -> Self {
        Self("embeddedNothing", "'\(name)' has no value that a string of JSON could hold")
    }

    static func embeddedBesideTag(_ name: String) -> Self {
        Self(
            "embeddedBesideTag",
            "the value of '\(name)' is a string of JSON, which has no place beside the tag: add 'content:'")
    }

    static func keyOnRawValue(_ name: String) -> Self {
        Self("keyOnRawValue", "@JSONKey has no effect on '\(name)': in JSON this case is its raw value")
    }

    static func notOnCase(_ attribute: PropertyAttribute) -> Self {
        Self("notOnCase", "\(attribute.rawValue) goes on a property, not on a case")
    }

    static func noCases(_ name: String) -> Self {
        Self("noCases", "'\(name)' has no cases, so it has no value that could be decoded")
    }
}
#endif
