import TestSupport
import Testing

@testable import SluiceCore

/// A plan whose fields leave memory out, or fill it twice, is refused at its first use.
@Suite(.tags(.errors)) struct PlanCoverageTests {
    private func defect<T: JSONConvertible>(_ type: T.Type) throws -> String {
        guard case .invalidPlan(let why) = try refusal(T.self, "{}").kind else {
            Issue.record("\(type) is not refused for its plan")
            return ""
        }
        return why
    }

    struct Point: JSONConvertible {
        var x: Int32
        var y: String
        static let jsonShape = JSONShape.scalar(Point.self, expecting: "a point") { _ in
            Point(x: 0, y: "")
        } write: { _ in
            .null
        }
    }

    // MARK: Parts of a property

    struct OnePart: JSONModel {
        var origin: Point
        var name: String
        static let plan = ModelPlan<OnePart>(JSONField(\.origin.x, key: "x"), JSONField(\.name))
    }

    struct LastPart: JSONModel {
        var origin: Point
        static let plan = ModelPlan<LastPart>(JSONField(\.origin.y, key: "y"))
    }

    struct PartOfATuple: JSONModel {
        var pair: (Int, label: String)
        static let plan = ModelPlan<PartOfATuple>(JSONField(\.pair.0, key: "a"))
    }

    struct DeepPart: JSONModel {
        struct Box { var pair: (low: Point, high: Point) }
        var box: Box
        static let plan = ModelPlan<DeepPart>(
            JSONField(\.box.pair.low, key: "low"), JSONField(\.box.pair.high.x, key: "x"))
    }

    struct AllParts: JSONModel, Equatable {
        var origin: Point
        var pair: (Int8, String)
        var last: Bool
        static let plan = ModelPlan<AllParts>(
            JSONField(\.origin.y, key: "y"), JSONField(\.origin.x, key: "x"), JSONField(\.pair.1, key: "b"),
            JSONField(\.pair.0, key: "a"), JSONField(\.last))
        static func == (a: AllParts, b: AllParts) -> Bool {
            a.origin.x == b.origin.x && a.origin.y == b.origin.y && a.pair == b.pair && a.last == b.last
        }
    }

    struct Wrapper: JSONModel, Equatable {
        struct Inner: Equatable { var value: String }
        var inner: Inner
        var nothing: Void = ()
        static let plan = ModelPlan<Wrapper>(JSONField(\.inner.value, key: "value"))
        static func == (a: Wrapper, b: Wrapper) -> Bool { a.inner == b.inner }
    }

    @Test func `a property filled in parts needs a field for each part`() throws {
        #expect(try defect(OnePart.self) == "no field names the stored property 'origin.y'")
        #expect(try defect(LastPart.self) == "no field names the stored property 'origin.x'")
        #expect(try defect(PartOfATuple.self) == "no field names the stored property 'pair.label'")
        #expect(try defect(DeepPart.self) == "no field names the stored property 'box.pair.high.y'")
    }

    @Test func `a property can be filled in parts`() throws {
        let made = try decode(AllParts.self, #"{"x":1,"y":"a long enough string","a":2,"b":"c","last":true}"#)
        #expect(made.origin.x == 1)
        #expect(made.origin.y == "a long enough string")
        #expect(made.pair == (2, "c"))
        #expect(made.last)
        #expect(try decode(Wrapper.self, #"{"value":"v"}"#).inner.value == "v")
    }

    // MARK: Memory of two fields

    struct Twice: JSONModel {
        var a: String
        var b: Int
        static let plan = ModelPlan<Twice>(JSONField(\.a), JSONField(\.b), JSONField(\.a, key: "c"))
    }

    struct WholeAndPart: JSONModel {
        var origin: Point
        static let plan = ModelPlan<WholeAndPart>(JSONField(\.origin), JSONField(\.origin.y, key: "y"))
    }

    struct TwoNames: JSONModel {
        var a: String
        static let plan = ModelPlan<TwoNames>(JSONField(\.a), JSONField(\.a, name: "b", key: "b"))
    }

    struct Itself: JSONModel {
        var a: Int
        static let plan = ModelPlan<Itself>(JSONField(\.self, key: "a"))
    }

    @Test func `two fields cannot fill the same memory`() throws {
        #expect(try defect(Twice.self) == "two fields fill 'a'")
        #expect(try defect(WholeAndPart.self) == "'origin' and 'y' fill the same memory")
        #expect(try defect(TwoNames.self) == "'a' and 'b' fill the same memory")
        #expect(try defect(Itself.self) == "a field names Itself itself, and none of its properties")
    }

    // MARK: Storage

    final class Stored: JSONModel, Sendable {
        struct Storage {
            var a: String
            var b: Point
        }
        static let plan = ModelPlan<Stored>(
            storage: Storage.self, [JSONField(\.a), JSONField(\.b.x, key: "x")], make: { _ in Stored() })
    }

    class Animal: JSONModel, @unchecked Sendable {
        struct Storage {
            var name: String
            var legs: Int
        }
        class var plan: _AnyModelPlan { animalPlan._erased }
    }
    private static let animalPlan = ModelPlan<Animal>(
        storage: Animal.Storage.self, [JSONField(\.name), JSONField(\.legs)], make: { _ in Animal() })

    final class Dog: Animal, @unchecked Sendable {
        struct Storage2 {
            var base: Animal.Storage
            var barks: Bool
        }
        override class var plan: _AnyModelPlan { dogPlan._erased }
    }
    private static let dogPlan = ModelPlan<Dog>(
        storage: Dog.Storage2.self, superclass: Animal.plan, base: \.base,
        [JSONField(\.barks), JSONField(\.base.name, key: "other")], make: { _ in Dog() })

    final class Cat: Animal, @unchecked Sendable {
        /// The memory of `Animal.Storage`, with an integer that would become a reference.
        struct Base { var words: (Int, Int, Int) }
        struct Storage2 { var base: Base }
        override class var plan: _AnyModelPlan { catPlan._erased }
    }
    private static let catPlan = ModelPlan<Cat>(
        storage: Cat.Storage2.self, superclass: Animal.plan, base: \.base, [], make: { _ in Cat() })

    struct Outer: JSONModel {
        var inner: OnePart
        static let plan = ModelPlan<Outer>(JSONField(flatten: \.inner))
    }

    struct FlattenedTwice: JSONModel {
        struct Inner: JSONModel {
            var a: String
            static let plan = ModelPlan<Inner>(JSONField(\.a))
        }
        var inner: Inner
        static let plan = ModelPlan<FlattenedTwice>(JSONField(flatten: \.inner), JSONField(\.inner.a, key: "b"))
    }

    struct OfAnother: JSONModel {
        struct Inner: JSONModel {
            var a: Int
            static let plan = ModelPlan<Point2>(JSONField(\.x), JSONField(\.y))
        }
        struct Point2 {
            var x: String
            var y: String
        }
        var inner: Inner
        static let plan = ModelPlan<OfAnother>(JSONField(flatten: \.inner))
    }

    @Test func `the storage of a class is checked for coverage`() throws {
        #expect(try defect(Stored.self) == "no field names the stored property 'b.y'")
        #expect(try defect(Dog.self) == "'base' and 'name' fill the same memory")
        #expect(try defect(Cat.self) == "Base is not the storage that Animal is filled through")
    }

    @Test func `flattened models are checked for coverage`() throws {
        #expect(try defect(Outer.self) == "OnePart: no field names the stored property 'origin.y'")
        #expect(try defect(FlattenedTwice.self) == "'inner' and 'a' fill the same memory")
        #expect(try defect(OfAnother.self) == "'inner' is flattened, and the plan of its type is of another type")
    }

    // MARK: Other kinds of types

    enum Direction: JSONModel {
        case up, down
        static let plan = ModelPlan<Direction>([])
    }

    enum NoCases: JSONEnum {
        case one
        static let plan = ModelPlan<NoCases>([])
    }

    enum NoUnion: JSONModel {
        case one, two
        static let plan = ModelPlan<NoUnion>(cases: [.of("one", .one)])
    }

    @Test func `only structs are filled in place`() throws {
        #expect(
            try defect(Direction.self) == "Direction is not a struct; use a storage: ModelPlan(storage:_:make:)")
        #expect(try defect(NoCases.self) == "it is a JSONEnum whose plan has no cases")
        #expect(try defect(NoUnion.self) == "its plan has cases: make it a JSONEnum")
    }

    // MARK: Properties without memory of their own

    struct WithClosure: JSONModel, @unchecked Sendable {
        var a: Int
        var callback: () -> Void
        static let plan = ModelPlan<WithClosure>(JSONField(\.a), JSONField(ignoring: \.callback, default: {}))
    }

    struct WithWeak: JSONModel, @unchecked Sendable {
        weak var owner: Stored?
        var a: Int
        static let plan = ModelPlan<WithWeak>(JSONField(\.a), JSONField(ignoring: \.owner, default: nil))
    }

    struct WithUnowned: JSONModel, @unchecked Sendable {
        unowned let owner: Stored
        var a: Int
        static let plan = ModelPlan<WithUnowned>(JSONField(\.a), JSONField(ignoring: \.owner, default: Stored()))
    }

    struct WithObserver: JSONModel {
        var a: Int
        var count: Int { didSet {} }
        static let plan = ModelPlan<WithObserver>(JSONField(\.a), JSONField(\.count, key: "number"))
    }

    struct WithComputed: JSONModel {
        var a: Int
        var b: Int
        var twice: Int { a * 2 }
        static let plan = ModelPlan<WithComputed>(JSONField(\.a), JSONField(\.twice, key: "double"))
    }

    struct WithLazy: JSONModel {
        var a: Int
        lazy var b: Int = 1
        static let plan = ModelPlan<WithLazy>(JSONField(\.a))
    }

    @Test func `a defect names closures and weak, unowned and observed properties`() throws {
        let why =
            " has no memory of its own (it is computed, lazy, observed, weak, unowned, a closure or of a class)"
        #expect(try defect(WithClosure.self) == "'callback'" + why)
        #expect(try defect(WithWeak.self) == "'owner'" + why)
        #expect(try defect(WithUnowned.self) == "'owner'" + why)
        #expect(try defect(WithObserver.self) == "'count'" + why)
        #expect(try defect(WithComputed.self) == "'double'" + why)
        #expect(try defect(WithLazy.self) == "no field names the stored property 'b'")
    }

    // MARK: Shapes of other types

    struct Borrowed: JSONConvertible {
        var a: Int8
        static var jsonShape: JSONShape { String.jsonShape }
    }

    struct StringWrapper: JSONConvertible, Equatable {
        var value: String
        static var jsonShape: JSONShape { .of(String.self) }
    }

    @Test func `a wrapper may use the shape of its only property`() throws {
        let value = try JSONModelDecoder().decode([StringWrapper].self, from: #"["a","a long text of many bytes"]"#)
        #expect(value == [StringWrapper(value: "a"), StringWrapper(value: "a long text of many bytes")])
    }

    struct BorrowedElements: JSONConvertible {
        var list: [Int8]
        static var jsonShape: JSONShape {
            .sequence(BorrowedElements.self, elementShape: JSONShape.of(String.self)) {
                (elements: CollectedElements<Int8>) in
                BorrowedElements(list: Array(taking: elements))
            } elements: {
                ElementBuffer(copying: $0.assumingMemoryBound(to: BorrowedElements.self).pointee.list) { $0 }
            }
        }
    }

    struct Holder: JSONModel {
        var borrowed: Borrowed?
        static let plan = ModelPlan<Holder>(JSONField(\.borrowed))
    }

    @Test func `a shape of another type is refused`() throws {
        #expect(try defect(Borrowed.self) == "its jsonShape is that of String")
        #expect(try defect([Borrowed].self) == "its jsonShape is that of String")
        #expect(try defect(Holder.self) == "its jsonShape is that of String")
        #expect(try defect(BorrowedElements.self) == "the shape of its elements is that of String")
    }
}
