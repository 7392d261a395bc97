import SluiceCore
import SluiceStreams

extension JSONModelDecoder {
    /// Returns the decoder with an engine for its `Decodable` types.
    func decoding(with engine: CodableDecoding) -> JSONModelDecoder {
        var decoder = self
        decoder[CodableDecoding.self] = engine
        return decoder
    }

    fileprivate var withEngine: JSONModelDecoder { decoding(with: CodableDecoding(self)) }

    /// Decodes the value at a path as a type, which may be a subclass of `T`, with the engine of the decoder.
    func decodeCodable<T: Decodable>(
        _ type: T.Type, _ content: JSONInputContent, at path: JSONPath
    ) throws(JSONModelError) -> T {
        try withStackMemory(of: T.self) { value throws(JSONModelError) in
            try decode(.ofCodable(type), content, at: path, into: value)
            return value.move()
        }
    }

    /// Throws if the decoder has a filter, which applies to plans only.
    fileprivate func checkFilter<T>(for type: T.Type) throws(JSONModelError) {
        if isFiltered { throw JSONModelError(.invalidPath("'only' needs a plan, and \(type) has none")) }
    }
}

/// The verbs of decoders and encoders for types that are only `Decodable` or `Encodable`.
///
/// The compiler prefers the members of a type to those of its protocols. For a type that also conforms to ``/SluiceCore/JSONConvertible``, the verbs
/// of ``/SluiceCore/JSONModelDecoder`` and ``/SluiceCore/JSONModelEncoder`` therefore apply. Their documentation describes the parameters.
public protocol _JSONCodableVerbs {}

extension JSONModelDecoder: _JSONCodableVerbs {}

extension _JSONCodableVerbs where Self == JSONModelDecoder {
    /// Decodes the value at a path of an input as a `Decodable` type.
    ///
    /// Nested values with a plan or a shape are decoded by that plan or shape. For a type that is both `Decodable` and
    /// ``/SluiceCore/JSONConvertible``, the overload for ``/SluiceCore/JSONConvertible`` types applies.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. The error of the type's initializer is the issue's ``/SluiceCore/JSONIssue/underlying``.
    @_disfavoredOverload
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> T {
        try self.checkFilter(for: T.self)
        return try input.withContent { content throws(JSONModelError) in
            guard path.components.isEmpty else {
                return try self.withEngine.decodeCodable(type, content, at: path)
            }
            do { return try CodableDecoding(self).decode(type, content) } catch {
                throw CodableDecoding.modelError(error)
            }
        }
    }

