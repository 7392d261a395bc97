extension JSONModelDecoder {
    /// Returns the decoder with an engine for its `Decodable` types.
    package func decoding(with engine: CodableDecoding) -> JSONModelDecoder {
        var decoder = self
        decoder[CodableDecoding.self] = engine
        return decoder
    }

    private var withEngine: JSONModelDecoder { decoding(with: CodableDecoding(self)) }

    /// Decodes the value at a path of an input as a `Decodable` type.
    ///
    /// Values inside of the value that have a plan or shape are decoded by it. For a type that is both, the overload for
    /// ``JSONConvertible`` types applies.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the value. The default is the root.
    /// - Throws: ``JSONModelError``. The error of the type's initializer is the issue's ``JSONIssue/underlying``.
    @_disfavoredOverload
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws(JSONModelError) -> T {
        guard path.components.isEmpty else {
            return try withEngine.decode(JSONCodable<T>.self, from: input, at: path).value
        }
        return try input.withContent { content throws(JSONModelError) in
            do { return try CodableDecoding(self).decode(type, content) } catch {
                throw JSONModelError(issues: [CodableDecoding.issue(of: error)])
            }
        }
    }

    /// Decodes the elements at a path of an input one after another, as a `Decodable` type.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element. An error thrown by `body` ends the parse.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: ``JSONModelError``. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: Decodable>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document, _ body: (T) throws -> Void
    ) throws(JSONModelError) -> Int {
        try withEngine.forEach(JSONCodable<T>.self, in: input, at: path, framing: framing) { try body($0.value) }
    }

    /// Returns the elements at a path of an input as a `Decodable` type, as an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    @_disfavoredOverload
    public func elements<T: Decodable, Input: JSONInput>(
        of type: T.Type = T.self, in input: Input, at path: JSONPath = JSONPath(), framing: JSONFraming = .document
    ) -> AsyncMapSequence<JSONElements<JSONCodable<T>, Input>, T> {
        withEngine.elements(of: JSONCodable<T>.self, in: input, at: path, framing: framing).map(\.value)
    }

    /// Returns the elements at a path of an input that arrives in chunks as a `Decodable` type, as an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - chunks: The chunks of the input, which may be cut at any byte.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    @_disfavoredOverload
    public func elements<T: Decodable, Chunks: AsyncSequence>(
        of type: T.Type = T.self, in chunks: Chunks, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> AsyncMapSequence<JSONChunkElements<JSONCodable<T>, Chunks>, T> where Chunks.Element: Collection<UInt8> {
        withEngine.elements(of: JSONCodable<T>.self, in: chunks, at: path, framing: framing).map(\.value)
    }
}
