import Foundation
import Sluice
import Testing

/// Dates in ISO 8601, compared with Foundation's decoder.
@Suite struct ISO8601AgainstFoundationTests {
    private let decoder = SluiceJSONDecoder()
    private let foundation = JSONDecoder()

    init() {
        decoder.dateDecodingStrategy = .iso8601
        foundation.dateDecodingStrategy = .iso8601
    }

    /// Expects that both decoders accept or reject a text, and returns whether they accept.
    @discardableResult
    private func compare(_ text: String) -> Bool {
        let data = Data("[\"\(text)\"]".utf8)
        let date = try? decoder.decode([Date].self, from: data)
        let theirs = try? foundation.decode([Date].self, from: data)
        #expect(date == theirs, "\(text)")
        return theirs != nil
    }

    @Test func `days and times have equal dates`() {
        for year in [1, 1582, 1599, 1600, 1700, 1969, 1970, 2000, 2024, 9999] {
            let year = String("000\(year)".suffix(4))
            for month in 0...13 {
                for day in [0, 1, 15, 28, 29, 30, 31, 32] {
                    let date = [month, day].map { String("0\($0)".suffix(2)) }.joined(separator: "-")
                    compare("\(year)-\(date)T23:59:59Z")
                }
            }
        }
        for time in [
            "00:00:00", "24:00:00", "23:60:00", "23:59:60", "23:59:61", "25:00:00", "12:99:00", "99:00:00",
        ] {
            compare("2024-05-06T\(time)Z")
            compare("2024-12-31T\(time)+01:00")
        }
    }

    @Test func `time zones have equal dates`() {
        for hour in Array(0..<26) + [59, 60, 99] {
            for minute in [0, 59, 60, 99] {
                let (hour, minute) = (String("0\(hour)".suffix(2)), String("0\(minute)".suffix(2)))
                for sign in ["+", "-"] {
                    compare("2024-05-06T07:08:09\(sign)\(hour):\(minute)")
                    compare("2024-05-06T07:08:09\(sign)\(hour)\(minute)")
                }
                compare("2024-05-06T07:08:09+\(hour)")
                compare("2024-05-06T07:08:09-\(hour):\(minute):30")
            }
        }
    }

    @Test func `changed texts are accepted by both or by none`() {
        var accepted = 0
        for text in [
            "2024-05-06T07:08:09Z", "1612-02-29T00:00:00+05:45", "2031-12-24T18:00:00-0800",
            "2024-05-06T07:08:09.25Z",
            "2024-05-06T07:08:09.125+01:00",
        ] {
            let bytes = Array(text.utf8)
            for index in bytes.indices {
                for byte in "09-+:.tZz ".utf8 {
                    accepted +=
                        compare(String(decoding: bytes[..<index] + [byte] + bytes[(index + 1)...], as: UTF8.self))
                        ? 1 : 0
                    accepted +=
                        compare(String(decoding: bytes[..<index] + [byte] + bytes[index...], as: UTF8.self)) ? 1 : 0
                }
                compare(String(decoding: bytes[..<index] + bytes[(index + 1)...], as: UTF8.self))
                compare(String(decoding: bytes[..<index], as: UTF8.self))
            }
            for suffix in ["Z", " ", "0", "x", "é", "\\n"] { compare(text + suffix) }
            compare(" " + text)
        }
        #expect(accepted > 100)
    }

    @Test func `fractions have equal dates`() {
        for digits in ["0", "5", "25", "123", "1234", "123456", "999999999", "9999999999", "0000000001"] {
            for zone in ["Z", "+01:00", "-0330"] { compare("2024-05-06T07:08:09.\(digits)\(zone)") }
        }
    }
}
