import SluiceCore
import TestSupport
import Testing

/// Numbers, arrays of doubles and empty arrays, which the scanner reads without a token for each: every source gives the same
/// values and the same errors, however the input is cut.
@Suite struct PlainNumberTests {
    struct Shape: JSONModel, Equatable {
        var id = 0
        var rings: [[Double]] = []
        var ratio = 0.0
        var flat: [Double]?
        var stamp: Int64?
        var names: [String] = []
        var parts: [[[Double]]] = []
        var counts: [Int] = []
        var last = 0.0

        static let plan = ModelPlan<Shape>(
            JSONField(\.id, key: "id"), JSONField(\.rings, key: "rings"), JSONField(\.ratio, key: "ratio"),
            JSONField(\.flat, key: "flat"), JSONField(\.stamp, key: "stamp"), JSONField(\.names, key: "names"),
            JSONField(\.parts, key: "parts"), JSONField(\.counts, key: "counts"), JSONField(\.last, key: "last"))
    }

    private static let sizes = [1, 7, 64, 100, 333]

    /// The bits of a value, or the description of the error. Bits distinguish the zeros.
    private func outcome<T: JSONConvertible>(
        _ type: T.Type, _ text: String, _ feed: Feed, _ decoder: JSONModelDecoder = JSONModelDecoder(),
        _ bits: (T) -> [UInt64]
    ) -> String {
        do {
            return "\(bits(try feed.decode(type, Array(text.utf8), with: decoder)))"
        } catch {
            return "\(error)"
        }
    }

