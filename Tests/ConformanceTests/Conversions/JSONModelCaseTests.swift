import Foundation
import Sluice
import TestSupport
import Testing

@testable import SluiceCore

/// The conversions that JSONModel's own tests expect (`converts.json`, its model for built-in conversions).
@Suite(.needs(.suites))
struct JSONModelCaseTests {
    private func values() throws -> [String: JSONValue] {
        try JSONModelDecoder().decode(
            [String: JSONValue].self, from: TestData.suites.bytes("jsonmodel/converts.json"))
    }

    @Test func `scalars convert as JSONModel expects`() throws {
        let json = try values()
        #expect(try coerce(#require(json["isItYesOrNo"]), .lenient) == true)
        #expect(try coerce(#require(json["boolFromString"]), .lenient) == true)
        #expect(try coerce(#require(json["boolFromNumber"]), .lenient) == true)
        #expect(try coerce(#require(json["boolFromBoolean"]), .lenient) == true)
        #expect(try coerce(#require(json["stringFromNumber"]), .lenient) == "19.95")
        #expect(try coerce(#require(json["numberFromString"]), .lenient) == 1230.99)
        #expect(try coerce(#require(json["numberFromString"]), .lenient) == Decimal(string: "1230.99"))
        #expect(try coerce(#require(json["doubleFromString"]), .lenient) == 16_909_129.0)
        #expect(
            try coerce(#require(json["importantEvent"]), .lenient) == Date(timeIntervalSince1970: 1_353_916_801))
        #expect(
            try coerce(#require(json["websiteURL"]), to: URL.self, .lenient).absoluteString
                == "http://www.visir.is/jordan-slaer-milljard-af-villunni-sinni/article/2013130709873?key1=test&q=search%20terms"
        )
        let winter = Date(timeIntervalSince1970: 0)
        #expect(
            try coerce(#require(json["timeZone"]), to: TimeZone.self, .lenient).secondsFromGMT(for: winter)
                == -28_800)
        #expect(json.count == 13)
    }

    @Test func `collections convert as JSONModel expects`() throws {
        let bytes = try TestData.suites.bytes("jsonmodel/converts.json")
        let decoder = JSONModelDecoder()
        #expect(try decoder.decode(Set<String>.self, from: bytes, at: "unorderedList") == ["1", "5", "7", "2"])
        #expect(try decoder.decode(Set<JSONValue>.self, from: bytes, at: "dynamicUnorderedList") == ["a", "3"])
        #expect(try decoder.decode([String].self, from: bytes, at: "stringArray") == ["one", "two", "three"])
    }
}
