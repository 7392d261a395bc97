#if Macros
import Sluice
import TestSupport
import Testing

@propertyWrapper
struct Stored<Value: Sendable>: Sendable {
    var wrappedValue: Value
}

/// Has no value of its own, like `Environment` of SwiftUI.
@propertyWrapper
struct Constant {
    var wrappedValue: Int
    init(_ value: Int) { wrappedValue = value }
}

/// Counts its reads. The getter is mutating, and there is no setter.
@propertyWrapper
struct Counting {
    private var count: Int
    init(wrappedValue: Int) { count = wrappedValue }
    var wrappedValue: Int {
        mutating get {
            count += 1
            return count
        }
    }
}

@JSONModel
struct Wrapped {
    let id: Int
    @Clamped var level: Int
    @Clamped @JSONKey("max_level") var limit = 8
    @Stored var names: [String]?
    @JSONIgnore @Constant(7) var constant
}

@JSONModel
class WrappedRoot {
    @Clamped var level: Int
}

@JSONModel
final class WrappedLeaf: WrappedRoot {
    @Stored var name = "n"
    lazy var upper = name.uppercased()
    weak var owner: WrappedRoot?
}

@JSONModel(.partial)
struct WrappedForm {
    @Clamped var level: Int
    var count: Int { didSet {} }
}

@Suite("Properties with wrappers, and lazy and weak properties")
struct WrappedPropertyTests {
    @Test func `the wrapped value is decoded and encoded`() throws {
        let model = try decode(Wrapped.self, #"{"id":1,"level":20,"max_level":9,"names":["a"]}"#)
        #expect(model.level == 10 && model.limit == 9 && model.names == ["a"] && model.constant == 7)
        #expect(try encode(model) == #"{"id":1,"level":10,"max_level":9,"names":["a"]}"#)
        let least = try decode(Wrapped.self, #"{"id":1,"level":2}"#)
        #expect(least.level == 2 && least.limit == 8 && least.names == nil)
    }

    @Test func `classes have wrapped, lazy and weak properties`() throws {
        let model = try decode(WrappedLeaf.self, #"{"level":20,"name":"a","upper":"b","owner":{"level":1}}"#)
        #expect(model.level == 10 && model.name == "a" && model.upper == "A" && model.owner == nil)
        #expect(try encode(model) == #"{"level":10,"name":"a"}"#)
    }

    @Test func `the partial type has the wrapped value`() throws {
        let form = try JSONModelDecoder().decode(WrappedForm.Partial.self, from: #"{"level":20}"#)
        #expect(form.level == 20 && form.count == nil)
    }
}
#endif
