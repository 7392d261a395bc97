/// A tape on which a driver records one value after another, from the window of its source.
///
/// The window's bytes are read once, and are not copied. The tape, the scanner's memory and the engine are kept for the next value.
final class ValueTape {
    /// The greatest number of levels of a value. Values of more levels are recorded by the source.
    private static var maximumLevels: Int { 65 }
    /// The number of entries, at first.
    private static var capacity: Int { 64 }

    // Only the driver that has the tape uses it, and code of clients is called during no access but those of `engine`, which only the
    // engine's own value uses.
    @exclusivity(unchecked) private var scanner: Scanner
    @exclusivity(unchecked) private var recorder = TapeRecorder(
        Tape(input: nil, capacity: ValueTape.capacity), recordsLocations: false, keepsRepeatedKeys: true)
    private let memory: UnsafeMutableRawPointer
    /// The memory of the module that decodes the values.
    @exclusivity(unchecked) var engine: AnyObject?
    /// The failure of the value that the source records, to locate the failure.
    @exclusivity(unchecked) private var failure: TokenFailure?

    init(_ limits: JSONLimits) {
        let size = Scanner.sizeOfMemory(levels: Self.maximumLevels)
        memory = .allocate(byteCount: size, alignment: 16)
        scanner = Scanner(
            tentative: limits, levels: Self.maximumLevels, in: Region(start: memory, size: size))
    }

    deinit { memory.deallocate() }

    /// Records a container of the window. Returns nil if the source must record the container.
    ///
    /// The entry is valid until `endValue()` is called.
    func record(_ container: inout Lookahead) -> RecordedEntry? {
        if container.record(with: &scanner, on: &recorder) { return recorder.recordedValue() }
        recorder.endValue(capacity: Self.capacity)
        return nil
    }

    /// Records a scalar.
    ///
    /// - Parameter content: The scalar; nil for null.
    func record(_ content: JSONScalar.Content?) -> RecordedEntry {
        recorder.restart(UnsafeBufferPointer(start: nil, count: 0))
        switch content {
        case .string(let text):
            let bytes = text.baseAddress.unsafelyUnwrapped
            _ = recorder.string(bytes, text.count, isASCII: UTF8Validation.isASCII(bytes, text.count))
        case .number(let token): _ = recorder.number(token)
        case .bool(let value): _ = recorder.bool(value)
        case nil: _ = recorder.null()
        }
        return recorder.recordedValue()
    }

    /// Ends the use of the recorded value. The window's bytes become invalid.
    ///
    /// - Parameter failure: The failure of the value, which the source then records.
    func endValue(_ failure: TokenFailure?) {
        recorder.endValue(capacity: Self.capacity)
        if let failure { self.failure = failure }
    }

    /// Returns the failure of the value that the source has recorded.
    @inline(__always)
    func takeFailure() -> TokenFailure? { failure == nil ? nil : failure.take() }
}
