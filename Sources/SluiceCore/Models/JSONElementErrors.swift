/// How the failed elements of a stream are handled.
public enum JSONElementErrors: Sendable, Hashable {
    /// The error of the first failed element is thrown.
    case `throw`
    /// Failed elements are left out. The decoder's ``JSONModelDecoder/issueHandler`` receives their issues.
    ///
    /// An element fails because its value does not match its model. In lines and other framings that divide the input into
    /// values, an element also fails because its value is not JSON. In a document, a syntax error ends the stream.
    case skip
}
