/// The limits that input must respect.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum of ``depth``.
    public static let maximumDepth = 4096

    /// The greatest number of nested objects and arrays: 512 by default. Clamped to 0 ... ``maximumDepth``.
    public var depth = 512 {
        didSet { depth = min(max(depth, 0), Self.maximumDepth) }
    }
    /// The greatest length of a number, in bytes: 1,000 by default, and 4 GB at most.
    public var number = 1_000 {
        didSet { number = min(number, Self.maximumTokenLength) }
    }
    /// The greatest length of a string between its quotes, in bytes of JSON: 20 MB by default, and 4 GB at most.
    public var string = 20_000_000 {
        didSet { string = min(string, Self.maximumTokenLength) }
    }
    /// The greatest length of a key between its quotes, in bytes of JSON: 50 KB by default, and 4 GB at most.
    public var key = 50_000 {
        didSet { key = min(key, Self.maximumTokenLength) }
    }
    /// The greatest length of the input, in bytes: unlimited by default.
    public var document = Int.max
    /// The greatest average number of times that a byte of a value is read again: 64 by default. The first megabyte is free.
    ///
    /// A value is recorded and read again if its decoding depends on later input: an enum whose tag is not the first key, an
    /// untagged enum, a value for a hook, a value that is decoded both whole and in parts, JSON in a string.
    public var rereads = 64

    /// The greatest length of a token, because a tape counts the bytes of a token with 32 bits.
    static let maximumTokenLength = Int(clamping: UInt32.max)

    /// The number of bytes that may be read again regardless of ``rereads``.
    static let replayAllowance = 1 << 20

    /// The greatest average number of bytes to which a byte of compressed input expands: 1,000 by default. The first megabyte
    /// is free.
    ///
    /// The limit rejects small input that expands to more than the memory of the system. gzip data expands at most 1,032 times.
    public var expansion = 1_000
    /// The greatest length to which a compressed input expands, in bytes: unlimited by default.
    public var decompressed = Int.max
    /// The greatest window of a compressed input, in bytes: 8 MB by default, as RFC 8878 recommends.
    ///
    /// A decompressor keeps a window of the text before. A frame of zstd states the size of its window in its first bytes, and the memory
    /// is reserved then. The levels above 19 and the option `--long` of the program `zstd` make larger windows, of up to 2 GB. The window
    /// of gzip has 32 KB.
    public var window = 1 << 23

    /// The number of bytes to which compressed input may expand regardless of ``expansion``.
    static let expansionAllowance = 1 << 20

    /// The default limits.
    public init() {}

    /// Returns the greatest length of an incomplete token with this first byte. A longer token is rejected at once.
    ///
    /// - Parameter isKey: Whether the token is a key, if it is a string.
    func maximumOpenLength(_ first: UInt8, isKey: Bool) -> Int {
        // Beyond the limit of a string by enough bytes for an escape that crosses the limit to be complete.
        first == UInt8(ascii: "\"") ? min(isKey ? key : string, Int.max - 16) + 16 : number
    }

    /// The name of a limit.
    public enum Name: String, Sendable, Hashable {
        /// ``JSONLimits/depth``
        case depth
        /// ``JSONLimits/number``
        case number
        /// ``JSONLimits/string``
        case string
        /// ``JSONLimits/key``
        case key
        /// ``JSONLimits/document``
        case document
        /// ``JSONLimits/rereads``
        case rereads
        /// ``JSONLimits/expansion``
        case expansion
        /// ``JSONLimits/decompressed``
        case decompressed
        /// ``JSONLimits/window``
        case window

        var message: String {
            switch self {
            case .depth: "nesting is deeper than"
            case .number: "a number is longer in bytes than"
            case .string: "a string is longer in bytes than"
            case .key: "a key is longer in bytes than"
            case .document: "the text is longer in bytes than"
            case .rereads: "values are read again more times than"
            case .expansion: "the compressed input expands more times than"
            case .decompressed: "the compressed input expands to more bytes than"
            case .window: "the compressed input needs a window of more bytes than"
            }
        }
    }
}

/// The error of a value in memory with more levels than allowed. The caller of the coder receives an issue or an `EncodingError`.
package struct DepthError: Error {
    package init() {}
}
