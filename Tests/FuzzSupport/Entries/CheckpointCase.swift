import Sluice
import SluiceCore
import TestSupport

/// A case of a stream of a file: the stream as a whole, from each of several checkpoints, and in ranges.
struct CheckpointCase {
    /// The number of bytes before the text.
    static let header = 6

    private let options: StreamReading.Options
    private let random: SeededRandom
    private let text: [UInt8]

    init(_ bytes: inout FuzzBytes) {
        options = StreamReading.Options(&bytes)
        random = bytes.random(4)
        text = bytes.rest
    }

    /// A case with a random text of a random framing.
    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = FuzzBytes((0..<Self.header).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        options = StreamReading.Options(&bytes)
        self.random = bytes.random(4)
        text = FramedText.text(options.framing, &random)
    }

    /// The text of a case, given the bytes before the text.
    static func document(_ head: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = FuzzBytes(head)
        return FramedText.text(StreamReading.Options(&bytes).framing, &random)
    }

    func findings() -> [Finding] {
        let whole = StreamReading(text, options)
        do {
            return try withFile(holding: text) { file in
                compareWays(whole, file) + compareCheckpoints(whole, file) + compareRanges(whole, file)
            }
        } catch {
            return [Finding(kind: "the file cannot be written", detail: "\(error)")]
        }
    }

    private func finding(_ kind: String, _ difference: String?, _ way: String) -> [Finding] {
        difference.map { [Finding(kind: kind, detail: "\(options), \(way): \($0)\n\(shown)")] } ?? []
    }

    private var shown: String { String(decoding: text, as: UTF8.self).debugDescription }

    /// The outcome does not depend on the source, the cut and the threads.
    private func compareWays(_ whole: StreamReading, _ file: String) -> [Finding] {
        var random = random
        let size = 1 + random.below(20)
        let pieces = text.pieces(of: size)
        for source in JSONModelDecoder.Source.allCases {
            let one = options.with(source)
            let threads = options.with(source, batchSize: 1 + random.below(max(text.count / 4, 1)))
            for (way, reading) in [
                ("\(source), in memory", StreamReading(text, one)),
                ("\(source), in pieces of \(size)", StreamReading(.chunks(pieces), one)),
                ("\(source), from a file", StreamReading(.file(file), one)),
                ("\(source), by threads", StreamReading(text, threads)),
            ] {
                let found = finding("ways of reading a stream disagree", reading.difference(from: whole), way)
                if !found.isEmpty { return found }
            }
        }
        return []
    }

    /// A stream from a checkpoint has the elements after it, and ends in the same way.
    private func compareCheckpoints(_ whole: StreamReading, _ file: String) -> [Finding] {
        var random = random
        // An issue that was reported before the checkpoint is not reported again.
        if whole.issues.contains(where: { $0.hasPrefix("reported") }) { return [] }
        for _ in 0..<min(whole.elements.count, 3) {
            let index = random.below(whole.elements.count)
            let checkpoint = whole.elements[index].position.checkpoint
            // In these framings, the start of a value does not show its framing, and such a checkpoint is an error.
            if checkpoint.leading > 0, [.textSequence, .serverSentEvents, .dataLines].contains(options.framing) {
                continue
            }
            let source = random.pick(JSONModelDecoder.Source.allCases)
            let rest = StreamReading(.file(file, from: checkpoint), options.with(source))
            let found = finding(
                "a stream from a checkpoint differs", rest.difference(from: whole, after: index + 1),
                "\(source), after element \(index), \(checkpoint)")
            if !found.isEmpty { return found }
            do {
                let json = try JSONModelEncoder().encode(checkpoint)
                guard try JSONModelDecoder().decode(JSONCheckpoint.self, from: json) == checkpoint else {
                    return finding("a decoded checkpoint differs", "\(checkpoint)", "")
                }
                readChanged(try JSONModelDecoder().decode(JSONValue.self, from: json), file, &random)
            } catch {
                return finding("a checkpoint is not decoded", "\(error)", "\(checkpoint)")
            }
        }
        return []
    }

    /// Reads the file from a checkpoint that no stream has made. Only a crash is a fault.
    private func readChanged(_ checkpoint: JSONValue, _ file: String, _ random: inout SeededRandom) {
        guard case .object(var members) = checkpoint else { return }
        for _ in 0...random.below(3) {
            let key = random.pick(["offset", "line", "column", "elements", "leading", "digest"])
            let numbers = [0, 1, 2, random.below(text.count + 2), text.count, Int.max, -1, 1 << 59]
            if key == "digest" {
                members.removeValue(forKey: key)
            } else {
                members[key] = .number(JSONNumber(random.pick(numbers)))
            }
        }
        let json = JSONValue.object(members).description
        guard let changed = try? JSONModelDecoder().decode(JSONCheckpoint.self, from: json) else { return }
        _ = StreamReading(.file(file, from: changed), options)
    }

    /// The elements of all ranges are those of the file.
    private func compareRanges(_ whole: StreamReading, _ file: String) -> [Finding] {
        guard whole.issues.isEmpty else { return [] }
        var random = random
        var elements: [JSONPositioned<JSONValue>] = []
        let source = random.pick(JSONModelDecoder.Source.allCases)
        let options = options.with(source)
        let parts = 1 + random.below(4)
        // A path that selects the elements of several arrays has no ranges.
        if let ranges = try? options.decoder.ranges(
            of: .file(file), at: options.path, framing: options.framing, parts: parts)
        {
            for range in ranges { elements += StreamReading(.file(file, range: range), options).elements }
            if elements != whole.elements {
                return finding(
                    "the ranges differ from the file", "\(elements.count) and not \(whole.elements.count) elements",
                    "\(source), \(ranges)")
            }
        }
        guard [.lines, .textSequence, .serverSentEvents, .dataLines].contains(options.framing) else { return [] }
        let cut = random.below(text.count + 1)
        let halves = [0..<cut, cut..<text.count].map { StreamReading(.file(file, range: $0), options) }
        let both = halves.flatMap(\.elements)
        if both == whole.elements, halves.allSatisfy(\.issues.isEmpty) { return [] }
        let detail =
            "\(both.map(\.position.start)), \(halves.map(\.issues))\nand not \(whole.elements.map(\.position.start))"
        return finding("two halves of the file differ from it", detail, "\(source), cut at \(cut)")
    }
}
