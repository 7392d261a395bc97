/// A position in the memory of an output buffer, and whether a comma follows.
///
/// A loop that writes many values keeps a copy in registers, and stores the copy in the buffer before any method of the buffer is called.
///
/// Invariant: the caller has reserved as many bytes as each method states, which may be more than the method writes.
@usableFromInline package struct OutputCursor {
    /// The address of the next byte.
    @usableFromInline package var at: UnsafeMutablePointer<UInt8>
    /// 1 if the next value is the first in its container and needs no comma, else 0.
    @usableFromInline package var firstByteCount = 1

    @inline(__always)
    @inlinable package init(_ at: UnsafeMutablePointer<UInt8>) { self.at = at }

    /// Writes a byte. Requires a reserved byte.
    @inline(__always)
    @inlinable package mutating func byte(_ byte: UInt8) {
        at.pointee = byte
        at += 1
    }

    /// Stores the bytes of a number, the lowest first, without moving the cursor. Requires as many reserved bytes.
    @inline(__always)
    @inlinable package func store<T: FixedWidthInteger>(_ value: T, at offset: Int = 0) {
        UnsafeMutableRawPointer(at).storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }

    // MARK: Texts of plans

    /// Writes the comma before a value, its key and the colon.
    ///
    /// - Precondition: At least ``OutputBuffer/prefixRoom`` bytes of the prefix after the first are readable. As many bytes, or `count`, are
    ///   reserved.
    @inline(__always)
    mutating func prefix(_ prefix: UnsafePointer<UInt8>, _ count: Int) {
        let from = prefix + firstByteCount
        let count = count &- firstByteCount
        firstByteCount = 0
        planText(from, count)
    }

    /// Writes a text of a plan.
    ///
    /// - Precondition: At least ``OutputBuffer/prefixRoom`` bytes of the text are readable, not counting the first. As many bytes, or
    ///   `count`, are reserved.
    @inline(__always)
    mutating func planText(_ text: UnsafePointer<UInt8>, _ count: Int) {
        let from = UnsafeRawPointer(text)
        let to = UnsafeMutableRawPointer(at)
        // Copying 32 or 64 bytes at once is cheaper than copying the exact number.
        to.storeBytes(of: from.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
        if count > 32 {
            let second = from.loadUnaligned(fromByteOffset: 32, as: SIMD32<UInt8>.self)
            to.storeBytes(of: second, toByteOffset: 32, as: SIMD32<UInt8>.self)
            if count > 64 { to.copyMemory(from: from, byteCount: count) }
        }
        at += count
    }

    /// Writes the comma before an element. Requires one reserved byte.
    @inline(__always)
    mutating func comma() {
        // The comma is always written, and overwritten by the first element.
        store(UInt8(ascii: ","))
        at += firstByteCount ^ 1
        firstByteCount = 0
    }

    /// Writes the end of an object and the start of the next one in an array. Requires four reserved bytes.
    @inline(__always)
    mutating func nextObject() {
        store(0x7B_2C7D as UInt32)  // "},{"
        at += 3
        firstByteCount = 1
    }

    /// Writes an array without elements. Requires two reserved bytes.
    @inline(__always)
    mutating func emptyArray() {
        store(0x5D5B as UInt16)  // "[]"
        at += 2
    }

    // MARK: Strings

    /// The greatest length of a string whose bytes are all copied before an escape is looked for.
    private static var wholeLength: Int { 512 }

    /// Writes a string in memory. Returns false, and writes nothing, if a byte needs an escape, if the bytes are not known, or if the string
    /// is long. Requires 18 reserved bytes.
    ///
    /// - Parameter limit: The end of the reserved bytes.
    @inline(__always)
    mutating func string(at address: UnsafeRawPointer, before limit: UnsafeMutablePointer<UInt8>) -> Bool {
        let text = StringBytes(at: address)
        if let count = text.smallCount { return string(small: text, count) }
        guard let bytes = text.native, bytes.count >= 16, bytes.count <= Self.wholeLength,
            limit - at >= bytes.count &+ 2
        else { return false }
        return string(bytes.baseAddress.unsafelyUnwrapped, bytes.count)
    }

    /// Writes a string that is stored inline. Returns false, and writes nothing, if a byte needs an escape. Requires 18 reserved bytes.
    @inline(__always)
    private mutating func string(small string: StringBytes, _ count: UInt64) -> Bool {
        // The closing quote is stored after the last byte: in place of a zero or, after 15 bytes, of the byte with the form.
        // For fewer than eight bytes, the quote in the upper word follows the closing one, and is not part of the JSON.
        let quote = UInt64(UInt8(ascii: "\""))
        let shift = (count & 7) &* 8
        let low = string.low | (count < 8 ? quote &<< shift : 0)
        let high = string.high & 0x00FF_FFFF_FFFF_FFFF | quote &<< shift
        at.pointee = UInt8(ascii: "\"")
        let plain = Kernels.putSmall(low, high, to: at + 1)
        guard plain == Int(truncatingIfNeeded: count) else { return false }
        at += plain &+ 2
        return true
    }

    /// Writes a string of at least 16 bytes. Returns false, and writes nothing, if a byte needs an escape. Requires `count + 2` reserved
    /// bytes.
    @inline(__always)
    private mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        at.pointee = UInt8(ascii: "\"")
        guard Kernels.copyWhole(bytes, count, to: at + 1) else { return false }
        at += count &+ 2
        at[-1] = UInt8(ascii: "\"")
        return true
    }

    // MARK: Null, booleans and integers

    /// Writes `null`. Requires four reserved bytes.
    @inline(__always)
    mutating func null() {
        store(0x6C6C_756E as UInt32)
        at += 4
    }

    /// Writes a boolean. Requires five reserved bytes.
    @inline(__always)
    mutating func bool(_ value: Bool) {
        // "true", or "fals" before its "e".
        store(value ? 0x6575_7274 : 0x736C_6166 as UInt32)
        store(UInt8(ascii: "e"), at: value ? 3 : 4)
        at += value ? 4 : 5
    }

    /// Writes an integer of up to 64 bits. Requires 32 reserved bytes.
    @inline(__always)
    @inlinable package mutating func integer(_ value: some FixedWidthInteger) {
        let magnitude = value < 0 ? 0 &- UInt64(truncatingIfNeeded: value) : UInt64(truncatingIfNeeded: value)
        // The minus sign is always written, and overwritten unless the number is negative.
        at.pointee = UInt8(ascii: "-")
        at += value < 0 ? 1 : 0
        natural(magnitude)
    }

    /// Writes a natural number. Requires 32 reserved bytes.
    @inline(__always)
    @inlinable package mutating func natural(_ value: UInt64) {
        if value < 100_000_000 { return firstDigits(value) }
        if value < 10_000_000_000 { return nineOrTenDigits(value) }
        let (upper, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if upper < 100_000_000 {
            firstDigits(upper)
            eightDigits(low)
        } else {
            let (top, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
            firstDigits(top)
            let digits = DecimalWord.sixteen(middle, low)
            store(digits.upper | DecimalWord.zeros)
            store(digits.lower | DecimalWord.zeros, at: 8)
            at += 16
        }
    }

    /// Writes a number below 10^8 without leading zeros.
    @inline(__always)
    @inlinable package mutating func firstDigits(_ value: UInt64) {
        if value < 10 { return byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)) }
        let word = DecimalWord.eight(value)
        let zeros = word.trailingZeroBitCount &>> 3
        store((word | DecimalWord.zeros) &>> UInt64(truncatingIfNeeded: zeros &* 8))
        at += 8 &- zeros
    }

    /// Writes a number of nine or ten digits.
    @inline(__always)
    @inlinable package mutating func nineOrTenDigits(_ value: UInt64) {
        let parts = value.multipliedFullWidth(by: DecimalWord.hundredMillionth)
        // A zero before nine digits is left out.
        let zeros: UInt64 = parts.high < 10 ? 1 : 0
        store(DecimalWord.pair(parts.high) &>> UInt16(truncatingIfNeeded: zeros &* 8))
        at += Int(truncatingIfNeeded: 2 &- zeros)
        storePairs(4, of: parts.low)
        at += 8
    }

    /// Writes a number below 10^8 as eight digits.
    @inline(__always)
    @inlinable package mutating func eightDigits(_ value: UInt64) {
        let parts = value.multipliedFullWidth(by: DecimalWord.millionth)
        store(DecimalWord.pair(parts.high))
        storePairs(3, of: parts.low, at: 2)
        at += 8
    }

    /// Stores digits of a fraction, in units of 2^-64, two at a time. Requires as many reserved bytes.
    @inline(__always)
    @inlinable package func storePairs(_ count: Int, of fraction: UInt64, at offset: Int = 0) {
        var fraction = fraction
        for index in 0..<count {
            let parts = fraction.multipliedFullWidth(by: 100)
            store(DecimalWord.pair(parts.high), at: offset &+ 2 &* index)
            fraction = parts.low
        }
    }
}
