import SluiceCore
import TestSupport
import Testing

/// Merges with `.clear` and `.merge`: JSON Merge Patch (RFC 7396) for every kind of property.
struct MergePatchTests {
    struct Circle: JSONModel, Equatable {
        var radius: Int
        var name: String?
        static let plan = ModelPlan<Circle>(JSONField(\.radius), JSONField(\.name))
    }

    protocol Way { static var tagging: JSONTagging { get } }
    enum External: Way { static let tagging = JSONTagging.external }
    enum Internal: Way { static let tagging = JSONTagging.internal(tag: "type") }
    enum Adjacent: Way { static let tagging = JSONTagging.adjacent(tag: "t", content: "c") }
    enum Untagged: Way { static let tagging = JSONTagging.untagged }

    enum Shape<W: Way>: JSONEnum, Equatable {
        case circle(Circle)
        case list([String: Int])
        static var plan: ModelPlan<Shape> {
            .shared {
                ModelPlan(
                    cases: [
                        JSONCase(
                            "circle", payload: Circle.self, make: { .circle($0) },
                            read: { if case .circle(let value) = $0 { value } else { nil } }),
                        JSONCase(
                            "list", payload: [String: Int].self, make: { .list($0) },
                            read: { if case .list(let value) = $0 { value } else { nil } }),
                    ], tagging: W.tagging)
            }
        }
    }

