import Synchronization

/// The two forms in which a plan's models are written, each made when it is first needed, and never freed before the
/// plan.
///
/// Atomics and not a lock: they are read for each model. Who comes second has its own thrown away.
final class WritingPlans: Sendable {
    private final class Made: Sendable {
        let plan: WritePlan
        init(_ plan: WritePlan) { self.plan = plan }
    }

    private let declared = Atomic<Unmanaged<Made>?>(nil)
    private let sorted = Atomic<Unmanaged<Made>?>(nil)

    deinit {
        declared.load(ordering: .acquiring)?.release()
        sorted.load(ordering: .acquiring)?.release()
    }

    @inline(__always)
    func steps(of plan: CompiledPlan, isSorted: Bool) -> UnsafePointer<WriteStep> {
        if !isSorted, let made = declared.load(ordering: .acquiring) {
            return made._withUnsafeGuaranteedRef { $0.plan.steps }
        }
        return self.plan(of: plan, isSorted: isSorted).steps
    }

    func plan(of plan: CompiledPlan, isSorted: Bool) -> WritePlan {
        if let made = (isSorted ? sorted.load(ordering: .acquiring) : declared.load(ordering: .acquiring)) {
            return made._withUnsafeGuaranteedRef { $0.plan }
        }
        var builder = WritePlanBuilder(plan, isSorted: isSorted)
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
