import Foundation
import Sluice
import TestSupport
import Testing

/// The encoding of Foundation's types, and Foundation's encoders and decoders.
struct FoundationEncodingTests {
    private func expectRoundTrip<T: JSONConvertible & Equatable>(_ value: T, _ text: String) throws {
        #expect(try encode([value]) == "[\(text)]")
        #expect(try JSONModelDecoder().decode([T].self, from: encode([value])) == [value])
    }

    @Test func `Foundation types are written and read back`() throws {
        try expectRoundTrip(Decimal(string: "-12345678901234567890.123456789")!, "-12345678901234567890.123456789")
        try expectRoundTrip(
            UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#)
        try expectRoundTrip(URL(string: "https://example.com/a?b=c")!, #""https://example.com/a?b=c""#)
        try expectRoundTrip(Data([1, 2, 3, 4]), #""AQIDBA==""#)
        try expectRoundTrip(TimeZone(identifier: "Europe/Berlin")!, #""Europe/Berlin""#)
        try expectRoundTrip(Locale(identifier: "de_CH"), #""de_CH""#)
        try expectRoundTrip(Date(timeIntervalSince1970: 0.25), #""1970-01-01T00:00:00.25Z""#)
        #expect(try encode([Date?.none]) == "[null]")
        #expect(
            try encode([UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!: 1])
                == #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":1}"#)
    }

    @Test func `long data is complete, and a copy can be changed`() throws {
        let ids = (0..<10_000).map {
            UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, UInt8($0 % 251)))
        }
        let bytes = try JSONModelEncoder().encode(ids)
        for count in [ids.count, ids.count, ids.count - 900, 8_000, ids.count] {
            let data = try JSONModelEncoder().encode(Array(ids[..<count]), as: .data)
            #expect(data.count == count * 39 + 1)
            #expect(data.dropLast() == Data(bytes[..<(count * 39)]))
            var copy = data
            copy.append(0)
            copy[0] = 1
            #expect(data[0] == UInt8(ascii: "[") && data.last == UInt8(ascii: "]") && copy.count == data.count + 1)
            #expect(try JSONModelDecoder().decode([UUID].self, from: data) == Array(ids[..<count]))
        }
    }

    @Test func `values without a JSON form are errors`() throws {
        let error = #expect(throws: JSONModelError.self) { _ = try encode(["x": Decimal.nan]) }
        #expect(error?.issues.first?.path == "x")
        #expect(throws: JSONModelError.self) { _ = try encode(Date.distantPast.addingTimeInterval(-1e12)) }
    }

    @Test func `the date strategy of the encoder applies to dates`() throws {
        var encoder = JSONModelEncoder()
        encoder.dateStrategy = .secondsSince1970
        #expect(try encode(["a": Date?.some(Date(timeIntervalSince1970: 5))], with: encoder) == #"{"a":5}"#)
        encoder.dateStrategy = .iso8601
        #expect(try encode([Date(timeIntervalSince1970: 5.5)], with: encoder) == #"["1970-01-01T00:00:05Z"]"#)
    }

    @Test func `files are written by URL`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sluice \(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONModelEncoder().write([1, 2], to: .file(file))
        #expect(try JSONModelDecoder().decode([Int].self, from: .file(file)) == [1, 2])
        #expect(throws: JSONModelError.self) {
            try JSONModelEncoder().write([1], to: .file(URL(string: "https://example.com/x.json")!))
        }
    }

    // MARK: Codable

    struct Coded: JSONModel, Codable, Equatable {
        var id: Int
        var city: String?
        var scores: [Double]
        static let plan = ModelPlan<Coded>([
            JSONField(\.id, key: "ID"), JSONField(\.city, key: "a.city"), JSONField(\.scores),
        ])

        init(id: Int, city: String?, scores: [Double]) { (self.id, self.city, self.scores) = (id, city, scores) }
        init(from decoder: any Decoder) throws { self = try Self.jsonDecoded(from: decoder) }
        func encode(to encoder: any Encoder) throws { try jsonEncode(to: encoder) }
    }

    @Test func `models work with other encoders and decoders`() throws {
        let value = ["x": [Coded(id: 1, city: "c", scores: [1, 2.5])]]
        let text = try JSONEncoder().encode(value)
        #expect(String(decoding: text, as: UTF8.self).contains(#""a":{"city":"c"}"#))
        #expect(try JSONDecoder().decode([String: [Coded]].self, from: text) == value)
        #expect(try JSONModelDecoder().decode([String: [Coded]].self, from: text) == value)
        let list = try PropertyListEncoder().encode(value)
        #expect(try PropertyListDecoder().decode([String: [Coded]].self, from: list) == value)
        let error = #expect(throws: JSONModelError.self) {
            try JSONDecoder().decode([String: [Coded]].self, from: Data(#"{"x":[{"ID":1,"scores":["no"]}]}"#.utf8))
        }
        #expect(error?.issues.first?.path == "x[0].scores[0]")
    }

    @Test func `a JSONValue works with other encoders and decoders`() throws {
        let value: JSONValue = [
            "a": [1, 2.5, nil, true, "x", [:], []], "b": ["c": .number(JSONNumber(UInt64.max))],
        ]
        let text = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: text) == value)
    }

    class Base: JSONModel {
        struct Storage {
            var id: Int
            var name: String?
        }
        let id: Int
        let name: String?
        init(storage: Storage) { (id, name) = (storage.id, storage.name) }
        static var plan: _AnyModelPlan { basePlan._erased }
        static let basePlan = ModelPlan<Base>(
            storage: Storage.self, [JSONField(\.id), JSONField(\.name)], make: { Base(storage: $0) },
            read: { Storage(id: $0.id, name: $0.name) })
    }

    struct Holder: Decodable {
        let storage: Base.Storage
        init(from decoder: any Decoder) throws {
            storage = try Base._jsonStorageDecoded(from: decoder, as: Base.Storage.self)
        }
    }

    final class Checked: JSONModel, Decodable {
        struct Storage { var id: Int }
        var id: Int
        init(storage: Storage) { id = storage.id }
        static let plan = ModelPlan<Checked>(
            storage: Storage.self, [JSONField(\.id)], make: { Checked(storage: $0) }, read: { Storage(id: $0.id) }
        )
        .hooks(didDecode: { $0.id += 1 }, validate: { if $0.id < 0 { throw JSONValidationError() } })
        convenience init(from decoder: any Decoder) throws {
            self.init(storage: try Self._jsonStorageDecoded(from: decoder, as: Storage.self))
            try _jsonDidDecode(from: decoder)
        }
    }

    @Test func `the hooks of a class are called with other decoders`() throws {
        #expect(try JSONDecoder().decode([Checked].self, from: Data(#"[{"id":1}]"#.utf8)).map(\.id) == [2])
        let error = #expect(throws: JSONModelError.self) {
            try JSONDecoder().decode([Checked].self, from: Data(#"[{"id":1},{"id":-9}]"#.utf8))
        }
        #expect(error?.issues.first?.path == "[1]")
        #expect(error?.issues.first?.underlying is JSONValidationError)
    }

    @Test func `the storage of a class works with other decoders`() throws {
        let holder = try JSONDecoder().decode([Holder].self, from: Data(#"[{"id":1,"name":"n"},{"id":2}]"#.utf8))
        #expect(holder.map(\.storage.id) == [1, 2])
        #expect(holder.map(\.storage.name) == ["n", nil])
        #expect(throws: JSONModelError.self) {
            try JSONDecoder().decode(Holder.self, from: Data(#"{"name":"n"}"#.utf8))
        }
    }
}
