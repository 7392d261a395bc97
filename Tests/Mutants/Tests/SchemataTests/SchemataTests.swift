import Schemata
import Testing

@Suite struct SchemataTests {
    private func changes(_ text: String, _ language: MutatedSource.Language = .swift) -> [String] {
        let source = MutatedSource(text, language)
        return source.faults.map { "\(source.original(of: $0)) -> \($0.replacement)" }
    }

    @Test func `a comparison includes and excludes the equal case`() {
        #expect(changes("func f(a: Int, b: Int) -> Bool { a < b }") == ["< -> <=", "< -> >="])
        #expect(
            changes("func f(a: Int) { if a == b { } }")
                == ["a == b -> true", "a == b -> false"])
    }

    @Test func `calls and assignments are left out`() {
        #expect(changes("func f() { g()\nx = y }") == ["g() -> ", "x = y -> "])
        #expect(changes("func f() { try g() }") == ["try g() -> "])
        #expect(changes("func f() { let x = g() }") == [])
    }

    @Test func `preconditions and hints of capacity have no faults`() {
        #expect(changes("func f() { precondition(a < 1, \"b\")\na.reserveCapacity(5 + 1) }") == [])
    }

    @Test func `branches of other platforms have no faults`() {
        #expect(changes("func f() {\n#if os(Windows)\ng()\n#else\nh()\n#endif\n}") == ["h() -> "])
        #expect(changes("int f(void) {\n#if defined(_WIN32)\ng();\n#else\nh();\n#endif\n}", .c) == ["h() -> "])
    }

    @Test func `the branches of a conditional expression are swapped`() {
        #expect(changes("let x = a ? f : g") == ["f -> g"])
        let rendered = MutatedSource("let x = a ? f : g", .swift).rendered()
        #expect(rendered.contains("a ? g : f"))
    }

    @Test func `statements of C are found by their tokens`() {
        #expect(
            changes("int f(int a) { for (int i = 0; i < 4; i++) { a += g((char *)p) * 2; } return -a; }", .c)
                == [
                    "0 -> 1", "i < 4 -> 0", "< -> <=", "< -> >=", "4 -> 5", "++ -> --", "a += g((char *)p) * 2 -> ",
                    "+= -> -=", "* -> +", "2 -> 3",
                ])
    }

    @Test func `a statement of C before an else stays one statement`() {
        let source = MutatedSource("void f(int a) { if (a) g(); else h(); for (a = g(); ; ) { } }", .c)
        let text = source.rendered().replacing(/\/\*.*?\*\//, with: "").replacing(/sluice_mutant_is/, with: "m")
        #expect(source.faults.map { source.original(of: $0) } == ["a", "a", "g()", "h()"])
        #expect(
            text == """
                #include "mutants.h"
                void f(int a) { if ((m(1) ? (1) :
                m(2) ? (0) :
                (a))) if (m(3)) { ; } else
                { g(); } else if (m(4)) { ; } else
                { h(); } for (a = g(); ; ) { } }
                """)
    }

    @Test func `directives, comments and tables of C have no faults`() {
        #expect(
            changes("#define A 1\n/* f(1); */\nstatic const int a[2] = {1, 2}; // f(1);\nenum { b = 1 };\n", .c)
                == [])
    }

    @Test func `a source has all faults behind numbers`() {
        let source = MutatedSource("func f(a: Int) -> Int { a + 1 }", .swift, first: 7)
        #expect(source.faults.map(\.number) == [7, 8])
        let text = source.rendered().replacing(/\/\*.*?\*\//, with: "")
        #expect(
            text == """
                import CKernels
                func f(a: Int) -> Int { switch sluice_mutant_in(7, 2) {
                case 1: a - 1
                case 2: a + 2
                default: a + 1
                } }
                """)
    }

    @Test func `an error drops the fault at its position`() throws {
        let source = MutatedSource("func f(a: Int) -> Int { a + 1 }", .swift, first: 7)
        let text = source.rendered()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.contains("a - 1") })
        let column = try #require(lines[line].firstRange(of: "a - 1")).lowerBound.utf16Offset(in: lines[line]) + 3
        #expect(source.drop(line: line + 1, column: column, of: text))
        #expect(source.faults.map(\.number) == [8])
        #expect(!source.rendered().contains("a - 1"))
    }

    @Test func `an error outside the faults drops those of the function`() {
        let source = MutatedSource("func f(a: Int) -> Int {\nlet x = a + 1\nreturn x\n}\nfunc g() { h() }", .swift)
        let text = source.rendered()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.firstIndex { $0.hasPrefix("return x") } ?? 0
        #expect(source.drop(line: line + 1, column: 1, of: text))
        #expect(source.faults.map { source.original(of: $0) } == ["h()"])
    }
}
