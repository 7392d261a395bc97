import Testing

@testable import SluiceCore

/// The buffer of written JSON.
struct OutputBufferTests {
    private func text(_ buffer: borrowing OutputBuffer) -> String {
        String(decoding: buffer.written, as: UTF8.self)
    }

    @Test func `bytes are removed from any place`() {
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        for lower in 0...20 {
            for upper in lower...20 {
                var buffer = OutputBuffer()
                letters.withUnsafeBufferPointer { buffer.verbatim($0) }
                buffer.truncate(20)
                buffer.remove(lower..<upper)
                #expect(Array(buffer.written) == Array(letters[..<lower] + letters[upper..<20]))
                // Nothing is written beyond the bytes that move.
                #expect(Array(buffer.bytes(20..<26)) == Array(letters[20...]))
            }
        }
    }

    /// A string of control characters becomes six times as long, and exceeds the memory at any place of the string.
    @Test func `many escapes are written in strings of every length`() {
        let formats = [
            OutputFormat(), OutputFormat(escapesSlashes: true), OutputFormat(escapesNonASCII: true),
        ]
        for format in formats {
            for count in Array(0..<200) + Array(650..<800) {
                let string = String(repeating: "\u{1}", count: count)
                let expected = "\"" + String(repeating: "\\u0001", count: count) + "\""
                var quoted = OutputBuffer(format)
                quoted.reserve(40)
                quoted.quoted(string)
                #expect(text(quoted) == expected)
                var other = OutputBuffer(format)
                other.string(string)
                #expect(text(other) == expected)
            }
        }
    }
}
