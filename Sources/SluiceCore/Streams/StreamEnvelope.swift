/// The envelope of a stream: the memory that its driver fills.
///
/// Invariant: the memory is initialized by the driver only, which hands a complete value over.
final class StreamEnvelope {
    private let state: EnvelopeState
    /// The decoder without the filter of the elements.
    private let decoder: JSONModelDecoder
    private let layout: LayoutReference
    private let memory: UnsafeMutableRawPointer

    init(_ state: EnvelopeState, _ decoder: JSONModelDecoder) throws(JSONModelError) {
        var decoder = decoder
        decoder.only = nil
        self.decoder = decoder
        self.state = state
        layout = try decoder.planCache.layout(for: .passUnretained(state.shape))
        memory = .allocate(byteCount: max(layout.size, 1), alignment: layout.alignmentMask + 1)
    }

    deinit { memory.deallocate() }

    func begin(_ stream: ElementStream) { state.begin(stream) }

    /// Adds the driver of the envelope to the driver of the elements.
    func sink(_ elements: consuming Driver) -> EnvelopeSink {
        EnvelopeSink(
            elements: elements,
            envelope: Driver(
                slot: ValueSlot(address: memory, layout: layout), table: nil,
                options: .passUnretained(decoder.sharedOptions), emit: nil))
    }

    /// Ends the stream.
    ///
    /// - Parameters:
    ///   - isComplete: Whether the memory has been handed over with a complete envelope.
    ///   - partial: The envelope as far as it is read, if it is not complete.
    func end(_ isComplete: Bool, otherwise partial: ValueSnapshot? = nil) {
        state.end(
            isComplete ? ValueSnapshot(moving: ValueSlot(address: memory, layout: layout)) : partial)
    }
}
