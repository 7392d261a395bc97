import SluiceCore
import TestSupport
import Testing

/// The keys of properties that are not decoded belong to the model, not to its flattened enum.
struct HiddenKeyTests {
    // MARK: Payloads that take any key

    enum Table: JSONEnum, Equatable {
        case table([String: Int])
        static let plan = ModelPlan<Table>(
            cases: [
                JSONCase(
                    "table", payload: [String: Int].self, make: { .table($0) },
                    read: { if case .table(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "type"))
    }

    struct Noted: JSONModel, Equatable {
        let id: Int
        let note: String?
        let table: Table
        static let plan = ModelPlan<Noted>(
            JSONField(\.id, key: "id"), JSONField(\.note, key: "note"), JSONField(flatten: \.table))
    }

    @Test func `a property that is not selected is no member of a flattened dictionary`() throws {
        for text in [
            #"{"id":1,"note":"n","type":"table","a":2}"#, #"{"type":"table","a":2,"note":"n","id":1}"#,
            #"{"id":1,"note":"n","a":2,"type":"table"}"#,
        ] {
            #expect(try decode(Noted.self, text) == Noted(id: 1, note: "n", table: .table(["a": 2])))
            #expect(
                try decode(Noted.self, text, with: .with { $0.only = ["id"] })
                    == Noted(id: 1, note: nil, table: .table(["a": 2])))
        }
    }

    // MARK: The first unknown name is that of the case

    enum Named: JSONEnum, Equatable {
        case size(Int)
        case other(String)
        static let plan = ModelPlan<Named>(
            cases: [
                JSONCase(
                    "size", payload: Int.self, make: { .size($0) },
                    read: { if case .size(let value) = $0 { value } else { nil } }),
                JSONCase(
                    "other", payload: String.self, make: { .other($0) },
                    read: { if case .other(let value) = $0 { value } else { nil } }),
            ], tagging: .external, fallback: "other")
    }

    struct Outer: JSONModel, Equatable {
        let id: Int
        let note: String?
        let named: Named
        static let plan = ModelPlan<Outer>(
            JSONField(\.id, key: "id"), JSONField(\.note, key: "note"), JSONField(flatten: \.named))
    }

    @Test func `the key of a property that is not selected is not the name of an unknown case`() throws {
        let text = #"{"id":1,"note":"n","square":2}"#
        #expect(try decode(Outer.self, text) == Outer(id: 1, note: "n", named: .other("square")))
        #expect(
            try decode(Outer.self, text, with: .with { $0.only = ["id"] })
                == Outer(id: 1, note: nil, named: .other("square")))
    }

    // MARK: Payloads that reject unknown keys

    struct Circle: JSONModel, Equatable {
        let radius: Int
        static let plan = ModelPlan<Circle>([JSONField(\.radius, key: "radius")], unknownKeys: .reject)
    }

    enum Shape: JSONEnum, Equatable {
        case circle(Circle)
        static let plan = ModelPlan<Shape>(
            cases: [
                JSONCase(
                    "circle", payload: Circle.self, make: { .circle($0) },
                    read: { if case .circle(let value) = $0 { value } else { nil } })
            ], tagging: .internal(tag: "type"))
    }

    struct Written: JSONModel, Equatable {
        var id: Int
        var note: String
        var shape: Shape
        static let plan = ModelPlan<Written>(
            JSONField(\.id, key: "id"), JSONField(\.note, key: "note", default: "").ignored(.decoding),
            JSONField(flatten: \.shape))
    }

    @Test func `a property that is only encoded is no unknown key of a flattened enum`() throws {
        let written = Written(id: 1, note: "n", shape: .circle(Circle(radius: 2)))
        let text = try JSONModelEncoder().encode(written, as: .string)
        #expect(try decode(Written.self, text) == Written(id: 1, note: "", shape: .circle(Circle(radius: 2))))
        // The other keys are still unknown.
        let issue = try refusal(Written.self, #"{"id":1,"note":"n","type":"circle","radius":2,"x":0}"#)
        #expect((issue.kind, issue.path) == (.unknownKey("x"), "x"))
    }
}
