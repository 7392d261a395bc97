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

        /// The default source.
        #if YAJL
        fileprivate static var reference: Source { .yajl }
        #else
        fileprivate static var reference: Source { .scanner }
        #endif
    }

    /// What a key means that stands twice in one object.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The last one counts.
        case lastWins
        /// It is an error, wherever the key is wanted: in a model, a dictionary or a `JSONValue`.
        case reject
    }

    /// All options.
    var options = DecodingOptions()

    /// The source of tokens. The default is libyajl where it is available, and the scanner elsewhere.
    public var source: Source {
        get { options.usesScanner ? .scanner : .reference }
        set { options.usesScanner = newValue == .scanner }
    }

    /// The limits that input must respect.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// How duplicate keys are handled. By default the last value counts.
    public var duplicateKeys: DuplicateKeys {
        get { options.rejectsDuplicates ? .reject : .lastWins }
        set { options.rejectsDuplicates = newValue == .reject }
    }

    /// The conversions of scalars of other types, for models and properties that state none. The default is no conversion.
    public var coercion: JSONCoercion {
        get { options.coercion }
        set { options.coercion = newValue }
    }

    /// How errors are handled. By default the first one is thrown.
    ///
    /// - Precondition: The limit of ``ErrorPolicy/collect(limit:)`` is at least 1.
    public var errorPolicy: ErrorPolicy {
        get { options.collectedLimit.map { .collect(limit: $0) } ?? .first }
        set {
            guard case .collect(let limit) = newValue else {
                options.collectedLimit = nil
                return
            }
            precondition(
                limit >= 1, "JSONModelDecoder.errorPolicy: the limit of .collect(limit:) must be at least 1")
            options.collectedLimit = limit
        }
    }

    /// Receives the issue of each value that was dropped or replaced by a default, and of each unknown key that is reported,
    /// while decoding.
    public var issueHandler: (@Sendable (JSONIssue) -> Void)? {
        get { options.issueHandler }
        set { options.issueHandler = newValue }
    }

    /// The plans under these options.
    var environment: PlanCache { options.environment }

    /// Creates a decoder of the options that a conversion received.
    init(_ context: any DecodingContext) {
        guard let options = context as? DecodingOptions else {
            preconditionFailure("the context is not that of a decoder")
        }
        self.options = options
    }

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
        get { options.planOptions.keys }
        set { options.planOptions.keys = newValue }
    }

    /// What becomes of keys that a model has no property for, where it says nothing: they are ignored.
    public var unknownKeys: JSONUnknownKeys {
        get { options.planOptions.unknownKeys }
        set { options.planOptions.unknownKeys = newValue }
    }

    /// Which properties are read, as key paths from the root (of each element, where elements are streamed); all where
    /// it is nil. The others are as if their keys were missing.
    public var only: [JSONPath]? {
        get { options.planOptions.only }
        set { options.planOptions.only = newValue }
    }

    /// Decodes every value of a type by a transform.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        options.planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Decodes every value of a type by another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        options.planOptions.override(shape, for: type)
    }

    /// Settings of other modules, by their type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { options.planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { options.planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}
