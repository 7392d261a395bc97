/// Turns models into JSON, by the same plans that they are decoded by: a value of options, cheap to copy.
///
/// ```swift
/// let encoder = JSONModelEncoder()
/// let bytes = try encoder.encode(repository)
/// try encoder.write(repositories, to: .file("repositories.json"))
/// ```
///
/// Of a property's keys the first is written; a path is rebuilt (`owner.login` is `{"owner": {"login": …}}`).
public struct JSONModelEncoder: Sendable {
    /// What becomes of properties that are nil.
    public enum NullStrategy: Sendable, Hashable {
        /// They are left out, and so are objects on a path in which nothing is left.
        case omit
        /// They are written as `null`.
        case write
    }

    /// In which order keys are written.
    public enum KeyOrder: Sendable, Hashable {
        /// As the properties are declared; those of dictionaries in any order.
        case declared
        /// By the bytes of their UTF-8. The pairs of an extra dictionary come after the properties.
        case sorted
    }

    /// How the text is laid out.
    public enum Formatting: Sendable, Hashable {
        /// Without any white space.
        case compact
        /// A line for each value, indented by two spaces. The text of a `JSONRaw` stays as it is.
        case pretty
    }

    /// How numbers that are infinite or not a number are handled.
    public typealias NonConformingFloatStrategy = JSONNonConformingFloatStrategy

    /// All options.
    var options = EncodingOptions()

    /// How properties that are nil are handled. By default they are omitted.
    public var nullStrategy: NullStrategy {
        get { options.writesNulls ? .write : .omit }
        set { options.writesNulls = newValue == .write }
    }

    /// The order of keys. The default is the order of declaration.
    public var keyOrder: KeyOrder {
        get { options.isSorted ? .sorted : .declared }
        set { options.isSorted = newValue == .sorted }
    }

    /// The layout of the text. The default has no white space.
    public var formatting: Formatting {
        get { options.format.isPretty ? .pretty : .compact }
        set { options.format.isPretty = newValue == .pretty }
    }

    /// How numbers that are infinite or not a number are handled. By default they are errors.
    public var nonConformingFloatStrategy: NonConformingFloatStrategy {
        get { options.nonConformingFloats }
        set { options.nonConformingFloats = newValue }
    }

    /// Whether `/` is written as `\/`, for text in HTML.
    public var escapesSlashes: Bool {
        get { options.format.escapesSlashes }
        set { options.format.escapesSlashes = newValue }
    }

    /// Whether characters beyond ASCII are written as escapes.
    public var escapesNonASCII: Bool {
        get { options.format.escapesNonASCII }
        set { options.format.escapesNonASCII = newValue }
    }

    /// The limit of nesting. Deeper values are errors.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// The plans under these options.
    var environment: PlanCache { options.environment }

    /// An encoder of the default options.
    public init() { options.planOptions.isEncoding = true }
}

// MARK: Options that change plans

extension JSONModelEncoder {
    /// How keys are made of the names of properties, in models that say nothing: they are the names.
    public var keyStrategy: JSONKeyStrategy {
        get { options.planOptions.keys }
        set { options.planOptions.keys = newValue }
    }

    /// Which properties are written, as key paths from the root (of each element); all where it is nil.
    public var only: [JSONPath]? {
        get { options.planOptions.only }
        set { options.planOptions.only = newValue }
    }

    /// Which properties are left out, as key paths from the root (of each element).
    public var except: [JSONPath]? {
        get { options.planOptions.except }
        set { options.planOptions.except = newValue }
    }

    /// Encodes every value of a type by a transform.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        options.planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Encodes every value of a type by another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        options.planOptions.override(shape, for: type)
    }

    /// Settings of other modules, by their type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { options.planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { options.planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}

// MARK: One value

extension JSONModelEncoder {
    /// Encodes a value as JSON in UTF-8.
    ///
    /// - Throws: ``JSONModelError``
    public func encode<T: JSONConvertible>(_ value: T) throws(JSONModelError) -> [UInt8] {
        try encode(value, as: .bytes)
    }

    /// Encodes a value as a string, a ``JSONValue`` or another form of JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - output: The form, such as `.string`. See ``JSONOutput``.
    /// - Throws: ``JSONModelError``
    public func encode<T: JSONConvertible, Result>(
        _ value: T, as output: JSONOutput<Result>
    ) throws(JSONModelError) -> Result {
        let result = try withText(of: value) { text in
            Swift.Result { () throws(JSONModelError) in try output.make(text) }
        }
        return try result.get()
    }

    /// Encodes a value, and lends its text.
    private func withText<T: JSONConvertible, R>(
        of value: T, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        try withUnsafePointer(to: value) { address throws(JSONModelError) in
            try withText(UnsafeRawPointer(address), JSONShape.of(T.self), body)
        }
    }

    private func withText<R>(
        _ address: UnsafeRawPointer, _ shape: JSONShape, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(JSONModelError) -> R {
        try ModelWriter.withText(address, shape, options, body)
    }
}
