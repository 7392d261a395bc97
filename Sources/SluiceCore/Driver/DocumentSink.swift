#if YAJL
import CYajl
#endif

/// A sink whose value can be read before the end of the document.
protocol DocumentSink: ResultSink, ~Copyable {
    /// Whether the sink also makes an envelope.
    static var hasEnvelope: Bool { get }
    /// Whether the value is complete.
    var hasResult: Bool { get }
    /// Calls a closure with the driver of the value, or of the envelope.
    ///
    /// - Parameters:
    ///   - token: The token that is not complete.
    ///   - body: A closure that receives the driver, and the token if it belongs to the driver's value.
    func read<Result>(
        envelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result
    /// Calls a closure that changes the driver of the value or of the elements, or of the envelope.
    mutating func change<Result>(envelope: Bool, _ body: (inout Driver) -> Result) -> Result
}

extension DocumentSink where Self: ~Copyable {
    /// Whether the innermost open container is the array of the elements of a stream.
    var isBetweenElements: Bool {
        read(envelope: false, .none) { driver, _ in driver.isBetweenElements }
            && read(envelope: true, .none) { driver, _ in !driver.isRecording && driver.replayDepth == 0 }
    }

    mutating func takeResult() -> Bool { change(envelope: false) { $0.takeResult() } }

    /// Hands the envelope to the caller, if it is complete. Returns whether it is.
    mutating func takeEnvelope() -> Bool { Self.hasEnvelope && change(envelope: true) { $0.takeResult() } }
}

extension Driver: DocumentSink {
    @inline(__always)
    var isSkipping: Bool { if case .skip = disposition { true } else { false } }

    @inline(__always)
    mutating func skipped() -> TokenAction { skipDepth == 0 ? endWithoutValue() : .proceed }

    // The keys of an ignored object are not those of the frame on top.
    func issue(_ kind: JSONIssue.Kind, isAtKey: Bool) -> JSONIssue {
        issue(kind, atValue: !isAtKey || skipDepth > 0)
    }

    var isInIgnoredContainer: Bool { skipDepth > 0 }

    static var hasEnvelope: Bool { false }

    func read<Result>(
        envelope: Bool, _ token: OpenToken, _ body: (borrowing Driver, OpenToken) -> Result
    ) -> Result {
        body(self, token)
    }

    mutating func change<Result>(envelope: Bool, _ body: (inout Driver) -> Result) -> Result { body(&self) }
}

#if YAJL
extension Driver: YajlSink {
    // Declared in a library file, because closures in `main.swift` are isolated to the main actor, which each call checks.
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