    private func check<T: JSONConvertible>(
        _ type: T.Type, _ text: String, with decoder: JSONModelDecoder = JSONModelDecoder(),
        _ bits: (T) -> [UInt64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let feeds = Feed.all(sizes: Self.sizes)
        let expected = outcome(type, text, feeds[0], decoder, bits)
        for feed in feeds.dropFirst() {
            let other = outcome(type, text, feed, decoder, bits)
            if other != expected {
                Issue.record(
                    "\(feed): \(text.prefix(400)): \(other) instead of \(expected)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Numbers of all lengths, also malformed ones.
    private static let spellings: [String] = {
        var all = [
            "0", "-0", "-0.0", "0.0", "00", "01", "-01", "1.", ".5", "-", "-.5", "+1", "1e", "1e5", "1E-7",
            "-2.5e+3", "1.5e", "0x1",
            "1_0", "1.2.3", "1-2", "9007199254740993", "9007199254740992", "9007199254740993.0", "999999999999999",
            "1000000000000000", "0.5", "2.5", "0.1", "0.30000000000000004", "1.7976931348623157e308", "1e309",
            "5e-324",
            "0.1234567890123456", "0.12345678901234567", "12.3456789012345678", "123456789012345678.5",
            "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "18446744073709551616", "NaN", "nul", "1\u{0}", "1 2",
            "1\t",
        ]
        // The bytes before 0 and after 9, where digits end after each number of bytes that is read in another way.
        for digits in ["0", "1", "12", "123", "1234", "0.5", "-0.25", "1234567890123456", "123456789012345678"] {
            all += [digits + "/", digits + ":"]
        }
        for count in 1...40 {
            let digits = String("1234567890123456789012345678901234567890".prefix(count))
            all += [digits, "-" + digits, digits + ".5", "0." + digits, "-3." + digits, digits + "e2"]
        }
        return all
    }()

    @Test func `every spelling of a number gives the same result in every place`() {
        let lead = String(repeating: "8.25,", count: 8)
        for number in Self.spellings {
            for text in [
                "[\(number)]", "[\(lead)\(number)]", "[\(lead)\(number),1.5,2]", "[\(lead) \(number) ,\n7.5]",
            ] {
                check([Double].self, text + String(repeating: " ", count: 100)) { $0.map(\.bitPattern) }
                check([Double].self, text) { $0.map(\.bitPattern) }
            }
            let members = #"{"id":7,"ratio":0.25,"last":\#(number),"stamp":\#(number)}"#
            check(Shape.self, members) { [$0.last.bitPattern, UInt64(bitPattern: $0.stamp ?? -1)] }
            let integers = #"{"last":12345.125,"id":\#(number),"counts":[1,\#(number),3]}"#
            check(Shape.self, integers) { ([$0.id] + $0.counts).map { UInt64(bitPattern: Int64($0)) } }
        }
    }

    /// Of all letters, only `e` and `E` begin an exponent.
    @Test func `a letter inside of a number is an error at the letter`() throws {
        let lead = "[" + String(repeating: "8.25,", count: 8)
        let trail = String(repeating: " ", count: 80)
        for letter in (UInt8(ascii: "A")...UInt8(ascii: "z")).map({ Character(Unicode.Scalar($0)) }) {
            for number in ["1", "12.5", "-0"] {
                let text = "\(lead)\(number)\(letter)5,1]\(trail)"
                if letter.lowercased() == "e" {
                    let value = try #require(Double(number + "e5"))
                    #expect(try decode([Double].self, text).dropFirst(8) == [value, 1])
                    continue
                }
                let offset = lead.utf8.count + number.utf8.count
                if letter == "]" {
                    #expect(try refusal([Double].self, text).location.offset == offset + 1)
                    continue
                }
                #expect(try refusal([Double].self, text).location.offset == offset, "\(text)")
                // In a value that is not decoded.
                let ignored = #"{"ignored":\#(text),"id":1}"#
                #expect(try refusal(Shape.self, ignored).location.offset == offset + 11, "\(text)")
            }
        }
    }

    @Test func `numbers end at every distance from the end of the input`() {
        for number in ["1.5", "-12.345678901234567", "123456789", "7"] {
            for spaces in 0..<70 {
                let space = String(repeating: " ", count: spaces)
                check([[Double]].self, "[[1,2],[\(number),\(space)\(number)]]") { $0.joined().map(\.bitPattern) }
                check([[Double]].self, "[[1,2],[\(number),\(number)\(space)") { $0.joined().map(\.bitPattern) }
                check(Shape.self, #"{"id":1,"ratio":\#(number),\#(space)"last":\#(number)}"#) {
                    [$0.ratio.bitPattern, $0.last.bitPattern]
                }
            }
        }
    }

    @Test func `random documents of numbers give the same values and errors`() {
        for index in 0..<600 {
            var random = SeededRandom(seed: 20, index: index)
            let text = document(&random)
            check(Shape.self, text) { shape in
                let doubles = Array(shape.rings.joined()) + shape.parts.joined().joined() + (shape.flat ?? [.nan])
                let counts = [
                    shape.id, shape.rings.count, shape.names.count, Int(shape.stamp ?? -1), shape.parts.count,
                ]
                return (doubles + [shape.ratio, shape.last]).map(\.bitPattern)
                    + (counts + shape.rings.map(\.count) + shape.counts).map { UInt64(bitPattern: Int64($0)) }
            }
        }
    }

    private func document(_ random: inout SeededRandom) -> String {
        let space = random.pick(["", "", " ", "\n  ", "\n        "])
        let fault = random.below(4) == 0
        func number() -> String {
            if fault, random.below(60) == 0 {
                return random.pick(["true", "null", "\"x\"", "01", "1.", "[]", "{}", "1e999", "]"])
            }
            let sign = random.pick(["", "-"])
            switch random.below(8) {
            case 0: return sign + "0"
            case 1: return sign + random.digits(1 + random.below(21))
            case 2:
                return sign + random.digits(1 + random.below(4)) + "e" + random.pick(["", "-", "+"])
                    + random.digits(1)
            case 3: return sign + "0." + random.digits(1 + random.below(18))
            default: return sign + random.digits(1 + random.below(6)) + "." + random.digits(1 + random.below(17))
            }
        }
        func list(_ count: Int, _ element: () -> String) -> String {
            "[" + space + (0..<count).map { _ in element() }.joined(separator: "," + space)
                + (random.below(9) == 0 ? " " : space) + "]"
        }
        func doubles() -> String { list(random.pick([0, 1, 2, 2, 2, 3, 5, 30]), number) }
        func integer() -> String { random.pick(["", "-"]) + random.digits(1 + random.below(18)) }
        var members = [
            #""id":\#(space)\#(integer())"#, #""rings":\#(list(random.below(12), doubles))"#,
            #""ratio":\#(number())"#,
            #""flat":\#(random.below(5) == 0 ? "null" : doubles())"#, #""stamp":\#(integer())"#,
            #""names":\#(list(random.below(3)) { "\"a\"" })"#,
            #""parts":\#(list(random.below(3)) { list(random.below(4), doubles) })"#,
            #""counts":\#(list(random.below(6), integer))"#, #""last":\#(number())"#,
        ]
        if random.below(3) == 0 { members.shuffle(using: &random) }
        let text = "{" + space + members.joined(separator: "," + space) + space + "}"
        return random.below(6) == 0 ? String(text.prefix(random.below(text.count))) : text
    }

    @Test(arguments: [511, 512, 513, 4_095, 4_096, 4_097, 20_000])
    func `arrays longer than a block of memory`(count: Int) throws {
        let numbers = (0..<count).map { Double($0) + 0.25 }
        let list = "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]"
        for feed in Feed.all(sizes: [1_000, 65_536]) {
            let decoder = JSONModelDecoder()
            #expect(try feed.decode([Double].self, Array(list.utf8), with: decoder) == numbers)
            let nested = Array("[[0.5,1],\(list),[],\(list),[2.5]]".utf8)
            let value = try feed.decode([[Double]].self, nested, with: decoder)
            #expect(value == [[0.5, 1], numbers, [], numbers, [2.5]], "\(feed)")
        }
    }

    @Test func `an element that is not a number has its index in the path`() throws {
        let found = try refusal([[Double]].self, #"[[1.5,2.5],[3.5,4.5],[5.5,6.5,7.5,"x",8.5]]"#)
        #expect(found.path.description == "[2][3]")
        let long = "[" + String(repeating: "0.5,", count: 5_000) + "true]"
        #expect(try refusal([Double].self, long).path.description == "[5000]")
    }

    @Test func `a limit of digits is checked in arrays and members`() {
        for limit in [3, 10, 31, 32, 39, 40, 41] {
            let decoder = JSONModelDecoder.with { $0.limits.number = limit }
            for count in [2, 3, 4, 9, 10, 11, 30, 31, 32, 33, 38, 39, 40, 41] {
                let number = "0." + String(repeating: "7", count: count - 2 + (count == 2 ? 1 : 0))
                check([Double].self, "[0,0,0,0,0,0,0,0,0,0,\(number),\(number)]", with: decoder) {
                    $0.map(\.bitPattern)
                }
                check(Shape.self, #"{"id":1,"names":[],"last":\#(number)}"#, with: decoder) { [$0.last.bitPattern] }
                for ignored in [number, "{\"z\":[\(number),0]}", "[0,0,\(number)]"] {
                    check(Shape.self, #"{"x":\#(ignored),"id":1,"last":0.5}"#, with: decoder) {
                        [$0.last.bitPattern]
                    }
                }
            }
        }
    }

    @Test func `numbers that the input cuts are not part of a partial value`() throws {
        struct Part: JSONModel, Equatable {
            var id: Int?
            var flat: [Double]?
            var ratio: Double?

            static let plan = ModelPlan<Part>(
                JSONField(\.id, key: "id"), JSONField(\.flat, key: "flat"), JSONField(\.ratio, key: "ratio"))
        }
        let bytes = Array(
            (#"{"id":1234567,"flat":[1.5,2.5,3.5,4.5,5.5,6.5],"ratio":12.5"# + String(repeating: " ", count: 80))
                .utf8)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            for end in 1...bytes.count {
                let part = try #require(try decoder.decodePartially(Part.self, from: Array(bytes[..<end])).value)
                // A value is complete if the byte after it is part of the input.
                #expect(part.id == (end > 13 ? 1_234_567 : nil), "\(source), \(end)")
                #expect((part.flat ?? []).count == (0..<6).count { end > 25 + $0 * 4 }, "\(source), \(end)")
                #expect(part.ratio == (end > 59 ? 12.5 : nil), "\(source), \(end)")
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a number that is the whole input is complete`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        for number in ["7", "12", "-1.5", "1e5", "12345678901234567890", "0.1234567890123456789e-3"] {
            #expect(try decoder.decodePartially(Double.self, from: Array(number.utf8)).value == Double(number))
        }
    }

    @Test func `empty arrays of every type, nested and optional`() throws {
        struct Lists: JSONModel, Equatable {
            var models: [Shape]
            var optional: [Int?]?
            var sets: Set<String>
            var nested: [[String]]
            var values: JSONValue

            static let plan = ModelPlan<Lists>(
                JSONField(\.models, key: "models"), JSONField(\.optional, key: "optional"),
                JSONField(\.sets, key: "sets"),
                JSONField(\.nested, key: "nested"), JSONField(\.values, key: "values"))
        }
        let value = try decode(
            Lists.self,
            #"{"models":[],"optional":[],"sets":[],"nested":[[],["a"],[],[]],"values":[[],{"a":[]},[ ]]}"#)
        #expect(
            value
                == Lists(
                    models: [], optional: [], sets: [], nested: [[], ["a"], [], []],
                    values: [[], ["a": []], []]))
        let decoder = JSONModelDecoder.with { $0.limits.depth = 2 }
        #expect(try decode([[Int]].self, "[[],[],[1],[]]", with: decoder) == [[], [], [1], []])
        let shallow = JSONModelDecoder.with { $0.limits.depth = 1 }
        #expect(try refusal([[Int]].self, "[[]]", with: shallow).kind == .limitExceeded(.depth, limit: 1))
        #expect(try refusal([[Double]].self, "[[1.5]]", with: shallow).kind == .limitExceeded(.depth, limit: 1))
    }
}
