/// A buffer of fixed capacity that does not check the capacity for each byte.
///
/// The generator reserves space for the longest record before writing a record. `put` therefore only asserts.
final class ByteWriter {
    private let base: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    func reset() { count = 0 }

    func put(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        assert(count + length <= capacity)
        (base + count).update(from: text.utf8Start, count: length)
        count += length
    }

    /// Writes a decimal number with leading zeros, up to a minimum number of digits.
    func put(_ number: Int, digits: Int = 1) {
        assert(number >= 0 && count + 20 <= capacity)
        var length = 1
        var limit = 10
        while number >= limit && length < 18 {
            length += 1
            limit *= 10
        }
        length = max(length, digits)
        var rest = number
        var at = count + length
        while at > count {
            at -= 1
            base[at] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }

    /// Writes a number of hundredths or millionths as a decimal fraction without trailing zeros.
    func put(_ number: Int, fraction: Int, digits: Int) {
        put(number / fraction)
        var part = number % fraction
        guard part != 0 else { return }
        var width = digits
        while part % 10 == 0 {
            part /= 10
            width -= 1
        }
        put(".")
        put(part, digits: width)
    }

    /// Writes the last `digits` hexadecimal digits of a number.
    func put(hex number: UInt64, digits: Int) {
        assert(count + digits <= capacity)
        var rest = number
        var at = count + digits
        while at > count {
            at -= 1
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            base[at] = digit < 10 ? 0x30 + digit : 0x57 + digit
            rest >>= 4
        }
        count += digits
    }
}
