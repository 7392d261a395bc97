import TestSupport

/// The functions that fuzzers with coverage call: each makes a case of bytes, and judges the outcome with the oracles.
///
/// `make fuzz-coverage` links the functions with libFuzzer. `FuzzCorpusTests` calls them with the cases that are kept in
/// `Fixtures/Fuzz`.
public enum FuzzEntry: String, CaseIterable, Sendable {
    /// Text, decoded to types of the pool and to others, with random options, from every source and in several cuts.
    case decoding
    /// Values, written in every layout and to every output.
    case writing
    /// The elements of a file, from checkpoints and in ranges.
    case checkpoints
    /// Compressed text, and such text with faults.
    case compressed
    /// Paths to values, and options that have paths.
    case paths

    /// Describes the faults that the oracles find in the case of some bytes.
    public func faults(in bytes: [UInt8]) -> [String] {
        findings(in: bytes).map { "\($0.kind)\n\($0.detail.prefix(4_000))" }
    }

    func findings(in bytes: [UInt8]) -> [Finding] {
        var bytes = FuzzBytes(bytes)
        return switch self {
        case .decoding: DecodingCase(&bytes).findings()
        case .writing: WritingCase(&bytes).findings()
        case .checkpoints: CheckpointCase(&bytes).findings()
        case .compressed: CompressedCase(&bytes).findings()
        case .paths: PathCase(&bytes).findings()
        }
    }

    /// Changes the text of a case as random documents are changed, and keeps the bytes before the text.
    ///
    /// - Returns: The changed case; nil if the case is not made of text.
    public func mutated(_ bytes: [UInt8], seed: UInt64) -> [UInt8]? {
        guard let header else { return nil }
        var random = SeededRandom(seed: seed)
        var (head, text) = (Array(bytes.prefix(header)), Array(bytes.dropFirst(header)))
        while head.count < header { head.append(UInt8(truncatingIfNeeded: random.next())) }
        // At times, the text is a new document of the type.
        if text.isEmpty || random.below(64) == 0 {
            text = document(head, &random)
        } else {
            DocumentMutation.mutate(&text, &random)
        }
        return head + text
    }

    /// The number of bytes before the text.
    private var header: Int? {
        switch self {
        case .decoding: DecodingCase.header
        case .checkpoints: CheckpointCase.header
        case .writing, .compressed, .paths: nil
        }
    }

    private func document(_ head: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        let sampler = Sampler(SeededRandom(seed: random.next()), .init(), faultRate: 0, depth: 4, budget: 30)
        switch self {
        case .checkpoints: return CheckpointCase.document(head, &random)
        case .decoding:
            let subject = FuzzPool.subjects[Int(head[0]) % FuzzPool.subjects.count]
            return NodeWriter.document(subject.sample(sampler), &random)
        default:
            return NodeWriter.document(.array((0..<3).map { _ in sampler.anything() }), &random)
        }
    }
}
