#if Macros
import Testing

@Suite("Rows of parity that the compiler answers")
struct ParityTests {
    @Test("row 40: a property that no JSON can stand for is an error at the property")
    func unmappable() {
        let source = """
            @JSONModel
            struct Model {
                let id: Int
                let done: () -> Void
            }
            """
        expectReports(
            source,
            """
            4:9 error: 'done' is a function, which has no JSON form; add @JSONIgnore and a default
            """)
    }
}
#endif
