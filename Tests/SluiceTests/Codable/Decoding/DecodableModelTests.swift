import Foundation
import Sluice
import Testing

/// A model with a plan that reads other keys than the type's own coding.
private struct Planned: JSONModel, Codable, Equatable {
    let id: Int
    var tags: [String] = []
    var raw: JSONRaw?
    static let plan = ModelPlan<Planned> {
        JSONField(\.id, key: "identifier")
        JSONField(\.tags, key: "labels[*].text", default: [])
        JSONField(\.raw, key: "raw")
    }

    enum CodingKeys: CodingKey { case id }

    init(id: Int, tags: [String] = [], raw: JSONRaw? = nil) { (self.id, self.tags, self.raw) = (id, tags, raw) }
    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
    }
}

private struct Wrapper: Decodable, Equatable {
    let planned: Planned
    let list: [Planned]
    let byName: [String: Planned]
    let other: Planned?
}

/// A type that only `Codable` describes.
private struct Plain: Codable, Equatable {
    var value: Int
    var unit: String?
}

private struct Mixed: JSONModel, Equatable {
    let name: String
    let plain: Plain
    let optional: Plain?
    let list: [Plain]
    let date: Date
    var fallback = Plain(value: 7)
    static let plan = ModelPlan<Mixed> {
        JSONField(\.name)
        JSONField(\.plain)
        JSONField(\.optional)
        JSONField(\.list)
        JSONField(\.date)
        JSONField(\.fallback, default: Plain(value: 7))
    }
}

@Suite struct DecodableModelTests {
    private static let planned =
        #"{"identifier": 3, "labels": [{"text": "a"}, {"text": "b"}], "raw": {"x": [1, null, "é\n"]}}"#

    @Test func `a model inside of a Decodable type is decoded by its plan`() throws {
        let text = #"{"planned": \#(Self.planned), "list": [\#(Self.planned)], "byName": {"k": \#(Self.planned)}}"#
        let value = Planned(id: 3, tags: ["a", "b"], raw: try JSONRaw(#"{"x":[1,null,"é\n"]}"#))
        let expected = Wrapper(planned: value, list: [value], byName: ["k": value], other: nil)
        #expect(try SluiceJSONDecoder().decode(Wrapper.self, from: text) == expected)
        #expect(try JSONModelDecoder().decode(Wrapper.self, from: text) == expected)
        #expect(try SluiceJSONDecoder().decode(Planned.self, from: Self.planned).tags == ["a", "b"])
        #expect(try SluiceJSONDecoder().decode([Planned].self, from: "[\(Self.planned)]").map(\.id) == [3])
    }

    @Test func `an error of a plan is a DecodingError with its path`() throws {
        let text =
            #"{"planned": {"identifier": 3, "labels": [{"text": "a"}, {"text": 2}]}, "list": [], "byName": {}}"#
        let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(Wrapper.self, from: text) }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["planned", "labels", "Index 1", "text"])
        let issue = try #require(context.underlyingError as? JSONModelError).issues[0]
        #expect(issue.location.offset == 65)
    }

