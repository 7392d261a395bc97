import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// The outcome of a document is the same for every source and every division into chunks.
struct CutEverywhereTests {
    private static let sources = JSONModelDecoder.Source.allCases

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func `every source gives the same outcome`(_ fixture: Fixture) {
        for source in Self.sources { #expect(fixture.whole(from: source) == fixture.whole(), "\(source)") }
    }

    @Test(arguments: GoodFixtures.all)
    func `each valid fixture decodes`(_ fixture: Fixture) {
        guard case .value = fixture.whole() else {
            Issue.record("\(fixture.name): \(fixture.whole())")
            return
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func `input cut in two at any byte gives the same outcome`(_ fixture: Fixture) {
        let whole = fixture.whole()
        for source in Self.sources {
            for cut in 0...fixture.text.count {
                let pieces = [Array(fixture.text[..<cut]), Array(fixture.text[cut...])]
                let outcome = fixture.chunks(pieces, from: source)
                guard outcome == whole else {
                    Issue.record("\(fixture.name), \(source), cut at \(cut):\n\(outcome)\nwhole:\n\(whole)")
                    return
                }
            }
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func `chunks of any size give the same outcome`(_ fixture: Fixture) {
        let whole = fixture.whole()
        for source in Self.sources {
            for size in 1...64 {
                let outcome = fixture.chunks(fixture.text.pieces(of: size), from: source)
                guard outcome == whole else {
                    Issue.record(
                        "\(fixture.name), \(source), in pieces of \(size):\n\(outcome)\nwhole:\n\(whole)")
                    return
                }
            }
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func `empty chunks give the same outcome`(_ fixture: Fixture) {
        let pieces = fixture.text.pieces(of: 1).flatMap { [[], $0, []] }
        for source in Self.sources {
            #expect(fixture.chunks(pieces, from: source) == fixture.whole(), "\(source)")
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func `a file gives the same outcome`(_ fixture: Fixture) throws {
        try withFile(holding: fixture.text) { path in
            for source in Self.sources {
                #expect(fixture.file(path, from: source) == fixture.whole(), "\(source)")
            }
        }
    }
}
