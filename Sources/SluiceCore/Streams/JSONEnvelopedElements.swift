/// The elements of an input and the fields around them. See `elements(of:in:at:envelope:)`.
public struct JSONEnvelopedElements<Elements: AsyncSequence, Envelope: JSONConvertible>: AsyncSequence {
    /// The fields around the elements of the last iteration.
    public let envelope: JSONEnvelope<Envelope>
    @usableFromInline let makeIterator: (EnvelopeState) -> Elements.AsyncIterator

    @inlinable
    init(_ envelope: JSONEnvelope<Envelope>, _ makeIterator: @escaping (EnvelopeState) -> Elements.AsyncIterator) {
        self.envelope = envelope
        self.makeIterator = makeIterator
    }

    /// Begins an iteration.
    @inlinable
    public func makeAsyncIterator() -> Elements.AsyncIterator { makeIterator(envelope.state) }
}

extension JSONModelDecoder {
    /// Returns the elements at a path of a document, as an asynchronous sequence, with the fields around them.
    ///
    /// ```swift
    /// let page = JSONEnvelope(of: Page.self)
    /// for try await item in decoder.elements(of: Item.self, in: .file("page.json"), at: "items[*]", envelope: page) {
    ///     print(item.name)
    /// }
    /// print(page.value?.total ?? 0)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements. See `elements(of:in:at:framing:)`.
    ///   - envelope: Receives the fields around the elements. Its arrays of elements are empty.
    @inlinable
    public func elements<Element: JSONConvertible, Input: JSONInput, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, in input: Input, at path: JSONPath,
        envelope: JSONEnvelope<Envelope>
    ) -> JSONEnvelopedElements<JSONElements<Element, Input>, Envelope> {
        let elements = JSONElements<Element, Input>(decoder: self, input: input, path: path, framing: .document)
        return JSONEnvelopedElements(envelope) { JSONElements.AsyncIterator(elements, envelope: $0) }
    }

    /// Returns the elements at a path of a document that arrives in chunks, as an asynchronous sequence, with the fields around
    /// them.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - chunks: The chunks of the document, which may be cut at any byte.
    ///   - path: The path of the elements. See `elements(of:in:at:framing:)`.
    ///   - envelope: Receives the fields around the elements. Its arrays of elements are empty.
    @inlinable
    public func elements<Element: JSONConvertible, Chunks: AsyncSequence, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, in chunks: Chunks, at path: JSONPath,
        envelope: JSONEnvelope<Envelope>
    ) -> JSONEnvelopedElements<JSONChunkElements<Element, Chunks>, Envelope>
    where Chunks.Element: Collection<UInt8> {
        let elements = JSONChunkElements<Element, Chunks>(
            decoder: self, chunks: chunks, path: path, framing: .document)
        return JSONEnvelopedElements(envelope) { JSONChunkElements.AsyncIterator(elements, envelope: $0) }
    }

    /// Returns a cursor on the elements at a path of a document, which also reads the fields around them.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``JSONInput``.
    ///   - path: The path of the elements. See `elements(of:in:at:framing:)`.
    ///   - envelope: Receives the fields around the elements.
    @inlinable
    public func cursor<Element: JSONConvertible, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, in input: some JSONInput, at path: JSONPath,
        envelope: JSONEnvelope<Envelope>
    ) -> JSONElementCursor<Element> {
        JSONElementCursor(
            InputReader(input),
            QueuedStream(self, at: path, framing: .document, envelope: envelope.state))
    }

    /// Returns a feed, to which the chunks of a document are pushed, which also reads the fields around the elements.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - path: The path of the elements. See `elements(of:in:at:framing:)`.
    ///   - envelope: Receives the fields around the elements.
    @inlinable
    public func feed<Element: JSONConvertible, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, at path: JSONPath, envelope: JSONEnvelope<Envelope>
    ) -> JSONElementFeed<Element> {
        JSONElementFeed(QueuedStream(self, at: path, framing: .document, envelope: envelope.state))
    }
}
