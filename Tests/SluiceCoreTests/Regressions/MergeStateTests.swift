import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// Merges into nil, at a path that is repeated, and of values that are read whole and in parts; issues beside an envelope.
struct MergeStateTests {
    struct Person: JSONModel, Equatable {
        var name: String
        var tags: [String]
        static let plan = ModelPlan<Person>(JSONField(\.name, key: "name"), JSONField(\.tags, key: "tags"))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !os(Android)

    // MARK: Nil at the root of a merge

    // The memory of nil was changed as if it were that of a model, dictionary or `JSONValue`.
    @Test func `JSON that is merged into nil makes a new value`() async {
        await #expect(processExitsWith: .success) {
            let all = [JSONMergeOptions(), .mergePatch, JSONMergeOptions(nested: .merge, arrays: .byIndex)]
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                for options in all {
                    var person: Person?
                    try decoder.merge(#"{"name":"a","tags":["b"]}"#, into: &person, options: options)
                    precondition(person == Person(name: "a", tags: ["b"]))
                    person = nil
                    do throws(JSONModelError) {
                        try decoder.merge(#"{"name":"a"}"#, into: &person, options: options)
                        preconditionFailure("a required key is missing")
                    } catch {
                        precondition(error.issues.first?.kind == .missingKeys(["tags"]))
                    }
                    precondition(person == nil)
                    var counts: [String: Int]?
                    try decoder.merge(#"{"a":{"b":1}}"#, into: &counts, at: "a", options: options)
                    precondition(counts == ["b": 1])
                    var value: JSONValue?
                    try decoder.merge(#"{"a":1}"#, into: &value, options: options)
                    precondition(value == ["a": 1])
                    var list: [Person]?
                    try decoder.merge(#"[{"name":"a","tags":[]}]"#, into: &list, options: options)
                    precondition(list == [Person(name: "a", tags: [])])
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
                let original = Person(name: "a name of more than fifteen bytes", tags: ["b", "c", "d"])
                for (text, name, tags) in [
                    (#"{"a":{"name":1},"a":{"name":"second"}}"#, "second", nil),
                    (#"{"a":{"tags":[5]},"a":{}}"#, nil, nil),
                    (#"{"a":{"tags":5},"a":{"name":"second"},"a":{"tags":[]}}"#, nil, []),
                    (#"{"a":{"name":"second"},"a":{"name":1}}"#, nil, nil),
                ] as [(String, String?, [String]?)] {
                    for _ in 0..<100 {
                        var person = Person(name: original.name + "!", tags: original.tags + ["e"])
                        let copy = person
                        do throws(JSONModelError) {
                            try decoder.merge(text, into: &person, at: "a")
                            precondition(!text.hasSuffix("1}}"))
                        } catch {
                            precondition(text.hasSuffix("1}}") && error.issues.count == 1)
                        }
                        precondition(person == Person(name: name ?? copy.name, tags: tags ?? copy.tags))
                    }
                }
            }
        }
    }

    #endif

    // MARK: Null for a value that is read whole and in parts

    struct Owner: JSONModel, Equatable {
        var login: String
        var age: Int?
        static let plan = ModelPlan<Owner>(JSONField(\.login, key: "login"), JSONField(\.age, key: "age"))
    }

    struct Optionals: JSONModel, Equatable {
        var owner: Owner?
        var login: String?
        static let plan = ModelPlan<Optionals>(
            JSONField(\.owner, key: "owner"), JSONField(\.login, key: "owner.login"))
    }

    struct Required: JSONModel, Equatable {
        var owner: Owner
        var login: String
        static let plan = ModelPlan<Required>(
            JSONField(\.owner, key: "owner"), JSONField(\.login, key: "owner.login"))
    }

    // The value was destroyed at its key, before the null.
    @Test(arguments: JSONModelDecoder.Source.allCases, [JSONMergeOptions.Nested.replace, .merge])
    func `null leaves a value unchanged that is read whole and in parts`(
        _ source: JSONModelDecoder.Source, _ nested: JSONMergeOptions.Nested
    ) throws {
        let decoder = JSONModelDecoder(from: source)
        let owner = Owner(login: "a", age: 1)
        for text in [#"{"owner":null}"#, #"{"owner":{"login":"b"},"owner":null}"#] {
            var optionals = Optionals(owner: owner, login: "a")
            try decoder.merge(text, into: &optionals, options: JSONMergeOptions(nested: nested))
            #expect(optionals == Optionals(owner: owner, login: "a"), "\(text)")
            var required = Required(owner: owner, login: "a")
            try decoder.merge(text, into: &required, options: JSONMergeOptions(nested: nested))
            #expect(required == Required(owner: owner, login: "a"), "\(text)")
        }
    }

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `null clears a value that is read whole and in parts`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        var optionals = Optionals(owner: Owner(login: "a", age: 1), login: "a")
        try decoder.merge(#"{"owner":null}"#, into: &optionals, options: .mergePatch)
        #expect(optionals == Optionals(owner: nil, login: nil))
        // The value is replaced, not merged, if other properties have parts of it.
        optionals = Optionals(owner: Owner(login: "a", age: 1), login: "a")
        try decoder.merge(#"{"owner":{"login":"b"}}"#, into: &optionals, options: .mergePatch)
        #expect(optionals == Optionals(owner: Owner(login: "b", age: nil), login: "b"))
    }

    // MARK: The key after an ignored candidate

    struct Counts: JSONModel, Equatable {
        var values: [String: Int]?
        static let plan = ModelPlan<Counts>(JSONField(\.values, key: "values"))
    }

    struct Flat: JSONModel, Equatable {
        var name: String
        var counts: Counts?
        static let plan = ModelPlan<Flat>(
            JSONField(\.name, key: "name", or: "title"), JSONField(flatten: \.counts))
    }

    struct Plain: JSONModel, Equatable {
        var name: String
        var values: [String: Int]?
        static let plan = ModelPlan<Plain>(
            JSONField(\.name, key: "name", or: "title"), JSONField(\.values, key: "values"))
    }

    // The scanner read the value of the key as that of a new model.
    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `the value after an ignored candidate is merged`(_ source: JSONModelDecoder.Source) throws {
        let decoder = JSONModelDecoder(from: source)
        // The scanner compares expected keys with the text if more bytes follow.
        let space = String(repeating: " ", count: 100)
        var flat = Flat(name: "a", counts: nil)
        try decoder.merge(
            #"{"name":"b","title":"c","values":{"x":null,"y":1}}"# + space, into: &flat, options: .mergePatch)
        #expect(flat == Flat(name: "b", counts: Counts(values: ["y": 1])))
        var plain = Plain(name: "a", values: ["x": 0])
        try decoder.merge(
            #"{"values":null,"name":"b","title":"c","values":{"y":1}}"# + space, into: &plain,
            options: .mergePatch)
        #expect(plain == Plain(name: "b", values: ["x": 0, "y": 1]))
    }

    // MARK: Issues of the elements and of the envelope at one token

    struct Header: JSONModel, Equatable {
        let title: String
        static let plan = ModelPlan<Header>(JSONField(\.title, key: "data.title"))
    }

    // The issue of the envelope waited for the next one, and was located at a later token.
    @Test(arguments: JSONModelDecoder.Source.allCases, [1, 5, 100])
    func `elements and envelope have issues at the same token`(
        _ source: JSONModelDecoder.Source, _ size: Int
    ) throws {
        var decoder = JSONModelDecoder.collecting
        decoder.source = source
        let header = JSONEnvelope(of: Header.self)
        let text = #"{"data":5,"more":[1,2]}"#
        var cursor = decoder.cursor(
            of: Int.self, in: .chunks(Array(text.utf8).pieces(of: size)), at: "data.items[*]", envelope: header)
        var issues: [JSONIssue] = []
        do throws(JSONModelError) { while try cursor.next() != nil {} } catch { issues = error.issues }
        #expect(issues.map(\.path) == ["data", "data"])
        #expect(issues.map(\.location.offset) == [8, 8])
    }
}
