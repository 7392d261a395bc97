import Foundation
import TestSupport
import Testing

@testable import SluiceCore
@testable import SluiceStreams

/// Numbers that a caller can pass, up to the limits of their types.
@Suite(.tags(.limits, .files)) struct ExtremeNumberTests {
    private static let numbers = [Int.min, -1, 0, 1, 2, 1 << 60, 1 << 62, .max - 1, .max]

    private static func text(_ framing: JSONFraming) -> String {
        switch framing {
        case .document: "[1,2,3]"
        case .lines, .concatenated: "1\n2\n3\n"
        case .textSequence: "\u{1E}1\n\u{1E}2\n\u{1E}3\n"
        case .serverSentEvents: "data: 1\n\ndata: 2\n\ndata: 3\n\n"
        case .dataLines: "data: 1\ndata: 2\ndata: 3\n"
        }
    }

    /// Reads a range, which has numbers of the text or is refused.
    private func read(_ input: JSONFileInput, _ framing: JSONFraming) throws -> [Int]? {
        var values: [Int] = []
        do throws(JSONModelError) {
            try JSONModelDecoder().forEach(JSONPositioned<Int>.self, in: input, framing: framing) {
                values.append($0.value)
            }
            return values
        } catch {
            guard case .invalidRange? = error.issues.first?.kind else { throw error }
            return nil
        }
    }

    @Test(arguments: JSONFraming.allCases)
    func `a range with any numbers is read or refused`(_ framing: JSONFraming) throws {
        try withFile(holding: Self.text(framing)) { path in
            for start in Self.numbers {
                for end in Self.numbers where end >= start {
                    let plain = try read(.file(path, range: start..<end), framing)
                    if start == end, start >= 0 { #expect(plain == [], "\(start)") }
                    if start < 0 { #expect(plain == nil) }
                    for number in Self.numbers {
                        for range in [
                            JSONFileRange(bytes: start..<end, index: number, line: 1, column: 1),
                            JSONFileRange(bytes: start..<end, index: 0, line: number, column: 1),
                            JSONFileRange(bytes: start..<end, index: 0, line: 1, column: number),
                        ] {
                            _ = range.start
                            _ = try read(.file(path, range: range), framing)
                        }
                    }
                }
            }
            if framing.rules.hasVisibleBorders {
                #expect(try read(.file(path, range: 0..<Int.max), framing) == [1, 2, 3])
            }
        }
    }

    @Test func `a range that begins beside a text is refused by its numbers`() throws {
        try withFile(holding: "1\n2\n") { path in
            for (index, line, column) in [(-1, 1, 1), (0, 0, 1), (0, 1, 0), (.max, 1, 1), (0, 1, .min)] {
                let range = JSONFileRange(bytes: 0..<4, index: index, line: line, column: column)
                let values = try read(.file(path, range: range), .lines)
                #expect(values == nil)
            }
        }
    }

    @Test func `a file has any number of parts`() throws {
        try withFile(holding: "[1,2,3]") { path in
            for parts in [1, 3, .max - 1, .max] {
                let ranges = try JSONModelDecoder().ranges(of: .file(path), parts: parts)
                #expect(ranges.count == min(parts, 3))
            }
        }
    }

    @Test func `limits have any value`() throws {
        let text = "[1,[\"a\"],{\"b\":2}]"
        var inputs = [Array(text.utf8), Array("\u{FEFF}\(text)".utf8)]
        inputs += try JSONCompression.available.map { try $0.compress(text) }
        for number in Self.numbers {
            for (index, path) in [
                \JSONLimits.depth, \.number, \.string, \.key, \.document, \.rereads, \.expansion, \.decompressed,
                \.window,
            ].enumerated() {
                for bytes in inputs {
                    for var decoder in JSONModelDecoder.ofEverySource {
                        decoder.limits[keyPath: path] = number
                        let isEnough = number > 100 || index == 5 || index > 5 && index != 7
                        do { _ = try decoder.decode(JSONValue.self, from: bytes) } catch {
                            #expect(!isEnough, "limit \(index) of \(number): \(error)")
                        }
                        var feed = decoder.feed(of: JSONValue.self)
                        for piece in bytes.pieces(of: 3) { _ = try? feed.push(piece) }
                        _ = try? feed.finish()
                    }
                }
            }
        }
    }

    @Test func `paths have any index`() throws {
        for number in Self.numbers where number < 0 || number > 2 {
            for decoder in JSONModelDecoder.ofEverySource {
                let path = JSONPath([.index(number)])
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Int.self, from: "[1,2]", at: path)
                }
                #expect(error?.issues.map(\.kind) == [.pathNotFound(path)])
                #expect(
                    try decoder.forEach(Int.self, in: "[[1],[2]]", at: JSONPath([.index(number), .anyIndex])) { _ in
                    } == 0)
            }
        }
    }

    @Test(arguments: JSONCompression.available) func `a compression has any level`(_ format: JSONCompression) throws
    {
        try withFile(holding: "") { path in
            for number in Self.numbers {
                try JSONModelEncoder().write([1, 2], to: .file(path).compressed(with: format, level: number))
                #expect(try JSONModelDecoder().decode([Int].self, from: .file(path)) == [1, 2])
            }
        }
    }

    #if ZSTD
    @Test func `the window of a frame is limited`() throws {
        /// A frame of a few bytes whose window has the size of a power of two.
        func frame(_ power: UInt8) -> [UInt8] {
            [0x28, 0xB5, 0x2F, 0xFD, 0, (power - 10) << 3, 17, 0, 0] + Array("[]".utf8)
        }
        for var decoder in JSONModelDecoder.ofEverySource {
            #expect(try decoder.decode([Int].self, from: frame(23)) == [])
            for (power, limit) in [(27, 1 << 23), (24, 1 << 23), (20, 1 << 19)] as [(UInt8, Int)] {
                decoder.limits.window = limit
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([Int].self, from: frame(power))
                }
                #expect(error?.issues.map(\.kind) == [.limitExceeded(.window, limit: limit)])
                #expect(error?.description.contains("raise JSONLimits.window") == true)
            }
            decoder.limits.window = 1 << 27
            #expect(try decoder.decode([Int].self, from: frame(27)) == [])
        }
    }
    #endif
}
