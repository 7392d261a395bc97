#if Macros
import Sluice
import Testing

/// The initial values that generated code names a second time.
struct InitialValueTests {
    private static let byLiteral: Int = jsonInitial(5)

    @Test func `an initial value of the property's type is unchanged`() {
        #expect(Self.byLiteral == 5)
        let fraction: Double = jsonInitial(1)
        #expect(fraction == 1)
        let optional: String? = jsonInitial("a")
        #expect(optional == "a")
    }

    /// That these compile is the test: otherwise the compiler reports a value of a wrong type twice.
    @Test func `an initial value of another type compiles`() {
        let values: [() -> Any] = [
            { jsonInitial("a") as Int }, { jsonInitial(5) as String? as Any }, { jsonInitial(nil) as Bool },
            { jsonInitial(1.5) as Int8 }, { jsonInitial(true) as [Int] },
        ]
        #expect(values.count == 5)
    }
}
#endif
