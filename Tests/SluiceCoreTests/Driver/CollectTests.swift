import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// All issues of a document in one pass, in the order of the text.
@Suite(.tags(.errors)) struct CollectTests {
    struct Part: JSONModel, Equatable {
        let id: Int
        let name: String
        let tags: [String]?
        static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(\.name), JSONField(\.tags))
    }

    struct Model: JSONModel, Equatable {
        let number: Int
        let flag: Bool
        let part: Part
        let parts: [Part]
        let byName: [String: Part]
        let byNumber: [Int: Bool]
        let deep: Int
        static let plan = ModelPlan<Model>([
            JSONField(\.number), JSONField(\.flag), JSONField(\.part), JSONField(\.parts),
            JSONField(\.byName, key: "by_name"), JSONField(\.byNumber, key: "by_number"),
            JSONField(\.deep, key: "way.to.it"),
        ])
    }

    private static let bad = #"""
        {"number":"x","flag":null,
         "part":{"id":1.5,"tags":["a",1,"b",{}]},
         "parts":[{"id":1,"name":"a"},{"name":[{"x":1}]},7,[[]],{"id":2,"name":"b","tags":{"a":[]}}],
         "by_name":{"a":{"id":1,"name":"a"},"b":{},"c":"x"},
         "by_number":{"1":true,"x":[{}],"2":"no"},
         "way":{"to":[1]}}
        """#

    private static let expected = [
        "number: an integer, not a string", "flag: null", "part.id: 1.5", "part.tags[1]: a string, not a number",
        "part.tags[3]: a string, not an object", "part: lacks name", "parts[1].name: a string, not an array",
        "parts[1]: lacks id", "parts[2]: an object, not a number", "parts[3]: an object, not an array",
        "parts[4].tags: an array, not an object", "by_name.b: lacks id, name", "by_name.c: an object, not a string",
        "by_number.x: no key x", "by_number.2: a boolean, not a string", "way.to: an object, not an array",
    ]

    @Test func `every issue is collected in the order of the input`() throws {
        let issues = try refusals(Model.self, Self.bad, with: .collecting)
        #expect(issues.brief == Self.expected)
        #expect(issues.map(\.location.offset) == issues.map(\.location.offset).sorted())
        #expect(issues[3].location.line == 2)
    }

    @Test func `the limit ends the collection`() throws {
        for limit in 1...Self.expected.count {
            let decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: limit) }
            #expect(try refusals(Model.self, Self.bad, with: decoder).brief == Array(Self.expected.prefix(limit)))
        }
        #expect(try refusals(Model.self, Self.bad).brief == [Self.expected[0]])
    }

    @Test func `missing keys are reported once per object`() throws {
        let issues = try refusals(
            Model.self, #"{"number":[],"part":{"id":[]},"parts":[],"by_name":{}}"#, with: .collecting)
        #expect(
            issues.brief == [
                "number: an integer, not an array", "part.id: an integer, not an array", "part: lacks name",
                "$: lacks flag, by_number, way.to.it",
            ])
    }

    @Test func `a syntax error ends the collection`() throws {
        let issues = try refusals(Model.self, #"{"number":"x","flag":1,"part":{]}"#, with: .collecting)
        #expect(issues.count == 3)
        #expect(issues[2].kind == .syntax("']' does not close an object"))
        let cut = try refusals([Int].self, #"["x",1,"#, with: .collecting)
        #expect(cut.map(\.kind).last == .unexpectedEnd)
        #expect(cut.count == 2)
        #expect(try refusals([Int].self, #"["x"]x"#, with: .collecting).map(\.kind).last == .trailingContent)
    }

    @Test func `duplicate and unknown keys are collected`() throws {
        var decoder = JSONModelDecoder.collecting
        decoder.duplicateKeys = .reject
        decoder.unknownKeys = .reject
        let issues = try refusals(
            Model.self, #"{"a":[1],"number":1,"number":2,"b":{"c":1},"by_name":{"x":5,"x":{"y":6}},"flag":true}"#,
            with: decoder)
        #expect(
            issues.brief == [
                "a: unknown a", "number: twice number", "b: unknown b", "by_name.x: an object, not a number",
                "by_name.x: twice x", "$: lacks part, parts, by_number, way.to.it",
            ])
    }

    @Test func `valid input decodes as without collection`() throws {
        let text = #"{"id":1,"name":"n","tags":[]}"#
        #expect(try decode(Part.self, text, with: .collecting) == Part(id: 1, name: "n", tags: []))
    }

    @Test func `issues of the root value are collected`() throws {
        #expect(
            try refusals(Int.self, #"{"a":[1,{}]}"#, with: .collecting).brief == ["$: an integer, not an object"])
        #expect(try refusals(Part.self, "null", with: .collecting).brief == ["$: null"])
        #expect(try refusals([Int].self, "{} x", with: .collecting).count == 2)
    }

    // MARK: Streams

    private func stream(_ text: String, _ limit: Int = .max) throws -> (ids: [Int], issues: [JSONIssue]) {
        var outcomes: [(ids: [Int], issues: [JSONIssue])] = []
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder.with { $0.errorPolicy = .collect(limit: limit) }
            decoder.source = source
            var ids: [Int] = []
            let error = #expect(throws: JSONModelError.self) {
                try decoder.forEach(Part.self, in: text, at: "items[*]") { ids.append($0.id) }
            }
            outcomes.append((ids, try #require(error).issues))
        }
        #expect(outcomes.allSatisfy { $0.ids == outcomes[0].ids })
        #expect(outcomes.allSatisfy { $0.issues.map { "\($0)" } == outcomes[0].issues.map { "\($0)" } })
        return outcomes[0]
    }

    @Test func `a stream delivers the valid elements and collects the issues of the others`() throws {
        let text = #"""
            {"items":[{"id":1,"name":"a"},{"id":"x","name":"b"},{"id":3},5,{"id":4,"name":"d"},null,
             {"id":6,"name":"f","tags":[1,2]},{"id":7,"name":"g"}],"items":{"x":1}}
            """#
        let (ids, issues) = try stream(text)
        #expect(ids == [1, 4, 7])
        #expect(
            issues.brief == [
                "items[1].id: an integer, not a string", "items[2]: lacks name",
                "items[3]: an object, not a number", "items[5]: null", "items[6].tags[0]: a string, not a number",
                "items[6].tags[1]: a string, not a number", "items: an array, not an object",
            ])
        let limited = try stream(text, 2)
        #expect(limited.ids == [1])
        #expect(limited.issues.count == 2)
    }

    // MARK: What could be made

    @Test func `decodePartially returns the valid parts and the issues`() throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            let list = try decoder.decodePartially([Part].self, from: Self.bad, at: "parts")
            #expect(list.value == [Part(id: 1, name: "a", tags: nil)])
            #expect(list.issues.count == 5)
            let map = try decoder.decodePartially([Int: Bool].self, from: Self.bad, at: "by_number")
            #expect(map.value == [1: true])
            let model = try decoder.decodePartially(Model.self, from: Self.bad)
            #expect(model.value == nil)
            #expect(model.issues.brief == Self.expected)
            let good = try decoder.decodePartially(Part.self, from: #"{"id":1,"name":"n"}"#)
            #expect(good.value == Part(id: 1, name: "n", tags: nil))
            #expect(good.issues.isEmpty)
            #expect(try decoder.decodePartially(Set<Int>.self, from: #"[1,"x",2]"#).value == [1, 2])
            #expect(try decoder.decodePartially([[Int]].self, from: "[[1,[]],{}]").value == [[1]])
            #expect(try decoder.decodePartially(Int.self, from: "[]").value == nil)
            decoder.errorPolicy = .collect(limit: 2)
            #expect(try decoder.decodePartially([Int].self, from: #"["a","b","c"]"#).issues.count == 2)
            let cut = try decoder.decodePartially([Int].self, from: #"["a",1,"#)
            #expect(cut.value == [1])
            #expect(cut.issues.map(\.kind).last == .unexpectedEnd)
            let missing = #expect(throws: JSONModelError.self) {
                try decoder.decodePartially([Int].self, from: "{}", at: "a")
            }
            #expect(missing?.issues[0].kind == .pathNotFound("a"))
        }
    }

    // MARK: Elements of streams of which a part failed

    @Test(arguments: [#"{"id":"x","unknown":[1]}"#, #"{"id":"x","name":"n"}"#, #"{"name":"n","id":"x"}"#])
    func `an element of which a part failed is not delivered after an ignored key`(_ element: String) {
        struct Item: JSONModel {
            let id: Int
            var name: String? = nil
            static let plan = ModelPlan<Item>(JSONField(\.id), JSONField(\.name))
        }
        for only in [nil, ["id"]] as [[JSONPath]?] {
            var decoder = JSONModelDecoder.collecting
            decoder.only = only
            for feed in Feed.all() {
                var ids: [Int] = []
                let input = Array("[{\"id\":1},\(element),{\"id\":2}]".utf8)
                let error = #expect(throws: JSONModelError.self) {
                    try feed.applied(to: decoder).forEach(Item.self, in: .chunks(input.pieces(of: feed.size ?? 99)))
                    { ids.append($0.id) }
                }
                #expect(ids == [1, 2], "\(feed)")
                #expect(error?.issues.brief == ["[1].id: an integer, not a string"], "\(feed)")
            }
        }
    }

    @Test func `an element of which a part failed is not delivered after a key of a path or without a value`() {
        struct Part: JSONModel, Equatable {
            let id: Int
            var note = 0
            var deep: Int?
            static let plan = ModelPlan<Part>(
                JSONField(\.id), JSONField(\.note, default: 0).ignored(.decoding), JSONField(\.deep, key: "way.to"))
        }
        for feed in Feed.all() {
            var elements: [[Part]] = []
            let input = Array(
                #"[[{"id":"x"},{"id":1,"way":{"to":2}}],[{"id":"x"},{"id":1,"note":2}],[{"id":3}]]"#.utf8)
            #expect(throws: JSONModelError.self) {
                try feed.applied(to: .collecting).forEach(
                    [Part].self, in: .chunks(input.pieces(of: feed.size ?? 99))
                ) { elements.append($0) }
            }
            #expect(elements == [[Part(id: 3)]], "\(feed)")
        }
    }
}
