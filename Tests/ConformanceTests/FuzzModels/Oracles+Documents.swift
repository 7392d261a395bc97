import Sluice

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
    func findings(
        for document: FuzzDocument, _ options: FuzzOptions, _ random: inout FuzzRandom
    ) -> [Finding] {
        var findings = collect(document, options, &random)
        let live = Tracked.live.load(ordering: .sequentiallyConsistent)
        if live != 0 {
            Tracked.live.store(0, ordering: .sequentiallyConsistent)
            findings.append(Finding(kind: "leak (permuted, partial or encoded)", detail: "\(live) live instances"))
        }
        return findings
    }

    func refusals(of probe: FuzzProbe, in text: [UInt8]) -> [Finding] {
        // A merge may clear what is required.
        if case .merge = probe.action { return [] }
        let result = run(probe, text, JSONModelDecoder().source, nil).result
        return result.issues.isEmpty ? [] : [Finding(kind: "a valid document is refused", detail: "\(result.issues)")]
    }

    private func collect(
        _ document: FuzzDocument, _ options: FuzzOptions, _ random: inout FuzzRandom
    ) -> [Finding] {
        var findings: [Finding] = []
        let decoder = options.decoder()
        let whole = outcome(of: document.text, decoder)
        if document.isValid, whole.value == nil {
            return [Finding(kind: "a valid document is refused", detail: whole.summary)]
        }
        if !document.hasDuplicates, options.limits == JSONLimits() {
            let permuted = NodeWriter.document(document.node.permuted(&random), &random)
            let other = outcome(of: permuted, decoder)
            if other.value != whole.value {
                let kind = (other.value == nil) != (whole.value == nil) ? "acceptance" : "the value"
                findings.append(
                    Finding(
                        kind: "the order of members changes \(kind)",
                        detail: "\(whole.summary)\npermuted:\n\(other.summary)\npermuted document:\n"
                            + String(decoding: permuted, as: UTF8.self)))
            }
        }
        guard document.isValid else { return findings }
        do {
            let partial = try decoder.decodePartially(T.self, from: document.text)
            if let issue = partial.issues.first {
                findings.append(Finding(kind: "a valid document has issues in part", detail: "\(issue)"))
            } else if partial.value.map({ Rendering.text(of: $0, .byMeaning) }) != whole.value {
                findings.append(Finding(kind: "a partial value differs", detail: "\(whole.summary)\nin part:\n\(partial)"))
            }
            findings += try roundTrip(document, options, whole.summary)
        } catch {
            findings.append(Finding(kind: "a valid document cannot be encoded or decoded in part", detail: "\(error)"))
        }
        return findings
    }

    private func outcome(of text: [UInt8], _ decoder: JSONModelDecoder) -> FuzzResult {
        var result = FuzzResult()
        do throws(JSONModelError) {
            result.value = Rendering.text(of: try decoder.decode(T.self, from: text), .byMeaning)
        } catch {
            result.issues = error.issues
        }
        return result
    }

    /// What is encoded is JSON, and is decoded to the same value.
    private func roundTrip(_ document: FuzzDocument, _ options: FuzzOptions, _ known: String) throws -> [Finding] {
        let value = try options.decoder().decode(T.self, from: document.text)
        let encoded: [UInt8]
        do { encoded = try options.encoder.encode(value) } catch {
            return roundTrips ? [Finding(kind: "a value is not encoded", detail: "\(error)")] : []
        }
        do { try JSONModelDecoder().validate(encoded) } catch {
            return [Finding(kind: "what is encoded is no JSON", detail: "\(error)")]
        }
        guard roundTrips else { return [] }
        let again = outcome(of: encoded, options.decoder())
        if again.value == known { return [] }
        return [
            Finding(
                kind: "what is encoded is decoded to another value",
                detail: "\(known)\nencoded:\n\(String(decoding: encoded, as: UTF8.self))\ndecoded:\n\(again.summary)")
        ]
    }
}
