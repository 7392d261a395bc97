/// A string, number or boolean of the JSON, borrowed while a closure converts the scalar to a value.
public struct JSONScalar: ~Copyable {
    enum Content {
        case string(UnsafeBufferPointer<UInt8>)
        case number(NumberToken)
        case bool(Bool)
    }

    let content: Content

    /// The unescaped characters of a string; nil for another kind of scalar.
    public var string: String? {
        if case .string(let utf8) = content { String(checkedUTF8: utf8) } else { nil }
    }

    /// The digits of a number as in the JSON; nil for another kind of scalar.
    public var numberText: String? {
        if case .number(let token) = content {
            String(checkedUTF8: UnsafeBufferPointer(start: token.text, count: token.count))
        } else {
            nil
        }
    }

    /// The digits of a number and their parts; nil for another kind of scalar.
    package var number: NumberToken? { if case .number(let token) = content { token } else { nil } }

    /// The boolean; nil for another kind of scalar.
    public var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// The number as a correctly rounded `Double`; nil for another kind of scalar or beyond the finite range.
    public var double: Double? {
        if case .number(let token) = content { token.floatingPoint(Double.self) } else { nil }
    }

    /// Calls the body with the unescaped, valid UTF-8 of a string. Returns nil for another kind of scalar.
    ///
    /// The buffer is valid only during the call.
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        if case .string(let utf8) = content { try body(utf8) } else { nil }
    }

    /// The start of a number, or of a string that is converted to a number, for messages.
    var shownNumber: String? {
        (numberText ?? string.map { "\"\($0)\"" }).map { String($0.prefix(Self.shownLength)) }
    }
    /// The greatest number of characters of a scalar in a message.
    static var shownLength: Int { 80 }

    /// The kind of the scalar, for messages.
    var found: String {
        switch content {
        case .string: "a string"
        case .number: "a number"
        case .bool: "a boolean"
        }
    }
}

/// The closures of a type that is decoded from and encoded to one scalar.
final class ScalarWitness {
    /// The shape of the value that is encoded instead: of `JSONValue`, or of the raw value.
    let written: JSONShape
    /// Makes the value from a scalar.
    let read: (borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void
    /// Makes the value that is encoded instead of a value.
    let makeEncodedForm: EncodeConversion
    /// Writes a value without another one; nil for a type whose values are written as other values.
    let writer: DirectWriter?
    /// The texts of the values; nil for a type whose texts are not known.
    let texts: ByteTexts?
    /// Makes the value for a number that the raw type cannot hold; nil for a type without a fallback.
    let makeFallback: ((UnsafeMutableRawPointer) -> Void)?
    /// Makes a shape that reads and writes raw values by a shape that replaces theirs; nil for a type without raw values.
    let makeConverted: (() -> JSONShape)?

    init(
        written: JSONShape, read: @escaping (borrowing JSONScalar, UnsafeMutableRawPointer) throws -> Void,
        write: DirectWriting? = nil, texts: ByteTexts? = nil,
        makeFallback: ((UnsafeMutableRawPointer) -> Void)? = nil, makeConverted: (() -> JSONShape)? = nil,
        makeEncodedForm: @escaping EncodeConversion
    ) {
        self.written = written
        self.texts = texts
        (self.makeFallback, self.makeConverted) = (makeFallback, makeConverted)
        self.read = read
        writer = write.map { DirectWriter($0) }
        self.makeEncodedForm = makeEncodedForm
    }
}

/// The JSON of the values of a type that is one byte, by this byte.
final class ByteTexts {
    /// The text of a value. `OutputBuffer.prefixRoom` bytes can be read.
    struct Text {
        let start: UnsafePointer<UInt8>
        /// 0 for a byte whose text is not known.
        let count: Int
    }

    /// One text for each byte.
    let texts: UnsafeMutablePointer<Text>
    private let bytes: UnsafeMutablePointer<UInt8>

    /// Makes the texts of values. Returns nil for a type that is larger, or that is not represented by strings.
    init?<R: RawRepresentable>(of values: [R]) {
        guard _isPOD(R.self), MemoryLayout<R>.size == 1, R.RawValue.self == String.self, !values.isEmpty else {
            return nil
        }
        var all: [UInt8] = []
        var ranges: [Int: Range<Int>] = [:]
        for value in values {
            guard let rawValue = value.rawValue as? String else { continue }
            let start = all.count
            all += OutputBuffer.quoted(rawValue).utf8
            ranges[withUnsafeBytes(of: value) { Int($0[0]) }] = start..<all.count
        }
        all += Array(repeating: 0, count: OutputBuffer.prefixRoom)
        bytes = .allocate(capacity: all.count)
        bytes.initialize(from: all, count: all.count)
        texts = .allocate(capacity: 256)
        for byte in 0..<256 {
            let range = ranges[byte] ?? 0..<0
            (texts + byte).initialize(to: Text(start: UnsafePointer(bytes) + range.lowerBound, count: range.count))
        }
    }

