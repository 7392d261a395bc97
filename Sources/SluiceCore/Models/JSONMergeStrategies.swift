/// What `null` means in a text that is merged.
public enum JSONMergeNulls: Sendable, Hashable {
    /// The property stays as it is.
    case skip
    /// The property becomes nil, or its default; a dictionary loses the key.
    case clear
}

/// What becomes of a model, dictionary or `JSONValue` inside of the one that is merged into.
public enum JSONMergeNested: Sendable, Hashable {
    /// A new one takes its place.
    case replace
    /// It is merged into itself.
    case merge
}

/// What becomes of an array of models, dictionaries or other values that can be merged into.
public enum JSONMergeArrays: Sendable, Hashable {
    /// A new one takes its place.
    case replace
    /// Each of its elements is merged into the element at the same index. Further elements are appended, and elements
    /// that the text has none for are removed: the array becomes as long as that of the text.
    case byIndex
}
