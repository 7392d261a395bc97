/// Sluice's own scanner: reads a window of the input and sends its tokens to a sink.
///
/// The scanner knows only the current window. A token is never split: if the window ends inside a token, the scanner stops
/// before the token, and continues there when more bytes are available (see `ScannerSource`, which keeps the windows).
///
///     Scanner+Loop.swift      the grammar, token by token
///     Scanner+Ignored.swift   the same grammar, for containers that the sink ignores
///     Scanner+Scalars.swift   numbers
///     Scanner+Doubles.swift   arrays of doubles
///     Scanner+Escapes.swift   strings with escapes
///     Scanner+Faults.swift    errors and their locations
///
/// Invariant of all reads: from any position up to `safeEnd`, 64 bytes are readable; a token begins there or the scanner
/// stops. `vectorEnd` is the last position from which 16 bytes are readable. The loops over long tokens check `vectorEnd`.
struct Scanner: ~Copyable {
    /// The tokens allowed at the next position.
    typealias Expectation = GrammarState.Expectation

    let limits: JSONLimits
    var text: LookbackBuffer

    // The current position.
    var cursor: UnsafePointer<UInt8>
    var expectation = Expectation.value
    var depth = 0
    var containers: OpenContainers
    /// The depth outside the ignored container, or −1 if none is ignored.
    var skipBase = -1
    /// Whether the container that has begun has a loop of its own: it is recorded, or is an array of doubles.
    var isSwitched = false

    // The current window.
    var end: UnsafePointer<UInt8>
    var safeEnd: UnsafePointer<UInt8>
    var vectorEnd: UnsafePointer<UInt8>
    /// The positions at which plain numbers can be read.
    private(set) var plainNumbers: PlainNumberRange
    /// Whether the window is the last.
    var isFinal = false
    /// The start of the window, and its offset in the input.
    private(set) var windowStart: UnsafePointer<UInt8>
    private var windowOffset = 0

    /// The recording of a value, which also performs the sink's actions.
    var capture: RawCapture
    /// The buffer for strings with escapes.
    var unescaped: UnescapeBuffer
    /// The error that ended the parse.
    var rejection: Rejection?
    var isStoppedBySink = false

    /// The number of readable bytes after `safeEnd`.
    static var slack: Int { ScannerWindow.padding }

    /// - Parameter memory: Memory for the open containers and for strings with escapes, while the memory suffices.
    @inline(__always)
    init(limits: JSONLimits, in memory: Region, after origin: LineCount = LineCount()) {
        let half = memory.size / 2
        containers = OpenContainers(limit: limits.depth, in: Region(start: memory.start, size: half))
        unescaped = UnescapeBuffer(in: Region(start: memory.start + half, size: half))
        self.limits = limits
        capture = RawCapture(limits: limits)
        text = LookbackBuffer(after: origin)
        cursor = text.chunk
        end = cursor
        safeEnd = cursor
        vectorEnd = cursor
        windowStart = cursor
        plainNumbers = PlainNumberRange(from: cursor, to: cursor)
    }

    /// Whether the root value is complete.
    var isComplete: Bool { depth == 0 && expectation == .commaOrClose }

    var isStopped: Bool { rejection != nil || isStoppedBySink }

    func offset(of position: UnsafePointer<UInt8>) -> Int { windowOffset + (position - windowStart) }

    /// Continues in other memory.
    ///
    /// - Parameters:
    ///   - window: The input from the cursor on.
    ///   - padding: The number of readable bytes after the window, the first of which is zero; or 0.
    mutating func move(to window: UnsafeBufferPointer<UInt8>, at offset: Int, padding: Int) {
        cursor = window.baseAddress.unsafelyUnwrapped
        windowStart = cursor
        windowOffset = offset
        end = cursor + window.count
        safeEnd = end + (padding - Self.slack)
        vectorEnd = end + (padding - 16)
        // The limit need not be checked for plain numbers if it allows the longest one.
        plainNumbers = PlainNumberRange(
            from: windowStart, to: limits.number < PlainNumberRange.longest ? windowStart : end)
    }

    /// The reason why `advance` returned.
    enum Pause {
        /// The window ends, perhaps inside the token at the cursor.
        case more
        /// The root value is complete.
        case complete
        /// An issue was found, or the sink stopped the parse.
        case stopped
        /// An ignored value begins or ends at the cursor, or an array of doubles has begun.
        case switched
    }

    /// Reads to the end of the window.
    mutating func advance(_ sink: inout some TokenSink & ~Copyable) -> Pause {
        // An array of doubles may have begun in an earlier window.
        if skipBase < 0, depth > 0, expectation == .value, !readDoubles(&sink) { return .stopped }
        while true {
            if isComplete { return .complete }
            let pause = skipBase < 0 ? scan(&sink) : passOver(&sink)
            if pause != .switched { return pause }
            if isSwitched {
                isSwitched = false
                if !capture.isOn {
                    skipBase = -1
                    if !readDoubles(&sink) { return .stopped }
                }
            }
        }
    }
}
