extension JSONModelError {
    /// The reason why a scalar could not be converted to a value of a type.
    public enum ConversionFailure: Error, Equatable, Sendable {
        /// The scalar is of another kind: a string instead of a number.
        case mismatch
        /// The number is beyond the range of the type.
        case outOfRange
        /// The number has a fraction, and the type is an integer type.
        case notAnInteger
        /// The scalar is of the right kind but not a valid value, for the given reason. The hint may suggest a correction and
        /// becomes ``JSONIssue/hint``.
        case invalid(String, hint: String? = nil)
    }
}
