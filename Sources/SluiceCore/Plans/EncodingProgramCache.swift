import Synchronization

/// The encoding programs of a plan: one in declared and one in sorted order. Each program is built when first needed and
/// lives as long as the plan.
///
/// Atomics instead of a lock, because every model reads them. A thread that loses the race discards its program.
final class EncodingProgramCache: Sendable {
    private final class Made: Sendable {
        let plan: EncodingProgram
        init(_ plan: EncodingProgram) { self.plan = plan }
    }

    private let declared = Atomic<Unmanaged<Made>?>(nil)
    private let sorted = Atomic<Unmanaged<Made>?>(nil)
    /// The programs of payloads whose tag is also a property, which the tag of the enum replaces.
    private let untagged = Lock<[Exclusion: Made]>([:])

    private struct Exclusion: Hashable {
        let keys: [String]
        let isSorted: Bool
    }

    deinit {
        declared.load(ordering: .acquiring)?.release()
        sorted.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    func steps(of plan: ResolvedPlan, isSorted: Bool) -> UnsafePointer<EncodingInstruction> {
        if !isSorted, let made = declared.load(ordering: .acquiring) {
            return made._withUnsafeGuaranteedRef { $0.plan.steps }
        }
        return self.plan(of: plan, isSorted: isSorted).steps
    }

    /// Returns the instructions of a model without the values of some keys.
    func steps(of plan: ResolvedPlan, isSorted: Bool, without keys: [String]) -> UnsafePointer<EncodingInstruction>
    {
        let whole = self.plan(of: plan, isSorted: isSorted)
        let excluded = keys.filter { whole.keys.contains($0) }
        if excluded.isEmpty { return whole.steps }
        return untagged.withLock { known in
            let exclusion = Exclusion(keys: excluded, isSorted: isSorted)
            if let made = known[exclusion] { return made.plan.steps }
            var builder = EncodingProgramBuilder(plan, isSorted: isSorted, without: Set(excluded))
            let made = Made(builder.build())
            known[exclusion] = made
            return made.plan.steps
        }
    }

    func plan(of plan: ResolvedPlan, isSorted: Bool) -> EncodingProgram {
        if let made = (isSorted ? sorted.load(ordering: .acquiring) : declared.load(ordering: .acquiring)) {
            return made._withUnsafeGuaranteedRef { $0.plan }
        }
        var builder = EncodingProgramBuilder(plan, isSorted: isSorted)
        let made = Unmanaged.passRetained(Made(builder.build()))
        let (won, other) =
            isSorted
            ? sorted.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
            : declared.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !won, let other else { return made._withUnsafeGuaranteedRef { $0.plan } }
        made.release()
        return other._withUnsafeGuaranteedRef { $0.plan }
    }
}
