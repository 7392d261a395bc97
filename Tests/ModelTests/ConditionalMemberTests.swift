#if Macros
import Foundation
import Sluice
import TestSupport
import Testing

@JSONModel
struct Settings {
    var name: String
    #if canImport(NoSuchModule)
    var screen: NoSuchType
    #elseif Macros
    @JSONKey("log_level") var level = 3
    #if canImport(NoSuchModule)
    var other: NoSuchType
    #else
    var color: String?
    #endif
    #else
    let level: String
    #endif
    #if !Macros
    var color: Int
    #endif
    var after: Bool
}

/// Uses a storage.
@JSONModel(.codable)
final class ConditionalClass {
    var id: Int
    #if Macros
    var note = "x"
    func didDecode() { note += "!" }
    #else
    var note: Int
    func didDecode() { note += 1 }
    #endif
}

@JSONModel
struct ConditionalStorage {
    var id: Int { didSet {} }
    #if Macros
    var list: [Int]
    #endif
}

/// More combinations of conditions than a plan for each would allow.
@JSONModel(.partial)
struct ManyConditions {
    #if Macros
    var a: Int
    #endif
    #if canImport(NoSuchModule)
    var b: NoSuchType
    #endif
    #if !canImport(NoSuchModule) || canImport(NoSuchModule2)
    var b = 2
    #endif
    #if Macros && canImport(NoSuchModule)
    var c: NoSuchType
    #elseif compiler(>=99)
    var c: NoSuchType
    #else
    @JSONKey("C") var c: [String]
    #endif
    #if os(Linux) || os(macOS)
    var d: Bool?
    #endif
    #if DEBUG
    var e: Int?
    #endif
    #if swift(>=5)
    func validate() throws { if a < 0 { throw JSONValidationError() } }
    #else
    func validate() {}
    #endif
}

/// The implicit initializer exists where the property does not.
@JSONModel(.codable)
final class ConditionalInitializer {
    var id = 1
    #if !Macros
    var note: String
    #endif
    #if Macros
    func encode(to encoder: any Encoder) throws { try "own".encode(to: encoder) }
    #endif
}

@JSONModel
enum ConditionalShape: Equatable {
    case dot
    #if Macros
    case square(side: Double)
    #else
    case square(NoSuchType)
    #endif
}

@JSONModel
enum ConditionalSuit: String {
    case hearts
    #if Macros
    case spades
    #else
    case clubs
    #endif
}

@Suite("Models with members inside #if")
struct ConditionalMemberTests {
    @Test func `the properties that are compiled are decoded`() throws {
        let settings = try decode(Settings.self, #"{"name":"a","log_level":4,"color":"red","after":true}"#)
        #expect(settings.name == "a" && settings.level == 4 && settings.color == "red" && settings.after)
        let least = try decode(Settings.self, #"{"name":"a","after":false}"#)
        #expect(least.level == 3 && least.color == nil)
        #expect(try encode(settings) == #"{"name":"a","log_level":4,"color":"red","after":true}"#)
    }

    @Test func `the storage and the hooks are those that are compiled`() throws {
        let model = try decode(ConditionalClass.self, #"{"id":1,"note":"n"}"#)
        #expect(model.id == 1 && model.note == "n!")
        #expect(try encode(model) == #"{"id":1,"note":"n!"}"#)
        let storage = try decode(ConditionalStorage.self, #"{"id":1,"list":[2]}"#)
        #expect(storage.id == 1 && storage.list == [2])
    }

    @Test func `a plan may have any number of conditions`() throws {
        let text = #"{"a":1,"b":3,"C":["x"],"d":true}"#
        let many = try decode(ManyConditions.self, text)
        #expect(many.a == 1 && many.b == 3 && many.c == ["x"] && many.d == true)
        #expect(try encode(many) == text)
        #expect(throws: JSONModelError.self) { try decode(ManyConditions.self, #"{"a":-1,"C":[]}"#) }
        var feed = JSONModelDecoder().feed(of: ManyConditions.Partial.self)
        _ = try feed.push(Array(#"{"a":1,"C":["x"#.utf8))
        let partial = try #require(feed.snapshot().value)
        #expect(partial.a == 1 && partial.b == nil && partial.c == ["x"])
    }

    @Test func `members of other conditions are added`() throws {
        let model = ConditionalInitializer()
        #expect(model.id == 1)
        #expect(try Foundation.JSONEncoder().encode([model]) == Data(#"["own"]"#.utf8))
        #expect(
            try Foundation.JSONDecoder().decode(ConditionalInitializer.self, from: Data(#"{"id":2}"#.utf8)).id == 2)
    }

    @Test func `the cases that are compiled are decoded`() throws {
        #expect(try decode(ConditionalShape.self, #"{"square":{"side":2.5}}"#) == .square(side: 2.5))
        #expect(try decode(ConditionalShape.self, #""dot""#) == .dot)
        #expect(try encode(ConditionalShape.square(side: 2.5)) == #"{"square":{"side":2.5}}"#)
        #expect(try decode(ConditionalSuit.self, #""spades""#) == .spades)
        let issue = try refusal(ConditionalSuit.self, #""clubs""#)
        #expect(issue.description.contains("spades"), "\(issue)")
    }
}
#endif
