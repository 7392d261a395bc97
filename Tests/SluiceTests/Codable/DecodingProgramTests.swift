import Foundation
import Sluice
import TestSupport
import Testing

/// Types whose initializers make random calls to the decoder: each call has the result that it has with Foundation's decoder.
@Suite struct DecodingProgramTests {
    @Test func `each call of an initializer has the result of Foundation`() throws {
        try forEachRandomCase(6_000) { random, name in
            let json = RandomDocument(&random).text
            let options = Options(&random)
            let state = ProgramSeed(seed: random.next())
            let expected = outcome { try options.foundation(state).decode(Program.self, from: Data(json.utf8)) }
            let result = outcome { try options.sluice(state).decode(Program.self, from: Data(json.utf8)) }
            let isEqual = result == expected
            try #require(isEqual, "\(name), \(options)\n\(json)\n\(difference(result, expected))")
        }
    }

    private func outcome(_ decode: () throws -> Program) -> String {
        do { return try decode().text } catch { return explained(error) }
    }

    /// The lines of two traces around the first that differs.
    private func difference(_ result: String, _ expected: String) -> String {
        let (ours, theirs) = (result.split(separator: "\n"), expected.split(separator: "\n"))
        let same = zip(ours, theirs).prefix { $0 == $1 }.count
        let common = ours[max(0, same - 6)..<same].joined(separator: "\n")
        let next = (ours.dropFirst(same).first ?? "end", theirs.dropFirst(same).first ?? "end")
        return "\(common)\nSluice: \(next.0)\nFoundation: \(next.1)"
    }
}

/// The options of both decoders.
private struct Options {
    private let keys: SluiceJSONDecoder.KeyDecodingStrategy
    private let dates: SluiceJSONDecoder.DateDecodingStrategy
    private let data: SluiceJSONDecoder.DataDecodingStrategy
    private let convertsNumbers: Bool
    private let source: JSONModelDecoder.Source

    init(_ random: inout SeededRandom) {
        keys = random.pick([
            .convertFromSnakeCase, .custom { TextKey($0.last!.stringValue.uppercased()) },
            .custom { TextKey("\($0.count)\($0.last!.stringValue)") }, .useDefaultKeys, .useDefaultKeys,
        ])
        dates = random.pick([
            .secondsSince1970, .millisecondsSince1970, .iso8601,
            .custom { Date(timeIntervalSince1970: try customValue($0)) }, .deferredToDate, .deferredToDate,
        ])
        data = random.pick([
            .deferredToData,
            .custom { Data([UInt8(truncatingIfNeeded: Int(exactly: try customValue($0)) ?? 0)]) }, .base64, .base64,
        ])
        convertsNumbers = random.below(2) == 0
        source = random.pick(JSONModelDecoder.Source.allCases)
    }

    func foundation(_ state: ProgramSeed) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy =
            switch keys {
            case .useDefaultKeys: .useDefaultKeys
            case .convertFromSnakeCase: .convertFromSnakeCase
            case .custom(let convert): .custom(convert)
            }
        switch dates {
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        case .custom(let decode): decoder.dateDecodingStrategy = .custom(decode)
        default: break
        }
        decoder.dataDecodingStrategy =
            switch data {
            case .deferredToData: .deferredToData
            case .base64: .base64
            case .custom(let decode): .custom(decode)
            }
        if convertsNumbers {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        }
        decoder.userInfo[.program] = state
        return decoder
    }

    func sluice(_ state: ProgramSeed) -> SluiceJSONDecoder {
        let decoder = SluiceJSONDecoder()
        decoder.source = source
        decoder.keyDecodingStrategy = keys
        decoder.dateDecodingStrategy = dates
        decoder.dataDecodingStrategy = data
        if convertsNumbers {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        }
        decoder.userInfo[.program] = state
        return decoder
    }
}

/// The value of a closure for dates and data: a number, or the number of keys or elements.
private func customValue(_ decoder: any Decoder) throws -> Double {
    if let number = try? decoder.singleValueContainer().decode(Double.self) { return number }
    if let list = try? decoder.unkeyedContainer() { return Double(list.count ?? -1) }
    return Double(try decoder.container(keyedBy: TextKey.self).allKeys.count)
}

private func explained(_ error: any Error) -> String {
    func line(_ name: String, _ subject: Any, _ context: DecodingError.Context) -> String {
        "\(name) \(subject) at \(path(context.codingPath)): \(context.debugDescription)"
    }
    switch error {
    case DecodingError.typeMismatch(let type, let context): return line("typeMismatch", type, context)
    case DecodingError.valueNotFound(let type, let context): return line("valueNotFound", type, context)
    case DecodingError.keyNotFound(let key, let context): return line("keyNotFound", key.stringValue, context)
    case DecodingError.dataCorrupted(let context): return line("dataCorrupted", "", context)
    default: return "\(error)"
    }
}

/// Describes a value. The description of a date stops the program if the date is not a number.
private func shown(_ value: Any) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSince1970)"
    case let dates as [Date]: "\(dates.map(shown))"
    default: "\(value)"
    }
}

