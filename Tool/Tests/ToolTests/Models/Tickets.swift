#if Macros
// The models of Tickets.json, inferred by `sluice model`.
//
//     let value: [Tickets]
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()

import Sluice

@JSONModel(keys: .snakeCase)
struct Tickets: Sendable {
    let state: TicketsState
    let lang: Lang
    let otherState: OtherState
    let single: String
    let name: String
}

@JSONModel(keys: .kebabCase, fallback: "other")
enum TicketsState: Sendable {
    case open
    case closed
    case inProgress
    case other(String)
}

@JSONModel(keys: .screamingSnakeCase, fallback: "other")
enum Lang: Sendable {
    case en
    case de
    case other(String)
}

@JSONModel(fallback: "unknown")
enum OtherState: Sendable {
    case other
    case `default`
    case unknown(String)
}
#endif
