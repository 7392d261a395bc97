import SluiceCore
import TestSupport
import Testing

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
                outcomes.append(([], nil, nil))
                do {
                    let page = JSONEnvelope(of: envelope)
                    defer { outcomes[outcomes.count - 1].envelope = page.value }
                    var cursor = decoder.cursor(of: Element.self, in: .chunks(pieces), at: path, envelope: page)
                    while let element = try cursor.next() { outcomes[outcomes.count - 1].elements.append(element) }
                } catch {
                    outcomes[outcomes.count - 1].error = "\(error)"
                }
                outcomes.append(([], nil, nil))
                do {
                    let page = JSONEnvelope(of: envelope)
                    defer { outcomes[outcomes.count - 1].envelope = page.value }
                    var feed = decoder.feed(of: Element.self, at: path, envelope: page)
                    for piece in pieces { outcomes[outcomes.count - 1].elements += try feed.push(piece) }
                    outcomes[outcomes.count - 1].elements += try feed.finish()
                    outcomes[outcomes.count - 1].elements += try feed.finish()
                } catch {
                    outcomes[outcomes.count - 1].error = "\(error)"
                }
                outcomes.append(([], nil, nil))
                let elements = decoder.elements(
                    of: Element.self, in: bytes, at: path, envelope: JSONEnvelope(of: envelope))
                do {
                    for try await element in elements { outcomes[outcomes.count - 1].elements.append(element) }
                } catch {
                    outcomes[outcomes.count - 1].error = "\(error)"
                }
                outcomes[outcomes.count - 1].envelope = elements.envelope.value
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
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: chunks, at: "data.items[*]", envelope: JSONEnvelope(of: Page.self))
        var iterator = elements.makeAsyncIterator()
        var ids: [Int] = []
        while let item = try await iterator.next() { ids.append(item.id) }
        #expect(ids == [1, 2, 3] && iterator.summary.elements == 3)
        #expect(elements.envelope.value?.total == 3)
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
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            let page = JSONEnvelope(of: Page.self)
            #expect(page.snapshot.value == nil)
            var feed = decoder.feed(of: Item.self, at: "data.items[*]", envelope: page)
            _ = try feed.push(Array(#"{"total": 3, "data": {"title": "a ti"#.utf8))
            #expect(page.snapshot[\.title] == "a ti")
            #expect(page.snapshot.state(of: \.title) == .open)
            _ = try feed.push(Array(#"tle", "items": [{"id": 1, "name": "b"#.utf8))
            #expect(page.snapshot.value == Page(total: 3, title: "a title", items: []))
            #expect(page.snapshot.state(of: \.items) == .open)
            #expect(page.value == nil)
            #expect(feed.snapshot().value == Item(id: 1, name: "b"))
            _ = try feed.push(Array(#""}], "x": 0}, "next": []}"#.utf8))
            _ = try feed.finish()
            #expect(try page.value == Page(total: 3, title: "a title", items: [], next: raw("[]")))
            #expect(page.snapshot.isComplete)
        }
    }

    @Test func `a stream that is left has the envelope so far`() async throws {
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: Self.text, at: "data.items[*]", envelope: JSONEnvelope(of: Page.self))
        for try await item in elements where item.id == 1 { break }
        #expect(elements.envelope.value == nil || elements.envelope.value?.total == 3)
        #expect(elements.envelope.snapshot[\.total] == 3)
    }

    @Test func `trees have envelopes too`() async throws {
        let value = try JSONModelDecoder().decode(JSONValue.self, from: Self.text)
        let elements = JSONModelDecoder().elements(
            of: Item.self, in: value, at: "data.items[*]", envelope: JSONEnvelope(of: Page.self))
        var ids: [Int] = []
        for try await item in elements { ids.append(item.id) }
        #expect(ids == [1, 2, 3])
        #expect(elements.envelope.value?.title == "a title")
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
}
