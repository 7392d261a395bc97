import Foundation
import Sluice
import TestSupport
import Testing

@testable import SluiceCore

/// The conversions that MJExtension's own tests expect, value by value.
@Suite(.needs(.suites))
struct MJExtensionCaseTests {
    /// The values of one test, and what its properties' types are. Where the suite names none, they are the ones of
    /// MJExtension's model.
    private static let types: [String: [String: String]] = [
        "testJSON2NumberModel (fr locale)": [
            "age": "Int32", "height": "Double", "money": "Decimal", "flag": "Bool", "speed": "Int",
            "identifier": "Int64", "price": "Double", "like": "Int", "collect": "Int", "rich": "Bool",
        ],
        "testJSONString2Model": ["name": "String", "icon": "String", "age": "UInt32", "height": "Double"],
    ]

    private struct Case: JSONModel {
        let test: String
        let json: [String: JSONValue]?
        let jsonText: String?
        let types: [String: String]?
        let expect: [String: JSONValue]
        static let plan = ModelPlan<Case>(
            JSONField(\.test, key: "test"), JSONField(\.json, key: "json"), JSONField(\.jsonText, key: "jsonText"),
            JSONField(\.types, key: "types"), JSONField(\.expect, key: "expect"))
    }

    @Test func `each value converts as MJExtension expects`() throws {
        let cases = try JSONModelDecoder().decode(
            [Case].self, from: TestData.suites.bytes("mjextension/cases.json"), at: "cases")
        #expect(cases.count == 3)
        var checked = 0
        for one in cases {
            let coercion = JSONCoercion.mjExtension(decimalSeparator: one.test.contains("fr locale") ? "," : ".")
            let json = try one.json ?? JSONModelDecoder().decode([String: JSONValue].self, from: one.jsonText ?? "")
            let types = try #require(one.types ?? Self.types[one.test], "\(one.test)")
            for (name, expected) in one.expect {
                let value = try #require(json[name], "\(name)")
                let type = try #require(types[name], "\(name)")
                // An array for a string is no matter of coercions: a default takes its place, or it is an error.
                if value.array != nil { continue }
                try check(value, as: type, expected, coercion, "\(one.test): \(name)")
                checked += 1
            }
        }
        #expect(checked == 27)
    }

    private func check(
        _ value: JSONValue, as type: String, _ expected: JSONValue, _ coercion: JSONCoercion, _ name: String
    ) throws {
        switch type {
        case "String", "String?": #expect(try coerce(value, coercion) == expected.string, "\(name)")
        case "Bool": #expect(try coerce(value, coercion) == expected.bool, "\(name)")
        case "Int": #expect(try coerce(value, coercion) == number(expected, Int.self), "\(name)")
        case "Int32": #expect(try coerce(value, coercion) == number(expected, Int32.self), "\(name)")
        case "UInt32": #expect(try coerce(value, coercion) == number(expected, UInt32.self), "\(name)")
        case "Int64": #expect(try coerce(value, coercion) == number(expected, Int64.self), "\(name)")
        case "UInt64": #expect(try coerce(value, coercion) == number(expected, UInt64.self), "\(name)")
        case "Double": #expect(try coerce(value, coercion) == expected.double, "\(name)")
        case "Decimal":
            let text = expected.string ?? expected.number?.description ?? ""
            #expect(
                try coerce(value, coercion) == Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
                "\(name)")
        default: Issue.record("\(name) is of an unknown type, \(type)")
        }
    }

    /// Great numbers are expected as strings, which all tools of the suite's readers keep whole.
    private func number<T: FixedWidthInteger>(_ value: JSONValue, _: T.Type) -> T? {
        value.string.flatMap { T($0) } ?? value.number?.exactly(T.self)
    }
}
