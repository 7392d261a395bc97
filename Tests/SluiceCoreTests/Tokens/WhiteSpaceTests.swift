import SluiceCore
import TestSupport
import Testing

/// Any white space between tokens gives the same value, however the input is cut.
@Suite struct WhiteSpaceTests {
    /// The tokens of a document with nested containers, empty ones, and values of all types.
    private static let tokens =
        #"{ "a" : [ 1 , [ ] , { } , [ [ true ] , "x" ] ] , "b" : { "c" : { "d" : null , "e" : 2.5 } , "f" : [ { "g" : 1 } , { "g" : 2 } ] } , "h" : "\n" }"#
        .split(separator: " ")

    private static let expected = try? JSONModelDecoder().decode(JSONValue.self, from: tokens.joined())

    private func check(_ text: String, sizes: [Int] = [1, 7, 64, 100]) throws {
        for feed in Feed.all(sizes: sizes) {
            let value = try feed.decode(JSONValue.self, Array(text.utf8), with: JSONModelDecoder())
            if value != Self.expected { Issue.record("\(feed): \(text)") }
        }
    }

    /// The text with each line indented by its depth.
    private func indented(by unit: String, line: String) -> String {
        var text = ""
        var depth = 0
        for token in Self.tokens {
            if token == "]" || token == "}" { depth -= 1 }
            if token != "," && token != ":" { text += line + String(repeating: unit, count: depth) }
            text += token
            if token == "[" || token == "{" { depth += 1 }
        }
        return text + line
    }

    @Test(
        arguments: ["", " ", "  ", "    ", "\t", " \t", String(repeating: " ", count: 11)],
        ["\n", "\r\n", "\r", " "])
    func `indented JSON has the same value`(unit: String, line: String) throws {
        #expect(Self.expected != nil)
        try check(indented(by: unit, line: line))
    }

    /// Runs around the longest one that is predicted.
    @Test func `long runs have the same value`() throws {
        for length in [15, 16, 17, 30, 31, 32, 33, 34, 63, 64, 65, 130] {
            let run = "\n" + String(repeating: " ", count: length)
            try check(Self.tokens.joined(separator: run), sizes: [13])
        }
    }

    @Test func `random runs have the same value`() throws {
        var random = SeededRandom(seed: 5, index: 0)
        for _ in 0..<200 {
            let lengths = [0, 1, random.below(5), random.below(40)]
            let text = Self.tokens.reduce("") { text, token in
                let run = (0..<lengths[random.below(4)]).map { _ in [" ", "\n", "\r", "\t"][random.below(4)] }
                return text + run.joined() + token
            }
            try check(text, sizes: [1 + random.below(90)])
        }
    }

    /// A byte that is not white space, in a run that is otherwise the expected one.
    @Test func `other bytes in a run are rejected`() throws {
        let item = "\n          1,"
        let start = Array(("[" + String(repeating: item, count: 20)).utf8)
        for place in 0..<11 {
            for byte in [0x00, 0x08, 0x0B, 0x0C, 0x1F, 0x21, 0x7F, 0xA0] as [UInt8] {
                var bytes = Array((item + "1]").utf8)
                bytes[place] = byte
                for feed in Feed.all(sizes: [7, 100]) {
                    let error = #expect(throws: JSONModelError.self) {
                        try feed.decode([Int].self, start + bytes, with: JSONModelDecoder())
                    }
                    #expect(
                        error?.issues.first?.location.offset == start.count + place, "\(feed) \(place) \(byte)")
                }
            }
        }
    }

    /// White space of other lengths before a comma, and a run of the greatest length that is predicted.
    @Test func `control characters in a long run are rejected after shorter runs`() {
        let run = Array(repeating: UInt8(ascii: " "), count: 32)
        for count in 2..<32 {
            let lead =
                Array("[[1,".utf8) + run + Array("2,".utf8) + run + Array("3]".utf8) + run.prefix(count)
                + Array(",[1,".utf8)
            for last in [UInt8(count), 0x00, 0x1F] where ![0x09, 0x0A, 0x0D].contains(last) {
                let bytes = lead + run.dropLast() + [last] + Array("2]]".utf8) + run + run + run
                for feed in Feed.all(sizes: [100]) {
                    let error = #expect(throws: JSONModelError.self) {
                        try feed.decode(JSONValue.self, bytes, with: JSONModelDecoder())
                    }
                    #expect(error?.issues.first?.location.offset == lead.count + 31, "\(feed) \(count) \(last)")
                }
            }
        }
    }

    /// The same in the outermost array of a value that is recorded.
    @Test func `control characters in a long run of recorded JSON are rejected after shorter runs`() {
        let run = Array(repeating: UInt8(ascii: " "), count: 32)
        for count in 2..<32 where ![0x09, 0x0A, 0x0D].contains(count) {
            let lead =
                Array("[1,".utf8) + run + Array("2,".utf8) + run + Array("3".utf8) + run.prefix(count)
                + Array(",".utf8)
            let bytes = lead + run.dropLast() + [UInt8(count)] + Array("2]".utf8) + run + run + run
            for feed in Feed.all(sizes: [100]) {
                let error = #expect(throws: JSONModelError.self) {
                    try feed.decode(JSONRaw.self, bytes, with: JSONModelDecoder())
                }
                #expect(error?.issues.first?.location.offset == lead.count + 31, "\(feed) \(count)")
            }
        }
    }

    /// The scanner continues in other memory shortly before the end of a chunk.
    @Test func `a colon between runs may be at any distance from the end of a chunk`() throws {
        let text = "{\"x\":{\"a\" :  1},\"y\":2}"
        for count in 0..<100 {
            let bytes = Array((text + String(repeating: " ", count: count)).utf8)
            for feed in Feed.all(sizes: [bytes.count]) {
                let y = try feed.decode(Int.self, bytes, at: "y", with: JSONModelDecoder())
                #expect(y == 2, "\(feed) \(count)")
                let value = try feed.decode(JSONValue.self, bytes, with: JSONModelDecoder())
                #expect(value == ["x": ["a": 1], "y": 2], "\(feed) \(count)")
            }
        }
    }
}
