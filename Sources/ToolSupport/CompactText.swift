/// JSON without the white space between its tokens, which makes one line of it: strings of JSON have no line breaks.
package enum CompactText {
    /// Appends valid JSON without its white space.
    package static func append(_ json: [UInt8], to output: inout [UInt8]) {
        var isInString = false
        var isEscaped = false
        // Most text is copied in runs, between two bytes that are left out.
        var start = json.startIndex
        for (index, byte) in json.enumerated() {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte <= UInt8(ascii: " ") {
                output.append(contentsOf: json[start..<index])
                start = index + 1
            }
        }
        output.append(contentsOf: json[start...])
    }
}
