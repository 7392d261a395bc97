import Foundation
import Sluice

// Compares models with their twins: Client DOCUMENTS

/// A model and its twin.
struct Comparison: Sendable {
    let compare: @Sendable (_ text: String) -> String?

    init<Model: JSONConvertible, Twin: Codable>(_ model: Model.Type, _ twin: Twin.Type) {
        compare = { text in
            let expected = outcome(Twin.self) { try JSONDecoder().decode(Twin.self, from: Data(text.utf8)) }
            for (name, decode) in decoders(Model.self, text) {
                let found = outcome(Model.self, decode)
                if found.text != expected.text || found.json != expected.json {
                    return "\(name): \(found)\nexpected: \(expected)\nfor: \(text)"
                }
            }
            return nil
        }
    }
}

private func decoders<Model: JSONConvertible>(_ model: Model.Type, _ text: String) -> [(String, () throws -> Any)] {
    var decoders: [(String, () throws -> Any)] = []
    for source in [JSONModelDecoder().source, .scanner] {
        var decoder = JSONModelDecoder()
        decoder.source = source
        let copy = decoder
        decoders.append(("\(source)", { try copy.decode(Model.self, from: text) }))
        let bytes = Array(text.utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 7).map { bytes[$0..<min($0 + 7, bytes.count)] }
        decoders.append(("\(source) in chunks", { try copy.decode(Model.self, from: .chunks(chunks)) }))
    }
    if let codable = Model.self as? any Decodable.Type {
        decoders.append(("JSONDecoder", { try JSONDecoder().decode(codable, from: Data(text.utf8)) }))
    }
    return decoders
}

/// The value that was decoded, its JSON, and the error, as text.
private struct Outcome: CustomStringConvertible {
    var text: String
    var json = ""
    var error = ""
    var description: String { [text, json, error].filter { !$0.isEmpty }.joined(separator: "\n") }
}

private func outcome<T>(_ type: T.Type, _ decode: () throws -> Any) -> Outcome {
    do {
        let value = try decode()
        let data: Data
        if let model = value as? any JSONConvertible {
            data = try encoded(model)
        } else {
            let twin = value as! any Encodable
            data = try jsonEncoded(twin)
        }
        if let codable = value as? any Encodable, T.self is any JSONConvertible.Type {
            let other = try jsonEncoded(codable)
            let (one, two) = try (
                JSONDecoder().decode(JSON.self, from: data).text, JSONDecoder().decode(JSON.self, from: other).text
            )
            if one != two {
                return Outcome(text: description(of: value), error: "JSONEncoder writes \(two), not \(one)")
            }
        }
        return try Outcome(text: description(of: value), json: JSONDecoder().decode(JSON.self, from: data).text)
    } catch let error as JSONModelError where error.hasInvalidPlan {
        return Outcome(text: "the plan is invalid", error: "\(error)")
    } catch {
        return Outcome(text: "refused", error: "\(error)")
    }
}

extension JSONModelError {
    fileprivate var hasInvalidPlan: Bool {
        issues.contains { if case .invalidPlan = $0.kind { true } else { false } }
    }
}

private func encoded<T: JSONConvertible>(_ model: T) throws -> Data { try Data(JSONModelEncoder().encode(model)) }

private func jsonEncoded(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

/// The stored properties of a value, without the names of types.
func description(of value: Any) -> String {
    if let value = value as? JSONValue { return (try? JSON(encoding: value).text) ?? "?" }
    let mirror = Mirror(reflecting: value)
    var parts = mirror.children.map { ($0.label.map { "\($0): " } ?? "") + description(of: $0.value) }
    var superclass = mirror.superclassMirror
    while let current = superclass {
        parts += current.children.map { "\($0.label ?? "_"): " + description(of: $0.value) }
        superclass = current.superclassMirror
    }
    switch mirror.displayStyle {
    case .set, .dictionary: return "{\(parts.sorted().joined(separator: ", "))}"
    case .optional: return parts.first ?? "nil"
    case nil,
        .enum where parts.isEmpty:
        return "\(value)"
    default: return "(\(parts.joined(separator: ", ")))"
    }
}

@main
enum Client {
    static func main() throws {
        let documents = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
        var accepted = 0
        var last: String?
        for line in documents.split(separator: "\n") {
            if let last, line.hasPrefix(last + "\t") { continue }
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            if let difference = comparisons[parts[0]]!.compare(parts[1]) {
                print("\(parts[0]) differs from its twin.\n\(difference)")
                last = parts[0]
                if !CommandLine.arguments.contains("--all") { exit(1) }
            } else {
                accepted += 1
            }
        }
        print("\(accepted) documents, \(comparisons.count) types")
    }
}
