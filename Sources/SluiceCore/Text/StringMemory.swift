import CKernels

extension String {
    /// Creates a string from valid UTF-8.
    @usableFromInline
    init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        let isASCII = bytes.baseAddress.map { UTF8Validation.isASCII($0, bytes.count) } ?? true
        self.init(checkedUTF8: bytes, isASCII: isASCII, isSmallKnown: SmallString.isKnown)
    }

    /// Creates a string from valid UTF-8, without another validation.
    ///
    /// - Parameters:
    ///   - isASCII: Whether all bytes are ASCII.
    ///   - isSmallKnown: The value of ``SmallString/isKnown``, which costs a call, so that a hot path reads the value once.
    @inline(__always)
    @inlinable package init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, isSmallKnown: Bool) {
        if bytes.count <= SmallString.capacity, isSmallKnown {
            self = SmallString.make(bytes, isASCII: isASCII)
        } else {
            self.init(checkedLong: bytes, isASCII: isASCII)
        }
    }

    /// Stores a string at an address, which holds no string yet.
    @inline(__always)
    static func store(
        checkedUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, isSmallKnown: Bool,
        at target: UnsafeMutableRawPointer
    ) {
        if bytes.count <= SmallString.capacity, isSmallKnown {
            SmallString.store(bytes, isASCII: isASCII, at: target)
        } else {
            target.initializeMemory(as: String.self, to: String(checkedLong: bytes, isASCII: isASCII))
        }
    }

    @inline(__always)
    @inlinable package init(checkedLong bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let span = Span(_unsafeElements: bytes)
            self.init(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
        } else {
            self.init(decoding: bytes, as: UTF8.self)
        }
    }
}

