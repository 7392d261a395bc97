// Scalars, by the rules of Foundation's decoder.

/// A number that its type cannot represent. Foundation reports such a number as invalid JSON.
struct UnrepresentableNumber: Error {
    let path: [any CodingKey]
    let issue: JSONIssue.Kind
}

extension TapeDecoder {
    // MARK: Errors

    func mismatch(_ type: Any.Type, _ entry: TapeEntry, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            .init(
                codingPath: path,
                debugDescription: "Expected to decode \(type) but found \(entry.kind.foundName) instead."))
    }

    /// Returns the error for a value that is not of the requested type.
    @inline(never)
    func unusable(_ type: Any.Type, _ entry: TapeEntry, _ key: (some CodingKey)?) -> DecodingError {
        let path = key.map { self.path($0) } ?? codingPath
        return entry.kind == .null ? Self.nullValue(type, path) : mismatch(type, entry, path)
    }

    static func nullValue(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }

    /// Throws unless the value is present and not `null`.
    package func checkNotNull(_ type: Any.Type) throws {
        if isNull { throw Self.nullValue(type, codingPath) }
    }

    @inline(never)
    private func unrepresentable(
        _ index: Int, _ type: Any.Type, isInteger: Bool, _ key: (some CodingKey)?
    ) -> UnrepresentableNumber {
        let entry = tape[index]
        let text = entry.kind == .nonFinite ? "\(nonFinite(index))" : String(decoding: tape.bytes(entry), as: UTF8.self)
        return UnrepresentableNumber(
            path: key.map { path($0) } ?? codingPath,
            issue: isInteger
                ? .notAnInteger(type: "\(type)", text: text) : .numberOutOfRange(type: "\(type)", text: text))
    }

    /// Returns the error for a number that a type cannot represent.
    package func unrepresentableNumber(_ type: Any.Type) -> any Error {
        unrepresentable(index, type, isInteger: false, AnyCodingKey?.none)
    }

    // MARK: Values

    /// The text of the number, or nil if the value is not a number.
    package var numberText: String? {
        entry.kind == .number ? String(decoding: tape.bytes(entry), as: UTF8.self) : nil
    }

    /// Whether the value is infinite or NaN.
    package var isNonFinite: Bool { entry.kind == .nonFinite }

    @inline(__always)
    func bool(_ index: Int, _ key: (some CodingKey)?) throws -> Bool {
        let entry = tape[index]
        switch entry.kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(Bool.self, entry, key.map { path($0) } ?? codingPath)
        }
    }

    @inline(__always)
    func string(_ index: Int, _ key: (some CodingKey)?) throws -> String {
        let entry = tape[index]
        guard entry.kind == .string else { throw unusable(String.self, entry, key) }
        return tape.string(entry)
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type, _ index: Int, _ key: (some CodingKey)?) throws -> T {
        let entry = tape[index]
        guard entry.kind == .number else { throw notAnInteger(type, index, key) }
        let token = tape.number(index)
        var value: T = 0
        guard token.integer(T.self, into: &value) == .exact else { return try roundedInteger(token, index, key) }
        // Foundation refuses such a number beyond 64 bits if its text has a fraction or an exponent.
        if T.bitWidth > 64, !token.isInteger, value.magnitude > UInt64.max {
            throw unrepresentable(index, type, isInteger: false, key)
        }
        return value
    }

    @inline(never)
    private func notAnInteger<T: FixedWidthInteger>(_ type: T.Type, _ index: Int, _ key: (some CodingKey)?) -> any Error {
        let entry = tape[index]
        if entry.kind == .nonFinite { return unrepresentable(index, type, isInteger: true, key) }
        return unusable(type, entry, key)
    }

    /// Converts a number that is not exactly an integer of the type. Foundation goes through `Double`, which may round to an
    /// integer, and beyond 2^53 through `Decimal`, whose fraction is ignored.
    @inline(never)
    private func roundedInteger<T: FixedWidthInteger>(
        _ token: NumberToken, _ index: Int, _ key: (some CodingKey)?
    ) throws -> T {
        guard let double = token.floatingPoint(Double.self), let value = T(exactly: double) else {
            throw unrepresentable(index, T.self, isInteger: !token.isInteger, key)
        }
        if double.magnitude < 0x1p53 { return value }
        guard let whole = token.wholePart, let value = T(exactly: whole) else {
            throw unrepresentable(index, T.self, isInteger: !token.isInteger, key)
        }
        return token.isNegative ? 0 - value : value
    }

    @inline(__always)
    func floatingPoint<T: DecimalFloat & BinaryFloatingPoint>(
        _ type: T.Type, _ index: Int, _ key: (some CodingKey)?
    ) throws -> T {
        guard tape[index].kind == .number else { return try otherFloat(type, index, key) }
        let token = tape.number(index)
        // A number other than zero that rounds to zero is an error.
        guard let value = token.floatingPoint(T.self), value != 0 || token.mantissa == 0 else {
            throw unrepresentable(index, type, isInteger: false, key)
        }
        return value
    }

    @inline(never)
    private func otherFloat<T: BinaryFloatingPoint>(_ type: T.Type, _ index: Int, _ key: (some CodingKey)?) throws -> T {
        let entry = tape[index]
        if entry.kind == .nonFinite { return T(nonFinite(index)) }
        if entry.kind == .string, let strings = options.floatStrings {
            switch tape.string(entry) {
            case strings.positiveInfinity: return .infinity
            case strings.negativeInfinity: return -.infinity
            case strings.nan: return .nan
            default: break
            }
        }
        throw unusable(type, entry, key)
    }

    private func nonFinite(_ index: Int) -> Double { Double(bitPattern: UInt64(bitPattern: Int64(tape[index].value))) }
}

extension TapeEntry.Kind {
    /// The type of a value, as in the messages of Foundation.
    var foundName: String {
        switch self {
        case .string, .key, .hiddenKey: "a string"
        case .number, .nonFinite: "number"
        case .true, .false: "bool"
        case .null: "null"
        case .object: "a dictionary"
        case .array: "an array"
        }
    }
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
