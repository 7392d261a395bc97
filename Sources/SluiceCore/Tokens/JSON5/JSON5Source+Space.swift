// White space and comments.

extension JSON5Source {
    /// Skips white space and comments.
    mutating func skipSpace() throws(JSON5Fault) {
        while at < end {
            switch at.pointee {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), 0x0B, 0x0C, 0xA0:
                at += 1
            case UInt8(ascii: "/") where end - at > 1 && at[1] == UInt8(ascii: "/"): skipLineComment()
            case UInt8(ascii: "/") where end - at > 1 && at[1] == UInt8(ascii: "*"): try skipBlockComment()
            // Perhaps the first half of a comment's beginning.
            case UInt8(ascii: "/") where end - at == 1 && isCut: throw documentFault
            default: return
            }
        }
    }

    private mutating func skipLineComment() {
        while at < end, at.pointee != UInt8(ascii: "\n"), at.pointee != UInt8(ascii: "\r") { at += 1 }
    }

    private mutating func skipBlockComment() throws(JSON5Fault) {
        let start = at
        at += 2
        while end - at > 1 {
            if at[0] == UInt8(ascii: "*"), at[1] == UInt8(ascii: "/") {
                at += 2
                return
            }
            at += 1
        }
        at = end
        throw isCut ? documentFault : fault(.syntax("a comment is not closed"), at: start)
    }
}
