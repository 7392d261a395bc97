import SluiceCore
import SluiceStreams
import TestSupport
import Testing

/// The option `defaultsOn` of a plan.
@Suite(.tags(.fallbacks)) struct MismatchOptionTests {
    struct Model: JSONModel, Equatable {
        let id: Int
        var count = 1
        var name: String?
        var point: Point?
        var points: [Point] = [Point(x: 0)]
        var stated = 7
        var xs: [Int] = []
        var presence: JSONPresence<Int> = .value(3)
        var deep: Int?

        static let plan = ModelPlan<Model>(
            [
                JSONField(\.id), JSONField(\.count, default: 1), JSONField(\.name), JSONField(\.point),
                JSONField(\.points, key: "points", or: "list", default: [Point(x: 0)]),
                JSONField(\.stated, default: 7).defaulting(on: .missing),
                JSONField(\.xs, key: "items[*].x", default: []), JSONField(\.presence),
                JSONField(\.deep, key: "a.b"),
            ], defaultsOn: .all)
    }

    @Test func `properties with a default and optionals take their defaults`() throws {
        let text = #"""
            {"id": 1, "count": "x", "name": 5, "point": {"x": true}, "points": [{"x": 1}, {"x": "y"}], "presence": "z",
             "a": {"b": []}}
            """#
        let (model, issues) = try reported(Model.self, text)
        #expect(
            model == Model(id: 1, count: 1, name: nil, point: nil, points: [Point(x: 0)], xs: [], presence: .absent)
        )
        #expect(issues.map(\.path) == ["count", "name", "point.x", "points[1].x", "presence", "a.b"])
    }

    struct OnPath: JSONModel, Equatable {
        var deep = 0
        var maybe: Int?
        var third = 0
        var list: [Int?] = []
        var ranked = 0
        static let plan = ModelPlan<OnPath>(
            JSONField(\.deep, key: "a.b.c", default: 1).defaulting(on: .all),
            JSONField(\.maybe, key: "a.b.d").defaulting(on: .mismatch),
            JSONField(\.third, key: "list[2].x", default: 3).defaulting(on: .all),
            JSONField(\.list, key: "rows[*].x.y", default: []).lossy(),
            JSONField(\.ranked, key: "r", or: "s.t", default: 7))
    }

    @Test func `a value of the wrong kind on the path of a property is a mismatch of the property`() throws {
        let defaults = OnPath(deep: 1, maybe: nil, third: 3, list: [], ranked: 7)
        for (text, paths) in [
            (#"{"a": 5}"#, ["a"]), (#"{"a": {"b": [{}]}}"#, ["a.b"]),
            (#"{"a": ["x"], "list": {"2": 4}}"#, ["a", "list"]), (#"{"list": [1, 2, [4]]}"#, ["list[2]"]),
            (#"{"list": [1, 2, 4]}"#, ["list[2]"]), (#"{"a": {"b": {"c": 9, "d": 8}, "b": "x"}}"#, ["a.b"]),
            (#"{"rows": 5}"#, ["rows"]),
        ] {
            let (value, issues) = try reported(OnPath.self, text)
            #expect(value == defaults, "\(text)")
            #expect(issues.map(\.path) == paths.map { JSONPath(stringLiteral: $0) }, "\(text)")
            var merged = OnPath(deep: 2, maybe: 2, third: 2, list: [], ranked: 7)
            try JSONModelDecoder().merge(text, into: &merged)
            let isOfList = text.contains("list")
            #expect(
                merged.third == (isOfList ? 3 : 2) && merged.deep == (text.contains(#""a""#) ? 1 : 2), "\(text)")
            var feed = JSONModelDecoder().feed(of: OnPath.self)
            var found: [OnPath] = []
            for byte in text.utf8 {
                found += try feed.push([byte])
                _ = feed.snapshot()
            }
            #expect(try found + feed.finish() == [defaults], "\(text)")
        }
        let rows = try reported(OnPath.self, #"{"rows": [{"x": {"y": 1}}, {"x": 2}, 3, {"x": {"y": 4}}]}"#)
        #expect(rows.value.list == [1, nil, nil, 4] && rows.issues.map(\.path) == ["rows[1].x", "rows[2]"])
        // A better candidate may follow; without one, the mismatch is an error, as for a value of the property.
        for text in [#"{"s": 5, "r": 6}"#, #"{"r": 6, "s": 5}"#, #"{"s": {"t": "x"}, "r": 6}"#] {
            #expect(try decode(OnPath.self, text).ranked == 6)
        }
        #expect(try refusal(OnPath.self, #"{"s": [5]}"#).path == "s")
        #expect(try JSONModelDecoder().decodePartially(OnPath.self, from: #"{"a": 5, "r": 6, "#).value?.deep == 1)
    }

    @Test func `a value of the wrong kind on a path fails if one of the properties below fails`() throws {
        struct Pair: JSONModel, Equatable {
            var first = 0
            var second = 0
            static let plan = ModelPlan<Pair>(
                JSONField(\.first, key: "a.first", default: 1).defaulting(on: .all),
                JSONField(\.second, key: "a.second"))
        }
        #expect(try refusal(Pair.self, #"{"a": 5}"#).path == "a")
        // A fault in the object is no mismatch of the object.
        let rejecting = JSONModelDecoder.with { $0.duplicateKeys = .reject }
        #expect(try refusal(OnPath.self, #"{"a": {"b": {"c": 1, "c": 2}}}"#, with: rejecting).path == "a.b.c")
    }

    @Test func `by the rules of MJExtension a value of the wrong kind on a path leaves a property as it is`() throws
    {
        let decoder = JSONModelDecoder.with { $0.coercion = .mjExtension }
        let value = try decode(OnPath.self, #"{"a": {"b": 5}, "list": 5, "s": 5}"#, with: decoder)
        #expect(value == OnPath(deep: 1, maybe: nil, third: 3, list: [], ranked: 7))
    }

    struct WholeAndPart: JSONModel, Equatable {
        var whole: JSONValue
        var part = 0
        static let plan = ModelPlan<WholeAndPart>(
            JSONField(\.whole, key: "a"), JSONField(\.part, key: "a.b", default: 1).defaulting(on: .all))
    }

    @Test func `a value without the part that a property reads is a mismatch of the part alone`() throws {
        #expect(try decode(WholeAndPart.self, #"{"a": 5}"#) == WholeAndPart(whole: 5, part: 1))
        #expect(try decode(WholeAndPart.self, #"{"a": [{"b": 2}]}"#) == WholeAndPart(whole: [["b": 2]], part: 1))
    }

    @Test func `values that match are decoded`() throws {
        let text = #"""
            {"id": 1, "count": 2, "name": "n", "point": {"x": 3}, "list": [{"x": 4}], "presence": null, "a": {"b": 5},
             "items": [{"x": 6}], "stated": 8}
            """#
        let (model, issues) = try reported(Model.self, text)
        #expect(
            model
                == Model(
                    id: 1, count: 2, name: "n", point: Point(x: 3), points: [Point(x: 4)], stated: 8, xs: [6],
                    presence: .null, deep: 5))
        #expect(issues.isEmpty)
        #expect(try decode(Model.self, #"{"id": 1, "count": null}"#).count == 1)
    }

    @Test func `null inside of a value is a mismatch of the value`() throws {
        struct Counted: JSONModel, Equatable {
            var count = 1
            var point = Point(x: 0)
            static let plan = ModelPlan<Counted>(
                JSONField(\.count, default: 1).defaulting(on: [.missing, .mismatch]),
                JSONField(\.point, default: Point(x: 0)).defaulting(on: [.missing, .mismatch]))
        }
        #expect(try decode(Counted.self, #"{"count": 2, "point": {"x": null}}"#) == Counted(count: 2))
        #expect(try refusal(Counted.self, #"{"count": null}"#).path == "count")
        #expect(try refusal(Counted.self, #"{"point": null}"#).path == "point")
    }

    @Test func `all other properties fail`() throws {
        #expect(try refusal(Model.self, #"{"id": "x", "count": "y"}"#).path == "id")
        #expect(try refusal(Model.self, #"{"count": "y"}"#).path == "")
        // The cases of this property are stated.
        #expect(try refusal(Model.self, #"{"id": 1, "stated": "x"}"#).path == "stated")
        // Values that a wildcard selects.
        #expect(try refusal(Model.self, #"{"id": 1, "items": [{"x": "y"}]}"#).path == "items[0].x")
        #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Model.self, from: #"{"id": 1, "count": "#)
        }
    }

    @Test func `an optional field whose default is stated for mismatches becomes nil`() throws {
        struct Stated: JSONModel, Equatable {
            var count: Int?
            var point: Point?
            var presence: JSONPresence<Int> = .absent
            static let plan = ModelPlan<Stated>(
                JSONField(\.count).defaulting(on: .mismatch),
                JSONField(embedded: \.point, key: "point").defaulting(on: .all),
                JSONField(\.presence).defaulting(on: .all))
        }
        let text = #"{"count": "x", "point": "{\"x\": true}", "presence": []}"#
        let (stated, issues) = try reported(Stated.self, text)
        #expect(stated == Stated())
        #expect(issues.map(\.path) == ["count", "point.x", "presence"])
        #expect(try decode(Stated.self, "{}") == Stated())
        #expect(try decode(Stated.self, #"{"count": null, "presence": null}"#) == Stated(presence: .null))
    }

    @Test func `a field opts out of the option by stating the cases of its default`() throws {
        struct Stating: JSONModel {
            var count: Int?
            static let plan = ModelPlan<Stating>([JSONField(\.count).defaulting(on: .missing)], defaultsOn: .all)
        }
        #expect(try refusal(Stating.self, #"{"count": "x"}"#).path == "count")
    }

    @Test func `a presence needs no key, whichever cases are those of defaults`() throws {
        struct OnNull: JSONModel, Equatable {
            var presence: JSONPresence<Int>
            static let plan = ModelPlan<OnNull>([JSONField(\.presence)], defaultsOn: .null)
        }
        struct Never: JSONModel, Equatable {
            var presence: JSONPresence<Int>
            static let plan = ModelPlan<Never>([JSONField(\.presence)], defaultsOn: [])
        }
        #expect(try decode(OnNull.self, "{}") == OnNull(presence: .absent))
        #expect(try decode(OnNull.self, #"{"presence": null}"#) == OnNull(presence: .null))
        #expect(try decode(Never.self, "{}") == Never(presence: .absent))
    }

    @Test func `the option applies to the model alone`() throws {
        struct Outer: JSONModel, Equatable {
            let model: Model
            var count = 2
            static let plan = ModelPlan<Outer>(JSONField(\.model), JSONField(\.count, default: 2))
        }
        #expect(try decode(Outer.self, #"{"model": {"id": 1, "count": []}}"#).model.count == 1)
        #expect(try refusal(Outer.self, #"{"model": {"id": 1}, "count": []}"#).path == "count")
    }

    @Test func `a mismatch in a merge sets the default`() throws {
        var model = Model(id: 1, count: 9, name: "kept")
        try JSONModelDecoder().merge(#"{"count": "x", "name": 5, "deep": 1}"#, into: &model)
        #expect(model.count == 1)
        #expect(model.name == nil)
    }
}
