// Recovery from failures.
//
// A failure normally ends the parse. The driver can recover from a failure in five ways:
//   - a lossy container drops the failing element,
//   - a field with a default for mismatches gets the default; by the rules of MJExtension, an optional field or one with a
//     default stays unchanged,
//   - a field with a better candidate waits for that candidate until the end of the model,
//     each also if an object or array on the field's path has another type,
//   - an untagged enum tries its next case, or is read again if the first one was tried before the value was recorded,
//   - the error policy `.collect` records the issue and continues without the enclosing models.
// Recovery destroys unfinished values, then ignores the rest of the failing value. The source of a recorded value has
// already read the whole value: a failure that leaves a replay ignores nothing of the recorded value.

/// The frame that recovers from a failure.
struct RecoveryPoint {
    let frame: FrameReference
    let recovery: Recovery
    /// The number of replays that stay open.
    let replays: Int
    /// The fields that continue without the failing value.
    var fields: [FailedField] = []
}

/// A field that continues without its value.
struct FailedField {
    enum Recovery {
        /// Uses the field's default, or treats the key as missing.
        case useDefault
        /// Defers the failure to the end of the model: a better candidate may fill the field.
        case awaitCandidate
        /// Adds no value to the field's container.
        case drop
    }

    let entry: EntryReference
    let recovery: Recovery
}

extension Driver {
    /// Recovers from a failure, or stops the parse.
    @inline(never)
    mutating func handle(_ failure: Failure) -> TokenAction {
        var failure = failure
        while let point = innermostRecovery(from: failure) {
            if point.recovery == .readAgain {
                return point.frame.isNestedText ? .stop : readAgain(point, after: failure)
            }
            guard point.recovery == .tryNextCase else { return recover(from: failure, by: point) }
            switch tryNextCase(after: failure, at: point) {
            case .requested: return .handlePending
            case .fits(let index, let recording):
                if let thrown = makeUnion(index, slot.layout.union!, in: recording) {
                    failure = thrown
                    continue
                }
                let action = completed()
                // The replay has been left in any case.
                return action == .proceed ? .handlePending : action
            case .failed(let next): failure = next
            }
        }
        announce(failure, .stop)
        return .stop
    }

    private mutating func recover(from failure: Failure, by point: RecoveryPoint) -> TokenAction {
        switch point.recovery {
        // The caller tries the next case.
        case .tryNextCase, .readAgain: break
        case .recordIssue:
            announce(failure, .record)
            session.elements.fail()
            if session.isEnding { markMissing(point.frame) } else { markFailed(point.frame) }
        case .dropElement:
            if session.isReporting { announce(failure, .report) }
        case .leaveFields:
            for case let field in point.fields where field.recovery == .awaitCandidate {
                announce(failure, .defer(Candidate(field: field.entry.field, rank: field.entry.rank)))
            }
            if session.isReporting, point.fields.contains(where: { $0.recovery != .awaitCandidate }) {
                announce(failure, .report)
            }
        }
        return recover(from: failure, at: point)
    }

    /// Makes the issue of a failure. The source adds the location.
    func announcement(_ failure: Failure, _ handling: PendingIssue.Handling) -> PendingIssue {
        if var pending = failure.deferred {
            pending.handling = handling
            return pending
        }
        var pending = PendingIssue(issue: issue(of: failure), handling: handling)
        if let recording = failure.recording {
            pending.issue = recording.located(pending.issue)
            pending.isLocated = true
        }
        if let part = failure.part {
            pending.issue = part.located(pending.issue)
            pending.isLocated = true
            pending.token = part
        }
        return pending
    }

    mutating func announce(_ failure: Failure, _ handling: PendingIssue.Handling) {
        session.issues.announce(announcement(failure, handling))
    }

    mutating func takeIssues() -> [PendingIssue] { session.issues.takePending() }

    var collectedIssues: [JSONIssue] { session.issues.collected }

    mutating func deliver(_ pending: PendingIssue) -> Bool {
        if case .defer = pending.handling {
            top.owner.makeUncommonState().deferred.append(pending)
            return true
        }
        if session.recorder.isAttempting {
            session.issues.hold(pending)
            return true
        }
        switch pending.handling {
        case .stop, .defer: return false
        case .report:
            session.issueHandler?(pending.issue)
            return true
        case .record:
            let isOfElement = session.elements.receive(pending.issue)
            if isOfElement == true { return true }
            session.issues.collect(pending.issue)
            return isOfElement == nil && session.issues.collected.count < session.collectedLimit ?? 0
        }
    }

    // MARK: The search

