import Sluice
import TestSupport

/// The text of a stream in one framing, with every form of line end, and with the parts that the framing ignores.
struct FramedText {
    private var random: SeededRandom
    private(set) var bytes: [UInt8] = []

    static func text(_ framing: JSONFraming, _ random: inout SeededRandom) -> [UInt8] {
        var text = FramedText(random: SeededRandom(seed: random.next()))
        if text.random.below(8) == 0 { text.bytes += [0xEF, 0xBB, 0xBF] }
        for _ in 0..<text.random.below(7) { text.addValue(framing) }
        if text.random.below(3) == 0, let last = text.bytes.indices.last {
            text.bytes.removeSubrange((last - text.random.below(min(last + 1, 4)))...)
        }
        return text.bytes
    }

    private init(random: SeededRandom) { self.random = random }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    private mutating func addBlanks() {
        while random.below(3) == 0 { add(random.pick([" ", "\t", "\n", "\r\n", "\r"])) }
    }

    private mutating func addValue(_ framing: JSONFraming) {
        switch framing {
        case .document:
            add(bytes.isEmpty ? "[" : ",")
            add(value)
            if random.below(3) == 0 { add("]") }
        case .lines:
            add(value + random.pick(["\n", "\n", "\r\n", "\r\n", "\r", " \n", "\n\n", "\n \r\n", "\r\r\n"]))
        case .textSequence:
            if random.below(8) > 0 { bytes.append(0x1E) }
            addBlanks()
            add(value + random.pick(["\n", "\n", "\r\n", " ", ""]))
        case .concatenated:
            addBlanks()
            add(value)
        case .serverSentEvents, .dataLines:
            addEvent()
        }
    }

    private mutating func addEvent() {
        let end = random.pick(["\n", "\r", "\r\n"])
        for _ in 0..<random.below(3) {
            add(random.pick(["event: a", ": {}", ":", "id: 1", "id", "retry: 5", "data", "data:", "data: [DONE]"]))
            add(random.below(6) == 0 ? "\r" : end)
        }
        // The lines of the data are joined, so that a break may be in the place of white space.
        for line in value.split(separator: " ", omittingEmptySubsequences: false) {
            add(random.pick(["data: ", "data:", "data:  "]) + line + end)
        }
        for _ in 0..<random.below(3) { add(random.below(6) == 0 ? "\r" : end) }
    }

    /// A value, at times with spaces between tokens, and at times with a fault.
    private var value: String {
        mutating get {
            random.pick([
                "1", "-2.5e3", "true", "null", "\"\"", "\"a\\n\u{E9}\"", "[]", "[1, 2]", "{}",
                "{\"a\":[1,{\"a\":2}]}",
                "{\"a\":[], \"a\":[3]}", "[{\"a\":1},{\"a\":\"]}\"}]", "{\"b\":{\"a\":[0]}, \"a\": [\"x\"]}",
                "[\"a b\"]", "[1", "tru", "{\"a\":}", "\"\\ud800\"",
            ])
        }
    }
}
