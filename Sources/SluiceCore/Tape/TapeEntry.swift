/// An entry of a tape: a key, a scalar, or the beginning of a container.
///
/// A number has a second entry, a `TapeNumber`, which an infinity or NaN does not use. A key has a second entry, a `TapeKey`.
@usableFromInline package struct TapeEntry {
    @usableFromInline package enum Kind: UInt8 {
        case null, `false`, `true`
        case number
        /// Infinity or NaN, which another language than JSON has. The wide value is the bit pattern.
        case nonFinite
        case string
        case key
        /// A key that repeats an earlier key of its object. Equals no key.
        case hiddenKey
        case array, object

        var isContainer: Bool { self == .array || self == .object }
    }

    /// The properties of an entry that are true or false.
    @usableFromInline package struct Flags: OptionSet {
        @usableFromInline package let rawValue: UInt8

        @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The text is in the memory of the tape, not in the input.
        @inlinable package static var isCopied: Flags { Flags(rawValue: 1) }
        /// The string or key is ASCII.
        @inlinable package static var isASCII: Flags { Flags(rawValue: 2) }
        /// The number is negative.
        @inlinable package static var isNegative: Flags { Flags(rawValue: 4) }
        /// The number has neither a fraction nor an exponent part.
        @inlinable package static var isInteger: Flags { Flags(rawValue: 8) }
        /// The number has more digits than its mantissa.
        @inlinable package static var isTruncated: Flags { Flags(rawValue: 16) }
        /// The object has a key that is not ASCII. Strings are compared by canonical equivalence.
        @inlinable package static var hasUnicodeKeys: Flags { Flags(rawValue: 32) }
        /// An open object, or an object whose repeated keys are not hidden, may have a repeated key.
        @inlinable package static var mayRepeatKeys: Flags { Flags(rawValue: 64) }
        /// The number is a hexadecimal integer, which another language than JSON has.
        @inlinable package static var isHexadecimal: Flags { Flags(rawValue: 128) }
    }

    @usableFromInline package var kind: Kind
    @usableFromInline package var flags: Flags
    /// The length of a text in bytes, or the number of elements or members of a container.
    @usableFromInline package var count: UInt32
    /// The ``value``, or the bit pattern of an infinity or NaN. Has 64 bits where `Int` has 32, too, so that an entry has the size of
    /// every second entry.
    @usableFromInline package var wideValue: Int64

    @inline(__always)
    init(kind: Kind, flags: Flags = [], count: UInt32 = 0, value: Int = 0) {
        (self.kind, self.flags, self.count, wideValue) = (kind, flags, count, Int64(value))
    }

    /// The offset of a text, or the index of the entry after a container. While the container is open, the index of the outer
    /// container.
    @inlinable package var value: Int {
        @inline(__always) get { Int(truncatingIfNeeded: wideValue) }
        @inline(__always) set { wideValue = Int64(newValue) }
    }
}

/// The second entry of a number.
@usableFromInline package struct TapeNumber {
    @usableFromInline package let mantissa: UInt64
    @usableFromInline package let exponent: Int
}

/// The second entry of a key: the representation of the key as a small string, or else its first and its last eight bytes.
@usableFromInline package struct TapeKey: Equatable {
    @usableFromInline package let head: UInt64
    @usableFromInline package let tail: UInt64

    @inline(__always)
    init(_ key: Key, isASCII: Bool) {
        head = key.head
        if key.count <= 8 {
            tail = SmallString.form(key.count, isASCII: isASCII)
            return
        }
        let last = UnsafeRawPointer(key.bytes).loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self)
        guard key.count <= SmallString.capacity else {
            tail = last
            return
        }
        // The words overlap. The shift removes the common bytes.
        let shift = UInt64(truncatingIfNeeded: (16 &- key.count) &* 8)
        tail = last &>> shift | SmallString.form(key.count, isASCII: isASCII)
    }

    @inline(__always)
    @inlinable package init(small name: (UInt64, UInt64)) { (head, tail) = name }

    /// Six bits of a hash.
    @inline(__always)
    var bit: UInt64 {
        let product = (head ^ tail &>> 32 ^ tail) &* 0x9E37_79B9_7F4A_7C15
        return 1 &<< (product &>> 58)
    }
}
