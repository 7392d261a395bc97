import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Whatever goes wrong, and wherever: everything that was made is freed, once.
@Suite(.serialized) struct LeakTests {
    private static let text = Array(Holder.text.utf8)

    /// Runs `body`, and looks at what is left of it.
    func balanced(_ what: @autoclosure () -> String, _ body: () throws -> Void) -> Bool {
        LeakInstances.instances.restart()
        do { try body() } catch {}
        let live = LeakInstances.instances.takeLive()
        if live != 0 { Issue.record("\(live) instances left: \(what())") }
        return live == 0
    }

    private func decodeAll(_ text: [UInt8], _ decoder: JSONModelDecoder = JSONModelDecoder()) -> Bool {
        let shown = String(decoding: text, as: UTF8.self)
        return balanced("whole: \(shown)") { _ = try decoder.decode(Holder.self, from: text) }
            && balanced("in pieces: \(shown)") {
                _ = try decoder.decode(Holder.self, from: .chunks(text.pieces(of: 5)))
            }
            && balanced("partially: \(shown)") {
                for source in JSONModelDecoder.Source.allCases {
                    var decoder = decoder
                    decoder.source = source
                    _ = try? decoder.decodePartially([Holder].self, from: [UInt8(ascii: "[")] + text)
                    _ = try? decoder.decodePartially(Holder.self, from: text)
                }
            }
    }

    @Test func `a valid document fills every field`() throws {
        LeakInstances.instances.reset()
        do {
            let holder = try JSONModelDecoder().decode(Holder.self, from: Self.text)
            #expect(holder.field.text == "a twice")
            #expect(holder.optional?.text == "b")
            #expect(holder.list.map(\.text) == ["c", "d", "e"])
            #expect(holder.lists.map { $0.map { $0?.text } } == [["f", nil], [], ["g"]])
            #expect(holder.byKey[Counted("k")]?.text == "j")
            #expect(holder.parts[1].list.map(\.text) == ["p"])
            #expect(holder.parts[0].list.map(\.text) == ["default"])
            #expect(holder.unique.count == 2)
            #expect(holder.deep?.text == "u")
            #expect(holder.second?.one.text == "w")
            #expect(holder.either?.text == "z")
            #expect(holder.fallback.text == "default")
            #expect(holder.ignored.text == "ignored")
            #expect(holder.tree?.children[1].children[0].mark.text == "C")
        }
        #expect(LeakInstances.instances.live == 0)
    }

    @Test func `every prefix of a document frees all values`() {
        LeakInstances.instances.reset()
        for length in 0..<Self.text.count { guard decodeAll(Array(Self.text[..<length])) else { return } }
    }

    @Test(arguments: [
        "0", "false", "null", #""s""#, "{}", "[]", "[0]", #"{"a":0}"#, "@", "[[", "\u{7F}\u{0C}", #""\ud800""#,
    ])
    func `a document with any token replaced frees all values`(_ other: String) {
        LeakInstances.instances.reset()
        for token in Self.tokens() {
            let text = Self.text[..<token.lowerBound] + Array(other.utf8) + Self.text[token.upperBound...]
            guard decodeAll(Array(text)) else { return }
        }
    }

    @Test func `a document with any token missing or repeated frees all values`() {
        LeakInstances.instances.reset()
        for token in Self.tokens() {
            let before = Self.text[..<token.lowerBound]
            let after = Self.text[token.upperBound...]
            guard decodeAll(Array(before + after)) else { return }
            guard decodeAll(Array(before + Self.text[token] + Self.text[token] + after)) else { return }
        }
    }

    @Test func `a failure at any instance frees all values`() throws {
        for number in 0..<60 {
            LeakInstances.instances.reset(failing: number)
            var decoder = JSONModelDecoder()
            for duplicates in [JSONModelDecoder.DuplicateKeys.lastWins, .reject] {
                decoder.duplicateKeys = duplicates
                guard decodeAll(Self.text, decoder) else { return }
            }
        }
        LeakInstances.instances.reset()
    }

    @Test func `a limit of any size frees all values`() {
        LeakInstances.instances.reset()
        var decoder = JSONModelDecoder()
        for limit in 0...60 {
            decoder.limits = JSONLimits()
            decoder.limits.depth = limit
            guard decodeAll(Self.text, decoder) else { return }
            decoder.limits = JSONLimits()
            decoder.limits.string = limit
            guard decodeAll(Self.text, decoder) else { return }
            decoder.limits = JSONLimits()
            decoder.limits.document = limit * 10
            guard decodeAll(Self.text, decoder) else { return }
        }
    }

    @Test func `trailing content after a model frees all values`() {
        LeakInstances.instances.reset()
        _ = decodeAll(Self.text + [UInt8(ascii: "x")])
        _ = decodeAll(Self.text + [0x0C])
    }

    @Test(arguments: ["a.b", "a[0]", "a[5]", "b", "$", "a.b[0]"])
    func `decoding at a path frees all values`(_ path: String) {
        LeakInstances.instances.reset()
        for text in [
            #"{"a":["x","y"],"a":["z"]}"#, #"{"a":{"b":"x"},"a":{"b":"y"},"a":0}"#, #"{"a":{"b":"x"}}"#, "[",
            #"{"b":"x","b":1}"#, #"{"b":"x"}}"#,
        ] {
            for prefix in 0...text.utf8.count {
                let text = Array(text.utf8.prefix(prefix))
                _ = balanced("\(path) of \(text)") {
                    _ = try JSONModelDecoder().decode(Counted.self, from: text, at: JSONPath(parsing: path))
                }
                _ = balanced("\(path) of \(text)") {
                    _ = try JSONModelDecoder().decode([Counted].self, from: text, at: JSONPath(parsing: path))
                }
            }
        }
    }

    @Test func `streams that stop, fail or end early free all values`() {
        struct Enough: Error {}
        LeakInstances.instances.reset()
        let text = Array("[\(Holder.text),\(Holder.text), \(Holder.text)]".utf8)
        for length in stride(from: 0, to: text.count, by: 7) + [text.count] {
            for enough in 0...3 {
                for throwing in [true, false] {
                    var count = 0
                    let isBalanced = balanced("\(length) bytes, \(enough) elements, \(throwing)") {
                        try JSONModelDecoder().forEach(Holder.self, in: Array(text[..<length])) { _ in
                            count += 1
                            if count == enough, throwing { throw Enough() }
                            return count == enough ? .stop : .continue
                        }
                    }
                    guard isBalanced else { return }
                }
            }
        }
    }

    /// The places of the tokens of a text, each with its bytes.
    private static func tokens() -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var at = 0
        while at < text.count {
            let start = at
            switch text[at] {
            case UInt8(ascii: "\""):
                repeat { at += 1 } while text[at] != UInt8(ascii: "\"")
                at += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                while (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[at]) { at += 1 }
            case 0x20, 0x0A:
                at += 1
                continue
            default: at += 1
            }
            tokens.append(start..<at)
        }
        return tokens
    }
}
