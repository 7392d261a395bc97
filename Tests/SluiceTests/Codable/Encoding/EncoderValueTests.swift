import Foundation
import Sluice
import TestSupport
import Testing

/// Scalars, strings and the types of Foundation.
@Suite struct EncoderValueTests {
    @Test func `numbers have the same text`() throws {
        var numbers: [Double] = [
            0, -0.0, 1, -1, 0.1, 1e15, 1e16, 1e17, 123_456_789_012_345_680, 1e20, 1e21, 1e100, 1e-4, 1e-5, 1.5e-7,
            .pi, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_994,
            9_007_199_254_740_992, 4503599627370497.5, 0.30000000000000004, 100, 1e2, 10, 1_000_000, 1.5, 123.456,
            1e22, 1e-7, 1.5e-10, -2.5e-100, .ulpOfOne, 4503599627370495.5, 1.0 / 3, 2.0 / 3,
        ]
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { numbers.append(number) }
            numbers.append(Double(Int64(truncatingIfNeeded: random.next()) % 1_000_000) / 100)
        }
        try expectSameJSON(numbers)
        try expectSameJSON(numbers.map { [$0] })
        for number in numbers.prefix(40) {
            try expectSameJSON(number)
            try expectSameJSON(["a": number])
        }
        let floats =
            numbers.map { Float($0) }.filter(\.isFinite) + [
                .greatestFiniteMagnitude, .leastNonzeroMagnitude, 16_777_216, 1e10, 1e-10, 1e7,
            ]
        try expectSameJSON(floats)
        for float in floats.prefix(40) { try expectSameJSON(["a": Optional(float)]) }
        try expectSameJSON([Float16(0.1), 1, 65504])
    }

    @Test func `strings have the same escapes`() throws {
        var texts = (0...0x100).map { String(Unicode.Scalar($0)!) }
        texts += [
            "", "/", "//", "a/b", "http://apple.com/", "\"\\/\u{8}\u{C}\n\r\t", "\u{2028}\u{2029}", "é", "日本語", "👩‍👩‍👧‍👦",
            "0123456789abcd/", "0123456789abcde", "0123456789abcdef", "0123456789abcdef/",
            String(repeating: "/", count: 100), "</script>", "'&<>", "é€😀",
            String(repeating: "x", count: 5000) + "\"" + String(repeating: "ä", count: 5000), "e\u{301}",
        ]
        for length in 0..<70 {
            for position in [0, length / 2, length - 1] where length > 0 {
                var characters = Array(repeating: Character("a"), count: length)
                characters[position] = ["/", "\"", "\u{1}", "\n", "ß"][length % 5]
                texts.append(String(characters))
            }
        }
        try expectSameJSON(texts)
        for text in texts {
            try expectSameJSON(text)
            try expectSameJSON([text: text])
        }
    }

    @Test func `values of other types are the same at the root`() throws {
        try expectSameJSON(true)
        try expectSameJSON([true, false])
        try expectSameJSON(Int?.none)
        try expectSameJSON([Int?.none, 3])
        try expectSameJSON(["a": String?.none])
        try expectSameJSON([[String?.none], []] as [[String?]?])
        try expectSameJSON(Optional(Optional("a")))
        try expectSameJSON(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!)
        try expectSameJSON(1..<4)
        try expectSameJSON([1: "a"])
        try expectSameJSON([Int: [Int: Bool]]())
        try expectSameJSON(Set([1]))
        try expectSameJSON(ContiguousArray([1, 2]))
        try expectSameJSON(CGPoint(x: 1, y: 2.5))
        try expectSameJSON(IndexPath(indexes: [1, 2]))
        try expectSameJSON(IndexSet(1...2))
        try expectSameJSON(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 2))
        try expectSameJSON(DateComponents(year: 2024, month: 5))
    }

    // MARK: Foundation's types

    @Test func `dates are the same under every strategy`() throws {
        struct Dated: Encodable {
            let date: Date
            let other: Date?
            let list: [Date]
            let named: [String: Date]
        }
        var random = SeededRandom(seed: 4)
        var dates = [
            Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0), Date.distantPast,
            .distantFuture, Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 1_709_209_845.9),
        ]
        for _ in 0..<100 {
            let seconds = Double(random.next() % 12_000_000_000) - 6_000_000_000
            dates.append(Date(timeIntervalSince1970: seconds + Double(random.next() % 1000) / 1000))
        }
        let strategies: [SluiceJSONEncoder.DateEncodingStrategy] = [
            .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
            .custom { date, encoder in
                var container = encoder.singleValueContainer()
                try container.encode("\(date.timeIntervalSince1970) at \(encoder.codingPath.map(\.stringValue))")
            },
            .custom { date, encoder in
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(date.timeIntervalSince1970, forKey: "time")
            },
            .custom { _, _ in },
        ]
        for strategy in strategies {
            let options = EncoderOptions(dates: strategy)
            try expectSameJSON(dates, options)
            try expectSameJSON(dates[0], options)
            try expectSameJSON(Dated(date: dates[1], other: dates[2], list: dates, named: ["a": dates[5]]), options)
            try expectSameJSON(Dated(date: dates[1], other: nil, list: [], named: [:]), options)
        }
        #if Foundation || canImport(Darwin)
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy/MM/dd"
        formatter.timeZone = .gmt
        try expectSameJSON(dates, EncoderOptions(dates: .formatted(formatter)))
        #endif
    }

    @Test func `data is the same under every strategy`() throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let strategies: [SluiceJSONEncoder.DataEncodingStrategy] = [
            .deferredToData, .base64,
            .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            },
            .custom { _, _ in },
        ]
        for strategy in strategies {
            for data in [Data(), bytes, bytes.dropFirst(7)] {
                try expectSameJSON(data, EncoderOptions(data: strategy))
                try expectSameJSON(["a": data], EncoderOptions(data: strategy))
                try expectSameJSON([data, nil], EncoderOptions(data: strategy))
            }
        }
    }

    @Test func `addresses and decimals are the same`() throws {
        let url = try #require(URL(string: "http://swift.org/a?b=c"))
        try expectSameJSON(url)
        try expectSameJSON([url, URL(string: "d", relativeTo: url)])
        try expectSameJSON(["a": url])
        let texts = [
            "0", "1.5", "-123456789012345678901234567890.12345", "1e-100", "1e100", "18446744073709551616", "-1",
            "0.1", "1e10", "1e-20", "-0.5", "1e40",
        ]
        let decimals = try texts.map { try #require(Decimal(string: $0)) }
        try expectSameJSON(decimals)
        try expectSameJSON(["a": decimals[2]])
        try expectSameJSON(Optional(decimals[1]))
    }

    // MARK: Numbers that JSON does not have

    @Test func `infinite numbers are errors at the same paths`() {
        struct Inner: Encodable {
            let number: Float
        }
        struct Outer: Encodable {
            var list: [Double] = []
            var inner: [Inner] = []
            var optional: Double?
            var named: [String: Double] = [:]
        }
        expectSameError(Double.infinity)
        expectSameError(-Float.infinity)
        expectSameError([Double.nan])
        expectSameError([[1, 2], [Double.infinity]])
        expectSameError([Double?.some(.infinity)])
        expectSameError(["a": ["b": Double.infinity]])
        expectSameError(["12": Float.nan])
        expectSameError([3: Double.nan])
        expectSameError(Outer(list: [1, .nan]))
        expectSameError(Outer(inner: [Inner(number: 1), Inner(number: .infinity)]))
        expectSameError(Outer(optional: -.infinity))
        expectSameError(Outer(named: ["a": 1, "b": .nan]))
        expectSameError(["a": Date(timeIntervalSinceReferenceDate: .nan)])
        expectSameError([Date(timeIntervalSince1970: .infinity)])
        expectSameError([Date(timeIntervalSince1970: -.infinity)], EncoderOptions(dates: .secondsSince1970))
        expectSameError([Date(timeIntervalSince1970: .nan)], EncoderOptions(dates: .millisecondsSince1970))
        expectSameError(
            ["a": Date(timeIntervalSinceReferenceDate: .infinity)], EncoderOptions(dates: .secondsSince1970))
        expectSameError(
            [Date(timeIntervalSinceReferenceDate: .infinity)],
            EncoderOptions(
                dates: .millisecondsSince1970,
                floats: .convertToString(positiveInfinity: "1", negativeInfinity: "2", nan: "3")))
    }
}
