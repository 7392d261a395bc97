import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Input that ends too early is refused for every division into chunks.
struct CutShortTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test(arguments: GoodFixtures.all)
    func `every prefix of a document is refused`(_ fixture: Fixture) {
        let text = fixture.text.withoutTrailingBlanks
        // The beginning of a number is a number.
        if let last = text.last, (48...57).contains(last) { return }
        for length in 0..<text.count {
            let prefix = Array(text[..<length])
            let whole = fixture.whole(prefix)
            guard whole.issues.count == 1, isRight(whole.issues[0], prefix, of: text) else {
                Issue.record("\(fixture.name), the first \(length) bytes: \(whole)")
                return
            }
            for source in JSONModelDecoder.Source.allCases {
                for size in [1 + length / 100, max(length / 2, 1)] {
                    let pieces = fixture.chunks(prefix.pieces(of: size), from: source)
                    let same = fixture.whole(prefix, from: source) == whole
                    guard same, pieces == whole else {
                        Issue.record(
                            """
                            \(fixture.name), \(source), \(length) bytes in pieces of \(size):
                            \(pieces)
                            whole:
                            \(whole)
                            """)
                        return
                    }
                }
            }
        }
    }

    private func isRight(_ issue: Outcome.Facts, _ prefix: [UInt8], of text: [UInt8]) -> Bool {
        let lead = text.starts(with: Self.mark) ? 3 : 0
        // Half of a byte order mark is nothing that can begin a value.
        if lead > 0, prefix.count == 1 || prefix.count == 2 {
            return issue.kind == .syntax("unexpected byte 0xEF") && issue.offset == 0
        }
        let isBlank = prefix.withoutTrailingBlanks.count <= lead
        return issue.kind == (isBlank ? .emptyInput : .unexpectedEnd) && issue.offset == prefix.count
    }
}
