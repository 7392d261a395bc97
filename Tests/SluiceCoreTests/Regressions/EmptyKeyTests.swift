import SluiceCore
import SluiceStreams
import TestSupport
import Testing

extension Regressions {
    /// The empty key in paths: of properties, of calls, of options and of errors.
    struct EmptyKeyTests {
        private struct Lock: JSONModel, Equatable {
            var version: String
            var first: Int?
            var all: [Int]

            static let plan = ModelPlan<Lock>(
                JSONField(\.version, key: #"packages[""].version"#),
                JSONField(\.first, key: #"[""]"#),
                JSONField(\.all, key: "lists[*]['']", default: []))
        }

        private let text =
            #"{"packages":{"":{"version":"1.0"},"a":{"version":"2.0"}},"":7,"lists":[{"":1},{"":2}]}"#

        @Test func `properties have empty keys`() throws {
            let lock = try decode(Lock.self, text)
            #expect(lock == Lock(version: "1.0", first: 7, all: [1, 2]))
            let written = try JSONModelEncoder().encode(lock, as: .string)
            #expect(written == #"{"packages":{"":{"version":"1.0"}},"":7,"lists":[{"":1},{"":2}]}"#)
            #expect(try decode(Lock.self, written) == lock)
        }

        @Test func `calls and options take empty keys`() throws {
            #expect(try decode(String.self, text, at: #"packages[""].version"#) == "1.0")
            #expect(try decode(Int.self, text, at: #"$[""]"#) == 7)
            var decoder = JSONModelDecoder()
            var elements: [Int] = []
            try decoder.forEach(Int.self, in: text, at: #"lists[*][""]"#) { elements.append($0) }
            #expect(elements == [1, 2])
            decoder.only = [#"packages[""].version"#, #"[""]"#]
            #expect(try decode(Lock.self, text, with: decoder) == Lock(version: "1.0", first: 7, all: []))
            var encoder = JSONModelEncoder()
            encoder.except = [#"[""]"#, "lists"]
            let lock = Lock(version: "1", first: 2, all: [])
            #expect(try encoder.encode(lock, as: .string) == #"{"packages":{"":{"version":"1"}}}"#)
        }

        @Test(arguments: [
            (#"{"":{"a":"x"}}"#, #"[""].a"#), (#"{"":"x"}"#, #"[""]"#), (#"{"b":{"":"x"}}"#, #"b[""]"#),
            (#"{"a.b":{"":"x"}}"#, #"["a.b"][""]"#), (#"{"\n":{"*":"x"}}"#, #"["\n"]["*"]"#),
        ])
        func `errors name empty keys`(_ text: String, _ path: String) throws {
            let issue = try refusal([String: [String: Int]].self, text)
            #expect("\(issue.path)" == path)
            #expect(issue.description.contains(" at \(path)"), "\(issue)")
        }

        @Test func `a missing empty key is named`() throws {
            #expect(try "\(refusal(Lock.self, "{}").path)" == "$")
            #expect(try refusal(Lock.self, "{}").description.contains(#"packages[""].version"#))
        }
    }
}
