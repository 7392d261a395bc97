import Testing
import ToolSupport

@Suite struct ElementCountTests {
    @Test func `the last element is the limit after the skipped ones`() {
        #expect(ElementCount.last(limit: nil, skip: 3) == .max)
        #expect(ElementCount.last(limit: 2, skip: 3) == 5)
        #expect(ElementCount.last(limit: .max, skip: 1) == .max)
        #expect(ElementCount.last(limit: 1, skip: .max) == .max)
    }
}
