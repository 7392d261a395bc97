#if YAJL
import CYajl

/// The installed libyajl: its callback table, and whether it can be trusted.
enum YajlLibrary {
    /// What is wrong with the library, or nil. Looked at once.
    static let defect: String? = findDefect()

    /// Debian's libyajl 2.1.0-3+deb12u2 has fixes that upstream's last release lacks, for CVE-2017-16516 among
    /// others: an escape of half a surrogate pair read on past its buffer. A fixed library gives `?abc` here.
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

    /// yajl keeps the table's pointer: one for the process. Here and not in `main.swift`, where closures would be
    /// bound to the main actor and checked at each call.
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
