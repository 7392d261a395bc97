import Testing

@testable import SluiceCore

/// The buffer of written JSON.
struct OutputBufferTests {
    private func text(_ buffer: borrowing OutputBuffer) -> String {
        String(decoding: buffer.written, as: UTF8.self)
    }

    /// A string of control characters becomes six times as long, and exceeds the memory at any place of the string.
    @Test func `many escapes are written in strings of every length`() {
        let formats = [OutputFormat(), OutputFormat(escapesSlashes: true), OutputFormat(escapesNonASCII: true)]
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

    @Test func `bytes of more than one piece are written unchanged`() {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        var buffer = OutputBuffer()
        bytes.withUnsafeBufferPointer { buffer.verbatim($0) }
        #expect(Array(buffer.written) == bytes)
    }

    @Test func `characters beyond ASCII are escaped in strings of every length`() {
        for count in 0..<40 {
            let string = String(repeating: "k", count: count) + "é"
            var buffer = OutputBuffer(OutputFormat(escapesNonASCII: true))
            buffer.reserve(40)
            buffer.quoted(string)
            #expect(text(buffer).lowercased() == "\"" + String(repeating: "k", count: count) + "\\u00e9\"")
        }
    }
}
