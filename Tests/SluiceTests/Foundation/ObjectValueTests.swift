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
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode(value, as: .object) }
        #expect(throws: JSONModelError.self) { try JSONModelEncoder().encode([value], as: .any) }
    }
}
