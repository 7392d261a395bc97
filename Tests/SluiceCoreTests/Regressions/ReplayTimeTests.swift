import TestSupport
import Testing

@testable import SluiceCore

extension Regressions {
    /// Locations in recordings were counted from the start of the recording for each replay.
    @Suite struct ReplayTimeTests {
        indirect enum Coord: JSONEnum, Equatable {
            case number(Double)
            case array([Coord])
            static let plan = ModelPlan<Coord>(
                cases: [
                    JSONCase(
                        "number", payload: Double.self, make: { .number($0) },
                        read: { if case .number(let value) = $0 { value } else { nil } }),
                    JSONCase(
                        "array", payload: [Coord].self, make: { .array($0) },
                        read: { if case .array(let value) = $0 { value } else { nil } }),
                ], tagging: .untagged)

            var count: Int { if case .array(let elements) = self { elements.count } else { 1 } }
        }

        @Test(arguments: JSONModelDecoder.Source.allCases)
        func `nested untagged values take linear time`(source: JSONModelDecoder.Source) throws {
            try expectLinearTime(upTo: 32_000) { count in
                let text = "[" + Array(repeating: "[1.5,2.5]", count: count).joined(separator: ",\n") + "]"
                let decoder = JSONModelDecoder(from: source)
                let value = try decoder.decode(Coord.self, from: Array(text.utf8))
                #expect(value.count == count)
            }
        }

        struct Row: JSONModel, Equatable {
            var id: Int
            static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"))
        }

        struct Rows: JSONModel, Equatable {
            var rows: [Embedded]
            var lazy: [Lazy] = []
            static let plan = ModelPlan<Rows>(JSONField(\.rows), JSONField(\.lazy, default: []))
        }

        struct Embedded: JSONModel, Equatable {
            var data: Row
            static let plan = ModelPlan<Embedded>(JSONField(embedded: \.data))
        }

        struct Lazy: JSONModel, Equatable {
            var first: JSONLazy<Row>
            static let plan = ModelPlan<Lazy>(JSONField(\.first))
            static func == (one: Self, other: Self) -> Bool { true }
        }

        enum Tagged: JSONEnum, Equatable {
            case rows(Rows)
            static let plan = ModelPlan<Tagged>(
                cases: [
                    JSONCase(
                        "rows", payload: Rows.self, make: { .rows($0) },
                        read: { if case .rows(let rows) = $0 { rows } else { nil } })
                ], tagging: .internal(tag: "type"))
        }

        @Test(arguments: JSONModelDecoder.Source.allCases)
        func `embedded and lazy values in an object with a late tag take linear time`(
            source: JSONModelDecoder.Source
        ) throws {
            try expectLinearTime(upTo: 16_000) { count in
                let rows = Array(repeating: #"{"data":"{\"id\":1}"}"#, count: count).joined(separator: ",\n")
                let lazy = Array(repeating: #"{"first":{"id":1}}"#, count: count).joined(separator: ",\n")
                let text = #"{"lazy":["# + lazy + #"],"rows":["# + rows + #"],"type":"rows"}"#
                guard
                    case .rows(let value) = try JSONModelDecoder(from: source).decode(
                        Tagged.self, from: Array(text.utf8))
                else {
                    return
                }
                #expect(value.rows.count == count && value.lazy.count == count)
            }
        }

        struct Loose: JSONModel, Equatable {
            var all: [Int] = []
            var first: JSONValue?
            static let plan = ModelPlan<Loose>(
                JSONField(\.all, default: []).lossy(), JSONField(\.first, key: "all[0]"))
        }

        enum Late: JSONEnum, Equatable {
            case loose(Loose)
            static let plan = ModelPlan<Late>(
                cases: [
                    JSONCase(
                        "loose", payload: Loose.self, make: { .loose($0) },
                        read: { if case .loose(let value) = $0 { value } else { nil } })
                ], tagging: .internal(tag: "type"))
        }

        @Test func `issues in a recording have their locations in any order`() throws {
            let text = "\n\n  {\"all\":[\"é\",\n\"b\",1,\n\n  \"c\"],\"type\":\"loose\"}"
            for feed in Feed.all() {
                let log = IssueLog()
                let decoder = JSONModelDecoder.with { $0.issueHandler = { log.add($0) } }
                _ = try feed.decode(Late.self, Array(text.utf8), with: decoder)
                let issues = log.issues
                #expect(
                    issues.map { "\($0.path) \($0.location)" } == [
                        "all[0] line 3, column 11, offset 12", "all[1] line 4, column 1, offset 18",
                        "all[3] line 6, column 3, offset 28",
                    ], "\(feed)")
                #expect(issues.first?.excerpt.hasPrefix("  {\"all\":[\"é\"") == true)
            }
        }
    }
}
