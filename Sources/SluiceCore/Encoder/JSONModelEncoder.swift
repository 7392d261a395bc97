/// Encodes models as JSON, by the plans that also decode them. An encoder is a value of options and cheap to copy.
///
/// ```swift
/// let encoder = JSONModelEncoder()
/// let bytes = try encoder.encode(repository)
/// try encoder.write(repositories, to: .file("repositories.json"))
/// ```
///
/// A property with several keys is written with the first. A path becomes nested objects: `owner.login` is written as
/// `{"owner": {"login": …}}`.
public struct JSONModelEncoder: Sendable {
    /// How nil properties are handled.
    public enum NullStrategy: Sendable, Hashable {
        /// Nil properties are omitted, and so are the objects on paths that would be empty.
        case omit
        /// Nil properties are written as `null`.
        case write
    }

    /// The order of keys.
    public enum KeyOrder: Sendable, Hashable {
        /// Properties in order of declaration. The order of dictionary keys is unspecified.
        case declared
        /// Keys in the order of their UTF-8 bytes. The pairs of an extra dictionary follow the properties.
        case sorted
    }

    /// The layout of the JSON.
    public enum Formatting: Sendable, Hashable {
        /// No white space.
        case compact
        /// One line per value, indented by two spaces. The JSON of a `JSONRaw` is not changed.
        case pretty
    }

    /// How infinite numbers and NaN are handled.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// They are an error.
        case refuse
        /// They are written as the given strings.
        case write(infinity: String, negativeInfinity: String, nan: String)
        /// They are written as `null`.
        case null
    }

    /// How nil properties are handled. The default omits them.
    public var nullStrategy = NullStrategy.omit
    /// The order of keys. The default is the order of declaration.
    public var keyOrder = KeyOrder.declared
    /// The layout of the JSON. The default has no white space.
    public var formatting = Formatting.compact
    /// How infinite numbers and NaN are handled. The default throws an error.
    public var nonConformingFloatStrategy = NonConformingFloatStrategy.refuse
    /// Whether `/` is written as `\/`, for JSON that is embedded in HTML.
    public var escapesSlashes = false
    /// Whether non-ASCII characters are escaped.
    public var escapesNonASCII = false
    /// The limits of the JSON. Objects and arrays nested more deeply than ``JSONLimits/depth`` are an error.
    public var limits = JSONLimits()
    /// The options that affect plans.
    var planOptions = PlanCache.Options()
    /// The plans for these options.
    var environment: PlanCache { planOptions.environment }

    /// Creates an encoder with the default options.
    public init() { planOptions.isEncoding = true }
}

// MARK: Options that change plans

extension JSONModelEncoder {
    /// How keys are derived from property names, in models without a strategy of their own. The default uses the names.
    public var keyStrategy: JSONKeyStrategy {
        get { planOptions.keys }
        set { planOptions.keys = newValue }
    }

    /// The properties to write, as paths from the root (of each element); nil writes all.
    public var only: [JSONPath]? {
        get { planOptions.only }
        set { planOptions.only = newValue }
    }

    /// The properties to omit, as paths from the root (of each element).
    public var except: [JSONPath]? {
        get { planOptions.except }
        set { planOptions.except = newValue }
    }

    /// Encodes every value of a type with a transform.
    ///
    /// - Parameter transform: The transform. Its value is the type.
    public mutating func register<T: JSONTransform>(_ transform: T.Type) {
        planOptions.override(.fixed(by: transform), for: T.Value.self)
    }

    /// Encodes every value of a type with another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        planOptions.override(shape, for: type)
    }

    /// The settings of other modules, by type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}

// MARK: One value

extension JSONModelEncoder {
    /// Encodes a value as JSON in UTF-8.
    ///
    /// - Parameter value: The value.
    /// - Returns: The UTF-8 bytes.
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

    /// Encodes a value, and calls a closure with the JSON.
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
        // Keep the plan cache alive while its layouts are read.
        defer { withExtendedLifetime(environment) {} }
        var writer = ModelWriter(self)
        defer { writer.dispose() }
        try writer.write(record, address)
        return body(writer.out.written)
    }

    /// Encodes a value with a layout of this encoder's plan cache.
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

    /// Encodes a value as JSON that is embedded in other JSON.
    func encodeNested(_ address: UnsafeRawPointer, as shape: JSONShape) throws(NestedFailure) -> [UInt8] {
        do { return try withText(address, shape) { Array($0) } } catch { throw NestedFailure(error: error) }
    }
}

/// A failure in a value that is written into a string or object. Its path continues the path of the enclosing value.
struct NestedFailure: Error {
    let error: JSONModelError
}
