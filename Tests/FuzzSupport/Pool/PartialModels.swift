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

/// A model without required properties, whose values follow the input.
struct Loose: SampledModel {
    var text: String?
    var any: JSONValue?
    var values: [JSONValue]?
    var shapes: [Shape<Adjacent, NoFallback>]?
    var late: [Shape<Internal, TagFallback>]?
    var byName: [String: Loose]?
    var words: [String: String]?
    var numbers: [Int: [Int]]?
    var nested: [[Loose]]?
    var lossy: [Loose] = []
    var lossyByName: [String: Loose]?
    var span: Span?
    var accounts: [Account]?
    var texts: [String?]?
    var marks: Set<Tracked>?
    var deep: String?
    var second: Draft.Address.Partial?
    var logins: [String] = []
    var note: String?
    var rest: [String: JSONValue] = [:]

    static let plan = ModelPlan<Loose>([
        JSONField(\.text, key: "text"), JSONField(\.any, key: "any"), JSONField(\.values, key: "values"),
        JSONField(\.shapes, key: "shapes"), JSONField(\.late, key: "late"), JSONField(\.byName, key: "by_name"),
        JSONField(\.words, key: "words"), JSONField(\.numbers, key: "numbers"), JSONField(\.nested, key: "nested"),
        JSONField(\.lossy, key: "lossy", default: []).lossy(),
        JSONField(\.lossyByName, key: "lossy_by_name").lossy(), JSONField(\.span, key: "span"),
        JSONField(\.accounts, key: "accounts"), JSONField(\.texts, key: "texts"), JSONField(\.marks, key: "marks"),
        JSONField(\.deep, key: "way.deep"), JSONField(\.second, key: "list[1]"),
        JSONField(\.logins, key: "items[*].login", default: []), JSONField(\.note, key: "note", or: "remark"),
        JSONField(extra: \.rest),
    ])

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("text", as: String.self)
        object.optional("any", as: JSONValue.self)
        object.optional("values", as: [JSONValue].self)
        object.optional("shapes", as: [Shape<Adjacent, NoFallback>].self)
        object.optional("late", as: [Shape<Internal, TagFallback>].self)
        object.optional("by_name", as: [String: Loose].self)
        object.optional("words", as: [String: String].self)
        object.optional("numbers", as: [Int: [Int]].self)
        object.optional("nested", as: [[Loose]].self)
        if object.sampler.chance(2) { object.required("lossy", as: [Tolerated<Loose>].self) }
        object.optional("lossy_by_name", as: [String: Tolerated<Loose>].self)
        object.optional("span", as: Span.self)
        object.optional("accounts", as: [Account].self)
        object.optional("texts", as: [String?].self)
        object.optional("marks", as: Set<Tracked>.self)
        object.optional("way.deep", as: String.self)
        object.optional("list", as: [Draft.Address].self)
        object.optional("items", as: [Item].self)
        object.optional("note", or: "remark", as: String.self)
        object.set("rest-\(object.sampler.below(5))", JSONValue.sample(object.sampler))
        object.acceptsNoForeignMembers()
    }

    static var roundTrips: Bool { false }

    private enum Item: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object { if sampler.chance(2) { $0.required("login", as: String.self) } }
        }
    }
}

/// A type with a partial type.
protocol PartlySampled: JSONModel {
    associatedtype Partial: JSONPartialModel
}

/// An enum whose open payloads follow the input.
enum Block<T: Tagging>: JSONEnum, Sampled {
    case note(Note)
    case step(Step)
    case end

    /// A payload without required properties.
    struct Note: SampledModel {
        var text: String?
        var blocks: [Block<T>]?
        var link: String?
        var lines: [String]?
        var byName: [String: Block<T>]?
        static var plan: ModelPlan<Note> {
            .shared {
                ModelPlan(
                    JSONField(\.text, key: "text"), JSONField(\.blocks, key: "blocks"),
                    JSONField(\.link, key: "link").whenComplete(), JSONField(\.lines, key: "lines").whenComplete(),
                    JSONField(\.byName, key: "by_name"))
            }
        }

        static func sampleMembers(_ object: ObjectSampler) {
            object.optional("text", as: String.self)
            object.optional("blocks", as: [Block<T>].self)
            object.optional("link", as: String.self)
            object.optional("lines", as: [String].self)
            object.optional("by_name", as: [String: Block<T>].self)
        }
    }

    /// A payload that can be shown as soon as its required properties are complete.
    struct Step: SampledModel {
        let id: String
        let place: Draft.Address
        var note: Note?
        var lossy: [Draft.Address] = []
        static var plan: ModelPlan<Step> {
            .shared {
                ModelPlan(
                    JSONField(\.id, key: "id").whenComplete(), JSONField(\.place, key: "place"),
                    JSONField(\.note, key: "note"), JSONField(\.lossy, key: "lossy", default: []).lossy())
            }
        }

        static func sampleMembers(_ object: ObjectSampler) {
            object.required("id", as: String.self)
            object.required("place", as: Draft.Address.self)
            object.optional("note", as: Note.self)
            object.optional("lossy", as: [Tolerated<Draft.Address>].self)
        }

        static var roundTrips: Bool { false }
    }

    static var plan: ModelPlan<Block> {
        .shared {
            let cases: [JSONCase<Block>] = [
                .of("note", Self.note) { if case .note(let value) = $0 { value } else { nil } },
                .of("step", Self.step) { if case .step(let value) = $0 { value } else { nil } },
                JSONCase("end", value: .end, matches: { if case .end = $0 { true } else { false } }),
            ]
            return ModelPlan(cases: cases, tagging: T.tagging)
                .projecting { (block: consuming Block, payload) in
                    switch consume block {
                    case .note(let value): payload.store(value, of: 0)
                    case .step(let value): payload.store(value, of: 1)
                    case .end: 2
                    }
                }
        }
    }

    static func sample(_ sampler: Sampler) -> JSONNode {
        switch sampler.below(sampler.isDeep ? 2 : 4) {
        case 0: T.node(sampler.caseName("end"), nil, sampler)
        case 1: T.node(sampler.caseName("step"), Step.sample(sampler), sampler)
        default: T.node(sampler.caseName("note"), Note.sample(sampler), sampler)
        }
    }

    static var roundTrips: Bool { false }
}