    /// Returns the innermost frame that can recover from a failure, from the failing value outward.
    private func innermostRecovery(from failure: Failure) -> RecoveryPoint? {
        // A smaller result would depend on the thread.
        if failure.issue.isOfStack { return nil }
        var frame = firstFrame(for: failure)
        var open = replayDepth
        var fallback: RecoveryPoint?
        // The members after a rejected key may be valid.
        if frame < top, failure.site == .key {
            fallback = RecoveryPoint(frame: top, recovery: .recordIssue, replays: open)
        }
        while true {
            var isClosed = false
            var isPart = false
            // Leave the replays that began at this frame.
            while open > 0, case let replay = session.recorder.open[open - 1], openFrame(at: replay.base) >= frame {
                switch replay.purpose {
                // Without its frame, the attempt has already succeeded.
                case .attempt where openFrame(at: replay.base) < top:
                    return RecoveryPoint(
                        frame: openFrame(at: replay.base), recovery: .tryNextCase, replays: open - 1)
                case .part: isPart = isPart || openFrame(at: replay.base) == frame
                case .lateField: isClosed = isClosed || openFrame(at: replay.base) == frame
                case .attempt, .value, .text, .buffered, .members, .composite: break
                }
                open -= 1
            }
            if frame.recordingStart != nil && !isFinal(failure, at: frame) || frame.isNestedText {
                return RecoveryPoint(frame: frame, recovery: .readAgain, replays: open)
            }
            if !isClosed {
                if let fields = failedFields(at: frame, from: failure, isDirect: frame == top, isPart: isPart) {
                    return RecoveryPoint(frame: frame, recovery: .leaveFields, replays: open, fields: fields)
                }
                if !frame.isNode, frame.isContainer, frame.form != .union, frame.layout.isLossy {
                    return RecoveryPoint(frame: frame, recovery: .dropElement, replays: open)
                }
                if fallback == nil, frame.form != .converted {
                    fallback = RecoveryPoint(frame: frame, recovery: .recordIssue, replays: open)
                }
            }
            if frame == root { break }
            frame = frame.below
        }
        return session.collectedLimit == nil ? nil : fallback
    }

    /// Whether a model with a flattened enum would fail in the same way if its object were read again: the code of the client, which threw
    /// an error, is not called again.
    private func isFinal(_ failure: Failure, at frame: FrameReference) -> Bool {
        guard case .thrown = failure.kind, let field = frame.entry?.field, let joined = frame.table?.joined else {
            return false
        }
        // A recording has the members of the enum after those of the model, of which one may fail.
        return field < joined.modelTable.fields.count
    }

    /// Returns the frame that holds the failing value.
    private func firstFrame(for failure: Failure) -> FrameReference {
        if failure.isOfReplayedText, let replay = session.recorder.open.last { return openFrame(at: replay.base) }
        switch failure.site {
        case .value, .openingBracket: return top
        case .closingBracket: return top.below
        // A rejected key is a failure of the object, but in a dictionary it is a failure of the member.
        case .key: return top.form == .pairs ? top : top.below
        }
    }

    /// Returns the fields that the current value of a frame would fill, if each of them continues without the value; nil if one fails.
    ///
    /// - Parameters:
    ///   - isDirect: Whether the value itself has failed, and not a part of the value.
    ///   - isPart: Whether the value has filled its own field before, and fills the fields that are parts of the value.
    private func failedFields(
        at frame: FrameReference, from failure: Failure, isDirect: Bool, isPart: Bool
    ) -> [FailedField]? {
        // The path of a call has no fields.
        guard frame.isNode, let entry = frame.entry, let fields = frame.owner.table?.fields, !fields.isEmpty else {
            return nil
        }
        func field(_ entry: EntryReference, isNull: Bool) -> FailedField? {
            let recovery =
                fields.indices.contains(entry.field)
                ? recovery(of: fields[entry.field], entry, at: frame, isNull: isNull) : nil
            return recovery.map { FailedField(entry: entry, recovery: $0) }
        }
        if !isPart, entry.child == nil || entry.field >= 0 {
            if case .nullValue = failure.kind, isDirect { return field(entry, isNull: true).map { [$0] } }
            return field(entry, isNull: false).map { [$0] }
        }
        let entries = leaves(below: entry)
        let failed = entries.compactMap { field($0, isNull: false) }
        guard failed.count == entries.count, !failed.isEmpty else { return nil }
        if failed.allSatisfy({ $0.recovery == .drop }) { return failed }
        // Only an object or array of another type is a mismatch of the fields below.
        guard isDirect, case .typeMismatch = failure.kind else { return nil }
        return failed
    }

