import Testing

@testable import SluiceCore

/// The categories of shapes, and the closures that an optional has in common with its payload.
struct ShapeCategoryTests {
    enum Color: String, JSONConvertible { case red, green }

    @Test(arguments: [
        JSONShape.of(Int.self), .of(String?.self), .of(Color.self), .of([Int].self), .of([Int]??.self),
        .of(Set<Int>.self), .of([Int: Bool].self), .of(JSONObject.self), .of(JSONPresence<Int>.self),
        .of(JSONLazy<Int>.self), .embedded(Point?.self), .of(Point.self), .of(Point?.self), .of(JSONValue.self),
        .of(JSONRaw.self),
    ])
    func `the category of a type implies the kind of its layout`(_ shape: JSONShape) {
        #expect(shape.layout.pointee.kind == shape.category.kind, "\(shape.typeName)")
        #expect(shape.layout.pointee.unretainedShape.takeUnretainedValue() === shape)
        #expect(shape.layout.pointee.element == shape.element.map { LayoutReference($0.layout) })
    }

    @Test func `an optional has the closures of its payload`() {
        #expect(JSONShape.of([Int]?.self).container === JSONShape.of([Int].self).container)
        #expect(JSONShape.of(Point??.self).model === JSONShape.of(Point.self).model)
        #expect(JSONShape.of([String: Int]?.self).members != nil)
        #expect(JSONShape.of(Int.self).members == nil)
    }

    struct Presences: JSONModel {
        var plain: JSONPresence<Int>
        var optional: JSONPresence<Int>?
        static let plan = ModelPlan<Presences>(JSONField(\.plain), JSONField(\.optional))
    }

    @Test func `null is the nil of an optional presence`() throws {
        let nulls = try JSONModelDecoder().decode(Presences.self, from: #"{"plain":null,"optional":null}"#)
        #expect(nulls.plain.isNull && nulls.optional == nil)
        let missing = try JSONModelDecoder().decode(Presences.self, from: "{}")
        #expect(missing.plain.isAbsent && missing.optional == nil)
        let values = try JSONModelDecoder().decode(Presences.self, from: #"{"plain":1,"optional":2}"#)
        #expect(values.plain.value == 1 && values.optional?.value == 2)
    }

    /// A container whose optional has a tag byte.
    struct Sum: JSONConvertible, Equatable {
        var count = 0
        var total = 0
        static var jsonShape: JSONShape {
            .array(
                Sum.self, of: Int.self,
                append: {
                    $0.count += 1
                    $0.total += $1
                }, make: { Sum(count: $0.count, total: $0.reduce(0, +)) }, elements: { [$0.total] })
        }
    }

    struct Sums: JSONModel {
        var sum: Sum?
        static let plan = ModelPlan<Sums>(JSONField(\.sum, key: "values[*].number"))
    }

    @Test(arguments: [
        (#"{"values":[]}"#, Sum()), (#"{"values":[{"number":3},{},{"number":4}]}"#, Sum(count: 2, total: 7)),
        ("{}", nil),
    ])
    func `an optional container that collects values begins empty`(text: String, sum: Sum?) throws {
        #expect(try JSONModelDecoder().decode(Sums.self, from: text).sum == sum)
    }

    @Test func `a container of one's own is decoded and encoded in every position`() throws {
        let sums = try JSONModelDecoder().decode([Sum?].self, from: "[[1,2,3],null,[]]")
        #expect(sums == [Sum(count: 3, total: 6), nil, Sum()])
        #expect(try JSONModelEncoder().encode(sums, as: .string) == "[[6],null,[0]]")
        let collected = Sums(sum: Sum(count: 2, total: 7))
        #expect(try JSONModelEncoder().encode(collected, as: .string) == #"{"values":[{"number":7}]}"#)
    }
}
