/// Turns JSON into models, straight from the token stream: a value of options, cheap to copy.
///
/// ```swift
/// let decoder = JSONModelDecoder()
/// let repository = try decoder.decode(Repository.self, from: bytes)
/// try decoder.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { print($0.name) }
/// ```
public struct JSONModelDecoder: Sendable {
    /// Where the tokens come from.
    public enum Source: Sendable, Hashable, CaseIterable {
        #if YAJL
        /// libyajl: the reference. On Linux and macOS, with the package trait `Yajl`, which is on by default.
        case yajl
        #endif
        /// Sluice's own scanner: the same tokens, several times as fast.
        case scanner
    }

    /// What a key means that stands twice in one object.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The last one counts.
        case lastWins
        /// It is an error, wherever the key is wanted: in a model, a dictionary or a `JSONValue`.
        case reject
    }

    #if YAJL
    /// Where the tokens come from: libyajl, unless it is set to the scanner.
    public var source = Source.yajl
    #else
    /// Where the tokens come from: the scanner.
    public var source = Source.scanner
    #endif
    /// How long and deep a text may be.
    public var limits = JSONLimits()
    /// What a key means that stands twice: the last one counts.
    public var duplicateKeys = DuplicateKeys.lastWins
    /// How far scalars of another type are converted, in models and for properties that say nothing: not at all.
    public var coercion = JSONCoercion.strict
    /// What becomes of an error: the first one is thrown.
    ///
    /// - Precondition: the limit of ``ErrorPolicy/collect(limit:)`` is at least 1.
    public var errorPolicy = ErrorPolicy.first {
        didSet {
            guard case .collect(let limit) = errorPolicy else { return }
            precondition(
                limit >= 1, "JSONModelDecoder.errorPolicy: the limit of .collect(limit:) must be at least 1")
        }
    }
    /// Told of each value that was dropped, gave way to a default, or had a key that is unknown, while decoding.
    public var issueHandler: (@Sendable (JSONIssue) -> Void)?
    /// Whether issues are collected where `errorPolicy` says nothing of it.
    var isPartial = false
    /// The number of issues that are collected, where they are.
    var collectedLimit: Int? {
        if case .collect(let limit) = errorPolicy { limit } else { isPartial ? .max : nil }
    }
    /// What of the options changes plans.
    var planOptions = PlanCache.Options()
    /// The plans under these options.
    var environment: PlanCache { planOptions.environment }

    /// A decoder of the default, strict options.
    public init() {}
}

// MARK: Options that change plans

extension JSONModelDecoder {
    /// What becomes of errors.
    public enum ErrorPolicy: Sendable, Hashable {
        /// The first one is thrown, and ends the parse.
        case first
        /// All are gathered, up to so many, and thrown together: a value that fails is passed over, and so are the
        /// models that need it. Text that is no JSON ends the parse at once. The limit is at least 1.
        case collect(limit: Int)
    }

    /// How keys are made of the names of properties, in models that say nothing: they are the names.
    public var keyStrategy: JSONKeyStrategy {
        get { planOptions.keys }
        set { planOptions.keys = newValue }
    }

    /// What becomes of keys that a model has no property for, where it says nothing: they are ignored.
    public var unknownKeys: JSONUnknownKeys {
        get { planOptions.unknownKeys }
        set { planOptions.unknownKeys = newValue }
    }

    /// Which properties are read, as key paths from the root (of each element, where elements are streamed); all where
    /// it is nil. The others are as if their keys were missing.
    public var only: [JSONPath]? {
        get { planOptions.only }
        set { planOptions.only = newValue }
    }

    /// Decodes every value of a type by a transform.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Decodes every value of a type by another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        planOptions.override(shape, for: type)
    }

    /// Settings of other modules, by their type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}
