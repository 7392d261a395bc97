#if YAJL
import CYajl

/// Any sink, for sinks that are too slow or too rare for a callback table of their own.
struct AnySink: YajlSink {
    var sink: any TokenSink

    // MARK: Tokens

    mutating func startObject() -> TokenAction { sink.startObject() }
    mutating func endObject() -> TokenAction { sink.endObject() }
    mutating func startArray() -> TokenAction { sink.startArray() }
    mutating func endArray() -> TokenAction { sink.endArray() }
    mutating func expectedKey(at text: UnsafePointer<UInt8>, longest: Int) -> Int? {
        sink.expectedKey(at: text, longest: longest)
    }
    mutating func key(_ key: Key) -> TokenAction { sink.key(key) }
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        sink.string(bytes, count, isASCII: isASCII)
    }
    mutating func number(_ token: NumberToken) -> TokenAction { sink.number(token) }
    mutating func bool(_ value: Bool) -> TokenAction { sink.bool(value) }
    mutating func null() -> TokenAction { sink.null() }

    // MARK: Skipping and recording

    var isSkipping: Bool { sink.isSkipping }
    var isCapturing: Bool { sink.isCapturing }
    mutating func skipped() -> TokenAction { sink.skipped() }
    mutating func recorded(_ value: RecordedBytes) -> TokenAction { sink.recorded(value) }

    // MARK: Issues and locations

    var collectedIssues: [JSONIssue] { sink.collectedIssues }
    var expectation: String { sink.expectation }
    var awaitsLocation: Bool { sink.awaitsLocation }
    mutating func takeIssues() -> [PendingIssue] { sink.takeIssues() }
    mutating func deliver(_ pending: PendingIssue) -> Bool { sink.deliver(pending) }
    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { sink.issue(kind) }
    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        sink.located(from: start, to: end)
    }

    // MARK: Replay and result

    var replayDepth: Int { sink.replayDepth }
    mutating func takeReplay() -> ReplayRequest? { sink.takeReplay() }
    mutating func endReplay() -> TokenAction { sink.endReplay() }
    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction { sink.rejectReplay(kind) }
    mutating func ignoreCutNumber() { sink.ignoreCutNumber() }
    mutating func closeContainer(above depth: Int) -> TokenAction? { sink.closeContainer(above: depth) }
    mutating func takeResult() -> Bool { sink.takeResult() }
}

extension AnySink {
    nonisolated(unsafe) static let callbacks: UnsafePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(
            to: yajl_callbacks(
                yajl_null: { state($0).pointee.null() },
                yajl_boolean: { state($0).pointee.bool($1 != 0) },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { state($0).pointee.number($1.unsafelyUnwrapped, $2) },
                yajl_string: { state($0).pointee.string($1.unsafelyUnwrapped, $2) },
                yajl_start_map: { state($0).pointee.startObject() },
                yajl_map_key: { state($0).pointee.key($1.unsafelyUnwrapped, $2) },
                yajl_end_map: { state($0).pointee.endObject() },
                yajl_start_array: { state($0).pointee.startArray() },
                yajl_end_array: { state($0).pointee.endArray() }))
        return UnsafePointer(table)
    }()

    private static func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<YajlState<AnySink>> {
        context.unsafelyUnwrapped.assumingMemoryBound(to: YajlState<AnySink>.self)
    }
}
#endif
