import SluiceStreams
import TestSupport
import Testing

@testable import SluiceCore

@Suite struct EnvelopeTests {
    struct Item: JSONModel, Equatable {
        let id: Int
        var name: String?
        var raw: JSONRaw?
        static let plan = ModelPlan<Item>(
            JSONField(\.id, key: "id"), JSONField(\.name, key: "name"), JSONField(\.raw, key: "raw"))
    }

    struct Page: JSONModel, Equatable {
        let total: Int
        var title: String?
        var items: [Item]?
        var next: JSONRaw?
        static let plan = ModelPlan<Page>(
            JSONField(\.total, key: "total"), JSONField(\.title, key: "data.title"),
            JSONField(\.items, key: "data.items"), JSONField(\.next, key: "next"))
    }

    private static let text = #"""
        {"total": 3, "data": {"title": "a title", "items": [{"id": 1, "name": "a"}, {"id": 2, "raw": {"x": [1]}},
         {"id": 3, "more": {"id": [4, 5]}}], "other": [[{}]]}, "next": {"page": [2]}}
        """#

    private func raw(_ text: String) throws -> JSONRaw { try JSONModelDecoder().decode(from: text) }

    /// The elements and the envelope of a text, read by a cursor, a feed and a sequence, with every source, in pieces of every size.
    private func read<Element: JSONConvertible & Equatable, Envelope: JSONConvertible & Equatable>(
        _: Element.Type, _ envelope: Envelope.Type, _ text: String, at path: JSONPath,
        with decoder: JSONModelDecoder = JSONModelDecoder()
    ) async throws -> (elements: [Element], envelope: Envelope?, error: String?) {
        let bytes = Array(text.utf8)
        var outcomes: [(elements: [Element], envelope: Envelope?, error: String?)] = []
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            for size in [1, 2, 5, 16, 50, bytes.count] {
                let pieces = bytes.pieces(of: size)
                func read(_ body: (JSONEnvelope<Envelope>, inout [Element]) async throws -> Void) async {
                    let page = JSONEnvelope(of: envelope)
                    var outcome = (elements: [Element](), envelope: Envelope?.none, error: String?.none)
                    do { try await body(page, &outcome.elements) } catch { outcome.error = "\(error)" }
                    outcome.envelope = page.value
                    outcomes.append(outcome)
                }
                await read { page, elements in
                    var cursor = decoder.cursor(of: Element.self, in: .chunks(pieces), at: path, envelope: page)
                    while let element = try cursor.next() { elements.append(element) }
                }
                await read { page, elements in
                    var feed = decoder.feed(of: Element.self, at: path, envelope: page)
                    for piece in pieces { elements += try feed.push(piece) }
                    elements += try feed.finish()
                    elements += try feed.finish()
                }
                await read { page, elements in
                    for try await element in decoder.elements(
                        of: Element.self, in: bytes, at: path, envelope: page)
                    { elements.append(element) }
                }
            }
        }
        for outcome in outcomes {
            #expect(outcome.elements == outcomes[0].elements)
            #expect(outcome.envelope == outcomes[0].envelope)
            #expect(outcome.error == outcomes[0].error)
        }
        return outcomes[0]
    }

    @Test func `elements and the fields around them are read together`() async throws {
        let (items, page, error) = try await read(Item.self, Page.self, Self.text, at: "data.items[*]")
        #expect(error == nil)
        #expect(try items == [Item(id: 1, name: "a"), Item(id: 2, raw: raw(#"{"x": [1]}"#)), Item(id: 3)])
        #expect(try page == Page(total: 3, title: "a title", items: [], next: raw(#"{"page": [2]}"#)))
    }

    @Test func `scalars and arrays of numbers are elements and parts of the envelope`() async throws {
        struct Reading: JSONModel, Equatable {
            let valid: Bool
            var note: String?
            let weights: [Double]
            static let plan = ModelPlan<Reading>(
                JSONField(\.valid, key: "valid"), JSONField(\.note, key: "note"),
                JSONField(\.weights, key: "weights"))
        }
        let text =
            #"{"valid":true,"items":[true,null,false],"note":null,"rows":[[1.5,-2],[],[3e2]],"weights":[0.5,1]}"#
        let reading = Reading(valid: true, note: nil, weights: [0.5, 1])
        let bools = try await read(Bool?.self, Reading.self, text, at: "items[*]")
        #expect(bools.elements == [true, nil, false] && bools.envelope == reading && bools.error == nil)
        let rows = try await read([Double].self, Reading.self, text, at: "rows[*]")
        #expect(rows.elements == [[1.5, -2], [], [300]] && rows.envelope == reading && rows.error == nil)
        let wrong = try await read(Int.self, Reading.self, text, at: "items[*]")
        #expect(wrong.elements == [] && wrong.error?.contains(" at items[0] ") == true, "\(wrong)")
    }

    @Test func `asynchronous chunks have elements and an envelope`() async throws {
        let pieces = Array(Self.text.utf8).pieces(of: 7)
        let chunks = AsyncStream<[UInt8]> { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
        let page = JSONEnvelope(of: Page.self)
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: chunks, at: "data.items[*]", envelope: page)
        var iterator = elements.makeAsyncIterator()
        var ids: [Int] = []
        while let item = try await iterator.next() { ids.append(item.id) }
        #expect(ids == [1, 2, 3] && iterator.summary.elements == 3)
        #expect(page.value?.total == 3)
    }

    @Test func `the envelope is the document without its elements`() async throws {
        let document = #"""
            {"a": [{"b": [1, 2], "c": 3}, {"b": [], "d": {"b": [4]}}, {"b": [5]}], "b": [6], "e": {"f": 7, "g": {"h": 8}}}
            """#
        func check(_ path: JSONPath, _ elements: [Int], _ envelope: String) async throws {
            let outcome = try await read(Int.self, JSONValue.self, document, at: path)
            #expect(outcome.error == nil)
            #expect(outcome.elements == elements)
            #expect(try outcome.envelope == JSONModelDecoder().decode(from: envelope))
        }
        let end = #""e": {"f": 7, "g": {"h": 8}}}"#
        try await check(
            "a[*].b[*]", [1, 2, 5],
            #"{"a": [{"b": [], "c": 3}, {"b": [], "d": {"b": [4]}}, {"b": []}], "b": [6], "# + end)
        try await check(
            "a[0].b", [1, 2],
            #"{"a": [{"b": [], "c": 3}, {"b": [], "d": {"b": [4]}}, {"b": [5]}], "b": [6], "# + end)
        try await check(
            "a[*].c", [3],
            #"{"a": [{"b": [1, 2]}, {"b": [], "d": {"b": [4]}}, {"b": [5]}], "b": [6], "# + end)
        try await check(
            "e.g.*", [8],
            #"""
            {"a": [{"b": [1, 2], "c": 3}, {"b": [], "d": {"b": [4]}}, {"b": [5]}], "b": [6],
             "e": {"f": 7, "g": {}}}
            """#)
    }

    @Test func `an envelope that lacks a required field is an error after the elements`() async throws {
        let text = #"{"data": {"items": [{"id": 1}, {"id": 2}]}}"#
        let (items, page, error) = try await read(Item.self, Page.self, text, at: "data.items[*]")
        #expect(items.map(\.id) == [1, 2])
        #expect(page == nil)
        #expect(error?.contains("total") == true)
    }

    @Test func `the elements before an error are read, and the error is that of the stream alone`() async throws {
        for text in [
            #"{"total": 1, "data": {"items": [{"id": 1}, {"id": "2"}]}}"#,
            #"{"total": 1, "data": {"items": [{"id": 1}, {"id": 2]}}"#,
            #"{"total": 1, "data": {"items": [{"id": 1}, "#, #"{"total": 1, "data": [{"id": 1}]}"#,
            #"{"total": 1}"#,
        ] {
            let (items, page, error) = try await read(Item.self, JSONValue.self, text, at: "data.items[*]")
            var expected: [Item] = []
            let failure = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().forEach(Item.self, in: text, at: "data.items[*]") { expected.append($0) }
            }
            #expect(items == expected)
            // A document without elements has been read to its end.
            #expect(page == (text == #"{"total": 1}"# ? ["total": 1] : nil))
            #expect(error?.prefix(60) == failure.map { "\($0)" }?.prefix(60))
        }
    }

    @Test(
        arguments: [
            (#"{"data": {"items": [{"id": 1}, {"id": 2, "more": [x]}]}}"#, "data.items[1]", "Item"),
            (#"{"data": {"items": [{"id": 1}, {"id": 2, "name": x}]}}"#, "data.items[1].name", "Item"),
            (#"{"data": {"items": []}, "total": x}"#, "total", "Page"),
            (#"{"data": {"items": [{"id": 1}]}, "next": {"a": x}}"#, "next", "Page"),
        ] as [(String, JSONPath, String)])
    func `a syntax error has the path and the model of an element or of the envelope`(
        _ text: String, _ path: JSONPath, _ model: String
    ) throws {
        for source in JSONModelDecoder.Source.allCases {
            var cursor = JSONModelDecoder(from: source).cursor(
                of: Item.self, in: text, at: "data.items[*]", envelope: JSONEnvelope(of: Page.self))
            let error = #expect(throws: JSONModelError.self) { while try cursor.next() != nil {} }
            #expect(error?.issues.first?.path == path, "\(source)")
            #expect(error?.issues.first?.model == model, "\(source)")
        }
    }

    @Test func `skipped elements leave the envelope intact`() async throws {
        let text = #"""
            {"total": 1, "data": {"items": [{"id": 1}, {"id": {"total": 5}}, {"name": 1}, {"id": 4}, 7], "title": "t"}}
            """#
        let decoder = JSONModelDecoder.with { $0.elementErrors = .skip }
        let (items, page, error) = try await read(
            Item.self, Page.self, text, at: "data.items[*]", with: decoder)
        #expect(items.map(\.id) == [1, 4])
        #expect(page == Page(total: 1, title: "t", items: []))
        #expect(error == nil)
    }

    @Test func `the envelope can be asked for while the elements are read`() throws {
        for decoder in JSONModelDecoder.ofEverySource {
            let page = JSONEnvelope(of: Page.self)
            #expect(page.snapshot.value == nil)
            var feed = decoder.feed(of: Item.self, at: "data.items[*]", envelope: page)
            _ = try feed.push(Array(#"{"total": 3, "data": {"title": "a ti"#.utf8))
            #expect(page.snapshot[\.title] == "a ti")
            #expect(page.snapshot.state(of: \.title) == .open)
            #expect(page.snapshot.openPath == "data.title")
            _ = try feed.push(Array(#"tle", "items": [{"id": 1, "name": "b"#.utf8))
            #expect(page.snapshot.value == Page(total: 3, title: "a title", items: []))
            #expect(page.snapshot.state(of: \.items) == .open)
            #expect(page.snapshot.openPath == "data.items[0]")
            #expect(feed.snapshot().openPath == "data.items[0].name")
            #expect(page.value == nil)
            #expect(feed.snapshot().value == Item(id: 1, name: "b"))
            _ = try feed.push(Array(#""}], "x": 0}, "next": []}"#.utf8))
            _ = try feed.finish()
            #expect(try page.value == Page(total: 3, title: "a title", items: [], next: raw("[]")))
            #expect(page.snapshot.isComplete)
        }
    }

    @Test func `only a document has an envelope`() throws {
        let page = JSONEnvelope(of: Page.self)
        let error = #expect(throws: JSONModelError.self) {
            var cursor = JSONModelDecoder().cursor(
                of: Item.self, in: Self.text, at: "data.items[*]", framing: .lines, envelope: page)
            while try cursor.next() != nil {}
        }
        #expect(error?.issues.first?.kind.name == "invalidPath")
    }

    @Test func `a stream that is left has the envelope so far`() async throws {
        let page = JSONEnvelope(of: Page.self)
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: Self.text, at: "data.items[*]", envelope: page)
        for try await item in elements where item.id == 1 { break }
        #expect(page.value == nil || page.value?.total == 3)
        #expect(page.snapshot[\.total] == 3)
    }

    @Test func `an ignored part of an element is no member of the envelope`() async throws {
        struct Members: JSONModel, Equatable {
            let numbers: [Int?]
            static let plan = ModelPlan<Members>(JSONField(\.numbers, key: "groups[0].*", default: []))
        }
        let text = #"{"groups": [{"item": {"id": 1, "x": 2, "y": 3}, "n": 4, "m": 5}]}"#
        let (items, members, error) = try await read(Item.self, Members.self, text, at: "groups[*].item")
        #expect(items == [Item(id: 1)] && error == nil)
        #expect(members == Members(numbers: [4, 5]))
    }

    @Test func `trees have envelopes too`() async throws {
        let value = try JSONModelDecoder().decode(JSONValue.self, from: Self.text)
        let page = JSONEnvelope(of: Page.self)
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: value, at: "data.items[*]", envelope: page)
        var ids: [Int] = []
        for try await item in elements { ids.append(item.id) }
        #expect(ids == [1, 2, 3])
        #expect(page.value?.title == "a title")
    }

    @Test func `the envelope of a tree keeps its last state after an error`() throws {
        let text = #"{"total": 3, "data": {"title": "t", "items": [{"id": 1}, {"id": "x"}]}}"#
        let value = try JSONModelDecoder().decode(JSONValue.self, from: text)
        let page = JSONEnvelope(of: Page.self)
        var cursor = JSONModelDecoder().cursor(of: Item.self, in: value, at: "data.items[*]", envelope: page)
        let first = try cursor.next()
        #expect(first == Item(id: 1))
        #expect(throws: JSONModelError.self) { while try cursor.next() != nil {} }
        #expect(page.value == nil)
        #expect(page.snapshot.value == Page(total: 3, title: "t", items: []))
    }

    /// A value in memory, of which the string "?" has no JSON.
    private struct Tree: JSONInput {
        let root: JSONValue

        func withContent<R>(
            _ body: (JSONInputContent) throws(JSONModelError) -> R
        ) throws(JSONModelError) -> R {
            try body(
                .tree(root) { value, _ in
                    if value == "?" { throw JSONModelError.ConversionFailure.invalid("no JSON") }
                    return value.node
                })
        }
    }

    @Test(
        arguments: [
            (#"{"data":{"items":[{"id":1},{"id":"?"}]}}"#, "data.items[1].id", "an integer"),
            (#"{"total":"?"}"#, "total", "an integer"), (#"{"data":{"title":"?"}}"#, "data.title", "a string"),
        ] as [(String, JSONPath, String)])
    func `a value in memory without JSON fails in the element or in the envelope`(
        _ text: String, _ path: JSONPath, _ expected: String
    ) throws {
        let tree = Tree(root: try JSONModelDecoder().decode(from: text))
        var cursor = JSONModelDecoder().cursor(
            of: Item.self, in: tree, at: "data.items[*]", envelope: JSONEnvelope(of: Page.self))
        let error = #expect(throws: JSONModelError.self) { while try cursor.next() != nil {} }
        #expect(error?.issues.first?.kind == .invalidValue(expected: expected, reason: "no JSON"))
        #expect(error?.issues.first?.path == path)
    }

    @Test func `a value of the envelope that contains the elements cannot be recorded`() async throws {
        struct Whole: JSONModel, Equatable {
            let data: JSONRaw
            static let plan = ModelPlan<Whole>(JSONField(\.data, key: "data"))
        }
        let (items, envelope, error) = try await read(Item.self, Whole.self, Self.text, at: "data.items[*]")
        #expect(items.isEmpty)
        #expect(envelope == nil)
        #expect(error?.contains("contains the elements") == true)
        let outcome = try await read(Int.self, Whole.self, #"{"x": [1, 2], "data": {"x": [3]}}"#, at: "x[*]")
        #expect(outcome.elements == [1, 2])
        #expect(try outcome.envelope?.data == raw(#"{"x": [3]}"#))
    }

    // MARK: Recorded values

    /// An enum whose tag may come late, so that the members before the tag are replayed.
    enum Shape: JSONEnum, Equatable {
        case circle(Circle)
        case point
        static let plan = ModelPlan<Shape>(
            cases: [.of("circle", Self.circle), .of("point", .point)], tagging: .internal(tag: "type"))
    }

    struct Circle: JSONModel, Equatable {
        let radius: Int
        static let plan = ModelPlan<Circle>(JSONField(\.radius, key: "radius"))
    }

    struct Drawing: JSONModel, Equatable {
        let first: Shape
        let embedded: Circle
        let last: Shape
        let raw: JSONRaw
        static let plan = ModelPlan<Drawing>(
            JSONField(\.first, key: "first"), JSONField(embedded: \.embedded, key: "embedded"),
            JSONField(\.last, key: "last"), JSONField(\.raw, key: "raw"))
    }

    private static func drawing(
        shapes: String =
            #"[{"radius": 2, "type": "circle"}, {"type": "circle", "radius": 3}, {"x": 0, "type": "point"}]"#,
        embedded: String = #"{\"radius\": 5}"#, last: String = #"{"radius": 6, "type": "circle"}"#
    ) -> String {
        #"""
        {"first": {"radius": 1, "type": "circle"}, "shapes": \#(shapes), "embedded": "\#(embedded)",
         "last": \#(last), "raw": 7}
        """#
    }

    @Test func `values that are recorded are elements and parts of the envelope`() async throws {
        let (shapes, drawing, error) = try await read(Shape.self, Drawing.self, Self.drawing(), at: "shapes[*]")
        #expect(error == nil)
        #expect(shapes == [.circle(Circle(radius: 2)), .circle(Circle(radius: 3)), .point])
        #expect(
            try drawing
                == Drawing(
                    first: .circle(Circle(radius: 1)), embedded: Circle(radius: 5),
                    last: .circle(Circle(radius: 6)), raw: raw("7")))
        let text = #"{"embedded": "{\"radius\": 1}", "items": [{"embedded": "{\"radius\": 2}"}]}"#
        struct Texts: JSONModel, Equatable {
            let embedded: Circle
            static let plan = ModelPlan<Texts>(JSONField(embedded: \.embedded, key: "embedded"))
        }
        let texts = try await read(Texts.self, Texts.self, text, at: "items[*]")
        #expect(texts.elements == [Texts(embedded: Circle(radius: 2))])
        #expect(texts.envelope == Texts(embedded: Circle(radius: 1)) && texts.error == nil)
    }

    @Test(arguments: [
        (drawing(shapes: #"[{"radius": "x", "type": "circle"}]"#), "shapes[0].radius"),
        (drawing(shapes: #"[{"type": "point"}, {"radius": 5}]"#), "shapes[1]"),
        (drawing(embedded: #"{\"radius\": \"x\"}"#), "embedded.radius"),
        (drawing(embedded: #"{\"radius\": "#), "embedded.radius"), (drawing(embedded: ""), "embedded"),
        (drawing(last: #"{"radius": "x", "type": "circle"}"#), "last.radius"), (drawing(last: "[]"), "last"),
        (drawing(last: #"{"radius": 5}"#), "last"), (drawing(last: #"{"type": "square"}"#), "last.type"),
    ])
    func `an error in a recorded value has its path`(_ text: String, _ path: String) async throws {
        let outcome = try await read(Shape.self, Drawing.self, text, at: "shapes[*]")
        #expect(outcome.envelope == nil)
        #expect(outcome.error?.contains(" at \(path), for ") == true, "\(outcome.error ?? "no error")")
    }

    @Test func `the fields after the elements are read although a stream could stop early`() async throws {
        let decoder = JSONModelDecoder.with { $0.stopsEarly = true }
        let (items, page, error) = try await read(
            Item.self, Page.self, Self.text, at: "data.items[*]", with: decoder)
        #expect(items.map(\.id) == [1, 2, 3])
        #expect(try page == Page(total: 3, title: "a title", items: [], next: raw(#"{"page": [2]}"#)))
        #expect(error == nil)
    }

    @Test func `the issues of the elements and of the envelope are collected`() async throws {
        let text = #"{"total": "x", "data": {"title": 1, "items": [{"id": 1}, {"id": "y"}, {"id": 3}]}, "next": 5}"#
        let (items, page, error) = try await read(
            Item.self, Page.self, text, at: "data.items[*]", with: .collecting)
        #expect(items.map(\.id) == [1, 3])
        #expect(page == nil)
        for path in ["total", "data.title", "data.items[1].id"] {
            #expect(error?.contains(" at \(path), for ") == true, "\(error ?? "no error")")
        }
    }

    @Test func `elements beside an envelope have their ranges`() async throws {
        struct Row: JSONModel, Hashable {
            let id: Int
            static let plan = ModelPlan<Row>(JSONField(\.id, key: "id"))
        }
        let (rows, page, error) = try await read(
            JSONPositioned<Row>.self, Page.self, Self.text, at: "data.items[*]")
        #expect(error == nil && page?.total == 3)
        let bytes = Array(Self.text.utf8)
        let ranges = rows.map { String(decoding: bytes[$0.position.range], as: UTF8.self) }
        #expect(
            ranges == [
                #"{"id": 1, "name": "a"}"#, #"{"id": 2, "raw": {"x": [1]}}"#,
                #"{"id": 3, "more": {"id": [4, 5]}}"#,
            ])
        #expect(rows.map(\.position.path) == ["data.items[0]", "data.items[1]", "data.items[2]"])
        let numbers = try await read(
            JSONPositioned<Int>.self, JSONValue.self, #"{"a": [1, 22], "b": 3}"#, at: "a[*]")
        #expect(numbers.elements.map(\.position.range) == [7..<8, 10..<12])
        #expect(numbers.envelope == ["a": [], "b": 3])
    }

    struct Total: JSONModel, Equatable {
        let total: Int
        static let plan = ModelPlan<Total>(JSONField(\.total, key: "total"))
    }

    struct User: JSONModel, Equatable {
        let id: Int
        static let plan = ModelPlan<User>(JSONField(\.id, key: "id"))
    }

    @Test(arguments: [
        (#"{"users":{"a":{"id":1},"a":{"id":2},"b":{"id":3}},"total":1}"#, "users.*"),
        (#"{"users":{"a":{"id":1},"a":5,"a":[{"id":[{}]}],"b":{"id":3}},"x":{"y":[]},"total":1}"#, "users.*"),
        (#"{"users":{"a":{"id":1},"b":{"id":3},"a":{"id":2}},"total":1}"#, "users.*"),
    ])
    func `a duplicate member is skipped and the envelope is complete`(_ text: String, _ path: JSONPath) async throws
    {
        let decoder = JSONModelDecoder.with { ($0.duplicateKeys, $0.elementErrors) = (.reject, .skip) }
        let (elements, envelope, error) = try await read(
            JSONMember<User>.self, Total.self, text, at: path, with: decoder)
        #expect(error == nil)
        #expect(elements.map(\.value.id) == [1, 3])
        #expect(envelope == Total(total: 1))
    }

    struct Whole: JSONModel, Equatable {
        let items: JSONRaw?
        static let plan = ModelPlan<Whole>(JSONField(\.items, key: "items"))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an issue at a value that the envelope records is located at its beginning`(
        source: JSONModelDecoder.Source
    ) throws {
        let text = Array(#"{"items": {"a": 1}}"#.utf8)
        for size in [1, 4, text.count] {
            var decoder = JSONModelDecoder(from: source)
            decoder.errorPolicy = .collect(limit: 10)
            let page = JSONEnvelope(of: Whole.self)
            let error = #expect(throws: JSONModelError.self) {
                var cursor = decoder.cursor(
                    of: Item.self, in: .chunks(text.pieces(of: size)), at: "items[*]", envelope: page)
                while try cursor.next() != nil {}
            }
            #expect(error?.issues.map { "\($0.path) \($0.location.offset)" } == ["items 10"])
        }
    }
}
