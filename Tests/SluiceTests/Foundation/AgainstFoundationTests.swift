import Foundation
import Sluice
import TestSupport
import Testing

/// Comparisons with Foundation's decoder on random documents.
@Suite struct AgainstFoundationTests {
    @Test(arguments: [1, 2, 3, 4])
    func `random models equal Foundation's`(seed: UInt64) throws {
        var maker = SampleMaker(seed: seed)
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .secondsSince1970
        for _ in 0..<250 {
            let text = maker.sample(depth: 3)
            let theirs = try foundation.decode(Sample.self, from: Data(text.utf8))
            let ours = try JSONModelDecoder().decode(Sample.self, from: text)
            if ours != theirs { Issue.record("\(text)\nSluice: \(ours)\nFoundation: \(theirs)") }
        }
    }
}

/// One of everything, as a field, an optional, an element and a member, and itself below.
private struct Sample: JSONModel, Codable, Equatable {
    let price: Decimal
    let ratio: Double
    let time: Date
    let link: URL
    let id: UUID
    let blob: Data
    let maybe: Decimal?
    let until: Date?
    let prices: [Decimal?]
    let times: [String: Date]
    let links: [[URL]]
    let parts: [Sample]

    static let plan = ModelPlan<Sample> {
        JSONField(\.price, key: "price")
        JSONField(\.ratio, key: "ratio")
        JSONField(\.time, key: "time")
        JSONField(\.link, key: "link")
        JSONField(\.id, key: "id")
        JSONField(\.blob, key: "blob")
        JSONField(\.maybe, key: "maybe")
        JSONField(\.until, key: "until")
        JSONField(\.prices, key: "prices")
        JSONField(\.times, key: "times")
        JSONField(\.links, key: "links")
        JSONField(\.parts, key: "parts")
    }
}

private struct SampleMaker {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

    mutating func digits(_ count: ClosedRange<Int>) -> String {
        String((0..<Int.random(in: count, using: &random)).map { _ in "0123456789".randomElement(using: &random)! })
    }

    mutating func decimal() -> String {
        var text = chance(2) ? "-" : ""
        text += chance(3) ? "0" : "123456789".randomElement(using: &random).map(String.init)! + digits(0...18)
        if !chance(3) { text += "." + digits(1...18) }
        if chance(3) { text += ["e", "E", "e+", "e-"].randomElement(using: &random)! + digits(1...2) }
        return text
    }

    mutating func double() -> String {
        while true {
            let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            if value.isFinite { return "\(value)" }
        }
    }

    mutating func seconds() -> String {
        "\(Double(Int.random(in: -10_000_000_000_000...10_000_000_000_000, using: &random)) / 1000)"
    }

    mutating func link() -> String {
        let path = ["", "/", "/a/b", "/%C3%A4", "/a?b=c&d=e", "#top", "/ä", "/a b"].randomElement(using: &random)!
        return "\"https://example.com\(path)\""
    }

    mutating func id() -> String {
        let id = UUID(uuid: unsafeBitCast(UInt128.random(in: 0...UInt128.max, using: &random), to: uuid_t.self))
        return "\"\(chance(2) ? id.uuidString : id.uuidString.lowercased())\""
    }

    mutating func blob() -> Data {
        let count = Int.random(in: 0...40, using: &random)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    mutating func list(_ count: Int, _ element: (inout SampleMaker) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<Int.random(in: 0...count, using: &random) { elements.append(element(&self)) }
        return "[\(elements.joined(separator: ","))]"
    }

    mutating func sample(depth: Int) -> String {
        var members = [
            "\"price\":\(decimal())", "\"ratio\":\(double())", "\"time\":\(seconds())", "\"link\":\(link())",
            "\"id\":\(id())", "\"blob\":\"\(blob().base64EncodedString())\"",
            "\"prices\":\(list(4) { $0.chance(4) ? "null" : $0.decimal() })",
            "\"times\":{\((0..<3).map { "\"t\($0)\":\(seconds())" }.joined(separator: ","))}",
            "\"links\":\(list(3) { $0.list(2) { $0.link() } })",
            "\"parts\":\(depth == 0 ? "[]" : list(2) { $0.sample(depth: depth - 1) })",
        ]
        if !chance(3) { members.append("\"maybe\":\(chance(2) ? "null" : decimal())") }
        if !chance(3) { members.append("\"until\":\(chance(2) ? "null" : seconds())") }
        if chance(3) { members.append("\"unknown\":{\"price\":[\(decimal())]}") }
        members.shuffle(using: &random)
        return "{\(members.joined(separator: ","))}"
    }
}
