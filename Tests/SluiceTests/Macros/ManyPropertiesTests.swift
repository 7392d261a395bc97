#if Macros
import Sluice
import Testing

@Suite struct ManyPropertiesTests {
    /// The members of a `Many`, by their names.
    private func members(_ isThere: (Int) -> Bool = { _ in true }) -> [String] {
        (0..<200).filter(isThere).map { index in
            switch index / 5 % 4 {
            case 0: "\"i\(index)\":\(index)"
            case 1: "\"s\(index)\":\"text of \(index), too long to be stored inline\""
            case 2: "\"d\(index)\":\(index % 2 == 0 ? "null" : "\(index).5")"
            default: "\"b\(index)\":\(index % 2 == 0)"
            }
        }
    }

    private func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }

    @Test func `200 properties decode in any order`() throws {
        var random = SeededGenerator(seed: 1)
        expectSame(
            Many.self, ManyByHand.self, from: object(members()), object(members().reversed()),
            object(members().shuffled(using: &random)), object(members() + members()))
        let many = try JSONModelDecoder().decode(Many.self, from: object(members()))
        // Not the model itself: what is expected is shown when it fails, all 200 of it.
        let some = (many.i180, many.s189, many.d191, many.b198)
        #expect(some == (180, "text of 189, too long to be stored inline", 191.5, true))
    }

    @Test func `each missing property gives the same result as a plan by hand`() {
        for index in stride(from: 0, to: 200, by: 3) {
            expectSame(Many.self, ManyByHand.self, from: object(members { $0 != index }))
        }
    }

    @Test func `each value of a wrong type gives the same result as a plan by hand`() {
        for index in stride(from: 1, to: 200, by: 3) {
            var members = members()
            members[index] = members[index].prefix { $0 != ":" } + ":[1]"
            expectSame(Many.self, ManyByHand.self, from: object(members))
        }
    }

    @Test func `optional properties and properties with defaults may be missing`() {
        expectSame(Many.self, ManyByHand.self, from: object(members { $0 / 5 % 4 < 2 }), "{}")
    }
}
#endif
