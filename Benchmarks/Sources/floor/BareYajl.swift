import CYajl
import Foundation

/// yajl as it comes, with callbacks that do nothing: the measure of every decoder that has its lexer or another.
///
/// Its own check of UTF-8 is on, as it is by default: Sluice switches it off for a stricter one, whose time is in
/// Sluice's. Numbers are taken as text, for yajl's conversions would be more than nothing.
enum BareYajl {
    /// yajl keeps the table's address, so there is one for good. It stands in a file of its own: closures in
    /// `main.swift` belong to the main actor, and the check of that at each call makes them four times slower.
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

    /// Parses a text in memory in one call.
    static func parse(_ text: UnsafeRawBufferPointer) throws {
        try withHandle { handle in
            try check(yajl_parse(handle, text.bindMemory(to: UInt8.self).baseAddress, text.count))
            try check(yajl_complete_parse(handle))
        }
    }

    /// Parses a file in windows of this size.
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
        guard status == yajl_status_ok else { throw FloorError("yajl refuses the text.") }
    }
}

/// Why a measurement cannot be made.
struct FloorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
