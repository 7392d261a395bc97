import Sluice
import TestSupport

extension Subject {
    /// The first value of an input is that of its bytes alone, whatever follows them, and whatever text is around an object or array.
    func comparePrefix(_ probe: FuzzProbe, _ text: [UInt8]) -> [Finding] {
        guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return [] }
        let (before, after) = (Array("é\n: \"".utf8), Array("\n} ] \\ x".utf8))
        for source in JSONModelDecoder.Source.allCases {
            let decoder = probe.options.decoder(from: source)
            guard let (value, count) = try? decoder.decodePrefix(T.self, from: text) else { continue }
            let expected = Rendering.text(of: value, .byMeaning)
            func finding(_ name: String, _ found: T?) -> [Finding] {
                let text = found.map { Rendering.text(of: $0, .byMeaning) }
                if text == expected { return [] }
                return [
                    Finding(
                        kind: "the first value differs \(name)",
                        detail: "\(source):\n\(text ?? "-")\nnot\n\(expected)")
                ]
            }
            var findings = finding("from that of its bytes", try? decoder.decode(T.self, from: text[..<count]))
            let around = before + text[..<count] + after
            let found = try? decoder.decodePrefix(T.self, from: around, ignoresText: true)
            findings += finding("in other text", found?.value)
            if let found, found.byteCount != before.count + count {
                findings.append(
                    Finding(kind: "the first value has another length", detail: "\(found.byteCount), not \(count)"))
            }
            if first == UInt8(ascii: "{") {
                for cut in probe.cuts {
                    var feed = decoder.feed(of: T.self, ignoresText: true)
                    var elements: [T] = []
                    do {
                        for piece in FuzzProbe.pieces(of: around, cut) { elements += try feed.push(piece) }
                        elements += try feed.finish()
                    } catch { elements = [] }
                    findings += finding("in a feed, in pieces of \(cut)", elements.count == 1 ? elements[0] : nil)
                }
            }
            if !findings.isEmpty { return findings }
        }
        return []
    }
}
