import SluiceCore
import SluiceSchemas
import TestSupport
import Testing

@Suite("The options of plans with superclasses", .tags(.classes)) struct InheritedOptionTests {
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

    class Root: JSONModel {
        struct Storage { var rootName: Int }
        let rootName: Int
        init(_ storage: consuming Storage) { rootName = storage.rootName }
        class var plan: _AnyModelPlan { rootPlan._erased }
        static let rootPlan = ModelPlan<Root>(
            storage: Storage.self, [JSONField(\.rootName)], make: { Root($0) },
            read: { Storage(rootName: $0.rootName) })
    }

    class Middle: Root {
        struct Parts { var base: Root.Storage, middleName: Int }
        let middleName: Int
        init(_ parts: consuming Parts) {
            middleName = parts.middleName
            super.init(parts.base)
        }
        override class var plan: _AnyModelPlan { middlePlan._erased }
        static let middlePlan = ModelPlan<Middle>(
            storage: Parts.self, superclass: Root.rootPlan, base: \.base, [JSONField(\.middleName)],
            keys: .snakeCase, coercion: .lenient, make: { Middle($0) },
            read: { Parts(base: Root.Storage(rootName: $0.rootName), middleName: $0.middleName) })
    }

    final class Leaf: Middle {
        struct Own { var base: Middle.Parts, leafName: Int }
        let leafName: Int
        init(_ own: consuming Own) {
            leafName = own.leafName
            super.init(own.base)
        }
        override class var plan: _AnyModelPlan { leafPlan._erased }
        static let leafPlan = ModelPlan<Leaf>(
            storage: Own.self, superclass: Middle.middlePlan, base: \.base, [JSONField(\.leafName)],
            keys: .kebabCase, coercion: .strict, make: { Leaf($0) },
            read: {
                let root = Root.Storage(rootName: $0.rootName)
                return Own(base: Middle.Parts(base: root, middleName: $0.middleName), leafName: $0.leafName)
            })
    }

    @Test func `a property has the options of the class that declares the property`() throws {
        let leaf = try decode(Leaf.self, #"{"rootName":1,"middle_name":"2","leaf-name":3}"#)
        #expect((leaf.rootName, leaf.middleName, leaf.leafName) == (1, 2, 3))
        #expect(try encode(leaf) == #"{"rootName":1,"middle_name":2,"leaf-name":3}"#)
        #expect(try refusal(Leaf.self, #"{"rootName":"1","middle_name":2,"leaf-name":3}"#).path == "rootName")
        #expect(try refusal(Leaf.self, #"{"rootName":1,"middle_name":2,"leaf-name":"3"}"#).path == "leaf-name")
        // The decoder's options are those of a class without options.
        let decoder = JSONModelDecoder.with { ($0.keyStrategy, $0.coercion) = (.upperCase, .lenient) }
        let other = try decode(Leaf.self, #"{"ROOTNAME":"1","middle_name":"2","leaf-name":3}"#, with: decoder)
        #expect((other.rootName, other.middleName, other.leafName) == (1, 2, 3))
        let schema = try Leaf.jsonSchema()
        #expect(schema["properties"]?.object?.keys.sorted() == ["leaf-name", "middle_name", "rootName"])
        #expect(schema["properties"]?["rootName"]?["type"] == "integer")
    }
}
