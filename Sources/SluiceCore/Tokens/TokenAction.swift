/// The action that a source takes after a token.
enum TokenAction: UInt8 {
    /// Continue with the next token.
    case proceed
    /// End the parse: the driver has an issue, or needs no more input.
    case stop
    /// Hand the verbatim bytes of this scalar to `recorded`.
    case capture
    /// Record the verbatim bytes from this opening bracket …
    case beginCapture
    /// … to this closing bracket, and hand them to `recorded`.
    case endCapture
    /// Record the verbatim bytes from this key to the end of the object, including the closing bracket.
    case captureMembers
    /// Continue. The array that has begun is one of doubles, which the source may read itself. See `TokenSink.nextDoubles`.
    case readDoubles
    /// Deliver pending issues and run a requested replay, then continue.
    case attend
}
