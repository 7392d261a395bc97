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
        /// Keys in the order of their UTF-8 bytes.
        ///
        /// The tag of an enum precedes the other keys of its object. The members of flattened enums, and then the pairs of an extra
        /// dictionary, follow the properties. For one order of all keys, see `Formatting.canonical`.
        case sorted
    }

    /// The layout of the JSON.
    public enum Formatting: Sendable, Hashable {
        /// No white space.
        case compact
        /// One line per value, indented by two spaces. The JSON of a `JSONRaw` is not changed.
        case pretty
        /// The canonical form of RFC 8785, for signatures and comparisons: equal values have equal bytes.
        ///
        /// No white space, keys in the order of their UTF-16 code units, numbers as ECMAScript prints the nearest double, and no escape that
        /// is not necessary. The options for the order of keys and for escapes have no effect. A number beyond the range of a
        /// double, an integer that a double does not hold, and a duplicate key are errors. The JSON of a value, or of an element of
        /// a stream, is in memory as a whole.
        case canonical
    }

    /// How infinite numbers and NaN are encoded, which JSON cannot represent.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// The number is an error.
        case `throw`
        /// The number is encoded as one of these strings.
        case write(infinity: String, negativeInfinity: String, nan: String)
        /// The number is encoded as `null`.
        case null
    }

    /// All options.
    package var options = EncodingOptions()

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

    /// The layout of the JSON. The default has no white space.
    public var formatting: Formatting {
        get { options.isCanonical ? .canonical : options.format.isPretty ? .pretty : .compact }
        set { (options.format.isPretty, options.isCanonical) = (newValue == .pretty, newValue == .canonical) }
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

    /// The limits. Encoding uses the limit of nesting only: deeper values are errors.
    public var limits: JSONLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// The plans under these options.
    package var planCache: PlanCache { options.planCache }

    /// Creates an encoder with the default options.
    public init() { options.planOptions = PlanCache.Options(isEncoding: true) }
}

// MARK: Options that change plans

extension JSONModelEncoder {
    /// How keys are derived from property names, in models without a strategy of their own. The default uses the names.
    public var keyStrategy: JSONKeyStrategy {
        get { options.planOptions.configuration.keys }
        set { options.planOptions.configuration.keys = newValue }
    }

    /// Whether the names of the properties in Swift are written instead of their keys, for example for logs, and for programs that know the
    /// types and not their JSON. The default is false.
    ///
    /// A property is one member of its model's object, whatever its key: a path has no objects of its own, a flattened model and a dictionary
    /// of extra keys are nested. The names of an enum's cases, and its tag, are unchanged. Paths in ``only`` and ``except`` have the names of
    /// properties, too.
    public var writesPropertyNames: Bool {
        get { options.planOptions.configuration.writesNames }
        set { options.planOptions.configuration.writesNames = newValue }
    }

    /// The properties to write, as paths from the root (of each element); nil writes all.
    ///
    /// A path that selects no property is an error. An array, an enum with associated values, and the value of an extra key are
    /// selected as a whole. An index selects the properties whose own key path has the index. A flattened enum is always selected, and
    /// cannot be left out. A value of a type without a plan is an error; inside of a model, such a value is written as a whole. If other
    /// properties have parts of the value, and only some of these parts are selected, the value itself is left out.
    public var only: [JSONPath]? {
        get { options.planOptions.configuration.only }
        set { options.planOptions.configuration.only = newValue }
    }

    /// The properties to omit, as paths from the root (of each element). See ``only``.
    public var except: [JSONPath]? {
        get { options.planOptions.configuration.except }
        set { options.planOptions.configuration.except = newValue }
    }

    /// Encodes every value of a type with a transform.
    ///
    /// - Parameter transform: The transform. Its value is the type.
    public mutating func register<T: JSONTransform>(_ transform: T) {
        options.planOptions.register(transform)
    }

    /// Encodes every value of a type with another shape.
    package mutating func override<T>(_ shape: JSONShape, for type: T.Type) {
        options.planOptions.override(shape, for: type)
    }

    /// The settings of other modules, by type.
    package subscript<Setting: Sendable>(setting: Setting.Type) -> Setting? {
        get { options.planOptions.settings[ObjectIdentifier(setting)] as? Setting }
        set { options.planOptions.settings[ObjectIdentifier(setting)] = newValue }
    }
}
