extension UInt8 {
    /// Whether this byte is white space between tokens.
    var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}

/// Where a text stands in JSON's grammar, kept in so few words that the hot path can afford it: what may follow the
/// last string or number, and how many brackets and literals have been accepted since.
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
    /// Brackets and literals that the driver has been given since the last string or number.
    var accepted = 0

    /// Takes the next token; false if it may not stand here. What has been accepted before is not asked again.
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
            // Before an accepted bracket or literal it stands in an array: in an object a key would come first.
            expectation = isInObject && !isKnown ? .key : .value
        case .colon:
            guard expectation == .colon else { return false }
            expectation = .value
        }
        return true
    }
}
