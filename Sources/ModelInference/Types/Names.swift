import SluiceCore

/// Names of Swift declarations that are made from keys.
enum Names {
    /// Returns the name of a property or case for a key: `full_name` is `fullName`.
    static func member(_ key: String) -> String {
        var words = words(key)
        guard let first = words.first else { return "value" }
        if words.count == 1, isIdentifier(first), first.first?.isUppercase == false || first == "_" { return first }
        words[0] = lowercasedStart(first)
        for index in words.indices.dropFirst() { words[index] = capitalized(words[index]) }
        return startingWithLetter(joined(words))
    }

    /// Returns the name of a type for a key: `full_name` is `FullName`.
    static func type(_ key: String) -> String { startingWithLetter(joined(words(key).map(capitalized))) }

    /// Returns a name in the singular: `Categories` is `Category`.
    static func singular(_ name: String) -> String {
        let lower = name.lowercased()
        for (plural, singular) in irregular where lower.hasSuffix(plural) {
            let stem = name.dropLast(plural.count)
            // A word of several begins with an uppercase letter.
            let isCapital = name.dropFirst(stem.count).first?.isUppercase == true
            return stem + (isCapital ? singular.prefix(1).uppercased() + singular.dropFirst() : singular)
        }
        if ["ss", "us", "is", "ews"].contains(where: lower.hasSuffix) || lower.count < 3 { return name }
        if lower.hasSuffix("ies"), lower.count > 4 { return name.dropLast(3) + "y" }
        if ["sses", "xes", "ches", "shes"].contains(where: lower.hasSuffix) { return String(name.dropLast(2)) }
        return lower.hasSuffix("s") ? String(name.dropLast()) : name
    }

    private static let irregular = [
        ("children", "child"), ("people", "person"), ("indices", "index"), ("vertices", "vertex"),
        ("matrices", "matrix"), ("statuses", "status"), ("series", "series"), ("species", "species"),
        ("buses", "bus"), ("movies", "movie"), ("cookies", "cookie"),
    ]

    /// Returns an identifier in backticks if it is a keyword.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The names of types that generated models must not hide.
    private static let takenTypes: Set<String> = [
        "Any", "AnyObject", "AnyHashable", "Array", "Bool", "Character", "Codable", "CodingKey", "Data", "Date",
        "Decimal",
        "Decodable", "Decoder", "Dictionary", "Double", "Element", "Encodable", "Encoder", "Equatable", "Error",
        "Float",
        "Foundation", "Hashable", "Hasher", "Identifiable", "Int", "Int128", "Int64", "Key", "Locale", "Model",
        "Never",
        "Optional", "Protocol", "Result", "Self", "Sendable", "Sequence", "Set", "Sluice", "SluiceCore", "String",
        "Swift",
        "TimeZone", "Type", "UInt64", "URL", "UUID", "Value", "Void", "Task", "Range", "Unmanaged",
    ]

    private static let lowercasedTakenTypes = Set(takenTypes.map { $0.lowercased() })

    /// Whether a model must not have a name, because a type of Swift, Foundation or Sluice has it. `Url` would be mistaken for `URL`.
    static func isTaken(_ name: String) -> Bool {
        name.hasPrefix("JSON") || lowercasedTakenTypes.contains(name.lowercased())
    }

    /// The words that are no identifiers of a property or case without backticks.
    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The names that no property or case can have, even in backticks, or only with restrictions.
    static let impossibleMembers: Set<String> = ["self", "Self", "init", "Type", "Protocol", "_"]

    // MARK: Words

    /// The words of a key, between characters that no identifier has, and underscores. Underscores at the start are dropped.
    private static func words(_ key: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in key.unicodeScalars {
            if scalar != "_", scalar.properties.isXIDContinue {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Joins words. Digits do not touch digits.
    private static func joined(_ words: [String]) -> String {
        words.reduce(into: "") { name, word in
            if name.last?.isNumber == true, word.first?.isNumber == true { name += "_" }
            name += word
        }
    }

    private static func startingWithLetter(_ name: String) -> String {
        guard let first = name.unicodeScalars.first else { return "Value" }
        return first.properties.isXIDStart ? name : "_" + name
    }

    private static func isIdentifier(_ name: String) -> Bool {
        name.unicodeScalars.first?.properties.isXIDStart == true
    }

    private static func capitalized(_ word: String) -> String {
        if acronyms.contains(word.lowercased()) { return word.uppercased() }
        // Words of uppercase letters are not shouted.
        if word.count > 1, word == word.uppercased(), word != word.lowercased() {
            return word.prefix(1) + word.dropFirst().lowercased()
        }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns a word whose first letters are lowercase: `URLName` is `urlName`, and `Name` is `name`.
    private static func lowercasedStart(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 { return word.prefix(1).lowercased() + word.dropFirst() }
        if word == word.uppercased() { return word.lowercased() }
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    private static let acronyms: Set<String> = ["id", "url", "uri", "uuid", "html", "json", "xml", "http", "api"]
}

/// Members of a type: names for keys, each once, and the strategy that derives most keys.
struct MemberNames {
    let strategy: InferenceOptions.Keys
    /// The name for each key.
    let names: [String]
    /// Whether the key of each name needs an attribute.
    let needsKey: [Bool]

    /// - Parameter taken: Names that no member can have.
    init(_ keys: [String], _ requested: InferenceOptions.Keys, taken: Set<String> = []) {
        var used = taken.union(Names.impossibleMembers)
        var names: [String] = []
        for key in keys {
            var name = Names.member(key)
            // `image_urls` is `imageUrls`, because `imageURLs` would be `image_ur_ls`.
            if used.contains(name) {
                let base = Names.impossibleMembers.contains(name) ? name + "Value" : name
                var number = 2
                name = base
                while used.contains(name) {
                    name = base + (base.last?.isNumber == true ? "_" : "") + "\(number)"
                    number += 1
                }
            }
            used.insert(name)
            names.append(name)
        }
        self.names = names
        func misses(_ keysOption: InferenceOptions.Keys) -> Int {
            let strategy = keysOption.strategy
            return zip(names, keys).reduce(0) { $0 + (strategy.key(for: $1.0) == $1.1 ? 0 : 1) }
        }
        if requested == .automatic {
            let candidates = InferenceOptions.Keys.allCases.dropFirst()
            strategy = candidates.min { misses($0) < misses($1) } ?? .asDeclared
        } else {
            strategy = requested
        }
        let chosen = strategy.strategy
        needsKey = zip(names, keys).map { chosen.key(for: $0) != $1 }
    }
}

/// The name of the model of a file.
package enum ModelName {
    /// Whether a text is the name of a type.
    package static func isValid(_ name: String) -> Bool {
        name.unicodeScalars.first?.properties.isXIDStart == true
            && name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue } && Names.quoted(name) == name
            && !Names.isTaken(name)
    }

    /// Returns the name of a file's model: that of `repositories.json` is `Repositories`, and that of an element is `Repository`.
    package static func name(ofFile file: String, isElement: Bool) -> String {
        let last = file.split(separator: "/").last ?? ""
        let stem = last.split(separator: ".").first.map(String.init) ?? ""
        guard stem.contains(where: \.isLetter) else { return "Root" }
        let name = Names.type(stem)
        let chosen = isElement ? Names.singular(name) : name
        return isValid(chosen) ? chosen : chosen + "Root"
    }
}
