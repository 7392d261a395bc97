import Foundation
import Sluice
import TestSupport
import Testing

/// Types that make random calls to their encoder: the output, and the errors that the calls throw, are those of Foundation's encoder.
@Suite struct EncodingProgramTests {
    @Test func `each program has the output of Foundation`() throws {
        try forEachRandomCase(6_000) { random, name in
            let options = Self.options(&random)
            let seed = random.next()
            let expected = Self.outcome(seed) { try options.foundation.encode($0) }
            let result = Self.outcome(seed) { try options.sluice.encode($0) }
            let isEqual = result == expected
            try #require(isEqual, "\(name)\n\(options)\nSluice: \(result)\nFoundation: \(expected)")
        }
    }

    private static func options(_ random: inout SeededRandom) -> EncoderOptions {
        var options = EncoderOptions()
        if random.below(3) == 0 { options.formatting.insert(.prettyPrinted) }
        if random.below(3) == 0 { options.formatting.insert(.withoutEscapingSlashes) }
        options.dates = random.pick([
            .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom(customDate),
            .custom { _, _ in },
        ])
        options.data = random.pick([.deferredToData, .base64, .custom(customData), .custom { _, _ in }])
        if random.below(2) == 0 {
            options.floats = .convertToString(positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        }
        options.keys = random.pick([
            .useDefaultKeys, .useDefaultKeys, .convertToSnakeCase,
            .custom { TextKey($0.last!.stringValue.uppercased()) },
        ])
        return options
    }

    private static func customDate(_ date: Date, _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TextKey.self)
        try container.encode(date.timeIntervalSince1970, forKey: TextKey("time"))
    }

    private static func customData(_ data: Data, _ encoder: any Encoder) throws {
        if data.isEmpty { throw CallError() }
        var container = encoder.unkeyedContainer()
        try container.encode(contentsOf: data)
    }

    private static func outcome(_ seed: UInt64, _ encode: (Calls) throws -> Data) -> String {
        let record = CallRecord()
        let calls = Calls(seed: seed, depth: 0, record: record)
        do {
            let data = try encode(calls)
            return "\(record.text)\(String(decoding: data, as: UTF8.self))"
        } catch {
            return "\(record.text)\(described(error))"
        }
    }
}

/// The error of a closure that encodes data.
private struct CallError: Error {}
/// The error of a value whose calls failed.
private struct NestedCallError: Error {}

/// The calls of a program, and the errors that it has caught.
private final class CallRecord { var text = "" }

/// Describes an error without its path, which Foundation does not know in nested containers.
private func described(_ error: any Error) -> String {
    if case EncodingError.invalidValue(let value, let context) = error {
        return "invalidValue \(type(of: value)) \(context.debugDescription)"
    }
    return "\(error)"
}

private enum Shade: String, Encodable { case red, green }
private enum Figure: Encodable {
    case circle(radius: Double)
    case square(Int, Int?)
    case none
}
private struct Row: Encodable {
    var id = 1
    var someName: String?
    var dates: [Date] = []
}
private class Parent: Encodable { var one = 1 }
private final class Child: Parent {
    var two: String? = "2"
    enum CodingKeys: CodingKey { case two }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(two, forKey: .two)
        try super.encode(to: container.superEncoder())
    }
}
/// A value that writes nothing.
private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }

/// A value that makes random calls to its encoder.
private struct Calls: Encodable {
    let seed: UInt64
    let depth: Int
    let record: CallRecord
    /// The containers of outer values.
    var outer: [Writer] = []

    func encode(to encoder: any Encoder) throws {
        var run = CallRun(random: SeededRandom(seed: seed), depth: depth, record: record, writers: outer)
        try run.perform(encoder)
    }
}

private enum Writer {
    case encoder(any Encoder)
    case keyed(KeyedEncodingContainer<TextKey>)
    case unkeyed(any UnkeyedEncodingContainer)
}

private struct CallRun {
    var random: SeededRandom
    let depth: Int
    let record: CallRecord
    /// The containers of the value, after those of outer values.
    var writers: [Writer]

    private static let keys = ["a", "b", "someKey", "some_key", "xYZ", "super", "é", "with/slash", "q\"", ""]

    init(random: SeededRandom, depth: Int, record: CallRecord, writers: [Writer]) {
        (self.random, self.depth, self.record, self.writers) = (random, depth, record, writers)
    }

    /// Makes the calls. An encoder stops the program if it is asked for containers of two kinds, or for two values.
    mutating func perform(_ encoder: any Encoder) throws {
        do { try open(encoder) } catch { throw NestedCallError() }
        for _ in 0..<random.below(8) where !writers.isEmpty {
            let index = random.below(2) == 0 ? random.below(writers.count) : writers.count - 1
            do { try step(index) } catch {
                record.text += "\(described(error))\n"
                // After an error of nested calls, or of its own, Foundation's encoder writes other values or stops the program.
                guard error is CallError, random.below(6) > 0 else { throw NestedCallError() }
            }
        }
    }

