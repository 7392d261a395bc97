#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

@Suite("Classes with subclasses that the macro expanded, filled by the core")
struct RealFamilyTests {
    @Test func `superclasses decode`() throws {
        let animal = try decode(Animal.self, #"{"name":"a","legs":2}"#)
        #expect(animal.name == "a" && animal.legs == 2)
        #expect(type(of: animal) == Animal.self)
        #expect(Animal(name: "b").legs == 4)
        let vehicle = try decode(Vehicle.self, "{}")
        #expect(vehicle.wheels == 2 && vehicle.isPlain)
        #expect(try decode(Plain.self, #"{"x":3}"#).description == "3 1")
    }

    @Test func `a superclass without a plan must be ignored explicitly`() throws {
        let error = #expect(throws: JSONModelError.self) { try decode(Losing.self, #"{"x":3}"#) }
        #expect(
            error?.description.contains(
                "its superclass PlainBase is not a model, so 'base' would be lost; add @JSONModel to the superclass, or write "
                    + "'@JSONModel(superclass: .ignored)'") == true, "\(error as Any)")
        #expect(throws: JSONModelError.self) {
            let losing = Losing(x: 3)
            return try JSONModelEncoder().encode(losing, as: .string)
        }
        #expect(try decode(Harmless.self, #"{"x":3}"#).description == "3")
    }

    @Test func `the archive of a class has the properties of the object's class`() throws {
        let folder = try decode(SharedFolder.self, #"{"name":"a","files":[1],"shared_with":"b"}"#)
        let archives: [Archive] = [
            folder, Folder(name: "c"), try decode(EmptyFolder.self, #"{"name":"d","files":[2]}"#),
        ]
        let encoder = Foundation.JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(decoding: try encoder.encode(archives), as: UTF8.self)
        #expect(
            text == #"[{"files":[1],"name":"a","shared_with":"b","tags":["shared"]},"#
                + #"{"files":[0],"name":"c","tags":[]},{"files":[2],"name":"d","tags":[]}]"#)
        let decoder = Foundation.JSONDecoder()
        #expect(try decoder.decode([Archive].self, from: Data(text.utf8)).map(\.name) == ["a", "c", "d"])
        #expect(try decoder.decode([Folder].self, from: Data(text.utf8)).map(\.files) == [[1], [0], [2]])
        let single = Data(#"{"name":"a","files":[1],"shared_with":"b"}"#.utf8)
        let shared = try decoder.decode(SharedFolder.self, from: single)
        #expect(type(of: shared) == SharedFolder.self)
        #expect(shared.files == [1] && shared.sharedWith == "b" && shared.tags == ["shared"])
        #expect(try decoder.decode(EmptyFolder.self, from: single).files == [1])
        #expect(throws: JSONModelError.self) { try decoder.decode(Folder.self, from: Data(#"{"name":"a"}"#.utf8)) }
    }

    @Test func `the options of a subclass are those of its own properties`() throws {
        let tiger = try decode(Tiger.self, #"{"name":"a","legs":2,"stripe-count":"3"}"#)
        #expect(tiger.legs == 2 && tiger.stripeCount == 3)
        #expect(try refusal(Tiger.self, #"{"name":"a","legs":"2","stripe-count":3}"#).path == "legs")
    }

    /// An initializer of ours would take `init(name:)` away.
    @Test func `a subclass inherits initializers`() throws {
        let pet = try decode(Pet.self, #"{"name":"a","owner":"b","tricks":["c"],"legs":3}"#)
        #expect(pet.name == "a" && pet.owner == "b" && pet.tricks == ["c"] && pet.legs == 3)
        #expect(Pet(name: "d").tricks.isEmpty)
    }

    @Test func `a subclass of a class with inherited initializers decodes`() throws {
        let dog = try decode(Dog.self, #"{"name":"a","owner":"b","tricks":["c"],"barks":true,"legs":3}"#)
        #expect(dog.name == "a" && dog.owner == "b" && dog.tricks == ["c"] && dog.barks && dog.legs == 3)
        let cat = try decode(Cat.self, #"{"name":"a","tricks":["c"],"favourite_food":"mice"}"#)
        #expect(cat.name == "a" && cat.tricks == ["c"] && cat.favouriteFood == "mice")
        #expect(Cat(name: "d").favouriteFood == "fish")
    }

    @Test func `a subclass may have its own initializer`() throws {
        let car = try decode(Car.self, #"{"doors":3,"wheels":5}"#)
        #expect(car.doors == 3 && car.wheels == 5)
        #expect(Car(doors: 2).wheels == 4)
    }

    @Test func `a superclass may be in another file`() throws {
        let parrot = try decode(Parrot.self, #"{"name":"a","words":["b"]}"#)
        #expect(parrot.name == "a" && parrot.words == ["b"])
        let kestrel = try decode(Kestrel.self, #"{"name":"a","owner":"o","bell":true}"#)
        #expect(kestrel.name == "a" && kestrel.owner == "o" && kestrel.bell == true)
        #expect(Kestrel(name: "k").bell == nil)
    }

    @Test func `generic superclasses decode`() throws {
        let numbers = try decode(Numbers.self, #"{"items":[1,2],"sum":3}"#)
        #expect(numbers.items == [1, 2] && numbers.sum == 3)
        let named = try decode(Named<String>.self, #"{"items":["a"],"name":"b"}"#)
        #expect(named.items == ["a"] && named.name == "b")
        #expect(try decode(Container<Bool>.self, #"{"items":[true]}"#).items == [true])
    }

    @Test @MainActor func `a class on the main actor decodes on the main actor`() async throws {
        let screen = try decode(SubScreen.self, #"{"title":"a","id":1,"depth":2}"#)
        #expect(screen.title == "a" && screen.id == 1 && screen.depth == 2)
    }

    /// What is decoded may be of the main actor; decoding need not.
    @Test func `a class on the main actor decodes outside of the main actor`() async throws {
        let screen = try decode(SubScreen.self, #"{"title":"a","id":1,"depth":2}"#)
        #expect(screen.id == 1)
    }

    @Test func `missing keys of a superclass or subclass are errors`() throws {
        #expect(throws: JSONModelError.self) { try decode(Dog.self, #"{"barks":true}"#) }
        #expect(throws: JSONModelError.self) { try decode(Dog.self, #"{"name":"a"}"#) }
        #expect(throws: JSONModelError.self) { try decode(Pet.self, "{}") }
    }
}
#endif
