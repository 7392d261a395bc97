#if Macros
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
