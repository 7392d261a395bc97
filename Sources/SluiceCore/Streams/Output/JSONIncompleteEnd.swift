/// The treatment of a file whose end is incomplete, before elements are appended to the file.
///
/// The end is incomplete after the process that wrote the file has ended in the middle of an element, or in compressed files, before
/// `finish`. A number without white space after it is also incomplete, because its last digits may be missing. See
/// ``JSONDestination/appending(to:incompleteEnd:)``.
public enum JSONIncompleteEnd: Sendable, Hashable, CaseIterable {
    /// The file stays unchanged, and opening it throws an error of the kind ``JSONIssue/Kind/notAppendable(_:)``. The location of the
    /// issue is the offset of the incomplete element in the text of the file.
    case `throw`
    /// The incomplete element is removed, and all complete elements stay. The last member of a compressed file is compressed again
    /// if it contains complete elements.
    case remove
}
