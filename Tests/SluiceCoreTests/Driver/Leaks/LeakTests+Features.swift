import SluiceCore
import TestSupport
import Testing

// Whatever is got over: what was made of it is freed, once.

extension LeakTests {
    private struct Refused: Error {}

    struct Item: JSONModel, JSONHooks {
        let mark: Counted
        let note: Counted?
        let fails: Bool
        static let plan = ModelPlan<Item>(
            JSONField(\.mark), JSONField(\.note, default: Counted("default")), JSONField(\.fails, default: false))
        func validate() throws { if fails { throw Refused() } }
    }

    struct Wrap: JSONTransform {
        func decode(_ json: Counted) throws -> [Counted] {
            if json.text == "bad" { throw Refused() }
            return [json, Counted("more")]
        }
        func encode(_ value: [Counted]) throws -> Counted { value[0] }
    }

    struct Everything: JSONModel, JSONHooks {
        let lossy: [Item]
        let byKey: [Counted: Item]
        let names: [Counted]
        let whole: [String: Counted]?
        let part: Counted?
        let fallback: Item?
        let either: Counted?
        let embedded: Item?
        let transformed: [Counted]
        let field: JSONPresence<Counted>
        let lazy: JSONLazy<Counted>?
        let flat: Flat
        let maybe: Maybe?
        let rest: [String: Counted]
        let ignored: Counted
        static let plan = ModelPlan<Everything>([
            JSONField(\.lossy, default: []).lossy(), JSONField(\.byKey, key: "by_key", default: [:]).lossy(),
            JSONField(\.names, key: "items[*].names[*]", default: []), JSONField(\.whole),
            JSONField(\.part, key: "whole.part"),
            JSONField(\.fallback, default: nil).defaulting(on: [.missing, .mismatch]),
            JSONField(\.either, key: "early", or: "late", default: Counted("either")).defaulting(on: [
                .missing, .mismatch,
            ]), JSONField(embedded: \.embedded, key: "embedded"),
            JSONField(\.transformed, key: "transformed", transform: Wrap(), default: []), JSONField(\.field),
            JSONField(\.lazy), JSONField(flatten: \.flat), JSONField(flatten: \.maybe), JSONField(extra: \.rest),
            JSONField(ignoring: \.ignored, default: Counted("ignored")),
        ])
        func validate() throws { if rest["refused"] != nil { throw Refused() } }

