// Shapes of values that are converted from a value of another type: transforms, values decoded later.

/// Converts a value of another type. The value is moved out of its memory.
///
/// - `key` is the key of the member that a path with `.*` selects, or that is added to a dictionary; nil for all other values.
typealias Conversion = (
    _ value: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ context: () -> any DecodingContext,
    _ key: String?
) throws -> Void

/// Makes values from their tokens.
class TokenConversion {
    /// Makes a value. Returns the failure; nil if the value was made.
    ///
    /// - Parameters:
    ///   - tokens: The address of a ``RecordedEntry``.
    ///   - target: The uninitialized memory of the value.
    ///   - engine: Memory that is kept for the next value of the same driver.
    func convert(
        _ tokens: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ engine: inout AnyObject?,
        _ context: () -> any DecodingContext
    ) -> TokenFailure? {
        fatalError("A subclass makes the values.")
    }
}

/// The failure of a value that is made from its tokens.
package final class TokenFailure {
    /// The issue, whose path begins at the value.
    let issue: JSONIssue
    /// The entry at fault.
    let entry: Int

    package init(_ issue: JSONIssue, at entry: Int) {
        self.issue = issue
        self.entry = entry
    }
}

/// The options of a decoder, for values that are decoded later. With ``ConversionWitness/keepsLocation``, they contain the location
/// of the value.
protocol DecodingContext: AnyObject {}

/// The options of an encoder, for values that are written by code of their own.
protocol EncodingContext {}

/// Makes the value that is written instead of another one. The caller owns the new value.
typealias EncodeConversion = (_ value: UnsafeRawPointer, _ inner: UnsafeMutableRawPointer) throws -> Void

/// Writes a value to a buffer whose bytes are not passed on during the call.
///
/// - `engine` keeps memory for the next value of the same writer. A closure that keeps memory has the context of the first one.
typealias DirectWriting = (
    _ value: UnsafeRawPointer, _ out: inout OutputBuffer, _ engine: inout AnyObject?,
    _ context: () -> any EncodingContext
) throws -> Void

/// The function that writes the values of a type without other values.
///
/// A class, so that a call of the closure retains nothing but borrows the object.
final class DirectWriter {
    let write: DirectWriting

    init(_ write: @escaping DirectWriting) { self.write = write }
}

/// The closures of a type whose values are made from values of another type.
final class ConversionWitness {
    /// The shape of the value that is decoded and encoded instead.
    let inner: JSONShape
    let convert: Conversion
    /// Makes a value from its tokens, instead of `convert`.
    let ofTokens: TokenConversion?
    /// Makes the value that is encoded instead of a value.
    let makeEncodedForm: EncodeConversion
    /// Writes a value without another one; nil for a type whose values are written as other values.
    let writer: DirectWriter?
    /// Whether the value requires complete JSON, and is never made from the part of a value before an early end of the input.
    let buffersValue: Bool
    /// Whether the value is decoded later, and needs its location.
    let keepsLocation: Bool
    /// Nil for a type that does not distinguish null from a missing key.
    let nullValues: NullValues?
    /// The offset of an element's position in a value; nil for a type without a position.
    let positionOffset: Int?
    /// Whether the value contains the key of the member whose value is converted.
    let takesKey: Bool
    /// Makes the value for a number that the raw type cannot hold; nil for a type without a fallback.
    let makeFallback: ((UnsafeMutableRawPointer) -> Void)?

    init(
        inner: JSONShape, buffersValue: Bool, keepsLocation: Bool = false, nullValues: NullValues?,
        positionOffset: Int? = nil, takesKey: Bool = false,
        makeFallback: ((UnsafeMutableRawPointer) -> Void)? = nil, convert: @escaping Conversion,
        ofTokens: TokenConversion? = nil, write: DirectWriting? = nil,
        makeEncodedForm: @escaping EncodeConversion
    ) {
        self.inner = inner
        writer = write.map { DirectWriter($0) }
        self.buffersValue = buffersValue
        self.keepsLocation = keepsLocation
        self.nullValues = nullValues
        self.positionOffset = positionOffset
        self.takesKey = takesKey
        self.makeFallback = makeFallback
        self.convert = convert
        self.ofTokens = ofTokens
        self.makeEncodedForm = makeEncodedForm
    }
}

/// The values that a type has for null and for a missing key.
package struct NullValues {
    /// Makes the value of `null`.
    let makeNull: (UnsafeMutableRawPointer) -> Void
    /// Makes the value of a property whose key is missing.
    let makeAbsent: (UnsafeMutableRawPointer) -> Void
}

extension JSONShape {
    /// Returns the shape of values that closures convert from and to values of another shape.
    static func converted<T>(
        _ type: T.Type, around inner: JSONShape, isFixed: Bool = true, buffersValue: Bool = false,
        keepsLocation: Bool = false, nullValues: NullValues? = nil, schemaHint: SchemaHint? = nil,
        presence: ((UnsafeRawPointer) -> Presence)? = nil,
        makeFallback: ((UnsafeMutableRawPointer) -> Void)? = nil,
        convert: @escaping Conversion, makeEncodedForm: @escaping EncodeConversion
    ) -> JSONShape {
        let conversion = ConversionWitness(
            inner: inner, buffersValue: buffersValue, keepsLocation: keepsLocation, nullValues: nullValues,
            makeFallback: makeFallback, convert: convert, makeEncodedForm: makeEncodedForm)
        return JSONShape(
            type, .conversion(conversion), expectation: inner.expectation, isFixed: isFixed, schemaHint: schemaHint,
            presence: presence)
    }

    /// Returns the shape of a container whose elements a transform converts.
    @usableFromInline
    static func transformed<C: _JSONContainer>(_ type: C.Type, elements: JSONShape) -> JSONShape {
        JSONShape(fixing: C._jsonShape(of: elements))
    }
}
