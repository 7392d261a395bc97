import Sluice
import TestSupport

/// A model with a partial type, as the macro declares it.
struct Draft: SampledModel, PartlySampled {
    let title: String
    let owner: Draft.Author
    let authors: [Draft.Author]
    let byRole: [String: [Draft.Author]]
    let shape: Shape<Internal, NoFallback>?
    let span: Span?
    let pair: Pair?
    let embedded: Draft.Author?
    let count: Int
    let address: Draft.Address
    let children: [Draft]
    let mark: Tracked?

    static let plan = ModelPlan<Draft> {
        JSONField(\.title, key: "title", or: "name")
        JSONField(\.owner, key: "owner")
        JSONField(\.authors, key: "way.authors", default: [])
        JSONField(\.byRole, key: "by_role", default: [:])
        JSONField(\.shape, key: "shape")
        JSONField(\.span, key: "span")
        JSONField(\.pair, key: "pair", transform: PairTransform())
        JSONField(embedded: \.embedded, as: .either, key: "embedded")
        JSONField(\.count, key: "count", default: 3)
        JSONField(flatten: \.address)
        JSONField(\.children, key: "children", default: [])
        JSONField(\.mark, key: "mark")
    }

    struct Partial: JSONPartialModel {
        var title: String?
        var owner: Draft.Author.Partial?
        var authors: [Draft.Author.Partial]?
        var byRole: [String: [Draft.Author.Partial]]?
        var shape: Shape<Internal, NoFallback>?
        var span: Span?
        var pair: Pair?
        var embedded: Draft.Author.Partial?
        var count: Int?
        var address = Draft.Address.Partial()
        var children: [Draft.Partial]?
        var mark: Tracked?

        static let plan = ModelPlan<Partial> {
            JSONField(\.title, key: "title", or: "name")
            JSONField(\.owner, key: "owner")
            JSONField(\.authors, key: "way.authors")
            JSONField(\.byRole, key: "by_role")
            JSONField(\.shape, key: "shape")
            JSONField(\.span, key: "span")
            JSONField(\.pair, key: "pair", transform: PairTransform())
            JSONField(embedded: \.embedded, as: .either, key: "embedded")
            JSONField(\.count, key: "count")
            JSONField(flatten: \.address)
            JSONField(\.children, key: "children")
            JSONField(\.mark, key: "mark")
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("title", or: "name", as: String.self)
        object.required("owner", as: Draft.Author.self)
        object.optional("way.authors", as: [Draft.Author].self)
        object.optional("by_role", as: [String: [Draft.Author]].self)
        object.optional("shape", as: Shape<Internal, NoFallback>.self)
        object.optional("span", as: Span.self)
        object.optional("pair", as: SampledPair.self)
        object.optional("embedded", as: Draft.Author.self)
        object.optional("count", as: Int.self)
        object.required("city", as: String.self)
        object.optional("lines", as: [String].self)
        object.optional("children", as: [Draft].self)
        object.optional("mark", as: Tracked.self)
        object.membersDependOnEachOther()
    }

    static var roundTrips: Bool { false }

    /// A part of the model with a partial type of its own.
    struct Author: SampledModel {
        let login: Tracked
        let home: Draft.Address?
        static let plan = ModelPlan<Author>(JSONField(\.login, key: "login_name"), JSONField(\.home, key: "home"))

        struct Partial: JSONPartialModel {
            var login: Tracked?
            var home: Draft.Address.Partial?
            static let plan = ModelPlan<Partial>(
                JSONField(\.login, key: "login_name"), JSONField(\.home, key: "home"))
        }

        static func sampleMembers(_ object: ObjectSampler) {
            object.required("login_name", as: Tracked.self)
            object.optional("home", as: Draft.Address.self)
        }
    }

    /// A part that the model also flattens.
    struct Address: SampledModel {
        let city: String
        let lines: [String]
        static let plan = ModelPlan<Address>(
            JSONField(\.city, key: "city"), JSONField(\.lines, key: "lines", default: []))

        struct Partial: JSONPartialModel {
            var city: String?
            var lines: [String]?
            static let plan = ModelPlan<Partial>(JSONField(\.city, key: "city"), JSONField(\.lines, key: "lines"))
        }

        static func sampleMembers(_ object: ObjectSampler) {
            object.required("city", as: String.self)
            object.optional("lines", as: [String].self)
        }
    }

    private enum SampledPair: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            .array([Tracked.sample(sampler), Tracked.sample(sampler)])
        }
    }
}

extension Draft.Partial: Sampled {
    static func sample(_ sampler: Sampler) -> JSONNode { Draft.sample(sampler) }
    static var roundTrips: Bool { false }
}

/// A type with a partial type.
protocol PartlySampled: JSONModel {
    associatedtype Partial: JSONPartialModel
}
