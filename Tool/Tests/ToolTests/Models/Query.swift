#if Macros
// The models of Query.json, inferred by `sluice model`.
//
//     let value: Query
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()
//     encoder.nullStrategy = .write

import Sluice

@JSONModel
struct Query: Sendable {
    let name: String
    let fields: [Field]
    let view: QueryView
    let paths: [String: QueryPath]
}

@JSONModel
struct Field: Sendable {
    let name: String
    let `default`: BoolOrIntOrString
    let type: FieldType
}

@JSONModel(.untagged)
enum BoolOrIntOrString: Sendable {
    case bool(Bool)
    case int(Int)
    case string(String)
}

@JSONModel
final class FieldType: Sendable {
    let kind: String
    let name: String?
    let ofType: FieldType?
}

@JSONModel
struct QueryView: Sendable {
    let text: String
}

@JSONModel
struct QueryPath: Sendable {
    let get: Get
    let delete: JSONPresence<Get>
}

@JSONModel
struct Get: Sendable {
    let id: Int
}
#endif
