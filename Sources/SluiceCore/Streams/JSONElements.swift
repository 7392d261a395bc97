/// The elements of an input, as an asynchronous sequence. See `elements(of:in:at:framing:)`.
///
/// Each iteration reads the input from its start. Nothing is read while the consumer is behind: memory holds one window of the
/// input and its elements. When the loop ends, by `break`, an error, or the cancellation of its task, the input is closed and
/// the elements that were not consumed are released.
public struct JSONElements<Element, Input: JSONInput>: AsyncSequence {
    @usableFromInline let decoder: JSONModelDecoder
    @usableFromInline let shape: Unmanaged<JSONShape>
    @usableFromInline let input: Input
    @usableFromInline let path: JSONPath
    @usableFromInline let framing: JSONFraming

    @inlinable
    package init(
        decoder: JSONModelDecoder, shape: Unmanaged<JSONShape>, input: Input, path: JSONPath, framing: JSONFraming
    ) {
        self.decoder = decoder
        self.shape = shape
        self.input = input
        self.path = path
        self.framing = framing
    }

    /// The elements of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let reader: InputReader
        @usableFromInline let stream: QueuedStream<Element>

        @inlinable
        init(_ elements: JSONElements, envelope: EnvelopeState? = nil) {
            reader = InputReader(elements.input)
            stream = QueuedStream(
                elements.decoder, elements.shape, at: elements.path, framing: elements.framing, envelope: envelope)
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``JSONModelError``, after all elements that were complete before the error, or `CancellationError`.
        @inlinable
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``JSONModelError``, after all elements that were complete before the error, or `CancellationError`.
        // The client's compiler specializes this function, but must not inline it, and the function calls no synchronous
        // function that throws: Swift 6.3 crashes when it splits a coroutine in which it has joined such calls of several loops.
        @inlinable @inline(never)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if Task.isCancelled { throw CancellationError() }
                if let element = stream.popFirst() { return element }
                guard try await reader.read(to: stream, isolation: actor) else { return nil }
            }
        }

        /// The numbers of the elements so far, and the issues of the skipped ones.
        public var summary: JSONStreamSummary { stream.summary }
    }

    /// Begins an iteration.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension JSONElements: Sendable where Input: Sendable {}

/// The elements of an asynchronous sequence of chunks. See `elements(of:in:at:framing:)`.
///
/// A chunk is requested when the elements of the chunks before have been consumed. When the loop ends, the iterator of the
/// chunks and the elements that were not consumed are released.
public struct JSONChunkElements<Element, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Collection<UInt8> {
    @usableFromInline let decoder: JSONModelDecoder
    @usableFromInline let shape: Unmanaged<JSONShape>
    @usableFromInline let chunks: Chunks
    @usableFromInline let path: JSONPath
    @usableFromInline let framing: JSONFraming

    @inlinable
    package init(
        decoder: JSONModelDecoder, shape: Unmanaged<JSONShape>, chunks: Chunks, path: JSONPath, framing: JSONFraming
    ) {
        self.decoder = decoder
        self.shape = shape
        self.chunks = chunks
        self.path = path
        self.framing = framing
    }

    /// The elements of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline var chunks: Chunks.AsyncIterator
        /// The part of the last chunk that has not been decoded yet.
        @usableFromInline var rest: Chunks.Element.SubSequence?
        @usableFromInline let stream: QueuedStream<Element>

        @inlinable
        init(_ elements: JSONChunkElements, envelope: EnvelopeState? = nil) {
            chunks = elements.chunks.makeAsyncIterator()
            stream = QueuedStream(
                elements.decoder, elements.shape, at: elements.path, framing: elements.framing, envelope: envelope)
            stream.beginChunks()
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``JSONModelError``, after all elements that were complete before the error, the error of the chunks, or
        ///   `CancellationError`.
        @inlinable
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``JSONModelError``, after all elements that were complete before the error, the error of the chunks, or
        ///   `CancellationError`.
        // See the iterator of `JSONElements`.
        @inlinable @inline(never)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if Task.isCancelled { throw CancellationError() }
                if let element = stream.popFirst() { return element }
                switch stream.takeState() {
                case .needsInput: break
                case .hasEnded: return nil
                case .hasFailed(let error): throw error
                }
                if rest == nil { rest = try await chunks.next(isolation: actor)?[...] }
                if let chunk = rest { feed(chunk) } else { stream.finish() }
            }
        }

        /// Decodes the next window of a chunk, or most of a long chunk on several threads.
        @inlinable
        mutating func feed(_ chunk: Chunks.Element.SubSequence) {
            let length = stream.pushedLength(of: chunk.count)
            chunk.prefix(length).withContiguousBytes { stream.push($0) }
            let left = chunk.dropFirst(length)
            rest = left.isEmpty ? nil : left
        }

        /// The numbers of the elements so far, and the issues of the skipped ones.
        public var summary: JSONStreamSummary { stream.summary }
    }

    /// Begins an iteration.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension JSONChunkElements: Sendable where Chunks: Sendable {}

extension JSONModelDecoder {
    /// Returns the elements at a path of an input, as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await repository in decoder.elements(of: Repository.self, in: .file("huge.json"), at: "items[*]") {
    ///     print(repository.name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements in each value. The default is the root. In a document, a path without a wildcard is
    ///     the path of an array of elements, so that the default has the elements of a top-level array. In other framings, such a
    ///     path selects one element of each value. A path may have several wildcards, as in `groups[*].items[*]`.
    ///   - framing: The form in which the input holds its values.
    @inlinable
    public func elements<Element: JSONConvertible, Input: JSONInput>(
        of type: Element.Type = Element.self, in input: Input, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONElements<Element, Input> {
        JSONElements(
            decoder: self, shape: JSONShape.unretained(of: Element.self), input: input, path: path, framing: framing
        )
    }

    /// Returns the elements at a path of an input that arrives in chunks, as an asynchronous sequence.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - chunks: The chunks of the input, which may be cut at any byte, such as the body of a response.
    ///   - path: The path of the elements in each value. See `elements(of:in:at:framing:)`.
    ///   - framing: The form in which the input holds its values.
    @inlinable
    public func elements<Element: JSONConvertible, Chunks: AsyncSequence>(
        of type: Element.Type = Element.self, in chunks: Chunks, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONChunkElements<Element, Chunks> where Chunks.Element: Collection<UInt8> {
        JSONChunkElements(
            decoder: self, shape: JSONShape.unretained(of: Element.self), chunks: chunks, path: path,
            framing: framing)
    }
}
