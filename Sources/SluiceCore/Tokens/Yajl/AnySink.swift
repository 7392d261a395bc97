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

    var expectation: String { sink.expectation }
    var awaitsLocation: Bool { sink.awaitsLocation }
    mutating func takeIssues() -> [PendingIssue] { sink.takeIssues() }
    mutating func deliver(_ pending: PendingIssue) -> Bool { sink.deliver(pending) }
    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { sink.issue(kind) }
    mutating func located(from start: JSONLocation, to end: JSONLocation) -> TokenAction {
        sink.located(from: start, to: end)
    }

    // MARK: Replays

    var replayDepth: Int { sink.replayDepth }
    mutating func takeReplay() -> ReplayRequest? { sink.takeReplay() }
    mutating func endReplay() -> TokenAction { sink.endReplay() }
    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction { sink.rejectReplay(kind) }
    mutating func ignoreCutNumber() { sink.ignoreCutNumber() }
    mutating func closeContainer(above depth: Int) -> TokenAction? { sink.closeContainer(above: depth) }
}

extension AnySink {
    nonisolated(unsafe) static let callbacks: UnsafePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(
            to: yajl_callbacks(
                yajl_null: { call($0).null() },
                yajl_boolean: { call($0).bool($1) },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { call($0).number($1, $2) },
                yajl_string: { call($0).string($1, $2) },
                yajl_start_map: { call($0).startObject() },
                yajl_map_key: { call($0).key($1, $2) },
                yajl_end_map: { call($0).endObject() },
                yajl_start_array: { call($0).startArray() },
                yajl_end_array: { call($0).endArray() }))
        return UnsafePointer(table)
    }()
}
#endif
