import SluiceCore
import TestSupport
import Testing

/// Input that is recorded and replayed.
@Suite struct ReplayTests {
    private static let elements = #"[{"id":1,"t":"a"},{"new":5,"id":"bad","t":"a"},{"id":3,"t":"a"}]"#

    private func streamed(
        _ text: String, _ change: (inout JSONModelDecoder) -> Void
    ) -> [(ids: [Int], error: JSONModelError?, reported: [JSONIssue])] {
        JSONModelDecoder.Source.allCases.map { source in
            var decoder = JSONModelDecoder.with(change)
            let log = IssueLog()
            decoder.source = source
            decoder.issueHandler = { log.add($0) }
            var ids: [Int] = []
            do throws(JSONModelError) {
                try decoder.forEach(Event.self, in: text) { ids.append($0.id) }
                return (ids, nil, log.issues)
            } catch {
                return (ids, error, log.issues)
            }
        }
    }

    @Test func `an element that fails in a replay after a report ends the stream with its error`() {
        for (ids, error, reported) in streamed(Self.elements, { $0.unknownKeys = .report }) {
            #expect(ids == [1])
            #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
            #expect(error?.issues.first?.location.offset == 32)
            #expect(reported.brief == ["[1].new: unknown new"])
        }
    }

    @Test func `elements behind a collected failure in a replay are delivered`() {
        let collecting = streamed(Self.elements) {
            $0.unknownKeys = .report
            $0.errorPolicy = .collect(limit: 10)
        }
        for (ids, error, reported) in collecting {
            #expect(ids == [1, 3])
            #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
            #expect(reported.brief == ["[1].new: unknown new"])
        }
    }

    @Test func `a lossy value in a replay does not hide a failure behind it`() throws {
        let text = #"{"xs":["x"],"id":"bad","t":"a"}"# + String(repeating: "\n", count: 500)
        for source in JSONModelDecoder.Source.allCases {
            for size in [1, 7, 200, 1_000] {
                var decoder = JSONModelDecoder()
                decoder.source = source
                let bytes = Array(text.utf8)
                let pieces = bytes.pieces(of: size)
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Event.self, from: .chunks(pieces))
                }
                #expect(error?.issues.brief == ["id: an integer, not a string"])
                #expect(error?.issues.first?.location.offset == 17)
            }
        }
    }

    // MARK: Whole and in parts

    @Test func `a failure of the parts is not taken for one of the whole`() throws {
        let issues = try refusals(StrictParts.self, #"{"items":[false]}"#, with: .collecting)
        #expect(issues.brief == ["items[0]: an object, not a boolean"])
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            let partial = try decoder.decodePartially([StrictParts].self, from: #"[{"items":[false]}]"#)
            #expect(partial.value == [])
            #expect(partial.issues.brief == ["[0].items[0]: an object, not a boolean"])
        }
    }

    @Test func `an element that is no object is dropped by a lossy gathering`() throws {
        let (value, issues) = try reported(LossyParts.self, #"{"items":[{"id":1},false,{"id":"x"},{"id":2}]}"#)
        #expect(value == LossyParts(items: [.init(id: 1), .init(id: 2)], ids: [1, 2]))
        #expect(
            issues.brief == [
                "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
                "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
            ])
        let collected = try decode(LossyParts.self, #"{"items":[false]}"#, with: .collecting)
        #expect(collected == LossyParts(items: [], ids: []))
    }

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

    // MARK: Attempts

    @Test func `untagged enums that hold themselves take linear time`() throws {
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

    @Test func `an attempt that fails reports nothing`() throws {
        let text = #"{"a":{"a":5,"names":[7]},"names":["a",8],"first":1}"#
        let (value, issues) = try reported(Maybe.self, text)
        #expect(value.depth == 2)
        #expect(issues.brief == ["a.names[0]: a string, not a number", "names[1]: a string, not a number"])
    }

    @Test func `an untagged case that is the enum itself is no case`() throws {
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
    func `tags come first or late at any depth`(tagFirst: Bool) throws {
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

    @Test func `the bytes that are replayed are limited`() throws {
        let text = String(repeating: #"{"c":"#, count: 200) + "{}" + String(repeating: "}", count: 200)
        let issue = try refusal(Twice.self, text)
        #expect(issue.kind == .limitExceeded(.replay, limit: 64))
        let few = String(repeating: #"{"c":"#, count: 10) + "{}" + String(repeating: "}", count: 10)
        #expect(try JSONModelDecoder().decode(Twice.self, from: few).whole?.whole != nil)
    }
}
