import TestSupport

/// Changes documents so that they no longer fit their model, or are no JSON.
enum DocumentMutation {
    private static let values = [
        "null", "true", "0", "-1", "1.5", "\"x\"", "\"\"", "[]", "{}", "[[{}]]", "{\"a\":{}}",
        "99999999999999999999",
        "\"refused\"", "\"leaf\"", "{\"type\":\"leaf\"}", "{\"t\":\"leaf\",\"c\":{}}", "@",
    ]

    static func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
        if random.below(2) == 0 { return changeSyntax(&text, &random) }
        for _ in 0...random.below(2) {
            switch random.below(6) {
            case 0...2: replaceToken(&text, &random)
            case 3: swapTokens(&text, &random)
            case 4: FuzzText.mutate(&text, &random)
            default:
                if !text.isEmpty { text.removeSubrange(random.below(text.count)...) }
            }
        }
    }

    /// Replaces a token by a value of another kind.
    private static func replaceToken(_ text: inout [UInt8], _ random: inout SeededRandom) {
        let tokens = tokens(of: text)
        guard !tokens.isEmpty else { return }
        text.replaceSubrange(random.pick(tokens), with: Array(random.pick(values).utf8))
    }

    /// Puts a token, or what lies between two, in another place.
    private static func swapTokens(_ text: inout [UInt8], _ random: inout SeededRandom) {
        let tokens = tokens(of: text)
        guard tokens.count > 1 else { return }
        let copied = Array(text[random.pick(tokens)])
        text.replaceSubrange(random.pick(tokens), with: copied)
    }

    /// Replaces, removes or repeats one byte of the syntax, and leaves the rest of the document as it is.
    ///
    /// The byte is a comma, a colon, the first or last byte of a token, or the first of the text of a string. Half of the tokens are the
    /// key or the value of a first member, because sources look ahead for a tag in that place.
    static func changeSyntax(_ text: inout [UInt8], _ random: inout SeededRandom) {
        let tokens = tokens(of: text)
        guard !tokens.isEmpty else { return }
        let braces = tokens.indices.filter {
            $0 + 2 < tokens.count && text[tokens[$0].lowerBound] == UInt8(ascii: "{")
        }
        let isFirst = !braces.isEmpty && random.below(2) == 0
        let token = tokens[isFirst ? random.pick(braces) + 1 + random.below(2) : random.below(tokens.count)]
        let separator = text[token.upperBound...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":") }
        let last = token.upperBound - 1
        let index = random.pick([token.lowerBound, min(token.lowerBound + 1, last), last, separator ?? last])
        switch random.below(4) {
        case 0: text.remove(at: index)
        case 1: text.insert(text[index], at: index)
        default: text[index] = random.pick(FuzzText.bytes)
        }
    }

    /// The ranges of strings, numbers, literals and brackets.
    static func tokens(of text: [UInt8]) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let start = index
            switch text[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index = min(index + 1, text.count)
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"):
                index += 1
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                index += 1
            default:
                while index < text.count, !Array("{}[],:\" \n\r\t".utf8).contains(text[index]) { index += 1 }
            }
            tokens.append(start..<index)
        }
        return tokens
    }
}
