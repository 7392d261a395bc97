import TestSupport

/// Calls a closure with the generator of each random case: of a share of a number of cases, or of as many as `SLUICE_FUZZ_SECONDS` allows.
///
/// - Parameter body: Receives the generator, and the seed and index of the case for messages.
/// - Returns: The number of cases.
@discardableResult
func forEachRandomCase(
    _ count: Int, _ body: (_ random: inout SeededRandom, _ name: String) throws -> Void
) rethrows -> Int {
    let seed = TestEnvironment.number("SLUICE_FUZZ_SEED") ?? UInt64(20_261_128)
    let end = (TestEnvironment.number("SLUICE_FUZZ_SECONDS") as Double?).map { ContinuousClock.now + .seconds($0) }
    var index = 0
    while end.map({ .now < $0 }) ?? (index < Rounds.of(count)) {
        var random = SeededRandom(seed: seed, index: index)
        try body(&random, "seed \(seed), index \(index)")
        index += 1
    }
    return index
}
