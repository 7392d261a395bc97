import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// What a snapshot copies, and when.
@Suite struct SnapshotCopyTests {
    struct Answer: JSONModel, Equatable {
        var id: Int
        var title: String?
        var legs: [String: Int] = [:]
        var text: String?
        static let plan = ModelPlan<Answer>(
            JSONField(\.id), JSONField(\.title), JSONField(\.legs, default: [:]), JSONField(\.text))
    }

    /// Snapshots after each piece take linear time, if the text and the pairs that are being read are not asked for.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `nothing is copied that is not asked for`(source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        func read(_ start: String, _ part: (Int) -> String, _ end: String) throws {
            try expectLinearTime(upTo: 64_000) { count in
                var feed = decoder.feed(of: Answer.self)
                _ = try feed.push(Array(start.utf8))
                for index in 0..<count / 4 {
                    _ = try feed.push(Array((4 * index..<4 * index + 4).map(part).joined().utf8))
                    let snapshot = feed.snapshot()
                    #expect(snapshot[\.id] == 1 && snapshot[\.title] == "a")
                    #expect(snapshot.state(of: \.title) == .complete && snapshot.openPath != nil)
                }
                _ = try feed.push(Array(end.utf8))
            }
        }
        try read(#"{"id":1,"title":"a","text":""#, { _ in "some more text of a long answer " }, #""}"#)
        try read(#"{"id":1,"title":"a","none":""#, { _ in "some more text of a long answer " }, #""}"#)
        try read(#"{"id":1,"title":"a","none":{"a":["#, { _ in #"{"b":[1,"c"]},"# }, #"0]}}"#)
        try read(#"{"id":1,"title":"a","legs":{"#, { #""\#($0)":1,"# }, #""end":1}}"#)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a snapshot that is kept does not change`(source: JSONModelDecoder.Source) throws {
        var feed = JSONModelDecoder(from: source).feed(of: Answer.self)
        var kept: [JSONSnapshot<Answer>] = []
        for piece in [#"{"id":1,"title":"a","#, #""legs":{"k":1,"l":2,"#, #""m":3},"text":"so"#, #" far"}"#, " "] {
            _ = try feed.push(Array(piece.utf8))
            kept.append(feed.snapshot())
        }
        _ = try feed.finish()
        #expect(kept.map { $0.value?.legs.count } == [0, 2, 3, 3, 3])
        #expect(kept.map(\.openText) == [nil, nil, "so", nil, nil])
        #expect(kept.map { $0.value?.text } == [nil, nil, "so", "so far", "so far"])
        #expect(kept.map { $0[\.text] ?? nil } == [nil, nil, "so", "so far", "so far"])
        #expect(kept.map { $0.state(of: \.legs) } == [.absent, .open, .complete, .complete, .complete])
        #expect(kept.map(\.isComplete) == [false, false, false, true, true])
        #expect(kept.map { $0.openPath?.description } == [JSONPath().description, "legs", "text", nil, nil])
    }

    struct Bag: JSONModel, Equatable {
        var id: Int
        var logins: [String] = []
        var rest: [String: JSONValue] = [:]
        static let plan = ModelPlan<Bag>(
            JSONField(\.id), JSONField(\.logins, key: "items[*].login", default: []), JSONField(extra: \.rest))
    }

    /// The value that is being added to a container has memory of its own in the copy.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a snapshot has the values that were added to containers`(source: JSONModelDecoder.Source) throws {
        let text =
            #"{"id":1,"a":{"b":[1,"two"]},"items":[{"login":"x"},{"login":"long enough for memory"}],"c":"so","d":[[]]}"#
        let whole = try JSONModelDecoder(from: source).decode(Bag.self, from: text)
        #expect(whole.logins.count == 2 && whole.rest.count == 3)
        var feed = JSONModelDecoder(from: source).feed(of: Bag.self)
        var (counts, values): ([Int], [Bag]) = ([], [])
        for byte in text.utf8 {
            values += try feed.push([byte])
            let snapshot = feed.snapshot()
            guard let value = snapshot.value else { continue }
            #expect(
                whole.logins.starts(with: value.logins)
                    || snapshot.openPath?.description.hasSuffix(".login") == true)
            for (key, part) in value.rest where part != whole.rest[key] {
                #expect(snapshot.openPath?.description.hasPrefix(key) == true)
            }
            counts.append(value.rest.count + value.logins.count)
        }
        #expect(counts == counts.sorted() && counts.last == 5)
        #expect(try values + feed.finish() == [whole])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a snapshot outlives its feed`(source: JSONModelDecoder.Source) throws {
        func snapshot() throws -> JSONSnapshot<Answer> {
            var feed = JSONModelDecoder(from: source).feed(of: Answer.self)
            _ = try feed.push(Array(#"{"id":1,"legs":{"k":1,"text"#.utf8))
            return feed.snapshot()
        }
        let kept = try snapshot()
        #expect(kept.value?.legs == ["k": 1])
        #expect(kept.openPath == "legs")
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a snapshot can be read on another thread while the input continues`(source: JSONModelDecoder.Source)
        async throws
    {
        var feed = JSONModelDecoder(from: source).feed(of: Answer.self)
        _ = try feed.push(Array(#"{"id":1,"legs":{"#.utf8))
        var tasks: [Task<Bool, Never>] = []
        for index in 0..<200 {
            _ = try feed.push(Array(#""\#(index)":\#(index),"#.utf8))
            let snapshot = feed.snapshot()
            tasks.append(Task.detached { snapshot.value?.legs.count == index + 1 && snapshot[\.id] == 1 })
        }
        for task in tasks { #expect(await task.value) }
    }

    private struct Page: JSONModel, Equatable {
        var rows: [String: [Int]]
        var total: [String: Int]
        static let plan = ModelPlan<Page>(JSONField(\.rows, default: [:]), JSONField(\.total, default: [:]))
    }

    /// The value and the envelope have one lock. The thread sanitizer finds reads beside it.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the value and the envelope can be read on other threads while the input continues`(
        source: JSONModelDecoder.Source
    ) async throws {
        let page = JSONEnvelope(of: Page.self)
        var feed = JSONModelDecoder(from: source).feed(of: [Int].self, at: "rows.*", envelope: page)
        _ = try feed.push(Array(#"{"total":{"a":1},"rows":{"#.utf8))
        var tasks: [Task<Bool, Never>] = []
        for index in 0..<100 {
            _ = try feed.push(Array(#""\#(index)":[\#(index),"#.utf8))
            let (value, envelope) = (feed.snapshot(), page.snapshot)
            tasks.append(Task.detached { value.value == [index] })
            tasks.append(Task.detached { envelope.value?.total == ["a": 1] })
            _ = try feed.push(Array("1],".utf8))
        }
        for task in tasks { #expect(await task.value) }
    }
}
