/// Finds the known word that is most similar to a misspelled one.
///
/// `maximumLength` and `maximumCandidates` bound the time for any words.
package enum Spelling {
    /// The length in bytes up to which words are compared.
    static let maximumLength = 64
    /// The number of candidates that are compared.
    package static let maximumCandidates = 256

    /// Returns the candidate that differs least from `word`, in at most a third of its bytes; nil if none is similar.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        guard let plain = normalized(word) else { return nil }
        var limit = min(max(1, plain.count / 3), plain.count - 1)
        var nearest: String?
        for candidate in candidates.prefix(maximumCandidates) where limit >= 0 {
            guard let other = normalized(candidate), let distance = distance(plain, other, atMost: limit) else {
                continue
            }
            nearest = candidate
            // The first of several equally similar candidates wins.
            limit = distance - 1
        }
        return nearest
    }

    /// The hint for a missing word.
    package static func hint(_ similar: String, for word: String) -> String {
        "\"\(similar)\" is similar to \"\(word)\""
    }

    /// Returns a word without case and separators, in which naming conventions differ; nil if the word is too long.
    private static func normalized(_ word: String) -> [UInt8]? {
        guard word.utf8.count <= maximumLength else { return nil }
        return word.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    /// Returns the number of bytes to insert, delete, replace or swap (optimal string alignment), or nil if the number is
    /// greater than `limit`.
    ///
    /// Each inserted or deleted byte moves a path through the matrix away from the diagonal by one. Cells that are farther
    /// from the diagonal than `limit` are not computed.
    static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        // Cells outside of the band count as infinite.
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
            // A swap refers to the row before the last, but the last row has a cell of no greater cost.
            if least > limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}

/// A list of values in a message, shortened if necessary.
enum ValueList {
    /// The greatest number of values in the list.
    static let maximumCount = 20

    /// Returns the values, separated by commas. Beyond ``greatestCount``, the list gives the number of the others.
    static func text(of values: some Collection<String>) -> String {
        let shown = values.prefix(maximumCount).joined(separator: ", ")
        let rest = values.count - maximumCount
        return rest > 0 ? "\(shown) and \(rest) more" : shown
    }
}
