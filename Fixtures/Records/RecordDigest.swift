/// A running digest over records. All decoders must give the same digest for the same file.
///
/// The digest includes every field, so that every decoder has to decode every field. Strings are processed eight bytes at
/// a time, so that the digest takes a small part of the measured time.
public struct RecordDigest: Hashable, Sendable {
    /// The number of records in the digest.
    public private(set) var count = 0
    /// The digest of the records so far.
    public private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    public init() {}

    /// Adds a record to the digest.
    public mutating func add(_ record: Record) {
        count += 1
        mix(UInt64(truncatingIfNeeded: record.id))
        mix(record.uuid)
        mix(record.name)
        mix(record.price.bitPattern)
        mix(record.active ? 1 : 2)
        mix(record.address.street)
        mix(record.address.city)
        if let zip = record.address.zip { mix(zip) }
        mix(record.address.location.lat.bitPattern)
        mix(record.address.location.lon.bitPattern)
        for tag in record.tags { mix(tag) }
        if let note = record.note { mix(note) } else { mix(3) }
    }

    /// The digest as sixteen hexadecimal digits.
    public var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
        value ^= value >> 29
    }

    private mutating func mix(_ text: String) {
        // The result is nil only for a string bridged from Objective-C. The decoders here create no such string.
        let mixed = text.utf8.withContiguousStorageIfAvailable { bytes in
            var digest = self
            digest.mix(UnsafeRawBufferPointer(bytes))
            return digest
        }
        if let mixed { self = mixed } else { mix(String(decoding: Array(text.utf8), as: UTF8.self)) }
    }

    private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest = UInt64(bytes.count)
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        mix(rest)
    }
}
