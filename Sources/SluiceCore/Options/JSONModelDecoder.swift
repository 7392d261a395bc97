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

        /// The default source.
        #if YAJL
        static var reference: Source { .yajl }
        #else
        static var reference: Source { .scanner }
        #endif
    }

    /// How duplicate keys in an object are handled.
    public enum DuplicateKeys: Sendable, Hashable {
        /// The last value is used.
        case lastWins
        /// A duplicate key is an error in a model, a dictionary or a `JSONValue`. Ignored values are not checked.
        case reject
    }

    /// How the failed elements of a stream are handled.
    public enum ElementErrorPolicy: Sendable, Hashable {
        /// The error of the first failed element is thrown.
        case `throw`
        /// Failed elements are left out. The decoder's ``JSONModelDecoder/issueHandler`` receives their issues.
        ///
        /// An element fails because its value does not match its model. In lines and other framings that divide the input into
        /// values, an element also fails because its value is not JSON. In a document, a syntax error ends the stream.
        case skip
    }

    /// All options. A change of an option replaces the object.
    package private(set) var sharedOptions = DecodingOptions.Shared.standard

    package var options: DecodingOptions {
        get { sharedOptions.value }
        set { sharedOptions = DecodingOptions.Shared(newValue) }
    }

    /// The source of tokens. The default is libyajl where it is available, and the scanner elsewhere.
    public var source: Source {
        get { options.source }
        set { options.source = newValue }
    }

    /// The limits that input must respect.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// How duplicate keys are handled. By default, the last value is used.
    public var duplicateKeys: DuplicateKeys {
        get { options.duplicateKeys }
        set { options.duplicateKeys = newValue }
    }

    /// The conversions of scalars of other types, for models and properties that state none. The default is no conversion.
    public var coercion: JSONCoercion {
        get { options.coercion }
        set { options.coercion = newValue }
    }

    /// How errors are handled. By default, the first one is thrown.
    ///
    /// - Precondition: The limit of ``ErrorPolicy/collect(limit:)`` is at least 1.
    public var errorPolicy: ErrorPolicy {
        get { options.errorPolicy }
        set {
            if case .collect(let limit) = newValue {
                precondition(
                    limit >= 1, "JSONModelDecoder.errorPolicy: the limit of .collect(limit:) must be at least 1")
            }
            options.errorPolicy = newValue
        }
    }

    /// Whether decoding stops when all requested values are present, so that the rest of the input is neither read nor validated.
    /// The default is false.
    ///
    /// With a path, decoding stops after the value at the path. With ``only``, decoding stops at the first key after the last
    /// property that is read. A stream stops at the end of the array that holds its elements, unless outer arrays may hold
    /// further ones. In framings other than a document, each value is read up to such a stop. Keys that follow the stop have no effect,
    /// neither duplicate keys nor better keys of a property that has several. A model with hooks for single values, extra
    /// keys or flattened enums is read to its end.
    public var stopsEarly: Bool {
        get { options.stopsEarly }
        set { options.stopsEarly = newValue }
    }

    /// How failed elements of a stream are handled. The default throws the first error.
    public var elementErrors: ElementErrorPolicy {
        get { options.elementErrors }
        set { options.elementErrors = newValue }
    }

    /// Receives the issue of each value that was dropped or replaced by a default, and of each unknown key that is reported,
    /// while decoding.
    public var issueHandler: (@Sendable (JSONIssue) -> Void)? {
        get { options.issueHandler }
        set { options.issueHandler = newValue }
    }

    /// Whether ``issueHandler`` is set.
    package var reportsIssues: Bool { sharedOptions.value.issueHandler != nil }

    /// Receives the progress of decoding a file or standard input after each window of 64 KB, and of a stream after each chunk.
    public var progressHandler: (@Sendable (JSONProgress) -> Void)? {
        get { options.progressHandler }
        set { options.progressHandler = newValue }
    }

    /// Receives the summary of each stream of elements when the stream ends: at the end of the input, after an error, or when the
    /// rest is not read.
    public var summaryHandler: (@Sendable (JSONStreamSummary) -> Void)? {
        get { options.summaryHandler }
        set { options.summaryHandler = newValue }
    }

    /// The plans under these options.
    // The stored property. The computed property of the options costs a copy of all options.
    package var planCache: PlanCache { options.planOptions.planCache }

    /// The options of a driver for a partial value. Such a driver reports neither issues nor progress.
    package var partialOptions: DecodingOptions.Shared {
        var partial = options
        partial.isPartial = true
        (partial.issueHandler, partial.progressHandler) = (nil, nil)
        return DecodingOptions.Shared(partial)
    }

    /// Creates a decoder of the options that a conversion received.
    init(_ context: any DecodingContext) {
        sharedOptions = Self.sharedOptions(context)
    }

    /// Returns the options that a conversion received.
    static func sharedOptions(_ context: any DecodingContext) -> DecodingOptions.Shared {
        guard let options = context as? DecodingOptions.Shared else {
            preconditionFailure("the context is not that of a decoder")
        }
        return options
    }

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
        get { options.planOptions.configuration.keys }
        set { options.planOptions.configuration.keys = newValue }
    }

    /// How keys without a property are handled, in models and enums without a policy of their own. The default ignores them.
    public var unknownKeys: JSONUnknownKeys {
        get { options.planOptions.configuration.unknownKeys }
        set { options.planOptions.configuration.unknownKeys = newValue }
    }

    /// The properties to read, as paths from the root (in a stream, from the root of each element); nil reads all. Other
    /// properties are treated as if their keys were missing.
    ///
    /// A path that selects no property is an error. An array and an enum with associated values are selected as a whole. An index
    /// selects the properties whose own key path has the index. Extra keys and flattened enums are always read. A value of a type without
    /// a plan is an error; inside of a model, such a value is read as a whole.
    public var only: [JSONPath]? {
        get { options.planOptions.configuration.only }
        set { options.planOptions.configuration.only = newValue }
    }

    /// Whether ``only`` is set.
    package var isFiltered: Bool { sharedOptions.value.planOptions.isFiltered }

    /// The decoder for values inside of those that ``only`` has selected, whose paths begin at the root.
    package var unfiltered: JSONModelDecoder {
        if !isFiltered { return self }
        var decoder = self
        decoder.options.planOptions = options.planOptions.unfiltered
        return decoder
    }

    /// Decodes every value of a type with a transform.
    ///
    /// Decoders with equal options share their plans. Transforms are equal if they have no stored properties, or conform to `Hashable` and
    /// compare equal. Any other transform is equal only to its copies in decoders.
    ///
    /// - Parameter transform: The transform. Its value is the type.
    public mutating func register<T: JSONTransform>(_ transform: T) {
        options.planOptions.register(transform)
    }

    /// Decodes every value of a type with another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        options.planOptions.override(shape, for: type)
    }

    /// The settings of other modules, by type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { options.planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { options.planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}
