#if Macros
import Sluice
import SluiceCore
import TestSupport
import Testing

/// Dictionaries as the values of cases whose tag is in the same object.
@Suite struct TaggedDictionaryTests {
    @JSONModel(.partial)
    struct Circle: Equatable { let radius: Int }

    @JSONModel(.partial, tag: "type")
    enum Event: Equatable {
        case circle(Circle)
        case labels([String: String])
        case counts([Int: Int])
        case shapes([String: Circle]?)
        case any([String: JSONValue])
        case ordered(JSONObject)
    }

    /// The object of an event with the tag at each position.
    private static func texts(_ tag: String, _ members: [String]) -> [String] {
        (0...members.count).map { position in
            var members = members
            members.insert(#""type":"\#(tag)""#, at: position)
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    @Test func `the members beside the tag are the entries`() throws {
        for text in Self.texts("labels", [#""a":"x""#, #""b":"y""#]) {
            #expect(try decode(Event.self, text) == .labels(["a": "x", "b": "y"]))
            #expect(try decode([String: [Event]].self, #"{"e":[\#(text),\#(text)]}"#)["e"]?.count == 2)
        }
        // The tag has no key of the dictionary's type.
        for text in Self.texts("counts", [#""1":2"#, #""3":4"#]) {
            #expect(try decode(Event.self, text) == .counts([1: 2, 3: 4]))
        }
        for text in Self.texts("shapes", [#""a":{"radius":1,"type":"x"}"#]) {
            #expect(try decode(Event.self, text) == .shapes(["a": Circle(radius: 1)]))
        }
        for text in Self.texts("any", [#""a":[{"type":null}]"#, #""b":null"#]) {
            #expect(try decode(Event.self, text) == .any(["a": [["type": nil]], "b": nil]))
        }
        for text in Self.texts("ordered", [#""b":1"#, #""a":2"#]) {
            #expect(try decode(Event.self, text) == .ordered(["b": 1, "a": 2]))
        }
        for text in Self.texts("circle", [#""radius":1"#]) {
            #expect(try decode(Event.self, text) == .circle(Circle(radius: 1)))
        }
        #expect(try decode(Event.self, #"{"type":"labels"}"#) == .labels([:]))
        #expect(try decode(Event.self, #"{"type":"shapes"}"#) == .shapes([:]))
    }

    @Test func `a value of another type is located`() throws {
        for text in Self.texts("labels", [#""a":"x""#, #""b":1"#]) {
            let issue = try refusal([Event].self, "[\(text)]")
            #expect((issue.kind, issue.path) == (.typeMismatch(expected: "a string", found: "a number"), "[0].b"))
        }
        for text in Self.texts("counts", [#""1":2"#, #""x":1"#]) {
            let plain = try refusal([Int: Int].self, #"{"x":1}"#)
            let issue = try refusal(Event.self, text)
            #expect((issue.kind, issue.path) == (plain.kind, plain.path))
            #expect(issue.excerpt.contains("x"))
        }
        #expect(try refusal(Event.self, #"{"a":"x"}"#).kind == .missingKeys(["type"]))
    }

    @Test func `text that ends early is an error`() throws {
        for text in Self.texts("shapes", [#""a":{"radius":1}"#, #""b":{"radius":2}"#]) {
            for count in 1..<text.utf8.count {
                _ = try refusal(Event.self, String(text.prefix(count)))
            }
        }
    }

    @Test func `duplicate keys are those of a dictionary`() throws {
        let strict = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        for text in Self.texts("labels", [#""a":"x""#, #""a":"y""#]) {
            #expect(try decode(Event.self, text) == .labels(["a": "y"]))
            #expect(try refusal(Event.self, text, with: strict).kind == .duplicateKey("a"))
        }
        let repeated = #"{"type":"labels","a":"x","type":"counts"}"#
        #expect(try decode(Event.self, repeated) == .labels(["a": "x"]))
        #expect(try refusal(Event.self, repeated, with: strict).kind == .duplicateKey("type"))
    }

    @Test func `the entries are written after the tag`() throws {
        #expect(try encode(Event.labels(["a": "x"])) == #"{"type":"labels","a":"x"}"#)
        #expect(try encode(Event.counts([:])) == #"{"type":"counts"}"#)
        for event in [
            Event.labels(["a": "x", "b": ""]), .counts([1: 2, -3: 4]), .shapes(["a": Circle(radius: 1)]),
            .any(["a": [1, nil], "b": ["type": "labels"]]), .ordered(["b": 1, "a": 2]), .circle(Circle(radius: 1)),
        ] {
            try expectRoundTrip(event)
            try expectRoundTrip([event, event])
        }
        #expect(
            try encodingRefusal(Event.labels(["type": "x"])).kind
                == .notEncodable(#"its key "type" is that of the enum's tag"#))
        #expect(
            try encodingRefusal(Event.shapes(nil)).kind
                == .notEncodable("its value is null, which cannot contain the tag"))
    }

    @JSONModel
    struct Entry: Equatable {
        let id: Int
        @JSONFlatten let event: Event
    }

    @Test func `the entries can be beside the members of a model`() throws {
        for text in Self.texts("counts", [#""id":5"#, #""1":2"#]) {
            #expect(try decode(Entry.self, text) == Entry(id: 5, event: .counts([1: 2])))
        }
        try expectRoundTrip(Entry(id: 5, event: .labels(["a": "x"])))
    }

    @JSONModel
    struct Holder: Equatable { var event: Event }

    @Test func `a merged object changes the entries`() throws {
        for decoder in JSONModelDecoder.Source.allCases.map(JSONModelDecoder.init(from:)) {
            var holder = Holder(event: .labels(["x": "1", "y": "2"]))
            try decoder.merge(#"{"event":{"y":"3","z":"4"}}"#, into: &holder, options: .mergePatch)
            #expect(holder.event == .labels(["x": "1", "y": "3", "z": "4"]))
            try decoder.merge(#"{"event":{"x":null}}"#, into: &holder, options: .mergePatch)
            #expect(holder.event == .labels(["y": "3", "z": "4"]))
            let error = #expect(throws: JSONModelError.self) {
                try decoder.merge(#"{"event":{"x":5}}"#, into: &holder, options: .mergePatch)
            }
            #expect(error?.issues.map(\.path) == ["event.x"])
            #expect(holder.event == .labels(["y": "3", "z": "4"]))
            try decoder.merge(#"{"event":{"type":"any"}}"#, into: &holder, options: .mergePatch)
            #expect(holder.event == .any(["y": "3", "z": "4"]))
        }
    }

    @Test func `a snapshot has the entries that were read`() throws {
        for text in Self.texts("labels", [#""a":"x""#, #""b":"y""#]) + Self.texts("shapes", [#""a":{"radius":1}"#])
        {
            let bytes = Array(#"{"e":\#(text)}"#.utf8)
            for decoder in JSONModelDecoder.Source.allCases.map(JSONModelDecoder.init(from:)) {
                var feed = decoder.feed(of: [String: Event].self)
                var partial = decoder.feed(of: [String: Event.Partial].self)
                var counts: Set<Int> = []
                for end in bytes.indices {
                    _ = try feed.push([bytes[end]])
                    _ = try partial.push([bytes[end]])
                    // The first bytes determine the encoding.
                    if end < 4 { continue }
                    let snapshot = feed.snapshot()
                    if case .labels(let labels)? = snapshot.value?["e"] { counts.insert(labels.count) }
                    // An open string is not part of `decodePartially`.
                    if snapshot.openText == nil {
                        let known = try decoder.decodePartially([String: Event].self, from: Array(bytes[...end]))
                        #expect(snapshot.value == known.value)
                    }
                    #expect(partial.snapshot().value != nil)
                }
                #expect(feed.snapshot().value?.count == 1)
                #expect(!text.hasPrefix(#"{"type":"labels"#) || counts == [0, 1, 2])
            }
        }
    }

    @Test func `a partial enum has the entries that were read`() throws {
        for decoder in JSONModelDecoder.Source.allCases.map(JSONModelDecoder.init(from:)) {
            var feed = decoder.feed(of: Event.Partial.self)
            _ = try feed.push(Array(#"{"type":"shapes","a":{"radius":1},"b":{"#.utf8))
            guard case .shapes(let shapes)? = feed.snapshot().value else {
                Issue.record("\(String(describing: feed.snapshot().value))")
                continue
            }
            #expect(shapes?.mapValues(\.radius) == ["a": 1, "b": nil])
        }
    }

    @Test func `the schema has the tag and the entries`() throws {
        let cases = try #require(try Event.jsonSchema()["oneOf"]?.array)
        #expect(
            cases[1] == [
                "type": "object", "properties": ["type": ["const": "labels"]], "required": ["type"],
                "additionalProperties": ["type": "string"],
            ])
        let keys = try #require([Int: Int].jsonSchema()["propertyNames"])
        #expect(cases[2]["propertyNames"] == ["anyOf": [keys, ["const": "type"]]])
        let error = #expect(throws: JSONModelError.self) { try Event.jsonSchema(.strict) }
        #expect(
            error?.issues.first?.kind
                == .invalidPlan("Event.labels: a dictionary has no strict schema, because its keys are unknown"))
        // The members of the model are no entries.
        let entry = try Entry.jsonSchema()
        #expect(!"\(entry)".contains("additionalProperties"), "\(entry)")
        let written = try Entry.jsonSchema(.encoding)
        #expect("\(written)".contains(#""additionalProperties":true"#), "\(written)")
    }
}
#endif
