import SluiceCore
import TestSupport
import Testing

/// Input that is recorded and replayed.
@Suite struct ReplayTests {
    // MARK: Whole and in parts

    // MARK: Attempts

    @Test func `a failed attempt reports no issues`() throws {
        let text = #"{"a":{"a":5,"names":[7]},"names":["a",8],"first":1}"#
        let (value, issues) = try reported(Maybe.self, text)
        #expect(value.depth == 2)
        #expect(issues.brief == ["a.names[0]: a string, not a number", "names[1]: a string, not a number"])
    }

    @Test func `an untagged case whose payload is the enum itself is ignored`() throws {
        indirect enum Loop: JSONEnum, Equatable {
            case loop(Loop)
            case number(Int)
            static let plan = ModelPlan<Loop>(
                cases: [
                    JSONCase(
                        "loop", payload: Loop.self, make: { .loop($0) },
                        read: { if case .loop(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "number", payload: Int.self, make: { .number($0) },
                        read: { if case .number(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)
        }
        #expect(try decode([Loop].self, "[5,6]") == [.number(5), .number(6)])
        #expect(try refusal(Loop.self, "true").description.contains("the case holds the enum itself"))
    }

    // MARK: Nesting

    @Test(arguments: [true, false])
    func `tags may come first or late at any depth`(tagFirst: Bool) throws {
        for depth in [1, 160, 500] {
            let text = Chain.text(depth, tagFirst: tagFirst)
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                // Each byte is replayed once.
                decoder.limits.replay = 1
                let length = onSmallStack { try decoder.decode(Chain.self, from: text).length }
                #expect(try length.get() == depth)
            }
        }
        var deep = JSONModelDecoder()
        deep.limits.depth = 4_096
        let text = Chain.text(4_000, tagFirst: tagFirst)
        // The decoder needs no stack for the nesting, but the release of the chain does.
        let length = onSmallStack(bytes: 64 << 20) { try deep.decode(Chain.self, from: text).length }
        #expect(try length.get() == 4_000)
    }

    @Test func `value hooks at any depth fit a small stack`() throws {
        let text = String(repeating: #"{"next":"#, count: 500) + "null" + String(repeating: "}", count: 500)
        let length = onSmallStack { try JSONModelDecoder().decode(Hooked.self, from: text).length }
        #expect(try length.get() == 500)
    }

    @Test func `the number of replayed bytes is limited`() throws {
        let text = String(repeating: #"{"c":"#, count: 200) + "{}" + String(repeating: "}", count: 200)
        let issue = try refusal(Twice.self, text)
        #expect(issue.kind == .limitExceeded(.replay, limit: 64))
        let few = String(repeating: #"{"c":"#, count: 10) + "{}" + String(repeating: "}", count: 10)
        #expect(try JSONModelDecoder().decode(Twice.self, from: few).whole?.whole != nil)
    }
}
