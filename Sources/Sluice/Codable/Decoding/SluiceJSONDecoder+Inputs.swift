extension SluiceJSONDecoder {
    /// A decoder of models with the options of this decoder at present, for streams of elements and the other verbs of Sluice.
    ///
    /// ```swift
    /// try decoder.models.forEach(Repository.self, in: .file("huge.json"), at: "items[*]") { repository in … }
    /// ```
    ///
    /// The input is strict JSON, whatever ``allowsJSON5`` and ``assumesTopLevelDictionary`` are. Errors are instances of `JSONModelError`. The
    /// `DecodingError` of an element is the issue's `underlying` error.
    public var models: JSONModelDecoder { options.models }

    /// Decodes the value at a path of an input.
    ///
    /// ```swift
    /// let repository = try decoder.decode(Repository.self, from: .file("repository.json"), at: "data.items[0]")
    /// ```
    ///
    /// A comma before a closing bracket, as in `[1,]`, is accepted, except at a path of chunks or a pipe, unless ``allowsJSON5`` or
    /// ``assumesTopLevelDictionary`` is set.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - input: The input, such as an array of bytes, a string, or `.file("repository.json")`. See `JSONInput`.
    ///   - path: The path of the value. The default is the root. See `JSONPath`.
    /// - Throws: `DecodingError`, an error thrown by the initializer of a type, or `JSONModelError` if the input cannot be read.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath()
    ) throws -> T {
        let decoding = decoding
        return try input.withContent { content in
            Result {
                try path.components.isEmpty
                    ? decoding.decode(type, content) : decoding.decode(type, content, at: path)
            }
        }.get()
    }

    /// Decodes the value at a path of a document that arrives in chunks, such as the body of a request.
    ///
    /// The text is kept until its end, because an initializer may read its values in any order. Chunks beyond the limit of the document are
    /// not requested.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - chunks: The chunks, which may be cut at any byte. Of a sequence of single bytes, `jsonChunks()` has the chunks.
    ///   - path: The path of the value. The default is the root. See `JSONPath`.
    ///   - actor: The actor on which the chunks are requested and the value is decoded. The default is that of the caller.
    /// - Throws: `DecodingError`, an error thrown by the initializer of a type, the error of the chunks, or `CancellationError` if the task is
    ///   cancelled.
    public func decode<T: Decodable, Chunks: AsyncSequence>(
        _ type: T.Type = T.self, from chunks: Chunks, at path: JSONPath = JSONPath(),
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> T where Chunks.Element: Collection<UInt8> {
        var text: [UInt8] = []
        var iterator = chunks.makeAsyncIterator()
        while text.count <= limits.document, let chunk = try await iterator.next(isolation: actor) {
            text += chunk
        }
        try Task.checkCancellation()
        return try decode(type, from: text, at: path)
    }
}