    /// Returns how a field continues without its value; nil if the field fails.
    private func recovery(
        of info: FieldInfo, _ entry: EntryReference, at frame: FrameReference, isNull: Bool
    ) -> FailedField.Recovery? {
        if info.collects || info.isExtra { return info.declared.isLossy ? .drop : nil }
        if isNull { return nil }
        if usesDefault(info) { return .useDefault }
        return entry.isRanked && entry.rank > 0 ? .awaitCandidate : nil
    }

    /// Whether a field gets its default, or stays as it is, if its value fails.
    private func usesDefault(_ info: FieldInfo) -> Bool {
        if info.defaultsOnMismatch { return true }
        let mayStay = info.defaultsWhenMissing || info.layout?.isOptional == true
        return mayStay && (info.coercion ?? session.coercion).keepsOnMismatch
    }

    /// Whether the field of the current value gets its default, or stays as it is, if the value fails at an early end.
    func usesDefaultAfterFailure(at frame: FrameReference) -> Bool {
        guard frame.isNode, let info = frame.fieldInfo, !info.collects, !info.isExtra else { return false }
        return usesDefault(info) || frame.entry.map { $0.isRanked && $0.rank > 0 } == true
    }

    /// The entries of the fields below an object or array on a path, which may have any length.
    func leaves(below entry: EntryReference) -> [EntryReference] {
        var (leaves, next): ([EntryReference], [EntryReference]) = ([], [])
        if let table = entry.child { next += table.allEntries.reversed() }
        while let entry = next.popLast() {
            if entry.field >= 0 { leaves.append(entry) }
            if let table = entry.child { next += table.allEntries.reversed() }
        }
        return leaves
    }

    // MARK: Recovering

    /// Returns to a frame whose current value has failed.
    private mutating func recover(from failure: Failure, at point: RecoveryPoint) -> TokenAction {
        let frame = point.frame
        var isKey = failure.site == .key && frame == top
        let left = leaveValue(failedAt: failure.site, to: frame, replays: point.replays)
        if left != nil { isKey = false }
        disposition = .skip
        switch frame.form {
        case .array: frame.cursor = slot.address
        case .pairs: destroyPendingKey(of: frame)
        case .union where !failure.isOfUnknownKey: failUnion(frame)
        default: break
        }
        for field in point.fields where field.recovery != .drop {
            let entry = field.entry
            if entry != frame.entry {
                if hasRank(entry), isBeaten(Candidate(field: entry.field, rank: entry.rank)) { continue }
                // The last of repeated keys on a path wins.
                if isFilled(entry) { destroyValue(entry) }
            }
            field.recovery == .useDefault ? useDefault(of: entry) : leaveUnset(entry)
        }
        if let left, case .buffered(let field) = left.purpose, openFrame(at: left.base) == frame {
            return replayParts(of: field)
        }
        // The value of a rejected key has not arrived yet.
        if skipDepth == 0, !isKey { _ = endWithoutValue() }
        return .handlePending
    }

    /// Destroys a failed value, and ignores its containers that the source has begun and not ended.
    ///
    /// - Returns: The outermost replay that was left.
    mutating func leaveValue(
        failedAt site: FailureSite, to frame: FrameReference, replays count: Int
    ) -> Recorder.ReplayStack.Entry? {
        let left = session.recorder.leave(downTo: count)
        skipDepth = openContainers(above: frame, upTo: left.map { min(openFrame(at: $0.base), top) } ?? top)
        switch left?.site ?? site {
        case .openingBracket: skipDepth += 1
        case .closingBracket: skipDepth -= 1
        case .value, .key: break
        }
        unwind(to: frame)
        return left
    }

    /// Whether a scalar that fails is an element of a lossy array, and nobody receives its issue.
    var dropsSilently: Bool {
        top.form == .array && top.layout.isLossy && replayDepth == 0 && !session.isReporting
    }

    /// Drops the failed scalar from the array on top, as `recover(from:at:)` does.
    mutating func dropScalar() -> TokenAction {
        top.cursor = slot.address
        countDropped(top)
        resumeElements()
        return .proceed
    }

    /// Returns the number of open containers above a frame.
    mutating func openContainers(above frame: FrameReference, upTo last: FrameReference) -> Int {
        frames(above: frame).count { $0 <= last && $0.isContainer }
    }

    private mutating func useDefault(of entry: EntryReference) {
        guard let info = top.owner.table?.fields[entry.field], !isFilled(entry) else { return }
        if info.defaultsOnMismatch {
            info.makeDefault?(top.base + info.offset)
            setField(entry)
            return
        }
        leaveUnset(entry)
        guard session.rejectsDuplicates, !entry.isRanked, info.group == nil else { return }
        // The presence bit finds a duplicate key.
        if info.defaultsWhenMissing { info.makeDefault?(top.base + info.offset) }
        setField(entry)
    }

