#if YAJL
import CYajl
#endif

extension Driver: ResultSink {
    @inline(__always)
    var isSkipping: Bool { if case .skip = disposition { true } else { false } }

    @inline(__always)
    mutating func skipped() -> TokenAction { skipDepth == 0 ? passed() : .proceed }

    func issue(_ kind: JSONIssue.Kind) -> JSONIssue { issue(kind, atValue: true) }
}

#if YAJL
extension Driver: YajlSink {
    // In a library file: closures in `main.swift` are bound to the main actor, which every call checks.
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
