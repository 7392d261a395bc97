/// The observed strings of a value: their number, the formats that all of them have, and their different contents, if few.
struct StringObservation {
    private(set) var count = 0
    /// The formats of all strings so far.
    private(set) var formats: StringFormats = .all
    /// The different strings; nil if there are too many, or one does not suit an enum.
    private(set) var distinct: DistinctStrings? = DistinctStrings()

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        count += 1
        if !formats.isEmpty { formats = formats.matching(text) }
        if distinct != nil, distinct?.add(text) == false { distinct = nil }
    }

    /// Adds a string that occurs several times.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, times: Int) {
        add(text)
        count += times - 1
    }

    mutating func merge(_ other: StringObservation) {
        count += other.count
        formats.formIntersection(other.formats)
        guard let added = other.distinct else {
            if other.count > 0 { distinct = nil }
            return
        }
        if distinct?.merge(added) == false { distinct = nil }
    }

    mutating func reset() { self = StringObservation() }
}

/// The formats of a string. The values of all but ``anyUUID`` and ``anyDate`` are encoded as the same text.
struct StringFormats: OptionSet {
    let rawValue: UInt8

    /// A UUID in uppercase, which Foundation writes.
    static let uuid = StringFormats(rawValue: 1)
    /// A date in UTC with the fewest fractional digits, which `JSONDateStrategy.automatic` writes.
    static let date = StringFormats(rawValue: 2)
    /// A date in UTC with three fractional digits, which the transform `.iso8601WithFractionalSeconds` writes.
    static let millisecondDate = StringFormats(rawValue: 4)
    /// A URL with a host, in characters that Foundation does not change.
    static let url = StringFormats(rawValue: 8)
    /// A UUID in any case.
    static let anyUUID = StringFormats(rawValue: 16)
    /// A date with a time zone, which `JSONDateStrategy.automatic` decodes.
    static let anyDate = StringFormats(rawValue: 32)
    static let all: StringFormats = [.uuid, .date, .millisecondDate, .url, .anyUUID, .anyDate]

    /// Returns these formats without those that a string does not have.
    func matching(_ text: UnsafeBufferPointer<UInt8>) -> StringFormats {
        var result = self
        if result.contains(.anyUUID) {
            if !Self.isUUID(text) {
                result.subtract([.uuid, .anyUUID])
            } else if result.contains(.uuid), text.contains(where: { $0 | 0x20 == $0 && $0.isASCIILetter }) {
                result.remove(.uuid)
            }
        }
        if result.contains(.anyDate) {
            result.subtract(StringFormats([.date, .millisecondDate, .anyDate]).subtracting(Self.dateFormats(text)))
        }
        if result.contains(.url), !Self.isURL(text) { result.remove(.url) }
        return result
    }

    private static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            let isValid =
                switch index {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: byte.isHexadecimal
                }
            if !isValid { return false }
        }
        return true
    }

    // MARK: Dates

    private static func dateFormats(_ text: UnsafeBufferPointer<UInt8>) -> StringFormats {
        // 2024-05-06T07:08:09Z, with or without a fraction, or with an offset from UTC.
        guard text.count >= 20, text.count <= 40,
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text, 0..<4), let month = number(text, 5..<7), let day = number(text, 8..<10),
            let hour = number(text, 11..<13), let minute = number(text, 14..<16),
            let second = number(text, 17..<19),
            year >= 1, (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return [] }
        var end = 19
        if text[end] == UInt8(ascii: ".") {
            end += 1
            while end < text.count, text[end].isDigit { end += 1 }
            if end == 20 || end == text.count { return [] }
        }
        guard text[end] == UInt8(ascii: "Z"), text.count == end + 1 else {
            return isOffset(text, from: end) ? .anyDate : []
        }
        if end == 19 { return [.date, .anyDate] }
        let digits = end - 20
        if digits > 6 { return .anyDate }
        var formats: StringFormats = digits == 3 ? [.millisecondDate, .anyDate] : .anyDate
        // A double holds microseconds only near its origin, the year 2001.
        let isPrecise = digits <= 3 || (1970...2060).contains(year)
        if isPrecise, text[text.count - 2] != UInt8(ascii: "0") { formats.insert(.date) }
        return formats
    }

    /// Whether the rest of a text is an offset from UTC, such as `+02:00`.
    private static func isOffset(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        guard text.count == start + 6, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(text[start]),
            text[start + 3] == UInt8(ascii: ":"), let hours = number(text, start + 1..<start + 3),
            let minutes = number(text, start + 4..<start + 6)
        else { return false }
        return hours < 24 && minutes < 60
    }

    private static func number(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            guard text[index].isDigit else { return nil }
            value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
        }
        return value
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // MARK: URLs

    /// Whether a string is an absolute URL of a conservative grammar: scheme, ASCII host, and characters of RFC 3986 with whole
    /// escapes.
    private static func isURL(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = afterScheme(text) else { return false }
        var index = start
        while index < text.count, text[index].isHostCharacter { index += 1 }
        guard index > start, text[start] != UInt8(ascii: "."), text[start] != UInt8(ascii: "-") else {
            return false
        }
        if index < text.count, text[index] == UInt8(ascii: ":") {
            let port = index + 1
            index = port
            while index < text.count, text[index].isDigit { index += 1 }
            guard (1...4).contains(index - port) else { return false }
        }
        if index == text.count { return true }
        guard [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(text[index]) else { return false }
        var hasFragment = false
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < text.count, text[index + 1].isHexadecimal, text[index + 2].isHexadecimal else {
                    return false
                }
                index += 3
                continue
            }
            if byte == UInt8(ascii: "#") {
                if hasFragment { return false }
                hasFragment = true
            } else if !byte.isURLCharacter {
                return false
            }
            index += 1
        }
        return true
    }

    /// Returns the index after `http://`, `https://` or another of a few schemes with a host.
    private static func afterScheme(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        schemes.first { $0.utf8CodeUnitCount < text.count && $0.isPrefix(of: text) }?.utf8CodeUnitCount
    }

    private static let schemes: [StaticString] = ["https://", "http://", "ftp://", "wss://", "ws://"]
}

