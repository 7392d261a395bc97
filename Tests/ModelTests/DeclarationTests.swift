#if Macros
import Foundation
import Observation
import Sluice
import TestSupport
import Testing

// Declarations whose expansions the compiler rejected.

/// The macro of the class copies the attributes of the properties.
@Observable @JSONModel
final class ObservedTicket {
    let id: Int
    @JSONKey("owner.login", or: "user") var owner: String
    @JSONDefault(3) var level: Int
    @JSONCoercion(.lenient) private(set) var count = 0
    @JSONIgnore var isOpen = false
}

@JSONModel @Observable
final class ObservedLater {
    @JSONKey("n") var name = "none"
    @JSONExtra var rest: [String: Int] = [:]
}

/// A subclass in the body of its superclass sees the private members of the superclass.
@JSONModel
class Outermost {
    var x: Int

    @JSONModel
    class Inside: Outermost {
        var y = 2

        @JSONModel
        final class Innermost: Inside {
            let z: Int
        }
    }
}

extension Outermost {
    @JSONModel
    final class Extended: Outermost {
        var w: Int
    }
}

nonisolated final class Unshared: JSONConvertible {
    let number: Int
    init(_ number: Int) { self.number = number }
    static var jsonShape: JSONShape { .transformed(by: UnsharedTransform()) }
}

struct UnsharedTransform: JSONTransform {
    func decode(_ json: Int) -> Unshared { Unshared(json) }
    func encode(_ value: Unshared) -> Int { value.number }
}

/// Only the main actor can make key paths to these properties.
@MainActor @JSONModel
struct OnMainUnshared {
    var one: Unshared
    var list: [Unshared] = []
    @JSONIgnore var kept: [Unshared] = []
    var limit = 5
}

/// A struct that is made from a storage, whose properties any thread may name.
@MainActor @JSONModel
struct OnMainStored {
    @JSONTransform(UnsharedTransform()) var other: Unshared?
    @JSONIgnore var kept: Unshared? = nil
    var limit = 5
}

@MainActor @JSONModel
struct OnMainGeneric<Key: JSONDictionaryKey, Value: JSONConvertible> {
    var value: Value
    var counts: [Key: Int] = [:]
    var list: [Value] = []
    var limit = 5
}

@JSONModel
enum UnderscoredLabels: Equatable {
    case a(_model: Int, _payload: Int)
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case `Self`
}

@JSONModel
struct SelfProperty {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var `Self`: Int { didSet {} }
}

/// An initializer of an extension cannot assign `self` of such a struct.
@JSONModel(.codable)
struct CodableConstant: Equatable {
    @JSONIgnore let kind = "user"
    var id: Int
}

@JSONModel(.codable)
public struct CodableIgnoredConstant: Equatable {
    @JSONIgnore let kind = "user"
    @JSONIgnore(.decoding) let version = 2
    var id: Int { didSet {} }
}

enum HiddenConstant {
    @JSONModel(.codable)
    private struct Point: JSONModel, JSONConvertible, Codable {
        @JSONIgnore let kind = "point"
        var x: Int
    }

    static func copy(_ text: Data) throws -> Data {
        try JSONEncoder().encode(JSONDecoder().decode(Point.self, from: text))
    }
}

@JSONModel(.codable)
enum CodableSelf: Equatable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case `Self`
    case other
}

@Suite("Declarations that the compiler rejected")
struct DeclarationTests {
    @Test func `properties of an observed class have attributes`() throws {
        let text = #"{"id":1,"owner":{"login":"a"},"level":4,"count":2}"#
        let ticket = try decode(ObservedTicket.self, text)
        #expect(ticket.owner == "a" && ticket.level == 4 && ticket.count == 2 && !ticket.isOpen)
        #expect(try encode(ticket) == text)
        let least = try decode(ObservedTicket.self, #"{"id":1,"user":"b","count":"7"}"#)
        #expect(least.owner == "b" && least.level == 3 && least.count == 7)
        #expect(try decode(ObservedLater.self, #"{"n":"a","m":1}"#).rest == ["m": 1])
    }

    @Test func `a subclass may be inside of its superclass`() throws {
        let innermost = try decode(Outermost.Inside.Innermost.self, #"{"x":1,"z":3}"#)
        #expect(innermost.x == 1 && innermost.y == 2 && innermost.z == 3)
        #expect(try encode(innermost) == #"{"x":1,"y":2,"z":3}"#)
        #expect(try encode(decode(Outermost.Extended.self, #"{"x":1,"w":4}"#)) == #"{"x":1,"w":4}"#)
    }

    @Test @MainActor func `a struct on the main actor may have properties that are not Sendable`() throws {
        let text = #"{"one":1,"list":[2],"limit":4}"#
        let value = try decode(OnMainUnshared.self, text)
        #expect(value.one.number == 1 && value.list.map(\.number) == [2] && value.kept.isEmpty)
        #expect(try encode(value) == text)
        let stored = try decode(OnMainStored.self, #"{"other":3,"limit":4}"#)
        #expect(try encode(stored) == #"{"other":3,"limit":4}"#)
        #expect(try decode(OnMainUnshared.self, #"{"one":1}"#).limit == 5)
        #expect(
            try encode(decode(OnMainGeneric<String, Int>.self, #"{"value":1,"counts":{"a":2}}"#))
                == #"{"value":1,"counts":{"a":2},"list":[],"limit":5}"#)
    }

    @Test func `labels and cases may have the names in an expansion`() throws {
        let text = #"{"a":{"_model":1,"_payload":2}}"#
        let value = try decode(UnderscoredLabels.self, text)
        #expect(value == .a(_model: 1, _payload: 2))
        #expect(try encode(value) == text)
        #expect(try decode(UnderscoredLabels.self, #""Self""#) == .`Self`)
        #expect(try encode(decode(SelfProperty.self, #"{"Self":1}"#)) == #"{"Self":1}"#)
    }

    @Test func `a Codable struct may have a constant with a value`() throws {
        let text = Data(#"{"id":1}"#.utf8)
        let plain = try JSONDecoder().decode(CodableConstant.self, from: text)
        #expect(plain.kind == "user" && plain.id == 1)
        #expect(try JSONEncoder().encode(plain) == text)
        #expect(try decode(CodableConstant.self, #"{"id":1}"#) == plain)
        let ignored = try JSONDecoder().decode(CodableIgnoredConstant.self, from: text)
        #expect(ignored.kind == "user" && ignored.version == 2 && ignored.id == 1)
        #expect(try encode(ignored) == #"{"version":2,"id":1}"#)
        #expect(try HiddenConstant.copy(Data(#"{"x":1}"#.utf8)) == Data(#"{"x":1}"#.utf8))
        #expect(try JSONDecoder().decode([CodableSelf].self, from: Data(#"["Self"]"#.utf8)) == [.`Self`])
    }
}
#endif
