/// How far a scalar of another type than its property's is converted.
public struct JSONCoercion: Sendable, Hashable {
    private let number: UInt8
    private init(_ number: UInt8) { self.number = number }
    /// Not at all: it is an error.
    public static let strict = JSONCoercion(0)
    /// As JSONModel does, without losing data.
    public static let lenient = JSONCoercion(1)
    var keepsOnMismatch: Bool { self == .mjExtension }
    /// As MJExtension does.
    public static let mjExtension = JSONCoercion(2)
}

extension JSONShape {
    /// Writes a scalar that strict conversion refused, as `coercion` allows.
    func fill(_ target: UnsafeMutableRawPointer, with scalar: borrowing JSONScalar, coercion: JSONCoercion) throws {
        throw JSONScalarProblem.mismatch
    }
}
