import SluiceCore
import SluiceStreams
import TestSupport
import Testing

@Suite struct SnapshotTests {
    typealias Owner = EarlyEndTests.Owner
    typealias Repo = EarlyEndTests.Repo
    typealias Page = EarlyEndTests.Page

    private static let decoders = JSONModelDecoder.Source.allCases.map { source in
        JSONModelDecoder.with { $0.source = source }
    }

    /// Pushes a text to a feed in pieces, and calls a closure with each snapshot and the text so far.
    private func read<T: JSONConvertible>(
        _ type: T.Type, _ text: String, at path: JSONPath = JSONPath(), size: Int = 1, _ decoder: JSONModelDecoder,
        _ body: (JSONSnapshot<T>, _ prefix: ArraySlice<UInt8>) throws -> Void
    ) throws {
        let bytes = Array(text.utf8)
        var feed = decoder.feed(of: type, at: path)
        var end = 0
        for piece in bytes.pieces(of: size) {
            end += piece.count
            _ = try feed.push(piece)
            try body(feed.snapshot(), bytes[..<end])
        }
        _ = try feed.finish()
    }

    /// Checks that every snapshot of a document has the value that is decoded from the part before.
    ///
    /// - Parameter closes: Whether an open string is closed for the comparison, or else not compared.
    private func check<T: JSONConvertible & Equatable>(
        _ type: T.Type, _ text: String, closingStrings closes: Bool = true
    ) throws {
        for decoder in Self.decoders {
            for size in [1, 3, 10] {
                try read(type, text, size: size, decoder) { snapshot, prefix in
                    // The first four bytes determine the encoding.
                    if prefix.count < 4 || !closes && snapshot.openText != nil { return }
                    let closed = snapshot.openText == nil ? Array(prefix) : prefix + [UInt8(ascii: "\"")]
                    let partial = try? decoder.decodePartially(type, from: closed)
                    #expect(snapshot.value == partial?.value, "\(String(decoding: prefix, as: UTF8.self))")
                }
            }
        }
    }

