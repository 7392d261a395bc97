import TestSupport
import Testing

@testable import SluiceCore

/// Defective plans are refused at their first use, with a reason.
@Suite(.tags(.errors)) struct PlanDefectTests {
    private func defect<T: JSONConvertible>(_ type: T.Type) throws -> String {
        let issue = try refusal(T.self, "{}")
        guard case .invalidPlan(let why) = issue.kind else {
            Issue.record("\(issue)")
            return ""
        }
        #expect(issue.model == "\(T.self)")
        #expect(issue.description == "\(T.self): \(why)")
        return why
    }

    struct Uncovered: JSONModel {
        let a: Int
        let b: String
        static let plan = ModelPlan<Uncovered>(JSONField(\.a))
    }

    struct Computed: JSONModel {
        let a: Int
        var twice: Int { a * 2 }
        static let plan = ModelPlan<Computed>(JSONField(\.a), JSONField(\.twice))
    }

    struct Observed: JSONModel {
        var a: Int { didSet {} }
        static let plan = ModelPlan<Observed>(JSONField(\.a))
    }

    struct SameKey: JSONModel {
        let a: Int
        let b: Int
        static let plan = ModelPlan<SameKey>(JSONField(\.a, key: "k"), JSONField(\.b, key: "x", or: "k"))
    }

    struct SameKeyOfOne: JSONModel {
        let a: Int
        static let plan = ModelPlan<SameKeyOfOne>(JSONField(\.a, key: "k", or: "k"))
    }

    struct BothWays: JSONModel {
        let a: Int
        let b: Int
        static let plan = ModelPlan<BothWays>(JSONField(\.a, key: "k.a"), JSONField(\.b, key: "k[0]"))
    }

    struct OwnElement: JSONModel {
        let a: Int?
        static let plan = ModelPlan<OwnElement>(JSONField(\.a, key: "a", or: "[0].a"))
    }

    struct OwnElements: JSONModel {
        let a: [Int]
        static let plan = ModelPlan<OwnElements>(JSONField(\.a, key: "$[*]"))
    }

    struct NoPath: JSONModel {
        let a: Int
        static let plan = ModelPlan<NoPath>(JSONField(\.a, key: "a..b"))
    }

    struct EveryElement: JSONModel {
        let a: Int
        static let plan = ModelPlan<EveryElement>(JSONField(\.a, key: "a[*]"))
    }

    struct EmptyKey: JSONModel {
        let a: Int
        static let plan = ModelPlan<EmptyKey>(JSONField(\.a, key: ""))
    }

    final class Unstored: JSONModel, Sendable {
        let a: Int
        init(a: Int) { self.a = a }
        static let plan = ModelPlan<Unstored>(JSONField(\.a))
    }

    struct Outside: JSONModel {
        let part: [String: Uncovered?]
        static let plan = ModelPlan<Outside>(JSONField(\.part))
    }

    struct HundredKeys: JSONModel {
        let a: Int
        static let plan = ModelPlan<HundredKeys>(PlanDefectTests.field(\.a, keyCount: 100))
    }

    struct MoreKeys: JSONModel {
        let a: Int
        static let plan = ModelPlan<MoreKeys>(PlanDefectTests.field(\.a, keyCount: 101))
    }

    private static func field<Model>(_ property: KeyPath<Model, Int>, keyCount: Int) -> JSONField<Model> {
        JSONField(property, name: nil, key: "k0", or: (1..<keyCount).map { "k\($0)" }, of: JSONShape.of(Int.self))
    }

    @Test func `a field has at most a hundred keys`() throws {
        #expect(try decode(HundredKeys.self, #"{"k99":1,"k98":2}"#).a == 2)
        #expect(try defect(MoreKeys.self) == "'a' has more than 100 candidate keys")
    }

    @Test func `a stored property without a field is a defect`() throws {
        #expect(try defect(Uncovered.self) == "no field names the stored property 'b'")
    }

    @Test func `a property without memory of its own is a defect`() throws {
        let why =
            "has no memory of its own (it is computed, lazy, observed, weak, unowned, a closure or of a class)"
        #expect(try defect(Computed.self).hasSuffix(why))
        #expect(try defect(Observed.self).hasSuffix(why))
    }

    @Test func `two fields with one key are a defect`() throws {
        #expect(try defect(SameKey.self) == "'a' and 'b' are both filled from 'k'")
        #expect(try defect(SameKeyOfOne.self) == "'a' and 'a' are both filled from 'k'")
    }

    @Test func `a key that selects elements of the model itself is a defect`() throws {
        #expect(
            try defect(OwnElement.self)
                == "'[0].a', of 'a', selects elements of an array, and the model itself is an object")
        #expect(
            try defect(OwnElements.self)
                == "'[*]', of 'a', selects elements of an array, and the model itself is an object")
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(OwnElement(a: 1)) }
    }

    @Test func `a key that is both an object and an array is a defect`() throws {
        #expect(
            try defect(BothWays.self)
                == "'k[0]', of 'b', leads through an array where another field's path leads through an object")
    }

    @Test func `an invalid path of a field is a defect`() throws {
        #expect(
            try defect(NoPath.self) == #"'a..b' is not a path: a key is empty; the empty key is '[""]', after 'a.'"#
        )
        #expect(try defect(EveryElement.self) == "'a' collects values by [*], and is not an array or set")
        #expect(try defect(EmptyKey.self) == "'a' cannot be filled from the path ''")
    }

    @Test func `a property that is not decoded needs a default`() throws {
        struct Unread: JSONModel {
            let a: Int
            let b: Int?
            var c = 1
            static let plan = ModelPlan<Unread>(
                JSONField(\.a).ignored(.decoding), JSONField(\.b).ignored(.decoding),
                JSONField(\.c, default: 1).ignored(.decoding))
        }
        #expect(try defect(Unread.self) == "'a' is not read and has no default")
    }

    @Test func `an index that is written behind too many nulls is a defect`() throws {
        struct Far: JSONModel {
            let a: Int?
            static let plan = ModelPlan<Far>(JSONField(\.a, key: "a[5000000]"))
        }
        struct Read: JSONModel {
            let a: Int?
            static let plan = ModelPlan<Read>(JSONField(\.a, key: "a[9223372036854775807]").ignored(.encoding))
        }
        #expect(
            try defect(Far.self)
                == "'a' would be encoded behind 5000000 elements that are null: ignore the property for encoding, or use an index up to 99999"
        )
        #expect(try decode(Read.self, #"{"a":[1]}"#).a == nil)
        #expect(try encode(Read(a: 1)) == "{}")
    }

    @Test func `an optional property of embedded JSON that is not decoded is nil`() throws {
        struct Embedded: JSONModel {
            let a: HundredKeys?
            static let plan = ModelPlan<Embedded>(JSONField(embedded: \.a, key: "a").ignored(.decoding))
        }
        #expect(try decode(Embedded.self, #"{"a":"{\"k1\":1}"}"#).a == nil)
    }

    @Test func `a defect of a flattened enum names the enum`() throws {
        enum Empty: JSONEnum {
            case none
            static let plan = ModelPlan<Empty>(
                cases: [.of("none", .none)], tagging: .internal(tag: "type"), fallback: "other")
        }
        struct Outer: JSONModel {
            let empty: Empty
            static let plan = ModelPlan<Outer>(JSONField(flatten: \.empty))
        }
        #expect(try defect(Outer.self) == "Empty: its fallback 'other' is not one of its cases")
    }

    @Test func `a property of which another reads parts cannot collect values`() throws {
        struct Parts: JSONModel {
            let all: [JSONValue]
            let ids: [Int]
            static let plan = ModelPlan<Parts>(
                JSONField(\.all, key: "items[*]"), JSONField(\.ids, key: "items[*].id"))
        }
        #expect(try defect(Parts.self) == "'all' collects values of which another field reads parts")
    }

    @Test func `a tag needs a payload that is an object`() throws {
        enum Tagged: JSONEnum {
            case number(Int)
            static let plan = ModelPlan<Tagged>(
                cases: [.of("number", Self.number)], tagging: .internal(tag: "type"))
        }
        #expect(try defect(Tagged.self) == "the value of 'number' is not an object, which could contain the tag")
    }

    @Test func `an optional flattened model has no optional flattened model`() throws {
        struct Inner: JSONModel {
            let a: Int
            static let plan = ModelPlan<Inner>(JSONField(\.a))
        }
        struct Middle: JSONModel {
            let b: Int
            let inner: Inner?
            static let plan = ModelPlan<Middle>(JSONField(\.b), JSONField(flatten: \.inner))
        }
        struct Outer: JSONModel {
            let middle: Middle?
            static let plan = ModelPlan<Outer>(JSONField(flatten: \.middle))
        }
        #expect(try decode(Middle.self, #"{"b":1}"#).inner == nil)
        #expect(try defect(Outer.self) == "'inner' is optional inside of an optional flattened model")
    }

    @Test func `a class without a storage has an invalid plan`() throws {
        let error = #expect(throws: JSONModelError.self) {
            try JSONModelDecoder().decode(Unstored.self, from: "{}")
        }
        guard case .invalidPlan? = error?.issues[0].kind else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a defect of a nested model names the nested model`() throws {
        let issue = try refusal(Outside.self, "{}")
        #expect(issue.kind == .invalidPlan("no field names the stored property 'b'"))
        #expect(issue.model == "Uncovered")
        // It stays refused.
        #expect(try refusal([Outside].self, "[]").kind == .invalidPlan("no field names the stored property 'b'"))
    }
}
