import SluiceCore

/// The elements of an input, one after another, each decoded on request.
///
/// ```swift
/// var cursor = decoder.cursor(of: Repository.self, in: .file("huge.json"), at: "items[*]")
/// while let repository = try cursor.next() { print(repository.name) }
/// ```
///
/// Memory holds one window of the input and its elements. The input is closed with the cursor.
public struct JSONElementCursor<Element>: ~Copyable {
    @usableFromInline let reader: InputReader
    @usableFromInline let stream: QueuedStream<Element>

    @inlinable
    package init(_ reader: InputReader, _ stream: QueuedStream<Element>) {
        self.reader = reader
        self.stream = stream
    }

    /// Returns the next element, or nil at the end.
    ///
    /// - Throws: ``/SluiceCore/JSONModelError``, after all elements that were complete before the error. Afterwards, the result is nil.
    @inlinable
    public mutating func next() throws(JSONModelError) -> Element? {
        while true {
            if let element = try stream.next() { return element }
            if stream.isStopped { return nil }
            reader.read(to: stream)
        }
    }

    /// The numbers of the elements that `next` has returned and of those skipped before them, and the issues of the skipped ones.
    public var summary: JSONStreamSummary { stream.summary }
}

extension JSONModelDecoder {
    /// Returns a cursor on the elements at a path of an input.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - input: The input. See ``/SluiceCore/JSONInput``.
    ///   - path: The path of the elements in each value. See `elements(of:in:at:framing:)`.
    ///   - framing: The form in which the input holds its values.
    ///   - envelope: Receives the fields around the elements of a document. See ``JSONEnvelope``.
    /// - Returns: The cursor, which opens the input at the first call of `next`.
    @inlinable
    public func cursor<Element: JSONConvertible, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, in input: some JSONInput, at path: JSONPath = JSONPath(),
        framing: JSONFraming = .document, envelope: JSONEnvelope<Envelope>? = JSONEnvelope<JSONValue>?.none
    ) -> JSONElementCursor<Element> {
        JSONElementCursor(
            InputReader(input),
            QueuedStream(
                self, JSONShape.unretained(of: type), at: path, framing: framing, for: .cursor,
                envelope: envelope?.state)
        )
    }
}