    @Test func `a snapshot has the value of the part that was read`() throws {
        let repo = #"""
            {"id":1,"name":"n","owner":{"login":"b"},"tags":["x","y"],"scores":{"p":1,"q":22},"flags":37,
             "any":{"k":[1,true,{"z":null}],"l":"m"},"way":{"to":[0,{"it":5}]},"more":{"a":["b",{"id":3}]}}
            """#
        try check(Repo.self, repo)
        try check(Page.self, #"{"owner":{"login":"a","site":"s"},"items":[\#(repo),{"id":3},\#(repo)]}"#)
        try check([String: [Page]].self, #"{"a":[{"owner":{"login":"a"},"items":[]}],"b":[]}"#)
        try check(JSONValue.self, #"{"a":[1,{"b":[true,"c"]}],"d":{"e":{"f":"g"}}}"#)
        try check(String.self, #""text""#)
        // The first letters of a tag, or of JSON in a string, are neither.
        try check(MergePatchTests.Everything.self, MergePatchTests.document, closingStrings: false)
    }

    /// An enum whose payload has memory of its own.
    private enum Node: JSONEnum, Equatable {
        case table([String: JSONValue])
        case text(String)
        static let plan = ModelPlan<Node>(cases: [.of("table", Self.table), .of("text", Self.text)])
    }

    /// The open token is a fault, which yajl reports when the token is complete.
    @Test(arguments: [
        #"{"table":{"type":"leaf"}"u6"#, #"{"text":"a long string, longer than sixteen bytes""x and more of it"#,
        #"{"text":"a""#, #"{"text" "b"#, #"{"text" 1"#, #"{"text":"a" 12"#, #"{"text":"a" t"#, #"{1"#,
        #"{"text":"a",1"#,
    ])
    func `an open token that is not valid at its position is not part of a snapshot`(_ text: String) throws {
        func check<T: JSONConvertible & Equatable>(_ type: T.Type, _ text: String) {
            for decoder in Self.decoders {
                for size in [1, 2, text.utf8.count - 1] {
                    var feed = decoder.feed(of: type, framing: .concatenated)
                    var prefix: [UInt8] = []
                    for piece in Array(text.utf8).pieces(of: size) {
                        guard (try? feed.push(piece)) != nil else { break }
                        prefix += piece
                        let snapshot = feed.snapshot()
                        if prefix.count < 4 || snapshot.openText != nil { continue }
                        let partial = try? decoder.decodePartially(type, from: prefix)
                        #expect(snapshot.value == partial?.value, "\(String(decoding: prefix, as: UTF8.self))")
                    }
                    #expect(feed.snapshot().openText == nil)
                }
            }
        }
        check(Node.self, text)
        check([String: String].self, text)
        check(JSONValue.self, text)
        check([String].self, #"["a""b"#)
        check([[Int]].self, "[[1] [2")
    }

    @Test func `properties are absent, open or complete`() throws {
        for decoder in Self.decoders {
            var states: [String] = []
            try read(Repo.self, #"{"id":12,"owner":{"login":"ab","site":null},"x":"y","tags":["c"]}"#, decoder) {
                snapshot, prefix in
                func letter(_ property: PartialKeyPath<Repo>) -> String {
                    switch snapshot.state(of: property) {
                    case .absent: "-"
                    case .open: "o"
                    case .complete: "c"
                    }
                }
                let state = [\Repo.id, \.name, \.owner, \.tags].map(letter).joined()
                if states.last != state { states.append(state) }
            }
            #expect(states == ["----", "o---", "c---", "c-o-", "c-c-", "c-co", "c-cc", "cccc"])
        }
    }

    @Test func `a value is shown with its second byte, and a document of two bytes is delivered`() throws {
        for decoder in Self.decoders {
            var feed = decoder.feed(of: JSONValue.self)
            #expect(try feed.push("{".utf8).isEmpty)
            #expect(feed.snapshot().value == nil)
            #expect(try feed.push("\"".utf8).isEmpty)
            #expect(feed.snapshot().value == [:])
            for pieces in [["{}"], ["{", "}"]] {
                var short = decoder.feed(of: JSONValue.self)
                var values: [JSONValue] = []
                for piece in pieces { values += try short.push(piece.utf8) }
                #expect(values == [[:]])
            }
            // Two bytes of which one is no ASCII, or zero, do not determine the encoding.
            var other = decoder.feed(of: JSONValue.self)
            #expect(try other.push([0x7B, 0]).isEmpty)
            let error = #expect(throws: JSONModelError.self) { _ = try other.push([0x7D, 0]) }
            #expect(error?.issues.map(\.kind) == [.unsupportedEncoding("UTF-16 (little-endian)")])
        }
    }

    private struct Switch: JSONModel {
        let isOn: Bool?
        let level: JSONPresence<Int>
        static let plan = ModelPlan<Switch>(JSONField(\.isOn), JSONField(\.level))
    }

    @Test func `a literal is complete with its last letter`() throws {
        for decoder in Self.decoders {
            try read(Switch.self, #"{"isOn":true,"level":null}"#, decoder) { snapshot, prefix in
                let states = [snapshot.state(of: \.isOn), snapshot.state(of: \.level)]
                switch prefix.count {
                case 11: #expect(states == [.open, .absent])
                case 12: #expect(states == [.complete, .absent])
                case 24: #expect(states == [.complete, .open])
                case 25: #expect(states == [.complete, .complete])
                default: break
                }
            }
        }
    }

    @Test func `properties can be read before the required ones have arrived`() throws {
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Repo.self)
            let empty = feed.snapshot()
            #expect(empty.value == nil && empty.properties.isEmpty && !empty.isComplete)
            _ = try feed.push(Array(#"{"name":"a name","owner":{"login":"me"},"tags":["a","b"#.utf8))
            let snapshot = feed.snapshot()
            #expect(snapshot.value == nil)
            #expect(snapshot[\.name] == "a name")
            #expect(snapshot[\.owner] == Owner(login: "me"))
            #expect(snapshot[\.tags] == ["a", "b"])
            #expect(snapshot[\.id] == nil)
            #expect(snapshot.openPath == "tags[1]")
            #expect(snapshot.openText == "b")
            #expect(snapshot.issues.map(\.kind) == [.missingKeys(["id"])])
            #expect(
                snapshot.properties.map(\.name) == [
                    "id", "name", "owner", "tags", "scores", "flags", "any", "deep",
                ])
            #expect(snapshot.properties.map(\.state)[0...4] == [.absent, .complete, .complete, .open, .absent])
            _ = try feed.push(Array(#""],"id":3}"#.utf8))
            let last = feed.snapshot()
            #expect(last.isComplete)
            #expect(last[\.id] == 3)
            #expect(last.state(of: \.deep) == .complete)
            #expect(snapshot[\.id] == nil)
            #expect(try feed.finish().isEmpty)
        }
    }

    @Test func `a part of a property has the state of the property`() throws {
        struct Point: JSONModel, Equatable {
            let x: Int
            let y: Int
            static let plan = ModelPlan<Point>(JSONField(\.x), JSONField(\.y))
        }
        struct Line: JSONModel, Equatable {
            let start: Point
            let end: Point
            static let plan = ModelPlan<Line>(JSONField(\.start), JSONField(\.end))
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Line.self)
            _ = try feed.push(Array(#"{"start":{"x":1,"y":2},"en"#.utf8))
            let snapshot = feed.snapshot()
            #expect(snapshot.state(of: \.start.x) == .complete && snapshot.state(of: \.start.y) == .complete)
            #expect(snapshot[\.start.x] == 1 && snapshot[\.start.y] == 2)
            #expect(snapshot.state(of: \.end.y) == .absent && snapshot[\.end.y] == nil)
        }
    }

    @Test func `an empty property has the offset of another one`() throws {
        enum Kind: String, JSONConvertible { case only }
        struct Note: JSONModel {
            let kind: Kind
            let name: String
            let id: Int
            static let plan = ModelPlan<Note>(JSONField(\.kind), JSONField(\.name), JSONField(\.id))
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Note.self)
            _ = try feed.push(Array(#"{"kind":"only","na"#.utf8))
            var snapshot = feed.snapshot()
            #expect(snapshot[\.name] == nil)
            #expect(snapshot.state(of: \.kind) == .complete && snapshot.state(of: \.name) == .absent)
            _ = try feed.push(Array(#"me":"Ann","i"#.utf8))
            snapshot = feed.snapshot()
            #expect(snapshot[\.name] == "Ann" && snapshot.state(of: \.name) == .complete)
        }
    }

    @Test func `a flattened model is open until all of its properties are read`() throws {
        struct Person: JSONModel, Equatable {
            let first: String
            let last: String
            static let plan = ModelPlan<Person>(JSONField(\.first), JSONField(\.last))
        }
        struct Member: JSONModel, Equatable {
            let person: Person
            let id: Int
            let note: String?
            static let plan = ModelPlan<Member>(JSONField(flatten: \.person), JSONField(\.id), JSONField(\.note))
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Member.self)
            _ = try feed.push(Array(#"{"first":"Ann","#.utf8))
            var snapshot = feed.snapshot()
            #expect(snapshot[\.person] == nil && snapshot[\Member.self] == nil)
            #expect(snapshot[\.person.first] == "Ann" && snapshot[\.person.last] == nil)
            #expect(snapshot.state(of: \.person) == .open && snapshot.state(of: \.person.first) == .complete)
            _ = try feed.push(Array(#""last":"Lee","id":7,"no"#.utf8))
            snapshot = feed.snapshot()
            #expect(snapshot[\.person] == Person(first: "Ann", last: "Lee"))
            #expect(snapshot[\Member.self]?.id == 7)
            #expect(snapshot.state(of: \.person) == .complete && snapshot.state(of: \.note) == .absent)
        }
    }

    @Test func `a property without bytes is not its neighbor`() throws {
        struct Mark: JSONModel, Equatable {
            static let plan = ModelPlan<Mark>([])
        }
        struct Item: JSONModel, Equatable {
            let mark: Mark
            let id: Int
            let name: String
            static let plan = ModelPlan<Item>(
                JSONField(\.mark, key: "mark"), JSONField(\.id, key: "id"), JSONField(\.name, key: "name"))
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Item.self)
            _ = try feed.push(Array(#"{"id":7,"#.utf8))
            var snapshot = feed.snapshot()
            #expect(snapshot[\.id] == 7 && snapshot[\.mark] == nil)
            #expect(snapshot.state(of: \.id) == .complete && snapshot.state(of: \.mark) == .absent)
            feed = decoder.feed(of: Item.self)
            _ = try feed.push(Array(#"{"mark":{},"#.utf8))
            snapshot = feed.snapshot()
            #expect(snapshot[\.id] == nil && snapshot[\.mark] == Mark())
            #expect(snapshot.state(of: \.id) == .absent && snapshot.state(of: \.mark) == .complete)
        }
    }

    @Test func `the properties of a class are absent, open or complete`() throws {
        final class Person: JSONModel, Sendable {
            struct Storage {
                let id: Int
                let name: String
                let note: String?
            }
            let id: Int
            let name: String
            let note: String?
            init(_ storage: Storage) { (id, name, note) = (storage.id, storage.name, storage.note) }
            static let plan = ModelPlan<Person>(
                storage: Storage.self,
                [JSONField(\.id, key: "id"), JSONField(\.name, key: "name"), JSONField(\.note, key: "note")],
                make: { Person($0) })
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Person.self)
            _ = try feed.push(Array(#"{"id":1,"name":"a na"#.utf8))
            let snapshot = feed.snapshot()
            #expect(snapshot.state(of: \.id) == .complete)
            #expect(snapshot.state(of: \.name) == .open)
            #expect(snapshot.state(of: \.note) == .absent)
            #expect(snapshot.state(of: \.self) == .absent)
        }
    }

    @Test func `the properties of a struct that is made from a storage are absent, open or complete`() throws {
        struct Person: JSONModel {
            struct Storage {
                let id: Int
                let name: String
                let note: String?
            }
            let id: Int
            let name: String
            var note: String? { didSet { changes += 1 } }
            var changes = 0
            static let plan = ModelPlan<Person>(
                storage: Storage.self,
                [JSONField(\.id, key: "id"), JSONField(\.name, key: "name"), JSONField(\.note, key: "note")],
                make: { Person(id: $0.id, name: $0.name, note: $0.note) })
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Person.self)
            _ = try feed.push(Array(#"{"id":1,"name":"a na"#.utf8))
            let first = feed.snapshot()
            #expect(first.state(of: \.id) == .complete && first.state(of: \.name) == .open)
            #expect(first.state(of: \.note) == .absent && first.state(of: \.changes) == .absent)
            _ = try feed.push(Array(#"me","note":"b"#.utf8))
            let second = feed.snapshot()
            #expect(second.state(of: \.name) == .complete)
            #expect(second[\.id] == 1 && second[\.name] == "a name" && second[\.note] == "b")
        }
    }

    @Test func `unknown keys of a value from a hook are no hints for the enclosing model`() throws {
        struct Part: JSONModel {
            let id: Int
            static let plan = ModelPlan<Part>(JSONField(\.id, key: "id"))
        }
        struct Model: JSONModel, JSONValueHook {
            let name: String
            let part: Part?
            static let plan = ModelPlan<Model>(JSONField(\.name, key: "name"), JSONField(\.part, key: "part"))
            static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
                property == "part" ? value ?? ["names": 1, "id": 2] : value
            }
        }
        #expect(try refusal(Model.self, #"{"names":"y"}"#).hint == #""names" is similar to "name""#)
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Model.self)
            _ = try feed.push(Array(#"{"x":"y","#.utf8))
            let snapshot = feed.snapshot()
            #expect(snapshot.issues.map(\.kind) == [.missingKeys(["name"])])
            #expect(snapshot.issues.map(\.hint) == [nil])
        }
    }

    @Test func `the text of an open string grows by whole characters`() throws {
        let text = #"{"id":1,"name":"a\"b\\ \u00e9 \ud83d\ude00 \n é 😀 ","x":"#
        for decoder in Self.decoders {
            for size in 1...13 {
                var texts: [String] = []
                var feed = decoder.feed(of: Repo.self)
                for piece in Array(text.utf8).pieces(of: size) {
                    _ = try feed.push(piece)
                    if let text = feed.snapshot().openText {
                        #expect(feed.snapshot()[\.name] == text)
                        texts.append(text)
                    }
                }
                for text in texts { #expect("a\"b\\ é 😀 \n é 😀 ".hasPrefix(text)) }
                if size == 1 { #expect(texts.last == "a\"b\\ é 😀 \n é 😀 ") }
                #expect(feed.snapshot()[\.name] == "a\"b\\ é 😀 \n é 😀 ")
            }
        }
    }

    @Test func `elements of a stream have snapshots, and other parts have none`() throws {
        let text = #"{"total":3,"items":[{"id":1,"name":"a"}, {"id":2,"tags":["b","c"]}],"next":{"name":"x"}}"#
        for decoder in Self.decoders {
            var values: [Repo] = []
            try read(Repo.self, text, at: "items[*]", decoder) { snapshot, prefix in
                if let value = snapshot.value, values.last != value { values.append(value) }
            }
            #expect(
                values == [
                    Repo(id: 1), Repo(id: 1, name: ""), Repo(id: 1, name: "a"), Repo(id: 2), Repo(id: 2, tags: []),
                    Repo(id: 2, tags: [""]), Repo(id: 2, tags: ["b"]), Repo(id: 2, tags: ["b", ""]),
                    Repo(id: 2, tags: ["b", "c"]),
                ])
        }
    }

    @Test func `properties in the padding of others are kept`() throws {
        struct Packed: JSONModel, Equatable {
            let flag: Bool
            var number: Int?
            var small: UInt8?
            let last: Bool
            static let plan = ModelPlan<Packed>(
                JSONField(\.flag, key: "flag"), JSONField(\.number, key: "number"),
                JSONField(\.small, key: "small"),
                JSONField(\.last, key: "last"))
        }
        try check(
            [String: [Packed]].self,
            #"{"a": [{"last":true,"small":1,"flag":true,"number":2},{"last":true,"flag":true}], "b": []}"#)
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Packed.self)
            _ = try feed.push(Array(#"{"last":true,"small":1,"flag":true,"number":2,"#.utf8))
            #expect(feed.snapshot().value == Packed(flag: true, number: 2, small: 1, last: true))
        }
    }

    @Test func `a model of many properties has a snapshot`() throws {
        let text = "{" + Wide.members().joined(separator: ",") + "}"
        for decoder in Self.decoders {
            var counts: Set<Int> = []
            try read(Wide.self, text, size: 7, decoder) { snapshot, _ in
                counts.insert(snapshot.properties.count { $0.state == .complete })
            }
            #expect(counts.count > 100)
            #expect(counts.contains(200))
        }
    }

    @Test func `an element is complete at its closing token, however long its strings are`() throws {
        for decoder in Self.decoders {
            for filling in ["plain ", #"\"escaped\\"#, #"\u00e9"#] {
                for count in [100, 1_000, 20_000] {
                    var feed = decoder.feed(of: Owner.self)
                    _ = try feed.push(Array("[".utf8))
                    let string = String(repeating: filling, count: count)
                    for piece in Array(#"{"login":"\#(string)"#.utf8).pieces(of: 700) {
                        #expect(try feed.push(piece).isEmpty)
                    }
                    #expect(try feed.push(Array(#"","site":"#.utf8)).isEmpty)
                    #expect(feed.snapshot().state(of: \.login) == .complete)
                    #expect(try feed.push(Array(#"null}"#.utf8)).count == 1)
                    #expect(try feed.push(Array("]".utf8)).isEmpty)
                    #expect(try feed.finish().isEmpty)
                }
            }
        }
    }

    @Test func `the first letters of a tag are no tag`() throws {
        enum Switch: JSONEnum, Equatable {
            case on, only
            static let plan = ModelPlan<Switch>(
                cases: [.of("on", .on), .of("only", .only)], tagging: .internal(tag: "type"))
        }
        for decoder in Self.decoders {
            var feed = decoder.feed(of: Switch.self)
            _ = try feed.push(Array(#"{"type":"on"#.utf8))
            #expect(feed.snapshot().value == nil)
            #expect(feed.snapshot().openText == "on")
            _ = try feed.push(Array(#"ly""#.utf8))
            #expect(feed.snapshot().value == .only)
        }
    }

    @Test func `null is the value beside a worse candidate that is incomplete`() throws {
        struct Model: JSONModel, Equatable {
            let owner: JSONPresence<Owner>
            static let plan = ModelPlan<Model>(JSONField(\.owner, key: "a", or: "b"))
        }
        for decoder in Self.decoders {
            var decoder = decoder
            decoder.coercion = .mjExtension
            let text = Array(#"{"a":null,"b":{"site":"x""#.utf8)
            var feed = decoder.feed(of: Model.self)
            _ = try feed.push(text)
            #expect(feed.snapshot().value == Model(owner: .null))
            #expect(try decoder.decodePartially(Model.self, from: text).value == Model(owner: .null))
        }
    }
}

enum SnapshotInstances: InstanceGroup {
    static let instances = InstanceCounter()
}

@Suite(.serialized) struct SnapshotLeakTests {
    typealias Counted = Instance<SnapshotInstances>

    struct Item: JSONModel {
        let mark: Counted
        let note: Counted?
        static let plan = ModelPlan<Item>(JSONField(\.mark, key: "mark"), JSONField(\.note, key: "note"))
    }

    final class Object: JSONModel {
        struct Storage {
            var mark: Counted
            var items: [Item]
        }
        let storage: Storage
        init(_ storage: Storage) { self.storage = storage }
        static let plan = ModelPlan<Object>(
            storage: Storage.self, [JSONField(\.mark, key: "mark"), JSONField(\.items, key: "items")],
            make: { Object($0) })
    }

    enum Shape: JSONEnum {
        case one(Item)
        case many([Counted])
        static let plan = ModelPlan<Shape>(
            cases: [.of("one", Self.one), .of("many", Self.many)], tagging: .adjacent(tag: "kind", content: "of"))
    }

    struct All: JSONModel {
        let items: [Item]
        let byKey: [Counted: Item]
        let names: [Counted]
        let deep: Counted?
        let object: Object?
        let shapes: [Shape]
        let rest: [String: Counted]
        static let plan = ModelPlan<All>([
            JSONField(\.items, key: "items"), JSONField(\.byKey, key: "by_key", default: [:]),
            JSONField(\.names, key: "all[*].names[*]", default: []), JSONField(\.deep, key: "way.to[1]"),
            JSONField(\.object, key: "object"), JSONField(\.shapes, key: "shapes", default: []),
            JSONField(extra: \.rest),
        ])

        static let text = #"""
            {"x":"y","items":[{"mark":"a","note":"b"},{"mark":"c"}],"by_key":{"k":{"mark":"d"},"l":{"mark":"e"}},
            "all":[{"names":["f","g"]},{"names":["h"]}],"way":{"to":[0,"i"]},
            "object":{"mark":"j","items":[{"mark":"k"}]},"z":"l",
            "shapes":[{"kind":"one","of":{"mark":"m"}},{"kind":"many","of":["n","o"]},{"of":["p"],"kind":"many"}]}
            """#
    }

    @Test func `snapshots own their values, and release them`() throws {
        for decoder in JSONModelDecoder.ofEverySource {
            let bytes = Array(All.text.utf8)
            do {
                var feed = decoder.feed(of: All.self)
                var snapshots: [JSONSnapshot<All>] = []
                var count = 0
                for byte in bytes {
                    count += try feed.push([byte]).count
                    snapshots.append(feed.snapshot())
                }
                #expect(count == 1)
                let last = try #require(snapshots.last?.value)
                #expect(last.items.count == 2)
                #expect(last.shapes.count == 3)
                #expect(last.names.map(\.text) == ["f", "g", "h"])
                let texts = snapshots.compactMap { $0[\.items]?.map(\.mark.text) }
                #expect(texts.contains(["a"]) && texts.contains(["a", "c"]))
            }
            #expect(SnapshotInstances.instances.live == 0)
            // An input that ends early.
            do {
                var feed = decoder.feed(of: All.self)
                _ = try feed.push(bytes[..<(bytes.count - 30)])
                let snapshot = feed.snapshot()
                #expect(throws: JSONModelError.self) { try feed.finish() }
                #expect(snapshot[\.byKey]?.count == 2)
            }
            #expect(SnapshotInstances.instances.live == 0)
        }
    }
}
