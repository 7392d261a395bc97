// Values that another module makes from their tokens.
//
// A container that the source's window holds is recorded on a tape of the driver, and the value is made before the source sends the
// tokens, which the source leaves out if possible. Otherwise, and if the value cannot be made, the source records the container: only a
// recording locates errors. Results and errors are the same.

extension Driver {
    /// Whether the value, which is made from another one, is made from recorded tokens.
    var readsTokens: Bool { slot.layout.element?.kind == .recording }

    private var valueTape: Unmanaged<ValueTape> {
        mutating get { session.recorder.valueTape ?? session.recorder.makeValueTape(session.limits) }
    }

    /// Makes the value from the tokens of a container.
    mutating func readTokens(_ container: inout Lookahead) -> TokenAction {
        let tape = valueTape
        guard mayNest, reserveFrame(), let entry = tape._withUnsafeGuaranteedRef({ $0.record(&container) }) else {
            return recordTokens()
        }
        let failure = makeValue(from: entry, tape)
        tape._withUnsafeGuaranteedRef { $0.endValue(failure) }
        if failure == nil, container.skipContainer() {
            slot.markPresent()
            return completed()
        }
        guard failure == nil else { return recordTokens() }
        guard pushConversion(.made, around: slot.layout.element!) else { return failNesting(at: .openingBracket) }
        skipDepth = 1
        disposition = .skip
        return .proceed
    }

    /// Makes the value from a scalar, whose recording is the current value.
    ///
    /// - Parameter content: The scalar; nil for null.
    mutating func readToken(_ content: JSONScalar.Content?) -> TokenAction {
        guard kind == .recording, looksAhead, case .converted(.conversion) = top.state else {
            return recordScalar()
        }
        popConversion()
        let tape = valueTape
        let failure = makeValue(from: tape._withUnsafeGuaranteedRef { $0.record(content) }, tape)
        tape._withUnsafeGuaranteedRef { $0.endValue(failure) }
        if failure == nil { return completedConversion() }
        return beginConversion() ? recordScalar() : failNesting(at: .value)
    }

    /// Lets the source record the container that has begun.
    private mutating func recordTokens() -> TokenAction {
        beginConversion() ? beginRecording(.raw) : failNesting(at: .openingBracket)
    }

    /// Completes a value that has been made from its tokens, which have been ignored.
    mutating func endMadeValue() -> TokenAction {
        guard case .converted(.made) = top.state else { return .proceed }
        popConversion()
        return completedConversion()
    }

    /// Makes the value from a recording.
    mutating func makeValue(of recording: Recording) -> TokenAction {
        let (tape, recording) = (valueTape, recording.whole)
        let storage = recording.storage
        // A value that has failed was the root of its tape.
        if let failure = tape._withUnsafeGuaranteedRef({ $0.takeFailure() }) {
            let entry = recording.index + (failure.entry - Tape.root)
            return fail(failure.issue, at: RecordedPart(storage, RecordedToken(entry: entry)))
        }
        let entry = RecordedEntry(storage.tape, owner: storage, at: recording.index)
        guard let failure = makeValue(from: entry, tape) else { return completedConversion() }
        return fail(failure.issue, at: RecordedPart(storage, RecordedToken(entry: failure.entry)))
    }

    private mutating func makeValue(from entry: RecordedEntry, _ tape: Unmanaged<ValueTape>) -> TokenFailure? {
        withUnsafePointer(to: entry) { entry in
            tape._withUnsafeGuaranteedRef { tape in
                slot.layout.withConversion { conversion in
                    conversion.ofTokens.unsafelyUnwrapped.convert(entry, to: slot.address, &tape.engine) {
                        session.options(at: nil)
                    }
                }
            }
        }
    }
}
