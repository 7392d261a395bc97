import SluiceCore

/// The elements of an input that arrives in chunks.
///
/// ```swift
/// var feed = decoder.feed(of: Repository.self, at: "items[*]")
/// for chunk in chunks {
///     for repository in try feed.push(chunk) { print(repository.name) }
/// }
/// for repository in try feed.finish() { print(repository.name) }
/// ```
public struct JSONElementFeed<Element>: ~Copyable {
    @usableFromInline let stream: QueuedStream<Element>

    /// The stream, for a call that retains nothing.
    @inlinable var direct: Unmanaged<QueuedStream<Element>> { .passUnretained(stream) }

    @inlinable
    package init(_ stream: QueuedStream<Element>) {
        self.stream = stream
        stream.beginChunks()
    }

    /// Consumes the next chunk of the input, which may be cut at any byte.
    ///
    /// - Returns: The elements that became complete.
    /// - Throws: ``/SluiceCore/JSONModelError``. If elements were complete before the error, they are returned, and the next call throws
    ///   the error. Afterwards, chunks are ignored. A chunk with bytes after `finish` is an error.
    @inlinable
    public mutating func push(_ chunk: some Collection<UInt8>) throws(JSONModelError) -> [Element] {
        let stream = direct
        chunk.withContiguousBytes { bytes in stream._withUnsafeGuaranteedRef { $0.pushAll(bytes) } }
        return try self.stream.popAll()
    }

    /// Consumes the next chunk of the input, which may be cut at any byte.
    ///
    /// - Returns: The elements that became complete.
    /// - Throws: ``/SluiceCore/JSONModelError``. See `push`.
    @inlinable
    public mutating func push(_ chunk: borrowing Span<UInt8>) throws(JSONModelError) -> [Element] {
        let stream = direct
        chunk.withUnsafeBufferPointer { bytes in stream._withUnsafeGuaranteedRef { $0.pushAll(bytes) } }
        return try self.stream.popAll()
    }

    /// Ends the input.
    ///
    /// - Returns: The elements that became complete because the input ended.
    /// - Throws: ``/SluiceCore/JSONModelError``. If elements were complete before the error, they are returned, and the next call of
    ///   `finish` throws the error.
    @inlinable
    public mutating func finish() throws(JSONModelError) -> [Element] {
        stream.finish()
        return try stream.popAll()
    }

    /// The numbers of the elements so far, and the issues of the skipped ones.
    public var summary: JSONStreamSummary { stream.summary }
}

extension JSONElementFeed where Element: JSONConvertible {
    /// Returns the open element so far.
    ///
    /// The snapshot itself takes a short time, independently of the input. Its values are made at their first use, or by the
    /// next `push` if the snapshot is still in use. A complete property is copied alone.
    ///
    /// The value of a partial model takes a time that is proportional to the input since the last snapshot whose value was made,
    /// and to the number of open containers. The same is true of arrays and dictionaries, of other models whose required properties are
    /// complete and that have no hooks and no flattened enums, and of enums with such payloads. The last value may be kept. If older
    /// values are kept, the arrays, dictionaries and strings that they share with the next value are copied as soon as they change.
    ///
    /// Another value takes a time that is proportional to the number of open containers, their properties, the elements and pairs of
    /// open arrays and dictionaries, and the length of the open string, and that is independent of the values that are complete.
    public func snapshot() -> JSONSnapshot<Element> { JSONSnapshot(stream.stream?.elements.snapshot()) }

    /// Returns the changes of the open element since the last call, or since the start of the element.
    ///
    /// The time is proportional to the input since the last call and the number of open containers. A value that cannot be shown
    /// in parts, such as a model whose required properties are not complete, is `replaced` each time. An element that is complete is returned by `push`,
    /// and has no changes.
    public func changes() -> [JSONChange] {
        stream.stream?.elements.snapshot()?.takeChanges() ?? []
    }
}

extension JSONModelDecoder {
    /// Returns a feed, to which the chunks of an input are pushed.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - path: The path of the elements in each value. See `elements(of:in:at:framing:)`.
    ///   - framing: The form in which the input holds its values.
    ///   - envelope: Receives the fields around the elements of a document. See ``JSONEnvelope``.
    ///   - ignoresText: Whether the document is the first object or array, and the text before its opening bracket and after its end is
    ///     ignored, such as the words and the fence of Markdown that a language model writes around JSON. Applies to the framing
    ///     `.document`.
    /// - Returns: The feed. The error of an unusable plan or path is thrown by the first call of `push` or `finish`.
    @inlinable
    public func feed<Element: JSONConvertible, Envelope: JSONConvertible>(
        of type: Element.Type = Element.self, at path: JSONPath = JSONPath(), framing: JSONFraming = .document,
        envelope: JSONEnvelope<Envelope>? = JSONEnvelope<JSONValue>?.none, ignoresText: Bool = false
    ) -> JSONElementFeed<Element> {
        JSONElementFeed(
            QueuedStream(
                self, JSONShape.unretained(of: type), at: path, framing: framing, for: .feed,
                ignoresText: ignoresText, envelope: envelope?.state))
    }
}
