import SluiceCodable
import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Every type of memory that is an input, read by every verb.
@Suite(.tags(.cuts)) struct MemoryInputTests {
    struct Row: Codable, Equatable { let id: Int }

    struct Page: JSONModel, Equatable {
        var name: String?
        var count = 1
        static let plan = ModelPlan<Page>(JSONField(\.name), JSONField(\.count, default: 1))
    }

    /// Bytes that are not contiguous in memory.
    private struct Reversed: Collection, JSONInput {
        let bytes: [UInt8]
        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        func index(after index: Int) -> Int { index + 1 }
        subscript(index: Int) -> UInt8 { bytes[bytes.count - 1 - index] }
    }

    private static let text = #"{"items":[{"id":1},{"id":2}],"name":"a\n"}"#

    /// - Parameter byteCount: The length of the text; 0 for a value in memory, which has none.
    private func check(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, _ decoder: JSONModelDecoder,
        byteCount: Int = MemoryInputTests.text.utf8.count
    ) throws {
        let expected: JSONValue = ["items": [["id": 1], ["id": 2]], "name": "a\n"]
        let parsed = try JSONValue(parsing: input)
        #expect(parsed == expected)
        let value = try decoder.decode(JSONValue.self, from: input)
        #expect(value == expected)
        let page = try decoder.decode(Page.self, from: input)
        #expect(page == Page(name: "a\n"))
        let id = try decoder.decode(Int.self, from: input, at: "items[1].id")
        #expect(id == 2)
        let rows = try decoder.decode([Row].self, from: input, at: "items")
        #expect(rows == [Row(id: 1), Row(id: 2)])
        let partial = try decoder.decodePartially(Page.self, from: input)
        #expect(partial.value == Page(name: "a\n"))
        #expect(partial.issues.isEmpty)
        let prefix = try decoder.decodePrefix(Page.self, from: input)
        #expect(prefix.value == Page(name: "a\n"))
        #expect(prefix.byteCount == byteCount)
        var ids: [Int] = []
        try decoder.forEach(Int.self, in: input, at: "items[*].id") { ids.append($0) }
        try decoder.forEach(Int.self, in: input, at: "items[0].id", framing: .lines) { ids.append($0) }
        #expect(ids == [1, 2, 1])
        var merged = Page(name: "old", count: 5)
        try decoder.merge(input, into: &merged)
        #expect(merged == Page(name: "a\n", count: 5))
        try decoder.validate(input)
        try decoder.validate(input, at: "items[1]")
        try decoder.validate(input, at: "items[1].id")
        try decoder.validate(input, at: "name", framing: .lines)
        try decoder.validate(input, at: "items[*].id", framing: .concatenated)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `every verb reads every memory`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let bytes = Array(Self.text.utf8)
        try check(bytes, decoder)
        let padded: [UInt8] = [0] + bytes + [0]
        try check(padded[1...bytes.count], decoder)
        try check(ContiguousArray(bytes), decoder)
        try check(Reversed(bytes: bytes.reversed()), decoder)
        try check(bytes.span, decoder)
        try check(bytes.span.bytes, decoder)
        try bytes.withUnsafeBufferPointer { try check($0, decoder) }
        try bytes.withUnsafeBytes { try check($0, decoder) }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: bytes)
        try check(memory, decoder)
        try check(UnsafeMutableRawBufferPointer(memory), decoder)
        try check(Self.text, decoder)
        let around = "x\(Self.text)y"
        try check(around.dropFirst().dropLast(), decoder)
        try check(JSONRaw(Self.text), decoder)
        try check(JSONValue(parsing: Self.text), decoder, byteCount: 0)
    }
}
