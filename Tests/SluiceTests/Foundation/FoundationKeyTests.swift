import Sluice
import Testing

#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

/// The keys of dictionaries that are types of Foundation.
struct FoundationKeyTests {
    private func expectObject<Key: Hashable>(_ dictionary: [Key: Int], _ text: String) throws {
        #expect(try JSONModelEncoder().encode(dictionary, as: .string) == text)
        #expect(try JSONModelDecoder().decode([Key: Int].self, from: text) == dictionary)
        #expect(try JSONModelDecoder().decode([[Key: Int]?].self, from: "[\(text)]") == [dictionary])
    }

    @Test func `dates, URLs and UUIDs are keys of objects`() throws {
        try expectObject([Date(timeIntervalSince1970: 0.5): 1], #"{"1970-01-01T00:00:00.5Z":1}"#)
        try expectObject([Date(timeIntervalSince1970: 1e12): 1], #"{"1000000000000":1}"#)
        try expectObject([URL(string: "https://a.b/c")!: 1], #"{"https://a.b/c":1}"#)
        let id = UUID()
        try expectObject([id: 1], "{\"\(id.uuidString)\":1}")
    }

    @Test func `a date as a key may be a number, whatever the strategy`() throws {
        var decoder = JSONModelDecoder()
        decoder.dateStrategy = .millisecondsSince1970
        #expect(
            try decoder.decode([Date: Date].self, from: #"{"1000":1000}"#)
                == [Date(timeIntervalSince1970: 1000): Date(timeIntervalSince1970: 1)])
        #expect(throws: JSONModelError.self) { try decoder.decode([Date: Int].self, from: #"{"today":1}"#) }
        #expect(throws: JSONModelError.self) { try decoder.decode([URL: Int].self, from: #"{"":1}"#) }
    }

    @Test(arguments: [Double.infinity, -Double.infinity, Double.nan])
    func `a date that is not finite is not a key`(seconds: Double) {
        let dates = [Date(timeIntervalSinceReferenceDate: seconds): 1]
        let error = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(dates, as: .string) }
        #expect(error?.issues.first?.kind == .notEncodable("its key \(seconds) is not a JSON number"))
    }

    @Test func `the stand-in keeps Foundation's arrays`() throws {
        enum Color: String, Codable { case red }
        let text = try SluiceJSONEncoder().encode([Color.red: 1])
        #expect(String(decoding: text, as: UTF8.self) == #"["red",1]"#)
        #expect(try SluiceJSONDecoder().decode([Color: Int].self, from: text) == [.red: 1])
    }
}
