import TestSupport
import Testing

@testable import SluiceCore

/// The text of floating-point numbers, compared with that of the standard library.
@Suite("Texts of floating-point numbers") struct FloatTextTests {
    @Test func `random doubles are written like the standard library's`() {
        NumberCases.run(1, "text of a Double") { generator in difference(generator.double()) { $0.double($1) } }
    }

    @Test func `random floats are written like the standard library's`() {
        NumberCases.run(0.5, "text of a Float") { generator in difference(generator.float()) { $0.float($1) } }
    }

    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test func `all halves are written like the standard library's`() {
        for pattern in UInt16.min...UInt16.max {
            let value = Float16(bitPattern: pattern)
            guard value.isFinite, let difference = difference(value, by: { $0.half($1) }) else { continue }
            Issue.record("\(difference)")
        }
    }
    #endif

    @Test func `powers of two and ten and their neighbors are written like the standard library's`() {
        var values: [Double] = [0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude]
        for exponent in -1_074...1_023 { values.append(Double(sign: .plus, exponent: exponent, significand: 1)) }
        for exponent in -323...308 { values.append(Double("1e\(exponent)")!) }
        for value in values.flatMap({ [$0.nextDown, $0, $0.nextUp, -$0] }) where value.isFinite {
            if let difference = difference(value, by: { $0.double($1) }) { Issue.record("\(difference)") }
        }
        for value in values.map({ Float($0) }).flatMap({ [$0.nextDown, $0, $0.nextUp, -$0] }) where value.isFinite {
            if let difference = difference(value, by: { $0.float($1) }) { Issue.record("\(difference)") }
        }
    }

    /// The exact method is rarely needed. Both methods must find the same decimal wherever both apply.
    @Test func `both methods find the same decimal`() {
        NumberCases.run(0.5, "shortest decimal") { generator in
            let value = generator.double().magnitude
            guard value > 0 else { return nil }
            let fast = ShortestDecimal(of: value.bitPattern, in: Double.format).normalized
            let exact = ShortestDecimal.exact(of: value.bitPattern, in: Double.format).normalized
            return fast == exact ? nil : "\(value): \(fast) and not \(exact)"
        }
    }

    @Test func `commas separate the numbers of an array`() {
        var buffer = OutputBuffer()
        for values in [[1.5], [-2, 1e300], [0], [1, .infinity, 3]] {
            let count = values.withUnsafeBufferPointer { buffer.doubles($0) }
            #expect(count == (values.contains(.infinity) ? 1 : values.count))
        }
        #expect(String(decoding: buffer.written, as: UTF8.self) == "1.5,-2.0,1e+300,0.0,1.0")
    }

    @Test func `the longest numbers of an array are written within the reserved memory`() {
        let longest = Array(repeating: -Double.leastNormalMagnitude, count: 40)
        for count in 0...1_024 {
            var buffer = OutputBuffer()
            Array(repeating: UInt8(ascii: " "), count: count).withUnsafeBufferPointer { buffer.verbatim($0) }
            let written = longest.withUnsafeBufferPointer { buffer.doubles($0) }
            #expect(written == 40)
            #expect(buffer.room >= 0, "after \(count) bytes")
        }
    }

    private func difference<F: DecimalFloat & LosslessStringConvertible>(
        _ value: F, by write: (inout OutputBuffer, F) -> Void
    ) -> String? {
        var buffer = OutputBuffer()
        buffer.reserve(48)
        write(&buffer, value)
        let isEqual = value.description.utf8.elementsEqual(buffer.written)
        return isEqual ? nil : "\(value) is written as \(String(decoding: buffer.written, as: UTF8.self))"
    }
}

extension SeededRandom {
    /// A finite number, among others one of few digits, an integer, a power, a subnormal number or a half.
    fileprivate mutating func double() -> Double {
        let sign: Double = below(2) == 0 ? 1 : -1
        while true {
            let value: Double
            switch below(10) {
            case 0...3: value = Double(bitPattern: next())
            case 4: value = Double(next() >> UInt64(below(64))) / [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e9][below(8)]
            case 5: value = Double(next() >> UInt64(below(64)))
            case 6: value = Double(sign: .plus, exponent: below(2_098) - 1_074, significand: Double(1 + below(16)))
            case 7: value = Double(bitPattern: next() >> UInt64(12 + below(52)))
            case 8: value = Double(next() >> UInt64(below(64))) / 2
            // A number near a power of ten, or of few bits.
            default:
                value =
                    below(2) == 0
                    ? Double("1e\(below(632) - 323)")!.nextUp * Double(1 + below(9))
                    : Double(bitPattern: next() & (UInt64.max << UInt64(below(52))))
            }
            if value.isFinite { return sign * value }
        }
    }

    fileprivate mutating func float() -> Float {
        while true {
            let value: Float
            switch below(4) {
            case 0, 1: value = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
            case 2: value = Float(next() >> UInt64(below(64))) / [1, 2, 10, 100, 1_000, 1e6][below(6)]
            default: value = Float(double())
            }
            if value.isFinite { return value }
        }
    }
}
