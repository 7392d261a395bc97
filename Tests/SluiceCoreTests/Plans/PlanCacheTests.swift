import Synchronization
import TestSupport
import Testing

@testable import SluiceCore

struct PlanCacheTests {
    private struct Tenfold: JSONTransform {
        func decode(_ json: Int) -> Int { json * 10 }
        func encode(_ value: Int) -> Int { value / 10 }
    }

    private struct Scaled: JSONTransform, Hashable {
        let factor: Int
        func decode(_ json: Int) -> Int { json * factor }
        func encode(_ value: Int) -> Int { value / factor }
    }

    /// A transform that cannot be compared.
    private struct Opaque: JSONTransform {
        let scaled: Scaled
        func decode(_ json: Int) -> Int { scaled.decode(json) }
        func encode(_ value: Int) -> Int { scaled.encode(value) }
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
                ModelPlan(storage: Storage.self, [JSONField(\.first), JSONField(\.content)], make: { Class($0) })
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

    @Test func `the keys of any value of a recursive enum are those of its cases`() throws {
        let plan = try #require(PlanCache.standard.layout(for: .of(DeepChain.self)).table?.plan)
        #expect(MemberNames(of: plan).names.map(\.text).sorted() == ["id", "type"])
    }

    @Test func `decoders and encoders with equal options share their plans`() throws {
        func decoder(_ change: (inout JSONModelDecoder) -> Void) -> PlanCache {
            JSONModelDecoder.with(change).planCache
        }
        func encoder(_ change: (inout JSONModelEncoder) -> Void) -> PlanCache {
            JSONModelEncoder.with(change).planCache
        }
        #expect(decoder { $0.keyStrategy = .snakeCase } === decoder { $0.keyStrategy = .snakeCase })
        #expect(decoder { $0.keyStrategy = .snakeCase } !== decoder { $0.keyStrategy = .kebabCase })
        #expect(decoder { $0.keyStrategy = .snakeCase } !== encoder { $0.keyStrategy = .snakeCase })
        #expect(encoder { $0.only = ["a", "b"] } === encoder { $0.only = ["a", "b"] })
        #expect(encoder { $0.only = ["a", "b"] } !== encoder { $0.except = ["a", "b"] })
        #expect(encoder { $0.writesPropertyNames = true } === encoder { $0.writesPropertyNames = true })
        #expect(
            decoder { ($0.unknownKeys, $0.keyStrategy) = (.report, .upperCase) }
                === decoder { ($0.keyStrategy, $0.unknownKeys) = (.upperCase, .report) })
        #expect(decoder { $0.register(Tenfold()) } === decoder { $0.register(Tenfold()) })
        #expect(decoder { $0.register(Tenfold()) } !== decoder { _ in })
        #expect(decoder { $0.register(Scaled(factor: 2)) } === decoder { $0.register(Scaled(factor: 2)) })
        #expect(decoder { $0.register(Scaled(factor: 2)) } !== decoder { $0.register(Scaled(factor: 3)) })
        let opaque = Opaque(scaled: Scaled(factor: 2))
        #expect(decoder { $0.register(opaque) } !== decoder { $0.register(opaque) })
        let rule = JSONKeyStrategy.custom { $0 + "!" }
        #expect(decoder { $0.keyStrategy = rule } === decoder { $0.keyStrategy = rule })
        #expect(decoder { $0.keyStrategy = rule } !== decoder { $0.keyStrategy = .custom { $0 + "!" } })
        #expect(decoder { $0.keyStrategy = .asDeclared } === PlanCache.standard)
        #expect(decoder { $0.only = ["a"] }.unfiltered() === PlanCache.standard)
    }

    @Test func `a decoder that is configured for each call resolves its plans once`() throws {
        struct Small: JSONModel {
            let firstName: String
            static let plan = ModelPlan<Small>(JSONField(\.firstName))
        }
        let calls = Atomic(0)
        let rule = JSONKeyStrategy.custom {
            calls.add(1, ordering: .relaxed)
            return $0.uppercased()
        }
        for index in 0..<1_000 {
            let decoder = JSONModelDecoder.with { $0.keyStrategy = rule }
            #expect(try decoder.decode(Small.self, from: #"{"FIRSTNAME":"\#(index)"}"#).firstName == "\(index)")
        }
        // Other tests may use many configurations at the same time.
        #expect(calls.load(ordering: .relaxed) < 100)
    }

    @Test func `the plans of configurations that are no longer used are released`() {
        weak var first: PlanCache?
        for index in 0..<100 {
            let cache = JSONModelDecoder.with { $0.only = [JSONPath([.key("a\(index)")])] }.planCache
            if index == 0 { first = cache }
        }
        #expect(first == nil)
    }

    @Test func `no type of Swift has a greater alignment than the memory of values`() {
        #expect(MemoryLayout<SIMD64<Double>>.alignment <= TypeLayout.maximumAlignmentMask + 1)
    }
}
