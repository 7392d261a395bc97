#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

/// When the properties of a partial model have their values, and the partial types of enums.
@Suite struct PartialPresenceTests {
    @JSONModel(.partial)
    struct Step: Identifiable, Sendable {
        @JSONPartial(.required) let id: Int
        @JSONPartial(.whenComplete) let link: String
        @JSONPartial(.whenComplete) var tags: [String] = []
        @JSONPartial(.whenComplete) let place: Place?
        let title: String
    }

    @JSONModel(.partial)
    struct Place: Equatable, Sendable {
        let city: String
        let lines: [String]
    }

    @JSONModel(.partial)
    struct Plan: Sendable {
        let steps: [Step]
        let byName: [String: Step]?
        @JSONPartial(.whenComplete) let places: [Place]
    }

    /// The values of the snapshots after each byte of a text, without repetitions.
    private func values<Value: JSONConvertible, Shown: Equatable>(
        _ type: Value.Type, _ text: String, _ source: JSONModelDecoder.Source, _ show: (Value) -> Shown
    ) throws -> [Shown?] {
        let decoder = JSONModelDecoder(from: source)
        var feed = decoder.feed(of: Value.self)
        var shown: [Shown?] = []
        for (count, byte) in text.utf8.enumerated() {
            _ = try feed.push([byte])
            guard count >= 4, count < text.utf8.count - 1 else { continue }
            let value = feed.snapshot().value.map(show)
            // The first look of a feed makes the same value.
            var other = decoder.feed(of: Value.self)
            _ = try other.push(Array(text.utf8.prefix(count + 1)))
            #expect(other.snapshot().value.map(show) == value, "\(count)")
            if shown.last != .some(value) { shown.append(value) }
        }
        return shown
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a property is nil until its value is complete`(_ source: JSONModelDecoder.Source) throws {
        let text =
            #"{"id": 7, "link": "https://a", "tags": ["x", "y"], "place": {"city": "B", "lines": []}, "title": "ab"}"#
        let links = try values(Step.Partial.self, text, source) { $0.link }
        #expect(links == [nil, .some(nil), "https://a"])
        let tags = try values(Step.Partial.self, text, source) { $0.tags }
        #expect(tags == [nil, .some(nil), ["x", "y"]])
        let places = try values(Step.Partial.self, text, source) { $0.place }
        #expect(places == [nil, .some(nil), Place(city: "B", lines: [])])
        let titles = try values(Step.Partial.self, text, source) { $0.title }
        #expect(titles == [nil, .some(nil), "", "a", "ab"])
        let lists = try values(
            Plan.Partial.self, #"{"places": [{"city": "a", "lines": ["b"]}], "steps": []}"#, source
        ) {
            $0.places?.count
        }
        #expect(lists == [.some(nil), 1])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a model is nil until a required property is complete`(_ source: JSONModelDecoder.Source) throws {
        let text = #"{"steps": [{"title": "x", "id": 1, "link": "l"}, {"id": 23, "title": "yz"}], "by_name": 1}"#
        let steps = try values(Plan.Partial.self, text, source) { plan in
            plan.steps.map { steps in steps.map { "\($0.id)\($0.title ?? "-")" } }
        }
        #expect(
            steps == [
                .some(nil), [], ["1x"], ["1x", "23-"], ["1x", "23"], ["1x", "23y"], ["1x", "23yz"],
            ])
        let dictionary =
            #"{"byName": {"a": {"title": "x", "id": 1}, "b": {"title": "y"}, "c": {"id": 2, "title": "z"}}}"#
        #expect(throws: JSONModelError.self) { try decode(Plan.Partial.self, dictionary) }
    }

