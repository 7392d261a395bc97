#if os(Linux)
import Foundation
import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// The memory of a stream does not depend on the length of the input: measured as the largest resident size of the process.
///
/// `make memory` runs the tests. They run alone, because other tests of the process would add to its memory.
@Suite(
    .tags(.streams),
    .serialized, .enabled(if: TestEnvironment.text("SLUICE_MEMORY") != nil, "make memory runs the tests of memory"))
struct MemoryPeakTests {
    typealias Row = FramingTests.Row

    private static let small = 1_000_000
    private static let large = 16_000_000
    /// The greatest difference between the peaks of a large and a small input, in bytes.
    private static let tolerance = 2_000_000

    /// Chunks of 64 KB that contain elements, each chunk cut inside of an element.
    private struct Input {
        let count: Int
        let chunks: [[UInt8]]

        init(size: Int, _ framing: JSONFraming) {
            var bytes: [UInt8] = []
            var elements = JSONModelEncoder().writer(
                to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: framing)
            let row = Row(id: 1_234_567, name: String(repeating: "name", count: 20))
            do {
                for _ in 0..<500 { try elements.write(row) }
                try elements.finish()
            } catch { Issue.record("\(error)") }
            // The array of a document is opened before the first chunk, and closed after the last.
            if framing == .document { bytes = bytes.dropFirst().dropLast() + [UInt8(ascii: ",")] }
            let middle = Array(bytes[7...] + bytes[..<7])
            let repetitions = size / bytes.count
            count = (repetitions + 1) * 500
            let (head, tail) = framing == .document ? ("[", "]") : ("", "")
            chunks =
                [Array(head.utf8) + bytes[..<7]] + Array(repeating: middle, count: repetitions) + [
                    Array(bytes[7...].dropLast(framing == .document ? 1 : 0)) + Array(tail.utf8)
                ]
        }
    }

