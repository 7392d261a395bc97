import SluiceCore

/// The fields around the elements of a stream, which fill a model of their own.
///
/// ```swift
/// let page = JSONEnvelope(of: Page.self)
/// var cursor = decoder.cursor(of: Item.self, in: .file("page.json"), at: "items[*]", envelope: page)
/// while let item = try cursor.next() { print(item.name) }
/// print(page.value?.total ?? 0)
/// ```
///
/// The arrays of elements are empty in the envelope. An envelope belongs to one stream. If a sequence is iterated several times,
/// the envelope is that of the last iteration.
public final class JSONEnvelope<Value: JSONConvertible> {
    @usableFromInline let state: EnvelopeState

    /// Creates an envelope that is not read yet.
    ///
    /// - Parameter type: The type of the envelope.
    public init(of type: Value.Type = Value.self) { state = EnvelopeState(JSONShape.of(type)) }

    /// The envelope; nil until the input has been read to its end.
    public var value: Value? {
        let snapshot = snapshot
        return snapshot.isComplete ? snapshot.value : nil
    }

    /// The envelope so far.
    ///
    /// After an error, or after the consumer has left the loop, the envelope keeps its last state.
    public var snapshot: JSONSnapshot<Value> { JSONSnapshot(state.snapshot) }
}

/// The state of an envelope, without its type.
@usableFromInline
package final class EnvelopeState {
    let shape: JSONShape
    /// The envelope of the last stream.
    fileprivate var envelope: StreamEnvelope?

    @usableFromInline
    init(_ shape: JSONShape) { self.shape = shape }

    var snapshot: ValueSnapshot? { envelope?.snapshot }
}

/// The envelope of one stream.
final class StreamEnvelope {
    let target: EnvelopeTarget
    /// The stream that reads the envelope.
    private weak var stream: ElementDecoder?
    /// The envelope at the end of the stream.
    private var last: ValueSnapshot?

    init(_ state: EnvelopeState, _ decoder: JSONModelDecoder) throws(JSONModelError) {
        target = try EnvelopeTarget(state.shape, decoder)
        state.envelope = self
    }

    func begin(_ stream: ElementDecoder) { self.stream = stream }

    /// Ends the stream.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the memory has been handed over with a complete envelope.
    ///   - partial: The envelope so far, if the envelope is not complete.
    func end(_ isComplete: Bool, otherwise partial: ValueSnapshot?) {
        last = isComplete ? ValueSnapshot(target.takeValue()) : partial
    }

    var snapshot: ValueSnapshot? { last ?? stream?.envelopeSnapshot() }
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
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the elements. See `elements(of:in:at:framing:)`.
    ///   - envelope: Receives the fields around the elements. Its arrays of elements are empty.
    @inlinable
    public func elements<Element: JSONConvertible, Input: JSONInput, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, in input: Input, at path: JSONPath,
        envelope: JSONEnvelope<Envelope>
    ) -> JSONElements<Element, JSONEnvelope<Envelope>> {
        JSONElements(
            self, JSONShape.unretained(of: type), in: input, at: path, framing: .document,
            envelope: envelope.state)
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
    ) -> JSONElements<Element, JSONEnvelope<Envelope>> where Chunks.Element: Collection<UInt8> {
        JSONElements(
            self, JSONShape.unretained(of: type), inChunks: chunks, at: path, framing: .document,
            envelope: envelope.state)
    }
}
