import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Parts of files, envelopes of several iterations, and failed elements of several arrays.
@Suite(.serialized, .tags(.streams)) struct StreamStateTests {
    typealias Row = FramingTests.Row

    private struct Page: JSONModel {
        let total: Int
        static let plan = ModelPlan<Page>(JSONField(\.total))
    }

    // MARK: The first value of a part of a file

    @Test func `the first value of a part of a file is refused, as by decode`() throws {
        try withFile(holding: "[\"a long string that is no small one\",2]\n[3]\n") { path in
            // A checkpoint inside of a line: the line is read again, and its first element is not passed on.
            var cursor = JSONModelDecoder().cursor(
                of: JSONPositioned<JSONValue>.self, in: .file(path), at: "[*]", framing: .lines)
            let element = try cursor.next()
            let checkpoint = try #require(element).position.checkpoint
            let inputs: [JSONFileInput] = [.file(path, range: 0..<0), .file(path, from: checkpoint)]
            for input in inputs {
                let expected = #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder().decode([JSONValue].self, from: input)
                }
                let error = #expect(throws: JSONModelError.self) {
                    _ = try JSONModelDecoder().decodePrefix([JSONValue].self, from: input)
                }
                #expect(error?.issues.first?.kind == expected?.issues.first?.kind)
            }
        }
    }

    // MARK: An envelope of several iterations

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the envelope is that of the last iteration, whichever ends last`(_ source: JSONModelDecoder.Source) throws
    {
        let decoder = JSONModelDecoder(from: source)
        let page = JSONEnvelope(of: Page.self)
        do {
            var first = decoder.cursor(
                of: Row.self, in: #"{"total":1,"items":[{"id":1},{"id":2}]}"#, at: "items[*]", envelope: page)
            let element = try first.next()
            #expect(element?.id == 1)
            var second = decoder.cursor(
                of: Row.self, in: #"{"total":2,"items":[{"id":3}]}"#, at: "items[*]", envelope: page)
            while try second.next() != nil {}
            #expect(page.value?.total == 2)
            while try first.next() != nil {}
            #expect(page.value?.total == 2)
        }
        #expect(page.value?.total == 2)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an iteration that is released has no effect on the envelope of the next one`(
        _ source: JSONModelDecoder.Source
    ) throws {
        let decoder = JSONModelDecoder(from: source)
        let page = JSONEnvelope(of: Page.self)
        var feed = decoder.feed(of: Row.self, at: "items[*]", envelope: page)
        _ = try feed.push(Array(#"{"total":1,"items":[{"id":1},"#.utf8))
        // The feed before is released after the next one was made.
        feed = decoder.feed(of: Row.self, at: "items[*]", envelope: page)
        _ = try feed.push(Array(#"{"total":2,"items":[{"id":3}"#.utf8))
        #expect(page.snapshot.value?.total == 2)
        _ = try feed.push(Array("]}".utf8))
        _ = try feed.finish()
        #expect(page.value?.total == 2)
    }

    @Test func `a stream with an envelope does not continue from a checkpoint`() throws {
        try withFile(holding: #"{"total":1,"items":[{"id":1},{"id":2}]}"#) { path in
            var first = JSONModelDecoder().cursor(of: JSONPositioned<Row>.self, in: .file(path), at: "items[*]")
            let next = try first.next()
            let checkpoint = try #require(next).position.checkpoint
            var rest = JSONModelDecoder().cursor(
                of: Row.self, in: .file(path, from: checkpoint), at: "items[*]",
                envelope: JSONEnvelope(of: Page.self))
            let error = #expect(throws: JSONModelError.self) { _ = try rest.next() }
            #expect(error?.description.contains("envelope") == true)
        }
    }

    // MARK: Failed elements with the same path

    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 2])
    func `failed elements of two arrays at one path are counted one by one`(
        _ source: JSONModelDecoder.Source, _ workers: Int
    ) throws {
        let indexes = Lock<[Int?]>([])
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = .exactly(workers)
        decoder.elementErrors = .skip
        decoder.issueHandler = { issue in indexes.withLock { $0.append(issue.elementIndex) } }
        var cursor = decoder.cursor(
            of: JSONPositioned<Row>.self, in: #"{"items":[{"id":"x"}],"items":[{"id":"x"},{"id":2}]}"#,
            at: "items[*]")
        let next = try cursor.next()
        let row = try #require(next)
        #expect(row.position.index == 2 && row.position.checkpoint.elements == 3)
        let summary = cursor.summary
        #expect(summary.skipped == 2)
        #expect(indexes.withLock { $0 } == [0, 1])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `failed members with one key are counted one by one`(_ source: JSONModelDecoder.Source) throws {
        let indexes = Lock<[Int?]>([])
        var decoder = JSONModelDecoder(from: source)
        decoder.elementErrors = .skip
        decoder.issueHandler = { issue in indexes.withLock { $0.append(issue.elementIndex) } }
        for (path, text) in [
            ("users.*", #"{"users":{"a":{"id":"x"},"a":{"id":"y"},"a":{"id":3}}}"#),
            ("[*].a", #"[{"a":{"id":"x"},"a":{"id":"y"},"a":{"id":3}}]"#),
        ] as [(JSONPath, String)] {
            indexes.withLock { $0 = [] }
            var cursor = decoder.cursor(of: JSONPositioned<Row>.self, in: text, at: path)
            let next = try cursor.next()
            let row = try #require(next)
            #expect(row.position.index == 2, "\(path)")
            let summary = cursor.summary
            #expect(summary.skipped == 2, "\(path)")
            #expect(indexes.withLock { $0 } == [0, 1], "\(path)")
        }
    }
}
