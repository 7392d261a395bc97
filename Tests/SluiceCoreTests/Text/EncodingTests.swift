import TestSupport
import Testing

@testable import SluiceCore

/// The first bytes of the input, which determine its encoding.
struct EncodingTests {
    @Test func `a byte order mark alone is an empty input`() throws {
        let issue = try refusal(JSONValue.self, "\u{FEFF}")
        #expect(issue.kind == .emptyInput)
        #expect(issue.location == JSONLocation(offset: 3))
    }

    @Test func `one byte does not determine the encoding`() {
        let beginnings: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
        for bytes in beginnings {
            bytes.withUnsafeBufferPointer { bytes in
                #expect(Encoding.other(bytes) != nil)
                #expect(Encoding.other(UnsafeBufferPointer(rebasing: bytes[..<1])) == nil)
            }
        }
    }
}