    @Test(arguments: ["Infinity", "-Infinity", "NaN"])
    func `a number that JSON lacks is an error inside of a model`(number: String) throws {
        let decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = true
        let text = "{planned: {identifier: 3, labels: [], raw: {a: [], x: [{}, \(number)]}}, list: [], byName: {}}"
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Wrapper.self, from: text) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["planned", "raw", "x", "Index 1"])
        let issue = try #require(context.underlyingError as? JSONModelError).issues[0]
        #expect(issue.path == "planned.raw.x[1]")
        let start = try #require(text.firstRange(of: number)).lowerBound
        #expect(issue.location.offset == text.utf8.distance(from: text.startIndex, to: start))
        // Such a number was a string of its description.
        struct Named: JSONModel, Codable {
            let name: String
            static let plan = ModelPlan<Named>(JSONField(\.name))
        }
        #expect(throws: DecodingError.self) { try decoder.decode(Named.self, from: "{name: \(number)}") }
        #expect(throws: DecodingError.self) { try decoder.decode([Named].self, from: "[{name: \(number)}]") }
        #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: "[\(number)]") }
        // The next input has no such number.
        #expect(try decoder.decode([Named].self, from: "[{name: 'n'}]").map(\.name) == ["n"])
        #expect(try decoder.decode([Double].self, from: "[\(number)]").count == 1)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a field without a plan is decoded by its initializer`(source: JSONModelDecoder.Source) throws {
        var decoder = JSONModelDecoder()
        decoder.source = source
        let text = #"{"name": "n", "plain": {"value": 1, "unit": "kg"}, "list": [{"value": 2}], "date": 86400}"#
        let mixed = try decoder.decode(Mixed.self, from: text)
        #expect(mixed.plain == Plain(value: 1, unit: "kg"))
        #expect(mixed.optional == nil)
        #expect(mixed.list == [Plain(value: 2)])
        #expect(mixed.date == Date(timeIntervalSince1970: 86400))
        #expect(mixed.fallback == Plain(value: 7))
        let withNull = text.replacing(#""list""#, with: #""optional": null, "list""#)
        #expect(try decoder.decode(Mixed.self, from: withNull) == mixed)
        let written = try JSONModelEncoder().encode(mixed)
        #expect(try decoder.decode(Mixed.self, from: written) == mixed)
    }

    @Test func `raw values and their containers keep the shapes of raw values`() throws {
        enum Level: String, Codable { case low, high }
        struct Levels: JSONModel, Equatable {
            let one: Level
            let optional: Level?
            let list: [Level]
            var fallback = Level.low
            static let plan = ModelPlan<Levels> {
                JSONField(\.one)
                JSONField(\.optional)
                JSONField(\.list)
                JSONField(\.fallback, default: .low)
            }
        }
        let levels = try JSONModelDecoder().decode(Levels.self, from: #"{"one": "high", "list": ["low", "high"]}"#)
        #expect(levels == Levels(one: .high, optional: nil, list: [.low, .high]))
        let error = try #require(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Levels.self, from: #"{"one": "middle", "list": []}"#)
        }
        // The initializer of the type would give another error.
        #expect(error.description.contains("one of the values of Level"))
    }

    @Test func `an issue that is reported inside of a Decodable type has the whole path`() throws {
        struct Tagged: JSONModel, Decodable {
            let tags: [Int]
            static let plan = ModelPlan<Tagged>(JSONField(\.tags).lossy())
        }
        struct Holder: Decodable { let inner: [Tagged] }
        final class Log: @unchecked Sendable { var paths: [JSONPath] = [] }
        let log = Log()
        var decoder = JSONModelDecoder()
        decoder.issueHandler = { log.paths.append($0.path) }
        let holder = try decoder.decode(
            Holder.self, from: #"{"inner": [{"tags": ["x"]}, {"tags": [1, "x", true]}]}"#)
        #expect(holder.inner.map(\.tags) == [[], [1]])
        #expect(log.paths == ["inner[0].tags[0]", "inner[1].tags[1]", "inner[1].tags[2]"])
    }

    @Test func `an error of a hook inside of a Decodable type is the underlying error`() throws {
        struct Refused: Error, Equatable {}
        struct Checked: JSONModel, JSONHooks, Decodable {
            let id: Int
            static let plan = ModelPlan<Checked>(JSONField(\.id))
            func validate() throws { throw Refused() }
        }
        struct Holder: Decodable { let inner: Checked }
        struct Top: JSONModel {
            let holder: Holder
            static let plan = ModelPlan<Top>(JSONField(\.holder))
        }
        let text = #"{"inner": {"id": 1}}"#
        let errors = [
            #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Holder.self, from: text) },
            #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode(Top.self, from: #"{"holder": \#(text)}"#)
            },
        ]
        for error in errors {
            let issue = try #require(error?.issues.first)
            #expect(issue.kind == .thrown)
            #expect(issue.path.components.last == .key("inner"))
            #expect(issue.underlying is Refused)
        }
        // As in Foundation, the error has the coding path.
        let error = #expect(throws: DecodingError.self) { try SluiceJSONDecoder().decode(Holder.self, from: text) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["inner"])
        #expect(context.underlyingError is JSONModelError)
    }

    @Test func `each error of an initializer has the location of its value`() {
        struct Refused: Error {}
        struct Refusing: Decodable {
            enum Keys: CodingKey { case id }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                if try container.decode(Bool.self, forKey: .id) { throw Refused() }
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [Keys.id], debugDescription: "refused", underlyingError: Refused()))
            }
        }
        func issue(_ input: some JSONInput) -> JSONIssue? {
            #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Refusing.self, from: input) }?
                .issues.first
        }
        let thrown = "\n {\"id\": true}"
        for issue in [issue(thrown), issue(.chunks(thrown.utf8.map { [$0] }))] {
            #expect(issue?.kind == .thrown)
            #expect(issue?.path.components.isEmpty == true)
            #expect(issue?.location == JSONLocation(offset: 2, line: 2, column: 2))
            #expect(issue?.underlying is Refused)
        }
        let corrupted = "\n {\"id\": false}"
        for issue in [issue(corrupted), issue(.chunks(corrupted.utf8.map { [$0] }))] {
            #expect(issue?.kind == .invalidValue(expected: "a value", reason: "refused"))
            #expect(issue?.path == "id")
            #expect(issue?.location == JSONLocation(offset: 9, line: 2, column: 9))
            #expect(issue?.underlying is DecodingError)
        }
        for value: JSONValue in [["id": true], ["id": false], ["id": "x"]] {
            #expect(issue(value)?.location.line == 0)
        }
    }

    /// A value that is made from JSON in a string, by a decoder of its own.
    private struct Nested: Decodable {
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            do { _ = try JSONModelDecoder().decode([Int].self, from: text) } catch {
                if text.first == "[" { throw error }
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "refused", underlyingError: error)
                throw DecodingError.dataCorrupted(context)
            }
        }
    }

    @Test func `an error of another decoder is an error of the initializer`() throws {
        func issues(_ json: String) throws -> [JSONIssue] {
            var issues: [JSONIssue] = []
            let texts: [(String, JSONPath)] = [("\n \(json)", JSONPath()), ("{\n\"a\":\(json)}", "a")]
            for (text, path) in texts {
                for chunks in [[Array(text.utf8)], text.utf8.map { [$0] }] {
                    let error = #expect(throws: JSONModelError.self) {
                        try JSONModelDecoder().decode(Nested.self, from: .chunks(chunks), at: path)
                    }
                    issues += try #require(error).issues
                }
                let error = #expect(throws: JSONModelError.self) {
                    try JSONModelDecoder().decode(Nested.self, from: text, at: path)
                }
                issues += try #require(error).issues
            }
            #expect(issues.map(\.path) == [JSONPath(), JSONPath(), JSONPath(), "a", "a", "a"])
            #expect(issues.map(\.location.line) == [2, 2, 2, 2, 2, 2])
            #expect(issues.map(\.location.column) == [2, 2, 2, 5, 5, 5])
            return issues
        }
        for issue in try issues(#""[1, true]""#) {
            #expect(issue.kind == .thrown)
            #expect((issue.underlying as? JSONModelError)?.issues.first?.path == "[1]")
        }
        for issue in try issues(#""{}""#) {
            #expect(issue.kind == .invalidValue(expected: "a value", reason: "refused"))
            #expect(issue.underlying is DecodingError)
        }
    }

    @Test func `an error of the client's code stays the same in each verb`() {
        let decoder = SluiceJSONDecoder()
        func errors(_ json: String) -> [any Error] {
            var errors: [any Error] = []
            do { _ = try decoder.decode(Nested.self, from: json) } catch { errors.append(error) }
            do { _ = try decoder.decode(Nested.self, from: #"{"a": \#(json)}"#, at: "a") } catch {
                errors.append(error)
            }
            #expect(errors.count == 2)
            return errors
        }
        for error in errors(#""[1, true]""#) {
            #expect((error as? JSONModelError)?.issues.first?.path == "[1]")
        }
        for error in errors(#""{}""#) {
            guard case DecodingError.dataCorrupted(let context) = error else {
                Issue.record("another error: \(error)")
                continue
            }
            #expect(context.debugDescription == "refused")
            #expect((context.underlyingError as? JSONModelError)?.issues.first?.path == JSONPath())
        }
    }

    @Test func `a required field is reported when it is missing`() throws {
        let error = try #require(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Mixed.self, from: #"{"name": "n", "list": [], "date": 0}"#)
        }
        #expect(error.issues[0].kind == .missingKeys(["plain"]))
    }

    @Test func `a date in a Decodable type follows the strategy of the decoder of models`() throws {
        struct Event: Codable, Equatable { let at: Date }
        var decoder = JSONModelDecoder()
        #expect(
            try decoder.decode(Event.self, from: #"{"at": "1970-01-02T00:00:00Z"}"#).at
                == Date(timeIntervalSince1970: 86400))
        decoder.dateStrategy = .millisecondsSince1970
        #expect(try decoder.decode(Event.self, from: #"{"at": 1500}"#).at == Date(timeIntervalSince1970: 1.5))
    }

    @Test func `strict input stays strict in a decoder of models`() throws {
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode([Plain].self, from: #"[{"value": 1},]"#)
        }
        #expect(try SluiceJSONDecoder().decode([Plain].self, from: #"[{"value": 1},]"#) == [Plain(value: 1)])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a filter selects a value without a plan as a whole`(source: JSONModelDecoder.Source) throws {
        struct Visit: Codable, Equatable {
            let at: Date
            let planned: Planned?
        }
        struct Page: JSONModel {
            let id: Int?
            let visit: Visit?
            static let plan = ModelPlan<Page> {
                JSONField(\.id)
                JSONField(\.visit)
            }
        }
        var decoder = JSONModelDecoder()
        decoder.source = source
        decoder.only = ["visit"]
        let text = #"{"id": 1, "visit": {"at": 86400, "planned": \#(Self.planned)}}"#
        let page = try decoder.decode(Page.self, from: text)
        #expect(page.id == nil)
        #expect(page.visit?.at == Date(timeIntervalSince1970: 86400))
        #expect(page.visit?.planned?.tags == ["a", "b"])
    }

    @Test func `a filter needs a plan`() throws {
        var decoder = JSONModelDecoder()
        decoder.only = ["value"]
        let text = #"[{"value": 1}]"#
        let calls: [() throws -> Void] = [
            { _ = try decoder.decode([Plain].self, from: text) },
            { _ = try decoder.decode(Plain.self, from: text, at: "[0]") },
            { try decoder.forEach(Plain.self, in: text) { _ in } },
            { _ = try decoder.decodePartially([Plain].self, from: text) },
            {
                var value = Plain(value: 0)
                try decoder.merge(#"{"value": 1}"#, into: &value)
            },
            {
                var cursor = decoder.cursor(of: Plain.self, in: text)
                _ = try cursor.next()
            },
        ]
        for call in calls {
            let error = #expect(throws: JSONModelError.self) { try call() }
            guard case .invalidPath = error?.issues.first?.kind else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
