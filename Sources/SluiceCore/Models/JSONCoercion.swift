/// Which scalars may stand for values of another type: a number in quotes, a number where a string is wanted.
///
/// It concerns strings, numbers and booleans alone. An object, an array or `null` never becomes a scalar.
///
/// | from → to | ``strict`` | ``lenient`` | ``mjExtension`` |
/// |---|---|---|---|
/// | string → number | an error | the whole string is a number | the number that it begins with, else 0 |
/// | number → string | an error | its digits as they stand in the text | the same |
/// | boolean → string | an error | `true` or `false` | the same |
/// | boolean → number | an error | 1 or 0 | the same |
/// | string → boolean | an error | true, yes, 1, false, no, 0 | true, yes, false, no, else a number other than 0 |
/// | number → boolean | an error | 1 or 0 | any but 0 is true |
/// | fraction → integer | an error | an error | the fraction is cut off |
///
/// Nothing is rounded on the way: an integer and a `Decimal` are made of the digits themselves. What a type does not
/// hold is an error under each of them, the same as without a coercion.
///
/// A type that a closure makes of a scalar (``JSONShape/scalar(_:expecting:read:)``: a `Decimal`, a `Date`, an enum)
/// is asked first with the scalar as it stands. Where it refuses, it is asked again: with the number that a string
/// is, with the digits of a number as a string, with a boolean as the number 1 or 0 and as the string `true` or
/// `false`. A type that takes some strings is never asked with a number that a string only begins with.
public struct JSONCoercion: Sendable, Hashable {
    enum Rules: Sendable { case strict, lenient, mjExtension }

    let rules: Rules
    /// What stands between a number's integer part and its fraction, in a string.
    let decimalSeparator: Character

    /// None: a value is of the type that its property has. It is what holds unless something else is said.
    public static let strict = JSONCoercion(rules: .strict, decimalSeparator: ".")

    /// What loses nothing.
    ///
    /// A string is a number if all of it is, white space of JSON around it aside: an optional sign, digits (leading
    /// zeros are allowed), a fraction, an exponent. `.5` and `5.` are numbers; the empty string, hexadecimal digits,
    /// separators of thousands, `nan` and `inf` are none.
    ///
    /// A string is a boolean if it is true, false, yes, no, 1 or 0, in any case, white space around it aside. A number is
    /// a boolean if its value is 1 or 0; `1.0` and `0e5` are such numbers.
    public static let lenient = JSONCoercion(rules: .lenient, decimalSeparator: ".")

    /// What MJExtension does: ``lenient``, and strings that are no numbers are taken for some all the same.
    ///
    /// * A string is the number that it begins with: `40个` is 40. One that begins with none is 0.
    /// * For an integer, the fraction is cut off, of a number in a string and of one that is not: `120.5` is 120.
    /// * A string that is neither true, yes, false nor no is a boolean by the number that it begins with: `2` is
    ///   true, `0.0` and `joking` are false.
    /// * A number other than 0 is true.
    /// * A property that is optional or has a default keeps nil or that where its value can be no such; the decoder's
    ///   report is told of it.
    ///
    /// It differs from MJExtension in what would lose a value silently. A number that the type does not hold is an
    /// error, where MJExtension saturates or wraps it; and 99.99 becomes the string `99.99`, not `99.98999999999999`.
    public static let mjExtension = mjExtension(decimalSeparator: ".")

    /// ``mjExtension-swift.type.property`` with another decimal separator in its strings, as some locales have it:
    /// with `,`, the string `20,3` is 20.3 and `20.3` is 20. JSON's own numbers are what they always are.
    public static func mjExtension(decimalSeparator: Character) -> JSONCoercion {
        JSONCoercion(rules: .mjExtension, decimalSeparator: decimalSeparator)
    }

    /// Whether a number with a fraction may become an integer.
    var cutsFractions: Bool { rules == .mjExtension }

    /// Whether a property that need not be there stays as it is where its value is of another type.
    var keepsOnMismatch: Bool { rules == .mjExtension }
}
