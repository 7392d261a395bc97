import Foundation
import Sluice
import SluiceCore
import Testing

@Suite struct EncodingTests {
    private let decoder = JSONModelDecoder()
    private static let text = #"{"name":"Zoë 😀 ñ","size":[1,2,3]}"#

    private struct Thing: JSONModel, Equatable {
        let name: String
        let size: [Int]
        static let plan = ModelPlan<Thing>(JSONField(\.name, key: "name"), JSONField(\.size, key: "size"))
        static let sample = Thing(name: "Zoë 😀 ñ", size: [1, 2, 3])
    }

    private static func bytes<Unit: FixedWidthInteger>(_ units: some Sequence<Unit>, big: Bool) -> Data {
        Data(units.flatMap { unit in withUnsafeBytes(of: big ? unit.bigEndian : unit.littleEndian, Array.init) })
    }

    private static func utf16(_ text: String, big: Bool) -> Data { bytes(text.utf16, big: big) }
    private static func utf32(_ text: String, big: Bool) -> Data {
        bytes(text.unicodeScalars.map(\.value), big: big)
    }

    @Test(arguments: [true, false], ["", "\u{FEFF}"])
    func `UTF-16 and UTF-32 data is decoded in either byte order`(big: Bool, mark: String) throws {
        let text = mark + Self.text
        let utf16 = Self.utf16(text, big: big)
        let utf32 = Self.utf32(text, big: big)
        #expect(try decoder.decode(Thing.self, from: .text(utf16, encoding: .utf16)) == .sample)
        #expect(try decoder.decode(Thing.self, from: .text(utf32, encoding: .utf32)) == .sample)
        let named16: String.Encoding = big ? .utf16BigEndian : .utf16LittleEndian
        let named32: String.Encoding = big ? .utf32BigEndian : .utf32LittleEndian
        #expect(try decoder.decode(Thing.self, from: .text(utf16, encoding: named16)) == .sample)
        #expect(try decoder.decode(Thing.self, from: .text(utf32, encoding: named32)) == .sample)
    }

    @Test func `the value at a path is decoded from UTF-16 data`() throws {
        let data = Self.utf16(Self.text, big: true)
        #expect(try decoder.decode(Int.self, from: .text(data, encoding: .utf16), at: "size[1]") == 2)
        // A part of other data does not begin at a place that its units would like.
        let part = (Data([0x20]) + data).dropFirst()
        #expect(try decoder.decode([Int].self, from: .text(part, encoding: .utf16), at: "size") == [1, 2, 3])
    }

    @Test func `data in single-byte and multibyte encodings is decoded`() throws {
        let latin = Data("[\"Zo".utf8) + [0xEB, 0x80] + Data("\"]".utf8)
        #expect(try decoder.decode([String].self, from: .text(latin, encoding: .isoLatin1)) == ["Zoë\u{80}"])
        let western = Data("[\"".utf8) + [0x80, 0xE9] + Data("\"]".utf8)
        #expect(try decoder.decode([String].self, from: .text(western, encoding: .windowsCP1252)) == ["€é"])
        #expect(try decoder.decode([Int].self, from: .text(Data("[7]".utf8), encoding: .ascii)) == [7])
        #expect(try decoder.decode(Thing.self, from: .text(Data(Self.text.utf8), encoding: .utf8)) == .sample)
        #expect(
            try decoder.decode(
                [String].self, from: .text(Data(#"["あ"]"#.data(using: .shiftJIS)!), encoding: .shiftJIS))
                == ["あ"])
    }

    /// A cursor requests the text for each window.
    @Test func `a text in another encoding is converted once`() throws {
        let input = JSONFileInput.text(Self.utf16(Self.text, big: true), encoding: .utf16)
        let isSame = try input.withContent { (first) throws(JSONModelError) -> Bool in
            try input.withContent { (second) throws(JSONModelError) -> Bool in
                let address = first.text?.memory?.baseAddress
                return address != nil && address == second.text?.memory?.baseAddress
            }
        }
        #expect(isSame)
    }

    private func kind(_ data: Data, _ encoding: String.Encoding) -> JSONIssue.Kind? {
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Int].self, from: .text(data, encoding: encoding))
        }
        return error?.issues.first?.kind
    }

    @Test func `data that is invalid in its encoding is refused`() {
        // Half of a unit, halves of surrogate pairs, beyond Unicode, a byte that ASCII has not.
        #expect(
            kind(Data([0x00, 0x5B, 0x00]), .utf16BigEndian) == .wrongEncoding("\(String.Encoding.utf16BigEndian)"))
        #expect(
            kind(Self.bytes([0x22, 0xD800, 0x22] as [UInt16], big: true), .utf16)
                == .wrongEncoding("\(String.Encoding.utf16)"))
        #expect(
            kind(Self.bytes([0x22, 0xDC00, 0xD800, 0x22] as [UInt16], big: false), .utf16LittleEndian)
                == .wrongEncoding("\(String.Encoding.utf16LittleEndian)"))
        #expect(
            kind(Self.bytes([0x22, 0x110000, 0x22] as [UInt32], big: true), .utf32)
                == .wrongEncoding("\(String.Encoding.utf32)"))
        #expect(
            kind(Self.bytes([0x22, 0xD800, 0x22] as [UInt32], big: true), .utf32)
                == .wrongEncoding("\(String.Encoding.utf32)"))
        #expect(kind(Data([0x22, 0xE9, 0x22]), .ascii) == .wrongEncoding("\(String.Encoding.ascii)"))
    }

    @Test func `other errors are those of the converted document`() {
        #expect(kind(Data(), .utf16) == .emptyInput)
        #expect(kind(Data([0xFE, 0xFF]), .utf16) == .emptyInput)
        // Without its encoding, the text is refused by its first bytes.
        #expect(kind(Self.utf16(Self.text, big: true), .utf8) == .unsupportedEncoding("UTF-16 (big-endian)"))
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Int].self, from: .text(Self.utf16("[1,\n true]", big: false), encoding: .utf16))
        }
        #expect(error?.issues.first?.kind == .typeMismatch(expected: "an integer", found: "a boolean"))
        #expect(error?.issues.first?.location.offset == 5)
        #expect(error?.issues.first?.location.line == 2)
    }

    @Test func `the message of a wrong encoding names the encoding`() {
        let error = #expect(throws: JSONModelError.self) {
            try decoder.decode([Int].self, from: .text(Data([0x5B]), encoding: .utf16))
        }
        #expect(error?.description.hasPrefix("the text is not in the encoding ") ?? false)
    }
}
