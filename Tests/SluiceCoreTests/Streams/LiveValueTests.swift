import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Values of models without required properties, which follow the input.
@Suite struct LiveValueTests {
    struct Leg: JSONModel, Equatable {
        var from: String?
        var to: String?
        var minutes: Int?
        var stops: [String]?
        var via: [Leg]?
        static let plan = ModelPlan<Leg>(
            JSONField(\.from), JSONField(\.to), JSONField(\.minutes), JSONField(\.stops), JSONField(\.via))
    }

    typealias Owner = EarlyEndTests.Owner

    struct Address: JSONModel, Equatable {
        var city: String?
        var lines: [String]?
        static let plan = ModelPlan<Address>(JSONField(\.city), JSONField(\.lines))
    }

    enum Node: JSONEnum, Equatable {
        case leg(Leg)
        case legs([Leg])
        case none
        static let plan = ModelPlan<Node>(
            cases: [.of("leg", Self.leg), .of("legs", Self.legs), .of("none", .none)],
            tagging: .adjacent(tag: "kind", content: "of"))
    }

    struct Draft: JSONModel, Equatable {
        var id: Int?
        var title: String?
        var text: String?
        var legs: [Leg]?
        var byName: [String: Leg]?
        var groups: [String: [Leg]]?
        var grid: [[Int]]?
        var names: [String]?
        var optionalNames: [String?]?
        var optionalLegs: [Leg?]?
        var words: [String: String]?
        var numbers: [Int: String]?
        var deepWords: [String: [String: String]]?
        var any: JSONValue?
        var values: [JSONValue]?
        var owner: Owner?
        var owners: [Owner]?
        var ownersByName: [String: Owner]?
        var node: Node?
        var nodes: [Node]?
        var tags: Set<String>?
        var deep: String?
        var deeper: Leg?
        var second: Leg?
        var note: String?
        var ratio: Double?
        var doubles: [Double]?
        var scores: [Int] = []
        var plain = true
        var wild: [String] = []
        var address: Address
        var rest: [String: JSONValue] = [:]
        static let plan = ModelPlan<Draft>([
            JSONField(\.id), JSONField(\.title), JSONField(\.text), JSONField(\.legs), JSONField(\.byName),
            JSONField(\.groups), JSONField(\.grid), JSONField(\.names), JSONField(\.optionalNames),
            JSONField(\.optionalLegs), JSONField(\.words), JSONField(\.numbers), JSONField(\.deepWords),
            JSONField(\.any), JSONField(\.values), JSONField(\.owner), JSONField(\.owners),
            JSONField(\.ownersByName), JSONField(\.node), JSONField(\.nodes), JSONField(\.tags),
            JSONField(\.deep, key: "way.to.it"), JSONField(\.deeper, key: "way.leg"),
            JSONField(\.second, key: "list[1]"), JSONField(\.note, key: "note", or: "remark"), JSONField(\.ratio),
            JSONField(\.doubles), JSONField(\.scores, default: []).lossy(), JSONField(\.plain, default: true),
            JSONField(\.wild, key: "items[*].name", default: []), JSONField(flatten: \.address),
            JSONField(extra: \.rest),
        ])
    }

