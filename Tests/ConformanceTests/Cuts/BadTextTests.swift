import Sluice
import TestSupport
import Testing

@testable import FuzzSupport

/// Every kind of error, with its location. ``CutEverywhereTests`` covers the same input in chunks.
struct BadTextTests {
    @Test(arguments: BadFixtures.all.indices)
    func `each fixture has the expected issue and location`(_ index: Int) throws {
        let bad = BadFixtures.all[index]
        let outcome = bad.fixture.whole()
        #expect(outcome.issues.count == 1, "\(bad.fixture.name): \(outcome)")
        let issue = try #require(outcome.issues.first, "\(bad.fixture.name): \(outcome)")
        #expect(issue.kind == bad.kind, "\(bad.fixture.name)")
        #expect(issue.path.description == bad.path, "\(bad.fixture.name)")
        #expect(issue.offset == bad.offset, "\(bad.fixture.name)")
        let before = bad.fixture.text[..<bad.offset]
        #expect(issue.line == 1 + before.count { $0 == 0x0A }, "\(bad.fixture.name)")
        let lineStart =
            before.lastIndex(of: 0x0A).map { $0 + 1 } ?? (before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        #expect(issue.column == bad.offset - lineStart + 1, "\(bad.fixture.name)")
    }

    @Test func `the names of the fixtures are distinct`() {
        let names = (GoodFixtures.all + BadFixtures.all.map(\.fixture)).map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// The same faults are found where nobody wants the value, and where it is kept verbatim.
    @Test(arguments: BadFixtures.all.indices)
    func `errors in ignored and raw values have the same kind and location`(_ index: Int) throws {
        let bad = BadFixtures.all[index]
        switch bad.kind {
        // Behind the colon that it is wrapped with, something else is missing.
        case .syntax("unexpected ']'"): return
        case .syntax, .invalidUTF8, .loneSurrogate: break
        default: return
        }
        let skipped = OnlyID.skipping(bad.fixture.text)
        for source in JSONModelDecoder.Source.allCases {
            let decoder = JSONModelDecoder(from: source)
            let inModel = Outcome { try AnyHashable(decoder.decode(OnlyID.self, from: skipped)) }
            #expect(inModel.issues.first?.kind == bad.kind, "\(bad.fixture.name), \(source)")
            #expect(inModel.issues.first?.offset == bad.offset + 8, "\(bad.fixture.name), \(source)")
            let raw = Outcome { try AnyHashable(decoder.decode([String: JSONRaw].self, from: skipped)) }
            #expect(raw.issues.first?.kind == bad.kind, "\(bad.fixture.name), \(source)")
            #expect(raw.issues.first?.offset == bad.offset + 8, "\(bad.fixture.name), \(source)")
        }
    }
}
