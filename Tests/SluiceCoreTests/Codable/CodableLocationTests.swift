import SluiceCodable
import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// The location of an error inside of a value that the type's own initializer decodes: a field of a model, an element of a
/// stream, or the value at a path.
@Suite struct CodableLocationTests {
    /// A type that only `Codable` describes.
    struct Plain: Codable, Equatable {
        let list: [Int]
        var flag: Bool?
    }

    struct Model: JSONModel, Equatable {
        let a: Int
        let c: Plain
        static let plan = ModelPlan<Model>(JSONField(\.a), JSONField(\.c))
    }

    /// A Codable type in every kind of field.
    struct Fields: JSONModel, Equatable {
        var optional: Plain?
        var fallback = Plain(list: [])
        var list: [Plain] = []
        var byName: [String: Plain] = [:]
        var deep: Plain?
        var models: [Model] = []
        var elements: [JSONCodable<Plain>] = []
        var values: [String: JSONCodable<Plain>] = [:]
        static let plan = ModelPlan<Fields>([
            JSONField(\.optional), JSONField(\.fallback, default: Plain(list: [])), JSONField(\.list, default: []),
            JSONField(\.byName, default: [:]), JSONField(\.deep, key: "way.to.it"),
            JSONField(\.models, default: []), JSONField(\.elements, default: []).lossy(),
            JSONField(\.values, default: [:]),
        ])
    }

    /// A model inside of a Codable type, which is inside of a model.
    struct Outer: JSONModel {
        let wrapper: Wrapper
        static let plan = ModelPlan<Outer>(JSONField(\.wrapper))
    }

    struct Wrapper: Decodable {
        let name: String
        let inner: [Inner]
    }

    struct Inner: JSONModel, Decodable {
        let id: Int
        var plain: Plain?
        static let plan = ModelPlan<Inner>(JSONField(\.id, key: "identifier"), JSONField(\.plain))

        init(from decoder: any Decoder) throws { throw CancellationError() }
    }

    /// An enum whose tag can come last, so that the payload is replayed.
    enum Event: JSONEnum {
        case model(Model)
        static let plan = ModelPlan<Event>(
            cases: [JSONCase("model", payload: Model.self, make: { .model($0) }, read: { _ in nil })],
            tagging: .internal(tag: "type"))
    }

    /// A text and the location that `‸` marks in it.
    struct Marked: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        let text: String
        let location: JSONLocation