extension StaticString {
    fileprivate func isPrefix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<utf8CodeUnitCount where utf8Start[index] != text[index] { return false }
        return true
    }
}

extension UInt8 {
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isHexadecimal: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 6 }
    fileprivate var isHostCharacter: Bool {
        isDigit || isASCIILetter || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
    }

    /// The unreserved characters, and the reserved ones except brackets and `#`.
    fileprivate var isURLCharacter: Bool {
        if isDigit || isASCIILetter { return true }
        return switch Unicode.Scalar(self) {
        case "-", ".", "_", "~", ":", "/", "?", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }
}

/// Different strings, up to the greatest number of cases of an enum.
struct DistinctStrings {
    private struct Entry {
        let hash: UInt64
        let text: String
    }

    private var entries: [Entry] = []
    /// The entry of the last string.
    private var last = 0

    /// The strings in the order of their first occurrences.
    var strings: [String] { entries.map(\.text) }

    /// Adds a string. Returns false if it does not suit an enum, or if there are too many.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count <= Bounds.enumCaseLength, !text.isEmpty else { return false }
        let hash = TextHash.hash(text)
        if last < entries.count, entries[last].hash == hash, Self.isEqual(entries[last].text, text) { return true }
        for index in entries.indices where entries[index].hash == hash && Self.isEqual(entries[index].text, text) {
            last = index
            return true
        }
        guard entries.count < Bounds.enumCases, Self.isName(text) else { return false }
        last = entries.count
        entries.append(Entry(hash: hash, text: String(decoding: text, as: UTF8.self)))
        return true
    }

    /// Adds other strings. Returns false if there are too many.
    mutating func merge(_ other: DistinctStrings) -> Bool {
        for text in other.strings {
            var text = text
            if !text.withUTF8({ add($0) }) { return false }
        }
        return true
    }

    private static func isEqual(_ string: String, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        string.utf8.withContiguousStorageIfAvailable { $0.count == text.count && TextHash.isEqual($0, text) }
            ?? string.utf8.elementsEqual(text)
    }

    /// Whether a string begins with a letter and consists of letters, digits and separators in ASCII.
    private static func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text[0].isASCIILetter else { return false }
        return text.allSatisfy { byte in
            if byte.isDigit || byte.isASCIILetter { return true }
            return switch Unicode.Scalar(byte) {
            case " ", "_", "-", ".", "/", ":", "+": true
            default: false
            }
        }
    }
}

/// A hash of bytes, which is the same in every process.
enum TextHash {
    /// Whether two texts of the same length are equal.
    @inline(__always)
    static func isEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let one = UnsafeRawPointer(one.baseAddress), let base = UnsafeRawPointer(other.baseAddress) else {
            return true
        }
        func isEqualWord(at index: Int) -> Bool {
            one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        }
        var index = 0
        while index + 8 <= other.count {
            if !isEqualWord(at: index) { return false }
            index += 8
        }
        if other.count >= 8 { return isEqualWord(at: other.count - 8) }
        while index < other.count {
            if one.load(fromByteOffset: index, as: UInt8.self) != base.load(fromByteOffset: index, as: UInt8.self) {
                return false
            }
            index += 1
        }
        return true
    }

    static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(text.count)
        var index = 0
        guard let base = UnsafeRawPointer(text.baseAddress) else { return hash }
        while index + 8 <= text.count {
            hash = mix(hash ^ base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var tail: UInt64 = 0
        while index < text.count {
            tail = tail << 8 | UInt64(text[index])
            index += 1
        }
        return mix(hash ^ tail)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
