import Foundation
import TestSupport
import Testing

@testable import SluiceCore

#if YAJL
import CYajl
#endif

/// Writes down each token that gets through to the sink, as yajl's own test program does.
struct EventLog {
    private(set) var bytes: [UInt8] = []

    mutating func note(_ line: String) { bytes += Array((line + "\n").utf8) }

    mutating func note(_ lead: String, quoted text: UnsafeBufferPointer<UInt8>) {
        bytes += Array("\(lead): '".utf8) + text + Array("'\n".utf8)
    }

    /// Integers as they are, other numbers as C writes them with six digits.
    mutating func note(number text: UnsafeBufferPointer<UInt8>) {
        let number = String(decoding: text, as: UTF8.self)
        if let integer = Int64(number) { return note("integer: \(integer)") }
        if number.allSatisfy({ $0.isNumber || $0 == "-" }) { return note("integer: \(number)") }
        note("double: " + String(format: "%g", Double(number)!))
    }
}

/// The events of a text, by source.
enum EventRecorder {
    /// The events of a text, and what is wrong with it.
    ///
    /// - Parameter size: the bytes of each piece that the text is cut into; whole without.
    static func events(
        of text: [UInt8], from source: JSONModelDecoder.Source, inPiecesOf size: Int?,
        limits: JSONLimits = JSONLimits()
    ) -> (events: [UInt8], issue: JSONIssue?) {
        let log = UnsafeMutablePointer<EventLog>.allocate(capacity: 1)
        log.initialize(to: EventLog())
        defer {
            log.deinitialize(count: 1)
            log.deallocate()
        }
        do {
            let pieces = size.map { text.pieces(of: $0) } ?? [text]
            switch source {
            #if YAJL
            case .yajl: try YajlEvents.record(pieces, limits, log)
            #endif
            case .scanner:
                var source = ScannerSource(limits: limits)
                var writer = EventWriter(log: log)
                try source.read(.chunks(AnyIterator(pieces.makeIterator())), to: &writer)
            }
            return (log.pointee.bytes, nil)
        } catch {
            return (log.pointee.bytes, error.issues.first)
        }
    }
}

/// A sink that only writes down.
struct EventWriter: SimpleSink {
    let log: UnsafeMutablePointer<EventLog>

    private func note(_ line: String) -> TokenAction {
        log.pointee.note(line)
        return .proceed
    }

    mutating func startObject() -> TokenAction { note("map open '{'") }
    mutating func endObject() -> TokenAction { note("map close '}'") }
    mutating func startArray() -> TokenAction { note("array open '['") }
    mutating func endArray() -> TokenAction { note("array close ']'") }
    mutating func key(_ key: Key) -> TokenAction {
        log.pointee.note("key", quoted: key.text)
        return .proceed
    }
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        let text = UnsafeBufferPointer(start: bytes, count: count)
        #expect(isASCII == text.allSatisfy { $0 < 0x80 })
        log.pointee.note("string", quoted: text)
        return .proceed
    }
    mutating func number(_ token: NumberToken) -> TokenAction {
        log.pointee.note(number: UnsafeBufferPointer(start: token.text, count: token.count))
        return .proceed
    }
    mutating func bool(_ value: Bool) -> TokenAction { note("bool: \(value)") }
    mutating func null() -> TokenAction { note("null") }
}

#if YAJL
/// Looks on while the yajl source decodes to a `JSONValue`.
private enum YajlEvents {
    static func record(
        _ pieces: [[UInt8]], _ limits: JSONLimits, _ log: UnsafeMutablePointer<EventLog>
    ) throws(JSONModelError) {
        // Tests run side by side, and the callbacks know one log.
        lock.lock()
        defer { lock.unlock() }
        self.log = log
        let shape = try PlanCache.standard.layout(for: JSONShape.of(JSONValue.self))
        let memory = UnsafeMutablePointer<JSONValue>.allocate(capacity: 1)
        defer { memory.deallocate() }
        var decoder = JSONModelDecoder()
        decoder.limits = limits
        var driver = Driver(
            slot: ValueSlot(address: memory, layout: shape), table: nil,
            options: .passUnretained(decoder.sharedOptions), emit: nil)
        defer { withExtendedLifetime(decoder) {} }
        var source = try YajlSource(for: Driver.self, limits: limits, callbacks: callbacks)
        try source.read(.chunks(AnyIterator(pieces.makeIterator())), to: &driver)
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var log: UnsafeMutablePointer<EventLog>!

    /// Notes what got through.
    private static func passing(_ answer: Int32, _ note: (inout EventLog) -> Void) -> Int32 {
        if answer != 0 { note(&log.pointee) }
        return answer
    }

    private static func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes, count: count)
    }

    private static var own: yajl_callbacks { Driver.callbacks.pointee }

    /// Each gives the token to the source first, and notes it if the parse goes on.
    nonisolated(unsafe) private static let callbacks: UnsafePointer<yajl_callbacks> = {
        let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        table.initialize(
            to: yajl_callbacks(
                yajl_null: { passing(own.yajl_null($0)) { $0.note("null") } },
                yajl_boolean: { context, value in
                    passing(own.yajl_boolean(context, value)) { $0.note("bool: \(value != 0)") }
                },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { context, bytes, count in
                    passing(own.yajl_number(context, bytes, count)) {
                        let text = UnsafeRawBufferPointer(start: bytes, count: count)
                        $0.note(number: text.assumingMemoryBound(to: UInt8.self))
                    }
                },
                yajl_string: { context, bytes, count in
                    passing(own.yajl_string(context, bytes, count)) {
                        $0.note("string", quoted: text(bytes, count))
                    }
                },
                yajl_start_map: { passing(own.yajl_start_map($0)) { $0.note("map open '{'") } },
                yajl_map_key: { context, bytes, count in
                    passing(own.yajl_map_key(context, bytes, count)) { $0.note("key", quoted: text(bytes, count)) }
                },
                yajl_end_map: { passing(own.yajl_end_map($0)) { $0.note("map close '}'") } },
                yajl_start_array: { passing(own.yajl_start_array($0)) { $0.note("array open '['") } },
                yajl_end_array: { passing(own.yajl_end_array($0)) { $0.note("array close ']'") } }))
        return UnsafePointer(table)
    }()
}
#endif
