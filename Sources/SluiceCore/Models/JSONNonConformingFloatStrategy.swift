/// What becomes of numbers that are infinite, or none.
public enum JSONNonConformingFloatStrategy: Sendable, Hashable {
    /// They are an error.
    case refuse
    /// They are written as these strings.
    case write(infinity: String, negativeInfinity: String, nan: String)
    /// They are written as `null`.
    case null
}
