/// The tape and token of a keyed container.
///
/// Invariant: the tape lives as long as the state is used: the call that encodes keeps the tape until it has ended, and
/// `owner` keeps the tape for containers that outlive the call.
final class KeyedState {
    private let unretainedTape: Unmanaged<EncodingTape>
    @exclusivity(unchecked) var token: UInt64
    /// The tape, for a container that clients may keep.
    var owner: EncodingTape?

    init(_ tape: EncodingTape, _ token: UInt64) {
        unretainedTape = .passUnretained(tape)
        self.token = token
    }

    /// Calls a closure with the tape, which is not retained.
    @inline(__always)
    func use<Result>(_ body: (EncodingTape, UInt64) throws -> Result) rethrows -> Result {
        try unretainedTape._withUnsafeGuaranteedRef { try body($0, token) }
    }
}
