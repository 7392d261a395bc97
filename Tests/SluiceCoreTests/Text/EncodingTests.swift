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
}
