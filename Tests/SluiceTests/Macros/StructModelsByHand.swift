#if Macros
import Foundation
import Sluice

// By hand. StructModels.swift has the same by the macro.

struct EverythingByHand: JSONModel {
    let id: Int
    let name: String
    let ratio: Double
    var isOpen: Bool
    let tags: [String]
    let sizes: [String: Int]
    let set: Set<Int>
    let hue: Hue
    let hues: [Hue?]
    let any: JSONValue
    let raw: JSONRaw
    let price: Decimal
    let when: Date
    let page: URL
    let uuid: UUID
    let blob: Data
    let grid: [[Double]]
    let wide: Int128

    static let plan = ModelPlan<EverythingByHand> {
        JSONField(\.id, key: "id")
        JSONField(\.name, key: "name")
        JSONField(\.ratio, key: "ratio")
        JSONField(\.isOpen, key: "isOpen")
        JSONField(\.tags, key: "tags")
        JSONField(\.sizes, key: "sizes")
        JSONField(\.set, key: "set")
        JSONField(\.hue, key: "hue")
        JSONField(\.hues, key: "hues")
        JSONField(\.any, key: "any")
        JSONField(\.raw, key: "raw")
        JSONField(\.price, key: "price")
        JSONField(\.when, key: "when")
        JSONField(\.page, key: "page")
        JSONField(\.uuid, key: "uuid")
        JSONField(\.blob, key: "blob")
        JSONField(\.grid, key: "grid")
        JSONField(\.wide, key: "wide")
    }
}

struct OneByHand: JSONModel {
    let value: Int
    static let plan = ModelPlan<OneByHand>(JSONField(\.value, key: "value"))
}

struct PathedByHand: JSONModel {
    let owner: String
    let first: String?
    var second: String
    let major: Int
    var id: Int

    static let plan = ModelPlan<PathedByHand> {
        JSONField(\.owner, key: "owner.login", or: "user.login", "login")
        JSONField(\.first, key: "tags[0]")
        JSONField(\.second, key: "tags[1]")
        JSONField(\.major, key: #"version\.major"#)
        JSONField(\.id, key: "id", or: "_id", "ID", default: -1)
    }
}

struct LenientByHand: JSONModel {
    var stars: Int
    var title: String
    var limit: Int?
    var list: [Int]
    let note: String?
    var explicit: String?

    static let plan = ModelPlan<LenientByHand> {
        JSONField(\.stars, key: "stars", default: 0)
        JSONField(\.title, key: "title", default: "untitled")
        JSONField(\.limit, key: "limit", default: 10)
        JSONField(\.list, key: "list", default: [1, 2, 3])
        JSONField(\.note, key: "note")
        JSONField(\.explicit, key: "explicit")
    }
}

struct GuardedByHand: JSONModel {
    let id: Int
    var cached: Bool
    let kind: String
    var parent: String?

    static let plan = ModelPlan<GuardedByHand> {
        JSONField(\.id, key: "id")
        JSONField(ignoring: \.cached, default: false)
        JSONField(ignoring: \.kind, default: "guarded")
        JSONField(ignoring: \.parent, default: nil)
    }
}

struct ObservedByHand: JSONModel {
    let id: Int
    var name: String?
    var count: Int { didSet { changes += 1 } }
    var changes = 0

    private struct Storage {
        var id: Int
        var name: String?
        var count: Int
    }

    static let plan = ModelPlan<ObservedByHand>(
        storage: Storage.self,
        [JSONField(\.id, key: "id"), JSONField(\.name, key: "name"), JSONField(\.count, key: "count")],
        make: { ObservedByHand(id: $0.id, name: $0.name, count: $0.count) })
}

struct OuterByHand: JSONModel {
    struct Inner: JSONModel {
        struct Deepest: JSONModel {
            let y: String
            static let plan = ModelPlan<Deepest>(JSONField(\.y, key: "y"))
        }

        let x: Int
        let deepest: Deepest
        static let plan = ModelPlan<Inner>(JSONField(\.x, key: "x"), JSONField(\.deepest, key: "deepest"))
    }

    struct Secret: JSONModel {
        let z: Int
        static let plan = ModelPlan<Secret>(JSONField(\.z, key: "z"))
    }

    let inner: Inner
    let all: [Inner]
    let secret: Secret

    static let plan = ModelPlan<OuterByHand> {
        JSONField(\.inner, key: "inner")
        JSONField(\.all, key: "all")
        JSONField(\.secret, key: "secret")
    }
}

struct PageByHand<Item: JSONConvertible>: JSONModel {
    let items: [Item]
    var first: Item?
    let next: String?

    // A generic type has no static stored property: `shared` keeps one plan for each of its forms.
    static var plan: ModelPlan<PageByHand> {
        .shared {
            ModelPlan {
                JSONField(\.items, key: "items")
                JSONField(\.first, key: "first")
                JSONField(\.next, key: "next")
            }
        }
    }
}
#endif
