import SluiceCodable
import SluiceCore
import TestSupport
import Testing

/// Scalars, at their bounds.
@Suite(.tags(.encoding)) struct ScalarEncodingTests {
    private func bounds<T: FixedWidthInteger & JSONConvertible>(_: T.Type) throws {
        for value in [T.min, T.min + 1, 0, 1, 9, 10, 99, 100, T.max - 1, T.max] {
            #expect(try encode(value) == "\(value)")
        }
        #expect(try encode([T.max, T.min, 0]) == "[\(T.max),\(T.min),0]")
    }

    @Test func `integers of every width are written at their bounds`() throws {
        try bounds(Int.self)
        try bounds(Int8.self)
        try bounds(Int16.self)
        try bounds(Int32.self)
        try bounds(Int64.self)
        try bounds(Int128.self)
        try bounds(UInt.self)
        try bounds(UInt8.self)
        try bounds(UInt16.self)
        try bounds(UInt32.self)
        try bounds(UInt64.self)
        try bounds(UInt128.self)
    }

    @Test func `integers of every length are written`() throws {
        var random = SeededRandom(seed: 5)
        var values: [Int] = []
        for length in 1...18 {
            let power = (1..<length).reduce(1) { power, _ in power * 10 }
            values += [power, power + 1, power * 10 - 1]
            values += (0..<200).map { _ in power + random.below(power * 9) }
            // One digit that is zero, and two, at each place.
            let units = (0..<length).map { place in (0..<place).reduce(1) { unit, _ in unit * 10 } }
            values += units.map { power * 10 - 1 - 9 * $0 } + units.dropLast().map { power * 10 - 1 - 99 * $0 }
        }
        values += values.map { -$0 }
        for value in values { #expect(try encode(value) == "\(value)") }
        #expect(try encode(values) == "[" + values.map(String.init).joined(separator: ",") + "]")
    }

    /// Short arrays are written several at once.
    @Test func `arrays of coordinates are written like their parts`() throws {
        var random = SeededRandom(seed: 3)
        let special = [0, -0.0, 0.5, -0.25, 1e300, .leastNonzeroMagnitude, 0.1, -3, 1e-5, .infinity, .nan]
        let encoder = JSONModelEncoder.with { $0.nonConformingFloatStrategy = .null }
        for _ in 0..<2_000 {
            let values = (0..<random.below(40)).map { _ in
                (0..<[0, 1, 2, 2, 3, 15, 16, 17, 40][random.below(9)]).map { _ in
                    random.below(4) == 0
                        ? special[random.below(special.count)] : Double(random.below(1 << 30)) / 1e7 - 50
                }
            }
            let parts = try values.map { part in
                "[" + (try part.map { try encoder.encode($0, as: .string) }).joined(separator: ",") + "]"
            }
            #expect(try encoder.encode(values, as: .string) == "[" + parts.joined(separator: ",") + "]")
        }
    }

    @Test func `a number of coordinates that is not finite is an error with its path`() throws {
        for count in [1, 2, 16, 17, 100] {
            var values = Array(repeating: Array(repeating: 1.5, count: count), count: 30)
            values[20][count - 1] = .nan
            let error = #expect(throws: JSONModelError.self) { try encode(values) }
            #expect(error?.issues.first?.path == JSONPath([.index(20), .index(count - 1)]))
        }
    }

    @Test func `many arrays without elements are written`() throws {
        let text = try encode(Array(repeating: [Double](), count: 100_000))
        #expect(text.utf8.count == 300_001 && text.hasPrefix("[[],[],"))
    }

    @Test(arguments: [
        0.0, -0.0, 1, -1, 0.1, 0.5, 12.34, 100, 1e15, 1e16, 123_456_789.123456, 0.001, 0.0001, 0.000_123, 1e-7,
        1e22, 1e23, .pi, .leastNonzeroMagnitude, 2.2250738585072014e-308, 1.7976931348623157e308,
        9_007_199_254_740_994, 1.0000005, 999_999_999.9, -65.613616999999977, 43.420273000000009, 4.35, 0.3, 2.675,
        1.005, 1e9, 1e9 + 0.1,
    ])
    func `doubles are written as the standard library describes them`(_ value: Double) throws {
        let text = try encode(value)
        #expect(text == "\(value)")
        #expect(try JSONModelDecoder().decode(Double.self, from: text).bitPattern == value.bitPattern)
    }

    @Test func `random doubles are read back exactly`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<20_000 {
            let any = Double(bitPattern: random.next())
            let short = Double(Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 60)) / 1e4
            for value in [any, short] where value.isFinite {
                let text = try JSONModelEncoder().encode(value, as: .string)
                #expect(text == "\(value)")
                #expect(Double(text)?.bitPattern == value.bitPattern)
            }
        }
    }

    @Test func `floats and halves are written as the standard library describes them`() throws {
        for value in [Float(0.1), -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 16_777_216] {
            #expect(try encode(value) == "\(value)")
        }
        #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        for value in [Float16(0.1), -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            #expect(try encode(value) == "\(value)")
        }
        #endif
    }

    @Test func `infinities and NaN are errors unless a strategy converts them`() throws {
        for value in [Double.infinity, -.infinity, .nan] {
            guard case .notEncodable = try encodingRefusal(value).kind else {
                Issue.record("\(value) is taken")
                return
            }
        }
        guard case .notEncodable = try encodingRefusal([Float.nan]).kind else {
            Issue.record("nan is taken")
            return
        }
        var encoder = JSONModelEncoder()
        encoder.nonConformingFloatStrategy = .null
        #expect(try encode([1.5, .nan, .infinity], with: encoder) == "[1.5,null,null]")
        encoder.nonConformingFloatStrategy = .write(infinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try encode([.nan, .infinity, -Float.infinity], with: encoder) == #"["nan","inf","-inf"]"#)
    }

    @Test func `a number that is not finite has its index in the path`() throws {
        for count in [1, 15, 16, 17, 40] {
            let numbers = (0..<count).map { Double($0) / 4 - 2 }
            #expect(try encode(numbers) == "[\(numbers.map { "\($0)" }.joined(separator: ","))]")
            for index in 0..<count {
                var changed = numbers
                changed[index] = .nan
                #expect(try encodingRefusal(changed).path == JSONPath([.index(index)]))
            }
        }
    }

    @Test func `booleans and nil are written as literals`() throws {
        #expect(try encode(true) == "true")
        #expect(try encode([false, true]) == "[false,true]")
        #expect(try encode(Int?.none) == "null")
        #expect(try encode(Int??.some(nil)) == "null")
        #expect(try encode(Int??.some(5)) == "5")
        #expect(try encode([Bool?.none, true]) == "[null,true]")
    }
}
