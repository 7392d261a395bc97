/// The rule that makes a property's key of its name, where the property states none.
///
/// Keys are made when a plan is built, never while a text is read, and the same key is read and written: nothing is
/// guessed back from it.
public struct JSONKeyStrategy: Sendable, Hashable {
    private enum Rule: Hashable {
        case asDeclared, snakeCase, snakeCasePerLetter, kebabCase, screamingSnakeCase
        case upperCase, firstLetterUppercase, firstLetterLowercase
        case custom(OwnRule)
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// The name itself.
    public static let asDeclared = JSONKeyStrategy(.asDeclared)

    /// Words in small letters, underscores between them: `imageURL` is `image_url`.
    ///
    /// A word begins with a capital letter behind one that is none, or behind a digit (`md5Sum` is `md5_sum`). A run
    /// of capitals is one word, but the last begins the next where a small letter follows it: `URLSession` is
    /// `url_session`, and `imageURLs`, which no rule can tell from it, `image_ur_ls`. Digits belong to what is before
    /// them: `line2` and `userID2` are `line2` and `user_id2`. Underscores stay, those at both ends too.
    public static let snakeCase = JSONKeyStrategy(.snakeCase)

    /// JSONModel's rule for snake case: an underscore before every capital letter, which becomes a small one, and
    /// before every run of digits.
    ///
    /// `imageURL` is `image_u_r_l`, `line2Text` is `line_2_text`, `URLSession` is `_u_r_l_session`. As there, what is
    /// in snake case already gets another underscore before its digits: `line_2` is `line__2`. (MJExtension's rule is
    /// this one without that for digits.)
    public static let snakeCasePerLetter = JSONKeyStrategy(.snakeCasePerLetter)

    /// The words of ``snakeCase`` with hyphens between them: `imageURL` is `image-url`. Underscores at both ends stay.
    public static let kebabCase = JSONKeyStrategy(.kebabCase)

    /// The words of ``snakeCase`` in capital letters: `imageURL` is `IMAGE_URL`.
    public static let screamingSnakeCase = JSONKeyStrategy(.screamingSnakeCase)

    /// What JSONModel calls title case, which is ``firstLetterUppercase``: `imageURL` is `ImageURL`.
    public static let titleCase = JSONKeyStrategy(.firstLetterUppercase)

    /// All letters as capitals, nothing between words: `imageURL` is `IMAGEURL`.
    public static let upperCase = JSONKeyStrategy(.upperCase)

    /// The first letter as a capital, the rest as declared: `imageURL` is `ImageURL`.
    public static let firstLetterUppercase = JSONKeyStrategy(.firstLetterUppercase)

    /// The first letter as a small one, the rest as declared: `ImageURL` is `imageURL`.
    public static let firstLetterLowercase = JSONKeyStrategy(.firstLetterLowercase)

    /// Any rule of one's own. It has to make the same key of a name each time, and different keys of different names.
    ///
    /// Such a strategy is equal to its copies alone.
    public static func custom(_ rule: @escaping @Sendable (String) -> String) -> JSONKeyStrategy {
        JSONKeyStrategy(.custom(OwnRule(rule)))
    }

    /// The key of the property with this name.
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

/// A rule of a user's, which is known by where it lives, as closures can't be compared.
private final class OwnRule: Sendable, Hashable {
    let rule: @Sendable (String) -> String

    init(_ rule: @escaping @Sendable (String) -> String) { self.rule = rule }

    static func == (one: OwnRule, other: OwnRule) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A name as the words that it is made of.
private struct NameWords {
    private let characters: [Character]

    init(_ name: String) { characters = Array(name) }

    /// The words in small letters. Underscores between them become separators, those at both ends stay.
    func joined(by separator: Character) -> String {
        let start = characters.firstIndex { $0 != "_" } ?? characters.count
        let end = characters.lastIndex { $0 != "_" }.map { $0 + 1 } ?? start
        var result = String(characters[..<start])
        for place in start..<end {
            let character = characters[place]
            if character == "_" {
                result.append(separator)
                continue
            }
            if place > start, isBeginning(place) { result.append(separator) }
            result += character.lowercased()
        }
        return result + String(characters[end...])
    }

    /// Whether a word begins here that nothing separates from the one before.
    private func isBeginning(_ place: Int) -> Bool {
        let before = characters[place - 1]
        guard Self.isCapital(characters[place]), before != "_", before != "-" else { return false }
        if !Self.isCapital(before) { return true }
        return place + 1 < characters.count && characters[place + 1].isLowercase
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

    /// Letters of title case, such as `ǅ`, are capitals too.
    private static func isCapital(_ character: Character) -> Bool { character.lowercased() != String(character) }
}
