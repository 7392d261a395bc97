/// Access to the bytes of strings in memory. The string is neither copied nor retained.
///
/// A `String` has two words. A string of up to 15 bytes is stored in both words (see ``SmallString``). For other strings, the
/// first word has the count of bytes. The second word has the address of the bytes, less 32, and the form of the string in
/// its upper four bits. Three of these bits mark small, bridged and foreign strings. The fourth bit marks strings
/// that are not reference-counted, such as literals (apple/swift, stdlib/public/core/StringObject.swift; part of the
/// ABI on Apple platforms).
///
/// Invariant: Used only if `isKnown` has verified in this process that strings of the standard library have this
/// representation.
struct StringBytes {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    init(at address: UnsafeRawPointer) {
        (low, high) = address.loadUnaligned(as: (UInt64, UInt64).self)
    }

    /// Reads the words of a string, which must be known to have two.
    @inline(__always)
    init(_ text: String) {
        (low, high) = unsafeBitCast(text, to: (UInt64, UInt64).self)
    }

    /// The number of bytes if the string stores them inline; nil for other strings.
    @inline(__always)
    var smallCount: UInt64? {
        // Both bits are set, whether or not the string is ASCII.
        high &>> 56 & 0xA0 == 0xA0 ? high &>> 56 & 0x0F : nil
    }

    /// The number of bytes if the string stores them inline, and all are ASCII; nil for other strings.
    @inline(__always)
    var smallASCIICount: UInt64? {
        high &>> 56 & 0xE0 == 0xE0 ? high &>> 56 & 0x0F : nil
    }

    /// The bytes of a string that is stored in one piece and not inline; nil for other strings. Valid as long as the string.
    @inline(__always)
    var native: UnsafeBufferPointer<UInt8>? {
        guard high &>> 60 & 0x7 == 0 else { return nil }
        let address = UInt(truncatingIfNeeded: high & 0x0FFF_FFFF_FFFF_FFFF) &+ 32
        return UnsafeBufferPointer(
            start: UnsafePointer(bitPattern: address), count: Int(truncatingIfNeeded: low & 0xFFFF_FFFF_FFFF))
    }

    /// Whether the strings of this process have the representation above.
    static let isKnown: Bool = {
        guard SmallString.isKnown else { return false }
        let literal = "a literal of more than fifteen bytes"
        let made = String(repeating: "äa", count: 7)
        return [literal, literal + "!", made + made, made + "ß", String(decoding: made.utf8, as: UTF8.self)]
            .allSatisfy { isKnown($0) }
    }()

    private static func isKnown(_ text: String) -> Bool {
        var text = text
        let words = withUnsafePointer(to: text) { StringBytes(at: $0) }
        return text.withUTF8 { bytes in
            guard let native = words.native else { return words.smallCount == nil }
            return native.count == bytes.count && native.baseAddress == bytes.baseAddress
        }
    }
}
