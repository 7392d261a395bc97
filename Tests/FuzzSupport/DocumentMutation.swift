import TestSupport

/// Changes documents so that they no longer fit their model, or are no JSON.
enum DocumentMutation {
    private static let values = [
        "null", "true", "0", "-1", "1.5", "\"x\"", "\"\"", "[]", "{}", "[[{}]]", "{\"a\":{}}",
        "99999999999999999999",
        "\"refused\"", "\"leaf\"", "{\"type\":\"leaf\"}", "{\"t\":\"leaf\",\"c\":{}}", "@",
    ]

    static func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
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
