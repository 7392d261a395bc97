#if Macros
import Testing

@Suite("Rows of parity that the compiler answers")
struct ParityTests {
    @Test
    func `row 40: a property without a JSON form is an error at the property`() {
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
