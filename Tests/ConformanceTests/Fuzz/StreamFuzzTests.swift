import Foundation
import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Random streams in every framing have the same elements and the same end from every source, in every cut, by threads, from
/// checkpoints and in ranges.
///
/// `Scripts/fuzz.sh sources` runs this suite for a given time. The tests run a few fixed seeds.
struct StreamFuzzTests {
    /// How long to run; without it, a number of cases.
    private static let seconds = TestEnvironment.number("SLUICE_FUZZ_SECONDS") as Double?
    private static let firstSeed = TestEnvironment.number("SLUICE_FUZZ_SEED") as UInt64? ?? 1
    private static let cases = UInt64(Rounds.of(600))

    @Test func `every way of reading a stream has the same elements`() {
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        var seed = Self.firstSeed
        var found: Set<String> = []
        while found.count < 5, end.map({ .now < $0 }) ?? (seed < Self.firstSeed + Self.cases) {
            for finding in CheckpointCase(seed: seed).findings() where found.insert(finding.kind).inserted {
                Issue.record("SLUICE_FUZZ_SEED=\(seed): \(finding.kind)\n\(finding.detail.prefix(4_000))")
            }
            seed += 1
        }
        if Self.seconds != nil { print("\(seed - Self.firstSeed) streams from seed \(Self.firstSeed)") }
    }
}
