import Foundation
import Testing

@Suite struct DateDecodingTests {
    private func date(_ json: String, _ strategy: JSONDecoder.DateDecodingStrategy) throws -> TimeInterval {
        let date = try decode(Date.self, json) { $0.dateDecodingStrategy = strategy }
        let list = try decode([Date].self, "[\(json)]") { $0.dateDecodingStrategy = strategy }
        let box = try decode(Box<Date>.self, "{\"value\":\(json)}") { $0.dateDecodingStrategy = strategy }
        #expect(list == [date] && box.value == date)
        return date.timeIntervalSince1970
    }

    private func failed(_ json: String, _ strategy: JSONDecoder.DateDecodingStrategy) -> String {
        failure([Date].self, "[\(json)]") { $0.dateDecodingStrategy = strategy }
    }

    @Test func `a date is the seconds since 2001 by default`() throws {
        #expect(try date("0", .deferredToDate) == 978_307_200)
        #expect(try date("-0.5", .deferredToDate) == 978_307_199.5)
        #expect(try decode(Date.self, "1e3").timeIntervalSinceReferenceDate == 1000)
    }

    @Test func `dates are seconds and milliseconds since 1970`() throws {
        #expect(try date("1000.25", .secondsSince1970) == 1000.25)
        #expect(try date("-1", .secondsSince1970) == -1)
        #expect(try date("1000250", .millisecondsSince1970) == 1000.25)
        #expect(try date("1500", .millisecondsSince1970) == 1.5)
    }

    @Test(arguments: [
        ("2024-02-29T12:30:45Z", 1_709_209_845.0), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
        ("2024-02-29T12:30:45+01:00", 1_709_206_245), ("2024-02-29T12:30:45-0530", 1_709_229_645),
    ])
    func `dates are ISO 8601`(text: String, seconds: Double) throws {
        #expect(try date("\"\(text)\"", .iso8601) == seconds)
    }

    @Test(arguments: ["", "2024", "2024-02-29", "x", "2024-13-01T00:00:00Z"])
    func `malformed dates are rejected`(text: String) {
        let description = failure(Date.self, "\"\(text)\"") { $0.dateDecodingStrategy = .iso8601 }
        #expect(description == "dataCorrupted - |  | Expected date string to be ISO8601-formatted.")
        // The path is that of the container.
        #expect(failed("\"\(text)\"", .iso8601) == description)
    }

    @Test func `a date is not made from other values`() {
        #expect(failed("\"a\"", .deferredToDate) == mismatch("Double", at: "Index 0(0)", found: "a string"))
        #expect(failed("{}", .secondsSince1970) == mismatch("Double", at: "Index 0(0)", found: "a dictionary"))
        #expect(failed("true", .millisecondsSince1970) == mismatch("Double", at: "Index 0(0)", found: "bool"))
        #expect(failed("12", .iso8601) == mismatch("String", at: "Index 0(0)", found: "number"))
        #expect(failed("null", .deferredToDate) == noValue("Date", at: "Index 0(0)"))
        #expect(failed("null", .secondsSince1970) == noValue("Date", at: "Index 0(0)"))
        #expect(failed("null", .iso8601) == noValue("Date", at: "Index 0(0)"))
        #expect(failed("1e999", .secondsSince1970) == notRepresentable("1e999", in: "Double", at: "Index 0(0)"))
    }

    @Test func `a closure decodes dates`() throws {
        let strategy = JSONDecoder.DateDecodingStrategy.custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return Date(timeIntervalSince1970: Double(text.count))
        }
        #expect(try date("\"12345\"", strategy) == 5)
        #expect(failed("12", strategy) == mismatch("String", at: "Index 0(0)", found: "number"))
    }

    @Test func `a closure of dates receives the path`() throws {
        let paths = Paths()
        _ = try decode([String: [Date]].self, #"{"a":[1,2]}"#) {
            $0.dateDecodingStrategy = .custom { decoder in
                paths.add(decoder.codingPath)
                return Date(timeIntervalSince1970: 0)
            }
        }
        #expect(paths.all == ["a / Index 0(0)", "a / Index 1(1)"])
    }

    @Test func `a closure of dates may throw`() {
        struct Refusal: Error {}
        let strategy = JSONDecoder.DateDecodingStrategy.custom { _ in throw Refusal() }
        #expect(failed("1", strategy) == "Refusal()")
    }

    @Test func `a closure of dates may use containers`() throws {
        let strategy = JSONDecoder.DateDecodingStrategy.custom { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            return Date(timeIntervalSince1970: try container.decode(Double.self, forKey: AnyKey("t")))
        }
        #expect(try date(#"{"t":5}"#, strategy) == 5)
        #expect(failed(#"{"u":5}"#, strategy) == noKey("t", at: "Index 0(0)", of: "AnyKey"))
        #expect(failed("null", strategy) == noValue("Date", at: "Index 0(0)"))
    }

    @Test func `dates are keys and values of dictionaries`() throws {
        let value = try decode([String: Date].self, #"{"a":5}"#) { $0.dateDecodingStrategy = .secondsSince1970 }
        #expect(value == ["a": Date(timeIntervalSince1970: 5)])
        let pairs = try decode([Date: Int].self, "[5,1]") { $0.dateDecodingStrategy = .secondsSince1970 }
        #expect(pairs == [Date(timeIntervalSince1970: 5): 1])
    }
}