        static let text = #"""
            {"lossy":[{"mark":"a"},{"note":"b"},{"mark":"c","fails":true},{"mark":"d","note":"e"}],
            "by_key":{"k":{"mark":"f"},"no key":{"mark":"g"},"l":{"mark":[]},"k":{"mark":"h"}},
            "items":[{"names":["i","j"]},null,{"names":[]},{"names":["k"]}],"items":[{"names":["l"]}],
            "whole":{"part":"m","other":"n"},"fallback":{"mark":"o","fails":true},"late":"p","early":5,
            "embedded":"{\"mark\":\"q\",\"note\":\"r\"}","transformed":"s","field":"t","lazy":"u",
            "flat":"v","deep":{"flat":"w"},"maybe":"x","unknown":"y","unknown":"z","second":"A"}
            """#
    }

    struct Flat: JSONModel, JSONHooks {
        let flat: Counted
        let deep: Counted?
        static let plan = ModelPlan<Flat>(JSONField(\.flat), JSONField(\.deep, key: "deep.flat"))
        func validate() throws { if flat.text == "bad" { throw Refused() } }
    }

    struct Maybe: JSONModel, JSONHooks {
        let maybe: Counted
        let second: Counted
        let third: Counted?
        static let plan = ModelPlan<Maybe>(
            JSONField(\.maybe), JSONField(\.second, default: Counted("second")), JSONField(\.third))
        func validate() throws { if maybe.text == "bad" { throw Refused() } }
    }

    struct Hooked: JSONModel, JSONValueHook {
        let one: Counted
        let two: Counted?
        let list: [Counted]
        static let plan = ModelPlan<Hooked>(JSONField(\.one), JSONField(\.two), JSONField(\.list))
        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            if value == "bad" { throw Refused() }
            return value ?? (property == "one" ? 5 : "new")
        }
    }

    enum Choice: JSONEnum {
        case item(Item)
        case other(JSONValue)
        static let plan = ModelPlan<Choice>(
            cases: [.of("item", Self.item), .of("other", Self.other)], tagging: .internal(tag: "type"),
            fallback: "other")
    }

    /// In every way to get over failures.
    private func tryAll<T: JSONConvertible>(_ type: T.Type, _ text: String) -> Bool {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder(from: source)
            for errors in [JSONModelDecoder.ErrorPolicy.first, .collect(limit: 2), .collect(limit: 100)] {
                decoder.errorPolicy = errors
                let whole = balanced("\(source), \(errors): \(text)") { _ = try decoder.decode(T.self, from: text) }
                let partly = balanced("\(source), \(errors), partially: \(text)") {
                    _ = try decoder.decodePartially([T].self, from: "[\(text),\(text)]")
                }
                if !whole || !partly { return false }
            }
            decoder.coercion = .mjExtension
            decoder.duplicateKeys = .reject
            guard balanced("\(source), other options: \(text)", { _ = try decoder.decode(T.self, from: text) })
            else { return false }
        }
        return true
    }

    @Test func `a valid document fills every feature`() throws {
        LeakInstances.instances.reset()
        do {
            let value = try JSONModelDecoder().decode(Everything.self, from: Everything.text)
            #expect(value.lossy.map(\.mark.text) == ["a", "d"])
            #expect(value.byKey.values.map(\.mark.text) == ["h"])
            #expect(value.names.map(\.text) == ["l"])
            #expect(value.whole?.values.map(\.text).sorted() == ["m", "n"])
            #expect(value.part?.text == "m")
            #expect(value.fallback == nil)
            #expect(value.either?.text == "either")
            #expect(value.embedded?.note?.text == "r")
            #expect(value.transformed.map(\.text) == ["s", "more"])
            #expect(value.maybe?.second.text == "A")
            #expect(value.rest["unknown"]?.text == "z")
        }
        #expect(LeakInstances.instances.live == 0)
    }

    @Test func `the payloads of repeated names are freed`() {
        LeakInstances.instances.reset()
        for text in [
            #"{"item":{"mark":"a"},"item":{"mark":"b"}}"#, #"{"item":{"mark":"a"},"item":5}"#,
            #"{"item":{"mark":"a"},"table":{"k":"b"}}"#, #"{"table":{"k":"a"},"table":{"k":"b"},"x":1}"#,
        ] where !tryAll(Thing.self, text) { return }
    }

    @Test func `every prefix of a document with every feature frees all values`() {
        LeakInstances.instances.reset()
        let text = Everything.text
        for length in stride(from: 0, through: text.utf8.count, by: 3) {
            guard tryAll(Everything.self, String(decoding: text.utf8.prefix(length), as: UTF8.self)) else { return }
        }
    }

    @Test(arguments: ["5", "null", #""bad""#, "[]", "[[{}]]", #"{"mark":"x","fails":true}"#])
    func `a document with any string replaced frees all values`(_ other: String) {
        LeakInstances.instances.reset()
        let pieces = Everything.text.split(separator: "\"", omittingEmptySubsequences: false)
        // Strings that are values stand behind a colon, a bracket or a comma.
        for index in stride(from: 1, to: pieces.count, by: 2) where pieces[index - 1].last != nil {
            var text = ""
            for (at, piece) in pieces.enumerated() {
                if at == index { text += other } else { text += at % 2 == 0 ? String(piece) : "\"\(piece)\"" }
            }
            guard tryAll(Everything.self, text) else { return }
        }
    }

    @Test func `a failure at any instance of any feature frees all values`() {
        for number in 0..<40 {
            LeakInstances.instances.reset(failing: number)
            guard tryAll(Everything.self, Everything.text) else { break }
        }
        LeakInstances.instances.reset()
    }

    @Test func `a refusal at the end of a document frees all values`() {
        LeakInstances.instances.reset()
        for change in [
            (#""unknown":"y""#, #""refused":"y""#), (#""maybe":"x""#, #""maybe":"bad""#), (#""maybe":"x","#, ""),
            (#""flat":"v""#, #""flat":"bad""#), (#""maybe":"x""#, #""third":"x""#),
        ] { guard tryAll(Everything.self, Everything.text.replacing(change.0, with: change.1)) else { return } }
    }

    @Test func `values of a value hook are freed`() {
        LeakInstances.instances.reset()
        for text in [
            #"{"one":"a","two":"b","list":["c","d"]}"#, #"{"one":"a","list":["c",5]}"#,
            #"{"two":"b","list":["c"]}"#, #"{"one":"a","one":"b","list":[]}"#, #"{"one":"bad","list":["x"]}"#,
            #"{"list":["x"],"one":"a","two":"bad"}"#, #"{"one":"a"}"#,
        ] { guard tryAll(Hooked.self, text) else { return } }
    }

    @Test func `enums in arrays are freed`() {
        LeakInstances.instances.reset()
        for item in [
            #"{"type":"item","mark":"x","note":"y"}"#, #"{"mark":"x","note":5,"type":"item"}"#,
            #"{"type":"item","note":"y","mark":[1]}"#, #"{"type":"item","mark":"x","fails":true}"#,
            #"{"type":"item"}"#, #"{"type":5}"#, "7",
        ] {
            let good = #"{"type":"item","mark":"x"}"#
            guard tryAll(Choice.self, item), tryAll([Choice].self, "[\(good),\(item),\(good)]") else { return }
        }
    }

    @Test func `a better candidate in an array frees a worse one`() throws {
        struct Indexed: JSONModel {
            let one: Counted?
            let many: [Counted]
            static let plan = ModelPlan<Indexed>(
                JSONField(\.one, key: "list[0]", or: "way.one", "one"),
                JSONField(\.many, key: "list[1]", or: "many", default: []))
        }
        LeakInstances.instances.reset()
        let text = #"{"one":"a","many":["b","c"],"way":{"one":"d"},"list":["e",["f"]],"many":["g"]}"#
        let isBalanced = balanced(text) {
            let value = try JSONModelDecoder().decode(Indexed.self, from: text)
            #expect(value.one?.text == "e" && value.many.map(\.text) == ["f"])
        }
        guard isBalanced else { return }
        for other in ["5", "[5]", "null", "{}"] {
            for (old, new) in [(#""e""#, other), (#"["f"]"#, other), (#""d""#, other), (#"["b","c"]"#, other)] {
                guard tryAll(Indexed.self, text.replacing(old, with: new)) else { return }
            }
        }
    }

    // MARK: More than 64 fields

    protocol Prefix { static var name: String { get } }
    enum A: Prefix { static let name = "A" }
    enum B: Prefix { static let name = "B" }
    enum C: Prefix { static let name = "C" }
    enum D: Prefix { static let name = "D" }

    struct Block<P: Prefix>: JSONModel, JSONHooks {
        let a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t: Counted?
        static var plan: ModelPlan<Block> {
            .shared {
                ModelPlan<Block>([
                    JSONField(\.a, key: "\(P.name)a"), JSONField(\.b, key: "\(P.name)b"),
                    JSONField(\.c, key: "\(P.name)c"), JSONField(\.d, key: "\(P.name)d"),
                    JSONField(\.e, key: "\(P.name)e"), JSONField(\.f, key: "\(P.name)f"),
                    JSONField(\.g, key: "\(P.name)g"), JSONField(\.h, key: "\(P.name)h"),
                    JSONField(\.i, key: "\(P.name)i"), JSONField(\.j, key: "\(P.name)j"),
                    JSONField(\.k, key: "\(P.name)k"), JSONField(\.l, key: "\(P.name)l"),
                    JSONField(\.m, key: "\(P.name)m"), JSONField(\.n, key: "\(P.name)n"),
                    JSONField(\.o, key: "\(P.name)o"), JSONField(\.p, key: "\(P.name)p"),
                    JSONField(\.q, key: "\(P.name)q"), JSONField(\.r, key: "\(P.name)r"),
                    JSONField(\.s, key: "\(P.name)s"), JSONField(\.t, key: "\(P.name)t"),
                ])
            }
        }
        func validate() throws { if a?.text == "bad" { throw Refused() } }
    }

    struct Blocks: JSONModel, JSONHooks {
        let one: Block<A>
        let two: Block<B>
        let three: Block<C>
        let four: Block<D>
        let either: Counted?
        static let plan = ModelPlan<Blocks>(
            JSONField(flatten: \.one), JSONField(flatten: \.two), JSONField(flatten: \.three),
            JSONField(flatten: \.four), JSONField(\.either, key: "x", or: "y", "z"))
        func validate() throws { if either?.text == "bad" { throw Refused() } }
    }

    @Test func `the values of more than 64 fields are freed`() throws {
        LeakInstances.instances.reset()
        let text = #"{"Aa":"a","Bt":"b","Ce":"c","Ct":"d","z":"e","Da":"f","Dt":"g","y":"h","Dt":"i","x":"j"}"#
        let isBalanced = balanced(text) {
            let value = try JSONModelDecoder().decode(Blocks.self, from: text)
            #expect(value.one.a?.text == "a" && value.two.t?.text == "b" && value.three.e?.text == "c")
            #expect(value.three.t?.text == "d" && value.four.a?.text == "f" && value.four.t?.text == "i")
            #expect(value.either?.text == "j" && value.two.a == nil && value.four.b == nil)
        }
        guard isBalanced else { return }
        for letter in "acdfghij" {
            for other in [#""bad""#, "5", "null", "{}"] {
                guard tryAll(Blocks.self, text.replacing("\"\(letter)\"", with: other)) else { return }
            }
        }
    }

    struct Letter: JSONModel {
        let mark: Counted
        let note: Counted?
        let list: [Counted]
        static let plan = ModelPlan<Letter>(
            JSONField(\.mark), JSONField(\.note), JSONField(\.list, default: [Counted("default")]))
    }

    enum Sending: JSONEnum, JSONHooks {
        case letter(Letter)
        case empty
        static let plan = ModelPlan<Sending>(
            cases: [.of("letter", Self.letter), .of("empty", .empty)], tagging: .internal(tag: "type"))
        func validate() throws { if case .letter(let letter) = self, letter.mark.text == "bad" { throw Refused() } }
    }

    struct Sent: JSONModel {
        let from: Counted
        let sending: Sending
        let to: Counted?
        let more: [Counted]
        static let plan = ModelPlan<Sent>(
            JSONField(\.from), JSONField(flatten: \.sending), JSONField(\.to),
            JSONField(\.more, default: [Counted("default")]))
    }

    /// The same with a hook, which sees the model at its final place.
    struct CheckedSent: JSONModel, JSONHooks {
        let from: Counted
        let sending: Sending?
        static let plan = ModelPlan<CheckedSent>(JSONField(\.from), JSONField(flatten: \.sending))
        func validate() throws { if from.text == "bad" { throw Refused() } }
    }

    @Test func `the values of a model and of its flattened enum are freed`() throws {
        LeakInstances.instances.reset()
        let text =
            #"{"mark":"a","from":"b","type":"letter","to":"c","list":["d","e"],"note":"f","mark":"g","to":"h"}"#
        let isBalanced = balanced(text) {
            let value = try JSONModelDecoder().decode(Sent.self, from: text)
            guard case .letter(let letter) = value.sending else {
                Issue.record("not a letter")
                return
            }
            #expect(value.from.text == "b" && value.to?.text == "h" && value.more.first?.text == "default")
            #expect(letter.mark.text == "g" && letter.note?.text == "f" && letter.list.map(\.text) == ["d", "e"])
        }
        guard isBalanced else { return }
        var texts = [text, text.replacing("letter", with: "empty"), text.replacing("letter", with: "none")]
        for letter in ["a", "b", "c", "d", "e", "f", "g", "h", "letter"] {
            for other in [#""bad""#, "5", "null", "{}"] {
                texts.append(text.replacing("\"\(letter)\"", with: other))
            }
        }
        for key in ["mark", "from", "list", "note", "to"] {
            texts.append(text.replacing("\"\(key)\"", with: #""unread""#))
        }
        for text in texts { guard tryAll(Sent.self, text), tryAll(CheckedSent.self, text) else { return } }
    }
}
