#if Macros
import Sluice
import Testing

/// The initial values that generated code repeats.
struct InitialValueTests {
    private static let byLiteral: Int = _JSONMacro.initial(5)

    @Test func `an initial value of the property's type is unchanged`() {
        #expect(Self.byLiteral == 5)
        let fraction: Double = _JSONMacro.initial(1)
        #expect(fraction == 1)
        let optional: String? = _JSONMacro.initial("a")
        #expect(optional == "a")
    }

    /// That these compile is the test: otherwise the compiler reports a value of a wrong type twice.
    @Test func `an initial value of another type compiles`() {
        let values: [() -> Any] = [
            { _JSONMacro.initial("a") as Int }, { _JSONMacro.initial(5) as String? as Any },
            { _JSONMacro.initial(nil) as Bool },
            { _JSONMacro.initial(1.5) as Int8 }, { _JSONMacro.initial(true) as [Int] },
        ]
        #expect(values.count == 5)
    }
}
#endif