    deinit {
        texts.deallocate()
        bytes.deallocate()
    }
}

extension JSONShape {
    /// Returns the shape of a type that is decoded from and encoded to one string, number or boolean.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - expecting: The expected value in messages, such as "a date".
    ///   - read: Makes the value. Throws ``JSONModelError/ConversionFailure``, or an error of its own that becomes the
    ///     ``JSONIssue/underlying`` error of an issue.
    ///   - write: Makes the JSON of a value. An error becomes the underlying error of an issue.
    public static func scalar<T>(
        _ type: T.Type, expecting: String, read: @escaping @Sendable (borrowing JSONScalar) throws -> T,
        write: @escaping @Sendable (T) throws -> JSONValue
    ) -> JSONShape {
        self.scalar(type, expecting: expecting, read: read, direct: nil, write: write)
    }

    /// Returns the shape of a type whose values a closure writes without a `JSONValue`.
    ///
    /// - Parameter text: Writes the JSON of a value, which is the same as that of `write`.
    package static func scalar<T>(
        _ type: T.Type, expecting: String, read: @escaping @Sendable (borrowing JSONScalar) throws -> T,
        write: @escaping @Sendable (T) throws -> JSONValue,
        text: @escaping @Sendable (T, inout OutputBuffer) throws -> Void
    ) -> JSONShape {
        scalar(
            type, expecting: expecting, read: read,
            direct: { value, out, _, _ in try text(value.assumingMemoryBound(to: T.self).pointee, &out) },
            write: write)
    }

    private static func scalar<T>(
        _ type: T.Type, expecting: String, read: @escaping @Sendable (borrowing JSONScalar) throws -> T,
        direct: DirectWriting?, write: @escaping @Sendable (T) throws -> JSONValue
    ) -> JSONShape {
        let scalar = ScalarWitness(
            written: JSONShape.of(JSONValue.self),
            read: { scalar, target in
                target.assumingMemoryBound(to: T.self).initialize(to: try read(scalar))
            }, write: direct,
            makeEncodedForm: { value, json in
                let value = try write(value.assumingMemoryBound(to: T.self).pointee)
                json.assumingMemoryBound(to: JSONValue.self).initialize(to: value)
            })
        return JSONShape(type, .scalar(scalar), expectation: expecting)
    }

    /// Returns the shape of a type with raw values, such as an enum.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - values: The values of the type, which the error for an unknown raw value lists. Not needed for a type that is
    ///     `CaseIterable`.
    ///   - fallback: The value for unknown raw values, also for numbers that the raw type cannot hold. Without a fallback, an unknown
    ///     raw value is an error.
    @inlinable
    public static func rawValue<R: RawRepresentable>(
        _ type: R.Type, values: [R] = [], fallback: R? = nil
    ) -> JSONShape where R.RawValue: JSONConvertible {
        // Compiled for the type: generic code would look up the metadata of its optional for each value.
        rawValue(type, values: values, fallback: fallback) { raw, target in
            guard let value = R(rawValue: raw.assumingMemoryBound(to: R.RawValue.self).pointee) ?? fallback else {
                return false
            }
            target.assumingMemoryBound(to: R.self).initialize(to: value)
            return true
        }
    }

