import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Cases with values of types that do not declare `JSONConvertible`, in plans by hand.
@Suite(.tags(.enums)) struct PayloadTests {
    enum Color: String { case red, blue }

    struct Point: Codable, Equatable { var x: Int }

    enum Shape: JSONEnum, Equatable {
        case color(Color)
        case colors([Color])
        case table([String: Color?])
        case counts([Color: Int])
        case point(Point)
        case maybe(Point?)
        case points([Point])

        static let plan = ModelPlan<Shape>(cases: [
            JSONCase("color", payload: Color.self, make: { .color($0) }, read: JSONCase.reader(of: "color")),
            JSONCase("colors", payload: [Color].self, make: { .colors($0) }, read: JSONCase.reader(of: "colors")),
            JSONCase(
                "table", payload: [String: Color?].self, make: { .table($0) }, read: JSONCase.reader(of: "table")),
            JSONCase(
                "counts", payload: [Color: Int].self, make: { .counts($0) }, read: JSONCase.reader(of: "counts")),
            JSONCase("point", payload: Point.self, make: { .point($0) }, read: JSONCase.reader(of: "point")),
            JSONCase("maybe", payload: Point?.self, make: { .maybe($0) }, read: JSONCase.reader(of: "maybe")),
            JSONCase("points", payload: [Point].self, make: { .points($0) }, read: JSONCase.reader(of: "points")),
        ])
    }

    @Test(arguments: [
        (#"{"color":"red"}"#, Shape.color(.red)), (#"{"colors":["blue","red"]}"#, .colors([.blue, .red])),
        (#"{"table":{"a":null}}"#, .table(["a": nil])), (#"{"counts":{"red":1}}"#, .counts([.red: 1])),
        (#"{"point":{"x":1}}"#, .point(Point(x: 1))), (#"{"maybe":null}"#, .maybe(nil)),
        (#"{"maybe":{"x":2}}"#, .maybe(Point(x: 2))), (#"{"points":[{"x":1}]}"#, .points([Point(x: 1)])),
    ])
    func `a value is decoded and encoded`(text: String, value: Shape) throws {
        #expect(try decode(Shape.self, text) == value)
        #expect(try JSONModelEncoder().encode(value, as: .string) == text)
    }

    @Test func `an unknown raw value is an error at the case`() throws {
        #expect(try refusal(Shape.self, #"{"color":"green"}"#).path == "color")
        #expect(try refusal(Shape.self, #"{"point":{"x":"a"}}"#).path == "point.x")
    }
}
