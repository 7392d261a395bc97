import SluiceCore
import TestSupport
import Testing

/// The properties that an encoder writes, and the digits of integers.
@Suite(.tags(.encoding, .paths)) struct SelectionTests {
    typealias Inner = ModelEncodingTests.Inner

    @Test func `integers with any number of digits are written`() throws {
        var power: UInt64 = 1
        for _ in 0..<20 {
            for value in [power - 1, power, power + 1, power &* 3] { #expect(try encode(value) == "\(value)") }
            power = power &* 10
        }
        var wide: UInt128 = 1
        for _ in 0..<39 {
            for value in [wide - 1, wide, wide + 7] { #expect(try encode(value) == "\(value)") }
            wide = wide &* 10
        }
    }

    struct Selected: JSONModel, Equatable {
        var id: Int
        var owner: Inner
        var list: [Inner]
        static let plan = ModelPlan<Selected>([JSONField(\.id), JSONField(\.owner), JSONField(\.list)])
    }

    @Test func `only and except select paths to write`() throws {
        let value = Selected(id: 1, owner: Inner(a: 2, b: 3), list: [Inner(a: 4, b: 5), Inner(a: 6, b: nil)])
        var encoder = JSONModelEncoder()
        encoder.only = ["id", "owner.a", "list[*].n.b"]
        #expect(try encode(value, with: encoder) == #"{"id":1,"owner":{"a":2},"list":[{"n":{"b":5}},{}]}"#)
        encoder.only = ["list.a"]
        #expect(try encode(value, with: encoder) == #"{"list":[{"a":4},{"a":6}]}"#)
        #expect(try encode([value], with: encoder) == #"[{"list":[{"a":4},{"a":6}]}]"#)
        encoder.only = nil
        encoder.except = ["id", "owner.n", "list.a"]
        #expect(try encode(value, with: encoder) == #"{"owner":{"a":2},"list":[{"n":{"b":5}},{}]}"#)
        encoder.only = ["owner", "id"]
        #expect(try encode(value, with: encoder) == #"{"owner":{"a":2}}"#)
        encoder.except = []
        encoder.only = []
        #expect(try encode(value, with: encoder) == "{}")
    }
}
