#if Macros
import Foundation
import Observation
internal import Sluice
import Testing

// The target is isolated to the main actor by default (`-default-isolation MainActor`), as new app targets are. Nothing here
// states an isolation unless the isolation is the subject.

var counter = 0

func nextID() -> Int {
    counter += 1
    return counter
}

/// A type with its own shape, and a transform.
struct Celsius: JSONConvertible {
    var degrees: Double
    static var jsonShape: JSONShape {
        .scalar(
            Celsius.self, expecting: "a temperature", read: { Celsius(degrees: $0.double ?? 0) },
            write: { .number(JSONNumber(Int($0.degrees))) })
    }
}

struct Doubled: JSONTransform {
    func decode(_ json: Int) -> Int { 2 * json }
    func encode(_ value: Int) -> Int { value / 2 }
}

struct Failure: Error {}

@JSONModel
struct Reading {
    var id = nextID()
    @JSONDefault(nextID()) let number: Int
    var celsius: Celsius
    var outside = Celsius(degrees: 20)
    var list: [Int] = []
    var limits: [String: Int] = ["low": -1]
    @JSONTransform(Doubled()) var doubled: Int?
    var kind: Kind = .plain
    static let initialKind = Kind.plain
    @JSONIgnore var cache = nextID()
}

enum Kind: String { case plain, fancy }

enum Bounds { static let size = 50 }

/// The defaults are constants of the main actor.
@JSONModel
struct Query {
    var size = Bounds.size
    var pages: Int = Bounds.size
    @JSONDefault(Bounds.size) let most: Int
    @JSONIgnore var last: Int = Bounds.size
}

@JSONModel
struct Hooked {
    var name: String
    var validated: Int { counter }

    mutating func didDecode() { name += "!" }
    func validate() throws {
        counter += 1
        if name == "bad!" { throw Failure() }
    }
    func willEncode() { counter += 1 }
    static func transform(_ value: JSONValue?, for property: String) -> JSONValue? {
        counter += 1
        return value?.string == "old" ? "new" : value
    }
}

@JSONModel(tag: "type")
enum Shape {
    case circle(radius: Double)
    case none
    func validate() -> Bool {
        counter += 1
        return true
    }
}

@JSONModel
class Entity {
    var id: Int = nextID()
    func validate() throws { if id < 0 { throw Failure() } }
}

@JSONModel
final class User: Entity {
    var name = "none"
    func didDecode() { name += "!" }
}

@JSONModel
struct Page<Item: JSONConvertible> {
    var items: [Item]
    var size: Int = nextID()
    func validate() -> Bool { items.count <= size }
}

extension Kind {
    @JSONModel
    struct Nested {
        var id: Int = nextID()
        func validate() throws {}
    }
}

@JSONModel
final class Caching {
    var id: Int = nextID()
    @JSONIgnore var cache = nextID()
}

/// Can be decoded by any thread, unless the part is present or missing.
@JSONModel
struct Outer {
    var hooked: Hooked?
    var entity: Entity?
}

@JSONModel
struct Plain {
    var kind: Kind = .plain
    var list: [Outer] = []
    var text = ""
}

/// Has no isolation, and can be decoded by any thread.
@JSONModel
nonisolated struct Free {
    var name: String
    func validate() throws { if name.isEmpty { throw Failure() } }
}

@JSONModel
struct PartlyFree {
    var name: String
    nonisolated func validate() throws { if name.isEmpty { throw Failure() } }
}

@JSONModel(.codable)
class Archived {
    var id: Int = nextID()
}

@JSONModel
final class ArchivedUser: Archived {
    var names: [String] = []
}

@JSONModel(.codable)
final class ArchivedPage {
    var number = 1
}

@JSONModel(.codable)
struct ArchivedNote {
    var text: String
    @JSONIgnore var kind: Kind = .plain
}

