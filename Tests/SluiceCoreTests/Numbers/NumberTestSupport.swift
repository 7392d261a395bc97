import TestSupport
import Testing

@testable import SluiceCore

/// Runs the body on the token of the text, which lies in memory that ends where the text does, so that the
/// address sanitizer sees a read beyond it.
func withNumber<Result>(_ text: String, _ body: (NumberToken) -> Result) -> Result {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    defer { bytes.deallocate() }
    _ = bytes.initialize(fromContentsOf: text.utf8)
    return body(NumberToken(checked: UnsafePointer(bytes.baseAddress!), count: bytes.count))
}

func float<F: DecimalFloat>(_ text: String, as type: F.Type) -> F? { withNumber(text) { $0.floatingPoint(type) } }

/// The value, or the outcome that keeps it from being one.
enum IntegerReading<T: Equatable>: Equatable {
    case value(T)
    case failure(IntegerOutcome)
}

func integer<T: FixedWidthInteger>(_ text: String, as type: T.Type) -> IntegerReading<T> {
    withNumber(text) { token in
        // The target must stay as it is unless the outcome is exact.
        var target: T = 99
        let outcome = token.integer(type, into: &target)
        if outcome != .exact, target != 99 { Issue.record("\(text) is \(outcome), but wrote \(target)") }
        return outcome == .exact ? .value(target) : .failure(outcome)
    }
}

/// How much the random tests do, from the environment.
enum NumberCases {
    /// The number of cases of all random tests together, of which each takes its share.
    static let total = TestEnvironment.number("SLUICE_NUMBER_CASES") ?? Rounds.of(200_000)

    static let seed = TestEnvironment.number("SLUICE_NUMBER_SEED") as UInt64? ?? 20_260_101

    /// Runs `total * share` cases. The body says what is wrong with its case, if anything; the first ten such are
    /// recorded with what it takes to run them again.
    static func run(_ share: Double, _ name: String, _ body: (inout SeededRandom) -> String?) {
        let count = max(Int(Double(total) * share), 1)
        var failures = 0
        for index in 0..<count where failures < 10 {
            var generator = SeededRandom(seed: seed, index: index)
            if let complaint = body(&generator) {
                failures += 1
                Issue.record("\(name), SLUICE_NUMBER_SEED=\(seed), case \(index): \(complaint)")
            }
        }
    }
}
