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

    /// Returns a word with a capital where a word in the sense of Unicode begins, and small letters elsewhere.
    private static func capitalized(_ word: Substring) -> String {
        var result = ""
        var isInWord = false
        for character in word {
            result += isInWord ? character.lowercased() : titlecased(character)
            isInWord =
                character.isLetter || isInWord && !character.isWhitespace && !character.isPunctuation
        }
        return result
    }

    private static func titlecased(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return "" }
        return first.properties.titlecaseMapping + String(String.UnicodeScalarView(scalars.dropFirst()))
    }
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