/// An initializer of an extension cannot assign `self` of such a struct.
@JSONModel(.codable)
struct ArchivedConstant {
    @JSONIgnore let kind = "user"
    let id: Int
    var names: [String] = []
}

@JSONModel(.codable)
struct ArchivedEntry {
    var id: Int = nextID()
    mutating func didDecode() { id += 1 }
}

nonisolated protocol Sized {}

/// The protocol may be a superclass, which could be on an actor.
@JSONModel(.codable)
nonisolated final class Parcel: Sized {
    var size: Int
}

/// Is made from a storage, by any thread.
@JSONModel
struct Knob {
    let name: String
    var level = 1 { didSet {} }
    @JSONIgnore var kind: Kind = .plain
}

@propertyWrapper
struct Capped {
    private var value: Int
    init(wrappedValue: Int) { value = min(wrappedValue, 10) }
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, 10) }
    }
}

@JSONModel
final class Gauge {
    @Capped var level: Int
    @Capped var limit = 8
}

@JSONModel
struct Dial {
    @Capped var level: Int
}

/// Is not Sendable.
@JSONModel
nonisolated final class Box {
    var value = 1
}

@JSONModel
final class Holder {
    var box: Box
    var kind: Kind = .plain
}

@JSONModel
struct Lens {
    var box: Box { didSet {} }
}

@Observable @JSONModel
final class Clicks {
    let id: Int
    var count = 0
    var box: Box?
}

/// The initial value of the first property is evaluated with that of the second.
@JSONModel
final class Cell {
    var id: Int = nextID()
    @JSONIgnore var kind: Kind = .plain
}

/// Is made again by a merge.
@JSONModel
final class Tab {
    let title: String
    @JSONIgnore var isOpen = false
    @JSONIgnore var owner: Clicks?
    @JSONIgnore @Capped var level = 1
}

/// Can be made by any thread, which has no access to an old object.
@JSONModel
final class Visit {
    let page: Int
    var id = nextID()
    @JSONIgnore var isOpen = false
}

@JSONModel
struct Grid {
    var cell: Cell?
    var tile: Tile?
}

/// Has no JSON, and an initializer on the main actor.
class Surface {
    init() {}
}

@JSONModel(superclass: .ignored)
final class Tile: Surface {
    var size: Int
}

@JSONModel(.partial)
struct Part {
    var text: String
    var hooked: Hooked?
}

/// The types of the properties have conformances of the main actor.
@JSONModel(.partial)
struct Sheet {
    var title: String
    var hooked: Hooked
    var parts: [Part]
    var made = Celsius(degrees: 20)
    @JSONPartial(.required) var query: Query
    @JSONPartial(.whenComplete) var entity: Entity?
}

@JSONModel
struct Mark {
    var page: Int
    func validate() throws { if page < 0 { throw Failure() } }
}

@JSONModel(.partial)
struct Cover {
    var number: Int
    @JSONFlatten var part: Part
    @JSONFlatten var mark: Mark
}

@Suite("Models in a module that is isolated to the main actor")
struct MainActorTests {
    let decoder = JSONModelDecoder()

