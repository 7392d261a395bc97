import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Strings that are open when a snapshot is made.
@Suite(.tags(.streams)) struct OpenStringTests {
    private struct Holder: JSONModel {
        let value: JSONValue?
        let list: [String: JSONValue]?
        static let plan = ModelPlan<Holder>(
            JSONField(embedded: \.value, as: .either), JSONField(embedded: \.list, as: .either))
    }

    @Test func `the first letters of a string of JSON are not read as JSON`() throws {
        let text = #"{"value": "[1, 23]", "list": "{\"a\": false}"}"#
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            // A replay of the letters would exceed the limit, outside of the object that was closed before.
            decoder.limits.rereads = 1
            var feed = decoder.feed(of: Holder.self)
            for byte in text.utf8.dropLast(30) {
                _ = try feed.push([byte])
                #expect(feed.snapshot().value?.value == nil)
                #expect(feed.snapshot().issues.isEmpty)
            }
        }
    }
}
