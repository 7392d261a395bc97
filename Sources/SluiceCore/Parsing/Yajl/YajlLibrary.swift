#if YAJL
import CYajl

/// The installed libyajl: its callback table, and whether the library is safe to use.
enum YajlLibrary {
    /// A defect of the library, or nil. Determined once.
    static let defect: String? = findDefect()

    /// Tests for the fix of CVE-2017-16516, an out-of-bounds read at an escaped unpaired surrogate. Debian's libyajl
    /// 2.1.0-3+deb12u2 has this and other fixes that upstream's last release lacks. A fixed library returns `?abc` here.
    private static func findDefect() -> String? {
        let box = UnsafeMutablePointer<[UInt8]>.allocate(capacity: 1)
        box.initialize(to: [])
        defer {
            box.deinitialize(count: 1)
            box.deallocate()
        }
        var callbacks = yajl_callbacks()
        callbacks.yajl_string = { context, bytes, count in
            context!.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
                start: bytes, count: count)
            return 1
        }
        let text = Array("[\"\\ud800abc\"]".utf8)
        let status = withUnsafePointer(to: callbacks) { table in
            guard let handle = yajl_alloc(table, nil, box) else { return yajl_status_error }
            defer { yajl_free(handle) }
            return yajl_parse(handle, text, text.count)
        }
        if status == yajl_status_ok, box.pointee == Array("?abc".utf8) { return nil }
        return
            "the installed libyajl lacks the fix for CVE-2017-16516: install libyajl-dev 2.1.0-3+deb12u2 or later "
            + "(Debian, Ubuntu) or the newest yajl of your system"
    }

    /// The callback table. yajl keeps its address, so the process has one. In a library file, because closures in `main.swift`
    /// are bound to the main actor and checked at each call.
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
    private static func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<YajlState> {
        context.unsafelyUnwrapped.assumingMemoryBound(to: YajlState.self)
    }
}
#endif
