import Sluice
import TestSupport

/// A comparison of what a text is decoded to by every source, whole and in chunks.
struct SourceComparison {
    private(set) var isAccepted = false
    private(set) var difference: String?

    init(of text: [UInt8], _ random: inout SeededRandom) {
        var decoder = JSONModelDecoder()
        if random.below(4) == 0 { decoder.duplicateKeys = .reject }
        if random.below(4) == 0 { decoder.limits = Self.limits(&random, text.count) }
        let reading = random.below(2) == 0 ? FuzzTargets.readings[0] : random.pick(FuzzTargets.readings)
        var expected: Outcome?
        let sizes = [random.pick([1, 2, 3, 7]), 1 + random.below(64), 1 + random.below(text.count + 1)]
        for source in JSONModelDecoder.Source.allCases {
            decoder.source = source
            for size in [nil] + sizes.map(Optional.some) {
                let outcome = Outcome { try reading.read(decoder, size.map { text.pieces(of: $0) }, text) }
                if expected == nil, case .value = outcome { isAccepted = true }
                if outcome != expected ?? outcome {
                    let how = "\(reading.name), \(source), in pieces of \(size ?? text.count), \(decoder.limits)"
                    difference = "\(how):\n\(outcome)\nbut:\n\(expected!)"
                    return
                }
                expected = expected ?? outcome
            }
        }
    }

    private static func limits(_ random: inout SeededRandom, _ length: Int) -> JSONLimits {
        var limits = JSONLimits()
        switch random.below(5) {
        case 0: limits.depth = random.below(6)
        case 1: limits.string = random.below(20)
        case 2: limits.key = random.below(8)
        case 3: limits.number = 1 + random.below(8)
        default: limits.document = random.below(length + 2)
        }
        return limits
    }
}