private func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.stringValue + ($0.intValue.map { "(\($0))" } ?? "") }.joined(separator: "/")
}

/// The state of the programs of a document.
private final class ProgramSeed: @unchecked Sendable {
    let seed: UInt64
    /// The number of programs around the current one.
    var depth: UInt64 = 0

    init(seed: UInt64) { self.seed = seed }
}

extension CodingUserInfoKey {
    fileprivate static let program = CodingUserInfoKey(rawValue: "program")!
}

/// A random document, whose keys and strings have meanings for the types of a program.
private struct RandomDocument {
    var text = ""

    init(_ random: inout SeededRandom) { value(&random, depth: 0) }

    static let keys = ["a", "b", "some_key", "someKey", "super", "0", "1", "_c_", "x_y_z", "A", "value"]
    private static let strings = [
        "", "x", "12", "YWJj", "2024-05-06T07:08:09Z", "INF", "NaN", "https://a.b/c", "true", "null", "red",
        "5D41402A-BC4B-2A76-B971-9D911017C592", "a\\nb", "1.5", "\\u0061",
    ]

    private mutating func value(_ random: inout SeededRandom, depth: Int) {
        switch random.below(depth > 3 ? 6 : 12) {
        case 0: text += "null"
        case 1: text += random.below(2) == 0 ? "true" : "false"
        case 2, 3: text += "\(random.below(200))"
        case 4, 5: text += "\"\(random.pick(Self.strings))\""
        case 6, 7, 8:
            text += "["
            for index in 0..<random.below(5) {
                if index > 0 { text += random.below(4) == 0 ? " ,\n" : "," }
                value(&random, depth: depth + 1)
            }
            text += "]"
        default:
            text += "{"
            for index in 0..<random.below(6) {
                if index > 0 { text += random.below(4) == 0 ? " ,\n" : "," }
                text += "\"\(random.pick(Self.keys))\":"
                value(&random, depth: depth + 1)
            }
            text += "}"
        }
    }
}

/// A value that makes random calls to its decoder, and records the results.
private struct Program: Decodable {
    var text = ""

    init(from decoder: any Decoder) throws {
        let state = decoder.userInfo[.program] as! ProgramSeed
        if state.depth > 7 { return }
        state.depth += 1
        defer { state.depth -= 1 }
        // A program depends on its place only, because the elements of dictionaries have no order.
        let start = state.seed &+ state.depth
        let place = path(decoder.codingPath).utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var run = ProgramRun(random: SeededRandom(seed: place))
        run.readers.append(.decoder(decoder))
        try run.perform()
        text = run.text
    }
}

/// A program whose errors are part of its record.
private struct TolerantProgram: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        do { text = try Program(from: decoder).text } catch { text = explained(error) }
    }
}

private enum Color: String, Decodable { case red, green }
private enum Digit: Int, Decodable {
    case one = 1
    case twelve = 12
}
private struct Pair: Decodable {
    var a: Int
    var someKey: String?
}
private enum Payload: Decodable {
    case a(Int)
    case value(x: Int?)
    case b
}
private class Base: Decodable { let a: Int? }
private final class Derived: Base {
    let b: String?
    enum CodingKeys: CodingKey { case b }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decodeIfPresent(String.self, forKey: .b)
        try super.init(from: container.superDecoder())
    }
}

private enum Reader {
    case decoder(any Decoder)
    case keyed(KeyedDecodingContainer<TextKey>)
    case unkeyed(any UnkeyedDecodingContainer)
    case single(any SingleValueDecodingContainer)
}

private struct ProgramRun {
    var random: SeededRandom
    var readers: [Reader] = []
    var text = ""

    /// Makes the calls. An error ends the program, or is recorded.
    mutating func perform() throws {
        for _ in 0...random.below(9) {
            let index = random.below(3) == 0 ? random.below(readers.count) : readers.count - 1
            do { try step(index) } catch {
                text += "  \(explained(error))\n"
                if random.below(6) == 0 { throw error }
            }
        }
    }

    private mutating func record(_ call: String, _ result: Any) { text += "\(call) = \(shown(result))\n" }

    private mutating func step(_ index: Int) throws {
        switch readers[index] {
        case .decoder(let decoder):
            text += "decoder \(path(decoder.codingPath))\n"
            switch random.below(5) {
            case 0, 1: readers.append(.keyed(try decoder.container(keyedBy: TextKey.self)))
            case 2, 3: readers.append(.unkeyed(try decoder.unkeyedContainer()))
            default: readers.append(.single(try decoder.singleValueContainer()))
            }
        case .keyed(let container): try keyed(container)
        case .unkeyed(var container):
            defer { readers[index] = .unkeyed(container) }
            try unkeyed(&container)
        case .single(let container): try single(container)
        }
    }

