import Foundation
import SluiceStreams
import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

/// Checkpoints of files that have changed, and checkpoints that no stream has made.
@Suite(.tags(.streams)) struct CheckpointTests {
    typealias Row = FramingTests.Row

    private static let lines = (0..<2_000).map { "{\"id\":\($0),\"name\":\"row \($0 % 7)\"}\n" }

    private func checkpoint(after count: Int, _ bytes: [UInt8]) throws -> JSONCheckpoint {
        var checkpoint: JSONCheckpoint?
        var cursor = JSONModelDecoder().cursor(of: JSONPositioned<Row>.self, in: bytes, framing: .lines)
        for _ in 0..<count { checkpoint = try cursor.next()?.position.checkpoint }
        return try #require(checkpoint)
    }

    /// The rest of a file in every verb, all equal.
    private func rest(_ bytes: [UInt8], from checkpoint: JSONCheckpoint?) async throws -> (
        ids: [Int], kind: JSONIssue.Kind?
    ) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        var outcomes: [(ids: [Int], kind: JSONIssue.Kind?)] = []
        let input: JSONFileInput = .file(url.path, from: checkpoint)
        for workers in [JSONWorkers.exactly(1), .exactly(2)] {
            let decoder = JSONModelDecoder.with { $0.workers = workers }
            for verb in 0..<3 {
                var ids: [Int] = []
                var kind: JSONIssue.Kind?
                do {
                    switch verb {
                    case 0: try decoder.forEach(Row.self, in: input, framing: .lines) { ids.append($0.id) }
                    case 1:
                        var cursor = decoder.cursor(of: Row.self, in: input, framing: .lines)
                        do { while let row = try cursor.next() { ids.append(row.id) } } catch {
                            #expect(try cursor.next() == nil)
                            throw error
                        }
                    default:
                        for try await row in decoder.elements(of: Row.self, in: input, framing: .lines) {
                            ids.append(row.id)
                        }
                    }
                } catch { kind = (error as? JSONModelError)?.issues.first?.kind }
                outcomes.append((ids, kind))
            }
        }
        for outcome in outcomes { #expect(outcome.ids == outcomes[0].ids && outcome.kind == outcomes[0].kind) }
        return outcomes[0]
    }

    /// The forms in which a file holds a text.
    private func forms(_ bytes: [UInt8]) throws -> [[UInt8]] {
        try [bytes] + JSONCompression.available.map { try $0.compressInMembers(bytes, of: 9_000) }
    }

    private func isMismatch(_ kind: JSONIssue.Kind?) -> Bool {
        if case .checkpointMismatch(let why)? = kind {
            why.contains("is not the file of the checkpoint")
        } else {
            false
        }
    }

    @Test func `a file that ends before the checkpoint is not its file`() async throws {
        let text = Array(Self.lines.joined().utf8)
        let checkpoint = try checkpoint(after: 1_000, text)
        for length in [0, 10, checkpoint.offset - 1] {
            for form in try forms(Array(text.prefix(length))) {
                let (ids, kind) = try await rest(form, from: checkpoint)
                #expect(ids.isEmpty && isMismatch(kind), "\(length): \(kind.map { "\($0)" } ?? "no error")")
            }
        }
    }

    @Test func `a file with other bytes before the checkpoint is not its file`() async throws {
        let text = Array(Self.lines.joined().utf8)
        for count in [1, 3, 1_000] {
            let checkpoint = try checkpoint(after: count, text)
            for index in [
                0, 20, min(63, checkpoint.offset - 1), max(checkpoint.offset - 64, 0), checkpoint.offset - 1,
            ] {
                var other = text
                other[index] ^= 1
                for form in try forms(other) {
                    let (ids, kind) = try await rest(form, from: checkpoint)
                    #expect(ids.isEmpty && isMismatch(kind), "\(count), \(index)")
                }
            }
        }
        // A log that was begun again, and is longer than before.
        let rotated = Array((Self.lines.reversed() + Self.lines).joined().utf8)
        let (ids, kind) = try await rest(rotated, from: checkpoint(after: 1_000, text))
        #expect(ids.isEmpty && isMismatch(kind))
    }

    @Test func `bytes after the checkpoint may change`() async throws {
        let text = Array(Self.lines.joined().utf8)
        for count in [1, 4, 1_000] {
            let checkpoint = try checkpoint(after: count, text)
            let before = Array(text.prefix(checkpoint.offset))
            for (tail, ids) in [
                ("", []), ("\n", []), ("\n{\"id\":7}", [7]), ("\n{\"id\":7}\n{\"id\":8}\n", [7, 8]),
            ] {
                for form in try forms(before + tail.utf8) {
                    let outcome = try await rest(form, from: checkpoint)
                    #expect(outcome.ids == ids && outcome.kind == nil)
                }
            }
        }
    }

    @Test(arguments: [1, 2], [JSONModelDecoder.ElementErrorPolicy.throw, .skip])
    func `a value that has lost elements before the checkpoint is an error`(
        workers: Int, errors: JSONModelDecoder.ElementErrorPolicy
    ) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let decoder = JSONModelDecoder.with { ($0.workers, $0.elementErrors) = (.exactly(workers), errors) }
        func rest(_ text: String, _ checkpoint: JSONCheckpoint, at path: JSONPath = "items[*]") throws -> [Int] {
            try Data(text.utf8).write(to: url)
            let found = try decoder.all(Int.self, in: .file(url.path, from: checkpoint), at: path, framing: .lines)
            return found
        }
        let before = #"{"items":[0]}"# + "\n"
        let text = before + #"{"items":[1,2,3]}"# + "\n"
        var cursor = JSONModelDecoder().cursor(
            of: JSONPositioned<Int>.self, in: text, at: "items[*]", framing: .lines)
        _ = try cursor.next()
        _ = try cursor.next()
        let checkpoint = try #require(try cursor.next()?.position.checkpoint)
        let more = #"{"items":[4]}"# + "\n"
        #expect(try rest(text, checkpoint) == [3])
        #expect(try rest(text + more + more, checkpoint) == [3, 4, 4])
        // A line that was cut off is removed when a file is continued.
        #expect(try rest(before, checkpoint) == [])
        for other in [more + more + more, "{}\n" + more, #"{"items":["a"]}"# + "\n" + more] {
            let error = #expect(throws: JSONModelError.self) { try rest(before + other, checkpoint) }
            if errors == .skip { #expect(isMismatch(error?.issues.first?.kind)) }
        }
        let changed = #expect(throws: JSONModelError.self) {
            try rest(text.replacing("[0]", with: "[9]"), checkpoint)
        }
        #expect(isMismatch(changed?.issues.first?.kind))
        // An element counts, whether it fails or not.
        let failing = before + #"{"items":[1,"a",3]}"# + "\n" + more
        if errors == .skip { #expect(try rest(failing, checkpoint) == [3, 4]) }
        let skipping = JSONModelDecoder.with { $0.elementErrors = .skip }
        cursor = skipping.cursor(of: JSONPositioned<Int>.self, in: failing, at: "items[*]", framing: .lines)
        for id in [0, 1, 3] { #expect(try cursor.next()?.value == id) }
        cursor = skipping.cursor(of: JSONPositioned<Int>.self, in: failing, at: "items[*]", framing: .lines)
        var third: JSONCheckpoint?
        for _ in 0..<3 { third = try cursor.next()?.position.checkpoint }
        #expect(third?.leading == 3)
        if errors == .skip { #expect(try rest(failing, #require(third)) == [4]) }
        #expect(try rest(text.replacing("2", with: "7") + more, #require(third)) == [4])
        let invented = #"{"offset":0,"line":1,"column":1,"elements":2,"steps":[],"leading":2}"#
        let impossible = try JSONDecoder().decode(JSONCheckpoint.self, from: Data(invented.utf8))
        let error = #expect(throws: JSONModelError.self) { try rest("1\n2\n3\n", impossible, at: JSONPath()) }
        #expect(isMismatch(error?.issues.first?.kind))
    }

    @Test func `no element follows a document that is the only element`() async throws {
        let text = Array(#"  {"id":1} "#.utf8)
        for form in try forms(text) {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
            try Data(form).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            var positions: [JSONElementPosition] = []
            try JSONModelDecoder().forEach(JSONPositioned<Row>.self, in: .file(url.path)) {
                positions.append($0.position)
            }
            try JSONModelDecoder().forEach(JSONPositioned<Row>.self, in: text) { positions.append($0.position) }
            #expect(positions.map(\.range) == [2..<10, 2..<10] && positions[0] == positions[1])
            let rest = JSONFileInput.file(url.path, from: positions[0].checkpoint)
            #expect(try JSONModelDecoder().forEach(Row.self, in: rest) { _ in } == 0)
            var cursor = JSONModelDecoder().cursor(of: Row.self, in: rest)
            #expect(try cursor.next() == nil)
        }
        for form in try forms(text + Array("x".utf8)) {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
            try Data(form).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            var checkpoint: JSONCheckpoint?
            let whole = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(JSONPositioned<Row>.self, in: .file(url.path)) {
                    checkpoint = $0.position.checkpoint
                }
            }
            #expect(checkpoint != nil)
            let rest = JSONFileInput.file(url.path, from: checkpoint)
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(Row.self, in: rest) { _ in }
            }
            #expect(error?.description == whole?.description)
        }
    }

    @Test func `the excerpt of an error after a checkpoint has the text of the file`() throws {
        let elements = (0..<3_000).map { #"{"id":\#($0),"name":"row"}"# }
        let text = #"{"rows":["# + elements.joined(separator: ", ") + #" }, "end"]}"#
        for form in try forms(Array(text.utf8)) {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
            try Data(form).write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            for decoder in JSONModelDecoder.ofEverySource {
                var checkpoints: [JSONCheckpoint] = []
                let whole = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(JSONPositioned<Row>.self, in: .file(url.path), at: "rows[*]") {
                        checkpoints.append($0.position.checkpoint)
                    }
                }
                // The excerpt begins before the last checkpoint.
                for checkpoint in [checkpoints[1_500], checkpoints[checkpoints.count - 1]] {
                    let rest = #expect(throws: JSONModelError.self) {
                        try decoder.forEach(Row.self, in: .file(url.path, from: checkpoint), at: "rows[*]") { _ in }
                    }
                    #expect(rest?.issues[0].excerpt == whole?.issues[0].excerpt, "\(decoder.source)")
                    #expect(rest?.issues[0].location == whole?.issues[0].location, "\(decoder.source)")
                }
            }
        }
    }

    @Test(arguments: [[0x1F, 0x8B, 8, 0], [0x28, 0xB5, 0x2F, 0xFD]] as [[UInt8]])
    func `text after a checkpoint or in a range may begin like compressed data`(_ magic: [UInt8]) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        for (framing, first) in [(JSONFraming.document, #"[{"id":0}"#), (.lines, "{\"id\":0}\n")] {
            try Data(Array(first.utf8) + magic + Array("\n".utf8)).write(to: url)
            for decoder in JSONModelDecoder.ofEverySource {
                var checkpoints: [JSONCheckpoint] = []
                let whole = #expect(throws: JSONModelError.self) {
                    try decoder.forEach(JSONPositioned<Row>.self, in: .file(url.path), framing: framing) {
                        checkpoints.append($0.position.checkpoint)
                    }
                }
                #expect(checkpoints.count == 1)
                var rests = checkpoints.map { JSONFileInput.file(url.path, from: $0) }
                if framing == .lines { rests.append(.file(url.path, range: first.utf8.count..<100)) }
                for rest in rests {
                    let error = #expect(throws: JSONModelError.self) {
                        try decoder.forEach(Row.self, in: rest, framing: framing) { _ in }
                    }
                    #expect(error?.issues[0].kind == whole?.issues[0].kind, "\(decoder.source), \(framing)")
                    #expect(error?.issues[0].location == whole?.issues[0].location, "\(decoder.source), \(framing)")
                }
            }
        }
    }

    @Test func `a file without a checkpoint is read from its start`() async throws {
        let bytes = Array(Self.lines.prefix(3).joined().utf8)
        for form in try forms(bytes) {
            let outcome = try await rest(form, from: nil)
            #expect(outcome.ids == [0, 1, 2] && outcome.kind == nil)
        }
    }

    @Test(arguments: ["\u{FF21}", "\u{FEFC}"])
    func `a first line that begins like a byte order mark is in the digests`(_ first: String) throws {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        try withFile(holding: Array((first + "\n{\"id\":1}\n{\"id\":2}\n").utf8)) { path in
            let checkpoints = try decoder.all(JSONPositioned<Row>.self, in: .file(path), framing: .lines).map(
                \.position.checkpoint)
            #expect(checkpoints.count == 2)
            let rest = try decoder.all(Row.self, in: .file(path, from: checkpoints.first), framing: .lines).map(
                \.id)
            #expect(rest == [2])
        }
    }

    @Test func `a checkpoint after skipped elements of the same value is decoded`() throws {
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        try withFile(holding: Array("[\"x\",\"y\",1,2]\n[3]\n".utf8)) { path in
            let checkpoints = try decoder.all(JSONPositioned<Int>.self, in: .file(path), at: "[*]", framing: .lines)
                .map(\.position.checkpoint)
            var rests: [[Int]] = []
            for checkpoint in checkpoints {
                let data = try JSONEncoder().encode(checkpoint)
                let decoded = try JSONDecoder().decode(JSONCheckpoint.self, from: data)
                #expect(decoded == checkpoint)
                let rest = try decoder.all(Int.self, in: .file(path, from: decoded), at: "[*]", framing: .lines)
                rests.append(rest)
            }
            #expect(rests == [[2, 3], [3], []])
        }
    }

    private struct Tagged: JSONModel {
        var tags: [Int]
        static let plan = ModelPlan<Tagged>(JSONField(\.tags).lossy())
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the issues of elements before a checkpoint are not reported again`(_ source: JSONModelDecoder.Source)
        throws
    {
        let text = #"[{"tags":[1,"a"]},{"tags":["b"]},{"tags":["c"]}]"#
        try withFile(holding: Array("\(text)\n\(text)\n".utf8)) { path in
            var decoder = JSONModelDecoder(from: source)
            let checkpoints = try decoder.all(
                JSONPositioned<Tagged>.self, in: .file(path), at: "[*]", framing: .lines
            ).map(\.position.checkpoint)
            #expect(checkpoints.count == 6)
            for (index, checkpoint) in checkpoints.enumerated() {
                let log = IssueLog()
                decoder.issueHandler = { log.add($0) }
                var count = 0
                let rest: JSONFileInput = .file(path, from: checkpoint)
                try decoder.forEach(Tagged.self, in: rest, at: "[*]", framing: .lines) { _ in count += 1 }
                #expect(count == 5 - index)
                #expect(log.issues.count == count)
            }
        }
    }

    @Test func `a checkpoint of an earlier version has no digest`() async throws {
        let text = Array(Self.lines.joined().utf8)
        let made = try checkpoint(after: 10, text)
        var members = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(made)) as? [String: Any])
        #expect(members["digest"] != nil)
        members["digest"] = nil
        let old = try JSONDecoder().decode(
            JSONCheckpoint.self, from: JSONSerialization.data(withJSONObject: members))
        #expect(old.digest == nil && old.offset == made.offset)
        let (ids, kind) = try await rest(text, from: old)
        #expect(ids == Array(10..<2_000) && kind == nil)
        let short = try await rest(Array(text.prefix(5)), from: old)
        #expect(isMismatch(short.kind))
    }

    @Test func `impossible numbers of a decoded checkpoint are an error`() async throws {
        let text = Array(Self.lines.joined().utf8)
        let document = Array("{\"a\":[[1,2],[3,4]]}".utf8)
        var cursor = JSONModelDecoder().cursor(of: JSONPositioned<Int>.self, in: document, at: "a[*][*]")
        _ = try cursor.next()
        let checkpoints = [try checkpoint(after: 10, text), try #require(try cursor.next()).position.checkpoint]
        var refused = 0
        for (index, made) in checkpoints.enumerated() {
            let encoded = String(decoding: try JSONEncoder().encode(made), as: UTF8.self)
            // Each number in turn.
            for number in encoded.matches(of: /-?[0-9]+/) {
                for extreme in [Int.min, Int.min + 1, -1, 0, 1, Int.max / 2, Int.max - 1, Int.max] {
                    let changed = encoded.replacingCharacters(in: number.range, with: String(extreme))
                    guard let checkpoint = try? JSONDecoder().decode(JSONCheckpoint.self, from: Data(changed.utf8))
                    else {
                        refused += 1
                        continue
                    }
                    for bytes in try forms(index == 0 ? text : document) {
                        try withFile(holding: bytes) { path in
                            let decoder = JSONModelDecoder.with { $0.progressHandler = { _ in } }
                            // An error, or elements.
                            _ = try? decoder.forEach(
                                JSONPositioned<JSONValue>.self, in: .file(path, from: checkpoint),
                                at: index == 0 ? JSONPath() : "a[*][*]", framing: index == 0 ? .lines : .document
                            ) { _ in }
                        }
                    }
                }
            }
        }
        #expect(refused > 30)
    }

    @Test func `progress after a checkpoint counts the whole file`() throws {
        let text = Array(Self.lines.joined().utf8)
        let checkpoint = try checkpoint(after: 500, text)
        for form in try forms(text) {
            try withFile(holding: form) { path in
                for workers in [JSONWorkers.exactly(1), .exactly(2)] {
                    let log = Mutex<[JSONProgress]>([])
                    var decoder = JSONModelDecoder()
                    decoder.workers = workers
                    decoder.progressHandler = { progress in log.withLock { $0.append(progress) } }
                    let count = try decoder.forEach(Row.self, in: .file(path, from: checkpoint), framing: .lines) {
                        _ in
                    }
                    #expect(count == 1_500)
                    let progress = log.withLock { $0 }
                    #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted())
                    #expect(progress.allSatisfy { $0.elements >= 500 })
                    let last = try #require(progress.last)
                    #expect(last.elements == 2_000 && last.totalBytes == form.count)
                    // Padding and skippable frames may follow the text of compressed data.
                    #expect(form == text ? last.bytes == form.count : last.bytes > form.count - 40)
                }
            }
        }
    }
}
