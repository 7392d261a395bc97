import TestSupport
import Testing

@testable import SluiceCore

struct PlanCacheTests {
    private struct Tenfold: JSONTransform {
        func decode(_ json: Int) -> Int { json * 10 }
        func encode(_ value: Int) -> Int { value / 10 }
    }

    @Test func `the layout of an optional of a replaced type is made once`() throws {
        let cache = JSONModelDecoder.with { $0.register(Tenfold()) }.planCache
        let layout = try cache.layout(for: .of(Int?.self))
        #expect(layout.shape !== JSONShape.of(Int?.self))
        #expect(try cache.layout(for: .of(Int?.self)) == layout)
        #expect(try cache.layout(for: .of([Int?].self)).element == layout)
    }

    private final class Class<Content: JSONConvertible>: JSONModel {
        struct Storage {
            var first: Int8
            var content: Content
        }
        init(_ storage: Storage) {}
        static var plan: ModelPlan<Class> {
            .shared {
                ModelPlan(
                    storage: Storage.self, [JSONField(\.first), JSONField(\.content)], make: { Class($0) })
            }
        }
    }

    @Test func `the memory of a class has the size and alignment of the storage`() throws {
        func check<Content: JSONConvertible>(_: Content.Type) throws {
            let table = try PlanCache.standard.layout(for: .of(Class<Content>.self)).keyTable
            #expect(table.size == MemoryLayout<Class<Content>.Storage>.size)
            #expect(table.alignmentMask + 1 == MemoryLayout<Class<Content>.Storage>.alignment)
        }
        try check(Int8.self)
        try check(Int16.self)
        try check(Double.self)
        try check(String?.self)
    }
}
