#if YAJL
import CYajl

/// A sink with a callback table for yajl.
protocol YajlSink: TokenSink, ~Copyable {
    /// The callback table of a source with this sink, whose context is a `YajlState`. yajl keeps the address.
    ///
    /// C functions cannot be generic, so each sink has its own table. Callbacks that call the methods of a generic class are
    /// not specialized, and have half the speed.
    static var callbacks: UnsafePointer<yajl_callbacks> { get }
}

extension YajlSink where Self: ~Copyable {
    /// Returns the receiver of a callback.
    @inline(__always)
    static func call(_ context: UnsafeMutableRawPointer?) -> YajlCall<Self> {
        let state = context.unsafelyUnwrapped.assumingMemoryBound(to: YajlState.self)
        return YajlCall(
            state: state, sink: state.pointee.sink.unsafelyUnwrapped.assumingMemoryBound(to: Self.self))
    }
}

/// The receiver of a callback: the state, and the sink that the caller of the source has lent.
struct YajlCall<Sink: TokenSink & ~Copyable> {
    fileprivate let state: UnsafeMutablePointer<YajlState>
    fileprivate let sink: UnsafeMutablePointer<Sink>

    @inline(__always) func null() -> Int32 { state.pointee.null(&sink.pointee) }
    @inline(__always) func bool(_ value: Int32) -> Int32 { state.pointee.bool(value != 0, &sink.pointee) }
    @inline(__always) func number(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        state.pointee.number(bytes.unsafelyUnwrapped, count, &sink.pointee)
    }
    @inline(__always) func string(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        state.pointee.string(bytes.unsafelyUnwrapped, count, &sink.pointee)
    }
    @inline(__always) func key(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        state.pointee.key(bytes.unsafelyUnwrapped, count, &sink.pointee)
    }
    @inline(__always) func startObject() -> Int32 { state.pointee.startObject(&sink.pointee) }
    @inline(__always) func endObject() -> Int32 { state.pointee.endObject(&sink.pointee) }
    @inline(__always) func startArray() -> Int32 { state.pointee.startArray(&sink.pointee) }
    @inline(__always) func endArray() -> Int32 { state.pointee.endArray(&sink.pointee) }
}

extension AnySink: YajlSink {
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
