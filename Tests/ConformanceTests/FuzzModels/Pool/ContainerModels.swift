import Sluice

// Lossy containers, gathering, and subtrees that are taken whole and in parts.

struct Lossy: SampledModel {
    let spans: [Span]
    let byName: [String: Marked]
    let byNumber: [Int: [Tracked]]
    let byColor: [Color: Leaf]
    let unique: Set<Tracked>
    let shapes: [Shape<Internal, NoFallback>]
    let choices: [Content<Untagged>]
    let nested: [Lossy]
    let rows: [[Int]]
    static let plan = ModelPlan<Lossy> {
        Field(\.spans, key: "spans", default: []).lossy()
        Field(\.byName, key: "by_name", default: [:]).lossy()
        Field(\.byNumber, key: "by_number", default: [:]).lossy()
        Field(\.byColor, key: "by_color", default: [:]).lossy()
        Field(\.unique, key: "unique", default: []).lossy()
        Field(\.shapes, key: "shapes", default: []).lossy()
        Field(\.choices, key: "choices", default: []).lossy()
        Field(\.nested, key: "nested", default: []).lossy()
        Field(\.rows, key: "rows", default: []).lossy()
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("spans", as: [Tolerated<Span>].self)
        object.optional("by_name", as: [String: Tolerated<Marked>].self)
        object.optional("by_number", as: [AnyKey<Int>: Tolerated<[Tracked]>].self)
        object.optional("by_color", as: [AnyKey<Color>: Tolerated<Leaf>].self)
        object.optional("unique", as: [Tolerated<Tracked>].self)
        object.optional("shapes", as: [Tolerated<Shape<Internal, NoFallback>>].self)
        object.optional("choices", as: [Tolerated<Content<Untagged>>].self)
        object.optional("nested", as: [Tolerated<Lossy>].self)
        object.optional("rows", as: [Tolerated<[Int]>].self)
    }

    // A hook's log is not encoded, and an untagged case may be read as an earlier one.
    static var roundTrips: Bool { false }
}

/// A key of a lossy dictionary: some are no keys.
struct AnyKey<Key: SampledKey>: SampledKey {
    init?(jsonKey: String) { nil }
    static func sampleKey(_ sampler: Sampler) -> String {
        sampler.chance(5) ? sampler.pick(["no key", "", "1.5"]) : Key.sampleKey(sampler)
    }
}

/// Dictionaries and sets of every key.
struct Collections: SampledModel {
    let byNumber: [Int: Leaf]
    let byColor: [Color: [Int]]
    let byMark: [Tracked: Tracked]
    let optionals: [String: Leaf?]
    let deep: [String: [String: [Marked]]]
    let marks: Set<Tracked>
    let numbers: Set<Int>?
    let lists: [[Tracked?]]
    static let plan = ModelPlan<Collections> {
        Field(\.byNumber, key: "by_number", default: [:])
        Field(\.byColor, key: "by_color", default: [:])
        Field(\.byMark, key: "by_mark", default: [:])
        Field(\.optionals, key: "optionals", default: [:])
        Field(\.deep, key: "deep", default: [:])
        Field(\.marks, key: "marks", default: [])
        Field(\.numbers, key: "numbers")
        Field(\.lists, key: "lists", default: [])
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("by_number", as: [Int: Leaf].self)
        object.optional("by_color", as: [Color: [Int]].self)
        object.optional("by_mark", as: [Tracked: Tracked].self)
        object.optional("optionals", as: [String: Leaf?].self)
        object.optional("deep", as: [String: [String: [Marked]]].self)
        object.optional("marks", as: [Tracked].self)
        object.optional("numbers", as: [Int].self)
        object.optional("lists", as: [[Tracked?]].self)
    }
}

