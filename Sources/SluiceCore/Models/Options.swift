import CKernels

// The options of plans, decoders and the attributes of the macro.

/// How keys without a property in the model, or without a meaning in the object of an enum, are handled.
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
    @_documentation(visibility: internal) public let rawValue: UInt8
    /// Creates a set from the bits of its cases.
    @_documentation(visibility: internal) public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The key is missing.
    public static let missing = JSONDefaultCases(rawValue: 1)
    /// The value is null.
    public static let null = JSONDefaultCases(rawValue: 2)
    /// The value cannot be converted to the property's type. The decoder's issue handler receives the reason.
    public static let mismatch = JSONDefaultCases(rawValue: 4)
    /// All cases.
    public static let all: JSONDefaultCases = [.missing, .null, .mismatch]
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

/// The form of a value whose JSON is the contents of a string.
public enum JSONEmbedding: Sendable, Hashable {
    /// The value is a string of JSON, in both directions.
    case string
    /// The value is decoded from JSON or from a string of JSON, and is encoded as JSON.
    ///
    /// The models in an array, a dictionary or an optional have the same two forms, at any depth. A value whose own JSON is a
    /// scalar, such as a date or a number, has one form.
    case either
}

/// An option of `@JSONModel` besides its labelled arguments.
public enum JSONModelOption: Sendable, Hashable {
    /// Adds a `Codable` conformance with the same keys.
    case codable
    /// The JSON of an enum has no tag. The first case that fits the value is chosen.
    case untagged
    /// Adds a nested type `Partial`, in which the properties are optional. The option can be used on structs, final classes, and enums
    /// with a tag. See ``JSONPartialModel``.
    case partial
}

/// When a property of a partial model has its value. See ``JSONPartialModel``.
public enum JSONPartialPresence: Sendable, Hashable {
    /// The property is nil until its value is complete. The elements of an array are complete values, too: one that lacks a part is an error.
    case whenComplete
    /// The partial model itself is nil until the value is complete. The property has the type of the model's property.
    case required
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

/// The use of a superclass that is not a model.
///
/// The properties of such a superclass are neither decoded nor encoded. A plan of `@JSONModel` is therefore invalid if the
/// superclass has stored properties, unless the class states that they are ignored:
///
/// ```swift
/// @JSONModel(superclass: .ignored)
/// final class Cell: ReusableView { var title = "" }
/// ```
public enum JSONSuperclass: Sendable, Hashable {
    /// The superclass has no JSON. Its properties keep the values that its initializer gives them.
    case ignored
}

/// How JSON changes an existing value.
///
/// ```swift
/// try decoder.merge(patch, into: &repository, options: .mergePatch)
/// try decoder.merge(page, into: &feed, options: JSONMergeOptions(nested: .merge, arrays: .byIndex))
/// ```
public struct JSONMergeOptions: Sendable, Hashable {
    /// How `null` is handled in JSON that is merged.
    public enum Nulls: Sendable, Hashable {
        /// The property is unchanged.
        case skip
        /// The property becomes nil or its default. In a dictionary, the key is removed.
        case clear
    }

    /// How a nested model, dictionary or `JSONValue` is handled.
    public enum Nested: Sendable, Hashable {
        /// A new value replaces the existing one.
        case replace
        /// The JSON is merged into the existing value.
        case merge
    }

    /// How an array is handled whose elements can be merged into, such as models or dictionaries.
    public enum Arrays: Sendable, Hashable {
        /// A new array replaces the existing one.
        case replace
        /// Each element is merged into the existing element at the same index. Further elements are appended, and existing
        /// elements without a counterpart are removed, so that the array becomes as long as the array in the JSON.
        case byIndex
    }

    /// How `null` is handled.
    public var nulls: Nulls
    /// How nested models, dictionaries and `JSONValue`s are handled.
    public var nested: Nested
    /// How arrays are handled. `byIndex` keeps the objects in arrays of classes.
    public var arrays: Arrays

    /// Creates options.
    ///
    /// - Parameters:
    ///   - nulls: How `null` is handled.
    ///   - nested: How nested models, dictionaries and `JSONValue`s are handled.
    ///   - arrays: How arrays are handled.
    public init(nulls: Nulls = .skip, nested: Nested = .replace, arrays: Arrays = .replace) {
        (self.nulls, self.nested, self.arrays) = (nulls, nested, arrays)
    }

    /// A JSON Merge Patch, RFC 7396: `null` clears, nested objects are merged, and arrays are replaced.
    public static let mergePatch = JSONMergeOptions(nulls: .clear, nested: .merge)
}

/// The number of threads that decode the elements of a stream.
public struct JSONWorkers: Sendable, Hashable {
    /// The number of threads; nil for one per core.
    private let requested: Int?
    /// The bytes that a thread decodes at a time. Decoding this much takes much longer than waking a thread.
    package var batchSize = 1 << 17

    private init(_ requested: Int?) { self.requested = requested }

    /// One thread for each core on which the process may run.
    public static let automatic = JSONWorkers(nil)

    /// A number of threads, including the calling thread. A number less than 1 is treated as 1.
    public static func exactly(_ count: Int) -> JSONWorkers { JSONWorkers(max(count, 1)) }

    /// The number of threads on this machine.
    package var count: Int { requested ?? Int(sluice_core_count()) }
}
