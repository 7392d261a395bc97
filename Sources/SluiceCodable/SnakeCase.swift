import SluiceCore

/// The conversion of coding keys to and from snake case, by the rules of Foundation's coders.
package enum SnakeCase {
    /// Returns a key with a lowercase word for each word of the key, and underscores between them.
    ///
    /// A word begins with an uppercase letter after another character. Several uppercase letters are one word, but the last of
    /// them belongs to the next word if a lowercase letter follows: `myURLProperty` is `my_url_property`.
    package static func snakeCase(_ key: String) -> String {
        let letters = Array(key)
        guard !letters.isEmpty else { return key }
        var words: [Range<Int>] = []
        var start = 0
        var search = 1
        while let upper = letters[search...].firstIndex(where: \.hasUppercase) {
            words.append(start..<upper)
            guard let lower = letters[upper...].firstIndex(where: \.hasLowercase) else {
                start = upper
                search = letters.count
                break
            }
            if lower <= upper + 1 {
                start = upper
            } else {
                words.append(upper..<lower - 1)
                start = lower - 1
            }
            search = max(lower, upper) + 1
        }
        words.append(start..<letters.count)
        return words.map { String(letters[$0]).lowercased() }.joined(separator: "_")
    }

    /// Returns a key in camel case. Underscores at the start and at the end stay.
    package static func camelCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" })
        else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        if words.count == 1 { return key }
        let start = String(key[..<first]) + words[0].lowercased()
        return words.dropFirst().reduce(start) { $0 + capitalized($1) } + key[key.index(after: last)...]
    }

    /// Returns a word with a capital for each letter with case that does not follow another one, and small letters elsewhere.
    ///
    /// Characters without case separate letters, apart from those that Unicode ignores between letters, such as accents.
    private static func capitalized(_ word: Substring) -> String {
        var result = ""
        var isAfterLetter = false
        for scalar in word.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .uppercaseLetter, .titlecaseLetter:
                result += isAfterLetter ? properties.lowercaseMapping : String(scalar)
                isAfterLetter = true
            case .lowercaseLetter:
                result += isAfterLetter ? String(scalar) : properties.titlecaseMapping
                isAfterLetter = true
            default:
                result.unicodeScalars.append(scalar)
                if !properties.isCaseIgnorable || separators.contains(scalar) { isAfterLetter = false }
            }
        }
        return result
    }

    /// The punctuation that Unicode ignores between letters, and Foundation does not.
    private static let separators: [Unicode.Scalar] = [
        ".", ":", "\u{B7}", "\u{387}", "\u{55F}", "\u{5F4}", "\u{2018}", "\u{2024}", "\u{2027}", "\u{FE13}",
        "\u{FE52}", "\u{FE55}", "\u{FF07}", "\u{FF0E}", "\u{FF1A}",
    ]
}

extension Character {
    /// Whether a scalar is an uppercase or titlecase letter.
    fileprivate var hasUppercase: Bool {
        unicodeScalars.contains {
            $0.properties.generalCategory == .uppercaseLetter || $0.properties.generalCategory == .titlecaseLetter
        }
    }

    /// Whether a scalar is a lowercase letter.
    fileprivate var hasLowercase: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter }
    }
}
