import SluiceCore
import TestSupport
import Testing

/// Encoding with the names of properties, and descriptions of models.
@Suite(.tags(.encoding, .errors)) struct PropertyNameTests {
    struct Address: JSONModel {
        let street: String
        static let plan = ModelPlan<Address>(JSONField(\.street, key: "str"))
    }

    enum Shape: JSONEnum {
        case circle(Address)
        case point
        static let plan = ModelPlan<Shape>(
            cases: [
                JSONCase(
                    "circle", keys: ["c"], payload: Address.self, make: { .circle($0) },
                    read: { if case .circle(let address) = $0 { address } else { nil } }), .of("point", .point),
            ], tagging: .internal(tag: "type"))
    }

    struct User: JSONModel, CustomStringConvertible {
        var id = 1
        var login = "ann"
        var city: String?
        var second = 2
        var address = Address(street: "s")
        var shape = Shape.circle(Address(street: "c"))
        var flat = Shape.point
        var secret = "x"
        var snakeName = 3
        var rest: [String: Int] = ["id": 4]

        static let plan = ModelPlan<User>(
            [
                JSONField(\.id, name: "id", key: "user_id", or: "ID"),
                JSONField(\.login, name: "login", key: "owner.login"),
                JSONField(\.city, name: "city", key: "owner.address.city"),
                JSONField(\.second, name: "second", key: "list[1]"), JSONField(flatten: \.address, name: "address"),
                JSONField(\.shape, name: "shape", key: "s"), JSONField(flatten: \.flat, name: "flat"),
                JSONField(\.secret, name: "secret", key: "secret").ignored(.encoding),
                JSONField(\.snakeName, name: "snakeName"), JSONField(extra: \.rest, name: "rest"),
            ], keys: .snakeCase)
    }

    private static let names = JSONModelEncoder.with { $0.writesPropertyNames = true }

    @Test func `properties are written with their names`() throws {
        #expect(
            try Self.names.encode(User(), as: .string)
                == #"{"id":1,"login":"ann","second":2,"address":{"street":"s"},"shape":{"type":"c","street":"c"},"#
                + #""flat":{"type":"point"},"snakeName":3,"rest":{"id":4}}"#)
        var all = Self.names
        all.nullStrategy = .write
        #expect(try all.encode([User()], as: .string).contains(#""login":"ann","city":null"#))
    }

    @Test func `the options of keys apply to the names`() throws {
        var encoder = Self.names
        encoder.keyOrder = .sorted
        encoder.only = ["login", "address.street", "rest"]
        #expect(
            try encoder.encode(User(), as: .string) == #"{"address":{"street":"s"},"login":"ann","rest":{"id":4}}"#)
        encoder.only = ["owner.login"]
        #expect(throws: JSONModelError.self) { try encoder.encode(User()) }
        encoder.only = nil
        encoder.keyStrategy = .snakeCase
        #expect(try encoder.encode(User(), as: .string).contains("snakeName"))
        encoder.writesPropertyNames = false
        #expect(try encoder.encode(User(), as: .string).contains("snake_name"))
    }

    struct Style: JSONModel {
        var width = 1
        static let plan = ModelPlan<Style>(JSONField(\.width, name: "width", key: "w", default: 1))
    }

    struct Written: JSONModel, CustomStringConvertible {
        var id = 1
        var style = Style()
        var rest = ["a": 2]
        static let plan = ModelPlan<Written>(
            JSONField(\.id, name: "id", key: "id"), JSONField(flatten: \.style, name: "style").ignored(.decoding),
            JSONField(extra: \.rest, name: "rest").ignored(.decoding))
    }

    @Test func `flattened models and extra keys that are not decoded are written`() throws {
        #expect(try JSONModelEncoder().encode(Written(), as: .string) == #"{"id":1,"w":1,"a":2}"#)
        #expect(try Self.names.encode(Written(), as: .string) == #"{"id":1,"style":{"width":1},"rest":{"a":2}}"#)
        #expect("\(Written())" == #"Written {"id":1,"style":{"width":1},"rest":{"a":2}}"#)
    }

    class Animal: JSONModel, CustomStringConvertible {
        let name: String
        init(_ name: String) { self.name = name }
        struct Storage { var name: String }
        class var plan: _AnyModelPlan { animalPlan._erased }
    }

    final class Dog: Animal {
        let barks: Bool
        init(_ name: String, barks: Bool) {
            self.barks = barks
            super.init(name)
        }
        struct DogStorage {
            var base: Storage
            var barks: Bool
        }
        override class var plan: _AnyModelPlan { dogPlan._erased }
    }

    @Test func `a model that declares the conformance has a description`() throws {
        #expect("\(User())".hasPrefix(#"User {"id":1,"login":"ann","second":2,"#))
        let animal: Animal = Dog("Rex", barks: true)
        #expect("\(animal)" == #"Dog {"name":"Rex","barks":true}"#)
        #expect("\([Animal("Tom")])" == #"[Animal {"name":"Tom"}]"#)
    }

    @Test func `a model that cannot be encoded has a description with the error`() {
        struct Failing: JSONModel, JSONHooks, CustomStringConvertible {
            var id = Double.nan
            static let plan = ModelPlan<Failing>(JSONField(\.id, key: "id"))
            func willEncode() throws { if id == 1 { throw JSONValidationError() } }
        }
        #expect("\(Failing())" == #"Failing {"id":"nan"}"#)
        #expect("\(Failing(id: 1))".hasPrefix("Failing ("))
        struct Own: JSONModel, CustomStringConvertible {
            var id = 1
            var description: String { "own" }
            static let plan = ModelPlan<Own>(JSONField(\.id, key: "id"))
        }
        #expect("\(Own())" == "own")
    }
}

private let animalPlan = ModelPlan<PropertyNameTests.Animal>(
    storage: PropertyNameTests.Animal.Storage.self, [JSONField(\.name, key: "n")], make: { .init($0.name) },
    read: { .init(name: $0.name) })

private let dogPlan = ModelPlan<PropertyNameTests.Dog>(
    storage: PropertyNameTests.Dog.DogStorage.self, superclass: animalPlan, base: \.base,
    [JSONField(\.barks, key: "b")], make: { .init($0.base.name, barks: $0.barks) },
    read: { .init(base: .init(name: $0.name), barks: $0.barks) })
