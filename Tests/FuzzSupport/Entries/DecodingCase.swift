import Foundation
import Sluice
import TestSupport

/// A case of decoding: a type of the pool, a call and options, and the text.
struct DecodingCase {
    /// The number of bytes before the text.
    static let header = 8

    private enum Form {
        case subject(any FuzzSubject, FuzzProbe)
        case sources(SeededRandom)
        case foundation(allowsJSON5: Bool)
    }

    private let form: Form
    private let text: [UInt8]

    init(_ bytes: inout FuzzBytes) {
        let subject = FuzzPool.subjects[bytes.below(FuzzPool.subjects.count)]
        let kind = bytes.below(16)
        var options = bytes.random()
        var random = bytes.random()
        let path = bytes.pick(["", "", "a", "[*]", "rows[*]", "data.items[1]", "*"])
        _ = bytes.byte()
        text = bytes.rest
        switch kind {
        case 0: form = .sources(random)
        case 1: form = .foundation(allowsJSON5: false)
        case 2: form = .foundation(allowsJSON5: true)
        default:
            let fuzzOptions = FuzzOptions(&options)
            let action: FuzzProbe.Action =
                switch kind {
                case 3, 4, 5: .decode(path: path)
                case 6: .decodePartially
                case 7: .decodeValue
                case 8, 9: .encode
                case 10, 11: .forEach(path: path.isEmpty ? "[*]" : path)
                default:
                    .merge(
                        base: Self.base(subject, fuzzOptions, &random), kind % 2 == 0 ? .skip : .clear,
                        kind < 14 ? .replace : .merge)
                }
            form = .subject(
                subject, FuzzProbe(action: action, options: fuzzOptions, cuts: FuzzProbe.cuts(&random)))
        }
    }

    /// A document into which the text is merged.
    private static func base(
        _ subject: any FuzzSubject, _ options: FuzzOptions, _ random: inout SeededRandom
    ) -> [UInt8] {
        let sampler = Sampler(
            SeededRandom(seed: random.next()), options.context, faultRate: 0, depth: 4, budget: 30)
        return NodeWriter.document(subject.sample(sampler), &random)
    }

    func findings() -> [Finding] {
        switch form {
        case .subject(let subject, let probe): subject.findings(for: probe, in: text)
        case .sources(var random):
            SourceComparison(of: text, &random).difference.map { [Finding(kind: "sources disagree", detail: $0)] }
                ?? []
        case .foundation(let allowsJSON5): FoundationComparison(of: text, allowsJSON5: allowsJSON5).findings
        }
    }
}

/// A comparison of `SluiceJSONDecoder` with Foundation's decoder.
private struct FoundationComparison {
    private(set) var findings: [Finding] = []

    init(of text: [UInt8], allowsJSON5: Bool) {
        if Self.isIntendedDifference(text) { return }
        // Foundation ends the process for some JSON5 text that is not UTF-8, and for a number whose exponent has a sign without digits.
        if allowsJSON5, Self.hasExponentWithoutDigits(text) || String(validating: text, as: UTF8.self) == nil {
            return
        }
        // A control character other than a line end, which may be in a string: see `DifferenceTests`.
        if allowsJSON5, text.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        {
            return
        }
        let (foundation, sluice) = (JSONDecoder(), SluiceJSONDecoder())
        (foundation.allowsJSON5, sluice.allowsJSON5) = (allowsJSON5, allowsJSON5)
        // Foundation reads a long number of JSON5 at the end of the text beyond the end, and ends the process if digits follow.
        let data = Data(allowsJSON5 ? text + [UInt8(ascii: "\n")] : text)
        let expected = Result { try foundation.decode(AnyValue.self, from: data) }
        for source in JSONModelDecoder.Source.allCases {
            sluice.source = source
            let result = Result { try sluice.decode(AnyValue.self, from: data) }
            if (try? result.get()) == (try? expected.get()) { continue }
            findings = [
                Finding(
                    kind: "another value than Foundation's\(allowsJSON5 ? ", JSON5" : "")",
                    detail:
                        "\(source): \(result)\nFoundation: \(expected)\n\(String(decoding: text, as: UTF8.self))")
            ]
            return
        }
    }

    /// Whether the text has the letter and the sign of an exponent, and no digit behind them.
    private static func hasExponentWithoutDigits(_ text: [UInt8]) -> Bool {
        text.indices.dropFirst().contains { index in
            let isSign = text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+")
            guard isSign, text[index - 1] | 0x20 == UInt8(ascii: "e") else { return false }
            return index + 1 == text.count || !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index + 1])
        }
    }

    /// Whether the text has a token that both decoders treat differently by intention: see `DifferenceTests`.
    private static func isIntendedDifference(_ text: [UInt8]) -> Bool {
        // Other encodings.
        if text.contains(0) || text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) { return true }
        // Zero with an exponent.
        return DocumentMutation.tokens(of: text).contains { range in
            let token = text[range]
            guard let exponent = token.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
            return token[..<exponent].allSatisfy { "+-0.".utf8.contains($0) }
        }
    }
}

/// A value of any JSON, as a `Decodable` type that knows no decoder.
private enum AnyValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyValue])
    case object([String: AnyValue])

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            var values: [String: AnyValue] = [:]
            for key in members.allKeys { values[key.stringValue] = try members.decode(AnyValue.self, forKey: key) }
            self = .object(values)
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [AnyValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(AnyValue.self)) }
            self = .array(values)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else {
            self = .number(try value.decode(Double.self))
        }
    }
}
