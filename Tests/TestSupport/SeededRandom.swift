/// A generator of the same random numbers in every run.
///
/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// Creates the generator of one of many cases, which does not depend on the cases before it.
    public init(seed: UInt64, index: Int) {
        state = seed
        state = next() &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    public mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

    /// Decimal digits that do not begin with zero.
    public mutating func digits(_ count: Int) -> String {
        var text = String(1 + below(9))
        for _ in 1..<max(count, 1) {
            text.append(String(below(10)))
        }
        return text
    }
}
