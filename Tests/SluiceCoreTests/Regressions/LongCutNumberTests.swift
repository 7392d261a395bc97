import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// A number beyond the limit at the end of an incomplete text had the path of the next element.
    struct LongCutNumberTests {
        @Test(arguments: JSONModelDecoder.Source.allCases)
        func `a long number at the end of a text has its own path`(_ source: JSONModelDecoder.Source) throws {
            var decoder = JSONModelDecoder(from: source)
            decoder.limits.number = 5
            let partial = try decoder.decodePartially(JSONValue.self, from: "[1,123456")
            #expect(partial.value == [1])
            #expect(partial.issues.map(\.kind) == [.limitExceeded(.number, limit: 5)])
            #expect(partial.issues.map(\.path.description) == ["[1]"])
        }
    }
}
