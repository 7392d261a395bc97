import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// The inputs in memory, which every verb reads.
@Suite struct MemoryInputTests {
    private static let text = #"{"rows":[1,2,3]}"#

    private func check(_ input: borrowing some JSONInput & ~Copyable & ~Escapable) throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let all = try decoder.decode([String: [Int]].self, from: input)
            #expect(all == ["rows": [1, 2, 3]])
            let second = try decoder.decode(Int.self, from: input, at: "rows[1]")
            #expect(second == 2)
            var elements: [Int] = []
            try decoder.forEach(Int.self, in: input, at: "rows[*]") { elements.append($0) }
            #expect(elements == [1, 2, 3])
            try decoder.validate(input, at: "rows[2]")
        }
    }

    @Test func `strings, arrays, spans and values are read`() throws {
        let bytes = Array(Self.text.utf8)
        let around = Array("x\(Self.text)y".utf8)
        try check(Self.text)
        try check("x\(Self.text)y".dropFirst().dropLast())
        try check(bytes)
        try check(ContiguousArray(bytes))
        try check(around[1..<around.count - 1])
        try check(bytes.span)
        try check(bytes.span.bytes)
        try check(JSONRaw(Self.text))
        try check(JSONModelDecoder().decode(JSONValue.self, from: Self.text))
    }

    @Test func `unsafe buffers are read`() throws {
        var bytes = Array(Self.text.utf8)
        try bytes.withUnsafeBufferPointer { buffer in try check(buffer) }
        try bytes.withUnsafeBytes { buffer in try check(buffer) }
        try bytes.withUnsafeMutableBufferPointer { buffer in try check(buffer) }
        try bytes.withUnsafeMutableBytes { buffer in try check(buffer) }
    }
}
