import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Texts that begin directly behind a protected page, or end directly before one. A read beyond the text ends the process.
///
/// Each way reads the shortest and the longest lengths of a text, and with full rounds the lengths between them. The lengths and ways take
/// the combinations of a source and a place in turn. With `SLUICE_BOUNDS`, all combinations are used, and more lengths.
struct GuardedInputTests {
    private static let sources = JSONModelDecoder.Source.allCases
    private static let isComplete = TestEnvironment.text("SLUICE_BOUNDS") != nil
    /// Bytes that would continue a text, or end a token: the bytes on the other side of a text.
    private static let fillers = Array("7\"\\ ,]}e\n".utf8) + [0x80, 0xE3, 0x00]

    /// Reads the first bytes of a text, of every length or of some lengths, in every way.
    private func check(_ fixture: Fixture, lengths: some Sequence<Int>, verbs: [MemoryVerb] = MemoryVerb.allCases) {
        let memory = GuardedMemory(byteCount: fixture.text.count)
        for length in lengths {
            let prefix = fixture.text[..<length]
            for (index, verb) in verbs.enumerated() {
                // Memory that can be read on both sides.
                let expected = Array(prefix + [0x20]).withUnsafeBytes { bytes in
                    fixture.memory(
                        UnsafeRawBufferPointer(rebasing: bytes.dropLast()), by: verb, .start, from: Self.sources[0])
                }
                for (place, source) in combinations(length + index) {
                    let filler = Self.fillers[(length / 3 + index) % Self.fillers.count]
                    let text = memory.hold(prefix, at: place, filler: filler)
                    let outcome = fixture.memory(text, by: verb, place, from: source)
                    if outcome != expected {
                        Issue.record(
                            "\(fixture.name), \(verb), \(length) bytes at the \(place), \(source):\n\(outcome)\nnot\n\(expected)"
                        )
                        return
                    }
                }
            }
        }
    }

    private func combinations(_ number: Int) -> [(GuardedMemory.Place, JSONModelDecoder.Source)] {
        let all = GuardedMemory.Place.allCases.flatMap { place in Self.sources.map { (place, $0) } }
        return Self.isComplete ? all : [all[number % all.count]]
    }

    /// All lengths of a short text, and some lengths of a long one: the first and last ones, and those between with equal distances.
    private func lengths(_ count: Int, all limit: Int, some number: Int) -> [Int] {
        guard Rounds.areFull || Self.isComplete else {
            return Set([0, min(1, count), count / 2, max(0, count - 1), count]).sorted()
        }
        let (limit, number) = Self.isComplete ? (10 * limit, 20 * number) : (limit, number)
        guard count > limit else { return Array(0...count) }
        let ends = Array(0...number / 4) + Array(count - number / 4...count)
        // An odd distance, so that all remainders of 64 occur.
        return ends + stride(from: number / 4 + 1, to: count - number / 4, by: max(1, count / number) | 1)
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture) + BoundsFixtures.all)
    func `no verb reads beyond a fixture of any length`(_ fixture: Fixture) {
        check(fixture, lengths: lengths(fixture.text.count, all: 32, some: 16))
    }

    @Test(.needs(.suites), arguments: ["JSONTestSuite", "yajl-cases"])
    func `no verb reads beyond a text of the suites`(_ folder: String) throws {
        for name in try TestData.suites.names(in: folder, withSuffix: ".json") {
            let text = try TestData.suites.bytes("\(folder)/\(name)")
            // Deep texts are read in full once, because each length takes time in proportion to the length.
            let lengths =
                text.count > 50_000 ? [0, 1, text.count - 1, text.count] : lengths(text.count, all: 12, some: 8)
            check(Fixture(name, text, as: JSONValue.self), lengths: lengths)
        }
    }

    @Test(.needs(.corpus), arguments: ["twitter", "canada", "citm_catalog", "github_events"])
    func `no verb reads beyond a part of a corpus`(_ name: String) throws {
        let text = try TestData.corpus.bytes("\(name).json")
        // Short parts of the start, then long ones.
        check(
            Fixture(name, Array(text.prefix(4_000)), as: JSONValue.self),
            lengths: lengths(min(text.count, 4_000), all: 0, some: 12))
        let verbs: [MemoryVerb] = [
            .rawBuffer, .raw, .validate, .partial, .cursor, .document, .lines, .workers, .codable,
        ]
        check(Fixture(name, text, as: JSONValue.self), lengths: lengths(text.count, all: 0, some: 2), verbs: verbs)
    }

    /// Lines and elements for more than one batch of a worker.
    @Test(arguments: [JSONFraming.lines, .document])
    func `workers do not read beyond their input`(_ framing: JSONFraming) {
        let row = #"{"id":1234567,"name":"\u00e9 a name of a row","list":[1.5,-2,3e5,true,null]}"#
        let separator = framing == .lines ? "\n" : ","
        let rows = Array(repeating: row, count: 6_000).joined(separator: separator)
        let text = Array((framing == .lines ? rows : "[\(rows)]").utf8)
        let cuts = [0, 1, 2, 15, 16, 17, 33, 70, 4_096, 200_003].map { text.count - $0 }
        check(
            Fixture("rows", text, as: JSONValue.self), lengths: Self.isComplete ? cuts : Array(cuts.prefix(4)),
            verbs: [.workers])
    }

    @Test func `asynchronous elements do not read beyond a text or a chunk`() async throws {
        let text = Array("{\"a\":[1,2.5e3,\"\\u00e9 text\"]}\n[true]\n12345678901234567".utf8)
        for length in 0...text.count {
            let prefix = text[..<length]
            let expected = try await elements(
                JSONModelDecoder().elements(of: JSONValue.self, in: Array(prefix), framing: .lines))
            for place in GuardedMemory.Place.allCases {
                for source in Self.sources {
                    let decoder = JSONModelDecoder(from: source)
                    let memory = GuardedMemory(byteCount: length)
                    let bytes = GuardedBytes(bytes: memory.hold(prefix, at: place, filler: 0x37), memory: memory)
                    let found = try await elements(
                        decoder.elements(of: JSONValue.self, in: bytes.bytes, framing: .lines))
                    #expect(found == expected, "\(length) \(place) \(source)")
                    let chunks = AsyncStream { continuation in
                        continuation.yield(bytes)
                        continuation.finish()
                    }
                    #expect(
                        try await elements(decoder.elements(of: JSONValue.self, in: chunks, framing: .lines))
                            == expected)
                }
            }
        }
    }

    private func elements(_ elements: some AsyncSequence<JSONValue, any Error>) async throws -> [String] {
        var found: [String] = []
        do { for try await element in elements { found.append(element.description) } } catch {
            found.append("\(error)")
        }
        return found
    }
}

/// Bytes in protected memory, which a chunk keeps.
private struct GuardedBytes: Collection, @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    let memory: GuardedMemory

    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> UInt8 { bytes[index] }
    func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        try body(bytes.assumingMemoryBound(to: UInt8.self))
    }
}
