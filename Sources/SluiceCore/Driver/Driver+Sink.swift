#if YAJL
import CYajl
#endif

extension Driver: TokenSink {
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

    @inline(__always)
    private static func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<YajlState<Driver>> {
        context.unsafelyUnwrapped.assumingMemoryBound(to: YajlState<Driver>.self)
    }
}
#endif
