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

    /// What becomes of numbers that are infinite, or none.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// They are an error.
        case refuse
        /// They are written as these strings.
        case write(infinity: String, negativeInfinity: String, nan: String)
        /// They are written as `null`.
        case null
    }

    /// What becomes of properties that are nil: they are left out.
    public var nullStrategy = NullStrategy.omit
    /// In which order keys are written: as they are declared.
    public var keyOrder = KeyOrder.declared
    /// How the text is laid out: without white space.
    public var formatting = Formatting.compact
    /// What becomes of numbers that are infinite, or none: they are an error.
    public var nonConformingFloatStrategy = NonConformingFloatStrategy.refuse
    /// Whether `/` is written as `\/`, for text that goes into HTML.
    public var escapesSlashes = false
    /// Whether characters beyond ASCII are written as escapes.
    public var escapesNonASCII = false
    /// How deep objects and arrays may be nested; what lies deeper is an error.
    public var limits = JSONLimits()
    /// What of the options changes plans.
    var planOptions = PlanCache.Options()
    /// The plans under these options.
    var environment: PlanCache { planOptions.environment }

    /// An encoder of the default options.
    public init() { planOptions.isEncoding = true }
}

// MARK: Options that change plans

extension JSONModelEncoder {
    /// How keys are made of the names of properties, in models that say nothing: they are the names.
    public var keyStrategy: JSONKeyStrategy {
        get { planOptions.keys }
        set { planOptions.keys = newValue }
    }

    /// Which properties are written, as key paths from the root (of each element); all where it is nil.
    public var only: [JSONPath]? {
        get { planOptions.only }
        set { planOptions.only = newValue }
    }

    /// Which properties are left out, as key paths from the root (of each element).
    public var except: [JSONPath]? {
        get { planOptions.except }
        set { planOptions.except = newValue }
    }

    /// Encodes every value of a type by a transform.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Encodes every value of a type by another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        planOptions.override(shape, for: type)
    }

    /// Settings of other modules, by their type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { planOptions.settings[ObjectIdentifier(setting)] = newValue }
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
        let environment = environment
        let record = try environment.record(for: shape)
        // Its records are read until the end.
        defer { withExtendedLifetime(environment) {} }
        var writer = ModelWriter(self)
        defer { writer.dispose() }
        try writer.write(record, address)
        return body(writer.out.written)
    }

    /// Encodes a value by a record of this encoder's own environment.
    func encodeToValue(
        _ address: UnsafeRawPointer, _ record: UnsafePointer<TypeLayout>
    ) throws(JSONModelError) -> JSONValue {
        var writer = ModelWriter(self)
        defer { writer.dispose() }
        try writer.write(record, address)
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        return try decoder.decode(JSONValue.self, from: writer.out.written)
    }

    /// Encodes a value whose text stands inside of another's.
    func encodeNested(_ address: UnsafeRawPointer, as shape: JSONShape) throws(NestedFailure) -> [UInt8] {
        do { return try withText(address, shape) { Array($0) } } catch { throw NestedFailure(error: error) }
    }
}

/// A failure in a value that is written into a string. The path continues that of the string.
struct NestedFailure: Error {
    let error: JSONModelError
}
