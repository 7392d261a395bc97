// On Linux, date formatters need all of Foundation.
#if Foundation || canImport(Darwin)
import Foundation
import Testing

@Suite struct FormattedDateTests {
    private func formatter() -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd.MM.yyyy HH:mm"
        return formatter
    }

    @Test func `a formatter decodes dates`() throws {
        let dates = try decode([Date].self, #"["29.02.2024 12:30","01.01.1970 00:00"]"#) {
            $0.dateDecodingStrategy = .formatted(formatter())
        }
        #expect(dates.map(\.timeIntervalSince1970) == [1_709_209_800, 0])
    }

    @Test func `dates that the formatter refuses are rejected`() {
        func failed(_ json: String) -> String {
            failure(Box<Date>.self, #"{"value":\#(json)}"#) { $0.dateDecodingStrategy = .formatted(formatter()) }
        }
        #expect(
            failed(#""2024-02-29""#)
                == "dataCorrupted - | value | Date string does not match format expected by formatter.")
        #expect(
            failed(#""""#) == "dataCorrupted - | value | Date string does not match format expected by formatter.")
        #expect(failed("1") == mismatch("String", at: "value", found: "number"))
        #expect(failed("null") == noValue("Date", at: "value"))
    }

    @Test func `a formatter encodes dates`() throws {
        let json = try encode(["a": Date(timeIntervalSince1970: 1_709_209_800)]) {
            $0.dateEncodingStrategy = .formatted(formatter())
        }
        #expect(json == #"{"a":"29.02.2024 12:30"}"#)
    }
}
#endif
