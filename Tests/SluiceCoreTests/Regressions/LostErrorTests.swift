import SluiceCore
import SluiceStreams
import TestSupport
import Testing

extension Regressions {
    /// Errors that were lost, or depended on the order of members.
    struct LostErrorTests {
        typealias Model = CandidateTests.Model
        typealias Either = CandidateTests.Either

        struct Holder: JSONModel {
            struct Pair: JSONModel {
                let first: Int
                let second: Int
                static let plan = ModelPlan<Pair>(JSONField(\.first), JSONField(\.second))
            }
            let lazy: JSONLazy<Pair>
            static let plan = ModelPlan<Holder>(JSONField(\.lazy))
        }

        @Test func `a lazy value of a partial value has the error policy of the decoder`() throws {
            let text = #"{"lazy":{"first":"a","second":"b"}}"#
            let partial = try #require(try JSONModelDecoder().decodePartially(Holder.self, from: text).value)
            let first = #expect(throws: JSONModelError.self) { try partial.lazy.value }
            #expect(first?.issues.count == 1)
            var decoder = JSONModelDecoder()
            decoder.errorPolicy = .collect(limit: 10)
            let collected = try #require(try decoder.decodePartially(Holder.self, from: text).value)
            let all = #expect(throws: JSONModelError.self) { try collected.lazy.value }
            #expect(all?.issues.count == 2)
        }

        // MARK: In a replay

        private static let elements = #"[{"id":1,"t":"a"},{"new":5,"id":"bad","t":"a"},{"id":3,"t":"a"}]"#

        private func streamed(
            _ text: String, _ change: (inout JSONModelDecoder) -> Void
        ) -> [(ids: [Int], error: JSONModelError?, reported: [JSONIssue])] {
            JSONModelDecoder.Source.allCases.map { source in
                var decoder = JSONModelDecoder.with(change)
                let log = IssueLog()
                decoder.source = source
                decoder.issueHandler = { log.add($0) }
                var ids: [Int] = []
                do throws(JSONModelError) {
                    try decoder.forEach(Event.self, in: text) { ids.append($0.id) }
                    return (ids, nil, log.issues)
                } catch {
                    return (ids, error, log.issues)
                }
            }
        }

        @Test func `an element that fails in a replay after a report ends the stream with its error`() {
            for (ids, error, reported) in streamed(Self.elements, { $0.unknownKeys = .report }) {
                #expect(ids == [1])
                #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
                #expect(error?.issues.first?.location.offset == 32)
                #expect(reported.brief == ["[1].new: unknown new"])
            }
        }

        @Test func `elements after a collected failure in a replay are delivered`() {
            let collecting = streamed(Self.elements) {
                $0.unknownKeys = .report
                $0.errorPolicy = .collect(limit: 10)
            }
            for (ids, error, reported) in collecting {
                #expect(ids == [1, 3])
                #expect(error?.issues.brief == ["[1].id: an integer, not a string"])
                #expect(reported.brief == ["[1].new: unknown new"])
            }
        }

        @Test func `a lossy value in a replay does not hide a later failure`() throws {
            let text = #"{"xs":["x"],"id":"bad","t":"a"}"# + String(repeating: "\n", count: 500)
            for source in JSONModelDecoder.Source.allCases {
                for size in [1, 7, 200, 1_000] {
                    var decoder = JSONModelDecoder()
                    decoder.source = source
                    let bytes = Array(text.utf8)
                    let pieces = bytes.pieces(of: size)
                    let error = #expect(throws: JSONModelError.self) {
                        try decoder.decode(Event.self, from: .chunks(pieces))
                    }
                    #expect(error?.issues.brief == ["id: an integer, not a string"])
                    #expect(error?.issues.first?.location.offset == 17)
                }
            }
        }