    private mutating func open(_ encoder: any Encoder) throws {
        record.text += "open\n"
        switch random.below(8) {
        case 0: break
        case 1:
            var container = encoder.singleValueContainer()
            if random.below(5) == 0 { try container.encodeNil() } else { try value { try container.encode($0) } }
        case 2, 3, 4:
            writers.append(.keyed(encoder.container(keyedBy: TextKey.self)))
            if random.below(4) == 0 { writers.append(.keyed(encoder.container(keyedBy: TextKey.self))) }
        default:
            writers.append(.unkeyed(encoder.unkeyedContainer()))
            if random.below(4) == 0 { writers.append(.unkeyed(encoder.unkeyedContainer())) }
        }
    }

    private mutating func step(_ index: Int) throws {
        switch writers[index] {
        case .encoder(let encoder):
            writers.remove(at: index)
            try open(encoder)
        case .keyed(var container):
            try keyed(&container)
        case .unkeyed(var container):
            defer { if writers.indices.contains(index) { writers[index] = .unkeyed(container) } }
            try unkeyed(&container)
        }
    }

    private mutating func keyed(_ container: inout KeyedEncodingContainer<TextKey>) throws {
        let text = random.pick(Self.keys)
        record.text += "key \(text)\n"
        let key = TextKey(text)
        // Members with the same key after its conversion have the same kind.
        switch text.lowercased().replacing("_", with: "").utf8.reduce(0, { $0 + Int($1) }) % 4 {
        case 0:
            writers.append(.keyed(container.nestedContainer(keyedBy: TextKey.self, forKey: key)))
        case 1:
            writers.append(.unkeyed(container.nestedUnkeyedContainer(forKey: key)))
        default:
            switch random.below(8) {
            case 0: try container.encodeNil(forKey: key)
            case 1: try container.encodeIfPresent(random.below(2) == 0 ? nil : 7, forKey: key)
            case 2: try container.encodeIfPresent(random.below(2) == 0 ? nil : Row(), forKey: key)
            default: try value { try container.encode($0, forKey: key) }
            }
        }
    }

    private mutating func unkeyed(_ container: inout any UnkeyedEncodingContainer) throws {
        record.text += "count \(container.count)\n"
        switch random.below(10) {
        case 0: writers.append(.keyed(container.nestedContainer(keyedBy: TextKey.self)))
        case 1: writers.append(.unkeyed(container.nestedUnkeyedContainer()))
        case 2: writers.append(.encoder(container.superEncoder()))
        case 3: try container.encodeNil()
        case 4: try container.encode(contentsOf: [1, 2, 3])
        case 5: try container.encode(contentsOf: ["a", "b/c"])
        default: try value { try container.encode($0) }
        }
    }

    private mutating func value(_ encode: (any Encodable) throws -> Void) throws {
        let inner = Calls(
            seed: random.next(), depth: depth + 1, record: record,
            outer: writers.filter { if case .encoder = $0 { false } else { true } })
        let kind = random.below(depth > 3 ? 22 : 30)
        record.text += "value \(kind)\n"
        switch kind {
        case 0: try encode(true)
        case 1: try encode(random.below(1000) - 500)
        case 2: try encode(UInt8(random.below(256)))
        case 3: try encode(random.pick([0, -0.0, 1.5, 1e300, .leastNonzeroMagnitude, 0.1, 100]))
        case 4: try encode(random.pick([Double.nan, .infinity, -.infinity]))
        case 5: try encode(random.pick([Float.nan, 0.1, 3, .infinity]))
        case 6: try encode(random.pick(["", "é/\"\\", "\u{1}\n\u{2028}", "a text of more than fifteen bytes"]))
        case 7: try encode(Date(timeIntervalSince1970: Double(random.below(1_000_000)) / 4))
        case 8: try encode(Data(0..<UInt8(random.below(5))))
        case 9: try encode(URL(string: "https://a.b/c?d=e")!)
        case 10: try encode(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        case 11: try encode(Decimal(string: random.pick(["1.5", "-0.001", "123456789012345678901234567890"]))!)
        case 12: try encode(Shade.green)
        case 13: try encode(random.pick([Figure.circle(radius: 1), .circle(radius: .nan), .square(1, nil), .none]))
        case 14: try encode([Row(), Row(id: 2, someName: "x", dates: [Date(timeIntervalSince1970: 3)])])
        case 15: try encode(Child())
        case 16: try encode([1: "a", 2: "b"])
        case 17: try encode(["someKey": 1.5, "other_key": random.below(3) == 0 ? Double.nan : 2])
        case 18: try encode([Double?.none, 1])
        case 19: try encode(Int?.none)
        case 20: try encode(random.pick([Nothing()]))
        case 21: try encode([Nothing()])
        case 22: try encode([inner, inner])
        case 23: try encode(["aKey": inner])
        default: try encode(inner)
        }
    }
}
