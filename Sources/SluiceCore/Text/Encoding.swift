/// Detects encodings other than UTF-8 by the first bytes (RFC 4627, section 3, and the byte order marks).
enum Encoding {
    /// The byte order mark of UTF-8.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the bytes begin with the byte order mark of UTF-8.
    static func hasByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    }

    /// Returns the name of the encoding; nil for UTF-8, and if the bytes do not determine the encoding.
    @inline(__always)
    static func other(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // JSON in UTF-8 begins with two ASCII characters, except for a root that is a scalar, and after a byte order mark.
        guard bytes.count >= 2, bytes[0] == 0 || bytes[0] >= 0x80 || bytes[1] == 0 else { return nil }
        return otherBeyondASCII(bytes)
    }

    @inline(never)
    private static func otherBeyondASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let a = bytes[0]
        let b = bytes[1]
        let c = bytes.count >= 4 ? bytes[2] : 1
        let d = bytes.count >= 4 ? bytes[3] : 1
        switch (a, b, c, d) {
        case (0xFF, 0xFE, 0, 0), (1..., 0, 0, 0): return "UTF-32 (little-endian)"
        case (0, 0, 0xFE, 0xFF), (0, 0, 0, 1...): return "UTF-32 (big-endian)"
        case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): return "UTF-16 (little-endian)"
        case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): return "UTF-16 (big-endian)"
        default: return nil
        }
    }
}