        @Test func `a failure of the parts is not reported as a failure of the whole`() throws {
            let issues = try refusals(StrictParts.self, #"{"items":[false]}"#, with: .collecting)
            #expect(issues.brief == ["items[0]: an object, not a boolean"])
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                let partial = try decoder.decodePartially([StrictParts].self, from: #"[{"items":[false]}]"#)
                #expect(partial.value == [])
                #expect(partial.issues.brief == ["[0].items[0]: an object, not a boolean"])
            }
        }

        @Test func `lossy gathering drops an element that is not an object`() throws {
            let (value, issues) = try reported(LossyParts.self, #"{"items":[{"id":1},false,{"id":"x"},{"id":2}]}"#)
            #expect(value == LossyParts(items: [.init(id: 1), .init(id: 2)], ids: [1, 2]))
            #expect(
                issues.brief == [
                    "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
                    "items[1]: an object, not a boolean", "items[2].id: an integer, not a string",
                ])
            let collected = try decode(LossyParts.self, #"{"items":[false]}"#, with: .collecting)
            #expect(collected == LossyParts(items: [], ids: []))
        }

        // MARK: In candidates and enums

        @Test func `a later candidate fails if no earlier candidate is present`() throws {
            for text in [
                #"{"late":"no number"}"#, #"{"late":"no number","early":null}"#, #"{"late":"no number"    }"#,
                #"{ "early":null,"late":"no number"}"#,
            ] {
                let issue = try refusal(Either<Int>.self, text)
                #expect(issue.kind == .typeMismatch(expected: "an integer", found: "a string"))
                #expect(issue.path == "late")
                #expect(text.utf8.dropFirst(issue.location.offset).starts(with: #""no number""#.utf8))
                #expect(try refusal(Either<Int?>.self, text).location.offset == issue.location.offset)
            }
            // Of two that fail, the earlier is at fault.
            let both = try refusal(Model.self, #"{"c":{"d":3},"b":2}"#)
            #expect(both.path == "b")
            #expect(try refusal(Model.self, #"{"b":2,"c":{"d":"3"}}"#).path == "b")
            #expect(try refusal(Model.self, #"{"c":{"d":"3"},"b":2}"#).path == "b")
        }

        @Test func `the driver recovers from a later candidate that fails`() throws {
            let lossy = #"{"list":[{"late":"x"},{"late":"x","early":1},{"late":2}]}"#
            #expect(try decode(LossyList.self, lossy).list.map(\.value) == [1, 2])
            var decoder = JSONModelDecoder()
            decoder.errorPolicy = .collect(limit: .max)
            let text = #"{"c":{"d":3},"z":[0,"x"],"l":"y"}"#
            let error = #expect(throws: JSONModelError.self) { try decoder.decode(Model.self, from: text) }
            #expect(error?.issues.map(\.path).sorted { $0.description < $1.description } == ["c.d", "l", "z[1]"])
            let one = #"[{"b":2,"a":"x"},{"b":2},{"a":"y"}]"#
            let partial = try decoder.decodePartially([Model].self, from: one)
            #expect(partial.value?.map(\.required) == ["x", "y"])
            #expect(partial.issues.map(\.path) == ["[1].b"])
            // A field that failed is not missing; another may be.
            let missing = #expect(throws: JSONModelError.self) {
                try decoder.decode(Pair.self, from: #"{"late":"x"}"#)
            }
            #expect(missing?.issues.map(\.path) == ["late", "$"])
            #expect(missing?.issues.last?.kind == .missingKeys(["other"]))
        }

        struct LossyList: JSONModel, Equatable {
            let list: [Either<Int>]
            static let plan = ModelPlan<LossyList>(JSONField(\.list, key: "list").lossy())
        }

        struct Pair: JSONModel, Equatable {
            let value: Int
            let other: Int
            static let plan = ModelPlan<Pair>([
                JSONField(\.value, key: "early", or: "late"), JSONField(\.other, key: "other"),
            ])
        }

        /// A list that drops what fails.
        struct Kept<Element: JSONConvertible & Equatable>: JSONModel, Equatable {
            let list: [Element]
            static var plan: ModelPlan<Kept> { .shared { ModelPlan(JSONField(\.list, key: "list").lossy()) } }
        }

        enum Named: JSONEnum, Equatable {
            case point
            case other(String)

            static let plan = ModelPlan<Named>(
                cases: [
                    JSONCase("point", value: .point, matches: { $0 == .point }),
                    JSONCase(
                        "other", payload: String.self, make: { .other($0) },
                        read: { if case .other(let value) = $0 { value } else { nil } }),
                ], tagging: .external, fallback: "other")
        }

        @Test func `keys other than the external tag are ignored`() throws {
            typealias S = UnionTests.Shape<UnionTests.External>
            for text in [
                #"{"new":[1],"point":null,"x":{}}"#, #"{"point":null,"new":1}"#, #"{"oval":{},"point":1}"#,
            ] {
                #expect(try decode(S.self, text) == .point)
                #expect(try decode(Named.self, text) == .point)
            }
            // The only unknown name is the unknown case. Of two, none comes first.
            #expect(try decode(Named.self, #"{"oval":{"point":1}}"#) == .other("oval"))
            #expect(try refusal(Named.self, #"{"oval":{"point":1},"new":1}"#).description.contains("oval and new"))
            let issue = try refusal(S.self, #"{"oval":{},"new":1}"#)
            #expect(issue.location.offset == 1)
            #expect(issue.description.contains(#""oval" is not one of its cases"#))
            #expect(try decode(Kept<S>.self, #"{"list":[{"oval":{}},{"new":1,"point":1}]}"#).list == [.point])
            // The name of the fallback is an unknown name, too.
            #expect(try decode(Named.self, #"{"other":"a","point":1}"#) == .point)
            #expect(try decode(Named.self, #"{"point":1,"other":"a"}"#) == .point)
            #expect(try decode(Named.self, #"{"other":"a"}"#) == .other("other"))
        }

        /// An enum whose payload lacks the part that failed is not made.
        @Test func `a payload with an issue is dropped from a partial array`() throws {
            enum Loose: JSONEnum, Equatable {
                case known(Int)
                case other(JSONValue)
                static let plan = ModelPlan<Loose>(
                    cases: [
                        JSONCase(
                            "known", payload: Int.self, make: { .known($0) },
                            read: { if case .known(let value) = $0 { value } else { nil } }),
                        JSONCase(
                            "other", payload: JSONValue.self, make: { .other($0) },
                            read: { if case .other(let value) = $0 { value } else { nil } }),
                    ], tagging: .adjacent(tag: "t", content: "c"), fallback: "other")
            }
            var decoder = JSONModelDecoder()
            decoder.duplicateKeys = .reject
            let partial = try decoder.decodePartially(
                [Loose].self, from: #"[{"a":1,"a":2},{"t":"known","c":1},{"b":{"x":1,"x":1}},{"b":1}]"#)
            #expect(partial.value == [.known(1), .other(["b": 1])])
            #expect(partial.issues.map(\.path) == ["[0].a", "[2].b.x"])
        }

        // MARK: In a path

        /// A stream of nothing is an error where the path leads nowhere.
        @Test func `streaming a missing path is an error with a hint`() throws {
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder()
                decoder.source = source
                func count(_ path: String, _ text: String) throws -> Int {
                    try decoder.forEach(JSONValue.self, in: text, at: JSONPath(parsing: path)) { _ in }
                }
                let error = #expect(throws: JSONModelError.self) {
                    try count("itmes[*]", #"{"x":1,"items":[1,2]}"#)
                }
                #expect(error?.issues[0].kind == .pathNotFound("itmes[*]"))
                #expect(error?.issues[0].hint == #""items" is similar to "itmes""#)
                #expect(throws: JSONModelError.self) { try count("items[*].x", "{}") }
                #expect(try count("items[*]", #"{"items":[]}"#) == 0)
                #expect(try count("items[*]", #"{"items":null}"#) == 0)
                #expect(try count("items[*].x", #"{"items":[{}]}"#) == 0)
                #expect(try count("items.rows[*]", #"{"items":{}}"#) == 0)
                #expect(try count("[*]", "[]") == 0)
                #expect(try count("items[*]", #"{"items":[1,2]}"#) == 2)
                let one = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Int.self, from: #"{"totl":1}"#, at: "total")
                }
                #expect(one?.issues[0].hint == #""totl" is similar to "total""#)
                let pointer = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Int.self, from: #"{"data":{"items":[1]}}"#, at: "/data/items/0")
                }
                #expect(pointer?.issues[0].hint == "write a path as data.items[0], not as a JSON Pointer")
            }
        }
    }
}