    private mutating func keyed(_ container: KeyedDecodingContainer<TextKey>) throws {
        let present = container.allKeys.sorted { $0.stringValue < $1.stringValue }
        let key: TextKey
        if !present.isEmpty, random.below(4) > 0 {
            key = random.pick(present)
        } else if random.below(6) == 0 {
            key = TextKey(intValue: random.below(3))
        } else {
            key = TextKey(random.pick(RandomDocument.keys))
        }
        text += "keyed \(path(container.codingPath)) \(present.map(\.stringValue)) \(key.stringValue)\n"
        switch random.below(12) {
        case 0: record("contains", container.contains(key))
        case 1: record("decodeNil", try container.decodeNil(forKey: key))
        case 2: readers.append(.keyed(try container.nestedContainer(keyedBy: TextKey.self, forKey: key)))
        case 3: readers.append(.unkeyed(try container.nestedUnkeyedContainer(forKey: key)))
        case 4: readers.append(.decoder(try container.superDecoder()))
        case 5: readers.append(.decoder(try container.superDecoder(forKey: key)))
        default: try value(.keyed(container, key))
        }
    }

    private mutating func unkeyed(_ container: inout any UnkeyedDecodingContainer) throws {
        text +=
            "unkeyed \(path(container.codingPath)) \(container.count ?? -1) \(container.currentIndex) \(container.isAtEnd)\n"
        switch random.below(9) {
        case 0: record("decodeNil", try container.decodeNil())
        case 1: readers.append(.keyed(try container.nestedContainer(keyedBy: TextKey.self)))
        case 2: readers.append(.unkeyed(try container.nestedUnkeyedContainer()))
        case 3: readers.append(.decoder(try container.superDecoder()))
        default:
            var place = Place.unkeyed(container)
            defer { if case .unkeyed(let changed) = place { container = changed } }
            try value(&place)
        }
    }

    private mutating func single(_ container: any SingleValueDecodingContainer) throws {
        text += "single \(path(container.codingPath))\n"
        if random.below(5) == 0 { return record("decodeNil", container.decodeNil()) }
        try value(.single(container))
    }

    private enum Place {
        case keyed(KeyedDecodingContainer<TextKey>, TextKey)
        case unkeyed(any UnkeyedDecodingContainer)
        case single(any SingleValueDecodingContainer)

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            switch self {
            case .keyed(let container, let key): return try container.decode(type, forKey: key)
            case .unkeyed(var container):
                defer { self = .unkeyed(container) }
                return try container.decode(type)
            case .single(let container): return try container.decode(type)
            }
        }

        mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
            switch self {
            case .keyed(let container, let key): return try container.decodeIfPresent(type, forKey: key)
            case .unkeyed(var container):
                defer { self = .unkeyed(container) }
                return try container.decodeIfPresent(type)
            case .single(let container): return try container.decode(T?.self)
            }
        }
    }

    private mutating func value(_ place: Place) throws {
        var place = place
        try value(&place)
    }

    private mutating func value(_ place: inout Place) throws {
        switch random.below(34) {
        case 0: try value(of: Bool.self, &place)
        case 1: try value(of: String.self, &place)
        case 2: try value(of: Double.self, &place)
        case 3: try value(of: Float.self, &place)
        case 4: try value(of: Int.self, &place)
        case 5: try value(of: Int64.self, &place)
        case 6: try value(of: Int16.self, &place)
        case 7: try value(of: [Int].self, &place)
        case 8: try value(of: [String].self, &place)
        case 9: try value(of: [Int?].self, &place)
        case 10: try value(of: Int?.self, &place)
        case 11: try value(of: Date.self, &place)
        case 12: try value(of: Data.self, &place)
        case 13: try value(of: URL.self, &place)
        case 14: try value(of: UUID.self, &place)
        case 15: try value(of: Decimal.self, &place)
        case 16: try value(of: Color.self, &place)
        case 17: try value(of: Digit.self, &place)
        case 18: try value(of: Pair.self, &place)
        case 19: try value(of: Payload.self, &place)
        case 20: try value(of: [Pair].self, &place)
        case 21: try value(of: ClosedRange<Int>.self, &place)
        case 22:
            let derived = try place.decode(Derived.self)
            record("Derived", "\(String(describing: derived.a)) \(String(describing: derived.b))")
        case 23: record("[Program]", try place.decode([Program].self).map(\.text).joined(separator: "\n| "))
        case 24:
            record(
                "[Program?]", try place.decode([Program?].self).map { $0?.text ?? "nil" }.joined(separator: "\n| "))
        case 25:
            let members = try place.decode([String: TolerantProgram].self)
            record(
                "members",
                members.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }.joined(separator: "\n| "))
        case 26: record("Program?", try place.decodeIfPresent(Program.self)?.text ?? "nil")
        case 27: record("Set", try place.decode(Set<String>.self).sorted())
        case 28: try value(of: Date?.self, &place)
        case 29: try value(of: [Date].self, &place)
        default: record("Program", try place.decode(Program.self).text)
        }
    }

    private mutating func value<T: Decodable>(of type: T.Type, _ place: inout Place) throws {
        text += "\(type)\n"
        if random.below(3) == 0 {
            record("decodeIfPresent", try place.decodeIfPresent(type).map(shown) ?? "nil")
        } else {
            record("decode", try place.decode(type))
        }
    }
}
