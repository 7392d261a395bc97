/// The conversion of keys from snake case, as in Foundation.
enum SnakeCase {
    /// Returns a key in camel case. Underscores at the start and at the end stay.
    static func camelCase(_ key: String) -> String {
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