        init(stringLiteral value: String) {
            let lead = value.utf8.prefix(value.firstIndex(of: "‸").map { value[..<$0].utf8.count } ?? 0)
            let newline = UInt8(ascii: "\n")
            let line = lead.reversed().prefix { $0 != newline }
            text = String(value.filter { $0 != "‸" })
            location = JSONLocation(
                offset: lead.count, line: lead.count { $0 == newline } + 1, column: line.count + 1)
        }
    }

    private static let mismatch = JSONIssue.Kind.typeMismatch(expected: "Int", found: "a string")

    /// Decodes a text in every feed, and checks the path, the location and the kind of its only issue. A kind that is nil is not checked.
    @discardableResult private func issue<T: JSONConvertible>(
        _ type: T.Type, _ marked: Marked, at path: JSONPath, _ kind: JSONIssue.Kind? = mismatch,
        with decoder: JSONModelDecoder = JSONModelDecoder(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONIssue {
        let issue = try refusal(type, marked.text, with: decoder, sourceLocation: sourceLocation)
        #expect(issue.path == path, sourceLocation: sourceLocation)
        #expect(issue.location == marked.location, sourceLocation: sourceLocation)
        if let kind { #expect(issue.kind == kind, sourceLocation: sourceLocation) }
        return issue
    }

    // MARK: Fields of models

    @Test func `a wrong value in a property`() throws {
        let marked: Marked = #"{"a":1,"c":{"list":[1,2,‸"x"]}}"#
        let issue = try issue(Model.self, marked, at: "c.list[2]")
        #expect(issue.property == "c")
    }

    @Test func `a wrong value on a line of its own`() throws {
        let marked: Marked = """
            {
              "a": 1, "é": "ü",
              "c": {
                "list": [
                  1, ‸"é" ,
                  2
                ]
              }
            }
            """
        try issue(Model.self, marked, at: "c.list[1]")
    }

    @Test func `the excerpt ends with the wrong value`() throws {
        let text = #"{"a":1,"c":{"list":[1,2,"x"]}}"#
        for source in JSONModelDecoder.Source.allCases {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder(from: source).decode(Model.self, from: text)
            }
            let caret = String(repeating: " ", count: 24) + "^"
            #expect(error?.issues[0].excerpt == #"{"a":1,"c":{"list":[1,2,"x""# + "\n" + caret)
        }
    }

    @Test(arguments: [
        (#"{"optional":{"list":[‸"x",1]}}"#, "optional.list[0]"),
        (#"{"fallback":{"list":[1,‸"x"],"flag":true}, "more":[]}"#, "fallback.list[1]"),
        (#"{"list":[{"list":[]},{"list":[1]},{"flag":null,"list":[‸"x"]},{"list":[]}]}"#, "list[2].list[0]"),
        (#"{"byName":{"k":{"list":[]},"l":{"list":[0,‸"x"]}}}"#, "byName.l.list[1]"),
        (#"{"way":{"a":[{}],"to":{"it":{"list":[‸"x"]},"b":2}}}"#, "way.to.it.list[0]"),
        (#"{"models":[{"a":1,"c":{"list":[]}},{"c":{"list":[5,‸"x"]},"a":2}]}"#, "models[1].c.list[1]"),
        (#"{"values":{"k":{"list":[1]},"l":{"list":[‸"x"]}}}"#, "values.l.list[0]"),
    ])
    func `a wrong value in every kind of field`(text: String, path: String) throws {
        let marked = Marked(stringLiteral: text)
        try issue(Fields.self, marked, at: JSONPath(stringLiteral: path))
    }

    @Test(
        arguments: [
            (#"{"a":1,"c":{"list":‸7}}"#, "c.list", .typeMismatch(expected: "Array<Any>", found: "number")),
            (#"{"a":1,"c":{"list":[1,‸null,2]}}"#, "c.list[1]", .nullValue(expected: "Int")),
            (#"{"a":1,"c":{"list":[1,‸1.5]}}"#, "c.list[1]", .notAnInteger(type: "Int", text: "1.5")),
            (
                #"{"a":1,"c":{"list":[1,‸99999999999999999999]}}"#, "c.list[1]",
                .numberOutOfRange(type: "Int", text: "99999999999999999999")
            ), (#"{"a":1,"c": ‸{"flag":true,"none":{}}}"#, "c", .missingKeys(["list"])),
        ] as [(String, JSONPath, JSONIssue.Kind)])
    func `every kind of error`(text: String, path: JSONPath, kind: JSONIssue.Kind) throws {
        let marked = Marked(stringLiteral: text)
        try issue(Model.self, marked, at: path, kind)
    }

    @Test(
        arguments: [
            (#"{"list":[1],"flag":x}"#, "flag"), (#"{"list":[1],"a":{"b":1,"c":[{"d":0,"e":2,f}]}}"#, "a.c[0]"),
            (#"{"list":[1,2,x]}"#, "list[2]"),
        ] as [(String, JSONPath)])
    func `a syntax error has the path of its value`(text: String, path: JSONPath) {
        let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Plain.self, from: text) }
        #expect(error?.issues.first?.path == path)
        // No code of a client threw the error.
        #expect(error?.issues.first?.underlying == nil)
    }

    @Test func `a field that is a scalar`() throws {
        let marked: Marked = #"{"a":1,"c": ‸"a string" }"#
        try issue(
            Model.self, marked, at: "c", .typeMismatch(expected: "Dictionary<String, Any>", found: "a string"))
    }

    @Test func `an error of the client's initializer`() throws {
        struct Even: Decodable, Equatable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if try container.decode(Int.self) % 2 == 1 {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "odd")
                }
            }
        }
        struct Numbers: JSONModel {
            let even: [[Even]]
            static let plan = ModelPlan<Numbers>(JSONField(\.even))
        }
        let marked: Marked = #"{"even":[[2,4],[6,‸7,8]]}"#
        try issue(
            Numbers.self, marked, at: "even[1][1]", .invalidValue(expected: "a value", reason: "odd"))
    }

    @Test func `a value that is missing is no null`() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                guard try container.decode(Int.self) > 0 else {
                    throw DecodingError.valueNotFound(
                        Pair.self, .init(codingPath: container.codingPath, debugDescription: "no pair"))
                }
                _ = try container.decode(Int.self)
            }
        }
        struct Pairs: JSONModel {
            let pairs: [Pair]
            static let plan = ModelPlan<Pairs>(JSONField(\.pairs))
        }
        let short: Marked = #"{"pairs":[[1,2],‸[3]]}"#
        let end = JSONIssue.Kind.invalidValue(expected: "Int", reason: "Unkeyed container is at end.")
        try issue(Pairs.self, short, at: "pairs[1][1]", end)
        let refused: Marked = #"{"pairs":[‸[0,2]]}"#
        try issue(
            Pairs.self, refused, at: "pairs[0]", .invalidValue(expected: "Pair", reason: "no pair"))
        let null: Marked = #"{"pairs":[[1,‸null]]}"#
        try issue(Pairs.self, null, at: "pairs[0][1]", .nullValue(expected: "Int"))
    }

    @Test func `a model inside of a Codable type inside of a model`() throws {
        let own: Marked = #"{"wrapper":{"name":"n","inner":[{"identifier":1},{"identifier":‸"x"}]}}"#
        try issue(Outer.self, own, at: "wrapper.inner[1].identifier", nil)
        let nested: Marked = #"{"wrapper":{"name":"n","inner":[{"identifier":1,"plain":{"list":[0,‸"x"]}}]}}"#
        try issue(Outer.self, nested, at: "wrapper.inner[0].plain.list[1]", nil)
        let wrapper: Marked = #"{"wrapper":{"inner":[{"identifier":1}],"name":‸7}}"#
        try issue(
            Outer.self, wrapper, at: "wrapper.name", .typeMismatch(expected: "String", found: "number"))
    }

    @Test(
        arguments: [
            (#"{"identifier":‸"x"}"#, "identifier", .typeMismatch(expected: "an integer", found: "a string")),
            (
                #"{"identifier":‸99999999999999999999}"#, "identifier",
                .numberOutOfRange(type: "Int", text: "99999999999999999999")
            ), (#"{"identifier":‸null}"#, "identifier", .nullValue(expected: "an integer")),
            (#"‸{"plain":null}"#, JSONPath(), .missingKeys(["identifier"])),
        ] as [(String, JSONPath, JSONIssue.Kind)])
    func `an error of such a model has its kind and its property`(
        text: String, path: JSONPath, kind: JSONIssue.Kind
    ) throws {
        let marked = Marked(stringLiteral: #"{"wrapper":{"name":"n","inner":[\#(text)]}}"#)
        var whole: JSONPath = "wrapper.inner[0]"
        whole.components += path.components
        let issue = try issue(Outer.self, marked, at: whole, kind)
        #expect(issue.model == "Inner")
        #expect(issue.property == "id")
    }

    @Test func `keys that such a model refuses`() throws {
        let decoder = JSONModelDecoder.with { ($0.duplicateKeys, $0.unknownKeys) = (.reject, .reject) }
        let unknown = #"{"wrapper":{"name":"n","inner":[{"identifier":1,"identifer":2}]}}"#
        let first = try refusal(Outer.self, unknown, with: decoder)
        #expect(first.kind == .unknownKey("identifer"))
        #expect(first.path == "wrapper.inner[0].identifer")
        #expect(first.model == "Inner")
        let repeated = #"{"wrapper":{"name":"n","inner":[{"identifier":1,"identifier":2}]}}"#
        let second = try refusal(Outer.self, repeated, with: decoder)
        #expect(second.kind == .duplicateKey("identifier"))
        #expect(second.model == "Inner")
    }

    struct ByNumber: Decodable {
        let wrappers: [Wrapper]?
        let counts: [Int: Int]?
    }

    @Test(arguments: [
        #"{"wrappers":[{"name":"n","inner":[{"identifier":1,"identifer":‸2}]}]}"#, #"{"counts":{"1":2,"x":‸3}}"#,
    ])
    func `an error of a key is located at its value`(text: String) throws {
        let marked = Marked(stringLiteral: text)
        for var decoder in JSONModelDecoder.ofEverySource {
            decoder.unknownKeys = .reject
            for piece in [1, 7, 100] {
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode(ByNumber.self, from: .chunks(Array(marked.text.utf8).pieces(of: piece)))
                }
                #expect(error?.issues.first?.location == marked.location)
            }
            let error = #expect(throws: JSONModelError.self) {
                try decoder.decode(ByNumber.self, from: marked.text)
            }
            #expect(error?.issues.first?.location == marked.location)
        }
    }

    @Test(arguments: [
        #"{"type":"model","a":1,"c":{"list":[1,‸"x"]}}"#, #"{"a":1,"c":{"list":[1,‸"x"]},"type":"model"}"#,
    ])
    func `a field of a payload, with an early and a late tag`(text: String) throws {
        let marked = Marked(stringLiteral: text)
        try issue(Event.self, marked, at: "c.list[1]")
    }

    // MARK: Several issues

    @Test func `collected errors are each at their value`() throws {
        let marked: [Marked] = [
            #"{"optional":{"list":[‸"x"]},"list":7,"byName":{"k":{"list":[1,"x"]}},"fallback":{}}"#,
            #"{"optional":{"list":["x"]},"list":‸7,"byName":{"k":{"list":[1,"x"]}},"fallback":{}}"#,
            #"{"optional":{"list":["x"]},"list":7,"byName":{"k":{"list":[1,‸"x"]}},"fallback":{}}"#,
            #"{"optional":{"list":["x"]},"list":7,"byName":{"k":{"list":[1,"x"]}},"fallback":‸{}}"#,
        ]
        let issues = try refusals(Fields.self, marked[0].text, with: .collecting)
        #expect(issues.map(\.path) == ["optional.list[0]", "list", "byName.k.list[1]", "fallback"])
        #expect(issues.map(\.location) == marked.map(\.location))
    }

    @Test func `dropped elements are reported at their value`() throws {
        let marked: [Marked] = [
            #"{"elements":[{"list":[1]},{"list":[‸"x"]},{"list":[]},{"list":[2,"x",3]}]}"#,
            #"{"elements":[{"list":[1]},{"list":["x"]},{"list":[]},{"list":[2,‸"x",3]}]}"#,
        ]
        let (value, issues) = try reported(Fields.self, marked[0].text)
        #expect(value.elements.map(\.value.list) == [[1], []])
        #expect(issues.map(\.path) == ["elements[1].list[0]", "elements[3].list[1]"])
        #expect(issues.map(\.location) == marked.map(\.location))
    }

    // MARK: Elements that are dropped or collected

    /// Containers of a type that only `Codable` describes, whose elements are decoded one by one.
    struct Elements: JSONModel, Equatable {
        struct Tag: Codable, Hashable { let id: Int }

        var list: [Plain] = []
        var byName: [String: Plain] = [:]
        var optional: [Plain]?
        var optionals: [Plain?] = []
        var lists: [[Plain]] = []
        var tags: Set<Tag> = []
        var collected: [Plain] = []
        static let plan = ModelPlan<Elements>([
            JSONField(\.list, default: []).lossy(), JSONField(\.byName, default: [:]).lossy(),
            JSONField(\.optional).lossy(), JSONField(\.optionals, default: []).lossy(),
            JSONField(\.lists, default: []).lossy(), JSONField(\.tags, default: []).lossy(),
            JSONField(\.collected, key: "rows[*].value", default: []),
        ])
    }

    @Test func `elements of a Codable type are dropped or collected one by one`() throws {
        let text = #"""
            {"list": [{"list": [1]}, {"list": ["x"]}, 7], "byName": {"a": {"list": []}, "b": 5},
             "optional": [{}, {"list": [2]}], "optionals": [null, {"list": [3]}, true],
             "lists": [[{"list": [4]}], [{"list": ["x"]}], 5], "tags": [{"id": 1}, {"id": "x"}],
             "rows": [{"value": {"list": [5]}}, {"value": {"list": [6]}}]}
            """#
        let (value, issues) = try reported(Elements.self, text)
        #expect(value.list == [Plain(list: [1])])
        #expect(value.byName == ["a": Plain(list: [])])
        #expect(value.optional == [Plain(list: [2])])
        #expect(value.optionals == [nil, Plain(list: [3])])
        #expect(value.lists == [[Plain(list: [4])]])
        #expect(value.tags == [Elements.Tag(id: 1)])
        #expect(value.collected == [Plain(list: [5]), Plain(list: [6])])
        #expect(
            issues.map(\.path) == [
                "list[1].list[0]", "list[2]", "byName.b", "optional[0]", "optionals[2]", "lists[1][0].list[0]",
                "lists[2]", "tags[1].id",
            ])
        let written = try JSONModelEncoder().encode(value)
        #expect(try JSONModelDecoder().decode(Elements.self, from: written) == value)
        #expect(try JSONModelDecoder().decode(Elements.self, from: "{}") == Elements())
    }

    @Test func `a value of a Codable type cannot be lossy`() {
        struct Single: JSONModel {
            let a: Plain
            static let plan = ModelPlan<Single>(JSONField(\.a).lossy())
        }
        let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().decode(Single.self, from: "{}") }
        #expect(
            error?.issues.first?.kind
                == .invalidPlan("'a' is decoded by the initializer of its type, and cannot be lossy"))
    }

    // MARK: Syntax

    @Test(arguments: [
        #"{"a":1,"c":{"list":[1,‸x]}}"#, #"{"a":1,"c":{"list":[1,2‸}}"#, #"{"a":1,"c":{"list" ‸[1]}}"#,
        #"{"a":1,"c":{"list":["x",‸]}}"#, #"{"a":1,"c":{"list":["x"],‸}}"#, #"{"a":1,"c":{"list":[1,2‸"#,
    ])
    func `a syntax error precedes other errors`(text: String) throws {
        let marked = Marked(stringLiteral: text)
        let issue = try refusal(Model.self, marked.text)
        #expect(issue.location == marked.location)
        #expect(issue.underlying == nil)
    }

    // MARK: Streams, and values at a path

    /// Reads Codable elements by every verb, from every source, whole and in chunks, and returns the issues.
    private func issues(_ text: String, at path: JSONPath, framing: JSONFraming = .document) async -> [(
        verb: String, issue: JSONIssue
    )] {
        var issues: [(verb: String, issue: JSONIssue)] = []
        let bytes = Array(text.utf8)
        for decoder in JSONModelDecoder.ofEverySource {
            for size in [1, 7, bytes.count] {
                let pieces = bytes.pieces(of: size)
                func fails(_ verb: String, _ body: () async throws -> Void) async {
                    let error = await #expect(throws: JSONModelError.self) { try await body() }
                    if let issue = error?.issues.first {
                        issues.append(("\(verb), \(decoder.source), \(size)", issue))
                    }
                }
                await fails("forEach") {
                    try decoder.forEach(Plain.self, in: bytes, at: path, framing: framing) { _ in }
                }
                await fails("forEach of chunks") {
                    try decoder.forEach(Plain.self, in: .chunks(pieces), at: path, framing: framing) { _ in }
                }
                await fails("elements") {
                    for try await _ in decoder.elements(of: Plain.self, in: bytes, at: path, framing: framing) {}
                }
                await fails("elements of chunks") {
                    let stream = AsyncStream { continuation in
                        for piece in pieces { continuation.yield(piece) }
                        continuation.finish()
                    }
                    for try await _ in decoder.elements(of: Plain.self, in: stream, at: path, framing: framing) {}
                }
                await fails("cursor") {
                    var cursor = decoder.cursor(
                        of: JSONCodable<Plain>.self, in: .chunks(pieces), at: path, framing: framing)
                    while try cursor.next() != nil {}
                }
                await fails("feed") {
                    var feed = decoder.feed(of: JSONCodable<Plain>.self, at: path, framing: framing)
                    for piece in pieces { _ = try feed.push(piece) }
                    _ = try feed.finish()
                }
            }
        }
        return issues
    }

    private func check(
        _ marked: Marked, at path: JSONPath, framing: JSONFraming = .document, _ expected: JSONPath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let issues = await issues(marked.text, at: path, framing: framing)
        for (verb, issue) in issues {
            #expect(issue.path == expected, "\(verb)", sourceLocation: sourceLocation)
            #expect(issue.location == marked.location, "\(verb)", sourceLocation: sourceLocation)
        }
    }

    @Test func `an element of an array`() async {
        await check("[{\"list\":[1]},\n{\"list\":[2, ‸\"x\"]},\n{\"list\":[]}]", at: "[*]", "[1].list[1]")
    }

    @Test func `an element at a path`() async {
        await check(
            #"{"total":1,"data":{"items":[{"list":[]},{"list":[2,‸"x"]}]}}"#, at: "data.items[*]",
            "data.items[1].list[1]")
    }

    @Test func `an element of lines`() async {
        await check(
            "{\"list\":[1]}\n{\"flag\":null,\"list\":[‸\"x\"]}\n", at: JSONPath(), framing: .lines, "list[0]")
    }

    @Test func `an element beside an envelope`() throws {
        let marked: Marked = #"{"total":1,"items":[{"list":[]},{"list":[2,‸"x"]}],"next":{}}"#
        for source in JSONModelDecoder.Source.allCases {
            for size in [1, 7, marked.text.utf8.count] {
                let page = JSONEnvelope(of: JSONValue.self)
                var cursor = JSONModelDecoder(from: source).cursor(
                    of: JSONCodable<Plain>.self, in: .chunks(Array(marked.text.utf8).pieces(of: size)),
                    at: "items[*]", envelope: page)
                let error = #expect(throws: JSONModelError.self) { while try cursor.next() != nil {} }
                #expect(error?.issues[0].path == "items[1].list[1]")
                #expect(error?.issues[0].location == marked.location)
            }
        }
    }

    @Test func `the value at a path`() throws {
        let marked: Marked = #"{"a":[{"list":[]},{"list":[2,‸"x"]}]}"#
        for decoder in JSONModelDecoder.ofEverySource {
            let bytes = Array(marked.text.utf8)
            let errors = [
                #expect(throws: JSONModelError.self) { try decoder.decode(Plain.self, from: bytes, at: "a[1]") },
                #expect(throws: JSONModelError.self) {
                    try decoder.decode(Plain.self, from: .chunks(bytes.pieces(of: 1)), at: "a[1]")
                },
                #expect(throws: JSONModelError.self) {
                    try decoder.decode(Plain.self, from: .chunks(bytes.pieces(of: 7)), at: "a[1]")
                },
            ]
            for error in errors {
                #expect(error?.issues[0].path == "a[1].list[1]")
                #expect(error?.issues[0].location == marked.location)
            }
        }
    }

    @Test func `the whole value`() throws {
        let marked: Marked = "{\"flag\":true,\n \"list\":[2,‸\"x\"]}"
        for decoder in JSONModelDecoder.ofEverySource {
            let bytes = Array(marked.text.utf8)
            for size in [1, 7, bytes.count] {
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode(Plain.self, from: .chunks(bytes.pieces(of: size)))
                }
                #expect(error?.issues[0].path == "list[1]")
                #expect(error?.issues[0].location == marked.location)
            }
            #expect(try failure { try decoder.decode(Plain.self, from: bytes) }.location == marked.location)
        }
    }
}
