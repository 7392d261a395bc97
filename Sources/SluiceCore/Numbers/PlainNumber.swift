import CKernels

/// A plain number: no exponent, and so few digits that its bytes are converted without a ``NumberToken``. Most numbers of most
/// documents are plain.
struct PlainNumber<Value> {
    let value: Value
    /// The position after the number.
    let end: UnsafePointer<UInt8>

    /// Whether the number ends there. Otherwise, an exponent, more digits or a malformed token may follow.
    @inline(__always)
    var isComplete: Bool {
        let next = end.pointee
        return next == UInt8(ascii: ",") || next == UInt8(ascii: "]") || next == UInt8(ascii: "}") || next <= 0x20
    }
}

/// The positions at which plain numbers can be read: 16 bytes before a position, and the bytes of the longest plain number from
/// there on, belong to the window.
struct PlainNumberRange {
    private let start: UnsafePointer<UInt8>
    private let count: UInt

    /// The number of bytes of the longest plain number, and the byte after it.
    static var maximumLength: Int { 40 }

    /// - Parameters:
    ///   - start: The start of the window.
    ///   - end: The end of the window.
    init(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) {
        self.start = start + 16
        count = UInt(max(end - self.start - Self.maximumLength, 0))
    }

    @inline(__always)
    func contains(_ at: UnsafePointer<UInt8>) -> Bool { UInt(bitPattern: at - start) < count }
}

extension Double {
    /// Reads the plain number at a position in the range: at most 18 digits before the point, at most 16 after, and at most 19 in
    /// total. Returns nil for other numbers and values.
    @inline(__always)
    static func plain(at start: UnsafePointer<UInt8>) -> PlainNumber<Double>? {
        // A copy of the code for each sign: the processor predicts the sign, and does not wait for the position of the digits.
        if start.pointee == UInt8(ascii: "-") { return plain(at: start + 1, isNegative: true) }
        return plain(at: start, isNegative: false)
    }

    @inline(__always)
    private static func plain(at start: UnsafePointer<UInt8>, isNegative: Bool) -> PlainNumber<Double>? {
        guard let whole = UInt64.plain(at: start) else { return nil }
        let point = whole.end
        guard point.pointee == UInt8(ascii: ".") else {
            let value = Double(Int64(bitPattern: whole.value))
            return PlainNumber(value: isNegative ? -value : value, end: point)
        }
        let count = Kernels.digitCount(point + 1)
        guard count > 0, point - start &+ count <= NumberToken.mantissaDigits else { return nil }
        let end = point + (1 &+ count)
        let mantissa = Kernels.appendDigits(to: whole.value, before: end, count)
        guard let value = quickly(mantissa, exponent: 0 &- count, isNegative: isNegative) else { return nil }
        return PlainNumber(value: value, end: end)
    }
}

extension Int64 {
    /// Reads the plain integer at a position in the range: at most 18 digits without a sign. Returns nil for other numbers and
    /// values.
    @inline(__always)
    static func plain(at start: UnsafePointer<UInt8>) -> PlainNumber<Int64>? {
        UInt64.plain(at: start).map { PlainNumber(value: Int64(bitPattern: $0.value), end: $0.end) }
    }
}

extension UInt64 {
    /// Reads at most 18 digits. Up to three are read byte by byte, because the processor predicts their number.
    @inline(__always)
    fileprivate static func plain(at start: UnsafePointer<UInt8>) -> PlainNumber<UInt64>? {
        let first = start[0] &- 0x30
        guard first <= 9 else { return nil }
        let second = start[1] &- 0x30
        if second > 9 { return PlainNumber(value: UInt64(first), end: start + 1) }
        // A number ends after a leading zero.
        guard first != 0 else { return nil }
        let two = UInt64(first &* 10 &+ second)
        let third = start[2] &- 0x30
        if third > 9 { return PlainNumber(value: two, end: start + 2) }
        let fourth = start[3] &- 0x30
        if fourth > 9 { return PlainNumber(value: two &* 10 &+ UInt64(third), end: start + 3) }
        let count = Kernels.digitCount(start)
        guard count < 16 else { return long(at: start) }
        return PlainNumber(value: Kernels.appendDigits(to: 0, before: start + count, count), end: start + count)
    }

    /// Reads 16 to 18 digits.
    @inline(never)
    private static func long(at start: UnsafePointer<UInt8>) -> PlainNumber<UInt64>? {
        let rest = Kernels.digitCount(start + 16)
        guard rest <= 2 else { return nil }
        let end = start + (16 &+ rest)
        let first = Kernels.appendDigits(to: 0, before: start + 16, 16)
        return PlainNumber(value: Kernels.appendDigits(to: first, before: end, rest), end: end)
    }
}
