// The options of plans, decoders and the attributes of the macro.

/// How keys without a property in the model are handled.
public enum JSONUnknownKeys: Sendable, Hashable {
    /// Skips the key and its value.
    case ignore
    /// Treats the key as an error.
    case reject
    /// Skips the key and its value, and passes an issue to the decoder's issue handler.
    case report
}

/// The cases in which a property's default replaces the value in the JSON.
public struct JSONDefaultCases: OptionSet, Sendable, Hashable {
    /// The bits of the cases.
    public let rawValue: UInt8
    /// Creates a set from the bits of its cases.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key is missing.
    public static let missing = JSONDefaultCases(rawValue: 1)
    /// The value is null.
    public static let null = JSONDefaultCases(rawValue: 2)
    /// The value cannot be converted to the property's type. The decoder's issue handler receives the reason.
    public static let mismatch = JSONDefaultCases(rawValue: 4)
}

/// The direction in which a property is left out.
public enum JSONIgnoreDirection: Sendable, Hashable {
    /// The property is neither decoded nor encoded.
    case both
    /// The property is encoded and not decoded. The default is kept.
    case decoding
    /// The property is decoded and not encoded.
    case encoding
}

/// An option of `@JSONModel` besides its labelled arguments.
public enum JSONModelOption: Sendable, Hashable {
    /// The type becomes `Codable` too, with the same keys.
    case codable
    /// The JSON of an enum has no tag. The first case that fits the value is chosen.
    case untagged
}

/// The location of the name of an enum's case in the JSON.
public enum JSONTagging: Sendable, Hashable {
    /// The name is the only key of an object around the value, or a string for a case without one: `{"circle": {…}}`.
    case external
    /// The name is a member of the value's own object: `{"type": "circle", …}`.
    case `internal`(tag: String)
    /// The name and the value are two members of an object: `{"type": "circle", "value": {…}}`.
    case adjacent(tag: String, content: String)
    /// The JSON does not contain the name. The cases are tried in their order.
    case untagged
}
