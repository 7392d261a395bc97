/// What the driver answers to a token.
enum Answer: UInt8 {
    /// Go on.
    case go
    /// End the parse: the driver has an error, or has been told that it is enough.
    case stop
    /// The verbatim text of this scalar is wanted: hand it to `Driver.captured`.
    case capture
    /// The verbatim text from this opening bracket on is wanted …
    case beginCapture
    /// … to this closing one: hand it to `Driver.captured`.
    case endCapture
    /// The verbatim text from this key to the end of its object is wanted, with the closing bracket.
    case captureMembers
    /// Something is wrong with a value, which has been passed over, or is going to be: give `failure` back, with its
    /// place, by `noted`, and go on if that says so.
    case report
}
