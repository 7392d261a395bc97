import SluiceCore
import TestSupport
import Testing

/// The tokens and verdicts of all sources for the test suites and corpora.
struct SourceEventTests {
    private static let others = JSONModelDecoder.Source.allCases.dropFirst()

    private func compare(_ name: String, _ text: [UInt8], sizes: [Int?]) {
        let reference = EventRecorder.events(
            of: text, from: JSONModelDecoder.Source.allCases[0], inPiecesOf: nil)
        for source in Self.others {
            for size in sizes {
                let found = EventRecorder.events(of: text, from: source, inPiecesOf: size)
                let how = "\(name), \(source), in pieces of \(size ?? text.count)"
                #expect(found.events == reference.events, "\(how)")
                #expect(found.issue?.kind == reference.issue?.kind, "\(how)")
                #expect(found.issue?.location.offset == reference.issue?.location.offset, "\(how)")
            }
        }
    }

    @Test func `the default source is libyajl where it is available`() {
        // Before the scanner in the list of sources.
        #expect(JSONModelDecoder().source == JSONModelDecoder.Source.allCases[0])
    }

    @Test(.needs(.suites)) func `all sources give the same events for the test suites`() throws {
        for folder in ["JSONTestSuite", "yajl-cases"] {
            for name in try TestData.suites.names(in: folder, withSuffix: ".json") {
                let text = try TestData.suites.bytes("\(folder)/\(name)")
                let sizes = text.count > 10_000 ? [nil, 64, 65_536] : [nil, 1, 2, 3, 5, 8, 13, 64]
                compare(name, text, sizes: sizes)
            }
        }
    }

    @Test(.needs(.corpus), arguments: ["twitter", "canada", "citm_catalog"])
    func `all sources give the same events for the corpora`(_ name: String) throws {
        compare(name, try TestData.corpus.bytes("\(name).json"), sizes: [nil, 1_000, 65_536])
    }
}
