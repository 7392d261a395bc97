import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

/// Input whose decoding took quadratic or exponential time.
@Suite(.tags(.time)) struct TimeTests {
    @Test func `many issues of a replay take linear time`() throws {
        try expectLinearTime(upTo: 64_000) { count in
            let text = #"{"items":["# + Array(repeating: "false", count: count).joined(separator: ",\n") + "]}"
            let log = IssueLog()
            let decoder = JSONModelDecoder.with { $0.issueHandler = { log.add($0) } }
            _ = try decoder.decode(LossyParts.self, from: text)
            #expect(log.issues.count == 2 * count)
            #expect(log.issues.last?.location.line == count)
        }
    }

    @Test func `recursive untagged enums take linear time`() throws {
        let decoder = JSONModelDecoder.with { $0.limits.rereads = 8 }
        for depth in [22, 200] {
            #expect(try decoder.decode(Maybe.self, from: Maybe.text(depth)).depth == depth)
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decode(Maybe.self, from: Maybe.text(depth, "true"))
            }
            #expect(error?.issues.count == 1)
            #expect(error?.issues.first?.location.offset == 0)
        }
        let long = Maybe.text(400, "[" + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]")
        #expect(throws: JSONModelError.self) { try decoder.decode(Maybe.self, from: long) }
    }

    /// A value of half a kilobyte, so that an array of them has many chunks.
    struct Block: JSONConvertible, Equatable {
        var words = SIMD64<Double>()
        static let jsonShape = JSONShape.scalar(Block.self, expecting: "a number") { _ in
            Block()
        } write: { _ in
            0
        }
    }

    struct Row: JSONModel, Equatable {
        let block: Block
        let lazy: JSONLazy<Int>
        static let plan = ModelPlan<Row>(JSONField(\.block), JSONField(\.lazy))
        static func == (one: Row, other: Row) -> Bool { true }
    }

    struct Rows: JSONModel, Equatable {
        let rows: [Row]
        static let plan = ModelPlan<Rows>(JSONField(\.rows).lossy())
    }

    /// The chunks of the array were counted for each path: for each lazy value, and for each issue.
    @Test func `paths in a long array take linear time`() throws {
        try expectLinearTime(upTo: 32_000) { count in
            let row = #"{"block":1,"lazy":1}"#
            let log = IssueLog()
            let decoder = JSONModelDecoder.with { $0.issueHandler = { log.add($0) } }
            let text =
                Array(#"{"rows":["#.utf8) + Array(repeatElement(row + ",{},", count: count).joined().utf8)
                + Array((row + "]}").utf8)
            let value = try decoder.decode(Rows.self, from: text)
            #expect(value.rows.count == count + 1 && log.issues.count == count)
            #expect(log.issues.last?.path == JSONPath([.key("rows"), .index(2 * count - 1)]))
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decode([Row].self, from: text.dropFirst(8).dropLast())
            }
            #expect(error?.issues.first?.path == "[1]")
        }
    }

    indirect enum Chain: JSONEnum, Equatable {
        case a(Link)
        static let plan = ModelPlan<Chain>(cases: [.of("a", Self.a)], tagging: .internal(tag: "type"))

        static func text(_ depth: Int) -> String {
            (0..<depth).reduce("null") { inner, _ in #"{"type":"a","type":"b","next":\#(inner),"y":1}"# }
        }

        var depth: Int { if case .a(.second(let link)) = self { 1 + (link.next?.depth ?? 0) } else { 0 } }
    }

    enum Link: JSONEnum, Equatable {
        case first(First)
        case second(Second)
        static let plan = ModelPlan<Link>(
            cases: [.of("first", Self.first), .of("second", Self.second)], tagging: .untagged)
    }

    struct First: JSONModel, Equatable {
        let next: Chain?
        let x: Int
        static let plan = ModelPlan<First>(JSONField(\.next), JSONField(\.x))
    }

    struct Second: JSONModel, Equatable {
        let next: Chain?
        let y: Int
        static let plan = ModelPlan<Second>(JSONField(\.next), JSONField(\.y))
    }

    /// The object without its second tag was another one for each attempt, whose outcome was not found again.
    @Test func `untagged payloads in objects with repeated tags take linear time`() throws {
        #expect(try decode(Chain.self, Chain.text(3)).depth == 3)
        let decoder = JSONModelDecoder.with { $0.limits.rereads = 8 }
        #expect(try decoder.decode(Chain.self, from: Chain.text(100)).depth == 100)
    }

    @Test func `words that are too long are not compared`() {
        let word = String(repeating: "a", count: Spelling.maximumLength)
        #expect(Spelling.nearest(to: word, among: [word + "a", word.dropLast() + "b"]) == word.dropLast() + "b")
        #expect(Spelling.nearest(to: word + "a", among: [word + "a", word]) == nil)
        // Without a bound, these take 10 to the power of 12 steps.
        let long = String(repeating: "a", count: 1_000_000)
        #expect(Spelling.nearest(to: long, among: [String(repeating: "b", count: 1_000_000), long]) == nil)
    }

    /// Compared byte by byte with the keys of a wide model, such a key takes minutes.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a long misspelled key is not compared with others`(source: JSONModelDecoder.Source) throws {
        for count in [50_000] + (Rounds.areFull ? [10_000_000] : []) {
            let key = String(repeating: "k", count: count)
            let text = Array("{\"\(key)\":1}".utf8)
            func decode(_ unknownKeys: JSONUnknownKeys) -> (issue: JSONIssue?, time: Duration) {
                let decoder = JSONModelDecoder.with {
                    $0.source = source
                    $0.unknownKeys = unknownKeys
                    $0.limits.key = 10_000_000
                }
                var issue: JSONIssue?
                let time = ThreadTime.measure {
                    // Not `#expect(throws:)`, which takes its time to describe an error of that length.
                    do throws(JSONModelError) { _ = try decoder.decode(Wide.self, from: text) } catch {
                        issue = error.issues.first
                    }
                }
                return (issue, time)
            }
            let (ignored, rejected) = (decode(.ignore), decode(.reject))
            let isUnknown = rejected.issue?.kind == .unknownKey(key)
            #expect(isUnknown)
            let hasHint = rejected.issue?.hint != nil
            #expect(!hasHint)
            #expect(rejected.time < ignored.time * 100)
        }
    }

    /// Text that arrives byte by byte: the start of an input, bytes that repeat, and the end.
    struct Trickle: CustomTestStringConvertible {
        let framing: JSONFraming
        let path: JSONPath
        let start: String
        let repeated: String
        let end: String

        var testDescription: String { "\(framing) \(path) \(start.debugDescription) \(repeated.debugDescription)" }

        init(_ framing: JSONFraming, _ path: JSONPath, _ start: String, _ repeated: String, _ end: String) {
            (self.framing, self.path, self.start, self.repeated, self.end) = (framing, path, start, repeated, end)
        }
    }

    @Test(
        arguments: [
            Trickle(.document, "", "", " ", "[1]"), Trickle(.document, "", "\u{FEFF}", "\n", "[1]"),
            Trickle(.document, "", "", "\n", "1"), Trickle(.document, "[*]", "", " ", "[1]"),
            Trickle(.document, "", "[", " ", "1]"), Trickle(.document, "", "[1", "\r\n", "]"),
            Trickle(.document, "", "[1]", " ", ""), Trickle(.document, "a", "{\"a\":", "\t", "[1]}"),
            Trickle(.document, "", "[", "0,", "1]"), Trickle(.lines, "", "", "\n", "1\n"),
            Trickle(.lines, "", "1\n", " \r\n", ""), Trickle(.lines, "", "1", " ", "\n"),
            Trickle(.lines, "", "", " ", "1\n"), Trickle(.textSequence, "", "\u{1E}", " ", "1\n"),
            Trickle(.textSequence, "", "\u{1E}1", "\n", ""), Trickle(.textSequence, "", "", "\u{1E}", "1\n"),
            Trickle(.concatenated, "", "", " ", "1"), Trickle(.concatenated, "", "1", "\n", ""),
            Trickle(.concatenated, "[*]", "[", " ", "1]"), Trickle(.serverSentEvents, "", "", "\n", "data: 1\n\n"),
            Trickle(.serverSentEvents, "", "data: 1\n", ":\n", "\n"),
            Trickle(.serverSentEvents, "", ":", " ", "\ndata: 1\n\n"),
            Trickle(.serverSentEvents, "", "data: 1\ndata:", " ", "\n\n"),
            Trickle(.serverSentEvents, "", "data: 1\n", "data:\n", "\n"),
        ], JSONModelDecoder.Source.allCases)
    func `bytes that arrive one by one take linear time`(
        _ input: Trickle, _ source: JSONModelDecoder.Source
    ) throws {
        let decoder = JSONModelDecoder.with { $0.source = source }
        try expectLinearTime(upTo: 80_000) { count in
            var feed = decoder.feed(of: Int.self, at: input.path, framing: input.framing)
            let repeated = Array(repeatElement(Array(input.repeated.utf8), count: count).joined())
            var last: Int?
            for byte in [Array(input.start.utf8), repeated, Array(input.end.utf8)].joined() {
                last = try feed.push(CollectionOfOne(byte)).last ?? last
            }
            last = try feed.finish().last ?? last
            #expect(last == 1)
        }
    }

    @Test(arguments: [JSONFraming.serverSentEvents, .dataLines], ["\r", "\n", "\r\n"])
    func `events in one chunk take linear time with each end of a line`(_ framing: JSONFraming, _ end: String)
        throws
    {
        try expectLinearTime(upTo: 80_000) { count in
            let event = Array(": a comment\(end)data: 1\(end)\(end)".utf8)
            let text = Array(repeatElement(event, count: count).joined())
            let elements = try JSONModelDecoder().forEach(Int.self, in: text, framing: framing) { _ in }
            #expect(elements == count)
        }
    }

    @Test func `candidates beyond the bound are ignored`() {
        var looked = 0
        let candidates = sequence(state: 0) { index -> String? in
            looked += 1
            index += 1
            return index <= 1_000_000 ? "candidate\(index)" : nil
        }
        #expect(Spelling.nearest(to: "something", among: candidates) == nil)
        #expect(looked <= Spelling.maximumCandidates + 1)
        let far = Array(repeating: "other", count: Spelling.maximumCandidates - 1)
        #expect(Spelling.nearest(to: "name", among: far + ["nmae"]) == "nmae")
        #expect(Spelling.nearest(to: "name", among: far + ["other", "nmae"]) == nil)
    }

    indirect enum Coord: JSONEnum, Equatable {
        case number(Double)
        case array([Coord])
        static let plan = ModelPlan<Coord>(
            cases: [.of("number", Self.number), .of("array", Self.array)], tagging: .untagged)

        var count: Int { if case .array(let elements) = self { elements.count } else { 1 } }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `nested untagged values take linear time`(source: JSONModelDecoder.Source) throws {
        try expectLinearTime(upTo: 32_000) { count in
            let text = "[" + Array(repeating: "[1.5,2.5]", count: count).joined(separator: ",\n") + "]"
            let decoder = JSONModelDecoder(from: source)
            let value = try decoder.decode(Coord.self, from: Array(text.utf8))
            #expect(value.count == count)
        }
    }

    struct Quoted: JSONModel, Equatable {
        var data: Circle
        static let plan = ModelPlan<Quoted>(JSONField(embedded: \.data))
    }

    struct Later: JSONModel, Equatable {
        var first: JSONLazy<Circle>
        static let plan = ModelPlan<Later>(JSONField(\.first))
        static func == (one: Self, other: Self) -> Bool { true }
    }

    struct Parts: JSONModel, Equatable {
        var quoted: [Quoted]
        var lazy: [Later]
        static let plan = ModelPlan<Parts>(JSONField(\.quoted), JSONField(\.lazy))
    }

    /// Locations in recordings were counted from the start of the recording for each replay.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `embedded and lazy values in an object with a late tag take linear time`(source: JSONModelDecoder.Source)
        throws
    {
        try expectLinearTime(upTo: 16_000) { count in
            let quoted = Array(repeating: #"{"data":"{\"radius\":1}"}"#, count: count).joined(separator: ",\n")
            let lazy = Array(repeating: #"{"first":{"radius":1}}"#, count: count).joined(separator: ",\n")
            let text = #"{"lazy":["# + lazy + #"],"quoted":["# + quoted + #"],"type":"one"}"#
            let decoder = JSONModelDecoder(from: source)
            let one = try decoder.decode(One<Internal, Parts>.self, from: Array(text.utf8))
            guard case .one(let value) = one else { return }
            #expect(value.quoted.count == count && value.lazy.count == count)
        }
    }
}