    private static let leg = #"{"from":"Bonn am Rhein, Hauptbahnhof","to":"U","minutes":12,"stops":["a","bc"]}"#
    private static let document = #"""
        {"id":12,"title":"A title of some length","text":"The text is longer, and 日本 is in it","legs":[\#(leg),
        {"to":"x","via":[\#(leg),{},{"from":"q"}]}, {}],"byName":{"a":\#(leg),"bc":{"stops":[],"to":"v"}},
        "groups":{"g":[\#(leg)],"h":[],"i":[{},{"minutes":7}]},"grid":[[1,22],[],[333]],"names":["x","yz",""],
        "optionalNames":["a",null,"bc"],"optionalLegs":[null,{"to":"o"},null],"words":{"k":"one","l":"two words"},
        "numbers":{"1":"x","22":"yy"},"deepWords":{"m":{"n":"o"},"p":{}},"any":{"b":[1,true,{"z":null}],"c":"str"},
        "values":["text",1,[2],{"k":"v"}],"owner":{"site":"s","login":"me"},"owners":[{"login":"a"},{"login":"b"}],
        "ownersByName":{"o":{"login":"ab","site":"cd"}},"node":{"kind":"leg","of":{"from":"x","stops":["y"]}},
        "nodes":[{"kind":"none"},{"of":[{"to":"late"}],"kind":"legs"}],"tags":["s","t"],
        "way":{"to":{"it":"deep"},"leg":{"from":"f","via":[{}]}},"list":[{"to":"no"},{"to":"yes","stops":["z"]}],
        "remark":"worse","note":"better","ratio":-1.5e3,"doubles":[1,2.5,3],"scores":[1,"x",3],"plain":false,
        "items":[{"name":"one"},{"name":"two"}],"unknown":{"a":["b"]},"city":"Ulm","lines":["l","m"],"more":"text"}
        """#

    /// What a reader keeps of the snapshots.
    enum Keeping: CaseIterable { case nothing, last, all }

    /// Checks that every snapshot of a document has the value that is decoded from the part before, whatever is kept, and that values
    /// that are kept do not change.
    ///
    /// - Parameter closes: Whether an open string at a path is closed for the comparison. Otherwise the snapshot is compared with the
    ///   first one of another feed.
    private func check<T: JSONConvertible & Equatable>(
        _ type: T.Type, _ text: String, _ source: JSONModelDecoder.Source, closes: (String) -> Bool = { _ in true }
    ) throws {
        let decoder = JSONModelDecoder(from: source)
        let bytes = Array(text.utf8)
        var expected: [Int: T?] = [:]
        for keeping in Keeping.allCases {
            for size in [1, 2, 7, 31, 200] {
                var feed = decoder.feed(of: type)
                var kept: [(snapshot: JSONSnapshot<T>, value: T?, expected: T?)] = []
                var end = 0
                for piece in bytes.pieces(of: size) {
                    end += piece.count
                    _ = try feed.push(piece)
                    // The first bytes determine the encoding, and an incomplete character has no closing quote.
                    let prefix = bytes[..<end]
                    if end < 4 || String(validating: prefix, as: UTF8.self) == nil { continue }
                    let snapshot = feed.snapshot()
                    if expected[end] == nil {
                        if snapshot.openText == nil {
                            expected[end] = try? decoder.decodePartially(type, from: Array(prefix)).value
                        } else if closes(snapshot.openPath?.description ?? "") {
                            let closed = prefix + [UInt8(ascii: "\"")]
                            expected[end] = try? decoder.decodePartially(type, from: closed).value
                        } else {
                            var other = decoder.feed(of: type)
                            _ = try other.push(prefix)
                            expected[end] = other.snapshot().value
                        }
                    }
                    let (value, wanted) = (snapshot.value, expected[end] ?? nil)
                    #expect(value == wanted, "\(String(decoding: prefix, as: UTF8.self)), \(size), \(keeping)")
                    if value != wanted { return }
                    switch keeping {
                    case .nothing: break
                    case .last: kept = [(snapshot, value, wanted)]
                    case .all: if size > 1 || end % 13 < 3 { kept.append((snapshot, value, wanted)) }
                    }
                    for one in kept.suffix(2) { #expect(one.value == one.expected) }
                }
                _ = try feed.finish()
                for one in kept { #expect(one.value == one.expected && one.snapshot.value == one.expected) }
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `values are those of the parts that were read`(_ source: JSONModelDecoder.Source) throws {
        try check(Draft.self, Self.document, source) {
            !$0.hasPrefix("node") && $0 != "scores[1]" && $0 != "note"
        }
        try check([String: [Leg]].self, #"{"a":[\#(Self.leg)],"b":[{"to":"x"}],"c":[]}"#, source)
        try check([String: String].self, #"{"a":"b","c":"d"}"#, source)
        try check(JSONValue.self, #"{"a":[1,{"b":[true,"c"]}],"d":{"e":{"f":"g"}}}"#, source)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `repeated keys replace values`(_ source: JSONModelDecoder.Source) throws {
        try check(
            Draft.self,
            #"""
            {"id":1,"id":2,"title":"a","title":"b","text":"one","text":null,"legs":[{"from":"a"}],
            "legs":[{"from":"b","from":"c"},{}],"byName":{"k":{"from":"x"},"k":{"to":"y"},"l":{}},"legs":null,
            "legs":[{"via":[{},{}]}],"words":{"a":"b","a":"c","a":"dd"},"note":"n","remark":"r","note":"m","grid":[[1],[2]],
            "grid":[[3]],"way":{"to":{"it":"a"}},"way":{"to":{"it":"bc"}},"way":{"leg":{"to":"d"},"leg":{"to":"e"}},
            "items":[{"name":"one"}],"items":[{"name":"two"},{"name":"three"}],"x":1,"x":{"y":2}}
            """#, source)
    }

    /// Between a repeated key and its value, a required property has no value.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an element that can no longer be made is left out`(_ source: JSONModelDecoder.Source) throws {
        let owners = #"[{"login":"a"},{"login":"b","site":"s","login":"cc","site":"t"},{"login":"d"}]"#
        try check([String: [Owner]].self, #"{"k":\#(owners),"l":\#(owners)}"#, source) { _ in false }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `elements that fail are dropped`(_ source: JSONModelDecoder.Source) throws {
        struct Lossy: JSONModel, Equatable {
            var legs: [Leg]?
            var byName: [String: Leg]?
            var names: [String]?
            static let plan = ModelPlan<Lossy>(
                JSONField(\.legs).lossy(), JSONField(\.byName).lossy(), JSONField(\.names).lossy())
        }
        let text = #"""
            {"legs":[{"from":"a","to":5},{"to":"b"},{"via":[{"to":"c"},{"to":[]}]},7,{"from":"d","minutes":"e"}],
            "byName":{"k":{"from":"a"},"k":{"from":"b","to":6},"l":{"to":{}},"m":{"to":"n"}},"names":["a",5,"b",[],"c",{}]}
            """#
        try check(Lossy.self, text, source) { _ in false }
        for text in [
            #"{"legs":[{"from":"a"},{"from":5},{"to":"b"}],"title":"x"}"#, #"{"words":{"a":"b","c":5,"d":"e"}}"#,
            #"{"byName":{"a":{"to":1},"b":{"to":"x"}},"grid":[[1],["x",2],[3]],"id":1}"#,
        ] {
            var decoder = JSONModelDecoder(from: source)
            decoder.errorPolicy = .collect(limit: .max)
            var feed = decoder.feed(of: Draft.self)
            var end = 0
            for byte in text.utf8 {
                end += 1
                guard (try? feed.push([byte])) != nil else { break }
                let snapshot = feed.snapshot()
                if end < 4 || snapshot.openText != nil { continue }
                let part = try? decoder.decodePartially(Draft.self, from: Array(text.utf8.prefix(end)))
                #expect(snapshot.value == part?.value, "\(text.prefix(end))")
            }
        }
    }

    /// A model with more properties than a word has bits.
    struct Wide: JSONModel, Equatable {
        struct Row: JSONModel, Equatable {
            var s0, s1, s2, s3, s4, s5, s6, s7, s8, s9: String?
            var l0, l1, l2, l3, l4, l5, l6, l7, l8, l9: [Int]?
            static let plan = ModelPlan<Row>(fields(\.self))

            static func fields<Model>(_ row: WritableKeyPath<Model, Row>, _ suffix: String = "") -> [JSONField<
                Model
            >] {
                let texts: [WritableKeyPath<Row, String?>] = [
                    \.s0, \.s1, \.s2, \.s3, \.s4, \.s5, \.s6, \.s7, \.s8, \.s9,
                ]
                let lists: [WritableKeyPath<Row, [Int]?>] = [
                    \.l0, \.l1, \.l2, \.l3, \.l4, \.l5, \.l6, \.l7, \.l8, \.l9,
                ]
                return texts.enumerated().map { JSONField(row.appending(path: $1), key: "s\($0)\(suffix)") }
                    + lists.enumerated().map { JSONField(row.appending(path: $1), key: "l\($0)\(suffix)") }
            }
        }
        var (a, b, c, d) = (Row(), Row(), Row(), Row())
        static let plan = ModelPlan<Wide>(
            Row.fields(\.a, "a") + Row.fields(\.b, "b") + Row.fields(\.c, "c") + Row.fields(\.d, "d"))
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a model of many properties follows the input`(_ source: JSONModelDecoder.Source) throws {
        try check(
            Wide.self, #"{"s0a":"a","l9d":[1,2],"s9d":"xy","l0c":[3],"l9d":[4],"s3d":"z","s3d":null,"s9d":"q"}"#,
            source)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `elements of a stream follow the input`(_ source: JSONModelDecoder.Source) throws {
        let text = #"{"n":1,"items":[\#(Self.leg), {"to":"b","via":[{}]},{}],"m":{"from":"x"}}"#
        for keeps in [false, true] {
            var feed = JSONModelDecoder(from: source).feed(of: Leg.self, at: "items[*]")
            var (legs, values, last): ([Leg], [Leg], JSONSnapshot<Leg>?) = ([], [], nil)
            for byte in text.utf8 {
                legs += try feed.push([byte])
                let snapshot = feed.snapshot()
                if keeps { last = snapshot }
                if let value = snapshot.value, values.last != value { values.append(value) }
            }
            #expect(legs.count == 3 && legs[1] == Leg(to: "b", via: [Leg()]))
            #expect(values.contains(Leg(from: "Bonn am", to: nil)) && values.contains(Leg(to: "b", via: [])))
            #expect(try feed.finish().isEmpty && last?.value == nil)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `text is read by whole characters, and stops at an error`(_ source: JSONModelDecoder.Source) throws {
        let text = #"{"title":"a\"b\\ \u00e9 \ud83d\ude00 \n é 😀 ","names":["\u00e9","x\ty"]}"#
        for size in 1...13 {
            var feed = JSONModelDecoder(from: source).feed(of: Draft.self)
            var (titles, names): ([String], [String]) = ([], [])
            for piece in Array(text.utf8).pieces(of: size) {
                _ = try feed.push(piece)
                let snapshot = feed.snapshot()
                if let title = snapshot.value?.title {
                    if let open = snapshot.openText, snapshot.openPath == "title" { #expect(open == title) }
                    titles.append(title)
                }
                if let name = snapshot.value?.names?.last { names.append(name) }
            }
            for title in titles { #expect("a\"b\\ é 😀 \n é 😀 ".hasPrefix(title)) }
            #expect(titles.last == "a\"b\\ é 😀 \n é 😀 " && names.last == "x\ty")
        }
        for (fault, shown) in [
            ([0xC3, 0x28], "ab"), ([0xC3, 0x5C, 0x6E], "ab"), ([0xE2, 0x82], "ab"), ([0x5C, 0x78], "ab"),
            ([0x5C, 0x75, 0x64, 0x38, 0x30], "ab"), ([0x0A, 0x61], "ab"), ([0xED, 0xA0, 0x80], "ab"),
        ] as [([UInt8], String)] {
            var feed = JSONModelDecoder(from: source).feed(of: Draft.self)
            _ = try feed.push(Array(#"{"title":"ab"#.utf8))
            #expect(feed.snapshot().value?.title == "ab")
            for byte in fault + Array(repeating: 0x61, count: 20) {
                guard (try? feed.push([byte])) != nil else { break }
                #expect(feed.snapshot().value?.title == shown)
            }
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `looks take linear time`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        func read(_ start: String, _ part: (Int) -> String, keeps: Bool) throws {
            try expectLinearTime(upTo: 64_000) { count in
                var feed = decoder.feed(of: Draft.self)
                var last: (snapshot: JSONSnapshot<Draft>, value: Draft?)?
                _ = try feed.push(Array(start.utf8))
                for index in 0..<count / 4 {
                    _ = try feed.push(Array((4 * index..<4 * index + 4).map(part).joined().utf8))
                    let snapshot = feed.snapshot()
                    let value = snapshot.value
                    if keeps { last = (snapshot, value) }
                }
                #expect((last?.value != nil) == keeps)
            }
        }
        for keeps in [false, true] {
            try read(#"{"text":""#, { _ in "some more text of a long answer " }, keeps: keeps)
            try read(#"{"legs":["#, { _ in #"{"to":"b","stops":["c"]},"# }, keeps: keeps)
            try read(#"{"byName":{"#, { #""\#($0)":{"to":"x"},"# }, keeps: keeps)
            try read(#"{"groups":{"a":["#, { _ in #"{"to":"b"},"# }, keeps: keeps)
            try read(#"{"grid":[["#, { "\($0)," }, keeps: keeps)
            try read(#"{"any":""#, { _ in "some more text" }, keeps: keeps)
            try read(#"{"any":["#, { _ in #"{"a":[1,"b"]},"# }, keeps: keeps)
            try read(#"{"any":{"k":{"#, { #""\#($0)":[1,"b"],"# }, keeps: keeps)
        }
    }
}

/// The changes of values that follow the input.
@Suite struct LiveChangeTests {
    typealias Draft = LiveValueTests.Draft

    private struct Mismatch: Error {}

    /// Applies a change to the value before it, given the value after all changes.
    private func apply(_ change: JSONChange, to value: JSONValue?, from new: JSONValue?) throws -> JSONValue? {
        try apply(change.kind, change.path.components[...], to: value, from: new)
    }

    private func apply(
        _ kind: JSONChange.Kind, _ path: ArraySlice<JSONPath.Component>, to value: JSONValue?, from new: JSONValue?
    ) throws -> JSONValue? {
        guard let step = path.first else {
            switch kind {
            case .began:
                switch new {
                case .object: return .object([:])
                case .array: return .array([])
                case .string: return .string("")
                default: return new
                }
            case .text(let text):
                guard case .string(let old) = value else { throw Mismatch() }
                return .string(old + text)
            case .elements(let range):
                guard case .array(var elements) = value, case .array(let all) = new,
                    elements.count == range.lowerBound
                else { throw Mismatch() }
                elements += all[range]
                return .array(elements)
            case .completed, .replaced: return new
            case .removed: return nil
            }
        }
        switch step {
        case .key(let key):
            var object: JSONObject = if case .object(let object) = value { object } else { [:] }
            object[key] = try apply(kind, path.dropFirst(), to: object[key], from: new?[key])
            return .object(object)
        case .index(let index):
            guard case .array(var elements) = value else { throw Mismatch() }
            let element = try apply(
                kind, path.dropFirst(), to: index < elements.count ? elements[index] : nil, from: new?[index])
            if let element {
                if index == elements.count { elements.append(element) } else { elements[index] = element }
            } else if index == elements.count - 1 {
                elements.removeLast()
            }
            return .array(elements)
        case .anyIndex, .anyKey: throw Mismatch()
        }
    }

    /// Checks that the changes of each piece lead from one value to the next.
    private func check<T: JSONConvertible>(_ type: T.Type, _ text: String, _ source: JSONModelDecoder.Source) throws
    {
        for size in [1, 2, 5, 19, 120] {
            var feed = JSONModelDecoder(from: source).feed(of: type)
            let empty = try JSONModelEncoder().encode(decode(type, "{}"), as: .value)
            var (value, count, end) = (JSONValue?.none, 0, 0)
            for piece in Array(text.utf8).pieces(of: size) {
                end += piece.count
                if try !feed.push(piece).isEmpty { break }
                let changes = feed.changes()
                let new = try feed.snapshot().value.map { try JSONModelEncoder().encode($0, as: .value) }
                count += changes.count
                for change in changes {
                    let isRoot = change.kind == .began && change.path.components.isEmpty
                    guard let next = isRoot ? empty : try? apply(change, to: value, from: new) else {
                        Issue.record(Comment(rawValue: "\(change), \(changes), \(value as Any), \(new as Any)"))
                        return
                    }
                    value = next
                }
                let isEqual = value == new
                #expect(isEqual, "\(String(decoding: text.utf8.prefix(end).suffix(60), as: UTF8.self)), \(changes)")
                if !isEqual { return }
                #expect(feed.changes().allSatisfy { $0.kind == .replaced })
            }
            #expect(count > 1)
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `changes lead from one value to the next`(_ source: JSONModelDecoder.Source) throws {
        let leg = #"{"from":"Bonn am Rhein","to":"U","minutes":12,"stops":["a","bc"]}"#
        try check(
            Draft.self,
            #"""
            {"id":12,"title":"A title","text":"long \u00e9\n text","legs":[\#(leg),{"to":"x","via":[\#(leg),{},{"from":"q"}]},{}],
            "byName":{"a":\#(leg),"bc":{"stops":[],"to":"v"}},"groups":{"g":[\#(leg)],"h":[],"i":[{},{"minutes":7}]},
            "grid":[[1,22],[],[333]],"names":["x","yz",""],"words":{"k":"one","l":"two words"},"any":{"b":[1,true],"c":"str"},
            "values":["text",1,[2],{"k":"v"}],"owner":{"site":"s","login":"me"},"owners":[{"login":"a"},{"login":"b"}],
            "node":{"kind":"leg","of":{"from":"x"}},"tags":["s"],"way":{"to":{"it":"deep"},"leg":{"from":"f","via":[{}]}},
            "ratio":1.5,"doubles":[1,2.5],"scores":[1,"x",3],"items":[{"name":"one"},{"name":"two"}],"city":"Ulm","lines":["l"]}
            """#, source)
        try check(
            Draft.self,
            #"""
            {"id":1,"id":2,"title":"a","title":"b","text":"one","text":null,"legs":[{"from":"a"}],
            "legs":[{"from":"b","from":"c"},{}],"byName":{"k":{"from":"x"},"k":{"to":"y"},"l":{}},"legs":null,
            "legs":[{"via":[{},{}]}],"words":{"a":"b","a":"c"},"note":"n","grid":[[1],[2]],"grid":[[3]]}
            """#, source)
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `changes say what came`(_ source: JSONModelDecoder.Source) throws {
        var feed = JSONModelDecoder(from: source).feed(of: Draft.self)
        func changes(_ text: String) throws -> [String] {
            _ = try feed.push(Array(text.utf8))
            return feed.changes().map { "\($0.path) \($0.indexPath) \($0.kind)" }
        }
        #expect(
            try changes(#"{"id":1,"text":"a"#) == [
                "$ [] began", "id [0] completed", "text [2] began", #"text [2] text("a")"#,
            ])
        #expect(try changes("bc") == [#"text [2] text("bc")"#])
        #expect(try changes("") == [])
        #expect(
            try changes(#"d","names":["x","y","z"#) == [
                #"text [2] text("d")"#, "text [2] completed", "names [7] began", "names [7] elements(Range(0..<2))",
                "names[2] [7, 2] began", #"names[2] [7, 2] text("z")"#,
            ])
        #expect(
            try changes(#"","v"],"legs":[{"to":"#) == [
                "names [7] completed", "legs [3] began", "legs[0] [3, 0] began",
            ])
        #expect(
            try changes(#""q"},{},{"#) == [
                "legs[0] [3, 0] completed", "legs [3] elements(Range(1..<2))", "legs[2] [3, 2] began",
            ])
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `an open string that is the element is replaced`(_ source: JSONModelDecoder.Source) throws {
        for (framing, text) in [(.lines, "\"abcd"), (.document, "[\"abcd")] as [(JSONFraming, String)] {
            var feed = JSONModelDecoder(from: source).feed(of: JSONValue.self, framing: framing)
            _ = try feed.push(Array(text.utf8))
            let value = feed.snapshot().value
            #expect(value == "abcd")
            let changes = feed.changes()
            #expect(changes.map(\.kind) == [.replaced])
            #expect(changes.allSatisfy { $0.path == JSONPath() && $0.indexPath.isEmpty })
            let elements = try feed.push(Array("e\"\n".utf8))
            #expect(elements == ["abcde"])
            let last = feed.changes()
            #expect(last.isEmpty)
        }
    }
}

/// The values of snapshots that follow the input are released.
@Suite(.serialized) struct LiveValueLeakTests {
    enum Instances: InstanceGroup { static let instances = InstanceCounter() }
    typealias Counted = Instance<Instances>

    struct Item: JSONModel {
        var mark: Counted?
        var items: [Item]?
        var byKey: [String: Item]?
        var marks: [Counted]?
        static let plan = ModelPlan<Item>(
            JSONField(\.mark), JSONField(\.items), JSONField(\.byKey), JSONField(\.marks))
    }

    private static let text = #"""
        {"mark":"a","items":[{"mark":"b","marks":["c","d"]},{"items":[{"mark":"e"}],"mark":"f"}],"marks":["g"],
        "marks":["h","i"],"byKey":{"k":{"mark":"j"},"l":{"byKey":{"m":{"mark":"n"}}},"k":{"mark":"o"}},"mark":"p"}
        """#

    @Test(arguments: JSONModelDecoder.Source.allCases, [0, 1, 2])
    func `values are released`(_ source: JSONModelDecoder.Source, keeping: Int) throws {
        let bytes = Array(Self.text.utf8)
        for end in [bytes.count, bytes.count - 40, 60, 12] {
            do {
                var feed = JSONModelDecoder(from: source).feed(of: Item.self)
                var kept: [(JSONSnapshot<Item>, Item?)] = []
                for byte in bytes[..<end] {
                    _ = try feed.push([byte])
                    let snapshot = feed.snapshot()
                    let value = snapshot.value
                    if keeping == 1 { kept = [(snapshot, value)] }
                    if keeping == 2 { kept.append((snapshot, value)) }
                }
                #expect(kept.last?.1?.mark?.text == (keeping == 0 ? nil : end == bytes.count ? "p" : "a"))
                #expect(Instances.instances.live > 0)
            }
            #expect(Instances.instances.live == 0)
        }
    }
}
