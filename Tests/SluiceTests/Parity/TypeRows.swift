#if Macros
import Foundation
import Sluice
import Testing

// Rows of the list of what JSONModel and MJExtension do: inheritance, polymorphism, laziness, threads, inspection.
struct TypeRows {
    @JSONModel
    class Animal {
        let name: String
        var legs = 4
        init(name: String) { self.name = name }
    }

    @JSONModel
    class Dog: Animal {
        let breed: String
        init(breed: String) {
            self.breed = breed
            super.init(name: "dog")
        }
    }

    @JSONModel
    final class Puppy: Dog {
        var weeks = 1
        @JSONKey("owner.name") var owner: String?
    }

    @JSONModel
    struct Circle: Equatable { let radius: Int }

    @JSONModel
    struct Square: Equatable { let side: Int }

    @JSONModel(tag: "type", fallback: "unknown")
    enum Shape: Equatable {
        case circle(Circle)
        @JSONKey("square", or: "quadrat") case square(Square)
        case unknown(JSONValue)
    }

    @JSONModel
    struct LazyHolder {
        let id: Int
        let big: JSONLazy<[Circle]>
    }

    private let decoder = JSONModelDecoder()

    @Test
    func `row 32: the plan of a subclass begins with its superclass's`() throws {
        let text = #"{"owner":{"name":"o"},"weeks":7,"breed":"b","legs":3,"name":"n"}"#
        for source in JSONModelDecoder.Source.allCases {
            var decoder = decoder
            decoder.source = source
            let puppy = try decoder.decode(Puppy.self, from: text)
            #expect([puppy.name, puppy.breed] == ["n", "b"])
            #expect(puppy.owner == "o")
            #expect(puppy.legs == 3)
            #expect(puppy.weeks == 7)
            let dog = try decoder.decode(Dog.self, from: text)
            #expect(type(of: dog) == Dog.self)
            #expect(try decoder.decode([Animal].self, from: "[\(text)]")[0].name == "n")
            let back = try JSONModelEncoder().encode(puppy, as: .string)
            #expect(back == #"{"name":"n","legs":3,"breed":"b","weeks":7,"owner":{"name":"o"}}"#)
        }
        let error = #expect(throws: JSONModelError.self) { try decoder.decode(Puppy.self, from: "{}") }
        #expect(error?.issues.first?.kind == .missingKeys(["name", "breed"]))
        #expect(Dog(breed: "x").name == "dog")
    }

    @Test
    func `row 33: a tag in any position selects the type`() throws {
        let text = #"[{"type":"circle","radius":1},{"side":2,"type":"quadrat"},{"type":"oval","w":3}]"#
        let shapes = try decoder.decode([Shape].self, from: text)
        let expected: [Shape] = [
            .circle(Circle(radius: 1)), .square(Square(side: 2)), .unknown(["type": "oval", "w": 3]),
        ]
        #expect(shapes == expected)
        #expect(try decoder.decode([Shape].self, from: JSONModelEncoder().encode(shapes)) == expected)
    }

    @Test
    func `row 35: a lazy property is decoded on access`() throws {
        let holder = try decoder.decode(LazyHolder.self, from: #"{"big":[{"radius":1}, {"radius":2}],"id":3}"#)
        #expect(holder.big.raw.description == #"[{"radius":1}, {"radius":2}]"#)
        #expect(try holder.big.value == [Circle(radius: 1), Circle(radius: 2)])
        // What nobody asks for is not decoded, and does no harm.
        let broken = try decoder.decode(LazyHolder.self, from: #"{"big":[{"radius":"x"}],"id":3}"#)
        #expect(broken.id == 3)
        #expect(throws: JSONModelError.self) { try broken.big.value }
    }

    @Test
    func `row 37: threads can share plans and decoders`() async throws {
        let decoder = decoder
        let text = #"[{"type":"circle","radius":1},{"side":2,"type":"square"}]"#
        let expected = try decoder.decode([Shape].self, from: text)
        let results = try await withThrowingTaskGroup(of: [Shape].self) { group in
            for _ in 0..<50 { group.addTask { try decoder.decode([Shape].self, from: text) } }
            return try await group.reduce(into: [[Shape]]()) { $0.append($1) }
        }
        #expect(results == Array(repeating: expected, count: 50))
    }

    @Test
    func `row 39: a model has Swift's own description`() throws {
        let circle = try decoder.decode(Circle.self, from: #"{"radius":1}"#)
        #expect("\(circle)" == "Circle(radius: 1)")
        // Nothing but the properties is stored, in classes too.
        let puppy = try decoder.decode(Puppy.self, from: #"{"name":"n","breed":"b"}"#)
        #expect(Mirror(reflecting: puppy).children.compactMap(\.label) == ["weeks", "owner"])
        var text = ""
        dump(puppy, to: &text)
        #expect(text.contains("- breed: \"b\""))
        #expect(text.contains("- name: \"n\""))
    }
}
#endif
