import Sluice
import Testing

#if Foundation || canImport(Darwin)
import Foundation
#else
import FoundationEssentials
#endif

/// Values of Foundation objects that JSON cannot hold, and objects that a dictionary cannot hold.
struct ObjectValueTests {
    @Test func `a number that is not finite is named`() {
        for value in [Double.nan, Float.infinity, Decimal.nan] as [Any] {
            let error = #expect(throws: JSONModelError.self) {
                try JSONModelDecoder().decode([String: Double].self, from: .object(["k": value]))
            }
            #expect(error?.issues.first?.path == "k")
            #expect(
                error.map { "\($0)".lowercased().contains("\(value) is not a json number".lowercased()) } == true)
        }
    }

    @Test func `equivalent keys in a dictionary of objects are an error`() throws {
        let value: JSONValue = ["\u{E9}": 1, "e\u{301}": 2]
        let object = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(value, as: .object) }
        #expect(object?.issues.first?.path == "$")
        let inner: JSONValue = ["a": 1, "list": [2, value]]
        let nested = #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode([inner], as: .any) }
        #expect(nested?.issues.first?.path == "[0].list[1]")
        // A value has no location.
        #expect(nested.map { "\($0)".contains("line") } == false)
    }
}
