import Foundation
import Sluice

/// A record with a plan.
struct Record: JSONModel {
    let id: Int
    let name: String
    let price: Double
    let active: Bool
    let address: Address
    let tags: [String]
    let note: String?

    static let plan = ModelPlan<Record>(
        JSONField(\.id, key: "id"),
        JSONField(\.name, key: "name"),
        JSONField(\.price, key: "price"),
        JSONField(\.active, key: "active"),
        JSONField(\.address, key: "address"),
        JSONField(\.tags, key: "tags"),
        JSONField(\.note, key: "note"))
}

struct Address: JSONModel {
    let street: String
    let latitude: Double
    let longitude: Double

    static let plan = ModelPlan<Address>(
        JSONField(\.street, key: "street"),
        JSONField(\.latitude, key: "lat"),
        JSONField(\.longitude, key: "lon"))
}

/// The same record without a plan.
struct CodableRecord: Codable {
    let id: Int
    let name: String
    let price: Double
    let active: Bool
    let address: CodableAddress
    let tags: [String]
    let note: String?
}

struct CodableAddress: Codable {
    let street: String
    let lat: Double
    let lon: Double
}

/// Properties of the types of Foundation.
struct Entry: JSONModel, Codable {
    let date: Date
    let id: UUID
    let link: URL
    let amount: Decimal

    static let plan = ModelPlan<Entry>(
        JSONField(\.date, key: "date"),
        JSONField(\.id, key: "id"),
        JSONField(\.link, key: "link"),
        JSONField(\.amount, key: "amount"))
}

enum Texts {
    static let record = record(7)
    static let records = array(2_000, record)
    static let entries = array(2_000) { number in
        let digits = 100_000 + number
        return """
            {"date":"2026-01-0\(1 + number % 9)T10:\(10 + number % 50):00Z",\
            "id":"3F2504E0-4F89-11D3-9A0C-0305E8\(digits)",\
            "link":"https://example.org/entries/\(number)","amount":\(number).25}
            """
    }

    private static func record(_ number: Int) -> String {
        let fraction = 10_000 + number * 37 % 90_000
        return """
            {"id":\(1_000_000 + number),"name":"Record number \(number) of the file","price":\(number).\(fraction),\
            "active":\(number % 3 == 0),"address":{"street":"\(number) Long Street, Springfield","city":"Springfield",\
            "lat":51.\(fraction),"lon":-0.\(fraction)},"tags":["new","tag\(number % 100)","on sale"],\
            "note":\(number % 4 == 0 ? "null" : "\"A note of some words about record \(number)\"")}
            """
    }

    private static func array(_ count: Int, _ element: (Int) -> String) -> [UInt8] {
        Array("[\((0..<count).map(element).joined(separator: ","))]".utf8)
    }
}
