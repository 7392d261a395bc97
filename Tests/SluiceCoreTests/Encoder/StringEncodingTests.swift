import SluiceCore
import TestSupport
import Testing

/// The encoding of strings, with escapes at every position.
struct StringEncodingTests {
    private func expected(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    @Test func `escapes are written at every position in strings of every length`() throws {
        for count in 0...70 {
            let plain = String(repeating: "x", count: count)
            #expect(try JSONModelEncoder().encode(plain, as: .string) == "\"\(plain)\"")
            for place in 0..<count {
                for special in ["\"", "\\", "\n", "\u{1f}", "é", "🎉", "/", "\u{7f}"] {
                    var text = String(repeating: "x", count: place) + special
                    text += String(repeating: "y", count: count - place)
                    #expect(try JSONModelEncoder().encode(text, as: .string) == expected(text))
                }
            }
        }
    }

    @Test func `every ASCII character is read back`() throws {
        for value in UInt8(0)..<128 {
            let text = "a\(Character(Unicode.Scalar(value)))b"
            #expect(try encode(text) == expected(text))
            #expect(try JSONModelDecoder().decode(String.self, from: encode(text)) == text)
        }
    }

    @Test(arguments: [4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 65_536, 200_000])
    func `long strings are written`(_ count: Int) throws {
        let plain = String(repeating: "abcdefgh", count: count / 8 + 1).prefix(count)
        #expect(try encode(String(plain)) == "\"\(plain)\"")
        let quotes = String(repeating: "\"é\n", count: count / 4)
        #expect(try encode(quotes) == expected(quotes))
    }

    @Test func `slashes and non-ASCII characters can be escaped`() throws {
        var encoder = JSONModelEncoder()
        encoder.escapesSlashes = true
        #expect(try encode("</a>/é", with: encoder) == #""<\/a>\/é""#)
        encoder.escapesNonASCII = true
        #expect(try encode("aé/🎉\n", with: encoder) == #""a\u00e9\/\ud83c\udf89\n""#)
        let long = String(repeating: "🎉", count: 5_000)
        #expect(try JSONModelDecoder().decode(String.self, from: encode(long, with: encoder)) == long)
    }
}
