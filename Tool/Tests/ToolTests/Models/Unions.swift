#if Macros
import Foundation
import Sluice

/// Enums of all kinds.
@JSONModel
struct Unions: Sendable {
    let figure: Figure
    let command: Command?
    let message: Message
    let stored: [Stored]
    let level: Level
    let session: Session
    let payment: Payment
    let notice: Notice
    let warning: Warning
    let expression: Expression
    let outline: Outline
}

/// A figure by its name.
@JSONModel
enum Figure: Sendable {
    /// A disc.
    case disc(Disc)
    /// The point in the middle.
    case origin
    case corners([Double])
    case side(Double)
}

@JSONModel
struct Disc: Sendable {
    let radius: Double
}

@JSONModel(fallback: "other")
enum Command: Sendable {
    case go(Int)
    case stop
    case other(String)
}

@JSONModel(tag: "t", content: "c")
enum Message: Sendable {
    /// A text.
    case text(String)
    case number(Int?)
    case empty
}

@JSONModel(tag: "kind", content: "value", fallback: "other")
enum Stored: Sendable {
    case date(Date)
    @JSONKey("link", or: "url", "href") case link(URL)
    case other(JSONValue)
}

@JSONModel(fallback: "unknown")
enum Level: Sendable {
    case low
    case high
    case unknown
}

@JSONModel(tag: "type", fallback: "other")
enum Session: Sendable {
    case login(Login)
    /// The end.
    case logout
    case other(String)
}

/// A user at work.
@JSONModel
struct Login: Sendable {
    let user: String
}

@JSONModel(tag: "type", fallback: "other")
enum Payment: Sendable {
    case transfer(Transfer)
    case other(Other)
}

@JSONModel
struct Transfer: Sendable {
    let account: String
}

@JSONModel
struct Other: Sendable {
    let comment: String?
}

@JSONModel(fallback: "other")
enum Notice: Sendable {
    case plain(String)
    case other([String: JSONValue])
}

@JSONModel(tag: "t", content: "c", fallback: "other")
enum Warning: Sendable {
    case text(String)
    case code(Int)
    case other(Disc)
}

@JSONModel
indirect enum Expression: Sendable {
    case number(Double)
    case not(Expression)
    case all([Expression])
}

@JSONModel
struct Outline: Sendable {
    let id: Int
    @JSONFlatten let type: OutlineType
}

@JSONModel(tag: "type")
enum OutlineType: Sendable {
    case push(Push)
    case star
}

@JSONModel
struct Push: Sendable {
    let ref: String
}
#endif