    /// Leaves a field as if no value had arrived.
    private mutating func leaveUnset(_ entry: EntryReference) {
        if isFilled(entry) { destroyValue(entry) }
        // A value that failed partway has left bytes in the slot.
        currentSlot(of: entry).loadNil()
        // Worse candidates are not used, whether they come before or after this one.
        if entry.isRanked { setRank(entry) }
        // Null of a candidate that is not worse is the value, as if it came after this one.
        if let rank = top.owner.uncommonState?.nullRanks[entry.field], rank <= entry.rank,
            let values = entry.layout.shape.nullValues
        {
            values.makeNull(currentSlot(of: entry).address)
            setField(entry.field)
        }
    }

    // MARK: Candidates

    /// Removes the deferred issues of the innermost object. Returns those that apply, because no better candidate arrived.
    mutating func takeDeferred() -> [PendingIssue] {
        guard let state = top.uncommonState, !state.deferred.isEmpty else { return [] }
        defer { state.deferred = [] }
        return state.deferred.filter { $0.candidate.map { applies($0) } ?? true }
    }

    private func applies(_ candidate: Candidate) -> Bool {
        guard candidate.isNullInGroup else { return !isBeaten(candidate) }
        guard let plan = top.ownerPlan, let group = plan.fields[candidate.field].group else { return false }
        return isPresent(plan.groups[group]) && !isFilled(field: candidate.field)
    }

    /// Fails the innermost complete model for a failed candidate, unless a better one arrived.
    ///
    /// - Returns: nil if no candidate failed, or if the issues are recorded.
    mutating func failCandidates() -> TokenAction? { fail(takeDeferred()) }

    /// Fails the innermost complete object for deferred issues.
    ///
    /// - Returns: nil without issues, or if the issues are recorded.
    mutating func fail(_ deferred: [PendingIssue]) -> TokenAction? {
        guard let failure = deferred.first.map({ Failure(deferred: $0) }) else { return nil }
        guard let point = innermostRecovery(from: failure), point.recovery == .recordIssue else {
            return handle(failure)
        }
        let state = top.makeUncommonState()
        for var pending in deferred {
            if let candidate = pending.candidate { state.failedFields.insert(candidate.field) }
            pending.handling = .record
            session.issues.announce(pending)
        }
        state.hasFailed = true
        session.elements.fail()
        // Also a frame that has received all of its members: the object on top is discarded, and the ends of the others follow.
        let frame = top.enclosing
        if session.isEnding { markMissing(frame) } else { markFailed(frame) }
        return nil
    }

    // MARK: Recorded issues

    /// Marks the current value of a frame as failed, and every model and converted value around it.
    private func markFailed(_ frame: FrameReference) {
        for outer in frames(above: root) where outer <= frame {
            if outer.isNode || outer.form == .union || outer.payloadCase != nil || outer.needsCompleteValue {
                let state = outer.owner.makeUncommonState()
                // An object or array on a path represents each field below it.
                if let entry = outer.entry { state.failedFields.formUnion(fields(below: entry)) }
                state.hasFailed = true
            }
        }
    }

    func hasFailed(_ frame: FrameReference) -> Bool { frame.uncommonState?.hasFailed ?? false }

    func fields(below entry: EntryReference) -> [Int] {
        (entry.field >= 0 ? [entry.field] : []) + leaves(below: entry).map(\.field)
    }

    /// Destroys the innermost complete model, because one of its values failed. The slot for the model stays empty, and was
    /// already marked as failed.
    mutating func discard() -> TokenAction {
        let below = top.enclosing
        if session.isEnding { markMissing(below) }
        unwind(to: below)
        if below.form == .pairs { destroyPendingKey(of: below) }
        disposition = .skip
        return endWithoutValue()
    }

    // MARK: Conversions

    /// The conversions allowed for the current value.
    var coercion: JSONCoercion {
        mutating get {
            if session.recorder.isExact { return .strict }
            return Self.coercion(at: top, above: root) ?? session.coercion
        }
    }

    /// Returns the conversions that the model around a value declares; nil if the decoder decides.
    private static func coercion(at last: FrameReference, above root: FrameReference) -> JSONCoercion? {
        var frame = last
        while frame > root {
            // The field of a flattened model has the coercion of that model.
            if let info = frame.fieldInfo { return info.coercion }
            if let plan = frame.ownerPlan { return plan.erasedPlan.options.coercion }
            frame = frame.below
        }
        return nil
    }
}
