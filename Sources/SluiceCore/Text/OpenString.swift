/// A search for the end of a string that spans chunks. Reads each byte once.
struct OpenString {
    /// Whether the next byte is escaped by the backslash before it.
    private var isEscaped = false

    /// Whether the string ends in its next bytes.
    mutating func ends(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                return true
            } else {
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return false
    }
}
