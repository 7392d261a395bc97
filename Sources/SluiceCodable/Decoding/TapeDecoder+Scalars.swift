// Scalars, by the rules of Foundation's decoder.

import SluiceCore

/// A floating-point type to which the core converts the numbers of a tape.
protocol TapeFloat: BinaryFloatingPoint {
    static func read(_ tape: TapeView, _ index: Int) -> Self?
}

extension Double: TapeFloat {
    @inline(__always)
    static func read(_ tape: TapeView, _ index: Int) -> Double? { tape.double(index) }
}

extension Float: TapeFloat {
    @inline(__always)
    static func read(_ tape: TapeView, _ index: Int) -> Float? { tape.float(index) }
}

extension TapeDecoder {
    // Each function returns nil if the value is not of the type. The caller then throws the error, which needs the key.

    @inline(__always)
    func bool(_ index: Int) -> Bool? {
        switch tape[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    @inline(__always)
    func string(_ index: Int) -> String? {
        let entry = tape[index]
        return entry.kind == .string ? tape.string(entry) : nil
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_: T.Type, _ index: Int) -> T? {
        guard tape[index].kind == .number else { return nil }
        let token = tape.number(index)
        var value: T = 0
        guard token.integer(T.self, into: &value) == .exact else { return roundedInteger(token) }
        // Foundation rejects such a number beyond 64 bits if its text has a fraction or an exponent.
        return T.bitWidth > 64 && !token.isInteger && value.magnitude > UInt64.max ? nil : value
    }

    /// Converts a number that is not exactly an integer of the type. Foundation converts through `Double`, which may round to an
    /// integer, and beyond 2^53 through `Decimal`, whose fraction is ignored.
    @inline(never)
    private func roundedInteger<T: FixedWidthInteger>(_ token: NumberToken) -> T? {
        guard let double = token.double, let value = T(exactly: double) else { return nil }
        if double.magnitude < 0x1p53 { return value }
        guard let whole = token.wholePart, let value = T(exactly: whole) else { return nil }
        return token.isNegative ? 0 - value : value
    }

    @inline(__always)
    func float<T: TapeFloat>(_: T.Type, _ index: Int) -> T? {
        let entry = tape[index]
        guard entry.kind == .number, !entry.flags.contains(.isHexadecimal) else { return otherFloat(index) }
        return T.read(tape, index)
    }

    @inline(never)
    private func otherFloat<T: BinaryFloatingPoint>(_ index: Int) -> T? {
        let entry = tape[index]
        if entry.kind == .nonFinite { return T(tape.nonFinite(index)) }
        // Foundation rejects hexadecimal integers of more than 64 bits, and those that would be rounded.
        if entry.kind == .number {
            return entry.flags.contains(.isNegative)
                ? integer(Int64.self, index).flatMap { T(exactly: $0) }
                : integer(UInt64.self, index).flatMap { T(exactly: $0) }
        }
        guard entry.kind == .string, let strings = options.floatStrings else { return nil }
        switch tape.string(entry) {
        case strings.positiveInfinity: return .infinity
        case strings.negativeInfinity: return -.infinity
        case strings.nan: return .nan
        default: return nil
        }
    }

    /// Calls a closure with the text of the string. Returns nil if the value is not a string.
    package func withStringBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R?) -> R? {
        let entry = entry
        return entry.kind == .string ? body(tape.bytes(entry)) : nil
    }

    /// The number, or nil if the value is not a number.
    package var number: NumberToken? { entry.kind == .number ? tape.number(index) : nil }

    /// The text of the number, or nil if the value is not a number.
    package var numberText: String? {
        entry.kind == .number ? String(decoding: tape.bytes(entry), as: UTF8.self) : nil
    }

    /// Whether the value is not a number.
    package var isNaN: Bool { entry.kind == .nonFinite && tape.nonFinite(index).isNaN }
    /// Whether the value is infinite.
    package var isInfinite: Bool { entry.kind == .nonFinite && tape.nonFinite(index).isInfinite }
}

extension TapeDecoder {
    /// Returns a scalar, or throws the error for another value.
    ///
    /// - Parameter key: The key of the value in this decoder's container; nil for the decoder's own value.
    @inline(__always)
    func scalar<T>(
        _ index: Int, _ key: @autoclosure () -> (any CodingKey)?, _ read: (TapeDecoder, Int) -> T?
    ) throws -> T {
        guard let scalar = read(self, index) else { throw unusable(T.self, index, key()) }
        return scalar
    }
}

extension TapeDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { isNull }

    package func decode<T: Decodable>(_ type: T.Type) throws -> T {
        beginInitializer()
        return try decodeSelf(type)
    }

    @inline(__always)
    private func scalar<T>(_ read: (TapeDecoder, Int) -> T?) throws -> T { try scalar(index, nil, read) }

    package func decode(_: Bool.Type) throws -> Bool { try scalar { $0.bool($1) } }
    package func decode(_: String.Type) throws -> String { try scalar { $0.string($1) } }
    package func decode(_: Double.Type) throws -> Double { try scalar { $0.float(Double.self, $1) } }
    package func decode(_: Float.Type) throws -> Float { try scalar { $0.float(Float.self, $1) } }
    @inline(__always)
    package func decode<T: FixedWidthInteger & Decodable>(_: T.Type) throws -> T {
        try scalar { $0.integer(T.self, $1) }
    }
    // Requirements with default implementations, which the compiler would choose instead of the generic function.
    package func decode(_: Int128.Type) throws -> Int128 { try scalar { $0.integer(Int128.self, $1) } }
    package func decode(_: UInt128.Type) throws -> UInt128 { try scalar { $0.integer(UInt128.self, $1) } }
}

extension NumberToken {
    /// The magnitude without its fraction, or nil beyond 64 bits.
    fileprivate var wholePart: UInt64? {
        if !isTruncated, exponent < 0 {
            return (exponent..<0).reduce(mantissa) { value, _ in value / 10 }
        }
        // The digits before the point, of which those after the digits of the number are zeros.
        let start: UInt64? = isTruncated ? 0 : mantissa
        let count = isTruncated ? Self.mantissaDigits + exponent : exponent
        guard count <= Self.mantissaDigits + 1 else { return mantissa == 0 ? 0 : nil }
        var digits = significantDigits
        return (0..<max(count, 0)).reduce(start) { value, _ in
            guard let value else { return nil }
            let digit = isTruncated ? digits.next() ?? 0 : 0
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(digit)
            return overflows || carries ? nil : sum
        }
    }
}
