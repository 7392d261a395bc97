import SluiceCore
import Synchronization
import TestSupport
import Testing

enum EncodingInstances: InstanceGroup { static let instances = InstanceCounter() }

/// The writer copies parts of a value. It releases each copy once, whatever goes wrong, and wherever.
@Suite(.serialized, .tags(.encoding)) struct EncodingLeakTests {
    typealias Counted = Instance<EncodingInstances>

    private struct Refused: Error {}

    /// Makes a new instance for each one, or fails at one of them.
    private struct Renewed: JSONTransform {
        /// The number of instances that are made before the failure.
        static let left = Mutex(Int.max)

        func decode(_ json: Counted) -> Counted { json }
        func encode(_ value: Counted) throws -> Counted {
            let isLast = Self.left.withLock { left in
                left -= 1
                return left < 0
            }
            if isLast { throw Refused() }
            return Counted(value.text)
        }
    }

    struct Part: JSONModel {
        var mark: Counted
        var list: [Counted]?
        static let plan = ModelPlan<Part>(JSONField(\.mark), JSONField(\.list))
    }

    /// A class that is encoded from its storage.
    final class Knot: JSONModel {
        struct Storage {
            var mark: Counted
            var next: Knot?
        }
        let mark: Counted
        let next: Knot?
        init(_ mark: Counted, _ next: Knot? = nil) { (self.mark, self.next) = (mark, next) }
        static let plan = ModelPlan<Knot>(
            storage: Storage.self, [JSONField(\.mark), JSONField(\.next)], make: { Knot($0.mark, $0.next) },
            read: { Storage(mark: $0.mark, next: $0.next) })
    }

    protocol Way { static var tagging: JSONTagging { get } }
    enum Internal: Way { static let tagging = JSONTagging.internal(tag: "type") }
    enum Adjacent: Way { static let tagging = JSONTagging.adjacent(tag: "type", content: "content") }
    enum External: Way { static let tagging = JSONTagging.external }

    enum Choice<W: Way>: JSONEnum {
        case part(Part)
        case table([String: Counted])
        static var plan: ModelPlan<Choice> {
            .shared {
                ModelPlan(
                    cases: [
                        JSONCase("part", payload: Part.self, make: { .part($0) }) {
                            if case .part(let value) = $0 { value } else { nil }
                        },
                        JSONCase("table", payload: [String: Counted].self, make: { .table($0) }) {
                            if case .table(let value) = $0 { value } else { nil }
                        },
                    ], tagging: W.tagging)
            }
        }
    }

    enum Only: JSONEnum {
        case part(Part)
        static let plan = ModelPlan<Only>(
            cases: [
                JSONCase("part", payload: Part.self, make: { .part($0) }) {
                    if case .part(let value) = $0 { value } else { nil }
                }
            ], tagging: .internal(tag: "kind"))
    }

    /// A model with a hook in the storage of a class.
    struct Checked: JSONModel, JSONHooks {
        var other: Counted
        static let plan = ModelPlan<Checked>([JSONField(\.other)])
        func willEncode() throws { if other.text == "refused" { throw Refused() } }
    }

    final class Sack: JSONModel {
        struct Storage {
            var mark: Counted
            var checked: Checked
        }
        let storage: Storage
        init(_ mark: Counted, _ checked: Checked) { storage = Storage(mark: mark, checked: checked) }
        static let plan = ModelPlan<Sack>(
            storage: Storage.self, [JSONField(\.mark), JSONField(flatten: \.checked)],
            make: { Sack($0.mark, $0.checked) }, read: { $0.storage })
    }

    struct All: JSONModel {
        var mark: Counted
        var lists: [[Counted?]]
        var unique: Set<Counted>
        var byKey: [Counted: Counted]
        var tables: [String: [String: Counted]]
        var paired: Set<Counted>
        var knot: Knot
        var chain: [Knot]
        var inside: [Choice<Internal>]
        var beside: [Choice<Adjacent>]
        var around: Choice<External>
        var flat: Only
        var rest: [String: Counted]
        static let plan = ModelPlan<All>([
            JSONField(\.mark), JSONField(\.lists), JSONField(\.unique), JSONField(\.byKey), JSONField(\.tables),
            JSONField(\.paired, key: "pairs[*].mark"), JSONField(\.knot, key: "way.knots[1]"), JSONField(\.chain),
            JSONField(\.inside), JSONField(\.beside), JSONField(\.around), JSONField(flatten: \.flat),
            JSONField(extra: \.rest),
        ])

        init(_ text: (String) -> String = { $0 }) {
            func one(_ name: String) -> Counted { Counted(text(name)) }
            mark = one("a")
            lists = [[one("b"), nil], [one("c")]]
            unique = [one("d"), one("e")]
            byKey = [one("k"): one("f"), one("l"): one("g")]
            tables = ["t": ["x": one("h"), "y": one("i")]]
            paired = [one("j"), one("m")]
            knot = Knot(one("n"), Knot(one("o")))
            chain = [Knot(one("1")), Knot(one("2")), Knot(one("3"), Knot(one("4"))), Knot(one("5"))]
            inside = [.part(Part(mark: one("p"), list: [one("q")])), .table(["z": one("r")])]
            beside = [.table(["v": one("s"), "w": one("t")]), .part(Part(mark: one("u")))]
            around = .part(Part(mark: one("v"), list: []))
            flat = .part(Part(mark: one("w")))
            rest = ["other": one("x"), "others": one("y")]
        }
    }

    private func encoders() -> [JSONModelEncoder] {
        [JSONModelEncoder.KeyOrder.declared, .sorted].map { order in
            var encoder = JSONModelEncoder()
            encoder.keyOrder = order
            encoder.register(Renewed())
            return encoder
        }
    }

    /// Calls a closure with a value, and checks that nothing of the value is left.
    private func balanced<Value>(
        _ value: @autoclosure () -> Value, _ body: (Value, _ isBalanced: () -> Bool) throws -> Void
    ) rethrows {
        do {
            let value = value()
            let live = EncodingInstances.instances.live
            try body(value) { EncodingInstances.instances.live == live }
        }
        #expect(EncodingInstances.instances.live == 0)
    }

    @Test func `a failure at any instance releases all copies`() {
        balanced(All()) { all, isBalanced in
            for encoder in encoders() {
                // The two elements of the set on a path are converted once more for their order.
                let conversions = encoder.keyOrder == .sorted ? 30 : 28
                for number in 0..<40 {
                    Renewed.left.withLock { $0 = number }
                    let text = try? encoder.encode(all, as: .string)
                    #expect((text == nil) == (number < conversions))
                    #expect(isBalanced(), "\(number)")
                }
            }
        }
        Renewed.left.withLock { $0 = .max }
    }

    @Test func `a limit of any depth releases all copies`() {
        balanced(All()) { all, isBalanced in
            for var encoder in encoders() {
                for depth in 0..<8 {
                    encoder.limits.depth = depth
                    let text = try? encoder.encode(all, as: .string)
                    #expect((text == nil) == (depth < 5))
                    #expect(isBalanced(), "\(depth)")
                }
            }
        }
    }

    @Test func `an output that fails at any chunk releases all copies`() throws {
        try balanced(All { $0 + String(repeating: "x", count: 30_000) }) { all, isBalanced in
            for encoder in encoders() {
                var count = 0
                try encoder.write(all) { _ in count += 1 }
                #expect(count > 8)
                for number in 0..<count {
                    var left = number
                    #expect(throws: JSONModelError.self) {
                        try encoder.write(all) { _ in
                            left -= 1
                            if left < 0 { throw Refused() }
                        }
                    }
                    #expect(isBalanced(), "\(number)")
                }
            }
        }
    }

    @Test func `an error of a hook releases the storage of a class`() {
        balanced(["a", "refused"].map { Sack(Counted("m"), Checked(other: Counted($0))) }) { sacks, isBalanced in
            #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(sacks) }
            #expect(isBalanced())
        }
    }
}
