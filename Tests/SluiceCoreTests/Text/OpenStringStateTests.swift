import TestSupport
import Testing

@testable import SluiceCore

/// The end and the first fault of a string that arrives in pieces.
struct OpenStringStateTests {
    /// The state after the first byte that ends a string or is at fault.
    private enum Decision: Equatable {
        case open
        case ended(Int)
        case faulty(Int)
    }

    /// Reads the string, whose opening quote precedes the bytes, in pieces.
    private func read(_ bytes: [UInt8], piece: Int) -> Decision {
        var string = OpenString(UnsafeBufferPointer(start: nil, count: 0))
        var start = 0
        while start < bytes.count {
            let next = Array(bytes[start..<min(start + piece, bytes.count)])
            if let count = next.withUnsafeBufferPointer({ string.lengthToEndOrFault(of: $0) }) {
                return string.hasEnded && !string.isFaulty ? .ended(start + count) : .faulty(start + count)
            }
            start += next.count
        }
        return .open
    }

    /// Reads each prefix of the string with the diagnosis of errors.
    private func diagnose(_ bytes: [UInt8]) -> Decision {
        let text = [UInt8(ascii: "\"")] + bytes
        return text.withUnsafeBufferPointer { text in
            for end in 2...text.count {
                var buffer = LookbackBuffer()
                buffer.begin(UnsafeBufferPointer(rebasing: text.prefix(end)))
                var walk = SyntaxDiagnosis(text: buffer, at: 0, end: end, limits: JSONLimits())
                guard let fault = walk.string() else { return .ended(end - 1) }
                if fault.kind != .unexpectedEnd { return .faulty(end - 1) }
            }
            return .open
        }
    }

    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "\\n", "\\\"", "\\u", "\\ud8", "\\uDC00", "\\ud83d", "\\ude00", "0041", "u", "D", "f", "g",
            "a long plain text ", "é", "€", "😀", "\u{1F}", "\u{7F}", "",
        ].map { Array($0.utf8) } + [
            [0x80], [0xBF], [0xC1], [0xC2], [0xE0], [0x9F], [0xA0], [0xED], [0xEF], [0xF0], [0x8F], [0x90], [0xF4],
            [0xF5], [0xF3, 0x80, 0x80],
        ]

    /// Bytes that complete open strings: parts of escapes and characters, and the closing quote.
    private static let ends: [[UInt8]] =
        (["", "n", "0", "00", "000", "0041", "\\udc00", "udc00", "dc00", "c00", "0\\udc00", "00\\udc00"].map {
            Array($0.utf8)
        } + [
            [0x80], [0x80, 0x80], [0x9F, 0x80], [0xA0, 0x80], [0x80, 0x80, 0x80], [0x8F, 0x80, 0x80],
            [0x90, 0x80, 0x80],
        ]).map { $0 + [UInt8(ascii: "\"")] }

    /// Whether the scanner, which reads whole strings in another way, accepts the string.
    private func isString(_ bytes: [UInt8]) -> Bool {
        let text = [UInt8(ascii: "\"")] + bytes
        return (try? JSONModelDecoder(from: .scanner).decode(String.self, from: text)) != nil
    }

    @Test func `the scanner accepts the strings that end without a fault`() {
        var random = SeededRandom(seed: 13)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...4, using: &random)
            let text = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &random)! }
            for end in Self.ends {
                let string = text + end
                if case .ended(let count) = read(string, piece: 64) {
                    #expect(isString(Array(string.prefix(count))), "\(string)")
                } else {
                    #expect(!isString(string), "\(string)")
                }
            }
        }
    }

    @Test func `the end and the first fault are found with the same byte as by the diagnosis`() {
        var random = SeededRandom(seed: 12)
        var counts = (ended: 0, faulty: 0, open: 0)
        for _ in 0..<Rounds.of(20_000) {
            let count = Int.random(in: 1...5, using: &random)
            let text = (0..<count).flatMap { _ in Self.pieces.randomElement(using: &random)! }
            if text.isEmpty { continue }
            let expected = diagnose(text)
            for piece in [1, 3, 64] { #expect(read(text, piece: piece) == expected, "\(text), \(piece)") }
            switch expected {
            case .ended: counts.ended += 1
            case .faulty: counts.faulty += 1
            case .open: counts.open += 1
            }
        }
        #expect(min(counts.ended, counts.faulty, counts.open) > Rounds.of(500), "\(counts)")
    }

    @Test(arguments: [
        ("a\u{1}b\"", true), ("\\q\"", true), ("\\u12\"", true), ("\\ud800\"", true), ("\\ud800\\n\"", true),
        ("\\ud800\\\"", false), ("\\ud800\\", false), ("\u{1}\\\\\"", true),
    ])
    func `the end is found after a fault`(_ text: String, _ hasEnded: Bool) {
        let string = Array(text.utf8).withUnsafeBufferPointer { OpenString($0) }
        #expect(string.hasEnded == hasEnded)
        #expect(string.isFaulty == (text != "\\ud800\\"))
    }
}
