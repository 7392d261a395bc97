import TestSupport
import Testing

@testable import SluiceCore

/// Equal strings of a call share their memory.
struct SharedStringTests {
    private struct Row: JSONModel, Equatable {
        var name: String
        var note: String?
        var tags: [String]
        static let plan = ModelPlan<Row>(JSONField(\.name), JSONField(\.note), JSONField(\.tags))
    }

    /// The address of the bytes of a string; nil if the string is stored inline.
    private func address(_ text: String) -> UnsafePointer<UInt8>? {
        withUnsafePointer(to: text) { StringBytes(at: UnsafeRawPointer($0)).native?.baseAddress }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `strings have their own contents, however often and in whatever order they repeat`(
        _ source: JSONModelDecoder.Source
    ) throws {
        var random = SeededRandom(seed: 72, index: 0)
        // Many strings with the same length, and the same first and last bytes.
        let texts = (0..<40).flatMap { index -> [String] in
            let number = String(index)
            let pad = String(repeating: "-", count: 30 - number.count)
            return [
                "\(number)", "a text \(number)\(pad) the end", "ein Text \(number)\(pad)größer",
                String(repeating: number, count: 16), String(repeating: "é", count: 8 + index % 26),
            ]
        }
        let decoder = JSONModelDecoder(from: source)
        for _ in 0..<20 {
            let pool = Array(texts.shuffled(using: &random).prefix(random.below(60) + 1))
            let rows = (0..<300).map { _ in
                Row(
                    name: random.pick(pool), note: random.below(3) == 0 ? nil : random.pick(pool),
                    tags: (0..<random.below(4)).map { _ in random.pick(pool) })
            }
            let text = try JSONModelEncoder().encode(rows)
            #expect(try decoder.decode([Row].self, from: text) == rows)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `values of a field that repeat share their bytes`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let rows = (0..<300).map { Row(name: "a name that is alone: \($0)", note: "a note of many rows", tags: []) }
        let decoded = try decoder.decode([Row].self, from: JSONModelEncoder().encode(rows))
        #expect(decoded == rows)
        let addresses = Set(decoded.suffix(100).map { address($0.note ?? "") })
        #expect(addresses.count == (StringBytes.isKnown ? 1 : 100))
        #expect(Set(decoded.map { address($0.name) }).count == 300)
    }
}
