/// How `null` is handled in JSON that is merged.
public enum JSONMergeNulls: Sendable, Hashable {
    /// The property is unchanged.
    case skip
    /// The property becomes nil or its default. In a dictionary, the key is removed.
    case clear
}

/// How a nested model, dictionary or `JSONValue` is handled.
public enum JSONMergeNested: Sendable, Hashable {
    /// A new value replaces the existing one.
    case replace
    /// The JSON is merged into the existing value.
    case merge
}

/// How an array is handled whose elements can be merged into, such as models or dictionaries.
public enum JSONMergeArrays: Sendable, Hashable {
    /// A new array replaces the existing one.
    case replace
    /// Each element is merged into the existing element at the same index. Further elements are appended, and existing
    /// elements without a counterpart are removed, so that the array becomes as long as the array in the JSON.
    case byIndex
}