/// Values from every element of an array.
struct Gathering: SampledModel {
    let ids: [Int]
    let names: [Tracked]
    let kept: [Tracked]
    let firsts: [Double]
    let unique: Set<Tracked>
    let parts: [Marked]
    static let plan = ModelPlan<Gathering> {
        Field(\.ids, key: "items[*].id", default: [])
        Field(\.names, key: "items[*].names[*]", default: [])
        Field(\.kept, key: "items[*].kept", default: []).lossy()
        Field(\.firsts, key: "grid[*][0]", default: [])
        Field(\.unique, key: "groups[*].members[*].mark", default: [])
        Field(\.parts, key: "groups[*].part", default: [])
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("items", as: [Item?].self)
        object.optional("grid", as: [[Double]].self)
        object.optional("groups", as: [Group?].self)
    }

    private enum Item: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object {
                if sampler.chance(2) { $0.required("id", as: Int.self) }
                if sampler.chance(2) { $0.required("names", as: [Tracked].self) }
                if sampler.chance(2) { $0.required("kept", as: Tolerated<Tracked>.self) }
            }
        }
    }
    private enum Group: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object {
                $0.optional("members", as: [Member].self)
                if sampler.chance(2) { $0.required("part", as: Marked.self) }
            }
        }
    }
    private enum Member: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object { if sampler.chance(2) { $0.required("mark", as: Tracked.self) } }
        }
    }

    // The members of different items are written as items of their own.
    static var roundTrips: Bool { false }
}

/// Subtrees that one property takes whole and others in parts.
struct WholeAndParts: SampledModel {
    let owner: Marked?
    let ownerID: Int?
    let ownerMark: Tracked?
    let items: [Marked]
    let ids: [Int]
    let list: [Tracked]
    let second: Tracked?
    let shape: Shape<Internal, WholeFallback>?
    let shapeText: JSONRaw?
    let shapeType: JSONValue
    let id: Int
    static let plan = ModelPlan<WholeAndParts> {
        Field(\.owner, key: "owner")
        Field(\.ownerID, key: "owner.id")
        Field(\.ownerMark, key: "owner.mark")
        Field(\.items, key: "items", default: [])
        Field(\.ids, key: "items[*].id", default: [])
        Field(\.second, key: "list[1]")
        Field(\.list, key: "list", default: [])
        Field(\.shape, key: "shapes[1]")
        Field(\.shapeText, key: "shapes[0]")
        Field(\.shapeType, key: "shapes[1].type", default: ["none": true])
        Field(\.id, key: "id")
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("owner", as: Marked.self)
        object.optional("items", as: [Marked].self)
        object.optional("list", as: [Tracked].self)
        if object.sampler.chance(2) {
            object.set("shapes[0]", object.sampler.value(JSONRaw.self))
            object.set("shapes[1]", object.sampler.value(Shape<Internal, WholeFallback>.self))
        }
        object.required("id", as: Int.self)
    }

    static var roundTrips: Bool { false }  // Parts are written into what is written whole.
}

/// Dotted paths, index paths and candidates.
struct Paths: SampledModel {
    let deep: Tracked?
    let number: Int
    let second: Leaf?
    let either: Tracked
    let far: [Tracked]
    let dotted: Tracked?
    static let plan = ModelPlan<Paths> {
        Field(\.deep, key: "way.to.deep")
        Field(\.number, key: "way.number", or: "number")
        Field(\.second, key: "array[1].leaf")
        Field(\.either, key: "first", or: "second", "way.last")
        Field(\.far, key: "array[2]", default: [Tracked("far")])
        Field(\.dotted, key: #"a\.b"#)
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.optional("way.to.deep", as: Tracked.self)
        object.required("way.number", or: "number", as: Int.self)
        object.optional("array[1].leaf", as: Leaf.self)
        object.required("first", or: "second", "way.last", as: Tracked.self)
        object.optional("array[2]", as: [Tracked].self)
        if object.sampler.chance(2) { object.set(key: "a.b", object.sampler.value(Tracked.self)) }
    }
}
