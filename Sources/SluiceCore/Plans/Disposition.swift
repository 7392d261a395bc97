/// How the driver handles the next value.
///
/// Takes one byte: the payload's type has fewer values than a byte, and the other cases use the rest. The test for one kind of a
/// stored value is one comparison.
enum Disposition: Equatable {
    /// A new value is made and written to the slot.
    case store(ValueKind)
    /// The value is validated only.
    case skip
    /// The value belongs to a key path: an object or array that contains fields of the enclosing model.
    case descend
    /// The value has several readers: the field and its parts, or a hook. The value is recorded and replayed.
    case record
    /// The value replaces an existing one. Null is handled by the merge options; another candidate's null has no effect.
    case replace
    /// An existing value is merged with the JSON.
    case merge
    /// An existing value is converted to JSON, merged and decoded again.
    case patch

    /// The disposition of a value that is requested as the result.
    init(result layout: LayoutReference) {
        // A type without contents accepts any JSON.
        self = layout.kind == .ignored ? .skip : .store(layout.kind)
    }
}
