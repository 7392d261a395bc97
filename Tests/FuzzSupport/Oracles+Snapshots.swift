import Sluice
import TestSupport

extension Subject {
    /// A snapshot of a feed has the value that is decoded from the part of the document before, and that the only snapshot of another feed
    /// has. Values that are kept do not change.
    func compareSnapshots(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return [] }
        for source in JSONModelDecoder.Source.allCases {
            var decoder = probe.options.decoder(from: source)
            // A full collection ends the parse.
            if case .collect = decoder.errorPolicy { decoder.errorPolicy = .collect(limit: .max) }
            for cut in probe.cuts {
                var feed = decoder.feed(of: T.self, framing: .concatenated)
                var prefix: [UInt8] = []
                // The last snapshot is kept, or all, or none.
                var kept: [(snapshot: JSONSnapshot<T>, value: T?, text: String?)] = []
                let limit = [0, 1, 40][((cut.first ?? 0) + cut.count) % 3]
                for piece in FuzzProbe.pieces(of: text, cut).prefix(40) {
                    prefix += piece
                    guard let elements = try? feed.push(piece), elements.isEmpty else { break }
                    let snapshot = feed.snapshot()
                    let value = snapshot.value
                    let text = value.map { Rendering.text(of: $0, .byMeaning) }
                    for one in kept {
                        let now = one.value.map { Rendering.text(of: $0, .byMeaning) }
                        if now != one.text {
                            let detail = "\(source), \(now ?? "-")\nwas:\n\(one.text ?? "-")"
                            return [Finding(kind: "a kept value changes", detail: detail)]
                        }
                    }
                    if limit > 0 { kept = kept.suffix(limit - 1) + [(snapshot, value, text)] }
                    var other = decoder.feed(of: T.self, framing: .concatenated)
                    _ = try? other.push(prefix)
                    let only = other.snapshot()
                    let onlyText = only.value.map { Rendering.text(of: $0, .byMeaning) }
                    if text != onlyText || snapshot.openText != only.openText || snapshot.openPath != only.openPath
                    {
                        let shown = String(decoding: prefix, as: UTF8.self)
                        let detail = "\(source), \(shown):\n\(text ?? "-")\nalone:\n\(onlyText ?? "-")"
                        return [Finding(kind: "a snapshot depends on those before", detail: detail)]
                    }
                    // The first four bytes determine the encoding. A partial value lacks the text of an open string.
                    if prefix.count < 4 || snapshot.openText != nil { continue }
                    let partial = try? decoder.decodePartially(T.self, from: prefix)
                    let expected = partial?.value.map { Rendering.text(of: $0, .byMeaning) }
                    let found = text
                    if found != expected {
                        let shown = String(decoding: prefix, as: UTF8.self)
                        let detail = "\(source), \(shown):\n\(found ?? "-")\nin part:\n\(expected ?? "-")"
                        return [Finding(kind: "a snapshot differs from the partial value", detail: detail)]
                    }
                }
            }
        }
        return []
    }
}