    /// Returns the largest resident size during a closure, in bytes.
    private func peak(_ body: () throws -> Void) throws -> Int {
        // Free memory of the allocator would hide a difference. The function of glibc is in no module of Swift.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
        }
        // 5 resets the peak.
        guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return 0 }
        try reset.write(contentsOf: Data("5".utf8))
        try reset.close()
        try body()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let kilobytes = try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
        return kilobytes * 1_024
    }

    /// Compares the peaks of a small and a large input, each read once before.
    private func compare(_ name: String, _ body: (Int) throws -> Void) throws {
        try body(Self.small)
        let small = try peak { try body(Self.small) }
        let large = try peak { try body(Self.large) }
        print("\(name): \(small / 1_000) kB, \(large / 1_000) kB")
        #expect(small > 1_000_000)
        #expect(large - small < Self.tolerance, "\(name): \(small), then \(large) bytes")
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `several threads take the memory of some batches`(_ source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder(from: source)
        decoder.workers = .exactly(2)
        // The small input keeps all batches busy, too.
        try compare("forEach, \(source), 2 workers") { size in
            let input = Input(size: size + 3_000_000, .lines)
            let count = try decoder.forEach(Row.self, in: .chunks(input.chunks), framing: .lines) { _ in }
            #expect(count == input.count)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `members take the memory of one member`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let key = String(repeating: "a key of some length ", count: 10)
        let member = Array(
            #""\#(key)": {"id": 1234567, "name": "\#(String(repeating: "name", count: 20))"}, "#.utf8)
        let chunk = Array(repeatElement(member, count: 200).joined())
        try compare("forEach, \(source), members") { size in
            let count = size / chunk.count
            let chunks =
                ["{".utf8.map(\.self)] + Array(repeating: chunk, count: count) + [
                    Array(#""last": {"id": 1, "name": ""}}"#.utf8)
                ]
            let members = try decoder.forEach(JSONMember<Row>.self, in: .chunks(chunks), at: "*") { member in
                if member.key.utf8.count < 4 { Issue.record("\(member.key)") }
            }
            #expect(members == count * 200 + 1)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases, [JSONFraming.document, .lines])
    func `reading takes the memory of a window`(_ source: JSONModelDecoder.Source, _ framing: JSONFraming) throws {
        let decoder = JSONModelDecoder(from: source)
        try compare("forEach, \(source), \(framing)") { size in
            let input = Input(size: size, framing)
            let count = try decoder.forEach(Row.self, in: .chunks(input.chunks), framing: framing) { _ in }
            #expect(count == input.count)
        }
        try compare("cursor, \(source), \(framing)") { size in
            let input = Input(size: size, framing)
            var cursor = decoder.cursor(of: Row.self, in: .chunks(input.chunks), framing: framing)
            var count = 0
            while try cursor.next() != nil { count += 1 }
            #expect(count == input.count)
        }
        try compare("feed, \(source), \(framing)") { size in
            let input = Input(size: size, framing)
            var feed = decoder.feed(of: Row.self, framing: framing)
            var count = 0
            for chunk in input.chunks { count += try feed.push(chunk).count }
            count += try feed.finish().count
            #expect(count == input.count)
        }
        try compare("validate, \(source), \(framing)") { size in
            try decoder.validate(.chunks(Input(size: size, framing).chunks), framing: framing)
        }
    }

    @Test func `asynchronous elements take the memory of a window`() async throws {
        for framing in [JSONFraming.document, .lines] {
            var peaks: [Int] = []
            for size in [Self.small, Self.small, Self.large] {
                let input = Input(size: size, framing)
                _ = try peak {}
                let elements = JSONModelDecoder().elements(
                    of: Row.self, in: .chunks(input.chunks), framing: framing)
                var count = 0
                for try await _ in elements { count += 1 }
                #expect(count == input.count)
                peaks.append(try currentPeak())
            }
            #expect(peaks[2] - peaks[1] < Self.tolerance, "\(framing): \(peaks)")
        }
    }

    private func currentPeak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }) * 1_024
    }

    @Test func `writing takes the memory of a piece`() throws {
        let row = Row(id: 1, name: String(repeating: "name", count: 20))
        let formats: [JSONCompression?] = [nil, .gzip, .zstd]
        for format in formats where format?.isAvailable != false {
            try compare("writer, \(format.map { "\($0)" } ?? "plain")") { size in
                var destination = JSONDestination.writing { $0.count }
                if let format { destination = destination.compressed(with: format, level: 1) }
                var writer = try JSONModelEncoder().writer(to: destination, framing: .lines)
                for _ in 0..<(size / 100) { try writer.write(row) }
                try writer.finish()
            }
        }
    }

    /// A small chunk expands to many windows, which are decompressed one after another.
    @Test(arguments: JSONCompression.allCases.filter(\.isAvailable))
    func `compressed input takes the memory of a window`(_ format: JSONCompression) throws {
        let decoder = JSONModelDecoder.with { $0.limits.expansion = .max }
        for framing in [JSONFraming.document, .lines] {
            try compare("\(format), \(framing)") { size in
                try withFile(holding: []) { path in
                    var writer = try JSONModelEncoder().writer(
                        to: .file(path).compressed(with: format), framing: framing)
                    let row = Row(id: 1, name: String(repeating: "name", count: 20))
                    // The small input fills the window of zstd, which has 2 MB, too.
                    let count = (size + 3_000_000) / 100
                    for _ in 0..<count { try writer.write(row) }
                    try writer.finish()
                    let passed = try decoder.forEach(Row.self, in: .file(path), framing: framing) { _ in }
                    #expect(passed == count)
                    var cursor = decoder.cursor(of: Row.self, in: .file(path), framing: framing)
                    var read = 0
                    while try cursor.next() != nil { read += 1 }
                    #expect(read == count)
                }
            }
        }
    }

    /// The last test: also after all others, the allocator has no free memory that would hide a difference.
    @Test func `the measurement finds memory in proportion to the input`() throws {
        var kept: [[UInt8]] = []
        let small = try peak { kept = Input(size: Self.small, .lines).chunks.map { $0.reversed() } }
        let large = try peak { kept = Input(size: 8_000_000, .lines).chunks.map { $0.reversed() } }
        #expect(large - small > Self.tolerance && kept.count > 100)
    }
}
#endif
