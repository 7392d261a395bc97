import Foundation
import Sluice
import TestHeap
import TestSupport
import Testing

@testable import FuzzSupport

/// Calls in whose course each allocation ends directly before a page that can neither be read nor written: buffers of output, tapes, arenas,
/// windows of files, and the values. An access beyond, or to released memory, ends the process.
///
/// The allocations of a call's thread are guarded, except those of less than 64 bytes. Memory that threads keep for later calls is guarded
/// if it is allocated in such a call.
@Suite(
    .enabled(if: sluice_guards_allocations(), "memory is guarded with the C library of GNU, and without sanitizers")
)
struct GuardedHeapTests {
    @Test func `an access beyond the memory or to released memory ends the process`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            sluice_begin_guards(0)
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 1_024)
            memory[1_024] = 1
        }
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            sluice_begin_guards(0)
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 1_024)
            memory.deallocate()
            memory[0] = 1
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture) + BoundsFixtures.all)
    func `no verb accesses memory beyond its own`(_ fixture: Fixture) {
        let sources = JSONModelDecoder.Source.allCases
        let texts = [fixture.text, Array(fixture.text.dropLast(1 + fixture.text.count / 3))]
        for (index, verb) in MemoryVerb.allCases.enumerated() {
            for (place, text) in texts.enumerated() {
                let source = sources[(index + place) % sources.count]
                let outcome = { text.withUnsafeBytes { fixture.memory($0, by: verb, .end, from: source) } }
                #expect(guarded(outcome) == outcome(), "\(verb), \(source), \(text.count) bytes")
            }
        }
    }

    // MARK: Output

    private struct Row: Codable {
        var text = ""
        var id = -123_456
        var small: Int8 = 7
        var wide = UInt64.max
        var ratio = 0.1
        var names = ["a", "a name of more than fifteen bytes", "\"é\"/\n"]
        var numbers = [1.5, -2e-7, 123_456_789.125]
        var optional: String?
        var nested = ["key": [["a": true], [:]], "other": []]
        var address = URL(string: "https://example.com/a")
    }

    @Test func `no Codable value is written beyond the memory of the output`() throws {
        // One dictionary, which keeps its order.
        let row = Row()
        for encoder in outputEncoders {
            func encode(_ length: Int) throws -> [UInt8] {
                var row = row
                row.text = String(repeating: "t", count: length)
                return try encoder.encode(row)
            }
            for length in try textLengths(encode(0).count, size: 1_024) {
                let text = try guarded { try encode(length) }
                #expect(try text == encode(length))
            }
        }
    }

    /// The memory of the output is passed on before 66,560 bytes are written.
    @Test func `no piece of output has bytes beyond its memory`() throws {
        let value: JSONValue = [
            "id": 12_345, "list": [1.5, true, nil], "é \"text\"": "a long text\nof some lines",
        ]
        for encoder in outputEncoders {
            func pieces(_ length: Int) throws -> [[UInt8]] {
                var pieces: [[UInt8]] = []
                let text = String(repeating: "t", count: length)
                try encoder.write(Displaced(text: text, value: value)) { pieces.append(Array($0)) }
                return pieces
            }
            for length in textLengths(200, size: 66_560) {
                #expect(try guarded { try pieces(length) } == pieces(length))
            }
        }
    }
}

/// Calls a closure, and guards the allocations of this thread meanwhile. The small ones are mostly those of the test.
private func guarded<R>(_ body: () throws -> R) rethrows -> R {
    sluice_begin_guards(64)
    defer { sluice_end_guards() }
    return try body()
}

private let outputEncoders: [JSONModelEncoder] = [
    JSONModelEncoder(), .with { $0.formatting = .pretty }, .with { $0.keyOrder = .sorted },
    .with { ($0.escapesSlashes, $0.escapesNonASCII, $0.nullStrategy) = (true, true, .write) },
]

/// The lengths of a text before a value, with which bytes of the value are at the end of the memory of the output.
private func textLengths(_ valueCount: Int, size: Int) -> StrideTo<Int> {
    stride(from: max(size - valueCount - 8, 0), to: size, by: max(1, valueCount / Rounds.of(60)))
}

extension FuzzPoolTests {
    /// Values of the pool in guarded memory.
    @Suite(.enabled(if: sluice_guards_allocations()))
    struct GuardedPoolTests {
        @Test func `no case accesses memory beyond its own`() {
            var run = FuzzRun(reduces: false)
            guarded { for seed in 1...UInt64(Rounds.of(40)) { run.run(seed: seed) } }
            run.close()
            for (key, failure) in run.failures { Issue.record("\(key)\n\(failure.description)") }
        }

        /// The first memory of output has 1,024 bytes.
        @Test(arguments: FuzzPool.subjects.indices)
        func `no value is written beyond the memory of the output`(index: Int) throws {
            guard let subject = FuzzPool.subjects[index] as? any EncodedSubject else { return }
            var random = SeededRandom(seed: UInt64(index))
            let sampler = Sampler(
                SeededRandom(seed: random.next()), Sampler.Context(), faultRate: 0, depth: 4, budget: 20)
            let document = NodeWriter.document(subject.sample(sampler), &random)
            for encoder in outputEncoders {
                guard let encode = subject.encoding(of: document, with: encoder) else { continue }
                // Values of some types are only decoded.
                guard let count = try? encode(0).count else { continue }
                for length in textLengths(count, size: 1_024) {
                    let text = try guarded { try encode(length) }
                    #expect(try text == encode(length))
                }
            }
        }
    }
}

/// A subject whose values are encoded.
private protocol EncodedSubject: FuzzSubject {
    /// Returns a function that encodes the value of a document after a text of some bytes; nil if the document has no value.
    func encoding(of document: [UInt8], with encoder: JSONModelEncoder) -> ((Int) throws -> [UInt8])?
}

/// A value behind a text.
private struct Displaced<Value: JSONConvertible>: JSONModel {
    var text: String
    var value: Value
    static var plan: ModelPlan<Displaced> {
        ModelPlan(JSONField(\.text, key: "text"), JSONField(\.value, key: "value"))
    }
}

extension Subject: EncodedSubject {
    fileprivate func encoding(of document: [UInt8], with encoder: JSONModelEncoder) -> ((Int) throws -> [UInt8])? {
        guard let value = try? JSONModelDecoder().decode(T.self, from: document) else { return nil }
        return { try encoder.encode(Displaced(text: String(repeating: "t", count: $0), value: value)) }
    }
}
