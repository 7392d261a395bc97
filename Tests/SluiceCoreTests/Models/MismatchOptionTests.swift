import SluiceCore
import TestSupport
import Testing

/// The option `defaultsOn` of a plan.
@Suite struct MismatchOptionTests {
    struct Point: JSONModel, Equatable {
        let x: Int
        static let plan = ModelPlan<Point>(JSONField(\.x, key: "x"))
    }

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
                JSONField(\.id, key: "id"), JSONField(\.count, key: "count", default: 1),
                JSONField(\.name, key: "name"),
                JSONField(\.point, key: "point"),
                JSONField(\.points, key: "points", or: "list", default: [Point(x: 0)]),
                JSONField(\.stated, key: "stated", default: 7).defaulting(on: .missing),
                JSONField(\.xs, key: "items[*].x", default: []), JSONField(\.presence, key: "presence"),
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
                JSONField(\.count, key: "count", default: 1).defaulting(on: [.missing, .mismatch]),
                JSONField(\.point, key: "point", default: Point(x: 0)).defaulting(on: [.missing, .mismatch]))
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
                JSONField(\.count, key: "count").defaulting(on: .mismatch),
                JSONField(embedded: \.point, key: "point").defaulting(on: .all),
                JSONField(\.presence, key: "presence").defaulting(on: .all))
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
            static let plan = ModelPlan<Stating>(
                [JSONField(\.count, key: "count").defaulting(on: .missing)], defaultsOn: .all)
        }
        #expect(try refusal(Stating.self, #"{"count": "x"}"#).path == "count")
    }

    @Test func `a presence needs no key, whichever cases are those of defaults`() throws {
        struct OnNull: JSONModel, Equatable {
            var presence: JSONPresence<Int>
            static let plan = ModelPlan<OnNull>([JSONField(\.presence, key: "presence")], defaultsOn: .null)
        }
        struct Never: JSONModel, Equatable {
            var presence: JSONPresence<Int>
            static let plan = ModelPlan<Never>([JSONField(\.presence, key: "presence")], defaultsOn: [])
        }
        #expect(try decode(OnNull.self, "{}") == OnNull(presence: .absent))
        #expect(try decode(OnNull.self, #"{"presence": null}"#) == OnNull(presence: .null))
        #expect(try decode(Never.self, "{}") == Never(presence: .absent))
    }

    @Test func `the option applies to the model alone`() throws {
        struct Outer: JSONModel, Equatable {
            let model: Model
            var count = 2
            static let plan = ModelPlan<Outer>(
                JSONField(\.model, key: "model"), JSONField(\.count, key: "count", default: 2))
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
