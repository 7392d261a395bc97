/// The position in JSON's grammar, kept in few words so that the hot path can afford it: the tokens that may follow the
/// last string or number, and the number of brackets and literals accepted since then.
struct GrammarState {
    enum Expectation: UInt8 {
        case value, valueOrClose, key, keyOrClose, colon, commaOrClose
    }

    enum Token: Equatable {
        case string, number, literal, openObject, openArray, comma, colon
        case close(isObject: Bool)

        init?(firstByte byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""): self = .string
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): self = .literal
            case UInt8(ascii: "{"): self = .openObject
            case UInt8(ascii: "["): self = .openArray
            case UInt8(ascii: "}"): self = .close(isObject: true)
            case UInt8(ascii: "]"): self = .close(isObject: false)
            case UInt8(ascii: ","): self = .comma
            case UInt8(ascii: ":"): self = .colon
            default: return nil
            }
        }
    }

    var expectation = Expectation.value
    /// The number of brackets and literals passed to the driver since the last string or number.
    var accepted = 0

    /// Accepts the next token. Returns false if its position is invalid. Tokens accepted before are not checked again.
    mutating func takes(_ token: Token, isInObject: Bool) -> Bool {
        let isKnown = accepted > 0
        switch token {
        case .string:
            switch expectation {
            case .key, .keyOrClose: expectation = .colon
            case .value, .valueOrClose: expectation = .commaOrClose
            default: return false
            }
        case .number, .literal, .openObject, .openArray:
            guard isKnown || expectation == .value || expectation == .valueOrClose else { return false }
            if token == .openObject {
                expectation = .keyOrClose
            } else if token == .openArray {
                expectation = .valueOrClose
            } else {
                expectation = .commaOrClose
            }
            if token != .number { accepted = max(accepted - 1, 0) }
        case .close(let isObject):
            let mayClose =
                expectation == .commaOrClose || expectation == (isObject ? .keyOrClose : .valueOrClose)
            guard isKnown || mayClose && isObject == isInObject else { return false }
            expectation = .commaOrClose
            accepted = max(accepted - 1, 0)
        case .comma:
            guard isKnown || expectation == .commaOrClose else { return false }
            // Before an accepted bracket or literal, the comma is in an array: in an object, a key would come first.
            expectation = isInObject && !isKnown ? .key : .value
        case .colon:
            guard expectation == .colon else { return false }
            expectation = .value
        }
        return true
    }
}
