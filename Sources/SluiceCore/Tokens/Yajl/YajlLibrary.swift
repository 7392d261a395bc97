#if YAJL
import CYajl

/// The installed libyajl, and whether the library is safe to use.
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
}
#endif
