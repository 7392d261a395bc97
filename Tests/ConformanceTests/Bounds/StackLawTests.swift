#if os(Linux)
import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// The greatest stack of each verb as a function of the depth and of the size of a text, measured with painted stacks.
@Suite(.enabled(if: !isSanitized, "a sanitizer changes the size of frames"))
struct StackLawTests {
    /// Objects and arrays in turn, with members around the inner value.
    private static func deep(_ depth: Int) -> [UInt8] {
        let levels = (0..<depth).map { $0 % 2 == 0 ? (#"{"a":[1],"b":"#, #","c":null}"#) : ("[true,", ",-1.5]") }
        return Array((levels.map(\.0) + ["0"] + levels.reversed().map(\.1)).joined().utf8)
    }

    private static func long(_ count: Int) -> [UInt8] {
        Array(
            "[\(Array(repeating: #"{"id":1,"name":"a \u0041 text","list":[1.5,null]}"#, count: count).joined(separator: ","))]"
                .utf8)
    }

    private func use(_ verb: MemoryVerb, _ text: [UInt8], _ source: JSONModelDecoder.Source) throws -> Int {
        let read = {
            let decoder = JSONModelDecoder.with {
                $0.source = source
                $0.limits.depth = JSONLimits.maximumDepth
            }
            text.withUnsafeBytes { bytes in
                // An error is a result, too: a document is no text sequence.
                _ = try? verb.read(JSONRaw.self, bytes, at: JSONPath(), .end, with: decoder)
            }
        }
        // The first call makes tables and shapes.
        _ = try stackUse(read)
        return try stackUse(read)
    }

    /// Two depths, and the bytes for each level between them.
    ///
    /// The runtime releases a nested value with a call for each level, and `Codable` decodes one so. The verbs of the last case make no nested
    /// value: their texts are raw JSON, or are not kept.
    private static func law(of verb: MemoryVerb) -> (depths: [Int], bytesPerLevel: Double) {
        switch verb {
        case .codable, .json5: ([64, 256], 2_112)
        case .value, .prefix, .firstContainer, .merge, .mergePatch, .document, .members, .lines, .concatenated,
            .textSequence,
            .events, .cursor, .cursorOfLines, .workers, .feed, .feedOfLines, .feedOfEvents, .feedOfBytes:
            ([64, 512], 256)
        case .rawBuffer, .buffer, .mutableRawBuffer, .mutableBuffer, .span, .rawSpan, .data, .raw, .validate,
            .validateLines, .partial:
            ([64, 4_000], 0.1)
        }
    }

    @Test(arguments: MemoryVerb.allCases, Rounds.areFull ? JSONModelDecoder.Source.allCases : [.scanner])
    func `the stack is independent of the depth, or linear if a value is as deep`(
        _ verb: MemoryVerb, _ source: JSONModelDecoder.Source
    ) throws {
        let (depths, bytes) = Self.law(of: verb)
        let uses = try depths.map { try use(verb, Self.deep($0), source) }
        print("stack, \(verb), \(source), depths \(depths): \(uses)")
        #expect(Double(uses[1] - uses[0]) <= bytes * Double(depths[1] - depths[0]), "\(uses)")
    }

    @Test(arguments: MemoryVerb.allCases, Rounds.areFull ? JSONModelDecoder.Source.allCases : [.scanner])
    func `the stack is independent of the size`(_ verb: MemoryVerb, _ source: JSONModelDecoder.Source) throws {
        let uses = try [10, 1_000].map { try use(verb, Self.long($0), source) }
        print("stack, \(verb), \(source), elements 10 and 1,000: \(uses)")
        #expect(uses[1] - uses[0] <= 4_096, "\(uses)")
        #expect(uses[1] < 64 << 10)
    }

    // MARK: Encoding

    /// Encodes a value by its plan or shape, or as `Encodable`.
    private func useOfEncoding(_ encode: @escaping (JSONModelEncoder) throws -> [UInt8]) throws -> Int {
        var encoder = JSONModelEncoder()
        encoder.limits.depth = JSONLimits.maximumDepth
        let write = { [encoder] in _ = try encode(encoder) }
        _ = try stackUse(write)
        return try stackUse(write)
    }

    @Test(arguments: NestedForm.allCases)
    func `the stack of encoding is independent of the depth, or linear with Codable`(_ form: NestedForm) throws {
        let uses = try form.depths.map { try useOfEncoding(form.encoding(depth: $0)) }
        print("stack, encoding, \(form), depths \(form.depths): \(uses)")
        let distance = Double(form.depths[1] - form.depths[0])
        #expect(Double(uses[1] - uses[0]) <= form.stackPerLevel * distance, "\(uses)")
    }

    @Test(arguments: NestedForm.allCases)
    func `the stack of encoding is independent of the size`(_ form: NestedForm) throws {
        let uses = try [10, 1_000].map { try useOfEncoding(form.encoding(count: $0)) }
        print("stack, encoding, \(form), elements 10 and 1,000: \(uses)")
        #expect(uses[1] - uses[0] <= 4_096, "\(uses)")
        #expect(uses[1] < 64 << 10)
    }
}
#endif