    @Test func `the identity of an element is its id`() throws {
        let id: Int = try decode(Step.Partial.self, #"{"id": 5}"#).id
        func identity<T: Identifiable>(_ value: T) -> T.ID { value.id }
        #expect(try identity(decode(Step.Partial.self, #"{"id": 5}"#)) == id)
        #expect(try refusal(Step.Partial.self, "{}").kind == .missingKeys(["id"]))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a part of a document lacks what is not complete`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        let cut =
            #"{"steps": [{"id": 1, "tags": ["x", "y"], "link": "l", "title": "t"}, {"id": 2, "tags": ["x", "y""#
        let steps = try #require(try decoder.decodePartially(Plan.Partial.self, from: cut).value?.steps)
        #expect(steps.map(\.id) == [1, 2] && steps.map(\.tags) == [["x", "y"], nil])
        let cutPlaces = #"{"places": [{"city": "a", "lines": []}"#
        #expect(try decoder.decodePartially(Plan.Partial.self, from: cutPlaces).value?.places == nil)
    }

    @Test func `a model by hand can hide open values`() throws {
        struct Note: JSONModel {
            var link: String?
            var lines: [String]?
            static let plan = ModelPlan<Note> {
                JSONField(\.link, key: "link").whenComplete()
                JSONField(\.lines, key: "lines").whenComplete()
            }
        }
        var feed = JSONModelDecoder().feed(of: Note.self)
        _ = try feed.push(Array(#"{"link": "ab"#.utf8))
        let open = feed.snapshot()
        #expect(open.value?.link == nil && open.state(of: \.link) == .open && open.openText == "ab")
        _ = try feed.push(Array(#"c", "lines": ["x", "#.utf8))
        let complete = feed.snapshot()
        #expect(complete.value?.link == "abc" && complete[\.link] == "abc" && complete.value?.lines == nil)
        #expect(complete[\.lines] == .some(nil) || complete[\.lines] == nil)
        let changes = feed.changes()
        #expect(changes.map(\.path) == ["", "link"])
    }
}

extension PartialPresenceTests {
    @JSONModel(.partial)
    struct Text: Equatable {
        let text: String
        let notes: [String]
    }

    @JSONModel(.partial, tag: "type")
    enum Block: Equatable {
        case text(Text)
        case image(url: String, size: Int?)
        @JSONKey("group") case blocks(Group)
        case end
    }

    @JSONModel(.partial)
    struct Group: Equatable {
        let blocks: [Block]
    }

    @JSONModel(.partial)
    enum Outer: Equatable {
        case name(String)
        case list([Text])
        indirect case outer(Outer)
    }

    @JSONModel(.partial)
    struct Message {
        let content: [Block]
        let outer: Outer?
    }

    private func words(_ block: Block.Partial) -> String {
        switch block {
        case .text(let text): "text \(text.text ?? "-") \(text.notes?.joined(separator: "+") ?? "-")"
        case .image(let url, let size): "image \(url ?? "-") \(size.map { "\($0)" } ?? "-")"
        case .blocks(let group): "group \(group.blocks?.map(words) ?? [])"
        case .end: "end"
        }
    }

    private func words(_ outer: Outer.Partial?) -> String {
        switch outer {
        case nil: "-"
        case .name(let name): name
        case .list(let list): "\(list.map { $0.text ?? "-" })"
        case .outer(let inner): "<\(words(inner))>"
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an enum is shown as soon as its tag is known`(_ source: JSONModelDecoder.Source) throws {
        let text = #"""
            {"content": [{"type": "text", "text": "ab", "notes": ["n", "m"]}, {"type": "image", "url": "u", "size": 5},
            {"type": "group", "blocks": [{"type": "text", "text": "i"}]}, {"text": "late", "type": "text"}, {"type": "end"}]}
            """#
        let shown = try values(Message.Partial.self, text, source) { $0.content?.map(words).last ?? "none" }
        #expect(
            shown == [
                "none", "text - -", "text  -", "text a -", "text ab -", "text ab ", "text ab n", "text ab n+",
                "text ab n+m",
                "image - -", "image  -", "image u -", "image u 5", "group []", "group [\"text - -\"]",
                "group [\"text  -\"]", "group [\"text i -\"]", "text late -", "end",
            ])
        let outers = try values(
            Message.Partial.self, #"{"outer": {"outer": {"outer": {"list": [{"text": "a"}, {}]}}}}"#, source
        ) { words($0.outer) }
        #expect(outers.last == #"<<["a", "-"]>>"#)
        let names = try values(Message.Partial.self, #"{"outer": {"name": "ab"}}"#, source) { words($0.outer) }
        #expect(names == ["-", "", "a", "ab"])
    }

    @Test func `a partial enum has the JSON of the enum`() throws {
        let text =
            #"{"content":[{"type":"image","url":"u","size":5},{"type":"end"}],"outer":{"list":[{"text":"a","notes":[]}]}}"#
        let partial = try decode(Message.Partial.self, text)
        #expect(try JSONModelEncoder().encode(partial, as: .string) == text)
        let whole = try decode(Message.self, text)
        #expect(whole.content == [.image(url: "u", size: 5), .end])
    }
}
#endif
