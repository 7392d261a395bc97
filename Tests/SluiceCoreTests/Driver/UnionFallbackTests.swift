import SluiceCore
import TestSupport
import Testing

/// Enums with a fallback case, which can keep the unknown value.
struct UnionFallbackTests {
    enum Status: JSONEnum, Equatable {
        case active, closed
        case other(String)
        static let plan = ModelPlan<Status>(
            cases: [
                JSONCase("active", value: .active, matches: { $0 == .active }),
                JSONCase("closed", value: .closed, matches: { $0 == .closed }),
                JSONCase(
                    "other", payload: String.self, make: { .other($0) },
                    read: { if case .other(let value) = $0 { value } else { nil } }),
            ], fallback: "other")
    }

    struct Circle: JSONModel, Equatable {
        let radius: Int
        static let plan = ModelPlan<Circle>(JSONField(\.radius))
    }

    enum Shape: JSONEnum, Equatable {
        case circle(Circle)
        case unknown(JSONValue)
        static let plan = ModelPlan<Shape>(
            cases: [
                JSONCase(
                    "circle", payload: Circle.self, make: { .circle($0) },
                    read: { if case .circle(let value) = $0 { value } else { nil } }),
                JSONCase(
                    "unknown", payload: JSONValue.self, make: { .unknown($0) },
                    read: { if case .unknown(let value) = $0 { value } else { nil } }),
            ], tagging: .internal(tag: "type"), fallback: "unknown")
    }

    enum Plain: JSONEnum, Equatable {
        case a(Circle)
        case none
        static let plan = ModelPlan<Plain>(
            cases: [
                JSONCase(
                    "a", payload: Circle.self, make: { .a($0) },
                    read: { if case .a(let value) = $0 { value } else { nil } }),
                JSONCase("none", value: Plain.none, matches: { $0 == .none }),
            ], tagging: .internal(tag: "type"), fallback: "none")
    }

    enum Color: String, JSONConvertible {
        case red, unknown
        static var jsonShape: JSONShape { .rawValue(Color.self, fallback: .unknown) }
    }

    @Test func `an unknown case is kept as a string`() throws {
        #expect(
            try decode([Status].self, #"["active","frozen","closed",{"thawed":[1,{"a":2}]}]"#)
                == [.active, .other("frozen"), .closed, .other("thawed")])
        #expect(try decode([String: Status].self, #"{"a":"fro\u007aen"}"#) == ["a": .other("frozen")])
    }

    @Test func `unknown names may be repeated, or ignored`() throws {
        #expect(try decode(Status.self, #"{"thawed":1,"thawed":[2]}"#) == .other("thawed"))
        enum Light: JSONEnum, Equatable {
            case on, unknown
            static let plan = ModelPlan<Light>(
                cases: [
                    JSONCase("on", value: .on, matches: { $0 == .on }),
                    JSONCase("unknown", value: .unknown, matches: { $0 == .unknown }),
                ], fallback: "unknown")
        }
        #expect(
            try decode([Light].self, #"[{"on":1,"x":2},{"x":1,"on":2},{"x":1,"y":2},"z"]"#) == [
                .on, .on, .unknown, .unknown,
            ])
    }

    @Test func `a fallback with a string is written as decoded, a raw-value fallback is not`() throws {
        let encoder = JSONModelEncoder()
        let text = #"["active","frozen"]"#
        #expect(try encoder.encode(decode([Status].self, text), as: .string) == text)
        #expect(try encoder.encode(decode([Color].self, #"["red","blue"]"#), as: .string) == #"["red","unknown"]"#)
    }

    @Test func `an unknown value is kept as JSON`() throws {
        let text =
            #"[{"type":"circle","radius":1},{"type":"oval","width":[1]},{"width":2},{"radius":2,"type":"circle"}]"#
        #expect(
            try decode([Shape].self, text) == [
                .circle(Circle(radius: 1)), .unknown(["type": "oval", "width": [1]]), .unknown(["width": 2]),
                .circle(Circle(radius: 2)),
            ])
        #expect(
            try decode([Shape].self, #"[7,"x",true,[1]]"#) == [
                .unknown(7), .unknown("x"), .unknown(true), .unknown([1]),
            ])
        // What is known is not excused.
        let issue = try refusal([Shape].self, #"[{"type":"circle","radius":"x"}]"#)
        #expect(issue.path.description == "[0].radius")
        #expect(issue.location.offset == 27)
    }

    @Test func `a fallback case may discard the unknown value`() throws {
        #expect(
            try decode([Plain].self, #"[{"type":"z","x":1},{"x":1,"type":"z"},{"type":"a","radius":1}]"#)
                == [.none, .none, .a(Circle(radius: 1))])
        #expect(try refusal(Plain.self, #"{"radius":1}"#).kind == .missingKeys(["type"]))
        #expect(try decode([Color].self, #"["red","blue"]"#) == [.red, .unknown])
        #expect(try refusal([Color].self, "[1]").path.description == "[0]")
    }
}
