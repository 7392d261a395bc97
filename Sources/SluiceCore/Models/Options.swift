// The words in which plans, decoders and the macro's attributes are told what to do.

/// What becomes of keys of an object that its model has no property for.
public enum JSONUnknownKeys: Sendable, Hashable {
    /// They are passed over.
    case ignore
    /// They are an error.
    case reject
    /// They are passed over, and named through the decoder's report.
    case report
}

/// In which cases a property's default takes the place of a value.
public struct JSONDefaultCases: OptionSet, Sendable, Hashable {
    /// The bits of the cases.
    public let rawValue: UInt8
    /// Creates a set from the bits of its cases.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key is missing.
    public static let missing = JSONDefaultCases(rawValue: 1)
    /// The value is null.
    public static let null = JSONDefaultCases(rawValue: 2)
    /// The value cannot become one of the property's type; the decoder's report is told why.
    public static let mismatch = JSONDefaultCases(rawValue: 4)
}

/// In which direction a property is left out.
public enum JSONIgnoreDirection: Sendable, Hashable {
    /// It is neither read nor written.
    case both
    /// It is written, and never read: it keeps its default.
    case decoding
    /// It is read, and never written.
    case encoding
}

/// What `@JSONModel` can be told beside its labelled arguments.
public enum JSONModelOption: Sendable, Hashable {
    /// The type becomes `Codable` too, through the same keys.
    case codable
    /// An enum whose cases are told apart by their content alone: the first that the value fits.
    case untagged
}

/// How the case of an enum with values is told in the text.
public enum JSONTagging: Sendable, Hashable {
    /// The name is the one key of an object around the value, or a string where there is no value: `{"circle": {…}}`.
    case external
    /// The name stands among the value's own keys: `{"type": "circle", …}`.
    case `internal`(tag: String)
    /// The name and the value stand side by side: `{"type": "circle", "value": {…}}`.
    case adjacent(tag: String, content: String)
    /// The name does not stand there: the cases are tried in their order.
    case untagged
}
