import SluiceCore
import TestSupport

// Enums with values, for every tagging and every fallback.

/// How the cases of an enum are told apart.
protocol Tagging { static var tagging: JSONTagging { get } }
enum External: Tagging { static let tagging = JSONTagging.external }
enum Internal: Tagging { static let tagging = JSONTagging.internal(tag: "type") }
enum InternalKind: Tagging { static let tagging = JSONTagging.internal(tag: "kind") }
enum Adjacent: Tagging { static let tagging = JSONTagging.adjacent(tag: "t", content: "c") }
enum Untagged: Tagging { static let tagging = JSONTagging.untagged }

/// The case that takes names of no case.
protocol Fallback {
    associatedtype Whole: JSONConvertible & Equatable = JSONValue
    static var name: String? { get }
}
enum NoFallback: Fallback { static let name: String? = nil }
enum ToPoint: Fallback { static let name: String? = "point" }
enum ToName: Fallback { static let name: String? = "named" }
enum ToWhole<Whole: JSONConvertible & Equatable>: Fallback { static var name: String? { "whole" } }

struct Circle: JSONModel, Equatable {
    var radius: Int
    var name: String?
    static let plan = ModelPlan<Circle>(JSONField(\.radius), JSONField(\.name))
}

struct Square: JSONModel, Equatable {
    var side: Int
    var tags: [String] = []
    static let plan = ModelPlan<Square>(JSONField(\.side), JSONField(\.tags, default: []))
}

enum Shape<T: Tagging, F: Fallback>: JSONEnum, Equatable {
    case circle(Circle)
    case square(Square)
    case point
    /// Only with `ToName`.
    case named(String)
    /// Only with `ToWhole`.
    case whole(F.Whole)

    static var plan: ModelPlan<Self> {
        .shared {
            var cases: [JSONCase<Self>] = [
                .of("circle", Self.circle), .of("square", keys: ["square", "quadrat"], Self.square),
                .of("point", .point),
            ]
            if F.name == "named" { cases.append(.of("named", Self.named)) }
            if F.name == "whole" { cases.append(.of("whole", Self.whole)) }
            return ModelPlan(cases: cases, tagging: T.tagging, fallback: F.name)
        }
    }
}

/// An enum of one case.
enum One<T: Tagging, Payload: JSONConvertible & Equatable>: JSONEnum, Equatable {
    case one(Payload)
    static var plan: ModelPlan<Self> { .shared { ModelPlan(cases: [.of("one", Self.one)], tagging: T.tagging) } }
}

/// A model whose members include those of another one, or of an enum.
struct Around<Group: JSONModel & Equatable>: JSONModel, Equatable {
    var id: Int
    var group: Group
    static var plan: ModelPlan<Self> { .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.group)) } }
}

/// The same, where the members may be missing.
struct AroundMaybe<Group: JSONModel & Equatable>: JSONModel, Equatable {
    var id: Int
    var group: Group?
    static var plan: ModelPlan<Self> { .shared { ModelPlan(JSONField(\.id), JSONField(flatten: \.group)) } }
}

/// A container of which elements that fail are dropped.
struct Lossy<List: JSONConvertible & Equatable>: JSONModel, Equatable {
    var list: List
    static var plan: ModelPlan<Self> { .shared { ModelPlan(JSONField(\.list).lossy()) } }
}
