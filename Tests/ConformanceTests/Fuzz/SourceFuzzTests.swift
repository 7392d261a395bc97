import Foundation
import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Random documents give the same outcome from every source and for every division into chunks.
///
/// `Scripts/fuzz.sh sources` runs this suite for a given time. The tests run a few fixed seeds.
struct SourceFuzzTests {
    /// How long to run; without it, a number of cases.
    private static let seconds = TestEnvironment.number("SLUICE_FUZZ_SECONDS") as Double?
    private static let firstSeed = TestEnvironment.number("SLUICE_FUZZ_SEED") as UInt64? ?? 1
    private static let cases = UInt64(Rounds.of(2_000))

    @Test func `every source gives the same outcome for random documents`() {
        let texts = FuzzText()
        let end = Self.seconds.map { Date.now.addingTimeInterval($0) }
        var seed = Self.firstSeed
        var accepted = 0
        var differences = 0
        while differences < 5, end.map({ Date.now < $0 }) ?? (seed < Self.firstSeed + Self.cases) {
            var random = SeededRandom(seed: seed)
            let text = texts.text(&random)
            let tried = SourceComparison(of: text, &random)
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
}
