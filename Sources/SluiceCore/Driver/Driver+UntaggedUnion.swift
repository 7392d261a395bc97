// Untagged enums: the cases are tried in order, the fallback last, and the first case that fits the value is used.
//
// The value is recorded, and each attempt is a replay. Untagged enums nest. The outcome for a value is remembered while an
// enclosing attempt is open, so that the next enclosing attempt does not try the cases again. Issues found in an attempt
// are held until the outermost attempt succeeds.

/// The attempt to read a value as the payload of one case.
struct Attempt {
    let recording: Recording
    let key: AttemptKey
    /// The position of the case in the order in which the cases are tried.
    var position = 0
    /// The reasons why the previous cases failed.
    var reasons: [String] = []
    /// The number of issues held before this attempt.
    let heldCount: Int
    /// The slot of the enum.
    let slot: ValueSlot
}

/// A recorded value and the enum type that reads the value.
struct AttemptKey: Hashable {
    let start: Recording.Start
    let union: ObjectIdentifier
}

/// The outcome of all attempts for a value.
enum AttemptOutcome {
    case value(RememberedValue, issues: [PendingIssue])
    case failure(JSONIssue.Kind)
}

/// A copy of an enum made by an attempt.
final class RememberedValue {
    private let memory: UnsafeMutableRawPointer
    private let union: DeclaredUnion

    init(_ slot: ValueSlot, _ union: DeclaredUnion) {
        self.union = union
        memory = .allocate(byteCount: max(union.size, 1), alignment: max(union.alignment, 16))
        union.copy(slot.address, memory)
    }

    func copy(to slot: ValueSlot) {
        union.copy(memory, slot.address)
        slot.markPresent()
    }

    deinit {
        union.destroy(memory)
        memory.deallocate()
    }
}

extension Driver {
    mutating func tryCases(of recording: Recording, _ union: ResolvedUnion) -> TokenAction {
        let state = replayState()
        let key = AttemptKey(start: recording.start, union: ObjectIdentifier(union))
        if state.isAttempting {
            switch state.outcomes[key] {
            case .value(let value, let issues):
                value.copy(to: slot)
                state.held += issues
                return completed()
            case .failure(let kind): return fail(kind, in: recording)
            case nil: break
            }
            let isOpen = state.open.contains {
                if case .attempt(let open) = $0.purpose { open.key == key } else { false }
            }
            if isOpen { return fail(noCase(["the case holds the enum itself"]), in: recording) }
        }
        return begin(
            Attempt(recording: recording, key: key, heldCount: state.held.count, slot: slot), union)
    }

    private func noCase(_ reasons: [String]) -> JSONIssue.Kind {
        let expected = "one of the cases of \(slot.layout.typeName)"
        return .invalidValue(expected: expected, reason: reasons.joined(separator: "; "))
    }

    /// Begins an attempt with the next case that has a payload, unless a case without a payload fits before.
    private mutating func begin(_ attempt: Attempt, _ union: ResolvedUnion) -> TokenAction {
        var attempt = attempt
        let name = attempt.recording.string
        while attempt.position < union.order.count {
            let index = union.order[attempt.position]
            if union.cases[index].layout != nil {
                guard wrapPayload(index, union) else { return failWrapping(at: .value) }
                return replay(.recording(attempt.recording), as: .attempt(attempt), base: self.index(of: top) - 1)
            }
            if index == union.fallback || name.map({ union.find($0) == index }) ?? false {
                if let replays, !replays.isAttempting { replays.outcomes = [:] }
                return completeUnion(index, union)
            }
            attempt.position += 1
        }
        return failAttempts(attempt)
    }

    /// Fails a value that fits no case.
    private mutating func failAttempts(_ attempt: Attempt) -> TokenAction {
        let kind = noCase(attempt.reasons)
        if let replays {
            if replays.isAttempting {
                replays.outcomes[attempt.key] = .failure(kind)
            } else {
                replays.outcomes = [:]
            }
        }
        return fail(kind, in: attempt.recording)
    }

    /// Tries the next case after the innermost attempt failed.
    mutating func tryNextCase(after failure: Failure, at point: RecoveryPoint) -> TokenAction {
        guard let replays, case .attempt(var attempt) = replays.open[point.replays].purpose else { return .stop }
        _ = leaveReplays(downTo: point.replays)
        unwind(to: point.frame)
        skipDepth = 0
        (disposition, slot) = (.store(.union), attempt.slot)
        replays.held.removeSubrange(attempt.heldCount...)
        let union = slot.layout.union!
        let tried = union.cases[union.order[attempt.position]]
        attempt.reasons.append("\(tried.declared.name): \(Self.reason(of: failure))")
        attempt.position += 1
        let action = begin(attempt, union)
        // The replay has been left in any case.
        return action == .proceed ? .handlePending : action
    }

    /// Returns the reason for a failed attempt. Reasons nest like the enums, so each is truncated.
    private static func reason(of failure: Failure) -> String {
        let reason = failure.underlying.map { "\($0)" } ?? failure.kind.message
        let longest = 160
        return reason.utf8.count > longest ? "\(reason.prefix(longest))…" : reason
    }

    /// Ends the innermost attempt, whose payload is complete and whose frame was popped.
    ///
    /// - Parameter union: The enum, or nil if no value was made.
    mutating func finishAttempt(of union: ResolvedUnion?) {
        let position = openReplay { if case .attempt = $0 { true } else { false } }
        guard let replays, let position, case .attempt(let attempt) = replays.open[position].purpose else { return }
        replays.open[position].purpose = .value
        if replays.isAttempting {
            guard let union else { return }
            replays.outcomes[attempt.key] = .value(
                RememberedValue(slot, union.declared), issues: Array(replays.held[attempt.heldCount...]))
            return
        }
        let held = replays.held
        (replays.held, replays.outcomes) = ([], [:])
        for pending in held { _ = deliver(pending) }
    }
}
