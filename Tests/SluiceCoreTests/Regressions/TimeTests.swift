import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// Input whose decoding took quadratic or exponential time.
    struct TimeTests {
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

        @Test func `words that are too long are not compared`() {
            let word = String(repeating: "a", count: Spelling.maximumLength)
            #expect(
                Spelling.nearest(to: word, among: [word + "a", word.dropLast() + "b"]) == word.dropLast() + "b")
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
                        do throws(JSONModelError) {
                            _ = try decoder.decode(Wide.self, from: text)
                        } catch {
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

            var testDescription: String {
                "\(framing) \(path) \(start.debugDescription) \(repeated.debugDescription)"
            }

            init(_ framing: JSONFraming, _ path: JSONPath, _ start: String, _ repeated: String, _ end: String) {
                (self.framing, self.path, self.start, self.repeated, self.end) = (
                    framing, path, start, repeated, end
                )
            }
        }

        @Test(
            arguments: [
                Trickle(.document, "", "", " ", "[1]"), Trickle(.document, "", "\u{FEFF}", "\n", "[1]"),
                Trickle(.document, "", "", "\n", "1"), Trickle(.document, "[*]", "", " ", "[1]"),
                Trickle(.document, "", "[", " ", "1]"), Trickle(.document, "", "[1", "\r\n", "]"),
                Trickle(.document, "", "[1]", " ", ""), Trickle(.document, "a", "{\"a\":", "\t", "[1]}"),
                Trickle(.document, "", "[", "0,", "1]"),
                Trickle(.lines, "", "", "\n", "1\n"), Trickle(.lines, "", "1\n", " \r\n", ""),
                Trickle(.lines, "", "1", " ", "\n"), Trickle(.lines, "", "", " ", "1\n"),
                Trickle(.textSequence, "", "\u{1E}", " ", "1\n"), Trickle(.textSequence, "", "\u{1E}1", "\n", ""),
                Trickle(.textSequence, "", "", "\u{1E}", "1\n"),
                Trickle(.concatenated, "", "", " ", "1"), Trickle(.concatenated, "", "1", "\n", ""),
                Trickle(.concatenated, "[*]", "[", " ", "1]"),
                Trickle(.serverSentEvents, "", "", "\n", "data: 1\n\n"),
                Trickle(.serverSentEvents, "", "data: 1\n", ":\n", "\n"),
                Trickle(.serverSentEvents, "", ":", " ", "\ndata: 1\n\n"),
                Trickle(.serverSentEvents, "", "data: 1\ndata:", " ", "\n\n"),
                Trickle(.serverSentEvents, "", "data: 1\n", "data:\n", "\n"),
            ], JSONModelDecoder.Source.allCases)
        func `bytes that arrive one by one take linear time`(_ input: Trickle, _ source: JSONModelDecoder.Source)
            throws
        {
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
    }
}
