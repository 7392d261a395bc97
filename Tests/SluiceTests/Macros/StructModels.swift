#if Macros
import Foundation
import Sluice

// By the macro. StructModelsByHand.swift has the same by hand.

enum Hue: String {
    case red, green
}

@JSONModel
struct Everything {
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
}

@JSONModel
struct One {
    let value: Int
}

@JSONModel
struct None {}

@JSONModel
struct Pathed {
    @JSONKey("owner.login", or: "user.login", "login") let owner: String
    @JSONKey("tags[0]") let first: String?
    @JSONKey("tags[1]") var second: String
    @JSONKey(#"version\.major"#) let major: Int
    @JSONKey("id", or: "_id", "ID") var id: Int = -1
}

@JSONModel
struct Lenient {
    var stars = 0
    var title: String = "untitled"
    var limit: Int? = 10
    var list: [Int] = [1, 2, 3]
    let note: String?
    var explicit: String?
}

@JSONModel
struct Guarded {
    let id: Int
    @JSONIgnore var cached = false
    @JSONIgnore let kind = "guarded"
    @JSONIgnore var parent: String?
    static let total = 0
    var count: Int { id + 1 }
}

@JSONModel
struct Observed {
    let id: Int
    var name: String?
    var count: Int { didSet { changes += 1 } }
    @JSONIgnore var changes = 0
}

@JSONModel
struct Outer {
    @JSONModel
    struct Inner {
        @JSONModel
        fileprivate struct Deepest {
            let y: String
        }

        let x: Int
        fileprivate let deepest: Deepest
    }

    // What `private` hides from the rest of the file has to say by itself that it conforms.
    @JSONModel
    private struct Secret: JSONModel, JSONConvertible {
        private let z: Int
    }

    let inner: Inner
    let all: [Inner]
    private let secret: Secret
}

@JSONModel
struct Page<Item: JSONConvertible> {
    let items: [Item]
    var first: Item?
    let next: String?
}
#endif
