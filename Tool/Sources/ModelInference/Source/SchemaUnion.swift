import SluiceCore

/// An enum that the alternatives of a schema describe.
///
/// The alternatives are those that the schema of an enum with `@JSONModel` has, for decoding or for encoding: an object for each name of a
/// case, a text for a case without a value, and the values of a fallback.
struct SchemaUnion {
    enum Tagging {
        /// The name of a case is the key of its value, or a string.
        case external
        /// The members of a value are beside the tag.
        case `internal`(tag: String)
        case adjacent(tag: String, content: String)

        var tag: String? {
            switch self {
            case .external: nil
            case .internal(let tag), .adjacent(let tag, _): tag
            }
        }

        var content: String? { if case .adjacent(_, let content) = self { content } else { nil } }
    }

    struct Case {
        let names: [String]
        /// The schema of the value; nil for a case without one.
        var value: JSONValue?
        /// Whether the value can be missing.
        var isOptional = false
        var description: String?
    }

    enum Fallback {
        /// The fallback does not keep an unknown name.
        case nothing
        /// The fallback keeps an unknown name.
        case name
        /// The fallback keeps a value that a schema describes.
        case value(JSONValue)
    }

    let tagging: Tagging
    let cases: [Case]
    let fallback: Fallback?

    /// Creates the enum of some alternatives; nil if they do not describe one.
    ///
    /// - Parameters:
    ///   - isExclusive: Whether an object with the names of several cases is certainly not valid.
    ///   - resolve: Follows a reference.
    init?(_ alternatives: [JSONValue], isExclusive: Bool, resolve: (JSONValue) -> JSONValue) {
        let objects = alternatives.map(resolve)
        for (tag, _) in objects.first?["properties"]?.object ?? [:] {
            if let union = Self(tag: tag, objects, alternatives) {
                self = union
                return
            }
        }
        self.init(external: alternatives, isExclusive: isExclusive)
    }

    // MARK: Tags

    private init?(tag: String, _ objects: [JSONValue], _ alternatives: [JSONValue]) {
        var objects = objects
        var cases: [Case] = []
        fallback = Self.fallback(alternatives.last ?? false, tag: tag)
        if fallback != nil { objects.removeLast() }
        for object in objects {
            guard object["required"]?.array?.contains(.string(tag)) == true,
                let names = Self.names(object["properties"]?[tag] ?? true)
            else { return nil }
            cases.append(Case(names: names, description: object["description"]?.string))
        }
        guard Self.areDistinct(cases) else { return nil }
        let members = objects.map { object in object["properties"]?.object?.keys.filter { $0 != tag } ?? [] }
        // A dictionary beside a tag is no value of a case.
        guard zip(objects, members).allSatisfy({ $0["additionalProperties"]?.object == nil || !$1.isEmpty }) else {
            return nil
        }
        if members.count(where: { !$0.isEmpty }) > 1,
            members.allSatisfy({ $0.count <= 1 }), Set(members.joined()).count == 1,
            let content = members.joined().first
        {
            tagging = .adjacent(tag: tag, content: content)
            for (index, object) in objects.enumerated() {
                cases[index].value = object["properties"]?[content]
                cases[index].isOptional = object["required"]?.array?.contains(.string(content)) == false
            }
        } else {
            tagging = .internal(tag: tag)
            for (index, object) in objects.enumerated() where !members[index].isEmpty {
                // The description of the object is that of its value.
                (cases[index].value, cases[index].description) = (object, nil)
            }
        }
        self.cases = cases
    }

    private static func fallback(_ schema: JSONValue, tag: String) -> Fallback? {
        if let known = schema["not"], known["required"] == [.string(tag)], known["properties"]?[tag]?["enum"] != nil
        {
            return .value(schema.without("not"))
        }
        if let named = schema["allOf"]?[0], named["properties"]?[tag]?["not"]?["enum"] != nil {
            return .value(schema.without("allOf"))
        }
        guard let members = schema["properties"]?.object, members[tag]?["not"]?["enum"] != nil else { return nil }
        return members.count > 1 ? .value(schema) : .name
    }

    // MARK: Names as keys

    private init?(external alternatives: [JSONValue], isExclusive: Bool) {
        var alternatives = alternatives
        fallback = Self.fallback(alternatives.last ?? false)
        if fallback != nil { alternatives.removeLast() }
        let keys = Set(alternatives.compactMap { Self.member($0)?.key })
        guard !keys.isEmpty || fallback != nil else { return nil }
        var cases: [Case] = []
        for alternative in alternatives {
            let text = alternative["description"]?.string
            if let names = Self.names(alternative) {
                if names.allSatisfy(keys.contains) {
                    cases.append(Case(names: names, description: text))
                } else {
                    cases += names.map { Case(names: [$0], description: text) }
                }
            } else if let member = Self.member(alternative) {
                guard isExclusive || keys.count == 1 || alternative["additionalProperties"] == false else {
                    return nil
                }
                // The value of a case without a value is ignored.
                if cases.contains(where: { $0.names.contains(member.key) }) { continue }
                cases.append(Case(names: [member.key], value: member.value, description: text))
            } else {
                return nil
            }
        }
        guard Self.areDistinct(cases) else { return nil }
        (tagging, self.cases) = (.external, cases)
    }

    /// The only member of an object with a required member.
    private static func member(_ schema: JSONValue) -> (key: String, value: JSONValue)? {
        guard let members = schema["properties"]?.object, members.count == 1, let member = members.first,
            schema["required"] == [.string(member.key)], schema["additionalProperties"]?.object == nil
        else { return nil }
        return (member.key, member.value)
    }

    private static func fallback(_ schema: JSONValue) -> Fallback? {
        if let known = schema["not"]?["anyOf"], known[0]?["enum"] != nil { return .value(schema.without("not")) }
        if let named = schema["allOf"]?[0], named["not"]?["anyOf"]?[0]?["required"] != nil {
            return .value(schema.without("allOf"))
        }
        let forms = schema["anyOf"]?.array ?? [schema]
        guard let text = forms.first, text["type"] == "string", text["not"]?["enum"] != nil else { return nil }
        guard forms.count > 1 else { return .name }
        return forms[1]["maxProperties"] == nil ? .nothing : .name
    }

    // MARK: Names

    /// Returns the texts that a schema lists; nil for another schema.
    private static func names(_ schema: JSONValue) -> [String]? {
        let values = schema["const"].map { [$0] } ?? schema["enum"]?.array ?? []
        let texts = values.compactMap(\.string)
        return texts.isEmpty || texts.count < values.count ? nil : texts
    }

    private static func areDistinct(_ cases: [Case]) -> Bool {
        let names = cases.flatMap(\.names)
        return !names.isEmpty && Set(names).count == names.count && !names.contains("")
    }
}

extension JSONValue {
    /// Returns a schema without a keyword.
    fileprivate func without(_ keyword: String) -> JSONValue {
        var keywords = object ?? [:]
        keywords[keyword] = nil
        return .object(keywords)
    }
}
