import Foundation
import Testing

/// The intended differences between Foundation and Sluice, each with both results.
@Suite struct DifferenceTests {
    private func expect(
        _ result: String, foundation: String, sluice: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result == (isSluice ? sluice : foundation), sourceLocation: sourceLocation)
    }

    /// The description of a decoded value, or the error.
    private func decoded<T: Decodable>(
        _ type: T.Type, _ json: String, _ configure: (JSONDecoder) -> Void = { _ in }
    ) -> String {
        decoded(type, Array(json.utf8), configure)
    }

    private func decoded<T: Decodable>(
        _ type: T.Type, _ bytes: [UInt8], _ configure: (JSONDecoder) -> Void = { _ in }
    ) -> String {
        do { return "\(try decode(type, bytes, configure))" } catch { return described(error) }
    }

    @Test(arguments: [
        #"{"value":1,"x":01}"#, #"{"value":1,"x":-}"#, #"{"value":1,"x":1e}"#, #"{"x":"\q","value":1}"#,
        #"{"x":"\ud800","value":1}"#, "{\"value\":1,\"x\":\"\t\"}",
    ])
    func `Sluice checks values that nobody reads`(json: String) {
        expect(decoded(Box<Int>.self, json), foundation: "Box<Int>(value: 1)", sluice: notJSON)
    }

    @Test func `Sluice checks the UTF-8 of strings that nobody reads`() {
        let bytes = Array(#"{"value":1,"x":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        expect(decoded(Box<Int>.self, bytes), foundation: "Box<Int>(value: 1)", sluice: notJSON)
    }

    @Test(arguments: ["0e1", "0.00e10", "0E5"])
    func `Sluice accepts zero with any exponent`(json: String) {
        expect(decoded(Double.self, json), foundation: notJSON, sluice: "0.0")
    }

    @Test func `Sluice converts every integer exactly`() {
        expect(
            decoded(Int64.self, "9223372036854775807.0"), foundation: notJSON, sluice: "9223372036854775807")
        expect(
            decoded(UInt64.self, "1844674407370955161.5e1"), foundation: notJSON,
            sluice: "18446744073709551615")
    }

    @Test func `Sluice compares strings of numbers without their escapes`() {
        let result = decoded([Double].self, #"["I\u004EF"]"#) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        }
        expect(
            result,
            foundation: "typeMismatch Double | Index 0(0) | Expected to decode Double but found a string instead.",
            sluice: "[inf]")
    }

    @Test func `Sluice recognizes UTF-32 in little-endian order by its mark`() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0]
        expect(decoded(Int.self, bytes), foundation: notJSON, sluice: "1")
    }

    @Test func `Sluice decodes hexadecimal decimals of 128 bits`() {
        let result = decoded(Decimal.self, "0x10000000000000000") { $0.allowsJSON5 = true }
        expect(result, foundation: notJSON, sluice: "18446744073709551616")
    }

    @Test func `Sluice names the place of a number that does not fit`() {
        expect(
            decoded(Box<[Int]>.self, #"{"value":[1,2.5]}"#), foundation: notJSON,
            sluice: "dataCorrupted - | value / Index 1(1) | Number 2.5 is not representable in Int.")
    }

    @Test func `an initializer can catch the error of Sluice for a number that does not fit`() {
        struct Tolerant: Decodable, CustomStringConvertible {
            let value: Int?
            var description: String { "\(value ?? 0)" }
            init(from decoder: any Decoder) throws {
                do { value = try decoder.singleValueContainer().decode(Int.self) } catch is DecodingError {
                    value = nil
                }
            }
        }
        expect(decoded([Tolerant].self, "[1.5,2]"), foundation: notJSON, sluice: "[0, 2]")
    }

    @Test(arguments: ["1e-400", "-1e-400"])
    func `Sluice rounds a number that is too small to zero`(json: String) {
        let zero = json.hasPrefix("-") ? "-0.0" : "0.0"
        expect(decoded(Double.self, json), foundation: notJSON, sluice: zero)
        expect(decoded(Float.self, json), foundation: notJSON, sluice: zero)
    }

    @Test func `Sluice has no infinite decimals`() {
        expect(
            decoded(Decimal.self, "-Infinity") { $0.allowsJSON5 = true }, foundation: "NaN",
            sluice: "dataCorrupted - |  | Number -inf is not representable in Decimal.")
    }

    @Test(arguments: [
        ("'a\\\nb'", "a\nb", "ab"), ("'a\\\r\nb'", "a\r\nb", "ab"), (#"'\v\0\x00'"#, notJSON, "\u{B}\0\0"),
        (#"'\q'"#, notJSON, "q"), ("\u{A0}'a'\u{2028}", notJSON, "a"), ("'a\tb'", notJSON, "a\tb"),
    ])
    func `Sluice reads strings and white space of JSON5 by its specification`(
        json: String, foundation: String, sluice: String
    ) {
        expect(decoded(String.self, json) { $0.allowsJSON5 = true }, foundation: foundation, sluice: sluice)
    }

    @Test func `Sluice ends comments of JSON5 at every line end`() {
        expect(decoded(Int.self, "1//x\u{2028}2") { $0.allowsJSON5 = true }, foundation: "1", sluice: notJSON)
        expect(decoded(Int.self, "//x\u{2029}1") { $0.allowsJSON5 = true }, foundation: notJSON, sluice: "1")
    }

    @Test func `Sluice does not decode the second value of a repeated key`() {
        let json = #"{"a":1,"a":"x"}"#
        expect(
            decoded([String: Int].self, json) { $0.keyDecodingStrategy = .convertFromSnakeCase },
            foundation: "typeMismatch Int | a | Expected to decode Int but found a string instead.",
            sluice: #"["a": 1]"#)
        #expect(decoded([String: Int].self, json) == #"["a": 1]"#)
    }

    @Test func `Sluice reads escapes in keys without quotes`() {
        expect(
            decoded([String: Int].self, #"{\u0061b:1}"#) { $0.allowsJSON5 = true }, foundation: #"["\\u0061b": 1]"#,
            sluice: #"["ab": 1]"#)
    }

    @Test func `Sluice encodes no decimal that is not a number`() {
        expect(
            (try? encode([Decimal.nan])) ?? failure(encoding: [Decimal.nan]), foundation: "[NaN]",
            sluice: "invalidValue NaN | Index 0(0) | Unable to encode Decimal.nan directly in JSON.")
    }

    @Test func `Sluice forgets the members of a value that failed`() throws {
        struct Refusal: Error {}
        let failing = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: AnyKey("x"))
            throw Refusal()
        }
        let single = Encoding { encoder in
            var single = encoder.singleValueContainer()
            do { try single.encode(failing) } catch { try single.encode(["y": 2]) }
        }
        expect(try encode(single), foundation: #"{"x":1,"y":2}"#, sluice: #"{"y":2}"#)
        let keyed = Encoding { encoder in
            var root = encoder.container(keyedBy: AnyKey.self)
            try? root.encode(failing, forKey: AnyKey("a"))
            try root.encode(Box(value: 2), forKey: AnyKey("b"))
        }
        expect(try encode(keyed), foundation: #"{"b":{"value":2,"x":1}}"#, sluice: #"{"b":{"value":2}}"#)
        let list = Encoding { encoder in
            var list = encoder.unkeyedContainer()
            try? list.encode(failing)
            try list.encode(Box(value: 2))
        }
        expect(try encode(list), foundation: #"[{"value":2,"x":1}]"#, sluice: #"[{"value":2}]"#)
    }

    @Test func `Sluice gives encoders the path of nested containers`() throws {
        struct Reader: Encodable {
            func encode(to encoder: any Encoder) throws { try described(encoder.codingPath).encode(to: encoder) }
        }
        let text = try encode(
            Encoding { encoder in
                var root = encoder.container(keyedBy: AnyKey.self)
                var list = root.nestedUnkeyedContainer(forKey: AnyKey("a"))
                try list.encode(Reader())
            })
        expect(text, foundation: #"{"a":["Index 0(0)"]}"#, sluice: #"{"a":["a \/ Index 0(0)"]}"#)
    }

    @Test func `Sluice gives closures that convert keys the whole path`() throws {
        let paths = Paths()
        _ = try encode([Box(value: ["a": Box(value: 1)])]) {
            $0.keyEncodingStrategy = .custom { path in
                paths.add(path)
                return path.last!
            }
        }
        expect(
            paths.all.sorted().joined(separator: ", "), foundation: "Index 0(0) / a / value, Index 0(0) / value",
            sluice: "Index 0(0) / value, Index 0(0) / value / a / value")
    }
}
