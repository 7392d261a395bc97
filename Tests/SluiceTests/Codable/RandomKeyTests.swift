import Foundation
import Sluice
import Testing

/// Keys, of which several are equal strings of different bytes, in containers of random contents: the results are those of Foundation.
@Suite struct RandomKeyTests {
    private static let long = "a key of more than fifteen bytes "
    private static let keys = [
        "a", "b", "é", "e\u{301}", "K", "\u{212A}", "\u{C5}", "A\u{30A}", "\u{212B}", ";", "\u{37E}", "",
        long + "é", long + "e\u{301}", long + "K", long + "\u{212A}", "\u{1E69}", "s\u{323}\u{307}",
        "s\u{307}\u{323}",
    ]

    /// What is encoded for a key. Equal keys have the same kind, because a coder stops the program otherwise.
    private indirect enum Step: Encodable {
        case scalar(Int)
        case list([Step])
        case object([(String, Step)], isNested: Bool)

        static func random(_ depth: Int) -> Step {
            switch Int.random(in: 0..<(depth > 2 ? 1 : 3)) {
            case 0: return .scalar(.random(in: 0..<1000))
            case 1: return .list((0..<Int.random(in: 0..<4)).map { _ in random(depth + 1) })
            default:
                let members = (0..<Int.random(in: 0..<12)).map { _ in
                    let key = RandomKeyTests.keys.randomElement()!
                    // By the hash of the string, which equal strings share.
                    let isNested = key.hashValue & 3 == 0
                    return (key, isNested ? object([], isNested: true).filled(depth + 1) : random(depth + 1))
                }
                return .object(members, isNested: false)
            }
        }

        private func filled(_ depth: Int) -> Step {
            .object(
                (0..<Int.random(in: 0..<4)).map { _ in
                    (RandomKeyTests.keys.randomElement()!, .scalar(.random(in: 0..<10)))
                }, isNested: true)
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .scalar(let value): try value.encode(to: encoder)
            case .list(let steps):
                var container = encoder.unkeyedContainer()
                for step in steps { try container.encode(step) }
            case .object(let members, _):
                var container = encoder.container(keyedBy: TextKey.self)
                for (key, step) in members {
                    if case .object(let inner, true) = step {
                        var nested = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey(key))
                        for (key, step) in inner { try nested.encode(step, forKey: TextKey(key)) }
                    } else {
                        try container.encode(step, forKey: TextKey(key))
                    }
                }
            }
        }
    }

    @Test func `objects with random keys are encoded as by Foundation`() throws {
        let (foundation, sluice) = (JSONEncoder(), SluiceJSONEncoder())
        foundation.outputFormatting = .sortedKeys
        sluice.outputFormatting = .sortedKeys
        for _ in 0..<4_000 {
            let step = Step.random(0)
            let expected = try foundation.encode(step)
            let encoded = try sluice.encode(step)
            try #require(
                encoded == expected,
                "\(String(decoding: encoded, as: UTF8.self)) \(String(decoding: expected, as: UTF8.self))")
        }
    }

    /// Describes the members of an object, by all keys of the pool.
    private struct Reader: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            text = container.allKeys.map { Array($0.stringValue.utf8).description }.sorted().joined()
            for key in RandomKeyTests.keys {
                let key = TextKey(key)
                text += container.contains(key) ? " +" : " -"
                if let value = try container.decodeIfPresent(Int.self, forKey: key) { text += "\(value)" }
                do { text += ",\(try container.decode(Int.self, forKey: key))" } catch { text += ",!" }
                if let nested = try? container.decode(Reader.self, forKey: key) { text += "(\(nested.text))" }
            }
        }
    }

    private static func json(_ depth: Int) -> String {
        if depth > 0, Int.random(in: 0..<3) > 0 { return "\(Int.random(in: 0..<100))" }
        let members = (0..<Int.random(in: 0..<8)).map { _ in
            let value = depth > 1 ? "null" : json(depth + 1)
            return "\"\(keys.randomElement()!)\":\(value.hasPrefix("{") && Bool.random() ? "1" : value)"
        }
        return "{\(members.joined(separator: ","))}"
    }

    @Test func `objects with random keys are decoded as by Foundation`() throws {
        let (foundation, sluice) = (JSONDecoder(), SluiceJSONDecoder())
        for _ in 0..<3_000 {
            let json = Data(Self.json(0).utf8)
            let expected = (try? foundation.decode(Reader.self, from: json).text) ?? "error"
            let decoded = (try? sluice.decode(Reader.self, from: json).text) ?? "error"
            try #require(decoded == expected, "\(String(decoding: json, as: UTF8.self))")
        }
    }
}
