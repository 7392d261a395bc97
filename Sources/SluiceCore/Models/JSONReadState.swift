/// How far the value of a property has been read.
public enum JSONReadState: Sendable, Hashable {
    /// The property has no value yet.
    case absent
    /// The value is being read. A string has its text so far, and an array its elements so far.
    case open
    /// The value is complete.
    case complete
}
