import CKernels

/// The contents so far of a string that is not complete. Reads each byte of the string once.
package struct OpenText {
    /// The offset of the opening quote in the input, which identifies the string; −1 before the first string.
    package private(set) var start = -1
    /// The contents so far: whole characters.
    package private(set) var text = ""
    /// The number of bytes after the opening quote that `text` represents.
    private(set) var readCount = 0
    /// Whether an invalid escape or character follows, so that nothing else belongs to the text.
    private var isInvalid = false

    package init() {}

    /// Begins to read the string at an offset, unless it is the one that is being read.
    mutating func begin(at offset: Int) {
        if offset == start { return }
        self = OpenText()
        start = offset
    }

    /// Continues with the bytes after `readCount` that have arrived. Leaves out an incomplete escape or character at the end.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isInvalid, let first = bytes.baseAddress, !bytes.isEmpty else { return }
        if bytes.count <= SmallString.capacity, bytes.allSatisfy(\.isPlainASCII) {
            text.append(String(checkedUTF8: bytes))
            readCount += bytes.count
            return
        }
        let capacity = bytes.count + 2 * Unescaping.slack
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * capacity) { buffer in
            let input = buffer.baseAddress.unsafelyUnwrapped
            let output = input + capacity
            input.initialize(from: first, count: bytes.count)
            (input + bytes.count).initialize(repeating: 0, count: 2 * Unescaping.slack)
            // The zero after the bytes ends the string, as all control characters do.
            var unescaping = Unescaping(from: input, into: output)
            _ = unescaping.proceed(last: input + bytes.count, outLast: output + (bytes.count + Unescaping.slack))
            var (read, count) = (unescaping.at - UnsafePointer(input), unescaping.out - output)
            // An escape has at most twelve bytes.
            if bytes.count - read >= 12 { isInvalid = true }
            if let valid = UTF8Validation.firstError(output, count) {
                // The bytes of a character that is cut are the last ones of the input.
                let cut = count - valid
                let isCut = cut < 4 && read == bytes.count && (1...cut).allSatisfy { input[read - $0] >= 0x80 }
                if !isCut { isInvalid = true }
                (read, count) = (read - (isCut ? cut : 0), valid)
            }
            text.append(String(checkedUTF8: UnsafeBufferPointer(start: output, count: count)))
            readCount += read
        }
    }
}

extension UInt8 {
    /// Whether the byte represents itself in a string: an ASCII character other than a quote, a backslash or a control character.
    var isPlainASCII: Bool {
        self >= 0x20 && self < 0x80 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
