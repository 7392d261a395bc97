import Sluice
import Testing
import ToolSupport

struct PathPrinterTests {
    private struct Closed: Error {}

    @Test(arguments: JSONModelDecoder.Source.allCases)
    func `a document is read until its lines cannot be written`(_ source: JSONModelDecoder.Source) {
        var decoder = JSONModelDecoder()
        decoder.source = source
        var writes = 0
        let printer = PathPrinter { _ in
            writes += 1
            throw Closed()
        }
        var count = 0
        let chunks = sequence(state: 0) { index -> [UInt8]? in
            index += 1
            count = index
            if index > 100 { return nil }
            return Array((index == 1 ? "[1" : "").utf8) + Array(String(repeating: ",1", count: 20_000).utf8)
        }
        #expect(throws: Closed.self) { try printer.print(.chunks(chunks), with: decoder) }
        #expect(writes == 1 && count < 5, "\(count)")
    }
}
