import SluiceCore
import TestSupport
import Testing

/// Random models and values, which have to read back as they were. The seed is fixed, so a failure comes again.
@Suite(.tags(.encoding)) struct RandomEncodingTests {
    struct Leaf: JSONModel, Equatable {
        var double: Double
        var flag: Bool?
        var small: Int8
        var large: UInt128?
        var text: String
        static let plan = ModelPlan<Leaf>([
            JSONField(\.double), JSONField(\.flag, key: "deep.down[2].flag"), JSONField(\.small, key: "deep.small"),
            JSONField(\.large), JSONField(\.text, key: "te\"xt\n"),
        ])
    }

    struct Tree: JSONModel, Equatable {
        var leaf: Leaf
        var maybe: Leaf?
        var children: [Tree]
        var byName: [String: Leaf?]
        var numbers: [Int]?
        var floats: [[Float]]
        var optionals: [String?]
        var any: JSONValue?
        var set: Set<Int>
        var nested: Int??
        static let plan = ModelPlan<Tree>([
            JSONField(\.leaf), JSONField(\.maybe), JSONField(\.children), JSONField(\.byName), JSONField(\.numbers),
            JSONField(\.floats), JSONField(\.optionals), JSONField(\.any), JSONField(\.set), JSONField(\.nested),
        ])
    }

    private struct Maker {
        var random: SeededRandom

        mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        mutating func chance() -> Bool { number(3) == 0 }

        mutating func double() -> Double {
            let value = Double(bitPattern: random.next())
            return value.isFinite && chance() ? value : Double(number(2_000_000) - 1_000_000) / 100
        }

        mutating func text() -> String {
            let pool = ["a", "b", "\"", "\\", "\n", "\u{1}", "é", "ß", "🎉", "/", "\u{2028}", " long plain text "]
            return (0..<number(chance() ? 40 : 6)).reduce(into: "") { text, _ in text += pool[number(pool.count)] }
        }

        mutating func leaf() -> Leaf {
            Leaf(
                double: double(), flag: chance() ? nil : chance(), small: Int8(truncatingIfNeeded: random.next()),
                large: chance() ? nil : UInt128(random.next()) << UInt128(number(64)), text: text())
        }

        mutating func any(_ depth: Int) -> JSONValue {
            switch number(depth == 0 ? 5 : 7) {
            case 0: return .null
            case 1: return .bool(chance())
            case 2: return .number(JSONNumber(Int64(bitPattern: random.next())))
            case 3: return .number(JSONNumber(double())!)
            case 4: return .string(text())
            case 5: return .array((0..<number(4)).map { _ in any(depth - 1) })
            default:
                return .object((0..<number(4)).reduce(into: [:]) { members, _ in members[text()] = any(depth - 1) })
            }
        }

        // A property that holds `null` would read back as nil, and sets have no order.
        mutating func tree(_ depth: Int) -> Tree {
            Tree(
                leaf: leaf(), maybe: chance() ? leaf() : nil,
                children: depth == 0 ? [] : (0..<number(3)).map { _ in tree(depth - 1) },
                byName: (0..<number(3)).reduce(into: [:]) { leaves, _ in
                    leaves[text()] = .some(chance() ? nil : leaf())
                }, numbers: chance() ? nil : (0..<number(5)).map { _ in Int(truncatingIfNeeded: random.next()) },
                floats: (0..<number(3)).map { _ in
                    (0..<number(3)).map { _ in Float(double() / 7) }.filter(\.isFinite)
                }, optionals: (0..<number(4)).map { _ in chance() ? nil : text() },
                any: chance() ? .array([any(3)]) : nil, set: Set((0..<number(2)).map { _ in number(1_000) }),
                nested: chance() ? nil : .some(5))
        }
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func `random models and values decode to equal values`(_ seed: UInt64) throws {
        var maker = Maker(random: SeededRandom(seed: seed))
        let tree = maker.tree(2)
        try expectRoundTrip(tree)
        try expectRoundTrip(maker.any(5))
        // The same text in the same order, whatever the layout of dictionaries.
        let encoder = JSONModelEncoder.with { $0.keyOrder = .sorted }
        let text = try encode(tree, with: encoder)
        #expect(try encode(JSONModelDecoder().decode(Tree.self, from: text), with: encoder) == text)
        #expect(try JSONModelDecoder().decode(Tree.self, from: encoder.encode(tree, as: .value)) == tree)
    }
}
