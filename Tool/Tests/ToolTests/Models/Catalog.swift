#if Macros
// The models of Catalog.json, inferred by `sluice model`.
//
//     let value: Catalog
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()

import Sluice

@JSONModel
struct Catalog: Sendable {
    let names: [String: String]
    let performances: [String: Performance]
    let labels: Labels
    let extra: [String: JSONValue]
    let list: [[Int?]?]
    @JSONKey("Class") let `class`: Class
    let roots: [Root]
}

@JSONModel
struct Performance: Sendable {
    let seatCategories: [SeatCategory]
    let sizes: Sizes
}

@JSONModel
struct SeatCategory: Sendable {
    let categoryId: Int
    let prices: [String: Double]
}

@JSONModel
struct Sizes: Sendable {
    let thumb: Size
    let large: Size
}

@JSONModel
struct Size: Sendable {
    let width: Int
    let height: JSONPresence<Int>
}

@JSONModel
struct Labels: Sendable {
    @JSONKey(#"[""]"#) let value: String
}

@JSONModel(keys: .kebabCase)
struct Class: Sendable {
    let fullName: String
    let classID: Int
}

@JSONModel
struct Root: Sendable {
    let name: String
    let children: [Root]
    let size: Int?
}
#endif
