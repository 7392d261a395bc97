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
}
