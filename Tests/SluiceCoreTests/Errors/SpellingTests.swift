import TestSupport
import Testing

@testable import SluiceCore

/// Hints at misspelt words, and what they may cost.
@Suite(.tags(.errors)) struct SpellingTests {
    @Test(arguments: [
        ("name", ["id", "nmae", "name2"], "nmae"), ("full_name", ["name", "fullName"], "fullName"),
        ("id", ["ix", "identifier"], "ix"), ("id", ["xy"], nil), ("a", ["b"], nil), ("", ["a"], nil),
        ("stargazers", ["stargazer", "stargazerz"], "stargazer"), ("stargazers", ["watchers", "forks"], nil),
    ])
    func `the nearest candidate is suggested`(word: String, candidates: [String], meant: String?) {
        #expect(Spelling.nearest(to: word, among: candidates) == meant)
    }

    @Test func `the banded distance equals the plain distance up to the limit`() {
        var random = SeededRandom(seed: 7)
        func word() -> [UInt8] {
            (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
        }
        for _ in 0..<Rounds.of(3_000) {
            let (a, b) = (word(), word())
            let plain = plainDistance(a, b)
            for limit in 0...6 where Spelling.distance(a, b, atMost: limit) != (plain <= limit ? plain : nil) {
                Issue.record("\(a) and \(b) differ by \(plain), at most \(limit)")
            }
        }
    }

    /// Optimal string alignment, from its definition.
    private func plainDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var cells = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count {
            for j in 0...b.count {
                if i == 0 || j == 0 {
                    cells[i][j] = i + j
                    continue
                }
                let isSame = a[i - 1] == b[j - 1]
                cells[i][j] = min(cells[i - 1][j] + 1, cells[i][j - 1] + 1, cells[i - 1][j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cells[i][j] = min(cells[i][j], cells[i - 2][j - 2] + 1)
                }
            }
        }
        return cells[a.count][b.count]
    }
}
