/// The conversion of coding keys to snake case by the rules of Foundation's encoder.
enum SnakeCase {
    /// Returns a key with a lowercase word for each word of the key, and underscores between them.
    ///
    /// A word begins with an uppercase letter after another character. Several uppercase letters are one word, but the last of
    /// them belongs to the next word if a lowercase letter follows: `myURLProperty` is `my_url_property`.
    static func convert(_ key: String) -> String {
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
