/// The rules that convert scalars of one type to values of another, such as a number in quotes to a number.
///
/// A coercion applies to strings, numbers and booleans. An object, an array or `null` never becomes a scalar.
///
/// | from → to | ``strict`` | ``lenient`` | ``mjExtension`` |
/// |---|---|---|---|
/// | string → number | an error | the whole string is a number | the number at its start, else 0 |
/// | number → string | an error | its digits as in the JSON | the same |
/// | boolean → string | an error | `true` or `false` | the same |
/// | boolean → number | an error | 1 or 0 | the same |
/// | string → boolean | an error | true, yes, 1, false, no, 0 | true, yes, false, no, else a number other than 0 |
/// | number → boolean | an error | 1 or 0 | every number but 0 is true |
/// | fraction → integer | an error | an error | the fraction is cut off |
///
/// No conversion rounds: an integer and a `Decimal` are made from the digits themselves. A number that a type cannot hold
/// is an error under every coercion.
///
/// A type whose closure reads a scalar (``JSONShape/scalar(_:expecting:read:write:)``: a `Decimal`, a `Date`, an enum) receives
/// the unchanged scalar first. After a rejection, the closure receives a string as the number that the string represents,
/// a number as a string of its digits, and a boolean as the number 1 or 0 and as the string `true` or `false`.
/// A type that reads strings never receives the number at the start of a longer string.
public struct JSONCoercion: Sendable, Hashable {
    enum Rules: Sendable { case strict, lenient, mjExtension }

    let rules: Rules
    /// The separator between the integer part and the fraction of a number in a string.
    let decimalSeparator: Character

    /// No conversion: a value must have the type of its property. The default.
    public static let strict = JSONCoercion(rules: .strict, decimalSeparator: ".")

    /// The conversions that lose no information.
    ///
    /// A string is a number if its characters, except for JSON white space at both ends, are an optional sign, digits
    /// (leading zeros are allowed), an optional fraction and an optional exponent. `.5` and `5.` are numbers. The empty
    /// string, hexadecimal digits, thousands separators, `nan` and `inf` are not.
    ///
    /// The strings true, false, yes, no, 1 and 0 are booleans, in upper or lower case, with optional white space at both
    /// ends. A number is a boolean if its value is 1 or 0, as in `1.0` and `0e5`.
    public static let lenient = JSONCoercion(rules: .lenient, decimalSeparator: ".")

    /// The conversions of MJExtension: ``lenient``, and strings that are not numbers are converted as well.
    ///
    /// * A string is the number at its start: `40个` is 40. A string without a number at its start is 0.
    /// * The fraction of a number is cut off for an integer, inside and outside of strings: `120.5` is 120.
    /// * A string other than true, yes, false and no is a boolean by the number at its start: `2` is true, `0.0` and
    ///   `joking` are false.
    /// * A number other than 0 is true.
    /// * A property that is optional or has a default keeps nil or its default if the value cannot be converted. The
    ///   decoder's issue handler receives the issue.
    ///
    /// MJExtension loses values silently in two cases in which this coercion does not. A number that the type cannot hold is
    /// an error, not saturated or wrapped; and 99.99 becomes the string `99.99`, not `99.98999999999999`.
    public static let mjExtension = mjExtension(decimalSeparator: ".")

    /// Returns ``mjExtension-swift.type.property`` with another decimal separator in strings, as in some locales: with `,`,
    /// the string `20,3` is 20.3 and `20.3` is 20. JSON numbers are not affected.
    public static func mjExtension(decimalSeparator: Character) -> JSONCoercion {
        JSONCoercion(rules: .mjExtension, decimalSeparator: decimalSeparator)
    }

    /// Whether a number with a fraction may become an integer.
    var cutsFractions: Bool { rules == .mjExtension }

    /// Whether an optional property, or one with a default, stays unchanged if its value is of another type.
    var keepsOnMismatch: Bool { rules == .mjExtension }
}
