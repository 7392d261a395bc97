import CYajl
import Foundation

/// The yajl parser with callbacks that do nothing, as the reference for the speed of all decoders.
///
/// The UTF-8 validation of yajl is enabled, as by default. Sluice disables this validation and uses a stricter one, whose
/// time is included in Sluice's time. Numbers are reported as text, without yajl's conversions.
enum BareYajl {
    /// The table of callbacks. The table is never deallocated, because yajl keeps its address.
    ///
    /// The callbacks are not in `main.swift`: closures there are isolated to the main actor, and the isolation check at each
    /// call makes them four times as slow.
    private nonisolated(unsafe) static let callbacks: UnsafeMutablePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(to: yajl_callbacks())
        table.pointee.yajl_null = { _ in 1 }
        table.pointee.yajl_boolean = { _, _ in 1 }
        table.pointee.yajl_number = { _, _, _ in 1 }
        table.pointee.yajl_string = { _, _, _ in 1 }
        table.pointee.yajl_start_map = { _ in 1 }
        table.pointee.yajl_map_key = { _, _, _ in 1 }
        table.pointee.yajl_end_map = { _ in 1 }
        table.pointee.yajl_start_array = { _ in 1 }
        table.pointee.yajl_end_array = { _ in 1 }
        return table
    }()

    /// Parses a document in memory with one call.
    static func parse(_ text: UnsafeRawBufferPointer) throws {
        try withHandle { handle in
            try check(yajl_parse(handle, text.bindMemory(to: UInt8.self).baseAddress, text.count))
            try check(yajl_complete_parse(handle))
        }
    }

    /// Parses a file in windows of a number of bytes.
    static func parse(contentsOf path: String, window: Int = 64 * 1024) throws {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw FloorError("\(path) cannot be opened.") }
        defer { close(file) }
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: window)
        defer { buffer.deallocate() }
        try withHandle { handle in
            while true {
                let count = read(file, buffer, window)
                guard count >= 0 else { throw FloorError("\(path) cannot be read.") }
                if count == 0 { break }
                try check(yajl_parse(handle, buffer, count))
            }
            try check(yajl_complete_parse(handle))
        }
    }

    private static func withHandle(_ body: (yajl_handle) throws -> Void) throws {
        guard let handle = yajl_alloc(callbacks, nil, nil) else { throw FloorError("yajl has no memory.") }
        defer { yajl_free(handle) }
        try body(handle)
    }

    private static func check(_ status: yajl_status) throws {
        guard status == yajl_status_ok else { throw FloorError("yajl reports a syntax error.") }
    }
}

/// The reason why a measurement failed.
struct FloorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
