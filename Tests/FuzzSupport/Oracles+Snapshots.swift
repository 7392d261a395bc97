import Sluice
import TestSupport

extension Subject {
    /// A snapshot of a feed has the value that is decoded from the part of the document before.
    func compareSnapshots(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return [] }
        for source in JSONModelDecoder.Source.allCases {
            var decoder = probe.options.decoder(from: source)
            // A full collection ends the parse.
            if case .collect = decoder.errorPolicy { decoder.errorPolicy = .collect(limit: .max) }
            for cut in probe.cuts {
                var feed = decoder.feed(of: T.self, framing: .concatenated)
                var prefix: [UInt8] = []
                for piece in FuzzProbe.pieces(of: text, cut).prefix(40) {
                    prefix += piece
                    guard let elements = try? feed.push(piece), elements.isEmpty else { break }
                    let snapshot = feed.snapshot()
                    // The first four bytes determine the encoding. A partial value lacks the text of an open string.
                    if prefix.count < 4 || snapshot.openText != nil { continue }
                    let partial = try? decoder.decodePartially(T.self, from: prefix)
                    let expected = partial?.value.map { Rendering.text(of: $0, .byMeaning) }
                    let found = snapshot.value.map { Rendering.text(of: $0, .byMeaning) }
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