/// Strings of up to 15 bytes, which Swift stores inline: the bytes, then a byte with the form (ASCII or not) and the
/// length (apple/swift, stdlib/public/core/StringObject.swift, "Small strings"; part of the ABI on Apple platforms).
/// Writing this representation takes 3 ns, and the initializers take 15 to 23 ns.
///
/// Invariant: Used only if `isKnown` has verified in this process that strings of the standard library have the same
/// representation for every short length.
@usableFromInline package enum SmallString {
    /// The greatest number of bytes.
    @usableFromInline package static let capacity = 15

    /// Whether the short strings of this process have the representation above.
    @usableFromInline package static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16, UInt64(littleEndian: 1) == 1 else { return false }
        return isKnown(Array("0123456789abcdef~".utf8), isASCII: true)
            && isKnown(Array("äöüßéèàêîôûÄÖ".utf8), isASCII: false)
    }()

    /// Whether short strings of these bytes have the representation that `make` writes.
    private static func isKnown(_ text: [UInt8], isASCII: Bool) -> Bool {
        // Characters have one byte each, or two.
        let step = isASCII ? 1 : 2
        for count in stride(from: isASCII ? 0 : 2, through: capacity, by: step) {
            for start in stride(from: 0, through: text.count - count, by: step) {
                let bytes = text[start..<(start + count)]
                let predicted = bytes.withUnsafeBufferPointer { words($0, isASCII: isASCII) }
                // Made at run time, because a literal may have another representation.
                let actual = unsafeBitCast(String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
                if predicted != actual { return false }
            }
        }
        return true
    }

    /// Creates a string of up to 15 bytes.
    @inline(__always)
    @inlinable package static func make(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> String {
        // The representation contains no reference, so nothing needs a retain.
        unsafeBitCast(words(bytes, isASCII: isASCII), to: String.self)
    }

    /// Stores a string of up to 15 bytes. The compiler retains a `String` that is stored, although a small string has no
    /// reference. The words are stored as numbers instead.
    @inline(__always)
    static func store(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool, at target: UnsafeMutableRawPointer) {
        target.storeBytes(of: words(bytes, isASCII: isASCII), as: (UInt64, UInt64).self)
    }

    /// Stores a string of up to 15 bytes.
    ///
    /// - Precondition: 16 bytes can be read, even if the string has fewer.
    @inline(__always)
    static func store(
        readable bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool, at target: UnsafeMutableRawPointer
    ) {
        #if arch(x86_64) || arch(arm64)
        sluice_copy_prefix(target, bytes, count)
        let form = UInt8(truncatingIfNeeded: form(count, isASCII: isASCII) &>> 56)
        target.storeBytes(of: form, toByteOffset: 15, as: UInt8.self)
        #else
        store(UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII, at: target)
        #endif
    }

    /// The highest byte of the second word: the form of the string and its length.
    @inline(__always)
    @inlinable package static func form(_ count: Int, isASCII: Bool) -> UInt64 {
        UInt64(truncatingIfNeeded: (isASCII ? 0xE0 : 0xA0) | count) &<< 56
    }

    /// Returns the two words of a short string, or nil if the string is stored elsewhere.
    ///
    /// - Precondition: ``isKnown`` is true.
    @inline(__always)
    @inlinable package static func words(of string: String) -> (UInt64, UInt64)? {
        let words = unsafeBitCast(string, to: (UInt64, UInt64).self)
        // The bit that all short strings have, and no others.
        return words.1 & 0x2000_0000_0000_0000 == 0 ? nil : words
    }

    /// Whether the two words of a short string have the form of ASCII.
    @inline(__always)
    @inlinable package static func isASCII(_ words: (UInt64, UInt64)) -> Bool {
        words.1 & 0x4000_0000_0000_0000 != 0
    }

    /// Returns the two words of a string.
    @inline(__always)
    @inlinable package static func words(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> (UInt64, UInt64) {
        let count = bytes.count
        guard let base = bytes.baseAddress, count > 0 else { return (0, 0xE0 << 56) }
        let raw = UnsafeRawPointer(base)
        let form = form(count, isASCII: isASCII)
        if count > 8 {
            // The last word overlaps the first one. The shift removes the common bytes.
            let tail = raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            return (
                raw.loadUnaligned(as: UInt64.self), tail &>> UInt64(truncatingIfNeeded: (16 &- count) &* 8) | form
            )
        }
        if count >= 4 {
            let low = UInt64(raw.loadUnaligned(as: UInt32.self))
            let tail = UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return (low | tail &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8), form)
        }
        let first = UInt64(base[0])
        let middle = UInt64(base[count &>> 1]) &<< UInt64(truncatingIfNeeded: (count &>> 1) &* 8)
        let last = UInt64(base[count &- 1]) &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8)
        return (first | middle | last, form)
    }
}

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
@usableFromInline package struct StringBytes {
    @usableFromInline package let low: UInt64
    @usableFromInline package let high: UInt64

    @inline(__always)
    init(at address: UnsafeRawPointer) {
        (low, high) = address.loadUnaligned(as: (UInt64, UInt64).self)
    }

    /// Reads the words of a string, which must be known to have two.
    @inline(__always)
    @inlinable package init(_ text: String) {
        (low, high) = unsafeBitCast(text, to: (UInt64, UInt64).self)
    }

    /// The number of bytes if the string stores them inline; nil for other strings.
    @inline(__always)
    @inlinable package var smallCount: UInt64? {
        // Both bits are set, whether or not the string is ASCII.
        high &>> 56 & 0xA0 == 0xA0 ? high &>> 56 & 0x0F : nil
    }

    /// The number of bytes if the string stores them inline, and all are ASCII; nil for other strings.
    @inline(__always)
    @inlinable package var smallASCIICount: UInt64? {
        high &>> 56 & 0xE0 == 0xE0 ? high &>> 56 & 0x0F : nil
    }

    /// The bytes of a string that is stored in one piece and not inline; nil for other strings. Valid as long as the string.
    @inline(__always)
    @inlinable package var native: UnsafeBufferPointer<UInt8>? {
        guard high &>> 60 & 0x7 == 0 else { return nil }
        let address = UInt(truncatingIfNeeded: high & 0x0FFF_FFFF_FFFF_FFFF) &+ 32
        return UnsafeBufferPointer(
            start: UnsafePointer(bitPattern: address), count: Int(truncatingIfNeeded: low & 0xFFFF_FFFF_FFFF))
    }

    /// Whether the strings of this process have the representation above.
    package static let isKnown: Bool = {
        guard SmallString.isKnown else { return false }
        let literal = "a literal of more than fifteen bytes"
        let nonASCII = String(repeating: "äa", count: 7)
        return [
            literal, literal + "!", nonASCII + nonASCII, nonASCII + "ß",
            String(decoding: nonASCII.utf8, as: UTF8.self),
        ]
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
