extension JSONModelDecoder {
    /// What `null` means in a text that is merged.
    public enum MergeNulls: Sendable, Hashable {
        /// The property stays as it is.
        case skip
        /// The property becomes nil, or its default.
        case clear
    }

    /// What becomes of a model inside of the one that is merged into.
    public enum MergeNested: Sendable, Hashable {
        /// A new one takes its place.
        case replace
        /// It is merged into itself.
        case merge
    }
}
