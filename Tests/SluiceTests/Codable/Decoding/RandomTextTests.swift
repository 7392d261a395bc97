import Foundation
import Sluice
import TestSupport
import Testing

/// Random texts of the tokens of JSON and JSON5, most of them malformed: Foundation's decoder accepts the same ones, with the same values.
@Suite struct RandomTextTests {
    @Test func `each text has the verdict and the value of Foundation`() throws {
        let (foundation, sluice) = (JSONDecoder(), SluiceJSONDecoder())
        var accepted = 0
        let count = try forEachRandomCase(12_000) { random, name in
            let isJSON5 = random.below(4) > 0
            let mayLackBraces = random.below(6) == 0
            let json = Self.text(&random, isJSON5: isJSON5)
            (foundation.allowsJSON5, foundation.assumesTopLevelDictionary) = (isJSON5, mayLackBraces)
            (sluice.allowsJSON5, sluice.assumesTopLevelDictionary) = (isJSON5, mayLackBraces)
            sluice.source = random.pick(JSONModelDecoder.Source.allCases)
            let expected = Self.outcome { try foundation.decode(AnyTree.self, from: Data(json.utf8)).text }
            let result = Self.outcome { try sluice.decode(AnyTree.self, from: Data(json.utf8)).text }
            let isEqual = result == expected
            try #require(
                isEqual,
                "\(name), JSON5 \(isJSON5), braces \(mayLackBraces)\n\(json)\nSluice: \(result)\nFoundation: \(expected)"
            )
            if result != "error" { accepted += 1 }
        }
        #expect(accepted > count / 5)
    }

    private static func outcome(_ decode: () throws -> String) -> String { (try? decode()) ?? "error" }

    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"a#\"", "null", "true", "false", "1", "-2", "1e3", "1E2", "0", "-0", "1.5",
        "01", "1.",
        "-", "\"#\\n\"", "\"\\u0041#\"", "\"\\uD83D\\uDE00#\"", "\"\\uD800#\"", "tru", "nulll", " ", "\n", "\t",
        "\r",
        "\"",
        "\\", "é", "\"é#\"", "1.25e2", "123456789012345678", "truefalse",
    ]
    private static let tokensOfJSON5 = [
        "'b#'", "a#", "b_#", "$x#", "+3", ".5", "5.", "0x1F", "-0xa", "Infinity", "-Infinity", "NaN", "+NaN",
        "//c\n",
        "/*d*/",
        "/* ** */", "//", "/*", "'#\\''", "'\"#'", "\"'#\"", "'", "0x", "+", "/", "//\r", ".", "+.5", "-.5e1",
        "'é#'",
        "ü#",
    ]

    private static func text(_ random: inout SeededRandom, isJSON5: Bool) -> String {
        var parts: [String] = []
        value(&random, isJSON5, 0, &parts)
        let all = isJSON5 ? tokens + tokensOfJSON5 : tokens
        for _ in 0..<random.below(3) where random.below(2) == 0 {
            let at = random.below(parts.count)
            switch random.below(4) {
            case 0: parts[at] = random.pick(all)
            case 1: parts.insert(random.pick(all), at: at)
            case 2: parts.swapAt(at, random.below(parts.count))
            default: if parts.count > 1 { parts.remove(at: at) }
            }
        }
        // Foundation reads beyond a number at the end of the text. Keys differ, because Foundation does not check the values of repeated keys, which nobody reads.
        return parts.enumerated().map { $1.replacing("#", with: "\($0)") }.joined() + "\n"
    }

    private static func value(_ random: inout SeededRandom, _ isJSON5: Bool, _ depth: Int, _ parts: inout [String])
    {
        func blank(_ random: inout SeededRandom, _ parts: inout [String]) {
            guard random.below(4) == 0 else { return }
            parts.append(
                random.pick(isJSON5 ? [" ", "\n", "//c\n", "/*d*/", "\t", "/**/"] : [" ", "\n", "\r\n", "\t"]))
        }
        blank(&random, &parts)
        switch random.below(depth > 3 ? 5 : 10) {
        case 0: parts.append(random.pick(["null", "true", "false"]))
        case 1, 2:
            parts.append(
                random.pick(
                    isJSON5
                        ? ["1", "-2", "+3", ".5", "5.", "0x1F", "-0xa", "Infinity", "NaN", "1e2"]
                        : ["1", "-2", "1.5", "0", "1e2"]))
        case 3, 4:
            parts.append(
                random.pick(
                    isJSON5
                        ? ["\"a#\"", "'b#'", "'#\\''", "\"#\\n\""]
                        : ["\"a#\"", "\"#\\n\"", "\"\\u0041#\"", "\"#\""]))
        case 5, 6, 7:
            parts.append("[")
            let count = random.below(4)
            for index in 0..<count {
                value(&random, isJSON5, depth + 1, &parts)
                if index + 1 < count || random.below(6) == 0 { parts.append(",") }
            }
            parts.append("]")
        default:
            parts.append("{")
            let count = random.below(4)
            for index in 0..<count {
                blank(&random, &parts)
                parts.append(
                    random.pick(
                        isJSON5
                            ? ["a#", "'b#'", "\"c#\"", "$x#", "null#", "Infinity#"]
                            : ["\"a#\"", "\"b#\"", "\"\\u0061#\""]))
                blank(&random, &parts)
                parts.append(":")
                value(&random, isJSON5, depth + 1, &parts)
                if index + 1 < count || random.below(6) == 0 { parts.append(",") }
            }
            parts.append("}")
        }
        blank(&random, &parts)
    }
}

/// Any JSON, described.
private struct AnyTree: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: TextKey.self) {
            text = try container.allKeys.map {
                "\($0.stringValue): \(try container.decode(AnyTree.self, forKey: $0).text)"
            }
            .sorted().description
        } else if var container = try? decoder.unkeyedContainer() {
            var parts: [String] = []
            while !container.isAtEnd { parts.append(try container.decode(AnyTree.self).text) }
            text = "\(parts)"
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                text = "null"
            } else if let value = try? container.decode(Bool.self) {
                text = "\(value)"
            } else if let value = try? container.decode(String.self) {
                text = value.debugDescription
            } else {
                text = "\(try container.decode(Double.self))"
            }
        }
    }
}
