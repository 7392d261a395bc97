/// How infinite numbers and NaN are encoded, which JSON cannot represent.
public enum JSONNonConformingFloatStrategy: Sendable, Hashable {
    /// The number is an error.
    case `throw`
    /// The number is encoded as one of these strings.
    case write(infinity: String, negativeInfinity: String, nan: String)
    /// The number is encoded as `null`.
    case null
}
