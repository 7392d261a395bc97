import CYajl
import Foundation

@testable import SluiceCore

/// Looks on while the yajl source decodes, and writes down each token that gets through to the driver, as yajl's own
/// test program does.
enum EventRecorder {
    /// The events of a text that is decoded to a `JSONValue`, and what is wrong with it.
    ///
    /// - Parameter size: the bytes of each piece that the text is cut into; whole without.
    static func events(
        of text: [UInt8], inPiecesOf size: Int?, limits: JSONLimits = JSONLimits()
    ) -> (events: [UInt8], issue: JSONIssue?) {
        log = []
        do {
            let shape = try JSONShape.of(JSONValue.self).prepared()
            let memory = UnsafeMutablePointer<JSONValue>.allocate(capacity: 1)
            defer { memory.deallocate() }
            let driver = Driver(
                shape: shape, target: memory, table: nil, depth: limits.depth, rejectsDuplicates: false, emit: nil)
            var source = try YajlSource(driver, limits: limits, callbacks: callbacks)
            for piece in size.map({ text.pieces(of: $0) }) ?? [text] {
                try piece.withUnsafeBufferPointer { bytes throws(JSONModelError) in try source.feed(bytes) }
            }
            try source.finish()
            return (log, nil)
        } catch {
            return (log, error.issues.first)
        }
    }

    /// One test at a time looks at it.
    nonisolated(unsafe) private static var log: [UInt8] = []

    private static func note(_ line: String, _ answer: Int32) -> Int32 {
        if answer != 0 { log += Array((line + "\n").utf8) }
        return answer
    }

    private static func note(_ lead: String, quoted bytes: UnsafePointer<UInt8>?, _ count: Int, _ answer: Int32)
        -> Int32
    {
        if answer != 0 {
            log += Array("\(lead): '".utf8) + UnsafeBufferPointer(start: bytes, count: count) + Array("'\n".utf8)
        }
        return answer
    }

    /// Integers as they are, other numbers as C writes them with six digits.
    private static func number(_ bytes: UnsafePointer<CChar>?, _ count: Int, _ answer: Int32) -> Int32 {
        let text = UnsafeRawBufferPointer(start: bytes, count: count)
        let number = String(decoding: text, as: UTF8.self)
        if let integer = Int64(number) { return note("integer: \(integer)", answer) }
        if number.allSatisfy({ $0.isNumber || $0 == "-" }) { return note("integer: \(number)", answer) }
        return note("double: " + String(format: "%g", Double(number)!), answer)
    }

    private static var own: yajl_callbacks { YajlLibrary.callbacks.pointee }

    /// Each gives the token to the source first, and notes it if the parse goes on.
    nonisolated(unsafe) private static let callbacks: UnsafePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(
            to: yajl_callbacks(
                yajl_null: { note("null", own.yajl_null($0)) },
                yajl_boolean: { note("bool: \($1 != 0)", own.yajl_boolean($0, $1)) },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { number($1, $2, own.yajl_number($0, $1, $2)) },
                yajl_string: { note("string", quoted: $1, $2, own.yajl_string($0, $1, $2)) },
                yajl_start_map: { note("map open '{'", own.yajl_start_map($0)) },
                yajl_map_key: { note("key", quoted: $1, $2, own.yajl_map_key($0, $1, $2)) },
                yajl_end_map: { note("map close '}'", own.yajl_end_map($0)) },
                yajl_start_array: { note("array open '['", own.yajl_start_array($0)) },
                yajl_end_array: { note("array close ']'", own.yajl_end_array($0)) }))
        return UnsafePointer(table)
    }()
}
