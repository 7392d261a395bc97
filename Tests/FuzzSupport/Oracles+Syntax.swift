import Sluice
import TestSupport

// Oracles for documents in which one byte of the syntax changes.

extension Subject {
    /// The sources agree on each changed document, and decode no document that is malformed.
    func findings(forSyntaxOf text: [UInt8], _ probe: FuzzProbe, _ random: inout SeededRandom) -> [Finding] {
        for _ in 0..<16 {
            var changed = text
            DocumentMutation.changeSyntax(&changed, &random)
            if let finding = difference(probe, changed) { return [finding] }
        }
        return leaks()
    }

    private func difference(_ probe: FuzzProbe, _ text: [UInt8]) -> Finding? {
        let shown = String(decoding: text, as: UTF8.self).debugDescription
        var known: FuzzResult?
        for source in JSONModelDecoder.Source.allCases {
            let result = run(probe, text, source, nil).result
            if let known, let (aspect, one, other) = result.difference(from: known) {
                return Finding(
                    kind: "sources disagree on changed syntax: \(aspect)",
                    detail: "\(shown)\n\(source):\n\(one)\nbut first:\n\(other)")
            }
            known = result
            guard probe.readsWhole, result.value != nil else { continue }
            do throws(JSONModelError) { try probe.options.decoder(from: source).validate(text) } catch {
                return Finding(kind: "a malformed document is decoded", detail: "\(shown)\n\(source):\n\(error)")
            }
        }
        return nil
    }
}

extension FuzzProbe {
    /// Whether a value is the one of a whole document.
    fileprivate var readsWhole: Bool {
        switch action {
        case .decode(let path): path.isEmpty
        case .decodeValue, .encode: true
        case .decodePartially, .forEach, .merge: false
        }
    }
}
