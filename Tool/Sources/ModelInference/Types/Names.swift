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

    /// Returns a name in the singular: `Categories` is `Category`. Only the last word of a name changes.
    static func singular(_ name: String) -> String {
        let word = lastWord(name)
        let lower = word.lowercased()
        guard lower.count > 2, !unchanged.contains(lower) else { return name }
        let stem = name.dropLast(word.count)
        for count in [lower.count] + (minimumSuffixLength...max(minimumSuffixLength, lower.count)).reversed() {
            // `Grandchildren` ends with an irregular plural.
            guard count <= lower.count, let singular = irregular[String(lower.suffix(count))] else { continue }
            let start = word.dropLast(count)
            let isCapital = word.dropFirst(start.count).first?.isUppercase == true
            return stem + start + (isCapital ? singular.prefix(1).uppercased() + singular.dropFirst() : singular)
        }
        guard lower.hasSuffix("s"), !["ss", "us", "is"].contains(where: lower.hasSuffix) else { return name }
        if lower.hasSuffix("ies"), lower.count > 4 { return name.dropLast(3) + "y" }
        if ["sses", "xes", "tches", "nches", "rches", "aches", "shes"].contains(where: lower.hasSuffix) {
            return String(name.dropLast(2))
        }
        return String(name.dropLast())
    }

    /// The last word of a name, which begins with an uppercase letter after another character.
    private static func lastWord(_ name: String) -> Substring {
        var start = name.startIndex
        var isAfterLowercase = false
        for index in name.indices {
            if isAfterLowercase, name[index].isUppercase { start = index }
            isAfterLowercase = !name[index].isUppercase
        }
        return name[start...]
    }

    /// The length from which an irregular plural is also one at the end of a longer word.
    private static let minimumSuffixLength = 6

    /// The plurals that do not follow the rules.
    private static let irregular: [String: String] = {
        var words = [
            "children": "child", "people": "person", "men": "man", "women": "woman", "mice": "mouse",
            "teeth": "tooth",
            "feet": "foot", "criteria": "criterion", "indices": "index", "vertices": "vertex", "matrices": "matrix",
            "appendices": "appendix", "series": "series", "species": "species", "quizzes": "quiz",
            "leaves": "leaf", "shelves": "shelf", "halves": "half", "wolves": "wolf", "knives": "knife",
            "wives": "wife", "thieves": "thief", "calves": "calf", "loaves": "loaf", "scarves": "scarf",
            "axes": "axis", "analyses": "analysis", "crises": "crisis", "theses": "thesis",
            "diagnoses": "diagnosis",
            "synopses": "synopsis", "ellipses": "ellipsis", "emphases": "emphasis",
        ]
        // Plurals that lose two letters.
        for word in [
            "status", "bus", "alias", "bonus", "virus", "campus", "focus", "census", "surplus", "minus", "plus",
            "radius", "corpus", "genus", "nexus", "opus", "stimulus", "walrus", "octopus", "lens", "gas",
            "bias", "atlas", "canvas", "iris", "hero", "potato", "tomato", "echo", "veto", "torpedo", "embargo",
        ] {
            words[word + "es"] = word
        }
        // Plurals that lose one letter, against a rule.
        for word in [
            "movie", "cookie", "selfie", "zombie", "calorie", "brownie", "rookie", "genie", "prairie", "hoodie",
            "pie", "tie", "lie", "die", "cache", "niche", "ache", "headache", "avalanche", "quiche",
            "menu", "guru", "cpu", "gpu", "tpu", "sku", "emu", "api", "uri", "wiki", "taxi", "ski", "emoji", "kiwi",
            "alibi", "bikini", "safari", "pi", "gui", "cli", "poi", "kpi", "roi",
        ] {
            words[word + "s"] = word
        }
        return words
    }()

    /// The words in the singular that end with an s, or that have no singular.
    private static let unchanged: Set<String> = [
        "news", "lens", "gas", "bias", "atlas", "canvas", "alias", "pancreas", "christmas", "texas", "kansas",
        "always", "has", "was", "does", "yes", "this", "its", "as", "plus", "chaos", "cosmos", "kudos", "ethos",
        "sos",
        "gps", "dns", "https", "css", "scss", "js", "ts", "tls", "dtls", "sms", "mms", "rss", "tts", "nfs", "cms",
        "crs",
        "dbms", "rdbms", "xss", "aws", "ios", "macos", "tvos", "watchos", "os", "saas", "paas", "iaas", "sass",
        "redis",
        "kubernetes", "nas", "gis", "sys", "ops", "devops", "rps", "fps", "tps", "qps", "bps", "kbps", "mbps",
        "aes", "des", "ros", "pos", "sas", "cors", "dms", "ms", "ns", "analytics", "physics", "mathematics",
        "politics", "economics", "logistics", "electronics", "athletics", "genetics", "ethics", "headquarters",
        "jeans", "pants", "scissors", "clothes", "thanks", "corps", "means", "aries", "paris", "james",
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
        // Names that programs use without their module, from Swift, Foundation and SwiftUI.
        "Actor", "Bundle", "Calendar", "Clock", "Collection", "Duration", "ID", "Measurement", "Notification",
        "Observable", "Operation", "Process", "Progress", "Regex", "Slice", "Substring", "Thread", "Timer", "Unit",
        "Alert", "Animation", "App", "Binding", "Button", "Canvas", "Color", "Environment", "Font", "Form",
        "Gesture",
        "Grid", "Group", "Image", "Label", "Layout", "Link", "List", "Menu", "Namespace", "Path", "Picker", "Scene",
        "Section", "Shape", "State", "Tab", "Table", "Text", "Toggle", "Transaction", "Transition", "View",
        "Window",
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

    /// The names that no case can have, because `@JSONModel` adds static members with these names.
    static let takenCases: Set<String> = ["plan", "jsonShape"]

    /// The names that no property or case can have, even in backticks, or only with restrictions.
    static let impossibleMembers: Set<String> = ["self", "Self", "init", "Type", "Protocol", "_"]

    /// The names that a case for unknown values usually has.
    static let fallbacks = ["other", "unknown", "otherValue", "unknownValue"]

    /// Returns the name of the case for unknown values.
    static func fallback(besides names: [String]) -> String {
        fallbacks.first { !names.contains($0) } ?? "anyOtherValue"
    }

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

    init(_ keys: [String], _ requested: InferenceOptions.Keys, ofCases isOfCases: Bool = false) {
        let impossible = isOfCases ? Names.impossibleMembers.union(Names.takenCases) : Names.impossibleMembers
        var used = impossible
        var names: [String] = []
        for key in keys {
            var name = Names.member(key)
            // `image_urls` is `imageUrls`, because `imageURLs` would be `image_ur_ls`.
            if used.contains(name) {
                let base = impossible.contains(name) ? name + "Value" : name
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
        return [chosen, chosen + "Root"].first(where: isValid) ?? "Root" + chosen
    }
}
