import TestSupport
import Testing

@testable import SluiceCore

/// Tables of keys find each of them within a few comparisons, wherever the keys differ.
@Suite(.tags(.keys)) struct KeyHashTests {
    /// Returns the greatest number of entries that a search in a table of these keys compares.
    private func maximumSearchLength(in keys: [String]) -> Int {
        let memory = PlanMemory()
        let table = TableBuilder.table(of: keys.map { ($0, 0) }, memory)
        // A search continues until a free slot.
        var (maximumLength, run) = (0, 0)
        for slot in 0...2 * table.slotMask + 1 {
            run = table.slots[slot & table.slotMask] == 0 ? 0 : run + 1
            maximumLength = max(maximumLength, run)
        }
        return withExtendedLifetime(memory) { maximumLength }
    }

    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    @Test(arguments: [30, 600, 5_000]) func `searches are short for keys of any family`(count: Int) {
        let stem = "abcdefghijklmnopqrstuvwxyz"
        let families: [(name: String, key: (Int) -> String)] = [
            ("only digits", { digits($0) }), ("different at the end", { "property_\(digits($0))" }),
            ("different at the front", { "\(digits($0))_property" }),
            ("eight bytes, different at the end", { "ab\(digits($0))" }),
            ("nine bytes, different at the end", { "abc\(digits($0))" }),
            ("sixteen bytes, different at the end", { "abcdefghij\(digits($0))" }),
            ("seventeen bytes, different in the middle", { "abcdefgh\(digits($0))xyz" }),
            ("different in the middle", { "\(stem)\(digits($0))\(stem)" }),
            ("different at both ends", { "\(digits($0))\(stem)\(digits($0))" }),
            ("repeated words", { "a\(digits($0))_a\(digits($0))_" }),
            ("of all lengths", { String(repeating: "a", count: $0) }),
            ("letters beyond ASCII", { "一丁丂" + String(UnicodeScalar(0x4E00 + $0)!) }),
        ]
        for family in families {
            let longest = maximumSearchLength(in: (0..<count).map(family.key))
            // Half of the slots are empty; chance alone makes runs of about 20.
            #expect((1...40).contains(longest), "\(family.name)")
        }
        for place in 0..<40 {
            let keys = (0..<min(count, 200)).map { number in
                var bytes = [UInt8](repeating: UInt8(ascii: "k"), count: 41)
                (bytes[place], bytes[place + 1]) = (UInt8(97 + number % 16), UInt8(97 + number / 16))
                return String(decoding: bytes, as: UTF8.self)
            }
            #expect((1...40).contains(maximumSearchLength(in: keys)), "byte \(place)")
        }
    }

    @Test func `a search for the only key compares one entry`() {
        #expect(maximumSearchLength(in: ["key"]) == 1)
        #expect(maximumSearchLength(in: []) == 0)
    }

    enum Many: JSONEnum, Equatable {
        case number(Int, Int)
        static let plan = ModelPlan<Many>(
            cases: (0..<70_000).map { number in
                JSONCase(
                    "case \(number)", payload: Int.self, make: { .number(number, $0) },
                    read: { if case .number(number, let value) = $0 { value } else { nil } })
            })
    }

    @Test func `a plan may have more than 65,535 keys`() throws {
        for number in [0, 1, 65_534, 65_535, 65_536, 69_999] {
            #expect(try decode(Many.self, #"{"case \#(number)":7}"#) == .number(number, 7))
        }
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Many.self, from: #"{"case 70000":7}"#)
        }
    }

    struct Candidates: JSONModel {
        let values: [Int?]
        struct Storage {
            // 700 properties of 100 candidates each are 70,000 keys.
            var block: Block
        }
        typealias Block = (Int?, Int?, Int?, Int?, Int?, Int?, Int?)
        static let plan = ModelPlan<Candidates>(
            storage: Block.self,
            [
                field(\.0, 0), field(\.1, 1), field(\.2, 2), field(\.3, 3), field(\.4, 4), field(\.5, 5),
                field(\.6, 6),
            ], make: { Candidates(values: [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]) })
        private static func field(_ path: KeyPath<Block, Int?>, _ number: Int) -> JSONField<Block> {
            JSONField(path, key: "k\(number)", or: "alternative_\(number)_a", "alternative_\(number)_b")
        }
    }

    @Test func `candidates in a tuple are found`() throws {
        let made = try JSONModelDecoder().decode(
            Candidates.self, from: #"{"alternative_6_b":6,"k0":0,"alternative_3_a":3}"#)
        #expect(made.values == [0, nil, nil, 3, nil, nil, 6])
    }
}
