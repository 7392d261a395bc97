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
        Field(\.id, key: "id")
        Field(\.name, key: "name")
        Field(\.ratio, key: "ratio")
        Field(\.isOpen, key: "isOpen")
        Field(\.tags, key: "tags")
        Field(\.sizes, key: "sizes")
        Field(\.set, key: "set")
        Field(\.hue, key: "hue")
        Field(\.hues, key: "hues")
        Field(\.any, key: "any")
        Field(\.raw, key: "raw")
        Field(\.price, key: "price")
        Field(\.when, key: "when")
        Field(\.page, key: "page")
        Field(\.uuid, key: "uuid")
        Field(\.blob, key: "blob")
        Field(\.grid, key: "grid")
        Field(\.wide, key: "wide")
    }
}

struct OneByHand: JSONModel {
    let value: Int
    static let plan = ModelPlan<OneByHand>(Field(\.value, key: "value"))
}

struct PathedByHand: JSONModel {
    let owner: String
    let first: String?
    var second: String
    let major: Int
    var id: Int

    static let plan = ModelPlan<PathedByHand> {
        Field(\.owner, key: "owner.login", or: "user.login", "login")
        Field(\.first, key: "tags[0]")
        Field(\.second, key: "tags[1]")
        Field(\.major, key: #"version\.major"#)
        Field(\.id, key: "id", or: "_id", "ID", default: -1)
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
        Field(\.stars, key: "stars", default: 0)
        Field(\.title, key: "title", default: "untitled")
        Field(\.limit, key: "limit", default: 10)
        Field(\.list, key: "list", default: [1, 2, 3])
        Field(\.note, key: "note")
        Field(\.explicit, key: "explicit")
    }
}

struct GuardedByHand: JSONModel {
    let id: Int
    var cached: Bool
    let kind: String
    var parent: String?

    static let plan = ModelPlan<GuardedByHand> {
        Field(\.id, key: "id")
        Field(ignoring: \.cached, default: false)
        Field(ignoring: \.kind, default: "guarded")
        Field(ignoring: \.parent, default: nil)
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
        [Field(\.id, key: "id"), Field(\.name, key: "name"), Field(\.count, key: "count")],
        make: { ObservedByHand(id: $0.id, name: $0.name, count: $0.count) })
}

struct OuterByHand: JSONModel {
    struct Inner: JSONModel {
        struct Deepest: JSONModel {
            let y: String
            static let plan = ModelPlan<Deepest>(Field(\.y, key: "y"))
        }

        let x: Int
        let deepest: Deepest
        static let plan = ModelPlan<Inner>(Field(\.x, key: "x"), Field(\.deepest, key: "deepest"))
    }

    struct Secret: JSONModel {
        let z: Int
        static let plan = ModelPlan<Secret>(Field(\.z, key: "z"))
    }

    let inner: Inner
    let all: [Inner]
    let secret: Secret

    static let plan = ModelPlan<OuterByHand> {
        Field(\.inner, key: "inner")
        Field(\.all, key: "all")
        Field(\.secret, key: "secret")
    }
}

struct PageByHand<Item: JSONFillable>: JSONModel {
    let items: [Item]
    var first: Item?
    let next: String?

    // A generic type has no static stored property: `shared` keeps one plan for each of its forms.
    static var plan: ModelPlan<PageByHand> {
        .shared {
            ModelPlan {
                Field(\.items, key: "items")
                Field(\.first, key: "first")
                Field(\.next, key: "next")
            }
        }
    }
}
#endif
