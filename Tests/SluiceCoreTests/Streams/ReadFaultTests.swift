import Foundation
import SluiceStreams
import SystemPackage
import TestSupport
import Testing

@testable import SluiceCore

/// A failed read is never the end of the input, and every element before the failure is delivered.
@Suite(.tags(.files, .errors)) struct ReadFaultTests {
    typealias Row = FramingTests.Row

    private static let texts: [(JSONFraming, String)] = [
        (.document, #"[{"id":1},{"id":2,"name":"två \u00e5"},{"id":-3e0}] "#),
        (.lines, "{\"id\":1}\n\n{\"id\":2,\"name\":\"två\"}\r\n{\"id\":3}"),
        (.textSequence, "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n"), (.concatenated, #"{"id":1}{"id":2} {"id":3}"#),
        (.serverSentEvents, "data: {\"id\":1}\n\ndata: {\"id\":2}\n\n"),
    ]

    /// The verbs that read an input.
    private enum Verb: CaseIterable { case forEach, reportingForEach, cursor, elements, validate, decode, partial }

    /// Reads an input, and returns the elements before the error.
    private func read(_ verb: Verb, _ reading: FaultyReading, _ framing: JSONFraming, _ decoder: JSONModelDecoder)
        async -> (rows: [Row], issue: JSONIssue?)
    {
        var rows: [Row] = []
        var decoder = decoder
        let input = reading.input
        do {
            switch verb {
            case .forEach: try decoder.forEach(Row.self, in: input, framing: framing) { rows.append($0) }
            case .reportingForEach:
                decoder.progressHandler = { _ in }
                try decoder.forEach(Row.self, in: input, framing: framing) { rows.append($0) }
            case .cursor:
                var cursor = decoder.cursor(of: Row.self, in: input, framing: framing)
                do { while let row = try cursor.next() { rows.append(row) } } catch {
                    // The cursor has ended: it does not continue after the bytes that could not be read.
                    #expect(try cursor.next() == nil)
                    throw error
                }
            case .elements:
                var iterator = decoder.elements(of: Row.self, in: input, framing: framing).makeAsyncIterator()
                do { while let row = try await iterator.next() { rows.append(row) } } catch {
                    let after = try await iterator.next()
                    #expect(after == nil)
                    throw error
                }
            case .validate: try decoder.validate(input, framing: framing)
            case .decode: rows = try decoder.decode([Row].self, from: input)
            case .partial:
                let partial = try decoder.decodePartially([Row].self, from: input)
                return (partial.value ?? [], partial.issues.first)
            }
            return (rows, nil)
        } catch { return (rows, (error as? JSONModelError)?.issues.first) }
    }

    /// The elements that are complete in the first bytes of an input.
    private func complete(_ bytes: some Collection<UInt8>, _ framing: JSONFraming) throws -> [Row] {
        var feed = JSONModelDecoder().feed(of: Row.self, framing: framing)
        return try feed.push(bytes)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error after a byte order mark is that of the read`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        func kind(_ bytes: [UInt8]) -> JSONIssue.Kind? {
            let reading = FaultyReading(bytes: bytes, failure: bytes.count, isRegular: false)
            let error = #expect(throws: JSONModelError.self) { try decoder.decode([Row].self, from: reading.input) }
            return error?.issues.first?.kind
        }
        #expect(kind([0xEF, 0xBB, 0xBF]) == kind([]))
        #expect(kind([0xEF, 0xBB, 0xBF, UInt8(ascii: "[")]) == kind([]))
        // A closing brace cannot begin JSON, whatever follows.
        #expect(kind(Array("}".utf8)) != kind([]))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an error at any byte is thrown after the elements before`(_ source: JSONModelDecoder.Source) async throws
    {
        let decoder = JSONModelDecoder(from: source)
        for (framing, text) in Self.texts {
            let bytes = Array(text.utf8)
            for offset in 0...bytes.count {
                let expected = try complete(bytes.prefix(offset), framing)
                for (isRegular, sizes) in [(true, [Int.max]), (true, [1]), (false, [3, 1, 2]), (false, [.max])] {
                    let reading = FaultyReading(
                        bytes: bytes, sizes: sizes, isInterrupted: true, failure: offset, isRegular: isRegular)
                    for verb in Verb.allCases {
                        if framing != .document, verb == .decode || verb == .partial { continue }
                        let (rows, issue) = await read(verb, reading, framing, decoder)
                        let context = "\(verb), \(framing), offset \(offset), reads of \(sizes)"
                        guard case .unreadable(let errno, let what)? = issue?.kind else {
                            // Nothing is made from an input without a complete value.
                            Issue.record("\(context): \(issue.map { "\($0)" } ?? "no error")")
                            continue
                        }
                        #expect(errno == EIO && what.hasPrefix("the input"), "\(context)")
                        #expect(issue?.location.offset == offset, "\(context)")
                        switch verb {
                        case .forEach, .reportingForEach, .cursor, .elements:
                            #expect(rows == expected && issue?.elementIndex == expected.count, "\(context)")
                        case .validate, .decode: #expect(rows.isEmpty, "\(context)")
                        // The last element may be incomplete.
                        case .partial:
                            #expect(rows.starts(with: expected) && rows.count <= expected.count + 1, "\(context)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `short and interrupted reads change nothing`(_ source: JSONModelDecoder.Source) async throws {
        let decoder = JSONModelDecoder(from: source)
        for (framing, text) in Self.texts {
            let bytes = Array(text.utf8)
            let expected = await read(.forEach, FaultyReading(bytes: bytes), framing, decoder)
            #expect(expected.issue == nil && expected.rows.count >= 2)
            for isRegular in [true, false] {
                for sizes in [[1], [2, 1], [1, 7, 3], [.max]] {
                    for verb in [Verb.forEach, .reportingForEach, .cursor, .elements] {
                        let reading = FaultyReading(
                            bytes: bytes, sizes: sizes, isInterrupted: true, isRegular: isRegular)
                        let (rows, issue) = await read(verb, reading, framing, decoder)
                        #expect(rows == expected.rows && issue == nil, "\(verb), \(framing), \(sizes)")
                    }
                }
            }
        }
    }

    @Test func `an error between windows is that of the window after`() async throws {
        let rows = (0..<20_000).map { Row(id: $0) }
        let bytes = try JSONModelEncoder().encode(rows)
        for offset in [65_535, 65_536, 65_537, 131_072, 200_000] {
            for verb in [Verb.forEach, .reportingForEach, .cursor, .elements] {
                let reading = FaultyReading(bytes: bytes, sizes: [50_000], failure: offset)
                let result = await read(verb, reading, .document, JSONModelDecoder())
                let expected = try complete(bytes.prefix(offset), .document)
                #expect(result.rows == expected && result.issue?.location.offset == offset)
            }
        }
    }

    @Test(arguments: JSONCompression.available)
    func `an error of compressed input is not its end`(_ format: JSONCompression) async throws {
        let text = "{\"id\":1}\n{\"id\":2}\n"
        let bytes = try format.compress(text) + format.compress(text)
        for offset in 0...bytes.count {
            for verb in [Verb.forEach, .cursor, .elements, .validate] {
                for sizes in [[1], [Int.max]] {
                    let reading = FaultyReading(
                        bytes: bytes, sizes: sizes, failure: offset, isRegular: offset % 2 == 0)
                    let (rows, issue) = await read(verb, reading, .lines, JSONModelDecoder())
                    guard case .unreadable(EIO, _)? = issue?.kind else {
                        Issue.record("\(verb), \(offset): \(issue.map { "\($0)" } ?? "no error")")
                        continue
                    }
                    #expect(
                        issue?.location.offset == offset && (verb == .validate || issue?.elementIndex == rows.count)
                    )
                    if offset == bytes.count, verb != .validate { #expect(rows.count == 4) }
                }
            }
        }
    }

    @Test func `an error of chunks follows the elements before`() async throws {
        struct Lost: Error {}
        for (framing, text) in Self.texts {
            let bytes = Array(text.utf8)
            for offset in 0..<bytes.count {
                let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
                    continuation.yield([])
                    continuation.yield(Array(bytes.prefix(offset)))
                    continuation.finish(throwing: Lost())
                }
                var rows: [Row] = []
                await #expect(throws: Lost.self) {
                    for try await row in JSONModelDecoder().elements(of: Row.self, in: chunks, framing: framing) {
                        rows.append(row)
                    }
                }
                #expect(try rows == complete(bytes.prefix(offset), framing))
            }
        }
    }
}
