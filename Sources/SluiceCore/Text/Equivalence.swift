/// Canonical equivalence of strings, which are then equal in Swift although their code units differ.
enum Equivalence {
    /// Whether a text may be canonically equivalent to another text, and is not in the common normal form, NFC.
    ///
    /// Of two different texts that are equivalent, at least one is not in NFC. The scalars that are excluded here occur in NFC only and
    /// combine with no other, so that texts in common scripts need no comparison: those below U+0300, letters of Cyrillic, Hebrew and Arabic,
    /// kana, ideographs, syllables of Hangul, and most symbols and emoji.
    static func isPossible(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // The first bytes of U+0300 and of all later scalars are 0xCC and above.
        guard text.contains(where: { $0 >= 0xCC }) else { return false }
        return String(checkedUTF8: text).unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x300, 0x400..<0x483, 0x5D0..<0x5EB, 0x621..<0x64B, 0x2010..<0x2028, 0x3001..<0x302A,
                0x3041..<0x3099, 0x30A0..<0x3100, 0x3400..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFFF0,
                0x1F000..<0x1FB00:
                false
            default: true
            }
        }
    }
}

extension Sequence<UInt8> {
    /// Whether the text may be canonically equivalent to another one. Of the texts in ASCII, only those with the letter K, the semicolon
    /// and the grave accent are, because other scalars are equivalent to these.
    var mayHaveEquivalents: Bool {
        contains {
            $0 >= 0x80 || $0 == UInt8(ascii: "K") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "`")
        }
    }
}
