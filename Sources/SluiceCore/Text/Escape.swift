import CKernels

/// The escapes of RFC 8259, section 7.
enum Escape {
    /// Returns the byte that a two-byte escape represents, given its second byte.
    @inline(__always)
    static func byte(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: nil
        }
    }

    /// Returns the position after the escape at a backslash; nil for an invalid escape or an unpaired surrogate.
    ///
    /// - Precondition: 12 bytes can be read.
    @inline(__always)
    static func end(_ backslash: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard backslash[1] == UInt8(ascii: "u") else { return byte(backslash[1]) == nil ? nil : backslash + 2 }
        let unit = sluice_hex_unit(backslash + 2)
        guard unit >= 0 else { return nil }
        if unit & 0xF800 != 0xD800 { return backslash + 6 }
        return scalar(high: unit, backslash) == nil ? nil : backslash + 12
    }

    /// Returns the scalar of a surrogate pair, given the first unit and the position of its backslash.
    @inline(__always)
    fileprivate static func scalar(high: Int32, _ at: UnsafePointer<UInt8>) -> UInt32? {
        guard high < 0xDC00, at[6] == UInt8(ascii: "\\"), at[7] == UInt8(ascii: "u") else { return nil }
        let low = sluice_hex_unit(at + 8)
        guard low >= 0, low & 0xFC00 == 0xDC00 else { return nil }
        return UInt32(bitPattern: 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF)
    }
}

/// A cursor that unescapes a string in one pass: plain bytes in blocks of 16, escapes one by one.
///
/// Invariant: a step writes at most `slack` bytes from `out` on, and begins only if `slack` bytes can be written.
struct Unescaping {
    /// The next byte to read.
    private(set) var at: UnsafePointer<UInt8>
    /// The next byte to write.
    var out: UnsafeMutablePointer<UInt8>
    /// Whether the bytes outside escapes are ASCII.
    private(set) var isPlainASCII = true
    /// Whether all escapes represent ASCII characters.
    private(set) var isEscapedASCII = true

    /// The greatest number of bytes that a step writes.
    static let slack = 16

    init(from start: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>) {
        at = start
        self.out = out
    }

    /// Continues to the first quote, control character, invalid escape or unpaired surrogate.
    ///
    /// - Parameters:
    ///   - last: The last address at which 16 bytes can be read.
    ///   - outLast: The last address at which `slack` bytes can be written.
    /// - Returns: Whether the cursor stopped earlier, because a position is beyond `last` or `outLast`.
    @inline(__always)
    mutating func proceed(last: UnsafePointer<UInt8>, outLast: UnsafeMutablePointer<UInt8>) -> Bool {
        while true {
            let count = Kernels.copyPlain(at, last: last, to: out, outLast: outLast, isASCII: &isPlainASCII)
            at += count
            out += count
            repeat {
                if at > last || out > outLast { return true }
                if at.pointee != UInt8(ascii: "\\") || !escape() { return false }
            } while at.pointee == UInt8(ascii: "\\")
        }
    }

    /// Unescapes the escape at the position. Returns false for an invalid escape.
    @inline(__always)
    private mutating func escape() -> Bool {
        guard at[1] == UInt8(ascii: "u") else {
            guard let byte = Escape.byte(at[1]) else { return false }
            out.pointee = byte
            at += 2
            out += 1
            return true
        }
        let unit = sluice_hex_unit(at + 2)
        if unit < 0x80 {
            guard unit >= 0 else { return false }
            out.pointee = UInt8(truncatingIfNeeded: unit)
            at += 6
            out += 1
            return true
        }
        isEscapedASCII = false
        // The bytes of UTF-8, the first one lowest.
        func tail(_ scalar: UInt32, _ shift: UInt32) -> UInt32 { 0x80 | scalar &>> shift & 0x3F }
        let scalar = UInt32(bitPattern: unit)
        if unit < 0x800 {
            store(0xC0 | scalar &>> 6 | tail(scalar, 0) &<< 8)
            at += 6
            out += 2
        } else if unit & 0xF800 != 0xD800 {
            store(0xE0 | scalar &>> 12 | tail(scalar, 6) &<< 8 | tail(scalar, 0) &<< 16)
            at += 6
            out += 3
        } else {
            guard let scalar = Escape.scalar(high: unit, at) else { return false }
            store(
                0xF0 | scalar &>> 18 | tail(scalar, 12) &<< 8 | tail(scalar, 6) &<< 16 | tail(scalar, 0) &<< 24)
            at += 12
            out += 4
        }
        return true
    }

    @inline(__always)
    private func store(_ bytes: UInt32) {
        UnsafeMutableRawPointer(out).storeBytes(of: bytes.littleEndian, as: UInt32.self)
    }
}
