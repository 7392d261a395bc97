import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// The encoding of strings, with escapes at every position.
@Suite(.tags(.encoding)) struct StringEncodingTests {
    /// A type without a plan, whose strings are written by other code.
    private struct Plain: Codable { var text: String }

    private struct Holder: JSONModel {
        var plain: Plain
        static let plan = ModelPlan<Holder>(JSONField(\.plain))
    }

    private func expected(_ text: String, escapesSlashes: Bool = false, escapesNonASCII: Bool = false) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "/" where escapesSlashes: result += "\\/"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\0"..<" ": result += "\\u" + hexadecimal(scalar.value)
            case "\u{80}"... where escapesNonASCII:
                for unit in String(scalar).utf16 { result += "\\u" + hexadecimal(UInt32(unit)) }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private func hexadecimal(_ unit: UInt32) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
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

    /// Strings of properties without a plan have the same JSON, whichever characters are escaped.
    @Test(arguments: [false, true], [false, true])
    func `strings of Encodable types are written with the escapes of the encoder`(
        escapesSlashes: Bool, escapesNonASCII: Bool
    ) throws {
        var encoder = JSONModelEncoder()
        (encoder.escapesSlashes, encoder.escapesNonASCII) = (escapesSlashes, escapesNonASCII)
        for count in 0...34 {
            for filler in ["x", "@", "]"] {
                for place in 0...count {
                    for special in ["", "\"", "\\", "\u{1f}", "é", "🎉", "/"] {
                        var text = String(repeating: filler, count: place) + special
                        text += String(repeating: filler, count: count - place)
                        let json = expected(text, escapesSlashes: escapesSlashes, escapesNonASCII: escapesNonASCII)
                        let written = try encoder.encode(Holder(plain: Plain(text: text)), as: .string)
                        if written != #"{"plain":{"text":\#(json)}}"# { Issue.record("\(written) for \(text)") }
                        let alone = try encoder.encode(text, as: .string)
                        if alone != json { Issue.record("\(alone) for \(text)") }
                        if special.isEmpty { break }
                    }
                }
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `every ASCII character is read back`(escapesSlashes: Bool, escapesNonASCII: Bool) throws {
        var encoder = JSONModelEncoder()
        (encoder.escapesSlashes, encoder.escapesNonASCII) = (escapesSlashes, escapesNonASCII)
        for value in UInt8(0)..<128 {
            let text = "a\(Character(Unicode.Scalar(value)))b"
            #expect(try encode(text, with: encoder) == expected(text, escapesSlashes: escapesSlashes))
            #expect(try JSONModelDecoder().decode(String.self, from: encode(text, with: encoder)) == text)
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

    /// A model whose keys have characters that can be escaped.
    struct Keyed: JSONModel, Equatable {
        var path: String
        var size: Int?
        var list: [Double]
        var id: Int
        static let plan = ModelPlan<Keyed>([
            JSONField(\.path, key: "a/b"), JSONField(\.size, key: "größe"), JSONField(\.list, key: "é.x/🎉"),
            JSONField(\.id, key: "q\"é"),
        ])
    }

    @Test func `keys of models have the escapes of strings`() throws {
        let value = Keyed(path: "/", size: nil, list: [1.5], id: 7)
        var encoder = JSONModelEncoder()
        encoder.nullStrategy = .write
        for (escapesSlashes, escapesNonASCII, text) in [
            (false, false, #"{"a/b":"/","größe":null,"é":{"x/🎉":[1.5]},"q\"é":7}"#),
            (true, false, #"{"a\/b":"\/","größe":null,"é":{"x\/🎉":[1.5]},"q\"é":7}"#),
            (false, true, #"{"a/b":"/","gr\u00f6\u00dfe":null,"\u00e9":{"x/\ud83c\udf89":[1.5]},"q\"\u00e9":7}"#),
            (true, true, #"{"a\/b":"\/","gr\u00f6\u00dfe":null,"\u00e9":{"x\/\ud83c\udf89":[1.5]},"q\"\u00e9":7}"#),
        ] {
            (encoder.escapesSlashes, encoder.escapesNonASCII) = (escapesSlashes, escapesNonASCII)
            encoder.formatting = .compact
            #expect(try encode(value, with: encoder) == text)
            #expect(try encode([value, value], with: encoder) == "[\(text),\(text)]")
            encoder.formatting = .pretty
            let pretty = try encode(value, with: encoder)
            #expect(pretty.filter { $0 != " " && $0 != "\n" } == text)
            #expect(try JSONModelDecoder().decode(Keyed.self, from: pretty) == value)
        }
    }
}
