import Sluice
import Testing

/// However a text is cut into pieces, the outcome is the same in every detail.
struct CutEverywhereTests {
    @Test(arguments: GoodFixtures.all)
    func aGoodTextIsAValue(_ fixture: Fixture) {
        guard case .value = fixture.whole() else {
            Issue.record("\(fixture.name): \(fixture.whole())")
            return
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func cutInTwoAtEveryByte(_ fixture: Fixture) {
        let whole = fixture.whole()
        for cut in 0...fixture.text.count {
            let outcome = fixture.chunks([Array(fixture.text[..<cut]), Array(fixture.text[cut...])])
            guard outcome == whole else {
                Issue.record("\(fixture.name), cut at \(cut):\n\(outcome)\nwhole:\n\(whole)")
                return
            }
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func inPiecesOfEverySize(_ fixture: Fixture) {
        let whole = fixture.whole()
        for size in 1...64 {
            let outcome = fixture.chunks(fixture.text.pieces(of: size))
            guard outcome == whole else {
                Issue.record("\(fixture.name), in pieces of \(size):\n\(outcome)\nwhole:\n\(whole)")
                return
            }
        }
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func betweenEmptyPieces(_ fixture: Fixture) {
        let pieces = fixture.text.pieces(of: 1).flatMap { [[], $0, []] }
        #expect(fixture.chunks(pieces) == fixture.whole())
    }

    @Test(arguments: GoodFixtures.all + BadFixtures.all.map(\.fixture))
    func fromAFile(_ fixture: Fixture) throws {
        try withFile(holding: fixture.text) { path in
            #expect(fixture.file(path) == fixture.whole())
        }
    }
}
