import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Documents whose keys are in any order, which a decoder learns in the course of a call.
@Suite(.tags(.keys)) struct KeyOrderTests {
    struct Part: JSONModel, Equatable {
        var name: String
        var size: Int?
        static let plan = ModelPlan<Part>(JSONField(\.name), JSONField(\.size))
    }

    struct Item: JSONModel, Equatable {
        var id: Int
        var title: String
        var ratio: Double?
        var owner: String?
        var team: Int?
        var part: Part
        var parts: [Part]
        var alias: String?
        static let plan = ModelPlan<Item>(
            JSONField(\.id), JSONField(\.title), JSONField(\.ratio), JSONField(\.owner, key: "owner.name"),
            JSONField(\.team, key: "owner.team_number"), JSONField(\.part), JSONField(\.parts, default: []),
            JSONField(\.alias, key: "alias", or: "nickname"))
    }

    struct Extra: JSONModel, Equatable {
        var id: Int
        var others: [String: Int]
        static let plan = ModelPlan<Extra>(JSONField(\.id), JSONField(extra: \.others))
    }

    struct First: JSONModel, Equatable {
        var id: Int
        var kind: String?
        static let plan = ModelPlan<First>(JSONField(\.id), JSONField(\.kind))
    }

    enum Tagged: JSONEnum, Equatable {
        case first(First)
        case part(Part)
        static let plan = ModelPlan<Tagged>(
            cases: [.of("first", Self.first), .of("part", Self.part)], tagging: .internal(tag: "kind"))
    }

    /// An element as decoded alone, or its error without the location.
    private enum Outcome<Model: Equatable>: Equatable {
        case model(Model)
        case failure(String)

        init(_ decode: () throws -> Model) {
            do { self = .model(try decode()) } catch let error as JSONModelError {
                self = .failure(error.issues.map { "\($0.kind) \($0.hint ?? "")" }.joined(separator: "; "))
            } catch { self = .failure("\(error)") }
        }
    }

    /// The members of an object, in an order that depends on the document.
    private struct Writer {
        /// The orders of the document: ranks by key.
        var orders: [[String: Int]]
        var isRandom: Bool

        init(_ random: inout SeededRandom, keys: [String]) {
            orders = (0..<random.pick([1, 1, 2, 3])).map { _ in
                Dictionary(uniqueKeysWithValues: keys.shuffled(using: &random).enumerated().map { ($1, $0) })
            }
            isRandom = random.below(4) == 0
        }

        func object(_ members: [(String, String)], _ random: inout SeededRandom) -> String {
            let order = random.pick(orders)
            let sorted =
                isRandom
                ? members.shuffled(using: &random)
                : members.sorted { order[$0.0, default: 0] < order[$1.0, default: 0] }
            return "{" + sorted.map { "\"\($0)\":\($1)" }.joined(separator: random.pick([",", ", ", ",\n "])) + "}"
        }
    }

    private static let keys = [
        "id", "title", "ratio", "owner", "name", "team_number", "part", "parts", "alias", "nickname", "size",
        "kind", "unread", "another_unread_key", "a key without a field that has more than fifty-five bytes in it",
        "é", "\\u00e9x", "tytle", "x", "y",
    ]

    private static func scalar(_ random: inout SeededRandom) -> String {
        random.pick(["1", "true", "null", "\"text\"", "[1,{\"id\":2}]", "{\"id\":{\"name\":1}}", "-2.5"])
    }

    /// Removes a member now and then, adds members without a field, and repeats a key seldom.
    private static func changed(_ members: [(String, String)], _ random: inout SeededRandom) -> [(String, String)] {
        var members = members
        if random.below(12) == 0 { members.remove(at: random.below(members.count)) }
        for key in keys[12...] where random.below(3) > 0 { members.append((key, scalar(&random))) }
        if random.below(40) == 0 { members.append(members[random.below(members.count)]) }
        return members
    }

    private static func part(_ writer: Writer, _ random: inout SeededRandom) -> String {
        writer.object(changed([("name", "\"part\""), ("size", "\(random.below(9))")], &random), &random)
    }

    private static func item(_ writer: Writer, _ random: inout SeededRandom) -> String {
        let owner = writer.object(
            changed([("name", "\"o\""), ("team_number", "\(random.below(99))")], &random), &random)
        let parts = (0..<random.below(3)).map { _ in part(writer, &random) }.joined(separator: ",")
        return writer.object(
            changed(
                [
                    ("id", "\(random.below(1000))"), ("title", "\"title\""), ("ratio", "1.5"), ("owner", owner),
                    ("part", part(writer, &random)), ("parts", "[\(parts)]"), ("alias", "\"a\""),
                    ("nickname", "\"n\""),
                ], &random), &random)
    }

    /// Expects that the elements of an array are those that are decoded one by one.
    private static func check<Model: JSONModel & Equatable>(
        _ type: Model.Type, _ texts: [String], _ decoder: JSONModelDecoder, _ comment: Comment
    ) {
        let alone = texts.map { text in Outcome<Model> { try decoder.decode(Model.self, from: text) } }
        var skipping = decoder
        skipping.elementErrors = .skip
        let log = IssueLog()
        skipping.issueHandler = { log.add($0) }
        let document = "[\(texts.joined(separator: ",\n"))]"
        var models: [Model] = []
        #expect(throws: Never.self, comment) {
            try skipping.forEach(Model.self, in: document) { (model: Model) in models.append(model) }
        }
        let expected = alone.compactMap { if case .model(let model) = $0 { model } else { nil } }
        #expect(models == expected, comment)
        let failures = alone.compactMap { if case .failure(let text) = $0 { text } else { nil } }
        // The first issue of each element.
        var last: Int?
        let issues = log.issues.filter { issue in
            defer { last = issue.elementIndex }
            return issue.elementIndex != last
        }
        #expect(issues.map { "\($0.kind) \($0.hint ?? "")" } == failures, comment)
        let whole = failures.first.map { .failure($0) } ?? Outcome.model(expected)
        #expect(Outcome<[Model]> { try decoder.decode([Model].self, from: document) } == whole, comment)
        // A value in memory has each key once.
        let strict = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        guard let value = try? strict.decode(JSONValue.self, from: document) else { return }
        #expect(Outcome<[Model]> { try decoder.decode([Model].self, from: value) } == whole, comment)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the order of keys changes no value and no error`(_ source: JSONModelDecoder.Source) {
        for index in 0..<150 {
            var random = SeededRandom(seed: 61, index: index)
            let writer = Writer(&random, keys: Self.keys)
            var decoder = JSONModelDecoder(from: source)
            decoder.duplicateKeys = random.pick([.lastWins, .reject])
            decoder.unknownKeys = random.pick([.ignore, .ignore, .reject])
            let count = random.pick([3, 20, 80])
            let comment: Comment = "case \(index)"
            Self.check(Item.self, (0..<count).map { _ in Self.item(writer, &random) }, decoder, comment)
            Self.check(
                Extra.self,
                (0..<count).map { _ in
                    writer.object(
                        [("id", "1"), ("x", "2"), ("y", "3"), ("unread", "4")].shuffled(using: &random), &random)
                }, decoder, comment)
            Self.check(
                Tagged.self,
                (0..<count).map { _ in
                    random.below(2) == 0
                        ? writer.object(Self.changed([("kind", "\"first\""), ("id", "1")], &random), &random)
                        : writer.object(Self.changed([("kind", "\"part\""), ("name", "\"n\"")], &random), &random)
                }, decoder, comment)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a misspelled key is named in any order`(_ source: JSONModelDecoder.Source) {
        let decoder = JSONModelDecoder(from: source)
        let good = #"{"size":1,"unread":2,"nmae":3,"name":"n"}"#
        let bad = #"{"size":1,"unread":2,"nmae":3}"#
        let texts = Array(repeating: good, count: 100) + [bad]
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Part].self, from: "[\(texts.joined(separator: ","))]")
        }
        #expect(error?.issues.first?.path.description == "[100]")
        #expect(error?.issues.first?.hint == #""nmae" is similar to "name""#)
    }

    @Test func `a document can have more keys without a field than are learned`() throws {
        let texts = (0..<2_000).map { #"{"key_\#($0)":1,"size":\#($0),"other_\#($0)":{"name":2},"name":"n"}"# }
        let parts = try JSONModelDecoder().decode([Part].self, from: "[\((texts + texts).joined(separator: ","))]")
        #expect(parts.map(\.size) == Array(0..<2_000) + Array(0..<2_000))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a document whose order is random, then constant, is read`(_ source: JSONModelDecoder.Source) throws {
        var random = SeededRandom(seed: 73, index: 0)
        // More wrong guesses than are counted before the order counts as random.
        let texts = (0..<3_000).map { id in
            var members = [
                "\"id\":\(id)", "\"title\":\"t\"", "\"part\":{\"name\":\"n\",\"size\":1}", "\"alias\":\"a\"",
                "\"team\":3", "\"other\":[1]",
            ]
            if id < 2_000 { members.shuffle(using: &random) }
            return "{\(members.joined(separator: ","))}"
        }
        let items = try JSONModelDecoder(from: source).decode(
            [Item].self, from: "[\(texts.joined(separator: ","))]")
        #expect(items.map(\.id) == Array(0..<3_000))
        #expect(items.allSatisfy { $0.part == Part(name: "n", size: 1) && $0.alias == "a" && $0.title == "t" })
    }

    /// Objects whose members without a field are expected, before another object.
    private static func learned(before object: String) -> String {
        let usual = #"{"a":"text","b":1.5,"name":"n","c":{"d":[1]},"e":null,"size":2,"f":true}"#
        return "[" + Array(repeating: usual, count: 60).joined(separator: ", ") + ",\n" + object + "]"
    }

    @Test(arguments: [
        #"{"a" : "text" , "b": -0.5e-10,"name":"n","c":[],"e":{},"size":2 , "f": false }"#,
        #"{"a":"\u00e9\ud83d\ude00\\\"\/","b":123456789012345678901234567890.5E+7,"name":"n","c":[{"x":"é"}],"size":2,"f":[ ]}"#,
        #"{"\u0061":"é, 漢字, and more than thirty-two bytes","b":-7,"name":"n","c":{"name":"x"},"e":"","size":2}"#,
        "{\"a\":\n\"text\",\n\t\"b\"\r:1,\n\"name\":\"n\",\"c\":0\n,\"e\":[[],{}],\"size\":2,\"f\":{\n}}",
        #"{"a":"","b":0,"c":null,"e":false,"f":"x","name":"n","size":2}"#,
        #"{"a":"","b":"name","b":"name","name":"n","c":{"c":{"c":{}}},"e":"size","size":2}"#,
        #"{"size":2,"name":"n"}"#,
    ])
    func `members without a field have any value and form`(_ object: String) throws {
        #expect(try decode([Part].self, Self.learned(before: object)).last == Part(name: "n", size: 2))
    }

    @Test(arguments: [
        #"{"a":"te\#u{1}xt"}"#, #"{"a":"\x"}"#, #"{"a":"\ud800"}"#, #"{"a":text}"#, #"{"a":tru}"#, #"{"a":nul}"#,
        #"{"a":,}"#,
        #"{"a":"","b":01}"#, #"{"a":"","b":1.}"#, #"{"a":"","b":-}"#, #"{"a":"","b":1e}"#, #"{"a":"","b":.5}"#,
        #"{"a" "text"}"#, #"{"a":"text" "b":1}"#, #"{"a":"text","b":1 2}"#, #"{"a":"text",}"#, #"{"a":"text"]"#,
        #"{"a":"text",,"b":1}"#, #"{"a":"text","b":1,"name":"n","c":{"d":[1,]}}"#,
        #"{"a":"","b":1,"name":"n","c":{"d" 1}}"#,
        #"{"a":"","b":1,"name":"n","c":[1}}"#, #"{"a":"","b":1,"name":"n","c":{},"e":[]]"#, #"{"a":[1,"b":2]}"#,
        #"{"a":{"b":{"c":[}]}}}"#,
    ])
    func `members without a field are checked in the expected order`(_ object: String) throws {
        let alone = try refusal(Part.self, object)
        let issue = try refusal([Part].self, Self.learned(before: object))
        #expect(issue.kind == alone.kind)
        let offset = Self.learned(before: "").utf8.count - 1
        #expect(issue.location.offset == alone.location.offset + offset)
    }

    @Test(
        arguments: [
            (#"{"a":"text","b":1.5,"name":"n","c":{"d":[[1]]}}"#, "[1]", .limitExceeded(.depth, limit: 4)),
            (#"{"a":"text","b":1.55,"name":"n"}"#, "1.55", .limitExceeded(.number, limit: 3)),
            (#"{"a":"texts","b":1.5,"name":"n"}"#, #""texts""#, .limitExceeded(.string, limit: 4)),
        ] as [(String, String, JSONIssue.Kind)])
    func `members without a field are within the limits`(_ object: String, _ excess: String, _ kind: JSONIssue.Kind)
        throws
    {
        var decoder = JSONModelDecoder()
        (decoder.limits.depth, decoder.limits.number, decoder.limits.string) = (4, 3, 4)
        let text = Self.learned(before: object)
        let issue = try refusal([Part].self, text, with: decoder)
        #expect(issue.kind == kind)
        let start = try #require(text.ranges(of: excess).last).lowerBound
        #expect(issue.location.offset == text.utf8.distance(from: text.startIndex, to: start))
    }

    @Test func `an object whose members have no field ends anywhere`() throws {
        let object = #"{"a":"text","b":1.5,"name":"n","c":{"d":[1]},"e":null,"size":2,"f":true}"#
        let start = Self.learned(before: "").dropLast()
        for count in 0..<object.utf8.count {
            let issue = try refusal([Part].self, String(start + object.prefix(count)))
            #expect(issue.kind == .unexpectedEnd, "\(count)")
        }
    }

    @Test(arguments: Feed.all()) func `members without a field are valid UTF-8`(_ feed: Feed) {
        for invalid: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x80]] {
            let text =
                Array(Self.learned(before: #"{"a":"#).utf8.dropLast()) + [0x22] + invalid
                + Array(#"","name":"n"}]"#.utf8)
            let error = #expect(throws: JSONModelError.self) {
                try feed.decode([Part].self, text, with: JSONModelDecoder())
            }
            #expect(error?.issues.first?.kind == .invalidUTF8)
        }
    }
}
