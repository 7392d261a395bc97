import SluiceCore
import TestSupport
import Testing

/// Merges of JSON into existing values.
@Suite(.tags(.merging)) struct MergeTests {
    struct Address: JSONModel, Equatable {
        var city: String
        var zip: String?
        static let plan = ModelPlan<Address>(JSONField(\.city), JSONField(\.zip))
    }

    struct Person: JSONModel, Equatable {
        var name = "Ann"
        var age = 40
        var nickname: String? = "A"
        var address = Address(city: "Bern", zip: "3000")
        var second: Address? = Address(city: "Basel", zip: "4000")
        var tags = ["a"]
        var scores = ["x": 1, "y": 2]
        var more: JSONValue = ["k": ["l": 1, "m": 2]]
        var login = "ann"
        static let plan = ModelPlan<Person> {
            JSONField(\.name, key: "name", or: "fullName")
            JSONField(\.age, default: 18)
            JSONField(\.nickname)
            JSONField(\.address)
            JSONField(\.second)
            JSONField(\.tags)
            JSONField(\.scores)
            JSONField(\.more)
            JSONField(\.login, key: "account.login")
        }
    }

    private func check(
        _ text: String, _ options: JSONMergeOptions = JSONMergeOptions(), _ change: (inout Person) -> Void
    ) throws {
        var expected = Person()
        change(&expected)
        #expect(try merged(text, into: Person(), options: options) == expected)
    }

    @Test func `present keys replace the old values`() throws {
        try check("{}") { _ in }
        try check(#"{"age":41,"fullName":"Bob","account":{"login":"bob","x":1},"unknown":[1]}"#) {
            ($0.age, $0.name, $0.login) = (41, "Bob", "bob")
        }
        try check(#"{"address":{"city":"Zug"},"tags":["b","c"],"scores":{"z":3},"more":[1]}"#) {
            ($0.address, $0.tags) = (Address(city: "Zug", zip: nil), ["b", "c"])
            ($0.scores, $0.more) = (["z": 3], [1])
        }
        try check(#"{"tags":["b"],"tags":["c"],"nickname":"x","nickname":"y"}"#) {
            ($0.tags, $0.nickname) = (["c"], "y")
        }
    }

    @Test func `nulls are skipped or clear the old values`() throws {
        try check(#"{"age":null,"nickname":null,"second":null,"address":null}"#) { _ in }
        try check(#"{"age":null,"nickname":null,"second":null}"#, JSONMergeOptions(nulls: .clear)) {
            ($0.age, $0.nickname, $0.second) = (18, nil, nil)
        }
    }

    @Test func `nested models, dictionaries and JSON values are merged`() throws {
        let text =
            #"{"address":{"zip":"3001"},"second":{"city":"Chur"},"scores":{"y":null,"z":9},"more":{"k":{"l":null,"n":3}}}"#
        try check(text, .mergePatch) {
            $0.address.zip = "3001"
            $0.second?.city = "Chur"
            $0.scores = ["x": 1, "z": 9]
            $0.more = ["k": ["m": 2, "n": 3]]
        }
        try check(#"{"second":null,"second":{"city":"Genf"}}"#, .mergePatch) {
            $0.second = Address(city: "Genf", zip: "4000")
        }
    }

    @Test(arguments: [
        #"{"name":"Bob","age":"x"}"#, #"{"name":"Bob","address":{"city":7}}"#, #"{"name":"Bob","address":null}"#,
        #"{"tags":["q",1]}"#, #"{"name":"Bob","tags":["q"]"#, #"[1]"#, "null", #"{"scores":{"x":"y"}}"#,
        #"{"second":{"city":"a","zip":1}}"#, #"{"more":{"k":}}"#, "",
    ])
    func `a failure leaves the value unchanged`(_ text: String) throws {
        _ = try mergeRefusal(text, into: Person(), options: JSONMergeOptions(nulls: .clear))
        _ = try mergeRefusal(text, into: Person(), options: .mergePatch)
    }

    @Test(
        arguments: [
            (#"{"name":"x","address":{"city": }}"#, "address.city", 31),
            (#"{"name":"x","address":{"city":"a","zip":[]}}"#, "address.zip", 40),
            (#"{"scores":{"x":1.5}}"#, "scores.x", 15),
        ] as [(String, JSONPath, Int)])
    func `an error has the path and the location in the changes`(
        _ text: String, _ path: JSONPath, _ offset: Int
    ) throws {
        for options in [JSONMergeOptions(), .mergePatch] {
            let issue = try mergeRefusal(text, into: Person(), options: options)
            #expect((issue.path, issue.location.offset) == (path, offset))
        }
    }

    final class Account: JSONModel {
        struct Storage {
            var id: Int
            var name: String
            var owner: Owner?
        }
        var id: Int
        var name: String
        var owner: Owner?
        init(_ storage: Storage) {
            id = storage.id
            name = storage.name
            owner = storage.owner
        }
        static let plan = ModelPlan<Account>(
            storage: Storage.self, [JSONField(\.id), JSONField(\.name), JSONField(\.owner)], make: { Account($0) },
            read: { Storage(id: $0.id, name: $0.name, owner: $0.owner) },
            assign: { storage, account in
                account.id = storage.id
                account.name = storage.name
                account.owner = storage.owner
            })
    }

    final class Owner: JSONModel {
        struct Storage {
            var login: String
            var age: Int
        }
        let login: String
        let age: Int
        init(_ storage: Storage) { (login, age) = (storage.login, storage.age) }
        static let plan = ModelPlan<Owner>(
            storage: Storage.self, [JSONField(\.login), JSONField(\.age)], make: { Owner($0) },
            read: { Storage(login: $0.login, age: $0.age) })
    }

    @Test(
        arguments: [(#"{"login":null}"#, "login"), (#"{"age":null,"login":"a"}"#, "age")] as [(String, JSONPath)])
    func `null for a required property is an error at the property`(_ text: String, _ path: JSONPath) throws {
        for source in JSONModelDecoder.Source.allCases {
            var owner = Owner(.init(login: "a", age: 1))
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder(from: source).merge(
                    text, into: &owner, options: JSONMergeOptions(nulls: .clear))
            }
            #expect(error?.issues.first?.kind.name == "nullValue")
            #expect(error?.issues.first?.path == path)
        }
    }

    @Test func `objects of classes are updated in place or replaced`() throws {
        let owner = Owner(.init(login: "a", age: 1))
        let account = Account(.init(id: 1, name: "n", owner: owner))
        var same = account
        try JSONModelDecoder().merge(#"{"name":"m","owner":{"age":2}}"#, into: &same, options: .nested)
        #expect(same === account)
        #expect(account.name == "m")
        #expect(account.id == 1)
        #expect(account.owner?.login == "a")
        #expect(account.owner?.age == 2)
        #expect(owner.age == 1)
        var other = owner
        try JSONModelDecoder().merge(#"{"age":3}"#, into: &other)
        #expect(other !== owner)
        #expect(other.age == 3)
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(
                #"{"id":5,"name":null,"owner":{"age":"x"}}"#, into: &same, options: .nested)
        }
        #expect(account.id == 1)
        #expect(account.owner?.age == 2)
    }

    @Test func `duplicate keys of a new value leave the objects that changed before`() throws {
        struct Client: JSONModel {
            var account: Account
            var address: Address?
            static let plan = ModelPlan<Client>(JSONField(\.account), JSONField(\.address))
        }
        for decoder in JSONModelDecoder.ofEverySource {
            let account = Account(.init(id: 1, name: "n", owner: nil))
            var client = Client(account: account, address: nil)
            try decoder.merge(
                #"{"account":{"name":"m"},"address":{"city":"Bern","city":"Basel"}}"#, into: &client,
                options: .nested)
            #expect(client.account === account && account.name == "m")
            #expect(client.address == Address(city: "Basel", zip: nil))
        }
    }

    @Test func `a merge reads all changes, also with a decoder that stops early`() throws {
        let text = #"{"unknown":1,"zip":"3000","more":[],"city":"Basel"}"#
        let address = try merged(text, into: Address(city: "Bern"), with: .with { $0.stopsEarly = true })
        #expect(address == Address(city: "Basel", zip: "3000"))
    }

    @Test func `a struct with a storage is made again`() throws {
        struct Size: JSONModel, Equatable {
            struct Storage {
                var width: Int
                var height: Int
            }
            let area: Int
            let width: Int
            init(_ storage: Storage) { (area, width) = (storage.width * storage.height, storage.width) }
            // The closure for objects is not called.
            static let plan = ModelPlan<Size>(
                storage: Storage.self, [JSONField(\.width), JSONField(\.height)], make: { Size($0) },
                read: { Storage(width: $0.width, height: $0.area / $0.width) },
                assign: { _, _ in Issue.record("a struct has no identity") })
        }
        let size = try merged(#"{"height":5}"#, into: Size(.init(width: 2, height: 3)))
        #expect(size == Size(.init(width: 2, height: 5)))
        let sizes = try merged(#"[{"width":4}]"#, into: [size], options: .byIndex)
        #expect(sizes == [Size(.init(width: 4, height: 5))])
    }

    @Test func `the ignored properties of a storage are those of the old model`() throws {
        final class Song: JSONModel {
            struct Storage {
                var title: String
                var plays: Int
            }
            let title: String
            let plays: Int
            init(_ title: String, plays: Int) { (self.title, self.plays) = (title, plays) }
            static let plan = ModelPlan<Song>(
                storage: Storage.self, [JSONField(\.title), JSONField(ignoring: \.plays, default: 0)],
                make: { Song($0.title, plays: $0.plays) }, read: { Storage(title: $0.title, plays: $0.plays) })
        }
        struct Disc: JSONModel {
            var first: Song
            var songs: [Song]
            var named: [String: Song]
            static let plan = ModelPlan<Disc>(JSONField(\.first), JSONField(\.songs), JSONField(\.named))
        }
        for decoder in JSONModelDecoder.ofEverySource {
            var disc = Disc(
                first: Song("a", plays: 1), songs: [Song("b", plays: 2)], named: ["c": Song("c", plays: 3)])
            try decoder.merge(
                #"{"first":{"title":"d"},"songs":[{"title":"e"},{"title":"f"}],"named":{"c":{"title":"g"}}}"#,
                into: &disc, options: JSONMergeOptions(nulls: .clear, nested: .merge, arrays: .byIndex))
            let songs = [disc.first] + disc.songs + [disc.named["c"]!]
            #expect(songs.map(\.title) == ["d", "e", "f", "g"] && songs.map(\.plays) == [1, 2, 0, 3])
            var song = disc.first
            try decoder.merge(#"{"title":"h","plays":7}"#, into: &song)
            #expect(song.title == "h" && song.plays == 1 && disc.first.title == "d")
        }
    }

    /// The examples of RFC 7396, appendix A: original, patch, result.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `the examples of RFC 7396 give the specified results`(
        _ original: String, _ patch: String, _ result: String
    ) throws {
        let decoder = JSONModelDecoder()
        var value = try decoder.decode(JSONValue.self, from: original)
        try decoder.merge(patch, into: &value, options: .mergePatch)
        #expect(try value == decoder.decode(JSONValue.self, from: result))
    }

    @Test func `dictionaries are merged key by key`() throws {
        let people = try merged(
            #"{"a":{"city":"z"},"b":null,"c":{"city":"w"}}"#,
            into: ["a": Address(city: "x", zip: "1"), "b": Address(city: "y")], options: .mergePatch)
        #expect(people == ["a": Address(city: "z", zip: "1"), "c": Address(city: "w")])
        let issue = try mergeRefusal(#"{"a":{"city":"q"},"c":{"city":1}}"#, into: people, options: .nested)
        #expect(issue.path == "c.city")
    }

    // MARK: Paths

    // After many keys that are not on the path, the driver learns the order of keys from copies of the path's tables.
    @Test(arguments: [0, 40]) func `the keys before the path of a merge have no effect`(_ count: Int) throws {
        let others = (0..<count).map { "\"k\($0)\":0," }.joined()
        let text = "{\(others)\"a\":{\"b\":{\"y\":\"2\"}}}"
        let value = One<Internal, [String: String]>.one(["x": "1"])
        #expect(
            try merged(text, into: value, at: "a.b", options: .mergePatch)
                == .one(["x": "1", "y": "2"]))
    }

    struct Named: JSONModel, Equatable {
        var name: String
        var tags: [String]
        static let plan = ModelPlan<Named>(JSONField(\.name), JSONField(\.tags))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)

    // MARK: Nil at the root of a merge

    // The memory of nil was changed as if it were that of a model, dictionary or `JSONValue`.
    @Test func `JSON that is merged into nil makes a new value`() async {
        await #expect(processExitsWith: .success) {
            let all = [JSONMergeOptions(), .mergePatch, JSONMergeOptions(nested: .merge, arrays: .byIndex)]
            for decoder in JSONModelDecoder.ofEverySource {
                for options in all {
                    var person: Named?
                    try decoder.merge(#"{"name":"a","tags":["b"]}"#, into: &person, options: options)
                    precondition(person == Named(name: "a", tags: ["b"]))
                    person = nil
                    do throws(JSONModelError) {
                        try decoder.merge(#"{"name":"a"}"#, into: &person, options: options)
                        preconditionFailure("a required key is missing")
                    } catch { precondition(error.issues.first?.kind == .missingKeys(["tags"])) }
                    precondition(person == nil)
                    var counts: [String: Int]?
                    try decoder.merge(#"{"a":{"b":1}}"#, into: &counts, at: "a", options: options)
                    precondition(counts == ["b": 1])
                    var value: JSONValue?
                    try decoder.merge(#"{"a":1}"#, into: &value, options: options)
                    precondition(value == ["a": 1])
                    var list: [Named]?
                    try decoder.merge(#"[{"name":"a","tags":[]}]"#, into: &list, options: options)
                    precondition(list == [Named(name: "a", tags: [])])
                }
                // A JSON Merge Patch into nil is one into an empty object.
                var counts: [String: Int]?
                try decoder.merge(#"{"a":null,"b":1}"#, into: &counts, options: .mergePatch)
                precondition(counts == ["b": 1])
            }
        }
    }

    // MARK: A repeated path whose first value has failed

    // The second value was merged into the memory of the first, which had been destroyed.
    @Test func `only the last value at the path of a merge is read`() async {
        await #expect(processExitsWith: .success) {
            for source in JSONModelDecoder.Source.allCases {
                var decoder = JSONModelDecoder.collecting
                decoder.source = source
                let original = Named(name: "a name of more than fifteen bytes", tags: ["b", "c", "d"])
                for (text, name, tags) in [
                    (#"{"a":{"name":1},"a":{"name":"second"}}"#, "second", nil),
                    (#"{"a":{"tags":[5]},"a":{}}"#, nil, nil),
                    (#"{"a":{"tags":5},"a":{"name":"second"},"a":{"tags":[]}}"#, nil, []),
                    (#"{"a":{"name":"second"},"a":{"name":1}}"#, nil, nil),
                ] as [(String, String?, [String]?)] {
                    for _ in 0..<100 {
                        var person = Named(name: original.name + "!", tags: original.tags + ["e"])
                        let copy = person
                        do throws(JSONModelError) {
                            try decoder.merge(text, into: &person, at: "a")
                            precondition(!text.hasSuffix("1}}"))
                        } catch { precondition(text.hasSuffix("1}}") && error.issues.count == 1) }
                        precondition(person == Named(name: name ?? copy.name, tags: tags ?? copy.tags))
                    }
                }
            }
        }
    }

    #endif
}
