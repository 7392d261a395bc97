import CKernels
import TestSupport
import Testing

@testable import SluiceCore

/// Comparisons of unescaping with a bytewise definition.
struct EscapeTests {
    /// The unescaped bytes; nil for an invalid escape or an unpaired surrogate.
    private func expected(_ text: [UInt8]) -> [UInt8]? {
        var units: [UInt16] = []
        var at = 0
        while at < text.count {
            guard text[at] == UInt8(ascii: "\\") else {
                units.append(UInt16(text[at]))
                at += 1
                continue
            }
            let short = Dictionary(uniqueKeysWithValues: zip("\"\\/bfnrt".utf8, [34, 92, 47, 8, 12, 10, 13, 9]))
            let letter = at + 1 < text.count ? text[at + 1] : 0
            if let unit = short[letter] {
                units.append(UInt16(unit))
                at += 2
                continue
            }
            let digits = text.dropFirst(at + 2).prefix(4)
            guard letter == UInt8(ascii: "u"), digits.count == 4,
                digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            units.append(unit)
            at += 6
        }
        var decoder = UTF16()
        var iterator = units.makeIterator()
        var bytes: [UInt8] = []
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): bytes += Array(String(Character(scalar)).utf8)
            case .emptyInput: return bytes
            case .error: return nil
            }
        }
    }

    /// Returns the unescaped bytes, and whether both markers say ASCII.
    private func unescaped(_ text: [UInt8], room: Int) -> (bytes: [UInt8], isASCII: Bool)? {
        let input = text + [UInt8(ascii: "\"")] + [UInt8](repeating: 0x30, count: 16)
        return input.withUnsafeBufferPointer { input in
            var out = UnsafeMutablePointer<UInt8>.allocate(capacity: room + Unescaping.slack)
            defer { out.deallocate() }
            var room = room
            var cursor = Unescaping(from: input.baseAddress!, into: out)
            while cursor.proceed(last: input.baseAddress! + text.count, outLast: out + room) {
                // As the scanner's buffer grows.
                let count = cursor.out - out
                let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room + 8 + Unescaping.slack)
                larger.update(from: out, count: count)
                out.deallocate()
                out = larger
                room += 8
                cursor.out = out + count
            }
            guard cursor.at == input.baseAddress! + text.count else { return nil }
            let bytes = Array(UnsafeBufferPointer(start: out, count: cursor.out - out))
            return (bytes, cursor.isPlainASCII && cursor.isEscapedASCII)
        }
    }

    @Test func `random escapes equal the definition`() {
        let pieces = [
            "a", "bcdefgh", "0123456789abcdef", "\\n", "\\/", "\\\"", "\\\\", "\\t", "\\b", "\\f", "\\r", "\\u0000",
            "\\u007f", "\\u0080", "\\u07FF", "\\u0800", "\\u3042", "\\uD7ff", "\\uE000", "\\uffff",
            "\\ud83d\\ude00", "\\uDBFF\\uDFFF", "\\uD800\\uDC00",
        ]
        let faults = [
            "\\x", "\\u12", "\\u12g4", "\\u 123", "\\ud800", "\\udc00", "\\ud800\\n", "\\ud800\\ud800",
            "\\ud800\\u0041", "\\U0041", "\\udc00\\udc00", "\\ud83dxude00", "\\ud83d\\xde00", "\\ud83d/ude00",
            "\\u00\\n",
        ]
        var random = SeededRandom(seed: 11, index: 0)
        var invalid = 0
        for _ in 0..<Rounds.of(20_000) {
            var text = ""
            for _ in 0..<random.below(12) { text += pieces[random.below(pieces.count)] }
            if random.below(4) == 0 {
                text += faults[random.below(faults.count)] + pieces[random.below(pieces.count)]
            }
            let bytes = Array(text.utf8)
            let expected = expected(bytes)
            let result = unescaped(bytes, room: random.below(40))
            if result?.bytes != expected { Issue.record("\(text)") }
            if let expected, result?.isASCII != expected.allSatisfy({ $0 < 0x80 }) {
                Issue.record("ASCII: \(text)")
            }
            if expected == nil { invalid += 1 }
            // Passing over the escapes has the same verdict.
            let padded = bytes + [UInt8](repeating: 0x22, count: 16)
            let isValid = padded.withUnsafeBufferPointer { input -> Bool in
                var at = input.baseAddress!
                let end = at + bytes.count
                while at < end {
                    guard at.pointee == UInt8(ascii: "\\") else {
                        at += 1
                        continue
                    }
                    guard let next = Escape.end(at) else { return false }
                    at = next
                }
                return true
            }
            if isValid != (expected != nil) { Issue.record("passing over: \(text)") }
        }
        #expect(invalid > Rounds.of(2_000))
    }

    /// yajl replaces such escapes silently by other characters, which may be anywhere in the string.
    @Test func `an unpaired surrogate is an error at every position`() throws {
        for fault in ["\\ud800", "\\ud800\\u0041", "\\udc00", "\\ud83d\\n", "\\udbff\\ud800"] {
            for count in 0..<20 {
                let lead = String(repeating: "a", count: count)
                for trail in ["", "b", String(repeating: "b", count: 17)] {
                    #expect(try refusal([String].self, #"["\#(lead)\#(fault)\#(trail)"]"#).path == "[0]")
                    #expect(throws: JSONModelError.self) {
                        try decode([String: Int].self, #"{"\#(lead)\#(fault)\#(trail)":1}"#)
                    }
                }
                #expect(try decode([String].self, #"["\#(lead)?\ud83d\ude00\n"]"#) == ["\(lead)?😀\n"])
            }
        }
    }

    @Test func `an unpaired surrogate is an error in every chunk`() {
        let lead = Array(("[" + String(repeating: "1,", count: 200)).utf8)
        for source in JSONModelDecoder.Source.allCases {
            let error = #expect(throws: JSONModelError.self) {
                _ = try JSONModelDecoder(from: source).decode(
                    JSONValue.self, from: .chunks([lead, Array(#""a\ud800b"]"#.utf8)]))
            }
            #expect(error?.issues[0].kind == .loneSurrogate, "\(source)")
            #expect(error?.issues[0].path == "[200]", "\(source)")
        }
    }

    /// Nothing is read behind the string, where the chunk may end.
    @Test func `a question mark beside an escape is a character in every chunk`() throws {
        let lead = Array(("[" + String(repeating: "1,", count: 200)).utf8)
        for source in JSONModelDecoder.Source.allCases {
            let value = try JSONModelDecoder(from: source).decode(
                [JSONValue].self, from: .chunks([lead, Array(#""a?\n""#.utf8), [UInt8(ascii: "]")]]))
            #expect(value.last == "a?\n", "\(source)")
        }
    }

    @Test func `every byte is classified as a hexadecimal digit`() {
        for place in 0..<4 {
            for byte in UInt8.min...UInt8.max {
                var digits = Array("0000".utf8)
                digits[place] = byte
                let value = digits.withUnsafeBufferPointer { sluice_hex_unit($0.baseAddress!) }
                let digit = byte < 0x80 ? Character(UnicodeScalar(byte)).hexDigitValue : nil
                #expect(digit.map { Int(value) == $0 << ((3 - place) * 4) } ?? (value < 0))
            }
        }
    }
}
