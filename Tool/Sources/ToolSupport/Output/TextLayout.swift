/// The layout of JSON on output: on one line or indented, with or without colors.
package struct TextLayout: Sendable {
    /// The number of spaces for each level; nil for one line without white space.
    package var indentation: Int?
    /// Whether keys and values have the colors of a terminal.
    package var hasColors: Bool

    package init(indentation: Int? = nil, hasColors: Bool = false) {
        (self.indentation, self.hasColors) = (indentation, hasColors)
    }

    /// Appends valid JSON.
    ///
    /// - Parameter depth: The number of levels around the value.
    package func append(_ json: [UInt8], to output: inout [UInt8], depth: Int = 0) {
        if indentation == nil, !hasColors { return Self.appendLine(json, to: &output) }
        var printer = Printer(layout: self, json: json, depth: depth)
        printer.print(to: &output)
    }

    /// Appends a line break and the white space of a level.
    package func appendBreak(to output: inout [UInt8], depth: Int) {
        guard let indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * depth))
    }

    /// Appends valid JSON without white space between tokens. Strings in JSON contain no line breaks.
    private static func appendLine(_ json: [UInt8], to output: inout [UInt8]) {
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

/// Prints one value token by token.
private struct Printer {
    /// The escape sequences of the colors, which are those of jq.
    private enum Color {
        static let key = Array("\u{1B}[34;1m".utf8)
        static let string = Array("\u{1B}[32m".utf8)
        static let null = Array("\u{1B}[90m".utf8)
        static let end = Array("\u{1B}[0m".utf8)
    }

    let layout: TextLayout
    let json: [UInt8]
    var depth: Int
    /// For each open container, whether it is an object.
    private var isObject: [Bool] = []
    private var isKey = false
    private var index = 0

    init(layout: TextLayout, json: [UInt8], depth: Int) {
        (self.layout, self.json, self.depth) = (layout, json, depth)
    }

    mutating func print(to output: inout [UInt8]) {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte, &output)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte, &output)
            case UInt8(ascii: ","):
                index += 1
                output.append(byte)
                layout.appendBreak(to: &output, depth: depth)
                isKey = isObject.last == true
            case UInt8(ascii: ":"):
                index += 1
                output.append(byte)
                if layout.indentation != nil { output.append(UInt8(ascii: " ")) }
                isKey = false
            case UInt8(ascii: "\""): append(string(), in: isKey ? Color.key : Color.string, &output)
            default: append(word(), in: byte == UInt8(ascii: "n") ? Color.null : nil, &output)
            }
        }
    }

    /// Returns the first byte of the next token.
    private mutating func next() -> UInt8? {
        while index < json.count, json[index] <= UInt8(ascii: " ") { index += 1 }
        return index < json.count ? json[index] : nil
    }

    private mutating func open(_ byte: UInt8, _ output: inout [UInt8]) {
        index += 1
        output.append(byte)
        // The closing bracket of an empty container follows at once.
        if let after = next(), after == byte + 2 {
            index += 1
            return output.append(after)
        }
        isObject.append(byte == UInt8(ascii: "{"))
        isKey = byte == UInt8(ascii: "{")
        depth += 1
        layout.appendBreak(to: &output, depth: depth)
    }

    private mutating func close(_ byte: UInt8, _ output: inout [UInt8]) {
        index += 1
        isObject.removeLast()
        depth -= 1
        layout.appendBreak(to: &output, depth: depth)
        output.append(byte)
    }

    private mutating func string() -> ArraySlice<UInt8> {
        let start = index
        index += 1
        while json[index] != UInt8(ascii: "\"") { index += json[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
        return json[start..<index]
    }

    /// Returns a number, true, false or null.
    private mutating func word() -> ArraySlice<UInt8> {
        let start = index
        while index < json.count, json[index] > UInt8(ascii: " "), !",]}".utf8.contains(json[index]) { index += 1 }
        return json[start..<index]
    }

    private func append(_ token: ArraySlice<UInt8>, in color: [UInt8]?, _ output: inout [UInt8]) {
        guard layout.hasColors, let color else { return output.append(contentsOf: token) }
        output.append(contentsOf: color)
        output.append(contentsOf: token)
        output.append(contentsOf: Color.end)
    }
}
