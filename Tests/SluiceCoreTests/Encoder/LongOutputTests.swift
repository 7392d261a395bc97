import TestSupport
import Testing

@testable import SluiceCore

/// Long outputs, of which the second and later ones of a type are written in the memory of the result.
@Suite(.tags(.encoding)) struct LongOutputTests {
    @Test func `outputs of any length follow one another`() throws {
        struct Line: JSONModel {
            let text: String
            static let plan = ModelPlan<Line>(JSONField(\.text))
        }
        let lengths = [
            20_000, 21_000, 19_000, 20_000, 12_000, 12_000, 23_000, 60_000, 60_000, 3, 0, 60_000, 60_500, 6_000,
            6_100, 60_000, 58_000,
        ]
        for (isPretty, escapesSlashes) in [(false, false), (true, false), (false, true)] {
            var encoder = JSONModelEncoder()
            encoder.formatting = isPretty ? .pretty : .compact
            encoder.escapesSlashes = escapesSlashes
            for count in lengths {
                let lines = (0..<count).map { Line(text: "line \($0)") }
                let members = lines.map {
                    isPretty ? "  {\n    \"text\": \"\($0.text)\"\n  }" : "{\"text\":\"\($0.text)\"}"
                }
                let expected =
                    isPretty && count > 0
                    ? "[\n" + members.joined(separator: ",\n") + "\n]" : "[" + members.joined(separator: ",") + "]"
                let bytes = try encoder.encode(lines)
                #expect(bytes.elementsEqual(expected.utf8), "\(count) lines")
                #expect(try encoder.encode(lines, as: .string) == expected, "\(count) lines")
            }
        }
    }

    @Test func `the memory of a result has few unused bytes`() throws {
        struct Number: JSONModel {
            let value: Int
            static let plan = ModelPlan<Number>(JSONField(\.value))
        }
        func encode(_ count: Int) throws -> [UInt8] {
            try JSONModelEncoder().encode((0..<count).map { Number(value: $0 % 10 + 10_000) })
        }
        let first = try encode(10_000)
        let second = try encode(10_000)
        #expect(second == first)
        #expect(second.capacity >= first.count + first.count / 8, "The result has the learned capacity.")
        for count in [9_000, 8_000, 11_000, 7_000, 5_000, 5_000, 1, 20_000, 20_000, 16_000] {
            let bytes = try encode(count)
            #expect(bytes.count == count * 16 - 1 + 2)
            #expect(bytes.capacity <= bytes.count / 3 * 4 + 64, "\(count) elements")
        }
    }

    @Test func `an error late in a long output has its path, and later outputs are complete`() throws {
        struct Measurement: JSONModel {
            let value: Double
            static let plan = ModelPlan<Measurement>(JSONField(\.value))
        }
        let encoder = JSONModelEncoder()
        let values = [Measurement](repeating: Measurement(value: 12.5), count: 10_000)
        let expected = "[" + repeatElement("{\"value\":12.5}", count: 10_000).joined(separator: ",") + "]"
        for _ in 0..<3 {
            #expect(try encoder.encode(values, as: .string) == expected)
            #expect(try encoder.encode(values).elementsEqual(expected.utf8))
            let error = #expect(throws: JSONModelError.self) {
                try encoder.encode(values + [Measurement(value: .nan)])
            }
            #expect(error?.issues.first?.path == "[10000].value")
        }
    }

    @Test func `threads encode long outputs of one type`() async throws {
        struct Name: JSONModel {
            let name: String
            static let plan = ModelPlan<Name>(JSONField(\.name))
        }
        await withTaskGroup(of: Bool.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    (0..<40).allSatisfy { round in
                        let count = 6_000 + (thread * 7 + round * 13) % 11 * 500
                        let bytes = try? JSONModelEncoder().encode(
                            [Name](repeating: Name(name: "a name"), count: count))
                        return bytes?.count == count * 18 - 1 + 2 && bytes?.last == UInt8(ascii: "]")
                    }
                }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }
}
