import Foundation
import Sluice
import TestSupport
import Testing

@Suite struct DateTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0),
        ("2001-01-01T00:00:00Z", 978_307_200),
        ("2024-02-29T23:59:59Z", 1_709_251_199),
        ("2024-05-06T07:08:09Z", 1_714_979_289),
        ("2024-05-06t07:08:09z", 1_714_979_289),
        ("2024-05-06T09:08:09+02:00", 1_714_979_289),
        ("2024-05-06T09:08:09+0200", 1_714_979_289),
        ("2024-05-06T09:08:09+02", 1_714_979_289),
        ("2024-05-05T21:38:09-09:30", 1_714_979_289),
        ("2024-05-06T07:08:09-00:00", 1_714_979_289),
        ("2024-05-06T07:08:09.5Z", 1_714_979_289.5),
        ("2024-05-06T07:08:09.000000000000000000000000Z", 1_714_979_289),
        ("2024-05-06T07:08:09.12500000000000000000000000000001+00:00", 1_714_979_289.125),
        ("1969-12-31T23:59:59.75Z", -0.25),
        ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("1582-10-10T00:00:00Z", -12_219_724_800),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("0000-03-01T00:00:00Z", -62_162_035_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `ISO 8601 dates are decoded`(text: String, seconds: Double) throws {
        #expect(try decode(Date.self, "\"\(text)\"") == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        ("", "is not like 2024-05-06T07:08:09Z"),
        ("tomorrow", "is not like 2024-05-06T07:08:09Z"),
        ("2024-05-06", "is not like 2024-05-06T07:08:09Z"),
        ("2024-05-06 07:08:09Z", "is not like 2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08Z", "is not like 2024-05-06T07:08:09Z"),
        ("20240506T070809Z", "is not like 2024-05-06T07:08:09Z"),
        ("2024-W19-1T07:08:09Z", "is not like 2024-05-06T07:08:09Z"),
        ("+2024-05-06T07:08:09Z", "is not like 2024-05-06T07:08:09Z"),
        ("2024-5-6T07:08:09Z", "is not like 2024-05-06T07:08:09Z"),
        ("２０２４-05-06T07:08:09Z", "is not like 2024-05-06T07:08:09Z"),
        ("2024-05-06T07:08:09", "lacks its time zone: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09.5", "lacks its time zone: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09.Z", "has no digit after the decimal sign"),
        ("2024-05-06T07:08:09,25Z", "has a comma before the fraction of the second; RFC 3339 requires a point"),
        ("2024-05-06T07:08:09 Z", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09CET", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09+2", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09+02:", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09+24:00", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09+02:60", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-05-06T07:08:09Z ", "has no time zone that can be read: Z, or an offset such as +02:00"),
        ("2024-00-06T07:08:09Z", "is not a calendar day"),
        ("2024-13-06T07:08:09Z", "is not a calendar day"),
        ("2024-05-00T07:08:09Z", "is not a calendar day"),
        ("2024-04-31T07:08:09Z", "is not a calendar day"),
        ("2023-02-29T07:08:09Z", "is not a calendar day"),
        ("1900-02-29T07:08:09Z", "is not a calendar day"),
        ("2024-05-06T24:00:01Z", "is not a time of day"),
        ("2024-05-06T24:00:00.5Z", "is not a time of day"),
        ("2024-05-06T24:01:00Z", "is not a time of day"),
        ("2024-05-06T07:60:09Z", "is not a time of day"),
        ("2016-12-31T23:59:61Z", "is not a time of day"),
    ])
    func `strings that are not ISO 8601 dates are refused with a reason`(text: String, why: String) {
        #expect(
            issue(Date.self, "\"\(text)\"")?.kind
                == .invalidValue(
                    expected: "a date (ISO 8601 text, or seconds since 1970)", reason: "\"\(text)\" \(why)"))
    }

    #if Foundation || canImport(Darwin)
    @Test(arguments: [
        "2016-12-31T23:59:60Z", "2017-01-01T01:29:60+01:30", "2016-12-31T24:00:00Z", "2016-12-31T24:00:00.00Z",
    ])
    func `leap seconds and ends of days are the dates of Foundation`(text: String) throws {
        let date = try decode(Date.self, "\"\(text)\"")
        #expect(date == (try Date.ISO8601FormatStyle().parse(text.replacing(".00", with: ""))))
        let decoder = SluiceJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode([Date].self, from: "[\"\(text)\"]") == [date])
    }

    @Test(arguments: [
        ("2024-05-06", true), ("2024-05-06 07:08:09", true), ("06.05.2024", true), ("", true),
        ("2024-05-06T07:08", false), ("2024-05-06T07:08:09", false), ("2024-13-06T07:08:09Z", false),
    ])
    func `a string of another form has a hint`(text: String, hasHint: Bool) {
        let hint = issue(Date.self, "\"\(text)\"")?.hint
        #expect(hint == (hasHint ? "for another form, use JSONDateStrategy.format" : nil))
    }
    #endif

    @Test func `days of four centuries are decoded`() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        var day = -86_400 * 200 * 365
        while day < 86_400 * 200 * 365 {
            let date = Date(timeIntervalSince1970: Double(day))
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            let text = "\"\(parts.year!)-\(two(parts.month!))-\(two(parts.day!))T00:00:00Z\""
            let read = try JSONModelDecoder().decode(Date.self, from: text)
            if read != date { Issue.record("\(text) is \(read), not \(date)") }
            day += 86_400 * 13
        }
    }

    @Test(arguments: [
        ("0", 0.0), ("-1.5", -1.5), ("1714979289", 1_714_979_289), ("1.714979289125e9", 1_714_979_289.125),
    ])
    func `numbers are decoded as seconds since 1970`(text: String, seconds: Double) throws {
        #expect(try decode(Date.self, text) == Date(timeIntervalSince1970: seconds))
    }

    @Test func `values of other kinds and out of range are refused`() {
        let expected = "a date (ISO 8601 text, or seconds since 1970)"
        #expect(issue(Date.self, "true")?.kind == .typeMismatch(expected: expected, found: "a boolean"))
        #expect(issue(Date.self, "{}")?.kind == .typeMismatch(expected: expected, found: "an object"))
        #expect(issue(Date.self, "null")?.kind == .nullValue(expected: expected))
        #expect(issue(Date.self, "1e400")?.kind == .numberOutOfRange(type: "Date", text: "1e400"))
    }
}
