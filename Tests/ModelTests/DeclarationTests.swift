#if Macros
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
}
#endif
