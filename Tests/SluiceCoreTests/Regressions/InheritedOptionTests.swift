import SluiceCore
import Testing

@Suite("The options of plans with superclasses")
struct InheritedOptionTests {
    class Base: JSONModel {
        struct Storage { var name: String }
        let name: String
        init(_ storage: consuming Storage) { name = storage.name }
        class var plan: _AnyModelPlan { basePlan._erased }
        static let basePlan = ModelPlan<Base>(
            storage: Storage.self, [JSONField(\.name, key: "name")], unknownKeys: .reject, make: { Base($0) })
    }

    final class Silent: Base {
        struct Parts { var base: Base.Storage }
        init(_ parts: consuming Parts) { super.init(parts.base) }
        override class var plan: _AnyModelPlan { silentPlan._erased }
        static let silentPlan = ModelPlan<Silent>(
            storage: Parts.self, superclass: Base.basePlan, base: \.base, [], make: { Silent($0) })
    }

    final class Tolerant: Base {
        struct Parts { var base: Base.Storage }
        init(_ parts: consuming Parts) { super.init(parts.base) }
        override class var plan: _AnyModelPlan { tolerantPlan._erased }
        static let tolerantPlan = ModelPlan<Tolerant>(
            storage: Parts.self, superclass: Base.basePlan, base: \.base, [], unknownKeys: .ignore,
            make: { Tolerant($0) })
    }

    @Test func `a subclass inherits the option for unknown keys`() throws {
        let decoder = JSONModelDecoder()
        let text = #"{"name":"a","other":1}"#
        let base = #expect(throws: JSONModelError.self) { try decoder.decode(Base.self, from: text) }
        let silent = #expect(throws: JSONModelError.self) { try decoder.decode(Silent.self, from: text) }
        #expect(silent?.issues.map(\.kind) == base?.issues.map(\.kind))
        #expect(try decoder.decode(Silent.self, from: #"{"name":"a"}"#).name == "a")
        #expect(try decoder.decode(Tolerant.self, from: text).name == "a")
    }
}
