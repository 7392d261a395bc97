import SluiceCore
import TestSupport
import Testing

enum CollectedInstances: InstanceGroup { static let instances = InstanceCounter() }

/// Containers whose elements fill several blocks of memory.
@Suite(.serialized) struct CollectedElementsTests {
    typealias Counted = Instance<CollectedInstances>

    struct Row: JSONModel, Equatable {
        var name: Counted
        var numbers: [Int]
        static let plan = ModelPlan<Row>(JSONField(\.name), JSONField(\.numbers))
    }

    /// The first blocks have a few hundred to a few thousand elements, depending on their size.
    static let counts = [1, 2, 100, 255, 256, 257, 511, 512, 513, 2_000, 4_095, 4_096, 4_097, 30_000]

    private func array(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    @Test func `containers of any size have all elements in their order`() throws {
        let decoder = JSONModelDecoder()
        for count in Self.counts {
            let numbers = array(count) { "\($0 * 7)" }
            #expect(try decoder.decode([Int].self, from: numbers) == (0..<count).map { $0 * 7 })
            #expect(try decoder.decode([Double].self, from: numbers) == (0..<count).map { Double($0 * 7) })
            #expect(try decoder.decode(Set<Int32>.self, from: numbers) == Set((0..<count).map { Int32($0 * 7) }))
            #expect(try decoder.decode(JSONValue.self, from: numbers).array?.count == count)
            let strings = array(count) { "\"the string \($0)\"" }
            #expect(try decoder.decode([String].self, from: strings) == (0..<count).map { "the string \($0)" })
            let members = "{" + (0..<count).map { "\"key \($0)\":\($0)" }.joined(separator: ",") + "}"
            let pairs = try decoder.decode([String: Int].self, from: members)
            #expect(pairs.count == count && (0..<count).allSatisfy { pairs["key \($0)"] == $0 })
            let object = try decoder.decode(JSONObject.self, from: members)
            #expect(object.count == count && object.map(\.key) == (0..<count).map { "key \($0)" })
        }
    }

    @Test func `arrays inside the elements of an array use other memory`() throws {
        CollectedInstances.instances.reset()
        for count in Self.counts {
            let rows = array(count) { row in
                "{\"name\":\"row \(row)\",\"numbers\":\(array(row % 97 == 0 ? 3_000 : row % 5) { "\($0 + row)" })}"
            }
            let decoded = try JSONModelDecoder().decode([Row].self, from: rows)
            #expect(decoded.count == count)
            for (row, value) in decoded.enumerated() {
                let numbers = (0..<(row % 97 == 0 ? 3_000 : row % 5)).map { $0 + row }
                if value.name.text != "row \(row)" || value.numbers != numbers { Issue.record("\(count) \(row)") }
            }
        }
        #expect(CollectedInstances.instances.live == 0)
    }

    @Test func `a failed element has its index, and releases the elements before`() throws {
        for count in Self.counts {
            CollectedInstances.instances.reset()
            let strings = array(count) { $0 == count - 1 ? "\"refused\"" : "\"\($0)\"" }
            let nested = "{\"a\":\(strings)}"
            for source in JSONModelDecoder.Source.allCases {
                let decoder = JSONModelDecoder(from: source)
                let error = #expect(throws: JSONModelError.self) {
                    try decoder.decode([String: [Counted]].self, from: nested)
                }
                #expect(error?.issues.first?.path.description == "a[\(count - 1)]")
                #expect(CollectedInstances.instances.live == 0)
            }
        }
    }

    @Test func `dropped elements leave no gap`() throws {
        CollectedInstances.instances.reset()
        struct Lossy: JSONModel {
            var list: [Counted]
            static let plan = ModelPlan<Lossy>(JSONField(\.list).lossy())
        }
        let text = "{\"list\":" + array(5_000) { $0 % 3 == 0 ? "\"refused\"" : "\"\($0)\"" } + "}"
        let decoded = try JSONModelDecoder().decode(Lossy.self, from: text)
        #expect(decoded.list.map(\.text) == (0..<5_000).filter { $0 % 3 != 0 }.map { "\($0)" })
    }
}
