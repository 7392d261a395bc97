import Foundation
import TestSupport

/// Texts to try: JSON from a grammar that knows the targets' keys, texts of other people, and both of them broken.
struct FuzzText {
    /// Texts of the suites and pieces of the corpora, where they are at hand.
    let seeds: [[UInt8]]

    init() {
        var seeds: [[UInt8]] = []
        for folder in TestData.suites.isSet ? ["JSONTestSuite", "yajl-cases"] : [] {
            let names = (try? TestData.suites.names(in: folder, withSuffix: ".json")) ?? []
            for name in names {
                guard let text = try? TestData.suites.bytes("\(folder)/\(name)"), text.count < 20_000 else {
                    continue
                }
                seeds.append(text)
            }
        }
        for name in TestData.corpus.isSet ? ["twitter", "canada", "citm_catalog"] : [] {
            guard let text = try? TestData.corpus.bytes("\(name).json") else { continue }
            // Every so often a piece that begins at a bracket; what it lacks at its end is a fault like any other.
            for start in stride(from: 0, to: text.count, by: text.count / 60) {
                guard let bracket = text[start...].firstIndex(where: { $0 == 0x7B || $0 == 0x5B }) else { continue }
                seeds.append(Array(text[bracket...].prefix(3_000)))
            }
        }
        self.seeds = seeds
    }

    func text(_ random: inout SeededRandom) -> [UInt8] {
        var text = seeds.isEmpty || random.below(3) > 0 ? Self.valid(&random) : random.pick(seeds)
        if random.below(3) > 0 {
            for _ in 0...random.below(3) { Self.mutate(&text, &random) }
        }
        return text
    }

    // MARK: Valid texts

    private static let keys = [
        "a", "b", "id", "name", "items", "tree", "skip", "raw", "value", "n", "c", "numbers", "nested", "deep", "x",
        "é",
        "long_key_with_tail_1", "long_key_with_tail_2", "\\u0061", "k\\n", "日本",
    ]
    private static let strings = [
        "", "a", "short", "fifteen bytes..", "sixteen bytes...", "é", "naïve 東京", "😀😀", "quote \\\" inside",
        "\\u00e9\\ud83d\\ude00",
        "a\\/b\\\\", "?\\n?", "long text without anything special in it, over some vectors", "tab\\tand\\u0000null",
        "あいうえおかきくけこさしすせそ", "ends with a backslash \\\\",
    ]
    private static let numbers = [
        "0", "-0", "1", "-7", "12345678", "123456789012345678", "9223372036854775807", "-9223372036854775808",
        "18446744073709551616", "0.1", "-65.613616999999977", "1e5", "1.5E-3", "1e400", "2.2250738585072011e-308",
        "123456789012345678901234567890", "0.000000000000000000000000000001", "100000000", "1.0",
    ]

    private static func blank(_ random: inout SeededRandom) -> String {
        random.pick(["", "", "", " ", "\n", "\r\n\t", "        ", "\n                                  "])
    }

    static func valid(_ random: inout SeededRandom) -> [UInt8] {
        var text = ""
        if random.below(20) == 0 { text += "\u{FEFF}" }
        text += blank(&random)
        write(&text, depth: 0, &random)
        text += blank(&random)
        return Array(text.utf8)
    }

    private static func write(_ text: inout String, depth: Int, _ random: inout SeededRandom) {
        switch random.below(depth == 0 ? 5 : depth > 6 ? 5 : 9) {
        case 0 where depth > 0: text += "\"\(random.pick(strings))\""
        case 1 where depth > 0: text += random.pick(numbers)
        case 2 where depth > 0: text += random.pick(["true", "false", "null"])
        case 3 where depth > 0: text += "\(random.below(100_000) - 50_000)"
        case 0...5 where depth == 0, 4, 5, 6:
            text += "{" + blank(&random)
            for index in 0..<random.below(7) {
                if index > 0 { text += "," + blank(&random) }
                text += "\"\(random.pick(keys))\"" + blank(&random) + ":" + blank(&random)
                write(&text, depth: depth + 1, &random)
                text += blank(&random)
            }
            text += "}"
        default:
            text += "[" + blank(&random)
            for index in 0..<random.below(5) {
                if index > 0 { text += "," + blank(&random) }
                write(&text, depth: depth + 1, &random)
            }
            text += blank(&random) + "]"
        }
    }

    // MARK: Mutations

    /// Bytes of the syntax, and those of every kind that are not.
    static let bytes =
        Array("{}[],:\"\\0 -+.eEtfnu\u{0B}\u{0C}\u{7F}".utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
    private static let pieces = [
        "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\uD800\\u0041", "\\x", "\\u12", "//", "/* */", "nul", "truee",
        "01", "-",
        "1.", "1e", ".5", "NaN", "'a'", "\"", "\\", "[[[[[[[[[[", "]]]]", "{\"a\":", ",,", "\u{FEFF}", "\n\n\n",
        "\r", "\t",
    ]

    static func mutate(_ text: inout [UInt8], _ random: inout SeededRandom) {
        let at = random.below(text.count + 1)
        switch random.below(8) {
        case 0 where at < text.count: text[at] = UInt8(truncatingIfNeeded: random.next())
        case 1 where at < text.count: text.remove(at: at)
        case 2: text.insert(random.pick(bytes), at: at)
        case 3: text.insert(contentsOf: Array(random.pick(pieces).utf8), at: at)
        case 4: text.removeSubrange(at...)
        case 5:
            let end = min(at + 1 + random.below(20), text.count)
            text.insert(contentsOf: text[at..<end], at: random.below(text.count + 1))
        case 6:
            let end = min(at + 1 + random.below(8), text.count)
            text.removeSubrange(at..<end)
        default:
            // A long run of one byte, over several vectors.
            let run = [UInt8](repeating: random.pick(Array("a9 \\é".utf8)), count: random.below(200))
            text.insert(contentsOf: run, at: at)
        }
    }
}