    @Test func `defaults may call functions of the main actor`() throws {
        let before = counter
        let reading = try decoder.decode(Reading.self, from: #"{"celsius":1.5,"doubled":2}"#)
        let made = [reading.id, reading.number, reading.cache]
        #expect(Set(made).count == 3 && made.allSatisfy { $0 > before })
        #expect(reading.celsius.degrees == 1.5)
        #expect(reading.outside.degrees == 20)
        #expect(reading.doubled == 4)
        #expect(reading.limits == ["low": -1])
        let other = try decoder.decode(Reading.self, from: #"{"id":-5,"number":7,"celsius":1,"outside":3}"#)
        #expect(other.id == -5 && other.number == 7 && other.outside.degrees == 3)
    }

    @Test func `defaults may be constants of the main actor`() throws {
        let query = try decoder.decode(Query.self, from: #"{"pages":2}"#)
        #expect(query.size == 50 && query.pages == 2 && query.most == 50 && query.last == 50)
    }

    @Test func `a merge keeps the ignored properties of models that are made again`() throws {
        let tab = try decoder.decode(Tab.self, from: #"{"title":"a"}"#)
        (tab.isOpen, tab.owner, tab.level) = (true, try decoder.decode(Clicks.self, from: #"{"id":3}"#), 2)
        var merged = tab
        try decoder.merge(#"{"title":"b"}"#, into: &merged)
        #expect(merged !== tab && merged.title == "b" && merged.isOpen)
        #expect(merged.owner?.id == 3 && merged.level == 2)
        var knob = try decoder.decode(Knob.self, from: #"{"name":"a"}"#)
        knob.kind = .fancy
        try decoder.merge(#"{"name":"b"}"#, into: &knob)
        #expect(knob.name == "b" && knob.kind == .fancy)
        var visit = try decoder.decode(Visit.self, from: #"{"page":1}"#)
        try decoder.merge(#"{"page":2}"#, into: &visit)
        #expect(visit.page == 2)
    }

    @Test func `hooks may be on the main actor`() throws {
        let before = counter
        let hooked = try decoder.decode(Hooked.self, from: #"{"name":"old"}"#)
        #expect(hooked.name == "new!")
        #expect(counter == before + 2)
        #expect(try JSONModelEncoder().encode(hooked, as: .string) == #"{"name":"new!"}"#)
        #expect(counter == before + 3)
        #expect(throws: JSONModelError.self) { try decoder.decode(Hooked.self, from: #"{"name":"bad"}"#) }
        _ = try decoder.decode(Shape.self, from: #"{"type":"circle","radius":1}"#)
        #expect(counter > before + 3)
    }

    @Test func `classes, generic types and types in extensions have hooks and defaults`() throws {
        let before = counter
        let user = try decoder.decode(User.self, from: #"{"id":3,"name":"a"}"#)
        #expect(user.id == 3 && user.name == "a!")
        #expect(throws: JSONModelError.self) { try decoder.decode(User.self, from: #"{"id":-3}"#) }
        #expect(try decoder.decode(Entity.self, from: "{}").id > before)
        #expect(try decoder.decode(Caching.self, from: #"{"id":-1}"#).cache == counter)
        let page = try decoder.decode(Page<Int>.self, from: #"{"items":[1,2],"size":2}"#)
        #expect(page.items == [1, 2])
        #expect(throws: JSONModelError.self) {
            try decoder.decode(Page<Int>.self, from: #"{"items":[1,2],"size":1}"#)
        }
        #expect(try decoder.decode(Kind.Nested.self, from: "{}").id == counter)
    }

    @Test func `models with nonisolated hooks can be decoded by any thread`() async throws {
        let names = try await Task.detached {
            let decoder = JSONModelDecoder()
            return [
                try decoder.decode(Free.self, from: #"{"name":"a"}"#).name,
                try decoder.decode(PartlyFree.self, from: #"{"name":"b"}"#).name,
                try decoder.decode(Plain.self, from: #"{"list":[{}],"text":"c"}"#).text,
                try decoder.decode(Knob.self, from: #"{"name":"d"}"#).name,
            ]
        }.value
        #expect(names == ["a", "b", "c", "d"])
    }

    @Test func `hooks on the main actor stop the program elsewhere`() async {
        await #expect(processExitsWith: .failure) {
            _ = await Task.detached {
                try? JSONModelDecoder().decode(Outer.self, from: #"{"hooked":{"name":"a"}}"#).hooked?.name
            }.value
        }
    }

    @Test func `defaults on the main actor stop the program elsewhere`() async {
        await #expect(processExitsWith: .failure) {
            _ = await Task.detached {
                try? JSONModelDecoder().decode(Outer.self, from: #"{"entity":{}}"#).hooked?.name
            }.value
        }
    }

    @Test func `classes with codable are decoded by any decoder`() throws {
        let user = try decoder.decode(ArchivedUser.self, from: #"{"id":1,"names":["a"]}"#)
        let text = try JSONModelEncoder().encode(user, as: .string)
        #expect(text == #"{"id":1,"names":["a"]}"#)
    }

    @Test func `properties may have types that are not Sendable`() throws {
        let holder = try decoder.decode(Holder.self, from: #"{"box":{"value":2},"kind":"fancy"}"#)
        #expect(holder.box.value == 2 && holder.kind == .fancy)
        #expect(try decoder.decode(Lens.self, from: #"{"box":{"value":3}}"#).box.value == 3)
        let clicks = try decoder.decode(Clicks.self, from: #"{"id":1,"count":4,"box":{}}"#)
        #expect(clicks.count == 4 && clicks.box?.value == 1)
        #expect(try JSONModelEncoder().encode(clicks, as: .string) == #"{"id":1,"count":4,"box":{"value":1}}"#)
    }

    @Test func `a struct with an observed property can be encoded by any thread`() async throws {
        let text = try await Task.detached {
            let knob = try JSONModelDecoder().decode(Knob.self, from: #"{"name":"d","level":2}"#)
            return try JSONModelEncoder().encode(knob, as: .string)
        }.value
        #expect(text == #"{"name":"d","level":2}"#)
    }

    @Test func `initial values on the main actor stop the program elsewhere`() async {
        await #expect(processExitsWith: .failure) {
            _ = await Task.detached {
                (try? JSONModelDecoder().decode(Grid.self, from: #"{"cell":{"id":1}}"#)) == nil
            }.value
        }
    }

    @Test func `the initializer of a superclass on the main actor stops the program elsewhere`() async throws {
        #expect(try decoder.decode(Grid.self, from: #"{"tile":{"size":2}}"#).tile?.size == 2)
        await #expect(processExitsWith: .failure) {
            _ = await Task.detached {
                (try? JSONModelDecoder().decode(Grid.self, from: #"{"tile":{"size":2}}"#)) == nil
            }.value
        }
    }

    @Test func `partial models have properties with conformances of the main actor`() throws {
        let sheet = try decoder.decode(
            Sheet.Partial.self, from: #"{"title":"a","hooked":{"name":"b"},"parts":[{"text":"c"}],"query":{}}"#)
        #expect(sheet.title == "a" && sheet.hooked?.name == "b!" && sheet.parts?.first?.text == "c")
        #expect(sheet.made == nil && sheet.query.size == 50 && sheet.entity == nil)
        let cover = try decoder.decode(Cover.Partial.self, from: #"{"number":1,"text":"d","page":5}"#)
        #expect(cover.number == 1 && cover.part.text == "d" && cover.mark?.page == 5)
    }

    @Test func `properties may have wrappers of the main actor`() throws {
        let gauge = try decoder.decode(Gauge.self, from: #"{"level":20}"#)
        #expect(gauge.level == 10 && gauge.limit == 8)
        #expect(try decoder.decode(Dial.self, from: #"{"level":20}"#).level == 10)
    }

    @Test func `models with codable have coders of the main actor`() throws {
        func copy<T: Codable>(_ type: T.Type, _ text: String) throws -> T {
            let value = try JSONDecoder().decode(type, from: Data(text.utf8))
            return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
        }
        #expect(try copy(ArchivedPage.self, #"{"number":2}"#).number == 2)
        let note = try copy(ArchivedNote.self, #"{"text":"a"}"#)
        #expect(note.text == "a" && note.kind.rawValue == "plain")
        #expect(try copy(ArchivedEntry.self, #"{"id":1}"#).id == 3)
        let constant = try copy(ArchivedConstant.self, #"{"id":1,"names":["a"]}"#)
        #expect(constant.id == 1 && constant.names == ["a"] && constant.kind == "user")
        #expect(try copy(Parcel.self, #"{"size":4}"#).size == 4)
    }
}
#endif
