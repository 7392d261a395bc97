import Sluice
import TestSupport

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
        JSONField(\.spans, key: "spans", default: []).lossy()
        JSONField(\.byName, key: "by_name", default: [:]).lossy()
        JSONField(\.byNumber, key: "by_number", default: [:]).lossy()
        JSONField(\.byColor, key: "by_color", default: [:]).lossy()
        JSONField(\.unique, key: "unique", default: []).lossy()
        JSONField(\.shapes, key: "shapes", default: []).lossy()
        JSONField(\.choices, key: "choices", default: []).lossy()
        JSONField(\.nested, key: "nested", default: []).lossy()
        JSONField(\.rows, key: "rows", default: []).lossy()
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
    private init() {}
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
        JSONField(\.byNumber, key: "by_number", default: [:])
        JSONField(\.byColor, key: "by_color", default: [:])
        JSONField(\.byMark, key: "by_mark", default: [:])
        JSONField(\.optionals, key: "optionals", default: [:])
        JSONField(\.deep, key: "deep", default: [:])
        JSONField(\.marks, key: "marks", default: [])
        JSONField(\.numbers, key: "numbers")
        JSONField(\.lists, key: "lists", default: [])
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
        JSONField(\.ids, key: "items[*].id", default: [])
        JSONField(\.names, key: "items[*].names[*]", default: [])
        JSONField(\.kept, key: "items[*].kept", default: []).lossy()
        JSONField(\.firsts, key: "grid[*][0]", default: [])
        JSONField(\.unique, key: "groups[*].members[*].mark", default: [])
        JSONField(\.parts, key: "groups[*].part", default: [])
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

/// Two arrays of values from the elements of the elements of an array: values with one index belong to one element.
struct Pairing: SampledModel, JSONHooks {
    let id: Int
    let ids: [Int?]
    let names: [String?]
    let marks: [Tracked?]
    static let plan = ModelPlan<Pairing> {
        JSONField(\.id, key: "id")
        JSONField(\.ids, key: "g[*].m[*].id", default: [])
        JSONField(\.names, key: "g[*].m[*].name", default: [])
        JSONField(\.marks, key: "g[*].mark", default: [])
    }

    func validate() throws {
        for (id, name) in zip(ids, names) {
            if let id, let name, name != "n\(id)" { throw FuzzRefusal(reason: "\(name) belongs to \(id)") }
        }
    }

    static func sampleMembers(_ object: ObjectSampler) {
        object.required("id", as: Int.self)
        object.optional("g", as: [Group].self)
        object.acceptsNoForeignMembers()
    }

    private enum Group: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object(.none) {
                $0.optional("m", as: [Member].self)
                $0.optional("mark", as: Tracked.self)
            }
        }
    }
    private enum Member: Sampled {
        static func sample(_ sampler: Sampler) -> JSONNode {
            sampler.object(.none) {
                let id = sampler.below(9)
                if sampler.chance(2) { $0.set("id", sampler.chance(5) ? .null : .literal("\(id)")) }
                if sampler.chance(2) { $0.set("name", sampler.chance(5) ? .null : .string("n\(id)")) }
            }
        }
    }

    // The members of different groups are written as groups of their own.
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
        JSONField(\.owner, key: "owner")
        JSONField(\.ownerID, key: "owner.id")
        JSONField(\.ownerMark, key: "owner.mark")
        JSONField(\.items, key: "items", default: [])
        JSONField(\.ids, key: "items[*].id", default: [])
        JSONField(\.second, key: "list[1]")
        JSONField(\.list, key: "list", default: [])
        JSONField(\.shape, key: "shapes[1]")
        JSONField(\.shapeText, key: "shapes[0]")
        JSONField(\.shapeType, key: "shapes[1].type", default: ["none": true])
        JSONField(\.id, key: "id")
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
        JSONField(\.deep, key: "way.to.deep")
        JSONField(\.number, key: "way.number", or: "number")
        JSONField(\.second, key: "array[1].leaf")
        JSONField(\.either, key: "first", or: "second", "way.last")
        JSONField(\.far, key: "array[2]", default: [Tracked("far")])
        JSONField(\.dotted, key: #"a\.b"#)
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
