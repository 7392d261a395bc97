import Testing

@testable import SluiceCore

struct IdentityTableTests {
    private final class Object {}

    @Test func `a table has the first value of each key`() throws {
        let objects = (0..<300).map { _ in Object() }
        let filters: [PathFilter?] = [
            nil, PathFilter(only: ["a"], except: []), PathFilter(only: nil, except: ["b"]),
        ]
        for count in [0, 1, 7, 8, 9, 33, 300] {
            var table = IdentityTable<Int>()
            for (index, object) in objects.prefix(count).enumerated() {
                for (number, filter) in filters.enumerated() {
                    let key = PlanCache.Key(object, filter)
                    #expect(table[key] == nil)
                    table[key] = index * 3 + number
                    table[key] = -1
                }
            }
            #expect(table.values == Array(0..<count * 3))
            #expect(table.keys.count == count * 3)
            for (index, object) in objects.enumerated() {
                for (number, filter) in filters.enumerated() {
                    #expect(table[PlanCache.Key(object, filter)] == (index < count ? index * 3 + number : nil))
                }
            }
        }
    }
}
