extension JSONValue {
    /// The value as JSON, in UTF-8.
    var text: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += "\(value)".utf8
        case .number(let number): text += number.description.utf8
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            var isFirst = true
            for (key, value) in members {
                if !isFirst { text.append(UInt8(ascii: ",")) }
                isFirst = false
                Self.write(key, to: &text)
                text.append(UInt8(ascii: ":"))
                value.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
