// Shapes of values that are converted from a value of another type: transforms, JSON in strings, values decoded later.

/// Converts a value of another type. The value is moved out of its memory.
///
/// - `key` is the key of a dictionary's member.
typealias Conversion = (
    _ value: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer, _ context: () -> any DecodingContext,
    _ key: String
) throws -> Void

/// The options of a decoder, for values that are decoded later. With ``AdapterWitness/keepsLocation``, they contain the location
/// of the value.
protocol DecodingContext: AnyObject {}

extension JSONShape {
    /// Returns the shape of values that closures convert from and to values of another shape.
    static func wrapped<T>(
        _ type: T.Type, around inner: JSONShape, isFixed: Bool = true, needsWhole: Bool = false,
        keepsLocation: Bool = false, nullValues: NullValues? = nil,
        presence: ((UnsafeRawPointer) -> Presence)? = nil,
        convert: @escaping Conversion, takeApart: @escaping Separation
    ) -> JSONShape {
        let adapter = AdapterWitness(
            inner: inner, needsWhole: needsWhole, keepsLocation: keepsLocation, nullValues: nullValues,
            convert: convert, takeApart: takeApart)
        return JSONShape(
            type, .adapter(adapter), expectation: inner.expectation, isFixed: isFixed, presence: presence)
    }

    /// Returns the shape of a type whose values a transform converts.
    ///
    /// A type that returns this shape from ``JSONConvertible/jsonShape`` has its own conversion. The type can be used for
    /// properties and for the elements of containers without an attribute and without
    /// ``JSONModelDecoder/register(_:)``.
    ///
    /// ```swift
    /// struct Color: JSONConvertible {
    ///     var rgb: Int
    ///     static var jsonShape: JSONShape { .transformed(by: HexColor()) }
    /// }
    /// ```
    ///
    /// A transform that is registered for the type, or named by a property, takes precedence over the type's own.
    ///
    /// - Parameter transform: The transform, whose `Value` is the type. Its `JSON` is the type that is decoded and encoded
    ///   instead. A ``JSONModelError/ConversionFailure`` of the transform becomes an issue of the matching kind. Any other
    ///   error becomes the ``JSONIssue/underlying`` error of an issue.
    public static func transformed<T: JSONTransform>(by transform: T) -> JSONShape {
        adapted(by: transform, isFixed: false)
    }

    /// Returns the shape of values that an explicitly named transform converts. Decoder options do not replace the shape.
    static func fixed<T: JSONTransform>(by transform: T) -> JSONShape { adapted(by: transform, isFixed: true) }

    private static func adapted<T: JSONTransform>(by transform: T, isFixed: Bool) -> JSONShape {
        let inner = JSONShape.of(T.JSON.self)
        return wrapped(T.Value.self, around: inner, isFixed: isFixed, needsWhole: true) {
            [expectation = inner.expectation] json, target, _, _ in
            let json = json.assumingMemoryBound(to: T.JSON.self).move()
            do {
                target.assumingMemoryBound(to: T.Value.self).initialize(to: try transform.decode(json))
            } catch let problem as JSONModelError.ConversionFailure {
                throw RefusedValue(json, for: T.Value.self, expectation: expectation, problem)
            }
        } takeApart: { value, json, _ in
            let value = value.assumingMemoryBound(to: T.Value.self).pointee
            json.assumingMemoryBound(to: T.JSON.self).initialize(to: try transform.encode(value))
        }
    }

    /// Returns the shape of a container whose elements a transform converts.
    static func transformed<C: _JSONContainer>(_ type: C.Type, elements: JSONShape) -> JSONShape {
        JSONShape(fixing: C._jsonShape(of: elements))
    }

    /// Returns the shape of a value whose JSON is the contents of a string. `null` is not a string.
    @usableFromInline
    static func embedded<T: JSONConvertible>(_ type: T.Type) -> JSONShape {
        let inner = JSONShape.of(T.self)
        let embedded = EmbeddedWitness(contents: inner) { value, text, context in
            let bytes = try context().text(of: value, inner)
            text.assumingMemoryBound(to: String.self).initialize(to: String(decoding: bytes, as: UTF8.self))
        }
        let isOptional = inner.layout.pointee.isOptional
        let shape = JSONShape(
            type, .embedded(embedded), expectation: "a string of JSON", isFixed: true,
            presence: isOptional ? inner.presence : nil)
        shape.layout.pointee.objectForm = LayoutReference(inner.layout)
        if isOptional {
            // `null` is the nil of the optional type.
            shape.layout.pointee.isOptional = true
            shape.layout.pointee.none = inner.layout.pointee.none
        }
        return shape
    }
}

/// The hooks of a model, without the model's type.
struct ModelHooks {
    init<M>(
        _: M.Type, didDecode: ((inout M) throws -> Void)?, validate: ((M) throws -> Void)?,
        willEncode: ((M) throws -> Void)?
    ) {
        afterDecoding = { model in
            let model = model.assumingMemoryBound(to: M.self)
            try didDecode?(&model.pointee)
            try validate?(model.pointee)
        }
        beforeEncoding = { try willEncode?($0.assumingMemoryBound(to: M.self).pointee) }
    }

    /// Calls `didDecode`, then `validate`.
    let afterDecoding: (UnsafeMutableRawPointer) throws -> Void
    /// Calls `willEncode`.
    let beforeEncoding: (UnsafeRawPointer) throws -> Void

    init<M: JSONHooks>(_: M.Type) {
        afterDecoding = { model in
            let model = model.assumingMemoryBound(to: M.self)
            try model.pointee.didDecode()
            try model.pointee.validate()
        }
        beforeEncoding = { try $0.assumingMemoryBound(to: M.self).pointee.willEncode() }
    }
}
