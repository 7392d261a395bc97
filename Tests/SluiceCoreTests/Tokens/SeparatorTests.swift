import SluiceCore
import TestSupport
import Testing

/// The bytes between tokens, and the first bytes of the input.
struct SeparatorTests {
    /// Every byte other than the separator is an error at its position, in every feed.
    @Test(arguments: [
        (#"["x"‸"y"]"#, ","), (#"[1.5‸2.5]"#, ","), (#"[true‸[]]"#, ","), (#"{"a":"x"‸"b":"y"}"#, ","),
        (#"{"a":12‸"b":[]}"#, ","), (#"{"a":{}‸"b":{}}"#, ","), (#"{"a"‸"x"}"#, ":"),
        (#"{‸a":12}"#, "\""), (#"{"a":"x",‸b":[]}"#, "\""), (#"["x",‸y"]"#, "\""),
    ])
    func `only the separator stands between two tokens`(text: String, separator: String) throws {
        let parts = text.split(separator: "‸").map { Array($0.utf8) }
        // Space, so that the vector code reads the tokens.
        let (lead, rest) = (Array(repeating: UInt8(ascii: " "), count: 40) + parts[0], parts[1])
        let trail = Array(repeating: UInt8(ascii: " "), count: 80)
        for feed in Feed.all(sizes: [1]) {
            let decoder = JSONModelDecoder(from: feed.source)
            for byte in UInt8.min...UInt8.max {
                let isSeparator = byte == separator.utf8.first
                let value = try? feed.decode(JSONValue.self, lead + [byte] + rest + trail, with: decoder)
                if (value != nil) != isSeparator { Issue.record("\(byte), \(feed)") }
                // The same tokens in an ignored value.
                let document = Array("{\"x\":".utf8) + lead + [byte] + rest + Array(",\"y\":1}".utf8) + trail
                let other = try? feed.decode(Int.self, document, at: "y", with: decoder)
                if (other != nil) != isSeparator { Issue.record("\(byte), \(feed), ignored") }
            }
        }
    }

    @Test(arguments: ["[{]]", "[[}]", "[1,{]]", "[[1],{]]", "[[1],[}]", "[[],{]]"])
    func `a bracket of the other kind does not close a container`(text: String) throws {
        #expect(try refusal(JSONValue.self, text).location.offset == text.utf8.count - 2)
        _ = try refusal([[Int]].self, text)
        _ = try refusal([[Double]].self, text)
        _ = try refusal([[String]?].self, text)
    }

    /// An input of fewer bytes than its encoding needs is examined at its end.
    @Test func `a short input has the same result in every feed`() {
        let inputs: [[UInt8]] = [
            [], [0x31], [0x31, 0x00], [0x00, 0x31], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF], [0xEF, 0xBB],
            [0xEF, 0xBB, 0xBF, 0x31], [0xC3], [0x22, 0x22], [0x31, 0x32, 0x33],
        ]
        func outcome(_ input: [UInt8], _ feed: Feed, _ limit: Int) -> String {
            let decoder = JSONModelDecoder.with { $0.limits.document = limit }
            do { return "\(try feed.decode(JSONValue.self, input, with: decoder))" } catch { return "\(error)" }
        }
        for input in inputs {
            for limit in [1, 2, 3, 100] {
                let feeds = Feed.all(sizes: [1, 2, 3])
                let expected = outcome(input, feeds[0], limit)
                for feed in feeds {
                    #expect(outcome(input, feed, limit) == expected, "\(input), \(feed), \(limit)")
                }
            }
        }
        #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(JSONValue.self, from: [0x31, 0x00]) }
    }
}
