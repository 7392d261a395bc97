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
