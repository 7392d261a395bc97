import Foundation
import Sluice
import SluiceCore
import TestSupport

/// A case of writing: a value that the bytes build, and the options of the encoders.
struct WritingCase {
    private let value: BuiltValue
    private var encoder = JSONModelEncoder()
    private let framing: JSONFraming
    private let foundationOptions: UInt

    init(_ bytes: inout FuzzBytes) {
        encoder.formatting = bytes.pick([.compact, .pretty, .canonical])
        encoder.keyOrder = bytes.pick([.declared, .sorted])
        encoder.escapesSlashes = bytes.below(2) == 1
        encoder.escapesNonASCII = bytes.below(2) == 1
        encoder.nullStrategy = bytes.pick([.omit, .write])
        encoder.nonConformingFloatStrategy = bytes.pick([
            .throw, .null, .write(infinity: "∞", negativeInfinity: "-\n", nan: ""),
        ])
        framing = bytes.pick(JSONFraming.allCases)
        foundationOptions = UInt(bytes.byte())
        value = BuiltValue(&bytes, depth: 0)
    }

    func findings() -> [Finding] {
        for found in [compareOutputs(), compareFoundation(), compareElements()] {
            if let found { return [Finding(kind: found.kind, detail: "\(found.detail)\n\(value)")] }
        }
        return []
    }

    /// Every output has the same bytes, which are decoded to the same value.
    private func compareOutputs() -> Finding? {
        let json = value.json
        guard let bytes = try? encoder.encode(json) else {
            // Canonical JSON has no integers that a double does not hold.
            return encoder.formatting == .canonical ? nil : Finding(kind: "a value is not written", detail: "")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var pieces: [UInt8] = []
        do {
            guard try encoder.encode(json, as: .string) == text else {
                return Finding(kind: "a string differs from bytes", detail: text)
            }
            try encoder.write(json) { pieces += $0 }
            guard pieces == bytes else { return Finding(kind: "chunks differ from bytes", detail: text) }
            let back = try JSONModelDecoder().decode(JSONValue.self, from: bytes)
            if encoder.formatting == .canonical {
                guard try encoder.encode(back) == bytes else {
                    return Finding(kind: "canonical JSON is not canonical", detail: text)
                }
            } else if back != json {
                return Finding(kind: "a written value is read as another", detail: "\(text)\nis \(back)")
            }
            if encoder.escapesNonASCII, encoder.formatting != .canonical, bytes.contains(where: { $0 >= 0x80 }) {
                return Finding(kind: "a character is not escaped", detail: text)
            }
        } catch {
            return Finding(kind: "a written value is refused", detail: "\(error)\n\(text)")
        }
        return compareEncodable()
    }

    /// An `Encodable` value is written as its `JSONValue`.
    private func compareEncodable() -> Finding? {
        let result = Result { try encoder.encode(value) }
        switch result {
        case .failure(let error):
            if encoder.formatting == .canonical { return nil }
            let isFloat = encoder.nonConformingFloatStrategy == .throw && !value.isFinite
            return isFloat ? nil : Finding(kind: "an encodable value is not written", detail: "\(error)")
        case .success(let bytes):
            guard value.isFinite, encoder.formatting != .canonical else { return nil }
            let back = Result { try JSONModelDecoder().decode(JSONValue.self, from: bytes) }
            if (try? back.get()) == value.json { return nil }
            return Finding(
                kind: "a written encodable value is read as another",
                detail: "\(String(decoding: bytes, as: UTF8.self))\n\(back)")
        }
    }

    /// Foundation's encoder writes the same bytes.
    private func compareFoundation() -> Finding? {
        let formatting = foundationOptions & 0b1011 | SluiceJSONEncoder.OutputFormatting.sortedKeys.rawValue
        let (foundation, sluice) = (JSONEncoder(), SluiceJSONEncoder())
        foundation.outputFormatting = JSONEncoder.OutputFormatting(rawValue: formatting)
        sluice.outputFormatting = SluiceJSONEncoder.OutputFormatting(rawValue: formatting)
        if foundationOptions & 4 != 0 {
            foundation.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "∞", negativeInfinity: "-\n", nan: "")
            sluice.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "∞", negativeInfinity: "-\n", nan: "")
        }
        let (expected, data) = (try? foundation.encode(value), try? sluice.encode(value))
        if expected == data { return nil }
        let texts = [data, expected].map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "an error" }
        return Finding(kind: "another text than Foundation's", detail: "\(texts[0])\nFoundation: \(texts[1])")
    }

    /// Written elements are read again in their framing.
    private func compareElements() -> Finding? {
        if encoder.formatting != .compact { return nil }
        let elements = value.json.array ?? [value.json]
        var bytes: [UInt8] = []
        do {
            var writer = encoder.writer(to: { (chunk: UnsafeRawBufferPointer) in bytes += chunk }, framing: framing)
            for element in elements { try writer.write(element) }
            try writer.finish()
            var back: [JSONValue] = []
            try JSONModelDecoder().forEach(
                JSONValue.self, in: bytes, at: framing == .document ? "[*]" : "", framing: framing
            ) { back.append($0) }
            if back == elements { return nil }
            return Finding(
                kind: "written elements are read as others",
                detail: "\(framing): \(String(decoding: bytes, as: UTF8.self))\n\(back)")
        } catch {
            return Finding(
                kind: "written elements are refused",
                detail: "\(framing): \(String(decoding: bytes, as: UTF8.self))\n\(error)")
        }
    }
}

