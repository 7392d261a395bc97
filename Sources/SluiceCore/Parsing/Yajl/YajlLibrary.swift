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
                yajl_null: { receiver($0)._withUnsafeGuaranteedRef { $0.null() } },
                yajl_boolean: { context, value in receiver(context)._withUnsafeGuaranteedRef { $0.bool(value != 0) }
                },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { context, bytes, count in
                    receiver(context)._withUnsafeGuaranteedRef { $0.number(bytes.unsafelyUnwrapped, count) }
                },
                yajl_string: { context, bytes, count in
                    receiver(context)._withUnsafeGuaranteedRef { $0.string(bytes.unsafelyUnwrapped, count) }
                },
                yajl_start_map: { receiver($0)._withUnsafeGuaranteedRef { $0.startObject() } },
                yajl_map_key: { context, bytes, count in
                    receiver(context)._withUnsafeGuaranteedRef { $0.key(bytes.unsafelyUnwrapped, count) }
                },
                yajl_end_map: { receiver($0)._withUnsafeGuaranteedRef { $0.endObject() } },
                yajl_start_array: { receiver($0)._withUnsafeGuaranteedRef { $0.startArray() } },
                yajl_end_array: { receiver($0)._withUnsafeGuaranteedRef { $0.endArray() } }))
        return UnsafePointer(table)
    }()

    @inline(__always)
    private static func receiver(_ context: UnsafeMutableRawPointer?) -> Unmanaged<YajlReceiver> {
        Unmanaged.fromOpaque(context.unsafelyUnwrapped)
    }
}
#endif
