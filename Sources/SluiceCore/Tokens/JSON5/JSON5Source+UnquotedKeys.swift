// Keys without quotes: identifiers, in which escapes are checked but kept.

extension JSON5Source {
    mutating func readUnquotedKey() throws(JSON5Fault) -> (start: UnsafePointer<UInt8>, count: Int) {
        let start = at
        // The character of an escape may be one that continues a key.
        if at.pointee != UInt8(ascii: "\\"), try !Self.mayBeginKey(scalar().value) {
            throw fault(.syntax("\(unexpected) at the beginning of a key"))
        }
        while at < end {
            if at - start > limits.key { throw fault(.limitExceeded(.key, limit: limits.key), at: start) }
            if at.pointee == UInt8(ascii: "\\") {
                try skipKeyEscape()
            } else {
                let (value, length) = try scalar()
                guard Self.mayContinueKey(value) else { return (start, at - start) }
                at += length
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func skipKeyEscape() throws(JSON5Fault) {
        let start = at
        guard end - at > 1 else { throw fault(.unexpectedEnd, at: end) }
        guard at[1] == UInt8(ascii: "u") || at[1] == UInt8(ascii: "x") else {
            throw fault(.syntax("a key holds an escape that JSON5 does not know"))
        }
        guard let value = Unicode.Scalar(try readUnit()) else { throw fault(.loneSurrogate, at: start) }
        guard Self.mayContinueKey(value) || value == "\\" else {
            throw fault(.syntax("an escape stands for a character that a key cannot contain"), at: start)
        }
    }

    private static func mayBeginKey(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            true
        default: scalar == "$" || scalar == "_"
        }
    }

    private static func mayContinueKey(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        // The zero-width non-joiner and joiner.
        default: mayBeginKey(scalar) || scalar == "\u{200C}" || scalar == "\u{200D}"
        }
    }
}
