import Foundation
import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

extension FuzzPoolTests {
    /// Random documents of models with every feature give the same outcome for every way to decode the model.
    ///
    /// `Scripts/fuzz.sh models` runs this suite for a given time. The tests run a few fixed seeds.
    /// `SLUICE_FUZZ_CASE` replays one case alone.
    struct ModelFuzzTests {
        /// How long to run; without it, a number of cases.
        private static let seconds = TestEnvironment.number("SLUICE_FUZZ_SECONDS") as Double?
        private static let firstSeed = TestEnvironment.number("SLUICE_FUZZ_SEED") as UInt64? ?? 1
        private static let replayed = TestEnvironment.number("SLUICE_FUZZ_CASE") as UInt64?
        private static let cases = UInt64(Rounds.of(800))

        @Test func `every way of decoding a model gives the same outcome`() {
            if let seed = Self.replayed { return Self.replay(seed) }
            var run = FuzzRun(reduces: Self.seconds != nil)
            let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
            var seed = Self.firstSeed
            while run.failures.count < 100, end.map({ .now < $0 }) ?? (seed < Self.firstSeed + Self.cases) {
                run.run(seed: seed)
                seed += 1
            }
            run.close()
            for (key, failure) in run.failures.sorted(by: { $0.key < $1.key }) {
                Issue.record("\(failure.count) times: \(key)\n\(failure.description)")
            }
            #expect(run.validCases * 5 > run.cases * 2, "too few documents are valid")
            if Self.seconds != nil {
                print(
                    """
                    \(run.cases) cases from seed \(Self.firstSeed), \(run.validCases) of them valid documents; \
                    the plans of \(run.refusedPlans.count) random types were refused
                    """)
            }
        }

        private static func replay(_ seed: UInt64) {
            let fuzzCase = FuzzCase(seed: seed)
            // Unbuffered, as the case may end the process.
            let shown =
                "\(fuzzCase.subject.name), \(fuzzCase.probe)\n\(String(decoding: fuzzCase.text, as: UTF8.self))\n"
            FileHandle.standardError.write(Data(shown.utf8))
            for finding in fuzzCase.findings() { Issue.record("\(fuzzCase.description(finding))") }
            if seed % FuzzRun.deepCaseDistance == 0 {
                for finding in DeepCase(seed: seed).findings() {
                    Issue.record("\(finding.kind): \(finding.detail)")
                }
            }
        }
    }
}
