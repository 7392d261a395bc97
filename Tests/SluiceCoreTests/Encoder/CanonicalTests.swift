import SluiceCodable
import TestSupport
import Testing

@testable import SluiceCore

/// The canonical form of RFC 8785.
@Suite(.tags(.encoding)) struct CanonicalTests {
    private var encoder: JSONModelEncoder {
        let encoder = JSONModelEncoder.with { $0.formatting = .canonical }
        return encoder
    }

    private func canonical(_ text: String) throws -> String {
        try encoder.encode(JSONModelDecoder().decode(JSONRaw.self, from: text), as: .string)
    }

    @Test func `the examples of the RFC have its bytes`() throws {
        let input = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let output =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
        #expect(try canonical(input) == output)
        #expect(try canonical(output) == output)
    }

    @Test func `keys are in the order of their UTF-16`() throws {
        let input = #"""
            {"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
            "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}
            """#
        let value = try JSONModelDecoder().decode(JSONValue.self, from: canonical(input))
        #expect(
            value.object?.values.map(\.string) == [
                "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
                "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
            ])
    }

    @Test func `random keys are in the order of their UTF-16`() throws {
        var random = SeededRandom(seed: 88, index: 0)
        let units: [Character] = [
            "a", "b", "\u{7F}", "é", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
        ]
        for _ in 0..<300 {
            let keys = Set((0..<12).map { _ in String((0..<random.below(4)).map { _ in random.pick(units) }) })
            let value = JSONValue.object(JSONObject(keys.map { ($0, JSONValue.null) }))
            let sorted = try JSONModelDecoder().decode(JSONObject.self, from: encoder.encode(value))
            #expect(Array(sorted.keys) == keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) })
        }
    }

    @Test(
        arguments: [
            (0, "0"), (0x8000_0000_0000_0000, "0"), (1, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
            (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"), (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"), (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
            (0x44B5_2D02_C7E1_4AF6, "1e+23"), (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
            (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"), (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
            (0x444B_1AE4_D6E2_EF50, "1e+21"), (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
            (0x3EB0_C6F7_A0B5_ED8D, "0.000001"), (0x41B3_DE43_5555_5553, "333333333.3333332"),
            (0x41B3_DE43_5555_5554, "333333333.33333325"), (0x41B3_DE43_5555_5555, "333333333.3333333"),
            (0x4632_EEC2_EB38_69AF, "1.5e+30"), (0xBE84_21F5_F40D_8376, "-1.5e-7"),
            (0x41B3_DE43_5555_5556, "333333333.3333334"), (0x41B3_DE43_5555_5557, "333333333.33333343"),
            (0xBECB_F647_612F_3696, "-0.0000033333333333333333"), (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
        ] as [(UInt64, String)])
    func `numbers of the RFC are those of ECMAScript`(_ pattern: UInt64, _ text: String) throws {
        #expect(try encoder.encode(Double(bitPattern: pattern), as: .string) == text)
        #expect(try canonical(text) == text)
    }

    @Test func `the canonical form of a canonical form is itself`() throws {
        var random = SeededRandom(seed: 89, index: 0)
        for _ in 0..<5_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let text = try encoder.encode(value, as: .string)
            #expect(Double(text) == value)
            #expect(try canonical(text) == text)
        }
    }

    @Test(arguments: [
        "9007199254740993", "-9007199254740993", "1e400", "123456789012345678901234567890123456789012",
        "340282366920938463463374607431768211457", "1" + String(repeating: "0", count: 23),
    ])
    func `a number that a double does not hold is an error with its path`(_ number: String) throws {
        let error = #expect(throws: JSONModelError.self) { try canonical(#"{"b":[1,{"c":\#(number)}],"a":2}"#) }
        #expect(error?.issues.first?.path.description == "b[1].c")
        #expect(error?.issues.first?.location.line == 0)
        let raw = try JSONModelDecoder().decode(JSONRaw.self, from: "[1,\n \(number)]")
        let located = #expect(throws: JSONModelError.self) {
            try raw.canonicalBytes(at: JSONLocation(offset: 10, line: 3, column: 5))
        }
        #expect(located?.issues.first?.location == JSONLocation(offset: 15, line: 4, column: 2))
        #expect(located?.issues.first?.path.description == "[1]")
    }

    @Test(arguments: [
        "9007199254740992", "9007199254740994", "1e2", "100.0", "18446744073709551616",
        "340282366920938463463374607431768211456", "-340282366920938463463374607431768211456",
        "1" + String(repeating: "0", count: 22),
    ])
    func `an integer that a double holds is not an error`(_ number: String) throws {
        #expect(try Double(canonical(number)) == Double(number))
    }

    @Test func `a duplicate key is an error with its path`() throws {
        let error = #expect(throws: JSONModelError.self) { try canonical(#"{"a":[{"k":1,"x":2,"\u006b":1}]}"#) }
        #expect(error?.issues.first?.kind == .duplicateKey("k"))
        #expect(error?.issues.first?.path.description == "a[0].k")
        // The first repetition is located.
        let raw = try JSONModelDecoder().decode(JSONRaw.self, from: #"{"k":1,"k":2,"k":3}"#)
        let located = #expect(throws: JSONModelError.self) {
            try raw.canonicalBytes(at: JSONLocation(offset: 0, line: 1, column: 1))
        }
        #expect(located?.issues.first?.location.offset == 7)
        // Keys are compared by their units, not by canonical equivalence.
        #expect(try canonical("{\"é\":1,\"e\u{301}\":2}") == "{\"e\u{301}\":2,\"é\":1}")
    }

    private struct Row: JSONModel {
        var name: String
        var id: Int
        var raw: JSONRaw
        static let plan = ModelPlan<Row>(JSONField(\.name), JSONField(\.id), JSONField(\.raw, key: "b.raw"))
    }

    private struct Coded: Encodable {
        var name = "n/"
        var id = 1.50
    }

    @Test func `every way to write has the canonical form`() throws {
        let row = Row(name: "n", id: 7, raw: try JSONRaw(#"{ "z" : 1.0, "a" : "\u0041\/" }"#))
        let text = #"{"b":{"raw":{"a":"A/","z":1}},"id":7,"name":"n"}"#
        #expect(try encoder.encode(row, as: .string) == text)
        var bytes: [UInt8] = []
        try encoder.write(row) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        bytes = []
        try encoder.write(elements: [row, row]) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == "[\(text),\(text)]")
        #expect(try encoder.encode(Coded(), as: .string) == #"{"id":1.5,"name":"n/"}"#)
        bytes = []
        try encoder.write(elements: [Coded(), Coded()]) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == #"[{"id":1.5,"name":"n/"},{"id":1.5,"name":"n/"}]"#)
        bytes = []
        try encoder.write(elements: [] as [Row]) { bytes += $0 }
        #expect(String(decoding: bytes, as: UTF8.self) == "[]")
    }

    @Test func `the path of an error begins at the element`() throws {
        let rows = [
            Row(name: "n", id: 7, raw: try JSONRaw("1")),
            Row(name: "n", id: 1 << 53 + 1, raw: try JSONRaw("[1e999]")),
        ]
        let error = #expect(throws: JSONModelError.self) { try encoder.write(elements: rows) { _ in } }
        #expect(error?.issues.first?.path.description == "[1].b.raw[0]")
    }

    @Test func `the array of the elements counts in the limit of depth`() throws {
        for formatting in [JSONModelEncoder.Formatting.compact, .canonical] {
            var encoder = JSONModelEncoder()
            encoder.formatting = formatting
            encoder.limits.depth = 2
            try encoder.write(elements: [[1], []] as [[Int]]) { _ in }
            let deep: [[[Int]]] = [[[1]]]
            let error = #expect(throws: JSONModelError.self) { try encoder.write(elements: deep) { _ in } }
            #expect(error?.issues.first?.kind == .limitExceeded(.depth, limit: 2))
        }
    }

    struct Note: JSONModel {
        var name: String
        var id: Int
        static let plan = ModelPlan<Note>([JSONField(\.name), JSONField(\.id)])
    }

    struct Letter: JSONModel {
        var note: Note
        var id: Int
        static let plan = ModelPlan<Letter>([JSONField(embedded: \.note), JSONField(\.id)])
    }

    @Test func `a filter applies to the properties in a string of JSON`() throws {
        let letter = Letter(note: Note(name: "n", id: 1), id: 2)
        var encoder = self.encoder
        #expect(try encoder.encode(letter, as: .string) == #"{"id":2,"note":"{\"id\":1,\"name\":\"n\"}"}"#)
        encoder.only = ["note.name"]
        #expect(try encoder.encode(letter, as: .string) == #"{"note":"{\"name\":\"n\"}"}"#)
        encoder.only = nil
        encoder.except = ["id"]
        #expect(try encoder.encode(letter, as: .string) == #"{"note":"{\"id\":1,\"name\":\"n\"}"}"#)
    }

    @Test func `options for order and escapes have no effect`() throws {
        var encoder = self.encoder
        (encoder.escapesSlashes, encoder.escapesNonASCII, encoder.keyOrder) = (true, true, .declared)
        #expect(encoder.formatting == .canonical)
        #expect(try encoder.encode(["b": "é/", "a": nil] as JSONValue, as: .string) == #"{"a":null,"b":"é/"}"#)
        encoder.formatting = .compact
        #expect(try encoder.encode(["b": "/"] as JSONValue, as: .string) == #"{"b":"\/"}"#)
    }

    struct Leaf: JSONModel, Codable, Hashable {
        var id: Int
        var names: Set<String> = []
        static let plan = ModelPlan<Leaf>([JSONField(\.id), JSONField(\.names, default: [])])
    }

    struct Plain: Codable, Hashable {
        var numbers: Set<Double?>
        var pairs: [Leaf: Set<Int>]
    }

    /// Sets and dictionaries in all places.
    struct Sets: JSONModel, Equatable {
        var leaves: Set<Leaf>
        var optional: Set<Int?>?
        var nested: [Set<Set<Int>>]
        var ids: Set<Int>
        var plain: Plain
        var text: Set<Leaf>
        var rest: [String: Set<Float>]
        static let plan = ModelPlan<Sets>([
            JSONField(\.leaves), JSONField(\.optional), JSONField(\.nested), JSONField(\.ids, key: "rows[*].id"),
            JSONField(\.plain), JSONField(embedded: \.text), JSONField(extra: \.rest),
        ])

        /// The value with elements in the order of their insertion into memory that is larger or not.
        init(_ isLarge: Bool) {
            func set<T>(_ elements: [T]) -> Set<T> {
                var set = Set<T>(minimumCapacity: isLarge ? 5_000 : 0)
                for element in isLarge ? elements.reversed() : elements { set.insert(element) }
                return set
            }
            func numbers(_ from: Int) -> Set<Int> { set((from..<from + 9).map { $0 * 7_919 }) }
            leaves = set((0..<12).map { Leaf(id: $0, names: set(["b\($0)", "a\($0)", "c"])) })
            optional = set((0..<9).map { $0 == 4 ? nil : $0 })
            nested = [set([numbers(1), numbers(2), numbers(-20)]), []]
            ids = numbers(5)
            let keys = isLarge ? leaves.sorted { $0.id < $1.id } : leaves.sorted { $0.id > $1.id }
            plain = Plain(
                numbers: set([1.5, nil, -2, 10, 1e300]),
                pairs: Dictionary(uniqueKeysWithValues: keys.map { ($0, numbers($0.id)) }))
            text = leaves
            rest = ["z": set([3, 2, 1.5, 10]), "y": []]
        }
    }

    @Test(arguments: ["canonical", "sorted", "pretty"]) func `equal sets have equal text`(_ form: String) throws {
        var encoder = form == "canonical" ? self.encoder : JSONModelEncoder()
        encoder.keyOrder = .sorted
        if form == "pretty" { encoder.formatting = .pretty }
        let (small, large) = (Sets(false), Sets(true))
        #expect(small == large)
        let text = try encoder.encode(small, as: .string)
        #expect(try encoder.encode(large, as: .string) == text)
        #expect(try encoder.encode(small.plain, as: .string) == encoder.encode(large.plain, as: .string))
        #expect(try JSONModelDecoder().decode(Sets.self, from: text) == small)
        var written: [UInt8] = []
        try encoder.write([small, large]) { written += $0 }
        #expect(try written == encoder.encode([large, small]) as [UInt8])
        let error = #expect(throws: JSONModelError.self) { try encoder.encode([Set([Double.nan])]) }
        #expect(error?.issues[0].path == "[0][0]")
    }

    @Test func `a deep value is written without recursion`() throws {
        let text = String(repeating: "[", count: 4_000) + String(repeating: "]", count: 4_000)
        let written = try onSmallStack {
            var (decoder, encoder) = (JSONModelDecoder(), self.encoder)
            (decoder.limits.depth, encoder.limits.depth) = (4_000, 4_000)
            return try encoder.encode(decoder.decode(JSONRaw.self, from: text), as: .string)
        }.get()
        #expect(written == text)
    }
}
