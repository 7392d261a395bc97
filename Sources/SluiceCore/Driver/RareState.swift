/// The state that few frames need. Made on first use.
final class RareState {
    /// The existing object that a merge changes.
    var object: AnyObject?
    /// The key of the current member, in a dictionary of extra keys, a changed container, or an object that selects every
    /// member. In the object of an enum: the name of the case, if the case has several, or before it the first unknown name.
    var key: String?
    /// In an array or object on a path with an outer wildcard: the number of elements collected before.
    var gathered = 0
    /// The fields whose hook was called.
    var askedFields: Set<Int> = []
    /// Whether a value of the object failed and the issue was recorded; and the fields that failed.
    var hasFailed = false
    var failedFields: Set<Int> = []
    /// The failures that apply at the end of the object, unless better candidates arrive.
    var deferred: [DeferredFailure] = []
    /// In an object that is changed by a merge: the values before the change.
    var originals: MergeOriginals?
    /// The keys read so far, if duplicates are rejected.
    var seenKeys: Set<String> = []
    /// The same for dictionaries whose keys are made from strings: different strings can make equal keys.
    var seenMadeKeys: Set<AnyHashable> = []

    init() {}

    /// Creates a copy. The state of a merge is not copied.
    init(_ other: RareState) {
        (object, key, gathered, askedFields) = (other.object, other.key, other.gathered, other.askedFields)
        (hasFailed, failedFields, deferred) = (other.hasFailed, other.failedFields, other.deferred)
        (seenKeys, seenMadeKeys) = (other.seenKeys, other.seenMadeKeys)
    }
}