    /// Decodes the elements at a path of an input one after another, as a `Decodable` type.
    ///
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``/SluiceCore/JSONModelError``. `body` has received all elements that were complete before the error.
    // Preferred to the closure that returns a control, for closures that do not show their result, such as `{ do {…} catch {…} }`.
    @discardableResult
    public func forEach<T: Decodable>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try self.checkFilter(for: T.self)
        return try self.withEngine.stream(.ofCodable(type), input, at: path, framing) { (element: T) in
            try body(element)
            return .continue
        }
    }

    /// Decodes the elements at a path of an input one after another as a `Decodable` type, until the closure returns `.stop`.
    ///
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``/SluiceCore/JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: Decodable>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> JSONModelDecoder.StreamControl
    ) throws(JSONModelError) -> Int {
        try self.checkFilter(for: T.self)
        return try self.withEngine.stream(.ofCodable(type), input, at: path, framing, body)
    }

    /// Decodes the value at a path of a document that arrives in chunks, as a `Decodable` type.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``, the error of the chunks, or `CancellationError` if the task is cancelled.
    @_disfavoredOverload
    public func decode<T: Decodable, Chunks: AsyncSequence>(
        _ type: T.Type = T.self, from chunks: Chunks, at path: JSONPath = JSONPath(),
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> T where Chunks.Element: Collection<UInt8> {
        try self.checkFilter(for: T.self)
        return try await self.withEngine.value(.ofCodable(type), from: chunks, at: path, isolation: actor)
    }

    /// Decodes as much as possible of the value at a path of an input, as a `Decodable` type.
    ///
    /// An array, or a dictionary with `String` keys, lacks the elements whose initializers failed, and the element that was being
    /// read at an early end of the input. A value of any other type is made as a whole.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError`` if the input has a syntax error and no value can be made from the part before the error, or
    ///   if no value exists at the path.
    @_disfavoredOverload
    public func decodePartially<T: Decodable>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> JSONPartial<T> {
        try self.checkFilter(for: T.self)
        func elements<C: ElementwiseDecodable>(
            _ container: C.Type, _ input: borrowing some JSONInput & ~Copyable & ~Escapable
        ) throws(JSONModelError) -> JSONPartial<T>? {
            let partial = try self.withEngine.decodePartially(C.Elementwise.self, from: input, at: path)
            return JSONPartial(value: partial.value.map { C.values(of: $0) as! T }, issues: partial.issues)
        }
        if let container = type as? any ElementwiseDecodable.Type, let partial = try elements(container, input) {
            return partial
        }
        return try self.withEngine.partialValue(.ofCodable(type), of: T.self, input, at: path)
    }

    /// Changes a value of a `Codable` type by JSON: the value is encoded, its JSON is changed, and a value is decoded from the
    /// result.
    ///
    /// With ``/SluiceCore/JSONMergeOptions/mergePatch``, this is a JSON Merge Patch (RFC 7396). An object is replaced by a new one of its
    /// class.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``. The value is then unchanged.
    @_disfavoredOverload
    public func merge<T: Codable>(
        _ input: borrowing some JSONInput & ~Copyable & ~Escapable, into value: inout T,
        at path: JSONPath = JSONPath(), options: JSONMergeOptions = JSONMergeOptions()
    ) throws(JSONModelError) {
        try self.checkFilter(for: T.self)
        func merged<A: ElementwiseMergeable>(
            _ array: A.Type, _ value: T, _ input: borrowing some JSONInput & ~Copyable & ~Escapable
        ) throws(JSONModelError) -> T {
            var elements = A.elements(of: value as! A)
            try self.withEngine.merge(input, into: &elements, at: path, options: options)
            return A.values(of: elements) as! T
        }
        // By the type of the value, because an optional array may become nil.
        if options.arrays == .byIndex, let array = T.self as? any ElementwiseMergeable.Type {
            value = try merged(array, value, input)
            return
        }
        func changed<S: Codable>(
            _ type: S.Type, _ value: T, _ input: borrowing some JSONInput & ~Copyable & ~Escapable
        ) throws(JSONModelError) -> T {
            var codable = JSONCodable(value as! S)
            try self.withEngine.merge(input, into: &codable, at: path, options: options)
            return codable.value as! T
        }
        // An object of a subclass is replaced by one of its own class.
        if T.self is AnyClass, let own = Swift.type(of: value as Any) as? any (Decodable & Encodable).Type {
            value = try changed(own, value, input)
            return
        }
        value = try changed(T.self, value, input)
    }

    /// Returns the elements at a path of an input as a `Decodable` type, as an asynchronous sequence.
    @_disfavoredOverload
    public func elements<T: Decodable, Input: JSONInput>(
        of type: T.Type = T.self, in input: Input, at path: JSONPath = JSONPath(), framing: JSONFraming = .document
    ) -> JSONElements<T, Input> {
        JSONElements(self.withEngine, .ofCodable(type), in: input, at: path, framing: framing)
    }

    /// Returns the elements at a path of an input that arrives in chunks as a `Decodable` type, as an asynchronous sequence.
    @_disfavoredOverload
    public func elements<T: Decodable, Chunks: AsyncSequence>(
        of type: T.Type = T.self, in chunks: Chunks, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONElements<T, Chunks> where Chunks.Element: Collection<UInt8> {
        JSONElements(self.withEngine, .ofCodable(type), inChunks: chunks, at: path, framing: framing)
    }

    /// Returns a cursor on the elements at a path of an input, as a `Decodable` type.
    ///
    /// - Returns: The cursor, which opens the input at the first call of `next`.
    @_disfavoredOverload
    public func cursor<Element: Decodable>(
        of type: Element.Type = Element.self, in input: some JSONInput, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONElementCursor<Element> {
        JSONElementCursor(
            InputReader(input),
            QueuedStream(self.withEngine, .ofCodable(type), at: path, framing: framing, for: .cursor))
    }

    /// Returns a feed of elements of a `Decodable` type, to which the chunks of an input are pushed.
    ///
    /// - Returns: The feed. The error of an unusable path is thrown by the first call of `push` or `finish`.
    @_disfavoredOverload
    public func feed<Element: Decodable>(
        of type: Element.Type = Element.self, at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        ignoresText: Bool = false
    ) -> JSONElementFeed<Element> {
        JSONElementFeed(
            QueuedStream(
                self.withEngine, .ofCodable(type), at: path, framing: framing, for: .feed, ignoresText: ignoresText)
        )
    }
}

extension Unmanaged<JSONShape> {
    /// The shape of the wrapper of a `Decodable` value, whose memory is that of the value. The type may be a subclass of `T`.
    package static func ofCodable<T: Decodable>(_ type: T.Type) -> Unmanaged<JSONShape> {
        ofSubclass(type, of: T.self) ?? JSONShape.unretained(of: JSONCodable<T>.self)
    }

    /// Returns the shape of a type that is a subclass of another type; nil for that type itself. See `JSONShape.ofSubclass`.
    @inline(never)
    private static func ofSubclass(_ type: Any.Type, of superclass: Any.Type) -> Unmanaged<JSONShape>? {
        func shape<T: Decodable>(_ type: T.Type) -> Unmanaged<JSONShape> {
            JSONShape.unretained(of: JSONCodable<T>.self)
        }
        if type == superclass { return nil }
        return (type as? any Decodable.Type).map { shape($0) }
    }
}

/// A container of the standard library whose elements can be decoded one by one.
///
/// Types are cast to the protocol, so all conformances are in this file. See `WritableContainer`.
private protocol ElementwiseDecodable {
    /// The container with elements that are converted by their shape.
    associatedtype Elementwise: JSONConvertible

    static func values(of elements: Elementwise) -> Self
}

/// An array, or an optional array, whose elements can be changed one by one.
private protocol ElementwiseMergeable {
    /// The array with elements that are converted by their shape.
    associatedtype Mergeable: JSONConvertible

    static func elements(of values: Self) -> Mergeable
    static func values(of elements: Mergeable) -> Self
}

extension Array: ElementwiseDecodable where Element: Decodable {
    fileprivate static func values(of elements: [JSONCodable<Element>]) -> Self { elements.map(\.value) }
}

extension Array: ElementwiseMergeable where Element: Decodable {
    fileprivate typealias Mergeable = [JSONCodable<Element>]

    fileprivate static func elements(of values: Self) -> [JSONCodable<Element>] { values.map { JSONCodable($0) } }
}

extension Optional: ElementwiseMergeable where Wrapped: ElementwiseMergeable {
    fileprivate typealias Mergeable = Wrapped.Mergeable?

    fileprivate static func elements(of values: Self) -> Wrapped.Mergeable? {
        values.map { Wrapped.elements(of: $0) }
    }

    fileprivate static func values(of elements: Wrapped.Mergeable?) -> Self {
        elements.map { Wrapped.values(of: $0) }
    }
}

extension Dictionary: ElementwiseDecodable where Key == String, Value: Decodable {
    fileprivate static func values(of elements: [String: JSONCodable<Value>]) -> Self {
        elements.mapValues(\.value)
    }
}
