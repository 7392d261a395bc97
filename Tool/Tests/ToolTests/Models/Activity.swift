#if Macros
// The models of Activity.json, inferred by `sluice model`.
//
//     let value: [Activity]
//
// An encoder with these options writes equal values:
//
//     var encoder = JSONModelEncoder()

import Sluice

@JSONModel
struct Activity: Sendable {
    let id: String
    let actor: ActivityActor
    let org: ActivityActor?
    @JSONFlatten let payload: Payload
}

@JSONModel
struct ActivityActor: Sendable {
    let id: Int
    let login: String
}

@JSONModel(keys: .firstLetterUppercase, tag: "type", content: "payload", fallback: "other")
enum Payload: Sendable {
    case pushEvent(PushEventPayload)
    case watchEvent(WatchEventPayload)
    case forkEvent(ForkEventPayload)
    case other(JSONValue)
}

@JSONModel
struct PushEventPayload: Sendable {
    let ref: String
    let size: Int
}

@JSONModel
struct WatchEventPayload: Sendable {
    let action: String
}

@JSONModel
struct ForkEventPayload: Sendable {
    let forkee: Forkee
}

@JSONModel(keys: .snakeCase)
struct Forkee: Sendable {
    let fullName: String
    let forkCount: Int
}
#endif
