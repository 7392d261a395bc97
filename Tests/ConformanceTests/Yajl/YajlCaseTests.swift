import SluiceCore
import TestSupport
import Testing

/// The inputs of yajl's own tests, with the expected events for every division into chunks.
///
/// Sluice has none of yajl's options (comments, trailing garbage, several values, partial values) and is sometimes
/// stricter than yajl's defaults. A table lists the cases that differ, with the number of events that they give.
@Suite(.needs(.suites))
struct YajlCaseTests {
    struct Difference {
        /// How many of the events come; −1 for all of them.
        var events = -1
        /// The error; nil where the text is accepted.
        let kind: JSONIssue.Kind?
    }

    static let differences: [String: Difference] = [
        // Comments are none of JSON.
        "ac_difficult_json_c_test_case_with_comments": Difference(
            events: 3, kind: .syntax("comments are not part of JSON")),
        "ac_simple_with_comments": Difference(events: 3, kind: .syntax("comments are not part of JSON")),
        // Nothing may follow the value.
        "ag_false_then_garbage": Difference(kind: .trailingContent),
        "ag_null_then_garbage": Difference(kind: .trailingContent),
        "ag_true_then_garbage": Difference(kind: .trailingContent),
        "am_integers": Difference(events: 1, kind: .trailingContent),
        "am_multiple": Difference(events: 2, kind: .trailingContent),
        "am_stuff": Difference(events: 2, kind: .trailingContent),
        // Nor may it be cut off.
        "ap_array_open": Difference(kind: .unexpectedEnd),
        "ap_eof_str": Difference(kind: .unexpectedEnd),
        "ap_map_open": Difference(kind: .unexpectedEnd),
        "ap_partial_ok": Difference(kind: .unexpectedEnd),
        // Half of a surrogate pair is no character, not a question mark.
        "isolated_surrogate_marker": Difference(events: 0, kind: .loneSurrogate),
    ]

    /// Integers beyond yajl's range (which lacks the least of 64 bits) are no error of the text: a value keeps their
    /// digits. These are their events.
    static let longIntegers = [
        "high_overflow": "integer: 9223372036854775808\n",
        "low_overflow": "integer: -9223372036854775808\n",
    ]

    private func expectation(_ name: String) throws -> (events: [UInt8], isRefused: Bool) {
        var gold = try TestData.suites.bytes("yajl-cases/\(name).json.gold")
        let leaks = Array("memory leaks:\t0\n".utf8)
        try #require(gold.suffix(leaks.count) == leaks[...], "\(name)")
        gold.removeLast(leaks.count)
        // The error is the last line.
        let last = gold.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let isRefused = ["parse error: ", "lexical error: "].contains { gold[last...].starts(with: Array($0.utf8)) }
        return (isRefused ? Array(gold[..<last]) : gold, isRefused)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `each case gives the expected events`(_ source: JSONModelDecoder.Source) throws {
        let names = try TestData.suites.names(in: "yajl-cases", withSuffix: ".json").map { String($0.dropLast(5)) }
        #expect(names.count == 58)
        #expect(Set(Self.differences.keys).union(Self.longIntegers.keys).isSubset(of: names))
        var limits = JSONLimits()
        limits.depth = 1_024
        for name in names {
            let text = try TestData.suites.bytes("yajl-cases/\(name).json")
            var (events, isRefused) = try expectation(name)
            if let difference = Self.differences[name] {
                isRefused = difference.kind != nil
                if difference.events >= 0 { events = firstLines(difference.events, of: events) }
            } else if let integer = Self.longIntegers[name] {
                isRefused = false
                events = Array(integer.utf8)
            }
            for size in [nil] + (1...31).map(Optional.some) {
                let found = EventRecorder.events(of: text, from: source, inPiecesOf: size, limits: limits)
                let how = "\(name), \(source), pieces of \(size ?? text.count)"
                guard found.events == events else {
                    Issue.record("\(how):\n\(String(decoding: found.events, as: UTF8.self))")
                    break
                }
                #expect((found.issue != nil) == isRefused, "\(how): \(String(describing: found.issue))")
                if let kind = Self.differences[name]?.kind { #expect(found.issue?.kind == kind, "\(how)") }
            }
        }
    }

    /// 1,024 arrays in one another are beyond the default limit.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the deepest case is refused by default`(_ source: JSONModelDecoder.Source) throws {
        let text = try TestData.suites.bytes("yajl-cases/deep_arrays.json")
        let found = EventRecorder.events(of: text, from: source, inPiecesOf: 7)
        #expect(found.issue?.kind == .limitExceeded(.depth, limit: 512))
        #expect(found.events == Array(String(repeating: "array open '['\n", count: 512).utf8))
    }

    private func firstLines(_ count: Int, of text: [UInt8]) -> [UInt8] {
        var lines = 0
        return Array(
            text.prefix { byte in
                if lines == count { return false }
                if byte == UInt8(ascii: "\n") { lines += 1 }
                return true
            })
    }
}