    struct Size: JSONModel, Equatable {
        var width: Int
        var note: String?
        var unit: String
        static let plan = ModelPlan<Size>(
            JSONField(\.width), JSONField(\.note), JSONField(\.unit, key: "unit", default: "mm"))
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
        let decoder = JSONModelDecoder()
        var line = Line(end: 1, note: 2)
        try decoder.merge(#"{"points":[3,null],"list":[{"note":null}]}"#, into: &line, options: options)
        #expect(line == Line(end: nil, note: nil))
        try decoder.merge(#"{"points":[null,null],"list":[{"note":null}]}"#, into: &line, options: options)
        #expect(line == Line(end: nil, note: nil))
        try decoder.merge(encode(line), into: &line, options: options)
        #expect(line == Line(end: nil, note: nil))
        try decoder.merge(
            #"{"points":[3,{"x":null}],"list":[{"note":{"y":[{"z":null}]}}]}"#, into: &line, options: options)
        #expect(line == Line(end: ["x": nil], note: ["y": [["z": nil]]]))
    }

    struct Later: JSONModel {
        var raw: JSONRaw?
        var lazy: JSONLazy<[String: JSONValue]>?
        static let plan = ModelPlan<Later>(
            JSONField(\.raw, key: "list[0]"), JSONField(\.lazy, key: "list[1]"))
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
        let decoder = JSONModelDecoder()
        var part = Part(id: 1, size: Size(width: 16, note: nil, unit: "mm"))
        try decoder.merge(#"{"width":null,"unit":null}"#, into: &part, options: .mergePatch)
        #expect(part == Part(id: 1, size: nil))
        part.size = Size(width: 16, note: "thin", unit: "mm")
        #expect(throws: JSONModelError.self) {
            try decoder.merge(#"{"width":null,"unit":null}"#, into: &part, options: .mergePatch)
        }
        try decoder.merge(#"{"width":null,"unit":null,"note":null}"#, into: &part, options: .mergePatch)
        #expect(part == Part(id: 1, size: nil))
        part.size = Size(width: 16, note: nil, unit: "mm")
        try decoder.merge(#"{"note":"thin"}"#, into: &part, options: .mergePatch)
        #expect(part.size == Size(width: 16, note: "thin", unit: "mm"))
    }

    struct Marks: JSONModel, Equatable {
        var width: Int
        var mark: JSONPresence<String> = .absent
        var count: Int? = nil
        var cache = "none"
        var rest: [String: Int] = [:]
        static let plan = ModelPlan<Marks>(
            JSONField(\.width), JSONField(\.mark), JSONField(\.count, key: "count", default: 1),
            JSONField(ignoring: \.cache, default: "none"), JSONField(extra: \.rest))
    }

    struct Marked: JSONModel, Equatable {
        var id: Int
        var marks: Marks?
        static let plan = ModelPlan<Marked>(JSONField(\.id), JSONField(flatten: \.marks))
    }

    @Test func `a flattened model is nil if its remaining values have no members`() throws {
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            let none = Marked(id: 1, marks: nil)
            var marked = Marked(id: 1, marks: Marks(width: 2, cache: "a text that is long enough for the heap"))
            try decoder.merge(#"{"width":null}"#, into: &marked, options: .mergePatch)
            #expect(marked == none)
            // A key that no property has.
            for options in [JSONMergeOptions(), .mergePatch] {
                try decoder.merge(#"{"other":null}"#, into: &marked, options: options)
                #expect(marked == none)
            }
            marked.marks = Marks(width: 2, rest: ["other": 3])
            #expect(throws: JSONModelError.self) {
                try decoder.merge(#"{"width":null}"#, into: &marked, options: .mergePatch)
            }
            try decoder.merge(#"{"width":null,"other":null}"#, into: &marked, options: .mergePatch)
            #expect(marked == none)
            // The other values stay as they are.
            marked.marks = Marks(width: 2, cache: "kept")
            try decoder.merge(#"{"id":4,"width":3}"#, into: &marked, options: .mergePatch)
            #expect(marked == Marked(id: 4, marks: Marks(width: 3, cache: "kept")))
        }
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
        #"{"byName":{"k":null,"l":{"t":"circle","c":{"radius":1,"name":null}}}}"#,
        #"{"lazy":{"name":null}}"#, #"{"lazy":{"radius":1}}"#, #"{"lazy":null}"#, #"{"lazy":7}"#,
        #"{"raw":{"a":{"b":null,"d":[null]}}}"#, #"{"raw":{"a":null}}"#, #"{"raw":[1]}"#, #"{"raw":null}"#,
        #"{"embedded":"{\"radius\":1}"}"#, #"{"embedded":null}"#, #"{"sized":{"named":null}}"#,
        #"{"sized":{"size":1}}"#, #"{"sized":null}"#, #"{"field":{"name":null}}"#, #"{"field":null}"#,
        #"{"field":{"radius":1}}"#, #"{"circle":{"name":null}}"#, #"{"circle":null}"#,
        #"{"numbers":{"x":null,"z":3}}"#, #"{"numbers":null}"#, #"{"value":{"v":{"w":null},"u":{"t":null}}}"#,
        #"{"value":null}"#, #"{"value":[null]}"#, #"{"extra":{"e":{"f":null,"h":{"i":null}}}}"#,
        #"{"extra":null,"more":null}"#, #"{"more":{"a":null,"b":1}}"#, #"{"new":{"a":null,"b":1},"other":null}"#,
    ])
    func `a patch changes every kind of property as RFC 7396 requires`(_ patch: String) throws {
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
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
        for source in JSONModelDecoder.Source.allCases {
            var decoder = JSONModelDecoder()
            decoder.source = source
            var model = try decoder.decode(Everything.self, from: Self.document)
            let before = model
            #expect(throws: JSONModelError.self) {
                try decoder.merge(patch, into: &model, options: .mergePatch)
            }
            #expect(model == before)
        }
    }

    @Test func `a changed value that does not match is replaced by the default`() throws {
        struct Figure: JSONModel, Equatable {
            var shape = Shape<External>.list([:])
            var lazy: Shape<Internal>?
            static let plan = ModelPlan<Figure>(
                [JSONField(\.shape, default: .list([:])), JSONField(\.lazy)], defaultsOn: .all)
        }
        let circle = Circle(radius: 1, name: "n")
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            var figure = Figure(shape: .circle(circle), lazy: .circle(circle))
            try decoder.merge(
                #"{"shape":{"circle":{"radius":"x"}},"lazy":{"radius":"x"}}"#, into: &figure, options: .mergePatch)
            #expect(figure == Figure(shape: .list([:]), lazy: nil))
        }
    }

    @Test func `a changed value that fails leaves the other members of lossy extra keys`() throws {
        struct Shapes: JSONModel, Equatable {
            var shapes: [String: Shape<External>]
            static let plan = ModelPlan<Shapes>(JSONField(extra: \.shapes).lossy())
        }
        let circle = Shape<External>.circle(Circle(radius: 1, name: "n"))
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder.with { $0.source = source }
            var value = Shapes(shapes: ["a": circle, "b": circle])
            try decoder.merge(
                #"{"a":{"circle":{"radius":"x"}},"c":{"list":{"k":1}}}"#, into: &value, options: .mergePatch)
            #expect(value == Shapes(shapes: ["a": circle, "b": circle, "c": .list(["k": 1])]))
        }
    }

    @Test func `a patch changes an enum at the root`() throws {
        var shape = Shape<Internal>.circle(Circle(radius: 1, name: "n"))
        try JSONModelDecoder().merge(#"{"radius":2}"#, into: &shape)
        #expect(shape == .circle(Circle(radius: 2, name: "n")))
        try JSONModelDecoder().merge(#"{"name":null}"#, into: &shape)
        #expect(shape == .circle(Circle(radius: 2, name: "n")))
        try JSONModelDecoder().merge(#"{"name":null}"#, into: &shape, options: JSONMergeOptions(nulls: .clear))
        #expect(shape == .circle(Circle(radius: 2, name: nil)))
        let issue = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().merge(
                #"{"radius":null}"#, into: &shape, options: JSONMergeOptions(nulls: .clear))
        }?.issues.first
        #expect(issue?.kind == .missingKeys(["radius"]))
        #expect(shape == .circle(Circle(radius: 2, name: nil)))
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
            try decoder.merge(#"[{"f":8}]"#, into: &scores, options: JSONMergeOptions(arrays: .byIndex))
            #expect(scores[0].members.map(\.key) == ["e", "f"])
        }
    }

    @Test func `a later key that fails is an error, unless the changes have a better one`() throws {
        struct Named: JSONModel, Equatable {
            var name: String?
            static let plan = ModelPlan<Named>(JSONField(\.name, key: "name", or: "title"))
        }
        var named = Named(name: "old")
        for patch in [#"{"title":5}"#, #"{"title":5,"name":null}"#, #"{"title":"a","title":5}"#] {
            let error = #expect(throws: JSONModelError.self) { try JSONModelDecoder().merge(patch, into: &named) }
            #expect(error?.issues.map(\.path) == ["title"])
            #expect(named.name == "old")
        }
        for (patch, name) in [(#"{"title":5,"name":"new"}"#, "new"), (#"{"name":"b","title":5}"#, "b")] {
            try JSONModelDecoder().merge(patch, into: &named)
            #expect(named.name == name)
        }
    }

    @Test func `only a null of the first key clears a property with several keys`() throws {
        struct Named: JSONModel, Equatable {
            var name: String?
            static let plan = ModelPlan<Named>(JSONField(\.name, key: "name", or: "title"))
        }
        func merged(_ patch: String) throws -> String? {
            var named = Named(name: "old")
            try JSONModelDecoder().merge(patch, into: &named, options: .mergePatch)
            return named.name
        }
        #expect(try merged(#"{"name":null}"#) == nil)
        #expect(try merged(#"{"title":null}"#) == "old")
        #expect(try merged(#"{"title":"new"}"#) == "new")
        #expect(try merged(#"{"name":null,"title":"new"}"#) == "new")
        #expect(try merged(#"{"title":"new","name":null}"#) == "new")
    }
}

extension JSONModelEncoder {
    /// The JSON of a value, whatever the order of its members.
    fileprivate func encodeToValue<T: JSONConvertible>(_ value: T) throws -> JSONValue {
        try JSONModelDecoder().decode(JSONValue.self, from: encode(value))
    }
}
