import Foundation
import Sluice
import TestSupport
import Testing

/// Random documents give the same outcome from every source and for every division into chunks.
///
/// `make fuzz-sources` runs this suite for a given time. The tests run a few fixed seeds.
struct SourceFuzzTests {
    /// How long to run; without it, a number of cases.
    private static let seconds = TestEnvironment.number("SLUICE_FUZZ_SECONDS") as Double?
    private static let firstSeed = TestEnvironment.number("SLUICE_FUZZ_SEED") as UInt64? ?? 1
    private static let cases: UInt64 = 2_000

    @Test func `every source gives the same outcome for random documents`() {
        let texts = FuzzText()
        let end = Self.seconds.map { Date.now.addingTimeInterval($0) }
        var seed = Self.firstSeed
        var accepted = 0
        var differences = 0
        while differences < 5, end.map({ Date.now < $0 }) ?? (seed < Self.firstSeed + Self.cases) {
            var random = SeededRandom(seed: seed)
            let text = texts.text(&random)
            let tried = Self.compare(text, &random)
            if tried.isAccepted { accepted += 1 }
            if let difference = tried.difference {
                differences += 1
                let shown = String(decoding: text, as: UTF8.self).debugDescription
                Issue.record("SLUICE_FUZZ_SEED=\(seed): \(difference)\n\(shown)\n\(text)")
            }
            seed += 1
        }
        let count = Int(seed - Self.firstSeed)
        // Neither all good nor all bad: the texts are worth the trying.
        #expect(accepted > count / 10 && accepted < count * 9 / 10)
        if Self.seconds != nil { print("\(count) cases from seed \(Self.firstSeed), \(accepted) accepted") }
    }

    private static func compare(
        _ text: [UInt8], _ random: inout SeededRandom
    ) -> (isAccepted: Bool, difference: String?) {
        var decoder = JSONModelDecoder()
        if random.below(4) == 0 { decoder.duplicateKeys = .reject }
        if random.below(4) == 0 { decoder.limits = limits(&random, text.count) }
        let reading = random.below(2) == 0 ? FuzzTargets.readings[0] : random.pick(FuzzTargets.readings)
        var isAccepted = false
        var expected: Outcome?
        let sizes = [random.pick([1, 2, 3, 7]), 1 + random.below(64), 1 + random.below(text.count + 1)]
        for source in JSONModelDecoder.Source.allCases {
            decoder.source = source
            for size in [nil] + sizes.map(Optional.some) {
                let outcome = Outcome { try reading.read(decoder, size.map { text.pieces(of: $0) }, text) }
                if expected == nil, case .value = outcome { isAccepted = true }
                if outcome != expected ?? outcome {
                    let how = "\(reading.name), \(source), in pieces of \(size ?? text.count), \(decoder.limits)"
                    return (isAccepted, "\(how):\n\(outcome)\nbut:\n\(expected!)")
                }
                expected = expected ?? outcome
            }
        }
        return (isAccepted, nil)
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