/// A value that bytes build, with numbers of every type.
private indirect enum BuiltValue: Encodable {
    case null
    case bool(Bool)
    case int(Int)
    case unsigned(UInt64)
    case double(Double)
    case float(Float)
    case string(String)
    case array([BuiltValue])
    case object([(key: String, value: BuiltValue)])

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Values are nested less deeply than the stack of a thread allows.
    init(_ bytes: inout FuzzBytes, depth: Int) {
        switch bytes.below(depth < 60 ? 12 : 9) {
        case 0: self = .null
        case 1: self = .bool(bytes.below(2) == 1)
        case 2: self = .int(Int(Int8(bitPattern: bytes.byte())))
        case 3: self = .int(Int(bitPattern: UInt(truncatingIfNeeded: bytes.word())))
        case 4: self = .unsigned(bytes.word())
        case 5: self = .double(Double(bitPattern: bytes.word()))
        // A number of few digits.
        case 6:
            self = .double(Double(Int32(truncatingIfNeeded: bytes.word(4))) / [1, 10, 1e3, 1e7][bytes.below(4)])
        case 7: self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.word(4))))
        case 8: self = .string(bytes.text())
        case 9, 10:
            self = .array((0..<bytes.below(8)).map { _ in BuiltValue(&bytes, depth: depth + 1) })
        default:
            var members: [(key: String, value: BuiltValue)] = []
            for _ in 0..<bytes.below(8) {
                let key = bytes.text()
                let value = BuiltValue(&bytes, depth: depth + 1)
                if !members.contains(where: { $0.key == key }) { members.append((key, value)) }
            }
            self = .object(members)
        }
    }

    /// The value with null for numbers that are not finite.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .number(JSONNumber(value))
        case .unsigned(let value): .number(JSONNumber(value))
        case .double(let value): JSONNumber(value).map { .number($0) } ?? .null
        case .float(let value): value.isFinite ? .number(JSONNumber(unchecked: value.description)) : .null
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members):
            .object(members.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json })
        }
    }

    var isFinite: Bool {
        switch self {
        case .null, .bool, .int, .unsigned, .string: true
        case .double(let value): value.isFinite
        case .float(let value): value.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let members): members.allSatisfy(\.value.isFinite)
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: Name.self)
            for (key, value) in members { try container.encode(value, forKey: Name(stringValue: key)) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .unsigned(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .float(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .null, .array, .object: try container.encodeNil()
            }
        }
    }
}
