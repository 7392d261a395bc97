import SluiceCore
import TestSupport
import Testing

/// Merges with `.clear` and `.merge`: JSON Merge Patch (RFC 7396) for every kind of property.
@Suite(.tags(.merging)) struct MergePatchTests {
    enum Shape<T: Tagging>: JSONEnum, Equatable {
        case circle(Circle)
        case list([String: Int])
        static var plan: ModelPlan<Shape> {
            .shared { ModelPlan(cases: [.of("circle", Self.circle), .of("list", Self.list)], tagging: T.tagging) }
        }
    }

    struct Size: JSONModel, Equatable {
        var width: Int
        var note: String?
        var unit: String
        static let plan = ModelPlan<Size>(JSONField(\.width), JSONField(\.note), JSONField(\.unit, default: "mm"))
    }

    struct Part: JSONModel, Equatable {
        var id: Int
        var size: Size?
        static let plan = ModelPlan<Part>(JSONField(\.id), JSONField(flatten: \.size))
    }

    struct Line: JSONModel, Equatable {
        var end: JSONValue
        var note: JSONValue
        static let plan = ModelPlan<Line>(
            JSONField(\.end, key: "points[1]"), JSONField(\.note, key: "list[0].note"))
    }

    @Test(arguments: [JSONMergeOptions.mergePatch, JSONMergeOptions()])
    func `null in an array on a path is a value`(_ options: JSONMergeOptions) throws {
        let null = Line(end: nil, note: nil)
        let text = #"{"points":[3,null],"list":[{"note":null}]}"#
        #expect(try merged(text, into: Line(end: 1, note: 2), options: options) == null)
        #expect(try merged(text.replacing("3", with: "null"), into: null, options: options) == null)
        #expect(try merged(encode(null), into: null, options: options) == null)
        let deep = #"{"points":[3,{"x":null}],"list":[{"note":{"y":[{"z":null}]}}]}"#
        #expect(try merged(deep, into: null, options: options) == Line(end: ["x": nil], note: ["y": [["z": nil]]]))
    }

    struct Later: JSONModel {
        var raw: JSONRaw?
        var lazy: JSONLazy<[String: JSONValue]>?
        static let plan = ModelPlan<Later>(JSONField(\.raw, key: "list[0]"), JSONField(\.lazy, key: "list[1]"))
    }

    @Test func `raw text in an array on a path keeps its nulls`() throws {
        var later = Later()
        for _ in 0..<2 {
            try JSONModelDecoder().merge(
                #"{"list":[{"a":null},{"b":{"c":null}}]}"#, into: &later, options: .mergePatch)
            #expect(later.raw?.description == #"{"a":null}"#)
            #expect(try later.lazy?.value == ["b": ["c": nil]])
        }
    }

    @Test func `a flattened model whose values are removed is nil`() throws {
        let (none, bare) = (Part(id: 1), Part(id: 1, size: Size(width: 16, unit: "mm")))
        let noted = Part(id: 1, size: Size(width: 16, note: "thin", unit: "mm"))
        let patch = #"{"width":null,"unit":null}"#
        #expect(try merged(patch, into: bare, options: .mergePatch) == none)
        _ = try mergeRefusal(patch, into: noted, options: .mergePatch)
        #expect(try merged(#"{"width":null,"unit":null,"note":null}"#, into: noted, options: .mergePatch) == none)
        #expect(try merged(#"{"note":"thin"}"#, into: bare, options: .mergePatch) == noted)
    }

    struct Marks: JSONModel, Equatable {
        var width: Int
        var mark: JSONPresence<String> = .absent
        var count: Int? = nil
        var cache = "none"
        var rest: [String: Int] = [:]
        static let plan = ModelPlan<Marks>(
            JSONField(\.width), JSONField(\.mark), JSONField(\.count, default: 1),
            JSONField(ignoring: \.cache, default: "none"), JSONField(extra: \.rest))
    }

    struct Marked: JSONModel, Equatable {
        var id: Int
        var marks: Marks?
        static let plan = ModelPlan<Marked>(JSONField(\.id), JSONField(flatten: \.marks))
    }

    @Test func `a flattened model is nil if its remaining values have no members`() throws {
        func check(_ marks: Marks?, _ patch: String, _ expected: Marked, _ options: JSONMergeOptions = .mergePatch)
            throws
        {
            #expect(try merged(patch, into: Marked(id: 1, marks: marks), options: options) == expected)
        }
        let none = Marked(id: 1, marks: nil)
        try check(Marks(width: 2, cache: "a text that is long enough for the heap"), #"{"width":null}"#, none)
        // A key that no property has.
        try check(nil, #"{"other":null}"#, none)
        try check(nil, #"{"other":null}"#, none, JSONMergeOptions())
        let extra = Marks(width: 2, rest: ["other": 3])
        _ = try mergeRefusal(#"{"width":null}"#, into: Marked(id: 1, marks: extra), options: .mergePatch)
        try check(extra, #"{"width":null,"other":null}"#, none)
        // The other values stay as they are.
        let kept = Marked(id: 4, marks: Marks(width: 3, cache: "kept"))
        try check(Marks(width: 2, cache: "kept"), #"{"id":4,"width":3}"#, kept)
    }

    /// A circle as an object with a size.
    struct Sized: JSONTransform {
        func decode(_ json: [String: Int]) throws -> Circle {
            guard let size = json["size"] else { throw Missing() }
            return Circle(radius: size, name: json["named"].map { "\($0)" })
        }
        func encode(_ value: Circle) -> [String: Int] {
            value.name.flatMap { Int($0) }.map { ["size": value.radius, "named": $0] } ?? ["size": value.radius]
        }
    }
    struct Missing: Error {}

    struct Everything: JSONModel, Equatable {
        var login: String?
        var city: String?
        var second: Int?
        var external: Shape<External>?
        var internally: Shape<Internal>?
        var byName: [String: Shape<Adjacent>]
        var lazy: JSONLazy<Circle>?
        var raw: JSONRaw?
        var embedded: Circle?
        var sized: Circle?
        var field: JSONPresence<Circle>
        var circle: Circle?
        var numbers: [String: Int?]
        var value: JSONValue?
        var rest: [String: JSONValue]

        static let plan = ModelPlan<Everything> {
            JSONField(\.login, key: "account.login")
            JSONField(\.city, key: "account.address.city")
            JSONField(\.second, key: "list[1]")
            JSONField(\.external)
            JSONField(\.internally)
            JSONField(\.byName, default: [:])
            JSONField(\.lazy)
            JSONField(\.raw)
            JSONField(embedded: \.embedded)
            JSONField(\.sized, key: "sized", transform: Sized())
            JSONField(\.field)
            JSONField(\.circle)
            JSONField(\.numbers, default: [:])
            JSONField(\.value)
            JSONField(extra: \.rest)
        }
    }

    static let document = #"""
        {"account":{"login":"a","address":{"city":"Bern"}},"list":[1,2],"external":{"circle":{"radius":1,"name":"n"}},
        "internally":{"type":"circle","radius":2,"name":"m"},"byName":{"k":{"t":"circle","c":{"radius":3,"name":"o"}}},
        "lazy":{"radius":4,"name":"p"},"raw":{"a":{"b":1,"c":2}},"embedded":"{\"radius\":5,\"name\":\"q\"}",
        "sized":{"size":6,"named":7},"field":{"radius":8,"name":"r"},"circle":{"radius":9,"name":"s"},
        "numbers":{"x":1,"y":null},"value":{"v":{"w":1,"z":2}},"extra":{"e":{"f":1,"g":2}},"more":[1]}
        """#

    /// RFC 7396, section 2.
    private func applied(_ patch: JSONValue, to target: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = JSONObject()
        if case .object(let known) = target { members = known }
        for (key, change) in changes {
            // A literal nil would be a null.
            if change == .null {
                members.removeValue(forKey: key)
            } else {
                members[key] = applied(change, to: members[key] ?? .null)
            }
        }
        return .object(members)
    }

    @Test(arguments: [
        "{}", #"{"account":null}"#, #"{"account":{"address":null}}"#, #"{"account":{"login":null}}"#,
        #"{"account":{"address":{"city":"Basel"},"x":1}}"#, #"{"list":null}"#, #"{"list":[3]}"#, #"{"list":[3,4]}"#,
        #"{"external":{"circle":{"name":null}}}"#, #"{"external":{"circle":null,"list":{"a":1,"b":null}}}"#,
        #"{"external":null}"#, #"{"internally":{"radius":7}}"#, #"{"internally":{"name":null}}"#,
        #"{"internally":{"type":"list","radius":null,"name":null}}"#, #"{"byName":{"k":{"c":{"radius":9}}}}"#,
        #"{"byName":{"k":null,"l":{"t":"circle","c":{"radius":1,"name":null}}}}"#, #"{"lazy":{"name":null}}"#,
        #"{"lazy":{"radius":1}}"#, #"{"lazy":null}"#, #"{"lazy":7}"#, #"{"raw":{"a":{"b":null,"d":[null]}}}"#,
        #"{"raw":{"a":null}}"#, #"{"raw":[1]}"#, #"{"raw":null}"#, #"{"embedded":"{\"radius\":1}"}"#,
        #"{"embedded":null}"#, #"{"sized":{"named":null}}"#, #"{"sized":{"size":1}}"#, #"{"sized":null}"#,
        #"{"field":{"name":null}}"#, #"{"field":null}"#, #"{"field":{"radius":1}}"#, #"{"circle":{"name":null}}"#,
        #"{"circle":null}"#, #"{"numbers":{"x":null,"z":3}}"#, #"{"numbers":null}"#,
        #"{"value":{"v":{"w":null},"u":{"t":null}}}"#, #"{"value":null}"#, #"{"value":[null]}"#,
        #"{"extra":{"e":{"f":null,"h":{"i":null}}}}"#, #"{"extra":null,"more":null}"#,
        #"{"more":{"a":null,"b":1}}"#, #"{"new":{"a":null,"b":1},"other":null}"#,
    ])
    func `a patch changes every kind of property as RFC 7396 requires`(_ patch: String) throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            // Where everything is, and where the properties are nil.
            for document in [Self.document, "{}"] {
                var model = try decoder.decode(Everything.self, from: document)
                let encoded = try JSONModelEncoder().encode(model)
                let target = try decoder.decode(JSONValue.self, from: encoded)
                let patched = try applied(decoder.decode(JSONValue.self, from: patch), to: target)
                let expected = try? decoder.decode(Everything.self, from: patched.description)
                let before = model
                do {
                    try decoder.merge(patch, into: &model, options: .mergePatch)
                    #expect(
                        try JSONModelEncoder().encode(model, as: .value)
                            == expected.map(JSONModelEncoder().encodeToValue))
                } catch {
                    #expect(expected == nil, "\(error)")
                    #expect(model == before)
                }
            }
        }
    }

    @Test(arguments: [
        #"{"external":{"circle":{"radius":"x"}}}"#, #"{"lazy":{"radius":4},"sized":{"size":null}}"#,
        #"{"internally":{"type":"square"}}"#, #"{"circle":{"radius":null}}"#, #"{"sized":{"size":"x"}}"#,
        #"{"embedded":{"radius":1}}"#, #"{"account":{"address":[]}}"#, #"{"raw":{"a":{"b":}}}"#,
        #"{"external":{"circle":{"radius":1}"#,
    ])
    func `a failure changes nothing`(_ patch: String) throws {
        let model = try JSONModelDecoder().decode(Everything.self, from: Self.document)
        _ = try mergeRefusal(patch, into: model, options: .mergePatch)
    }

    @Test func `a changed value that does not match is replaced by the default`() throws {
        struct Figure: JSONModel, Equatable {
            var shape = Shape<External>.list([:])
            var lazy: Shape<Internal>?
            static let plan = ModelPlan<Figure>(
                [JSONField(\.shape, default: .list([:])), JSONField(\.lazy)], defaultsOn: .all)
        }
        let circle = Circle(radius: 1, name: "n")
        #expect(
            try merged(
                #"{"shape":{"circle":{"radius":"x"}},"lazy":{"radius":"x"}}"#,
                into: Figure(shape: .circle(circle), lazy: .circle(circle)), options: .mergePatch)
                == Figure(shape: .list([:]), lazy: nil))
    }

    @Test func `a changed value that fails leaves the other members of lossy extra keys`() throws {
        struct Shapes: JSONModel, Equatable {
            var shapes: [String: Shape<External>]
            static let plan = ModelPlan<Shapes>(JSONField(extra: \.shapes).lossy())
        }
        let circle = Shape<External>.circle(Circle(radius: 1, name: "n"))
        #expect(
            try merged(
                #"{"a":{"circle":{"radius":"x"}},"c":{"list":{"k":1}}}"#,
                into: Shapes(shapes: ["a": circle, "b": circle]), options: .mergePatch)
                == Shapes(shapes: ["a": circle, "b": circle, "c": .list(["k": 1])]))
    }

    @Test func `a patch changes an enum at the root`() throws {
        let circle = Shape<Internal>.circle(Circle(radius: 2, name: "n"))
        #expect(try merged(#"{"radius":2}"#, into: Shape<Internal>.circle(Circle(radius: 1, name: "n"))) == circle)
        #expect(try merged(#"{"name":null}"#, into: circle) == circle)
        let clearing = JSONMergeOptions(nulls: .clear)
        #expect(try merged(#"{"name":null}"#, into: circle, options: clearing) == .circle(Circle(radius: 2)))
        let issue = try mergeRefusal(#"{"radius":null}"#, into: circle, options: clearing)
        #expect(issue.kind == .missingKeys(["radius"]))
    }

    /// A dictionary that keeps the order of its members.
    private struct Ordered: JSONConvertible {
        var members: [(key: String, value: Int)]
        static var jsonShape: JSONShape {
            .dictionary(
                Self.self, key: String.self, value: Int.self, make: { Self(members: $0) }, members: { $0.members })
        }
    }

    @Test func `the members of a dictionary of another type are changed`() throws {
        struct Scores: JSONModel {
            var scores: Ordered
            static let plan = ModelPlan<Scores>(JSONField(\.scores))
        }
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            var model = try decoder.decode(Scores.self, from: #"{"scores":{"b":1,"a":2,"c":3}}"#)
            try decoder.merge(#"{"scores":{"a":null,"d":4,"b":5}}"#, into: &model, options: .mergePatch)
            #expect(model.scores.members.map(\.key) == ["b", "c", "d"])
            #expect(model.scores.members.map(\.value) == [5, 3, 4])
            try decoder.merge(#"{"c":6}"#, into: &model.scores)
            #expect(model.scores.members.map(\.value) == [5, 6, 4])
            try decoder.merge(#"{"scores":{"e":7}}"#, into: &model)
            #expect(model.scores.members.map(\.key) == ["e"])
            var scores = [model.scores]
            try decoder.merge(#"[{"f":8}]"#, into: &scores, options: .byIndex)
            #expect(scores[0].members.map(\.key) == ["e", "f"])
        }
    }

    struct Named: JSONModel, Equatable {
        var name: String?
        static let plan = ModelPlan<Named>(JSONField(\.name, key: "name", or: "title"))
    }

    @Test func `a later key that fails is an error, unless the changes have a better one`() throws {
        let old = Named(name: "old")
        for patch in [#"{"title":5}"#, #"{"title":5,"name":null}"#, #"{"title":"a","title":5}"#] {
            #expect(try mergeRefusal(patch, into: old).path == "title")
        }
        #expect(try merged(#"{"title":5,"name":"new"}"#, into: old).name == "new")
        #expect(try merged(#"{"name":"b","title":5}"#, into: old).name == "b")
    }

    @Test(
        arguments: [
            (#"{"name":null}"#, nil), (#"{"title":null}"#, "old"), (#"{"title":"new"}"#, "new"),
            (#"{"name":null,"title":"new"}"#, "new"), (#"{"title":"new","name":null}"#, "new"),
        ] as [(String, String?)])
    func `only a null of the first key clears a property with several keys`(_ patch: String, _ name: String?) throws
    {
        #expect(try merged(patch, into: Named(name: "old"), options: .mergePatch).name == name)
    }

    @Test func `skipped nulls change nothing`() throws {
        let model = try JSONModelDecoder().decode(Everything.self, from: Self.document)
        let patch =
            #"{"account":null,"external":{"circle":{"name":null}},"raw":{"a":null},"extra":{"e":null},"more":null}"#
        #expect(try merged(patch, into: model, options: .nested) == model)
    }

    @Test func `a patch creates, changes and clears an optional flattened model`() throws {
        struct Size: JSONModel, Equatable {
            var width: Int
            var height: Int
            var circle: Circle?
            static let plan = ModelPlan<Size>(JSONField(\.width), JSONField(\.height), JSONField(\.circle))
        }
        struct Box: JSONModel, Equatable {
            var size: Size?
            static let plan = ModelPlan<Box>(JSONField(flatten: \.size))
        }
        for nulls in [JSONMergeOptions.Nulls.skip, .clear] {
            func merged(_ patch: String, into size: Size?) throws -> Size? {
                var box = Box(size: size)
                try JSONModelDecoder().merge(
                    patch, into: &box, options: JSONMergeOptions(nulls: nulls, nested: .merge))
                return box.size
            }
            #expect(try merged(#"{"width":null}"#, into: nil) == nil)
            let patch = #"{"width":1,"height":2,"circle":{"radius":3}}"#
            let size = Size(width: 1, height: 2, circle: Circle(radius: 3, name: nil))
            #expect(try merged(patch, into: nil) == size)
            #expect(try merged(#"{"circle":{"name":"n"}}"#, into: size)?.circle == Circle(radius: 3, name: "n"))
            #expect(throws: JSONModelError.self) { try merged(#"{"width":1}"#, into: nil) }
            let none = try merged(#"{"width":null,"height":null,"circle":null}"#, into: size)
            #expect(none == (nulls == .clear ? nil : size))
        }
    }
}

extension JSONModelEncoder {
    /// The JSON of a value, whatever the order of its members.
    fileprivate func encodeToValue<T: JSONConvertible>(_ value: T) throws -> JSONValue {
        try JSONModelDecoder().decode(JSONValue.self, from: encode(value))
    }
}
