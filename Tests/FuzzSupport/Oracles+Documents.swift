import Sluice
import TestSupport

// Oracles for documents that were generated: what is valid is decoded, and the order of members does not matter.

/// A generated document, and what is known of it.
struct FuzzDocument {
    let node: JSONNode
    let text: [UInt8]
    /// Whether every part is one that the model accepts under the options.
    let isValid: Bool
    let hasDuplicates: Bool
}

extension Subject {
    func refusals(of probe: FuzzProbe, in text: [UInt8]) -> [Finding] {
        // A merge may clear what is required.
        if case .merge = probe.action { return [] }
        let result = run(probe, text, JSONModelDecoder().source, nil).result
        guard let issue = result.issues.first else { return [] }
        // Few plans are refused while a value is decoded.
        if case .invalidPlan = issue.kind { return [] }
        // Keys that are canonically equivalent are one key of a dictionary.
        if case .duplicateKey = issue.kind, let value = try? JSONModelDecoder().decode(JSONValue.self, from: text),
            value.hasEquivalentKeys
        {
            return []
        }
        let kind = "a valid document is refused: \(issue.kindName)"
        return [Finding(kind: kind, detail: result.issues.map { "\($0)" }.joined(separator: "\n"))]
    }

    func findings(forOrderOf node: JSONNode, _ options: FuzzOptions, _ random: inout SeededRandom) -> [Finding] {
        if T.isOrdered { return [] }
        let decoder = options.decoder()
        let text = NodeWriter.document(node, &random)
        let whole = outcome(of: text, decoder)
        let permuted = NodeWriter.document(node.permuted(&random), &random)
        let other = outcome(of: permuted, decoder)
        var findings: [Finding] = []
        if other.value != whole.value {
            let kind = (other.value == nil) != (whole.value == nil) ? "acceptance" : "the value"
            let texts = [text, permuted].map { String(decoding: $0, as: UTF8.self) }
            findings.append(
                Finding(
                    kind: "the order of members changes \(kind)",
                    detail: "\(texts[0])\nis \(whole.summary)\npermuted:\n\(texts[1])\nis \(other.summary)"))
        }
        return findings + leaks()
    }

    func outcome(of text: [UInt8], _ decoder: JSONModelDecoder) -> FuzzResult {
        var result = FuzzResult()
        do throws(JSONModelError) {
            result.value = Rendering.text(of: try decoder.decode(T.self, from: text), .byMeaning)
        } catch {
            result.issues = error.issues
        }
        return result
    }
}

extension JSONValue {
    /// Whether an object has keys that are different and canonically equivalent.
    fileprivate var hasEquivalentKeys: Bool {
        switch self {
        case .object(let members):
            Set(members.map(\.key)).count < members.count || members.contains { $0.value.hasEquivalentKeys }
        case .array(let elements): elements.contains(where: \.hasEquivalentKeys)
        default: false
        }
    }
}

extension JSONIssue {
    /// The name of the kind without what it holds.
    var kindName: String { String("\(kind)".prefix { $0 != "(" }) }
}
