#if Macros
import Sluice

@JSONModel
enum Suit: String {
    case hearts, spades
}

@JSONModel(fallback: "unknown")
public enum Status: Int, Sendable {
    case open = 1
    case closed
    case unknown = -1
}

/// The raw type is an alias, and no raw value is written.
@JSONModel
enum Signal: CInt {
    case off, on
}

@JSONModel(fallback: "none")
enum Permission: String {
    case read, write, none
}

@JSONModel(keys: .snakeCase, tag: "type", fallback: "other")
enum Figure {
    case none
    case disc(PublicPoint)
    case bigSquare(sideLength: Double, name: String? = nil, tags: [Suit] = [])
    @JSONKey("tri", or: "triangle") indirect case triangle(of: Figure, in: Int)
    case other(JSONValue)
}

@JSONModel(.codable, tag: "type", content: "value")
public enum Message {
    case text(String)
    case image(url: String)
    indirect case reply(to: Message)
}
#endif
#if Macros

@JSONModel(.untagged)
enum Either<Left: JSONConvertible, Right: JSONConvertible> {
    case left(Left)
    case right(Right)
    case both(left: Left, right: Right)
}

@JSONModel
enum Lone {
    case only
}

@JSONModel(tag: "type", content: "data")
enum Hook {
    @JSONEmbedded case point(PublicPoint)
    @JSONEmbedded @JSONKey("moved") case move(from: Int, to: Int)
    case text(String)
}

@JSONModel
struct Delivery {
    let id: Int
    @JSONFlatten let hook: Hook
}

enum Holder {
    @JSONModel
    private enum Hidden: JSONModel, JSONConvertible {
        case a
        case b(x: Int)
    }

    @JSONModel
    private enum HiddenSuit: String, JSONConvertible { case hearts }

    @JSONModel
    struct Card {
        var suit: Suit
        var status: Status? = .unknown
        var figure: Figure
        var figures: [Figure] = []
        var either: Either<Int, String>
        private var hidden: Hidden?
        private var hiddenSuit: HiddenSuit?
    }
}
#endif

#if Macros
/// In another file than its superclass.
@JSONModel
final class Parrot: Animal {
    let words: [String]
}

@JSONModel
final class Kestrel: Pet {
    var bell: Bool?
}
#endif
