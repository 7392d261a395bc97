/// Finds the known word that a misspelt one was meant to be.
///
/// The work is bounded, whatever the words are: `greatestLength` and `greatestCandidates` are its limits.
enum Spelling {
    /// Longer words are not compared, in bytes.
    static let greatestLength = 64
    /// More candidates are not looked at.
    static let greatestCandidates = 256

    /// The candidate that differs least from `word`, if it differs little: in a third of its bytes at most.
    static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guard let plain = normalized(word) else { return nil }
        var limit = min(max(1, plain.count / 3), plain.count - 1)
        var nearest: String?
        for candidate in candidates.prefix(greatestCandidates) where limit >= 0 {
            guard let other = normalized(candidate), let distance = distance(plain, other, atMost: limit) else {
                continue
            }
            nearest = candidate
            // Of those that differ equally, the first is taken.
            limit = distance - 1
        }
        return nearest
    }

    /// A word without that in which conventions differ most, its case and its separators; nil if it is too long.
    private static func normalized(_ word: String) -> [UInt8]? {
        guard word.utf8.count <= greatestLength else { return nil }
        return word.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    /// The number of bytes to insert, delete, replace or swap (optimal string alignment), or nil if there are more than
    /// `limit`.
    ///
    /// A path through the matrix strays from its diagonal by one for each byte inserted or deleted, so cells that are
    /// farther from it than `limit` are not computed.
    static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        // What lies outside of the band is as good as infinite.
        let far = limit + 1
        var beforeLast = [Int](repeating: far, count: b.count + 1)
        var last = (0...b.count).map { min($0, far) }
        for i in 0..<a.count {
            var row = [Int](repeating: far, count: b.count + 1)
            row[0] = min(i + 1, far)
            var least = row[0]
            let from = max(0, i - limit)
            let to = min(b.count, i + limit + 1)
            for j in from..<to {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1), far)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row[j + 1] = best
                least = min(least, best)
            }
            // A swap reaches back two rows, but the row between has a cell that costs no more.
            if least > limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
