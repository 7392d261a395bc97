extension JSONModelError {
    /// Why a scalar could not become a value of the wanted type.
    public enum ConversionFailure: Error, Equatable, Sendable {
        /// It is of another kind: a string where a number is wanted.
        case mismatch
        /// The number is beyond what the type holds.
        case outOfRange
        /// The number has a fraction, and the type holds none.
        case notAnInteger
        /// It is of the right kind and still no such value; says why. The hint says what may have been meant, and becomes
        /// ``JSONIssue/hint``.
        case invalid(String, hint: String? = nil)
    }
}
