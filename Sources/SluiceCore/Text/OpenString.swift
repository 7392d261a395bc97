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

    /// Returns the contents of a string of which only the first bytes are known, after white space.
    static func contents(from bytes: some Collection<UInt8>) -> String {
        Array(bytes.drop(while: \.isBlank).dropFirst()).withUnsafeBufferPointer { contents($0) }
    }

    /// Returns the contents of a string of which only the first bytes are known. Leaves out an incomplete escape or character at
    /// the end, and all bytes from the first invalid one on.
    ///
    /// - Parameter bytes: The bytes after the opening quote.
    static func contents(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let capacity = bytes.count + 2 * Unescaping.slack
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * capacity) { buffer in
            let input = buffer.baseAddress.unsafelyUnwrapped
            let output = input + capacity
            _ = buffer.initialize(from: bytes)
            (input + bytes.count).initialize(repeating: 0, count: 2 * Unescaping.slack)
            // The zero after the bytes ends the string, as all control characters do.
            var text = Unescaping(from: input, into: output)
            _ = text.proceed(last: input + bytes.count, outLast: output + (bytes.count + Unescaping.slack))
            let count = text.out - output
            let valid = UTF8Validation.firstError(output, count) ?? count
            return String(checkedUTF8: UnsafeBufferPointer(start: output, count: valid))
        }
    }
}
