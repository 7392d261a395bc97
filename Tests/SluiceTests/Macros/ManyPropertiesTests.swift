#if Macros
import Sluice
import TestSupport
import Testing

@Suite struct ManyPropertiesTests {
    /// The members of a `Many`, by their names.
    private func members(_ isThere: (Int) -> Bool = { _ in true }) -> [String] {
        Wide.members(isThere).map {
            $0.replacing("\"string", with: "\"a string that is too long to be stored inline,")
        }
    }

    private func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }

    @Test func `200 properties decode in any order`() throws {
        var random = SeededRandom(seed: 1)
        expectSame(
            Many.self, Wide.self, from: object(members()), object(members().reversed()),
            object(members().shuffled(using: &random)), object(members() + members()))
        let many = try JSONModelDecoder().decode(Many.self, from: object(members()))
        // Not the model itself: what is expected is shown when it fails, all 200 of it.
        let some = (many.f180, many.f189, many.f197, many.f198)
        #expect(some == (180, "a string that is too long to be stored inline, 189", 197, 198))
    }

    @Test func `each missing property gives the same result as a plan by hand`() {
        for index in stride(from: 0, to: 200, by: 3) {
            expectSame(Many.self, Wide.self, from: object(members { $0 != index }))
        }
    }

    @Test func `each value of a wrong type gives the same result as a plan by hand`() {
        for index in stride(from: 1, to: 200, by: 3) {
            var members = members()
            members[index] = members[index].prefix { $0 != ":" } + ":[1]"
            expectSame(Many.self, Wide.self, from: object(members))
        }
    }

    @Test func `optional properties and properties with defaults may be missing`() {
        expectSame(Many.self, Wide.self, from: object(members { $0 % 10 != 7 && $0 % 10 != 8 }), "{}")
    }
}
#endif
