import SluiceCore
import TestSupport
import Testing

/// Arrays of floats, written and read with the decoder and the encoder.
///
/// `Scripts/fuzz.sh floats` tests every bit pattern, and the number halfway between every two neighbors. Otherwise, each test takes one
/// pattern of many.
@Suite("Every float") struct EveryFloatTests {
    /// Whether every bit pattern is tested.
    private static let isWhole = TestEnvironment.text("SLUICE_EVERY_FLOAT") != nil
    /// The distance between tested patterns. The numbers are prime, so that the low bits of the patterns differ.
    private static let step = isWhole ? 1 : Rounds.areFull ? 65_537 : 524_287
    /// The number of patterns of one array.
    private static let count = 1 << 14

    @Test func `every finite float is written like the standard library's, and read back`() async {
        let finite = 0..<Int(Float.infinity.bitPattern)
        let tested = await Self.forEachBlock(of: finite) { patterns in
            for sign: UInt32 in [0, 1 << 31] {
                let values = patterns.map { Float(bitPattern: UInt32($0) | sign) }
                let json = try JSONModelEncoder().encode(values, as: .bytes)
                let expected = Self.json(of: values)
                guard json == expected else { return Self.firstDifference(json, expected, "is written, and not") }
                if let difference = try Self.difference(from: values, reading: json) { return difference }
            }
            return nil
        }
        #expect(tested == (finite.count + Self.step - 1) / Self.step)
        if Self.isWhole { print("\(2 * tested) floats were written and read") }
    }

    /// The decimal text of the double that lies halfway between two neighbors. The text is above or below the halfway point
    /// by less than the precision of a double, or is the halfway point if the double has few digits.
    @Test func `halfway points are read like the standard library reads them`() async {
        let lower = 0..<Int(Float.greatestFiniteMagnitude.bitPattern)
        let tested = await Self.forEachBlock(of: lower) { patterns in
            let texts = patterns.map { pattern in
                let value = Double(Float(bitPattern: UInt32(pattern)))
                let next = Double(Float(bitPattern: UInt32(pattern) + 1))
                return "\(value + (next - value) / 2)"
            }
            let json = Array("[\(texts.joined(separator: ","))]".utf8)
            return try Self.difference(from: texts.map { Float($0)! }, reading: json)
        }
        #expect(tested == (lower.count + Self.step - 1) / Self.step)
        if Self.isWhole { print("\(tested) halfway points were read") }
    }

    @Test func `every infinite float and every NaN is an error, or the text of the strategy`() async {
        let other = Int(Float.infinity.bitPattern)..<1 << 31
        var encoder = JSONModelEncoder()
        encoder.nonConformingFloatStrategy = .write(infinity: "+", negativeInfinity: "-", nan: "?")
        let (strict, lenient) = (JSONModelEncoder(), encoder)
        _ = await Self.forEachBlock(of: other) { patterns in
            for sign: UInt32 in [0, 1 << 31] {
                let values = patterns.map { Float(bitPattern: UInt32($0) | sign) }
                let json = try lenient.encode(values, as: .bytes)
                let texts = values.map { $0.isNaN ? "\"?\"" : sign == 0 ? "\"+\"" : "\"-\"" }
                let expected = Array("[\(texts.joined(separator: ","))]".utf8)
                guard json == expected else { return Self.firstDifference(json, expected, "is written, and not") }
                // An error takes longer than a text: that of one value of each array.
                guard (try? strict.encode(values[values.count / 2], as: .bytes)) == nil else {
                    return "\(values[values.count / 2]) is written"
                }
            }
            return nil
        }
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test func `every half is written and read back`() throws {
        let values = (UInt16.min...UInt16.max).map { Float16(bitPattern: $0) }.filter(\.isFinite)
        let json = try JSONModelEncoder().encode(values, as: .bytes)
        for source in JSONModelDecoder.Source.allCases {
            let back = try JSONModelDecoder(from: source).decode([Float16].self, from: json)
            #expect(back.map(\.bitPattern) == values.map(\.bitPattern))
        }
    }
    #endif

    // MARK: Helpers

    /// Calls `body` with arrays of patterns on all processors, and records the first differences.
    ///
    /// - Returns: The number of tested patterns.
    private static func forEachBlock(of patterns: Range<Int>, _ body: @escaping @Sendable ([Int]) throws -> String?)
        async -> Int
    {
        let (length, workers) = (count * step, isWhole ? JSONWorkers.automatic.count : 1)
        return await withTaskGroup(of: (tested: Int, differences: [String]).self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var tested = 0
                    var differences: [String] = []
                    var start = patterns.lowerBound + worker * length
                    while start < patterns.upperBound, differences.count < 3 {
                        let block = Array(
                            stride(from: start, to: min(start + length, patterns.upperBound), by: step))
                        do { if let difference = try body(block) { differences.append(difference) } } catch {
                            differences.append("patterns from \(start) are refused: \(error)")
                        }
                        tested += block.count
                        start += workers * length
                    }
                    return (tested, differences)
                }
            }
            var tested = 0
            for await part in group {
                tested += part.tested
                for difference in part.differences { Issue.record("\(difference)") }
            }
            return tested
        }
    }

    /// The array as the standard library describes its elements.
    private static func json(of values: [Float]) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(16 * values.count + 2)
        for value in values {
            json.append(UInt8(ascii: json.isEmpty ? "[" : ","))
            json.append(contentsOf: value.description.utf8)
        }
        json.append(UInt8(ascii: "]"))
        return json
    }

    /// The first value that a source does not read from the JSON with the same bits.
    private static func difference(from values: [Float], reading json: [UInt8]) throws -> String? {
        for source in JSONModelDecoder.Source.allCases {
            let back = try JSONModelDecoder(from: source).decode([Float].self, from: json)
            guard back.count == values.count else { return "\(back.count) and not \(values.count) values are read" }
            for (value, result) in zip(values, back) where value.bitPattern != result.bitPattern {
                return "\(result) is read by \(source), and not \(value)"
            }
        }
        return nil
    }

    private static func firstDifference(_ a: [UInt8], _ b: [UInt8], _ relation: String) -> String {
        let elements = { (json: [UInt8]) in json.split(separator: UInt8(ascii: ",")) }
        let pair = zip(elements(a), elements(b)).first { !$0.elementsEqual($1) }
        guard let pair else { return "\(a.count) bytes are written, and not \(b.count)" }
        return "\(String(decoding: pair.0, as: UTF8.self)) \(relation) \(String(decoding: pair.1, as: UTF8.self))"
    }
}
