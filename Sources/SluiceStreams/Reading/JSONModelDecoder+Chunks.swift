import SluiceCore

extension JSONModelDecoder {
    /// Decodes the value at a path of a document that arrives in chunks, such as the body of a request.
    ///
    /// ```swift
    /// let order = try await decoder.decode(Order.self, from: request.body)
    /// ```
    ///
    /// Each chunk is decoded when it arrives, and is not kept. The result and the errors are those of the whole document. The chunks after
    /// an error, and with ``/SluiceCore/JSONModelDecoder/stopsEarly`` those after the requested values, are not requested.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - chunks: The chunks, which may be cut at any byte. Of a sequence of single bytes, `jsonChunks()` has the chunks.
    ///   - path: The path of the value. The default is the root. See `JSONPath`.
    ///   - actor: The actor on which the chunks are requested and the value is decoded. The default is that of the caller.
    /// - Throws: ``/SluiceCore/JSONModelError``, the error of the chunks, or `CancellationError` if the task is cancelled.
    @inlinable
    public func decode<T: JSONConvertible, Chunks: AsyncSequence>(
        _ type: T.Type = T.self, from chunks: Chunks, at path: JSONPath = JSONPath(),
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> T where Chunks.Element: Collection<UInt8> {
        try await value(JSONShape.unretained(of: type), from: chunks, at: path, isolation: actor)
    }

    /// Decodes the value at a path of a document by the shape of a type, or of its wrapper.
    @inlinable
    package func value<T, Chunks: AsyncSequence>(
        _ shape: Unmanaged<JSONShape>, from chunks: Chunks, at path: JSONPath,
        isolation actor: isolated (any Actor)?
    ) async throws -> T where Chunks.Element: Collection<UInt8> {
        var values = JSONElements<T, Chunks>(
            forOneValue, shape, inChunks: chunks, at: path, framing: .document, isValue: true
        ).makeAsyncIterator()
        do {
            guard let value = try await values.next(isolation: actor) else { throw CancellationError() }
            // The document ends after the value.
            while try await values.next(isolation: actor) != nil {}
            return value
        } catch let error as JSONModelError { throw error.outsideOfStream }
    }
}

extension JSONModelDecoder {
    /// A decoder whose stream has one value, which is not an element.
    @usableFromInline
    var forOneValue: JSONModelDecoder {
        var decoder = self
        decoder.elementErrors = .throw
        decoder.summaryHandler = nil
        return decoder
    }
}

extension JSONModelError {
    /// The error of a value that is not an element.
    @usableFromInline
    var outsideOfStream: JSONModelError {
        var error = self
        for index in error.issues.indices { error.issues[index].elementIndex = nil }
        return error
    }
}
