/// The rule that derives a property's key from its name if the property declares none.
///
/// Keys are derived when a plan is built, not during decoding. The same key is read and written: names are never derived
/// from keys.
public struct JSONKeyStrategy: Sendable, Hashable {
    private enum Rule: Hashable {
        case asDeclared, snakeCase, snakeCasePerLetter, kebabCase, screamingSnakeCase
        case upperCase, firstLetterUppercase, firstLetterLowercase
        case custom(OwnRule)
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// The name itself: `imageURL` is `imageURL`.
    public static let asDeclared = JSONKeyStrategy(.asDeclared)

    /// Lowercase words with underscores between them: `imageURL` is `image_url`.
    ///
    /// A word begins with an uppercase letter after a lowercase letter or a digit (`md5Sum` is `md5_sum`). Consecutive
    /// uppercase letters are one word, but the last of them begins the next word if a lowercase letter follows: `URLSession`
    /// is `url_session`, and `imageURLs`, which has the same form, is `image_ur_ls`. Digits belong to the preceding word:
    /// `line2` and `userID2` are `line2` and `user_id2`. Underscores are kept, also at both ends.
    public static let snakeCase = JSONKeyStrategy(.snakeCase)

    /// The snake case of the JSONModel library: an underscore before every uppercase letter, which becomes
    /// lowercase, and before every sequence of digits.
    ///
    /// `imageURL` is `image_u_r_l`, `line2Text` is `line_2_text`, `URLSession` is `_u_r_l_session`. A name that is already in
    /// snake case receives another underscore before its digits, as in the library: `line_2` is `line__2`. (MJExtension's rule is
    /// the same without the underscore before digits.)
    @_documentation(visibility: internal) public static let snakeCasePerLetter = JSONKeyStrategy(
        .snakeCasePerLetter)

    /// The words of ``snakeCase`` with hyphens between them: `imageURL` is `image-url`. Underscores at both ends are kept.
    public static let kebabCase = JSONKeyStrategy(.kebabCase)

    /// The words of ``snakeCase`` in uppercase: `imageURL` is `IMAGE_URL`.
    public static let screamingSnakeCase = JSONKeyStrategy(.screamingSnakeCase)

    /// All letters in uppercase, without separators: `imageURL` is `IMAGEURL`.
    public static let upperCase = JSONKeyStrategy(.upperCase)

    /// The first letter in uppercase, the rest as declared: `imageURL` is `ImageURL`. The library JSONModel names this title case.
    public static let firstLetterUppercase = JSONKeyStrategy(.firstLetterUppercase)

    /// The first letter in lowercase, the rest as declared: `ImageURL` is `imageURL`.
    @_documentation(visibility: internal) public static let firstLetterLowercase = JSONKeyStrategy(
        .firstLetterLowercase)

    /// Returns a strategy with a rule of your own. The rule must return the same key for a name each time, and different keys
    /// for different names.
    ///
    /// Such a strategy is equal only to its copies.
    public static func custom(_ rule: @escaping @Sendable (String) -> String) -> JSONKeyStrategy {
        JSONKeyStrategy(.custom(OwnRule(rule)))
    }

    /// Returns the key for a property's name.
    public func key(for name: String) -> String {
        switch rule {
        case .asDeclared: name
        case .snakeCase: NameWords(name).joined(by: "_")
        case .snakeCasePerLetter: NameWords.perLetter(name)
        case .kebabCase: NameWords(name).joined(by: "-")
        case .screamingSnakeCase: NameWords(name).joined(by: "_").uppercased()
        case .upperCase: name.uppercased()
        case .firstLetterUppercase: name.prefix(1).uppercased() + name.dropFirst()
        case .firstLetterLowercase: name.prefix(1).lowercased() + name.dropFirst()
        case .custom(let own): own.rule(name)
        }
    }
}

/// A custom rule, which is compared by identity because closures cannot be compared.
private final class OwnRule: Sendable, Hashable {
    let rule: @Sendable (String) -> String

    init(_ rule: @escaping @Sendable (String) -> String) { self.rule = rule }

    static func == (one: OwnRule, other: OwnRule) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A name, split into words.
private struct NameWords {
    private let characters: [Character]

    init(_ name: String) { characters = Array(name) }

    /// Returns the lowercase words. Underscores between words become separators, and those at both ends are kept.
    func joined(by separator: Character) -> String {
        let start = characters.firstIndex { $0 != "_" } ?? characters.count
        let end = characters.lastIndex { $0 != "_" }.map { $0 + 1 } ?? start
        var result = String(characters[..<start])
        for index in start..<end {
            let character = characters[index]
            if character == "_" {
                result.append(separator)
                continue
            }
            if index > start, isBeginning(index) { result.append(separator) }
            result += character.lowercased()
        }
        return result + String(characters[end...])
    }

    /// Whether a word begins at this position without a separator before the word.
    private func isBeginning(_ index: Int) -> Bool {
        let before = characters[index - 1]
        guard Self.isCapital(characters[index]), before != "_", before != "-" else { return false }
        if !Self.isCapital(before) { return true }
        return index + 1 < characters.count && characters[index + 1].isLowercase
    }

    static func perLetter(_ name: String) -> String {
        var result = ""
        var isInDigits = false
        for character in name {
            let isDigit = character.unicodeScalars.first?.properties.generalCategory == .decimalNumber
            if isCapital(character) || isDigit && !isInDigits { result.append("_") }
            result += character.lowercased()
            isInDigits = isDigit
        }
        return result
    }

    /// Whether a character is an uppercase or titlecase letter, such as `ǅ`.
    private static func isCapital(_ character: Character) -> Bool { character.lowercased() != String(character) }
}
