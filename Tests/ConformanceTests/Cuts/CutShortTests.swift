import Sluice
import Testing

/// A text that ends too early is refused, wherever it ends.
struct CutShortTests {
    @Test(arguments: GoodFixtures.all)
    func everyPrefixIsRefused(_ fixture: Fixture) {
        let text = fixture.text.withoutTrailingBlanks
        // The beginning of a number is a number.
        if let last = text.last, (48...57).contains(last) { return }
        for length in 0..<text.count {
            let prefix = Array(text[..<length])
            let whole = fixture.whole(prefix)
            guard let issue = whole.issues.first, whole.issues.count == 1 else {
                Issue.record("\(fixture.name), the first \(length) bytes: \(whole)")
                return
            }
            let isMark = text.starts(with: [0xEF, 0xBB, 0xBF]) && length < 3
            let isBlank = prefix.withoutTrailingBlanks.count == (text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
            if isMark, length > 0 {
                #expect(issue.offset == 0, "\(fixture.name), the first \(length) bytes: \(whole)")
            } else {
                #expect(
                    issue.kind == (isBlank || length == 0 ? .emptyInput : .unexpectedEnd),
                    "\(fixture.name), the first \(length) bytes: \(whole)")
                #expect(issue.offset == length, "\(fixture.name): \(whole)")
            }
            let chunks = fixture.chunks(prefix.pieces(of: 1))
            guard chunks == whole else {
                Issue.record("\(fixture.name), the first \(length) bytes, one by one:\n\(chunks)\nwhole:\n\(whole)")
                return
            }
            let halves = fixture.chunks(prefix.pieces(of: max(length / 2, 1)))
            guard halves == whole else {
                Issue.record("\(fixture.name), the first \(length) bytes, in halves:\n\(halves)\nwhole:\n\(whole)")
                return
            }
        }
    }
}