    /// - Parameter make: Makes a value from a raw value. Returns false if there is none.
    @usableFromInline
    static func rawValue<R: RawRepresentable>(
        _ type: R.Type, values: [R], fallback: R?,
        make: @escaping (_ raw: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Bool
    ) -> JSONShape where R.RawValue: JSONConvertible {
        let raw = JSONShape.of(R.RawValue.self)
        let rawLayout = LayoutReference(raw.layout)
        let known = knownValues(of: R.self, among: values) ?? "the values of \(R.self) (\(raw.expectation))"
        let hint = SchemaHint(
            rawValues: { body in
                let known = cases(of: R.self, among: values)
                for value in known.isEmpty ? EnumCases.all(of: R.self) : known {
                    withUnsafePointer(to: value.rawValue) { body($0) }
                }
            }, hasFallback: fallback != nil)
        let makeFallback: ((UnsafeMutableRawPointer) -> Void)?
        if let fallback {
            makeFallback = { $0.assumingMemoryBound(to: R.self).initialize(to: fallback) }
        } else {
            makeFallback = nil
        }
        let makeConverted = {
            convertedRawValue(type, raw, expectation: "one of " + known, hint, makeFallback, make: make)
        }
        guard raw.isScalar else { return makeConverted() }
        var direct: DirectWriting?
        if R.RawValue.self == String.self {
            direct = { value, out, _, _ in
                let rawValue = value.assumingMemoryBound(to: R.self).pointee.rawValue
                withUnsafePointer(to: rawValue) { out.string(at: UnsafeRawPointer($0)) }
            }
        }
        let scalar = ScalarWitness(
            written: raw,
            read: { scalar, target in
                try rawLayout.withTemporaryMemory { memory in
                    try raw.fill(memory, with: scalar)
                    defer { rawLayout.destroy(memory) }
                    if make(memory, target) { return }
                    let rawValue = memory.assumingMemoryBound(to: R.RawValue.self).pointee
                    throw JSONModelError.ConversionFailure.invalid(
                        "\(String(reflecting: rawValue)) is not one of its values")
                }
            }, write: direct, texts: ByteTexts(of: cases(of: R.self, among: values)),
            makeFallback: makeFallback, makeConverted: makeConverted,
            makeEncodedForm: { value, raw in
                let value = value.assumingMemoryBound(to: R.self).pointee
                raw.assumingMemoryBound(to: R.RawValue.self).initialize(to: value.rawValue)
            })
        let shape = JSONShape(type, .scalar(scalar), expectation: "one of " + known, schemaHint: hint)
        shape.layout.pointee.texts = scalar.texts.map { UnsafePointer($0.texts) }
        return shape
    }

    /// Whether a value is made from one string, number or boolean.
    private var isScalar: Bool {
        switch layout.pointee.kind {
        case .model, .composite, .array, .dictionary, .union, .converted, .value, .raw, .recording, .ignored: false
        default: !layout.pointee.isOptional
        }
    }

    /// Returns the shape of a type whose raw values have a shape of their own: arrays, models or optionals, for example.
    private static func convertedRawValue<R: RawRepresentable>(
        _ type: R.Type, _ raw: JSONShape, expectation: String, _ hint: SchemaHint,
        _ makeFallback: ((UnsafeMutableRawPointer) -> Void)?,
        make: @escaping (_ raw: UnsafeMutableRawPointer, _ target: UnsafeMutableRawPointer) -> Bool
    ) -> JSONShape where R.RawValue: JSONConvertible {
        converted(
            type, around: raw, isFixed: false, buffersValue: true, schemaHint: hint, makeFallback: makeFallback
        ) { memory, target, _, _ in
            let rawValue = memory.assumingMemoryBound(to: R.RawValue.self)
            defer { rawValue.deinitialize(count: 1) }
            if make(memory, target) { return }
            let reason = "\(String(reflecting: rawValue.pointee)) is not one of its values"
            throw PartFailure(.invalidValue(expected: expectation, reason: reason))
        } makeEncodedForm: { value, memory in
            let rawValue = value.assumingMemoryBound(to: R.self).pointee.rawValue
            memory.assumingMemoryBound(to: R.RawValue.self).initialize(to: rawValue)
        }
    }

    /// Lists the raw values of a type for a message, or returns nil if they are not known.
    private static func knownValues<R: RawRepresentable>(of type: R.Type, among values: [R]) -> String? {
        let values = cases(of: type, among: values)
        return values.isEmpty ? nil : ValueList.text(of: values.map { String(reflecting: $0.rawValue) })
    }

    /// Returns the values of a type: the given ones, or those of a type that is `CaseIterable`.
    private static func cases<R: RawRepresentable>(of type: R.Type, among values: [R]) -> [R] {
        func cases<C: CaseIterable>(of _: C.Type) -> [R] { C.allCases.compactMap { $0 as? R } }
        if values.isEmpty, let type = type as? any CaseIterable.Type { return cases(of: type) }
        return values
    }

    /// Writes a scalar by this shape's kind.
    func fill(_ target: UnsafeMutableRawPointer, with scalar: borrowing JSONScalar) throws {
        let kind = layout.pointee.kind
        switch scalar.content {
        case _ where kind == .scalar:
            try LayoutReference(layout).withScalar { try $0.read(scalar, target) }
        case .string(let utf8) where kind == .string:
            target.initializeMemory(as: String.self, to: String(checkedUTF8: utf8))
        case .bool(let value) where kind == .bool:
            target.initializeMemory(as: Bool.self, to: value)
        case .number(let token):
            if let problem = token.fill(target, as: kind) { throw problem }
        default:
            throw JSONModelError.ConversionFailure.mismatch
        }
        LayoutReference(layout).injectTag(target)
    }
}

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
    @_documentation(visibility: internal) @inlinable public static var jsonShape: JSONShape { .rawValue(Self.self) }
}
