/// The state of a decode that few tokens touch: options, recordings, issues, the receiver of elements and the end of the input.
///
/// Stored in the driver, without memory of its own: a small call would pay for an object. What few inputs need is created on first use.
struct DecodingSession: ~Copyable {
    private let sharedOptions: Unmanaged<DecodingOptions.Shared>
    let rejectsDuplicates: Bool
    /// Whether the parse stops when all requested values are present.
    var stopsEarly: Bool
    var recorder = Recorder()
    var issues = IssueQueue()
    /// The receiver of the elements of a stream.
    var elements: ElementReceiver
    /// Finds the ranges of the elements of a stream; nil if they are not requested.
    var locator: ElementRanges?
    /// The offset of the container whose first case has failed, and which the source records.
    var recordingStart: Int?
    /// Whether containers are examined before their tokens. False while the current container is not that of the current token.
    var looksAhead: Bool
    /// The number of values that were last added to a container one by one. The next container has room for as many.
    var additionCount = 0
    /// A field that was missing when a parse that stops early last looked for one. Any number is right.
    var awaitedField = 64
    /// Whether the input ended early and the open containers are being closed.
    private(set) var isEnding = false
    /// Whether the root value is complete.
    private(set) var isComplete = false
    private let addressOnly = AddressOnly()

    /// - Parameter options: The options, which the caller keeps alive. The session does not retain them, because threads that share a
    ///   decoder would then update the same reference count.
    @inline(__always)
    init(_ options: Unmanaged<DecodingOptions.Shared>, _ elements: ElementReceiver) {
        self.elements = elements
        (rejectsDuplicates, stopsEarly, looksAhead) = options._withUnsafeGuaranteedRef {
            ($0.value.duplicateKeys == .reject, $0.value.stopsEarly, $0.value.looksAhead)
        }
        sharedOptions = options
    }

    // The options one by one: a copy of all of them updates a dozen reference counts.
    var limits: JSONLimits { sharedOptions._withUnsafeGuaranteedRef { $0.value.limits } }

    /// Whether a failed attempt leaves no trace: issues are neither reported nor collected.
    var mayAttempt: Bool { !isReporting && collectedLimit == nil }

    var issueHandler: (@Sendable (JSONIssue) -> Void)? {
        sharedOptions._withUnsafeGuaranteedRef { $0.value.issueHandler }
    }

    /// Whether issues that the driver recovers from are reported.
    var isReporting: Bool { sharedOptions._withUnsafeGuaranteedRef { $0.value.issueHandler != nil } }

    var collectedLimit: Int? { sharedOptions._withUnsafeGuaranteedRef { $0.value.collectedLimit } }

    var isPartial: Bool { sharedOptions._withUnsafeGuaranteedRef { $0.value.isPartial } }

    var fragment: FragmentLocation? { sharedOptions._withUnsafeGuaranteedRef { $0.value.fragment } }

    var planCache: PlanCache { sharedOptions._withUnsafeGuaranteedRef { $0.value.planCache } }

    var coercion: JSONCoercion { sharedOptions._withUnsafeGuaranteedRef { $0.value.coercion } }

    /// Whether the decoder allows no conversions.
    var isStrict: Bool { sharedOptions._withUnsafeGuaranteedRef { $0.value.coercion == .strict } }

    /// Returns the options for a conversion.
    ///
    /// - Parameter fragment: The location of the converted value, if the value is decoded later.
    func options(at fragment: FragmentLocation?) -> DecodingOptions.Shared {
        let options = sharedOptions.takeUnretainedValue()
        guard let fragment else { return options }
        return options.located(at: fragment)
    }

    /// Calls a closure that may call a hook or a transform, which then finds the user info.
    func withUserInfo<R>(_ body: () throws -> R) rethrows -> R {
        if sharedOptions._withUnsafeGuaranteedRef({ $0.value.userInfo.isEmpty }) { return try body() }
        let values = sharedOptions._withUnsafeGuaranteedRef { $0.value.userInfo }
        return try JSONUserInfo.$current.withValue(values, operation: body)
    }

    /// Whether another value can be made: the last one is complete, and no other state is left.
    var isReusable: Bool {
        isComplete && !elements.isStream && recorder.isUnused && issues.isUnused && !isEnding
    }

    /// Begins another value.
    @inline(__always)
    mutating func beginValue() { isComplete = false }

    /// Begins to close the open containers, after the input ended early.
    mutating func beginEnding() { isEnding = true }

    /// Completes the root value.
    mutating func completeRoot() { isComplete = true }

    /// Copies the state of another session between two chunks.
    mutating func continueState(of other: borrowing DecodingSession) {
        recorder.continueState(of: other.recorder)
        isComplete = other.isComplete
    }
}
