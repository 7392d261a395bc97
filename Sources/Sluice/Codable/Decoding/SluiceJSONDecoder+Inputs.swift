// The verbs of Sluice for `Decodable` types: every input, paths and streams.

extension SluiceJSONDecoder {
    /// A decoder of models that decodes `Decodable` types with the strategies of this decoder.
    private var streams: JSONModelDecoder { options.reader.decoding(with: decoding) }

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

    /// Decodes the elements at a path of an input one after another. Only one element is in memory at a time.
    ///
    /// The input is strict JSON, whatever ``allowsJSON5`` and ``assumesTopLevelDictionary`` are.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input, such as `.file("huge.json")` or `.standardInput`. See `JSONInput`.
    ///   - path: The path of the elements in each value. The default is `[*]` in a document, and the value itself elsewhere.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element. An error thrown by `body` ends the parse.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: `DecodingError`, or an error thrown by the initializer of a type or by `body`, or `JSONModelError` if the input
    ///   cannot be read. `body` has received all elements that were complete before the error.
    @discardableResult
    public func forEach<T: Decodable>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document, _ body: (T) throws -> Void
    ) throws -> Int {
        try located { () throws(JSONModelError) in
            try streams.stream(.ofCodable(type), input, at: path, framing) { (element: T) in
                try body(element)
                return .continue
            }
        }
    }

    /// Decodes the elements at a path of an input one after another, until the closure returns `.stop`.
    ///
    /// The input is strict JSON, whatever ``allowsJSON5`` and ``assumesTopLevelDictionary`` are.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input, such as `.file("huge.json")` or `.standardInput`. See `JSONInput`.
    ///   - path: The path of the elements in each value. The default is `[*]` in a document, and the value itself elsewhere.
    ///   - framing: The form in which the input holds its values.
    ///   - body: Receives each element, and returns whether to continue.
    /// - Returns: The number of elements that `body` received.
    /// - Throws: `DecodingError`, or an error thrown by the initializer of a type or by `body`, or `JSONModelError` if the input
    ///   cannot be read. `body` has received all elements that were complete before the error.
    @discardableResult @_disfavoredOverload
    public func forEach<T: Decodable>(
        _ type: T.Type = T.self, in input: borrowing some JSONInput & ~Copyable & ~Escapable,
        at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        _ body: (T) throws -> JSONModelDecoder.StreamControl
    ) throws -> Int {
        try located { () throws(JSONModelError) in
            try streams.stream(.ofCodable(type), input, at: path, framing, body)
        }
    }

    /// Returns the elements at a path of an input, as an asynchronous sequence.
    ///
    /// The input is strict JSON, whatever ``allowsJSON5`` and ``assumesTopLevelDictionary`` are.
    ///
    /// The sequence throws `JSONModelError`. The `DecodingError` of an element is the issue's `underlying` error.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See `JSONInput`.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    public func elements<T: Decodable, Input: JSONInput>(
        of type: T.Type = T.self, in input: Input, at path: JSONPath = JSONPath(), framing: JSONFraming = .document
    ) -> JSONElements<T, Input> {
        JSONElements(streams, .ofCodable(type), in: input, at: path, framing: framing)
    }

    /// Returns the elements at a path of an input that arrives in chunks, as an asynchronous sequence.
    ///
    /// The input is strict JSON, whatever ``allowsJSON5`` and ``assumesTopLevelDictionary`` are.
    ///
    /// The sequence throws `JSONModelError`. The `DecodingError` of an element is the issue's `underlying` error.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - chunks: The chunks of the input, which may be cut at any byte, such as the body of a response.
    ///   - path: The path of the elements in each value.
    ///   - framing: The form in which the input holds its values.
    public func elements<T: Decodable, Chunks: AsyncSequence>(
        of type: T.Type = T.self, in chunks: Chunks, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONElements<T, Chunks> where Chunks.Element: Collection<UInt8> {
        JSONElements(streams, .ofCodable(type), inChunks: chunks, at: path, framing: framing)
    }

    /// Calls a closure, and throws its error in the form of Foundation.
    private func located<R>(_ body: () throws(JSONModelError) -> R) throws -> R {
        do throws(JSONModelError) { return try body() } catch {
            throw CodableDecoding.decodingError(in: error)
        }
    }
}
