/// Decodes JSON into models, directly from the token stream. A decoder is a value of options and cheap to copy.
///
/// ```swift
/// let decoder = JSONModelDecoder()
/// let repository = try decoder.decode(Repository.self, from: bytes)
/// try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { print($0.name) }
/// ```
public struct JSONModelDecoder: Sendable {
    /// The source of the tokens.
    public enum Source: Sendable, Hashable, CaseIterable {
        #if YAJL
        /// libyajl, the reference. Available on Linux and macOS with the package trait `Yajl`, which is enabled by default.
        case yajl
        #endif
        /// Sluice's own scanner. Produces the same tokens several times as fast.
        case scanner
    }

    /// How duplicate keys in an object are handled.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The last value is used.
        case lastWins
        /// A duplicate key is an error in a model, a dictionary or a `JSONValue`. Ignored values are not checked.
        case reject
    }

    #if YAJL
    /// The source of the tokens. The default is libyajl.
    public var source = Source.yajl
    #else
    /// The source of the tokens.
    public var source = Source.scanner
    #endif
    /// The limits that input must respect.
    public var limits = JSONLimits()
    /// How duplicate keys are handled. The default uses the last value.
    public var duplicateKeys = DuplicateKeys.lastWins
    /// The conversions of scalars to other types, for models and properties without their own. The default allows none.
    public var coercion = JSONCoercion.strict
    /// How errors are handled. The default throws the first error.
    ///
    /// - Precondition: The limit of ``ErrorPolicy/collect(limit:)`` is at least 1.
    public var errorPolicy = ErrorPolicy.first {
        didSet {
            guard case .collect(let limit) = errorPolicy else { return }
            precondition(
                limit >= 1, "JSONModelDecoder.errorPolicy: the limit of .collect(limit:) must be at least 1")
        }
    }
    /// Receives each issue that decoding recovers from: a dropped value, a default used for a value, or an unknown key.
    public var issueHandler: (@Sendable (JSONIssue) -> Void)?
    /// Whether issues are collected even if `errorPolicy` is `.first`.
    var isPartial = false
    /// The maximum number of collected issues, or nil if the first issue is thrown.
    var collectedLimit: Int? {
        if case .collect(let limit) = errorPolicy { limit } else { isPartial ? .max : nil }
    }
    /// The options that affect plans.
    var planOptions = PlanCache.Options()
    /// The plans for these options.
    var environment: PlanCache { planOptions.environment }

    /// Creates a decoder with the default, strict options.
    public init() {}
}

// MARK: Options that change plans

extension JSONModelDecoder {
    /// How errors are handled.
    public enum ErrorPolicy: Sendable, Hashable {
        /// The first error is thrown, and ends the parse.
        case first
        /// All errors are collected, up to a limit, and thrown together. A failed value is skipped, and so are the models that
        /// require it. A syntax error ends the parse. The limit is at least 1.
        case collect(limit: Int)
    }

    /// How keys are derived from property names, in models without a strategy of their own. The default uses the names.
    public var keyStrategy: JSONKeyStrategy {
        get { planOptions.keys }
        set { planOptions.keys = newValue }
    }

    /// How keys without a property are handled, in models without a policy of their own. The default ignores them.
    public var unknownKeys: JSONUnknownKeys {
        get { planOptions.unknownKeys }
        set { planOptions.unknownKeys = newValue }
    }

    /// The properties to read, as paths from the root (in a stream, from the root of each element); nil reads all. Other
    /// properties are treated as if their keys were missing.
    public var only: [JSONPath]? {
        get { planOptions.only }
        set { planOptions.only = newValue }
    }

    /// Decodes every value of a type with a transform.
    ///
    /// - Parameter transform: The transform. Its value is the type.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Decodes every value of a type with another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        planOptions.override(shape, for: type)
    }

    /// The settings of other modules, by type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}
