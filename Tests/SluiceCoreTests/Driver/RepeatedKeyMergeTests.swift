import SluiceCore
import TestSupport
import Testing

/// Duplicate keys in JSON that is merged: the last wins, or all are rejected.
@Suite(.tags(.merging, .keys)) struct RepeatedKeyMergeTests {
    typealias Everything = MergePatchTests.Everything

    static let patches = [
        #"{"circle":{"name":"first"},"circle":{"radius":7}}"#, #"{"circle":{"radius":7},"circle":{"name":null}}"#,
        #"{"circle":null,"circle":{"radius":7}}"#, #"{"circle":{"radius":7},"circle":null}"#,
        #"{"circle":{"radius":1,"radius":2,"name":"b","name":null}}"#,
        #"{"account":{"login":"b"},"account":{"address":{"city":"Basel"}}}"#,
        #"{"account":{"address":{"city":"Basel"},"address":{}}}"#, #"{"account":{"login":"b"},"account":null}"#,
        #"{"account":null,"account":{"login":"b"}}"#, #"{"account":{"login":"b","login":"c"}}"#,
        #"{"list":[3,4],"list":null}"#, #"{"list":[3,4],"list":[5]}"#, #"{"list":null,"list":[5,6]}"#,
        #"{"external":{"circle":{"radius":5}},"external":{"circle":{"name":"b"}}}"#,
        #"{"internally":{"radius":5},"internally":{"name":"b"}}"#,
        #"{"byName":{"k":{"c":{"radius":5}},"k":{"c":{"name":"b"}}}}"#,
        #"{"byName":{"k":null,"k":{"c":{"name":"b"}}}}"#,
        #"{"byName":{"k":{"c":{"radius":5}}},"byName":{"l":{"t":"circle","c":{"radius":1}}}}"#,
        #"{"lazy":{"radius":5},"lazy":{"name":"b"}}"#, #"{"raw":{"a":{"b":2}},"raw":{"a":{"d":3}}}"#,
        #"{"raw":[1],"raw":{"a":{"d":3}}}"#, #"{"sized":{"size":1},"sized":{"named":8}}"#,
        #"{"field":{"radius":5},"field":{"name":"b"}}"#, #"{"numbers":{"x":5},"numbers":{"z":6}}"#,
        #"{"numbers":{"x":5,"x":null,"y":null,"y":2,"new":1,"new":null}}"#, #"{"numbers":null,"numbers":{"z":6}}"#,
        #"{"value":{"v":{"w":5}},"value":{"v":{"z":6}}}"#, #"{"value":{"v":{"w":5},"v":{"z":6}}}"#,
        #"{"value":{"v":5,"v":{"z":6}}}"#, #"{"value":{"v":{"n":{"a":1},"n":{"b":2}},"q":{"a":1},"q":{"b":null}}}"#,
        #"{"value":[1],"value":{"v":{"z":6}}}"#, #"{"value":"x","value":null}"#,
        #"{"extra":{"e":{"f":5}},"extra":{"e":{"g":6}}}"#, #"{"extra":null,"extra":{"e":{"g":6}}}"#,
        #"{"extra":{"e":{"f":5}},"extra":null}"#, #"{"new":{"a":1},"new":{"b":2}}"#, #"{"new":1,"new":null}"#,
        #"{"more":[2],"more":null}"#, #"{"embedded":"{\"radius\":1}","embedded":null}"#,
    ]

    @Test(arguments: patches) func `the last of two duplicate keys is applied to the original`(_ patch: String)
        throws
    {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            // In a value, the last of two duplicate keys wins.
            let unique = try decoder.decode(JSONValue.self, from: patch)
            for document in [MergePatchTests.document, "{}"] {
                for (nulls, nested) in [(.clear, .merge), (.skip, .merge), (.clear, .replace), (.skip, .replace)]
                    as [(JSONMergeOptions.Nulls, JSONMergeOptions.Nested)]
                {
                    let model = try decoder.decode(Everything.self, from: document)
                    var (merged, expected) = (model, model)
                    do {
                        try decoder.merge(
                            unique, into: &expected, options: JSONMergeOptions(nulls: nulls, nested: nested))
                    } catch { continue }
                    do {
                        try decoder.merge(
                            patch, into: &merged, options: JSONMergeOptions(nulls: nulls, nested: nested))
                    } catch {
                        // A first value may be incomplete, unless it changes a complete one.
                        #expect(merged == model && (nested == .replace || document == "{}"), "\(error)")
                        continue
                    }
                    #expect(merged == expected, "\(source), \(nulls), \(nested), \(document)")
                    for size in [1, 5] {
                        var chunked = model
                        let pieces = Array(patch.utf8).pieces(of: size)
                        try decoder.merge(
                            .chunks(pieces), into: &chunked, options: JSONMergeOptions(nulls: nulls, nested: nested)
                        )
                        #expect(chunked == expected)
                    }
                }
            }
        }
    }

    @Test(arguments: [
        (#"{"circle":{"radius":1},"circle":{"radius":2}}"#, "circle"), (#"{"circle":null,"circle":1}"#, "circle"),
        (#"{"circle":{"radius":1,"radius":2}}"#, "circle.radius"), (#"{"account":{},"account":{}}"#, "account"),
        (#"{"account":{"login":"b","login":"c"}}"#, "account.login"), (#"{"list":[1],"list":[2]}"#, "list"),
        (#"{"numbers":{"x":1,"x":2}}"#, "numbers.x"), (#"{"value":{"v":{"w":1,"w":2}}}"#, "value.v.w"),
        (#"{"raw":{},"raw":{}}"#, "raw"), (#"{"raw":{"a":{"b":1,"b":2}}}"#, "raw.a.b"),
        (#"{"new":1,"new":1}"#, "new"), (#"{"external":{},"external":{}}"#, "external"),
        (#"{"second":1,"lazy":1,"second":1}"#, "second"),
    ])
    func `duplicate keys in a merge are rejected on request`(_ patch: String, _ path: String) throws {
        let model = try JSONModelDecoder().decode(Everything.self, from: MergePatchTests.document)
        let issue = try mergeRefusal(
            patch, into: model, options: .mergePatch, with: .with { $0.duplicateKeys = .reject })
        #expect((issue.kind.name, issue.path.description) == ("duplicateKey", path))
    }

    @Test(arguments: [#"{"width":3,"width":null}"#, #"{"at":{"x":3},"at":{}}"#])
    func `a flattened model stays nil after the last of two duplicate keys`(_ patch: String) throws {
        struct Size: JSONModel, Equatable {
            var width: Int?
            var x: Int?
            static let plan = ModelPlan<Size>(JSONField(\.width), JSONField(\.x, key: "at.x"))
        }
        struct Part: JSONModel, Equatable {
            var id: Int
            var size: Size?
            static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(flatten: \.size))
        }
        #expect(try TestSupport.merged(patch, into: Part(id: 1, size: nil)) == Part(id: 1, size: nil))
    }

    final class Counter: JSONModel {
        struct Storage {
            var x: Int
            var y: Int
            var z: Int
        }
        var values: [Int]
        init(_ values: [Int]) { self.values = values }
        static let plan = ModelPlan<Counter>(
            storage: Storage.self, [JSONField(\.x), JSONField(\.y), JSONField(\.z)],
            make: { Counter([$0.x, $0.y, $0.z]) },
            read: { Storage(x: $0.values[0], y: $0.values[1], z: $0.values[2]) },
            assign: { $1.values = [$0.x, $0.y, $0.z] })
    }

    struct Shared: JSONModel {
        var one: Counter
        var other: Counter
        var number = 0
        static let plan = ModelPlan<Shared>(JSONField(\.one), JSONField(\.other), JSONField(\.number, default: 0))
    }

    @Test func `an object of two properties keeps the changes of each, or none`() throws {
        let options = JSONMergeOptions(nested: .merge)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let counter = Counter([0, 0, 0])
            var shared = Shared(one: counter, other: counter)
            let changes = #""one":{"x":1},"other":{"y":2},"one":{"z":3}"#
            for end in [#","number":"x"}"#, #","other":{"x":"x"}}"#, ",", #","one":{"y":5},"other":5}"#] {
                #expect(throws: JSONModelError.self) {
                    try decoder.merge("{" + changes + end, into: &shared, options: options)
                }
                #expect(counter.values == [0, 0, 0], "\(source), \(end)")
            }
            try decoder.merge("{" + changes + "}", into: &shared, options: options)
            #expect(shared.one === counter && shared.other === counter)
            #expect(Array(counter.values[1...]) == [2, 3], "\(source)")
        }
    }

    @Test func `different keys are not duplicates`() throws {
        let decoder = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        var model = try decoder.decode(Everything.self, from: MergePatchTests.document)
        let patch =
            #"{"circle":{"radius":1},"account":{"login":"x","address":{"city":"y"}},"value":{"v":{"v":{}}},"q":1,"r":{"q":2}}"#
        try decoder.merge(patch, into: &model, options: .mergePatch)
        #expect(model.circle?.radius == 1 && model.login == "x" && model.city == "y")
    }

    @Test func `keys of ignored properties may be repeated`() throws {
        struct Partly: JSONModel, Equatable {
            var id = 1
            var note = "kept"
            static let plan = ModelPlan<Partly>(
                JSONField(\.id), JSONField(\.note, default: "kept").ignored(.decoding))
        }
        let text = #"{"note":1,"id":2,"note":[]}"#
        let rejecting = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try TestSupport.merged(text, into: Partly(), with: rejecting) == Partly(id: 2))
    }

    @Test func `the last array is merged by index into the original`() throws {
        struct List: JSONModel, Equatable {
            var items: [Circle]
            var byID: [Int: Int] = [:]
            static let plan = ModelPlan<List>(JSONField(\.items), JSONField(\.byID, default: [:]))
        }
        let list = List(items: [.init(radius: 1, name: "a"), .init(radius: 2, name: "b")], byID: [1: 1])
        let patch = #"{"items":[{"radius":5}],"byID":{"1":5},"items":[{"name":"x"},{"radius":6}]}"#
        #expect(
            try TestSupport.merged(patch, into: list, options: .byIndex)
                == List(items: [.init(radius: 1, name: "x"), .init(radius: 6, name: "b")], byID: [1: 5]))
        let byID = List(items: [], byID: [1: 1])
        #expect(try TestSupport.merged(#"{"byID":{"1":5,"01":null}}"#, into: byID, options: .nested) == byID)
    }

    struct Size: JSONModel, Equatable {
        var width = 0
        var height = 0
        static let plan = ModelPlan<Size>(JSONField(\.width, default: 0), JSONField(\.height, default: 0))
    }

    struct Sized: JSONModel {
        var size: Size
        var account: MergeTests.Account
        static let plan = ModelPlan<Sized>(
            JSONField(\.size, key: "size", or: "old.size"), JSONField(\.account, key: "account", or: "user"))
    }

    @Test func `the best of several keys is applied to the original in any order`() throws {
        func merged(_ patch: String, _ source: JSONModelDecoder.Source) throws -> Sized {
            let account = MergeTests.Account(.init(id: 1, name: "n", owner: nil))
            var value = Sized(size: Size(), account: account)
            try JSONModelDecoder(from: source).merge(patch, into: &value, options: .nested)
            #expect(value.account === account)
            return value
        }
        for source in JSONModelDecoder.Source.allCases {
            for patch in [
                #"{"old":{"size":{"width":1}},"size":{"height":2}}"#,
                #"{"size":{"height":2},"old":{"size":{"width":1}}}"#,
                #"{"old":{"size":{"width":1}},"size":{"height":2},"old":{}}"#,
                #"{"old":{"size":{"width":1}},"size":{"height":1},"size":{"height":2}}"#,
            ] { #expect(try merged(patch, source).size == Size(width: 0, height: 2), "\(patch)") }
            #expect(
                try merged(#"{"old":{"size":{"width":1}},"size":null}"#, source).size == Size(width: 1, height: 0))
            for patch in [
                #"{"user":{"name":"u"},"account":{"id":2}}"#, #"{"account":{"id":2},"user":{"name":"u"}}"#,
                #"{"user":{"name":"u"},"account":{"id":2},"user":{"name":"v"}}"#,
                #"{"user":{"name":"u"},"user":{"name":"v"},"account":{"id":2}}"#,
            ] {
                let account = try merged(patch, source).account
                #expect(account.id == 2 && account.name == "n", "\(patch)")
            }
        }
    }

    struct Titles: JSONModel, JSONValueHook {
        var name: String?
        static let plan = ModelPlan<Titles>(JSONField(\.name, key: "name", or: "title"))
        static func transform(_ value: JSONValue?, for property: String) throws -> JSONValue? {
            value == "" ? nil : value
        }
    }

    struct Titled: JSONModel {
        var titles: Titles
        var account: MergeTests.Account
        static let plan = ModelPlan<Titled>(JSONField(flatten: \.titles), JSONField(\.account))
    }

    @Test func `a better key undoes no changes after a candidate that a hook leaves out`() throws {
        for source in JSONModelDecoder.Source.allCases {
            let account = MergeTests.Account(.init(id: 1, name: "n", owner: nil))
            var value = Titled(titles: Titles(name: "a"), account: account)
            try JSONModelDecoder(from: source).merge(
                #"{"title":"","account":{"name":"m"},"name":"b"}"#, into: &value, options: .nested)
            #expect(value.titles.name == "b" && value.account === account)
            #expect(account.id == 1 && account.name == "m")
        }
    }

    @Test func `repeated keys of a path and of candidates`() throws {
        struct Named: JSONModel, Equatable {
            var name: String?
            var other: Int? = nil
            static let plan = ModelPlan<Named>(JSONField(\.name, key: "name", or: "title"), JSONField(\.other))
        }
        let named = Named(name: "b", other: 1)
        #expect(
            try TestSupport.merged(#"{"title":"a","name":"b","title":"c"}"#, into: Named(name: "old", other: 1))
                == named)
        #expect(try TestSupport.merged(#"{"title":"a","title":null}"#, into: named) == named)
        // The value at the path of the call.
        #expect(
            try TestSupport.merged(#"{"a":{"name":"x"},"a":{"other":2}}"#, into: named, at: "a")
                == Named(name: "b", other: 2))
        #expect(
            try TestSupport.merged(
                #"{"a":{"k":{"name":"x"}},"a":{"k":{"other":3}}}"#, into: ["k": named], at: "a", options: .nested)
                == ["k": Named(name: "b", other: 3)])
    }
}
