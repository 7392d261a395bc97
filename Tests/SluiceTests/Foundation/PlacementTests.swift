import Foundation
import Sluice
import TestSupport
import Testing

/// Foundation's types where values stand: in optionals, containers, defaults and behind paths.
@Suite struct PlacementTests {
    private struct Order: JSONModel, Equatable {
        let id: UUID
        let total: Decimal
        let placed: Date
        let shipped: Date?
        let page: URL?
        let receipt: Data
        let zone: TimeZone

        static let plan = ModelPlan<Order> {
            JSONField(\.id, key: "id", or: "uuid")
            JSONField(\.total, key: "sum.total")
            JSONField(\.placed, key: "times[0]")
            JSONField(\.shipped, key: "times[1]")
            JSONField(\.page, key: "page")
            JSONField(\.receipt, key: "receipt", default: Data())
            JSONField(\.zone, key: "zone", default: .gmt)
        }
    }

    private let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

    @Test func `Foundation types decode as properties of a model`() throws {
        let full = try decode(
            Order.self,
            #"{"id":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f","sum":{"total":9.99},"times":[0,"1970-01-01T00:01:00Z"],"#
                + #""page":"https://example.com","receipt":"AQI=","zone":"Europe/Berlin"}"#)
        #expect(full.id == id)
        #expect(full.total == Decimal(string: "9.99"))
        #expect(full.placed == Date(timeIntervalSince1970: 0))
        #expect(full.shipped == Date(timeIntervalSince1970: 60))
        #expect(full.page == URL(string: "https://example.com"))
        #expect(full.receipt == Data([1, 2]))
        #expect(full.zone.identifier == "Europe/Berlin")

        let bare = try decode(
            Order.self,
            #"{"uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","sum":{"total":9},"times":[0],"page":null}"#)
        #expect(
            bare
                == Order(
                    id: id, total: 9, placed: Date(timeIntervalSince1970: 0), shipped: nil, page: nil,
                    receipt: Data(),
                    zone: .gmt))
    }

    @Test func `errors name the property`() throws {
        let found = try #require(
            issue(Order.self, "{\"id\":\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\",\"sum\":{\"total\":1e999}}"))
        #expect(found.kind == .numberOutOfRange(type: "Decimal", text: "1e999"))
        #expect(found.path == "sum.total")
        #expect(found.property == "total")
        #expect(found.model == "Order")
        #expect(found.location.offset == 60)
    }

    @Test func `Foundation types decode in containers`() throws {
        #expect(try decode([Decimal].self, "[1.5,2]") == [1.5, 2])
        #expect(try decode([String: [Decimal?]].self, #"{"a":[1.5,null]}"#) == ["a": [1.5, nil]])
        #expect(try decode(Set<UUID>.self, "[\"\(id)\",\"\(id.uuidString.lowercased())\"]") == [id])
        #expect(try decode([Date?].self, "[null,0]") == [nil, Date(timeIntervalSince1970: 0)])
        #expect(try decode([Int: URL].self, #"{"1":"a:b"}"#) == [1: URL(string: "a:b")!])
        #expect(try decode([[Data]].self, #"[["AQI="],[]]"#) == [[Data([1, 2])], []])
        #expect(try decode([String: Date].self, "{}").isEmpty)
    }

    @Test func `Foundation values are freed after an error`() {
        // Each stops after values with memory of their own; the address sanitizer sees what is lost.
        let page = "\"https://example.com/a/long/path/that/is/on/the/heap\""
        #expect(issue([URL].self, "[\(page),\(page),1]")?.path == "[2]")
        #expect(issue([String: Data].self, #"{"a":"AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo=","b":"?"}"#)?.path == "b")
        #expect(issue(Order.self, "{\"page\":\(page),\"page\":\(page),\"total\":true}") != nil)
    }
}
