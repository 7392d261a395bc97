/// How long and deep a text may be before it is refused.
public struct JSONLimits: Sendable, Hashable {
    /// The deepest nesting that can be asked for.
    public static let greatestDepth = 4096

    /// Nested objects and arrays, 512; at most ``greatestDepth``.
    public var depth = 512 {
        didSet { depth = min(max(depth, 0), Self.greatestDepth) }
    }
    /// The text of one number, in bytes: 1,000.
    public var number = 1_000
    /// One string as it stands between its quotes, in bytes: 20 MB.
    public var string = 20_000_000
    /// One key as it stands between its quotes, in bytes: 50 KB.
    public var key = 50_000
    /// The whole text, in bytes: unlimited.
    public var document = Int.max
    /// How many times the bytes of recorded values may be replayed on average: 64. A megabyte may be replayed in any case.
    ///
    /// A value is recorded and replayed where it can be read only when more of the input is known: an enum whose tag comes
    /// late, an untagged enum, a value for a hook, a value that is wanted whole and in parts, JSON in a string.
    public var replay = 64

    /// The number of bytes that may be replayed in any case.
    static let freelyReplayed = 1 << 20

    /// The default limits.
    public init() {}

    /// How long a token that begins with this byte may have become while it is open: a longer one is not waited for.
    func longestOpen(_ first: UInt8) -> Int {
        // So far beyond a string's limit that the escape that reaches over it is there as a whole.
        first == UInt8(ascii: "\"") ? min(string, Int.max - 16) + 16 : number
    }

    /// Which of the limits.
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
        /// ``JSONLimits/replay``
        case replay

        var message: String {
            switch self {
            case .depth: "nesting is deeper than"
            case .number: "a number is longer in bytes than"
            case .string: "a string is longer in bytes than"
            case .key: "a key is longer in bytes than"
            case .document: "the text is longer in bytes than"
            case .replay: "recorded values are replayed more times than"
            }
        }
    }
}
