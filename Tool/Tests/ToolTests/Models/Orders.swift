#if Macros
// The models of Orders.json, inferred by `sluice model`.
//
//     let value: Orders
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()
//     encoder.nullStrategy = .write

import Foundation
import Sluice

@JSONModel(keys: .snakeCase)
struct Orders: Sendable {
    let nextPage: JSONValue
    let orders: [Order]
}

@JSONModel(keys: .snakeCase)
struct Order: Sendable {
    let id: Int
    let orderNumber: Int
    let hash64: UInt64
    let hash128: Int128
    let digits: JSONNumber
    let price: Double
    let weight: Double
    let precise: JSONNumber
    let createdAt: Date
    @JSONTransform(.iso8601WithFractionalSeconds) let paidAt: Date
    let shippedAt: Date?
    let due: String
    let key: UUID
    let lowerKey: String
    let htmlURL: URL
    let imageUrls: [URL]
    let `default`: Bool
    let note: JSONPresence<String>
    let coupon: JSONPresence<String>
    let tags: [JSONValue]
    let mixed: IntOrString?
    @JSONKey("self") let selfValue: Int
    @JSONKey(#"["a.b"]"#) let aB: Int
    @JSONKey("_links") let links: Links
    @JSONKey("userName") let userName: String
    @JSONKey("user_name") let userName2: String
}

@JSONModel(.untagged)
enum IntOrString: Sendable {
    case int(Int)
    case string(String)
}

@JSONModel
struct Links: Sendable {
    let next: URL?
}
#endif
