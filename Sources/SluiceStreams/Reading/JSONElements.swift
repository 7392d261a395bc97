import SluiceCore

/// The elements of an input, as an asynchronous sequence. See `elements(of:in:at:framing:)`.
///
/// Each iteration reads the input from its start, or the chunks from a new iterator. Nothing is read while the consumer is behind: memory
/// holds one window of the input and its elements, and a chunk is requested when the elements of the chunks before have been consumed. When
/// the loop ends, by `break`, an error, or the cancellation of its task, the input is closed, and the iterator of the chunks and the elements
/// that were not consumed are released.
public struct JSONElements<Element, Source>: AsyncSequence {
    /// Begins an iteration. The closure captures the source, and values that are `Sendable`.
    @usableFromInline let makeIterator: () -> AsyncIterator

    @inlinable
    init(_ makeIterator: @escaping () -> AsyncIterator) { self.makeIterator = makeIterator }

    /// The elements of one iteration.
    public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let reader: ElementReader
        @usableFromInline let stream: QueuedStream<Element>

        @inlinable
        init(_ reader: ElementReader, _ stream: QueuedStream<Element>) {
            self.reader = reader
            self.stream = stream
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``/SluiceCore/JSONModelError``, after all elements that were complete before the error, the error of the chunks, or
        ///   `CancellationError`.
        @inlinable
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: ``/SluiceCore/JSONModelError``, after all elements that were complete before the error, the error of the chunks, or
        ///   `CancellationError`.
        // The client's compiler specializes this function, but must not inline it, and the function calls no synchronous
        // function that throws: Swift 6.3 crashes when it splits a coroutine in which it has joined such calls of several loops.
        @inlinable @inline(never)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if Task.isCancelled {
                    stream.stop()
                    throw CancellationError()
                }
                if let element = stream.popFirst() { return element }
                guard try await reader.read(to: stream, isolation: actor) else { return nil }
            }
        }

        /// The numbers of the elements that `next` has returned and of those skipped before them, and the issues of the skipped ones.
        public var summary: JSONStreamSummary { stream.summary }
    }

    /// Begins an iteration.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { makeIterator() }
}

// Unchecked, because the compiler does not know the captures of the closure.
extension JSONElements: @unchecked Sendable where Source: Sendable {}

extension JSONElements {
    /// Creates the elements of an input.
    @inlinable
    package init<Input: JSONInput>(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, in input: Input, at path: JSONPath,
        framing: JSONFraming, envelope: EnvelopeState? = nil
    ) {
        self.init {
            AsyncIterator(
                InputReader(input),
                QueuedStream(decoder, shape, at: path, framing: framing, for: .task, envelope: envelope))
        }
    }

    /// Creates the elements of chunks.
    ///
    /// - Parameter isValue: Whether the value at the path of a document is the only element.
    @inlinable
    package init<Chunks: AsyncSequence>(
        _ decoder: JSONModelDecoder, _ shape: Unmanaged<JSONShape>, inChunks chunks: Chunks, at path: JSONPath,
        framing: JSONFraming, isValue: Bool = false, envelope: EnvelopeState? = nil
    ) where Chunks.Element: Collection<UInt8> {
        self.init {
            let stream = QueuedStream<Element>(
                decoder, shape, at: path, framing: framing, for: .task, isValue: isValue, envelope: envelope)
            stream.beginChunks()
            // The closure is inlinable, so that the client's compiler specializes it for the chunks.
            return AsyncIterator(ChunkReader(chunks) { $0.withContiguousBytes($1) }, stream)
        }
    }
}

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
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the elements in each value. The default is the root. In a document, a path without a wildcard is
    ///     the path of an array of elements, so that the default has the elements of a top-level array. Without a path, a document that is not
    ///     an array is the only element, unless an envelope is given. In other framings, a path without a wildcard selects one element of each
    ///     value. A path may have several wildcards, as in `groups[*].items[*]`.
    ///   - framing: The form in which the input holds its values.
    @inlinable
    public func elements<Element: JSONConvertible, Input: JSONInput>(
        of type: Element.Type = Element.self, in input: Input, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document
    ) -> JSONElements<Element, Input> {
        JSONElements(self, JSONShape.unretained(of: type), in: input, at: path, framing: framing)
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
    ) -> JSONElements<Element, Chunks> where Chunks.Element: Collection<UInt8> {
        JSONElements(self, JSONShape.unretained(of: type), inChunks: chunks, at: path, framing: framing)
    }
}
