/// A format of compressed input and output. Each format needs a package trait, which is off by default.
///
/// Compressed input is detected by its first bytes, which cannot begin JSON.
public enum JSONCompression: String, Sendable, Hashable, CaseIterable {
    /// gzip (RFC 1952), with the package trait `Gzip` and the library zlib.
    case gzip
    /// Zstandard (RFC 8878), with the package trait `Zstd` and the library libzstd. Available on Linux and macOS.
    case zstd

    /// Whether this build can read and write the format.
    public var isAvailable: Bool {
        switch self {
        case .gzip:
            #if GZIP
            true
            #else
            false
            #endif
        case .zstd:
            #if ZSTD
            true
            #else
            false
            #endif
        }
    }

    /// The name of the package trait that adds the format.
    var traitName: String {
        switch self {
        case .gzip: "Gzip"
        case .zstd: "Zstd"
        }
    }

    /// The result of comparing the first bytes of an input with the magic numbers.
    package enum Detection: Equatable {
        case plain
        case compressed(JSONCompression)
        /// The bytes are the beginning of a magic number.
        case undetermined
    }

    /// Whether bytes begin with a magic number, or with a part of one.
    @inline(__always)
    static func mayBegin(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        return first == 0x1F || first == 0x28 || isSkippable(first)
    }

    /// Whether a byte is the first of a skippable frame of Zstandard. `[` is the first byte of one such magic number, which no
    /// program writes.
    @inline(__always)
    private static func isSkippable(_ byte: UInt8) -> Bool { byte & 0xF0 == 0x50 && byte != UInt8(ascii: "[") }

    /// Compares the first bytes of an input with the magic numbers.
    package static func detect(_ bytes: UnsafeBufferPointer<UInt8>) -> Detection {
        guard mayBegin(bytes) else { return .plain }
        let (format, magic): (JSONCompression, [UInt8]) =
            switch bytes[0] {
            case 0x1F: (.gzip, [0x1F, 0x8B])
            case 0x28: (.zstd, [0x28, 0xB5, 0x2F, 0xFD])
            default: (.zstd, [bytes[0], 0x2A, 0x4D, 0x18])
            }
        guard zip(bytes, magic).allSatisfy(==) else { return .plain }
        return bytes.count < magic.count ? .undetermined : .compressed(format)
    }

    /// Whether an input that begins with bytes is compressed.
    package static func isCompressed(_ head: [UInt8]) -> Bool {
        if case .compressed = head.withUnsafeBufferPointer({ detect($0) }) { true } else { false }
    }

    /// The length of the longest magic number.
    package static let magicLength = 4
}
