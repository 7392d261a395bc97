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
    @usableFromInline let state = EnvelopeState(JSONShape.of(Value.self))

    /// Creates an envelope that is not read yet.
    ///
    /// - Parameter type: The type of the envelope.
    public init(of type: Value.Type = Value.self) {}

    /// The envelope; nil until the input has been read to its end.
    public var value: Value? {
        let snapshot = snapshot
        return snapshot.isComplete ? snapshot.value : nil
    }

    /// The envelope as far as it is read.
    ///
    /// After an error or a loop that was left, this is the envelope as far as it was read then.
    public var snapshot: JSONSnapshot<Value> { JSONSnapshot(state.snapshot) }
}

/// The state of an envelope, without its type.
@usableFromInline
final class EnvelopeState {
    let shape: JSONShape
    /// The stream that reads the envelope.
    private weak var stream: ElementStream?
    /// The envelope of a stream that has ended.
    private var last: ValueSnapshot?

    @usableFromInline
    init(_ shape: JSONShape) { self.shape = shape }

    func begin(_ stream: ElementStream) { (self.stream, last) = (stream, nil) }

    func end(_ last: ValueSnapshot?) { (stream, self.last) = (nil, last) }

    var snapshot: ValueSnapshot? { last ?? stream?.envelopeSnapshot() }
}
