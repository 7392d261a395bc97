import Testing
import ToolSupport

struct ToolVersionTests {
    @Test func `the version is a version before 1`() {
        #expect(ToolVersion.current.wholeMatch(of: /0\.\d+\.\d+/) != nil)
    }
}
