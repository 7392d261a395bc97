/// Sluice's own scanner: reads a window of the text and gives its tokens to a sink.
///
/// It knows the window at hand alone. A token is never split: where the window ends inside of one, the scanner
/// stops before it, and goes on there when more has come (see `ScannerSource`, which keeps the windows).
///
///     Scanner+Loop.swift      the grammar, token by token, in two modes: filling, and passing over
///     Scanner+Scalars.swift   strings with escapes, numbers
///     Scanner+Faults.swift    what goes wrong, and where
///
/// Invariant of all reads: from any place up to `near`, 64 bytes can be read; a token begins there or the scanner
/// stops. `last` is the last place from which 16 bytes can be read, which the loops over long tokens look at.
struct Scanner<Sink: TokenSink> {
    /// What is known of the place where the next token begins.
    typealias Expectation = GrammarState.Expectation

    var sink: Sink
    let limits: JSONLimits
    var text = LookbackBuffer()

    // Where it stands.
    var cursor: UnsafePointer<UInt8>
    var expectation = Expectation.value
    var depth = 0
    /// For each depth, whether the container that is open there is an object.
    let isObject: UnsafeMutablePointer<Bool>
    /// The depth outside of the container that is passed over, or −1.
    var skipBase = -1

    // The window.
    var end: UnsafePointer<UInt8>
    var near: UnsafePointer<UInt8>
    var last: UnsafePointer<UInt8>
    /// Whether nothing comes after the window.
    var isFinal = false
    /// Some place in the window, and its offset in the text.
    private var anchor: UnsafePointer<UInt8>
    private var anchorOffset = 0

    /// The recording of a value, and the answers to what the sink asks for.
    var capture: RawCapture
    /// Strings that had escapes.
    var unescaped = UnescapeBuffer()
    /// Why the parse ended, with its place.
    var issue: JSONIssue?
    /// The excerpt of the issue, where what follows belongs to it.
    var excerpt: Excerpt?
    var isStoppedBySink = false

    /// How many bytes behind `near` can be read.
    static var slack: Int { ScannerWindow.padding }

    init(_ sink: Sink, limits: JSONLimits) {
        self.sink = sink
        self.limits = limits
        capture = RawCapture(limits: limits)
        isObject = .allocate(capacity: limits.depth + 1)
        isObject.initialize(repeating: false, count: limits.depth + 1)
        cursor = text.chunk
        end = cursor
        near = cursor
        last = cursor
        anchor = cursor
    }

    /// Frees its own memory.
    mutating func free() {
        unescaped.free()
        isObject.deallocate()
    }

    /// Whether the root value is there.
    var isComplete: Bool { depth == 0 && expectation == .commaOrClose }

    var isStopped: Bool { issue != nil || isStoppedBySink }

    func offset(of place: UnsafePointer<UInt8>) -> Int { anchorOffset + (place - anchor) }

    /// Reads on in other memory.
    ///
    /// - Parameters:
    ///   - window: the text from the cursor on.
    ///   - padding: how many bytes behind it can be read, of which the first is zero; or 0.
    mutating func move(to window: UnsafeBufferPointer<UInt8>, at offset: Int, padding: Int) {
        cursor = window.baseAddress.unsafelyUnwrapped
        anchor = cursor
        anchorOffset = offset
        end = cursor + window.count
        near = end + (padding - Self.slack)
        last = end + (padding - 16)
    }

    /// Why `advance` has come back.
    enum Pause {
        /// The window ends, perhaps inside of the token at the cursor.
        case more
        /// The root value is complete.
        case complete
        /// There is an issue, or the sink has had enough.
        case stopped
        /// From here on, or up to here, is what nobody wants.
        case switched
    }

    /// Reads as far as the window goes.
    mutating func advance() -> Pause {
        while true {
            let pause = skipBase < 0 ? scan(Filling.self) : scan(PassingOver.self)
            if pause != .switched { return pause }
            if isComplete { return .complete }
        }
    }
}

/// Strings unescaped, until the sink has them.
struct UnescapeBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity = 256

    init() { start = .allocate(capacity: capacity) }

    func free() { start.deallocate() }

    /// Room for `count` bytes, and for a look at eight behind them. What was there goes.
    mutating func reserve(_ count: Int) {
        guard count + 8 > capacity else { return }
        start.deallocate()
        capacity = (count + 8) * 2
        start = .allocate(capacity: capacity)
    }
}
