import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// How locations are counted.
    struct LocationCountTests {
        @Test func `locations in increasing order are counted in one pass`() {
            // Counted from the beginning of the chunk each time, this takes 10 to the power of 12 steps.
            let bytes = Array(repeating: Array("[\"é\"],\n".utf8), count: 400_000).flatMap { $0 }
            bytes.withUnsafeBufferPointer { bytes in
                var text = LookbackBuffer()
                text.begin(bytes)
                var wrong = 0
                for row in 0..<400_000 {
                    let location = text.location(of: row * 8 + 1)
                    if location.line != row + 1 || location.column != 2 { wrong += 1 }
                }
                #expect(wrong == 0)
            }
        }

        @Test func `locations are correct in any order and across chunks`() {
            let bytes = Array("\n\nabc\n\ndefg\nhij\n\n\n\nk\nlmnopqr\n\n".utf8)
            func expected(_ offset: Int) -> (Int, Int) {
                let before = bytes[..<offset]
                let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
                return (before.count { $0 == 10 } + 1, offset - start + 1)
            }
            for size in [1, 4, 9, 100] {
                var text = LookbackBuffer()
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let chunk = Array(bytes[start..<min(start + size, bytes.count)])
                    chunk.withUnsafeBufferPointer { chunk in
                        text.begin(chunk)
                        for first in start...text.end {
                            for second in start...text.end {
                                for offset in [first, second] {
                                    let location = text.location(of: offset)
                                    if (location.line, location.column) != expected(offset) {
                                        Issue.record("\(offset) is at \(location), in chunks of \(size)")
                                    }
                                }
                            }
                        }
                        text.retireRest()
                    }
                    let location = text.location(of: text.end)
                    #expect((location.line, location.column) == expected(text.end))
                }
            }
        }

        @Test func `each of many dropped elements has its location`() throws {
            struct Rows: JSONModel {
                var numbers: [Int] = []
                static let plan = ModelPlan<Rows>(JSONField(\.numbers, key: "numbers", default: []).lossy())
            }
            let count = 20_000
            let text = "{\"numbers\":[\n" + (0..<count).map { "  \"\($0 % 10)\"" }.joined(separator: ",\n") + "]}"
            let bytes = Array(text.utf8)
            for source in JSONModelDecoder.Source.allCases {
                for size in [bytes.count, 10_000] {
                    let log = IssueLog()
                    var decoder = JSONModelDecoder()
                    decoder.source = source
                    decoder.issueHandler = { log.add($0) }
                    let pieces = bytes.pieces(of: size)
                    let rows =
                        try size == bytes.count
                        ? decoder.decode(Rows.self, from: bytes) : decoder.decode(Rows.self, from: .chunks(pieces))
                    #expect(rows.numbers.isEmpty)
                    let issues = log.issues
                    #expect(issues.count == count)
                    #expect(
                        issues.enumerated().allSatisfy { $1.location.line == $0 + 2 && $1.location.column == 3 })
                }
            }
        }
    }
}
