import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// Input whose decoding took quadratic or exponential time.
    struct TimeTests {
        @Test func `many issues of a replay take linear time`() throws {
            let count = 64_000
            let text = #"{"items":["# + Array(repeating: "false", count: count).joined(separator: ",\n") + "]}"
            let log = IssueLog()
            let decoder = JSONModelDecoder.with { $0.issueHandler = { log.add($0) } }
            let clock = ContinuousClock()
            let time = try clock.measure { _ = try decoder.decode(LossyParts.self, from: text) }
            #expect(log.issues.count == 2 * count)
            #expect(log.issues.last?.location.line == count)
            #expect(time < .seconds(60))
        }

        @Test func `recursive untagged enums take linear time`() throws {
            let decoder = JSONModelDecoder.with { $0.limits.replay = 8 }
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
            let word = String(repeating: "a", count: Spelling.greatestLength)
            #expect(
                Spelling.nearest(to: word, among: [word + "a", word.dropLast() + "b"]) == word.dropLast() + "b")
            #expect(Spelling.nearest(to: word + "a", among: [word + "a", word]) == nil)
            // Without a bound, these take 10 to the power of 12 steps.
            let long = String(repeating: "a", count: 1_000_000)
            #expect(Spelling.nearest(to: long, among: [String(repeating: "b", count: 1_000_000), long]) == nil)
        }

        /// Compared byte by byte with the keys of a wide model, such a key takes minutes.
        @Test(.timeLimit(.minutes(1)), arguments: JSONModelDecoder.Source.allCases)
        func `a long misspelled key takes time linear in its length`(source: JSONModelDecoder.Source) throws {
            var decoder = JSONModelDecoder()
            decoder.source = source
            decoder.unknownKeys = .reject
            decoder.limits.key = 10_000_000
            for count in [50_000, 10_000_000] {
                let key = String(repeating: "k", count: count)
                var issue: JSONIssue?
                // Not `#expect(throws:)`, which takes its time to describe an error of that length.
                do throws(JSONModelError) {
                    _ = try decoder.decode(Wide.self, from: Array("{\"\(key)\":1}".utf8))
                } catch {
                    issue = error.issues.first
                }
                let isUnknown = issue?.kind == .unknownKey(key)
                #expect(isUnknown)
                let hasHint = issue?.hint != nil
                #expect(!hasHint)
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
            #expect(looked <= Spelling.greatestCandidates + 1)
            let far = Array(repeating: "other", count: Spelling.greatestCandidates - 1)
            #expect(Spelling.nearest(to: "name", among: far + ["nmae"]) == "nmae")
            #expect(Spelling.nearest(to: "name", among: far + ["other", "nmae"]) == nil)
        }
    }
}
