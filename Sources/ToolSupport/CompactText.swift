/// The conversion of JSON to one line, without white space between tokens. Strings in JSON contain no line breaks.
package enum CompactText {
    /// Appends valid JSON without white space between tokens.
    package static func append(_ json: [UInt8], to output: inout [UInt8]) {
        var isInString = false
        var isEscaped = false
        // The bytes between two omitted bytes are copied together.
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
