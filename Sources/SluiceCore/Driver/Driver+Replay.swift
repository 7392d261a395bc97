// Replay
//
// Some values can be read only when more of the input is known: an enum whose tag comes late, an untagged enum, a value
// that a hook is to see first, a value that is wanted whole and in parts, JSON in a string. The source records such a
// value and hands it to the driver. The driver asks for a replay, and `Replay` gives it the recorded tokens.
//
// Replays nest: a recorded value may hold values that are recorded. Each is an entry of `ReplayState.open`, which knows
// the frame on top when the replay began. Frames above that frame belong to the replay.

/// The purpose of a recording.
enum RecordingPurpose {
    /// A `JSONRaw`.
    case raw
    /// A field whose value a hook is to see, or that is wanted whole and in parts.
    case field
    /// An enum that may be any value.
    case union
    /// The rest of an enum's object, up to the tag and beyond.
    case members
    /// A model with flattened enums.
    case composite
}

/// The purpose of a replay.
enum ReplayPurpose {
    /// The current value.
    case value
    /// A field's value as a whole, the parts of which are wanted too.
    case whole(WholeField)
    /// The parts of a value that has been read as a whole.
    case part
    /// A field of the innermost model, which is complete but for such fields: a flattened enum, or a missing field that a hook
    /// gave a value for.
    case lateField
    /// A model with flattened enums, which read the same object again.
    case composite(Recording)
    /// The rest of an enum's object.
    case members
    /// The value as the payload of one case of an untagged enum.
    case attempt(Attempt)
}

/// A field that is wanted whole and in parts.
struct WholeField {
    let entry: UnsafePointer<KeyEntry>
    /// The index, where the field is an element of an array on a path.
    let position: Int
    let recording: Recording
}

/// A replay that has begun and not ended.
struct OpenReplay {
    /// The index of the frame on top when the replay began.
    let base: Int
    /// Where the source of the recording stands: behind a value, or at the bracket that closes the innermost model.
    let site: FailureSite
    var purpose: ReplayPurpose
}

/// The replays of a driver.
final class ReplayState {
    var open: [OpenReplay] = []
    /// The replay that the last answer asked for.
    var request: ReplayRequest?
    /// The issues found in attempts that have not succeeded yet.
    var held: [PendingIssue] = []
    var outcomes: [AttemptKey: AttemptOutcome] = [:]

    /// Whether the outcome of an attempt is open.
    var isAttempting: Bool {
        open.contains { if case .attempt = $0.purpose { true } else { false } }
    }
}

extension Driver {
    var replayDepth: Int { replays?.open.count ?? 0 }

    mutating func takeReplay() -> ReplayRequest? {
        guard let replays, let request = replays.request else { return nil }
        replays.request = nil
        return request
    }

    mutating func replayState() -> ReplayState {
        if let replays { return replays }
        let made = ReplayState()
        replays = made
        return made
    }

    /// Asks for a replay.
    ///
    /// - Parameters:
    ///   - base: the index of the frame that holds the replayed value; the innermost by default.
    ///   - site: where the source of the recording stands.
    mutating func replay(
        _ input: ReplayRequest, as purpose: ReplayPurpose, base: Int? = nil, at site: FailureSite = .value
    ) -> TokenAction {
        let state = replayState()
        guard state.open.count < options.limits.depth + 4 else { return failWrapping(at: site) }
        state.open.append(OpenReplay(base: base ?? index(of: top), site: site, purpose: purpose))
        state.request = input
        return .attend
    }

    /// Leaves the innermost replays, so that `count` stay open.
    ///
    /// - Returns: the outermost replay that was left.
    mutating func leaveReplays(downTo count: Int) -> OpenReplay? {
        guard let replays, replays.open.count > count else { return nil }
        let left = replays.open[count]
        replays.open.removeSubrange(count...)
        replays.request = nil
        return left
    }

    mutating func endReplay() -> TokenAction {
        guard let ended = replays?.open.popLast() else { return .proceed }
        switch ended.purpose {
        case .whole(let field): return replayParts(of: field)
        case .lateField: return endSpecial(top.pointee.table.unsafelyUnwrapped)
        case .value, .part, .members, .attempt, .composite: return .proceed
        }
    }

    mutating func refuseReplay(_ kind: JSONIssue.Kind) -> TokenAction {
        var failure = Failure(kind, at: .value)
        failure.isOfReplayedText = true
        return handle(failure)
    }

    // MARK: Recorded values

    mutating func recorded(_ value: RecordedBytes) -> TokenAction {
        isCapturing = false
        switch recordingPurpose {
        case .raw:
            kind = .raw
            target.initializeMemory(as: JSONRaw.self, to: JSONRaw(unchecked: value.bytes))
            shape.injectTag(target)
            return completed()
        case .field: return fieldRecorded(value.recording)
        case .union: return unionRecorded(value.recording)
        case .members: return membersRecorded(value.recording)
        case .composite:
            kind = .model
            let recording = value.recording
            return replay(.recording(recording), as: .composite(recording))
        }
    }

    /// The value of a field whose hook is to see the value, or that is wanted whole and in parts.
    private mutating func fieldRecorded(_ recording: Recording) -> TokenAction {
        let entry = top.pointee.entry.unsafelyUnwrapped
        aimAtValue(of: entry)
        var purpose = ReplayPurpose.value
        if entry.pointee.child != nil {
            purpose = .whole(WholeField(entry: entry, position: top.pointee.position, recording: recording))
        }
        guard let hook = fieldInfo?.hook else { return replay(.recording(recording), as: purpose) }
        guard let value = recording.value else { return failDeepValue(at: .value) }
        return ask(hook, value, entry) { driver, other in
            // The locations of an unchanged value are known.
            if let other {
                return driver.replay(other == value ? .recording(recording) : .value(other), as: purpose)
            }
            if case .whole(let field) = purpose { return driver.replayParts(of: field) }
            return driver.passed()
        }
    }

    /// Gives the value of a field to the field's hook, and goes on with the hook's answer.
    private mutating func ask(
        _ hook: (JSONValue?) throws -> JSONValue?, _ value: JSONValue, _ entry: UnsafePointer<KeyEntry>,
        _ goOn: (inout Driver, JSONValue?) -> TokenAction
    ) -> TokenAction {
        extras(of: top.pointee.owner).askedFields.insert(entry.pointee.field)
        let answer: JSONValue?
        do { answer = try hook(value) } catch { return fail(thrown: error, at: .value) }
        return goOn(&self, answer)
    }

    /// Reads the value of a field from JSON, after its hook has seen that.
    mutating func replayField(_ json: JSONValue, _ entry: UnsafePointer<KeyEntry>) -> TokenAction {
        if entry.pointee.isAbsorbed { aim(entry) } else { aimAtValue(of: entry) }
        guard !entry.pointee.isAbsorbed, let hook = fieldInfo?.hook else {
            return replay(.value(json), as: .value)
        }
        return ask(hook, json, entry) { driver, other in
            other.map { driver.replay(.value($0), as: .value) } ?? driver.passed()
        }
    }

    /// The next value is that of a field, whatever else the field's key leads to.
    private mutating func aimAtValue(of entry: UnsafePointer<KeyEntry>) {
        aim(entry)
        kind = shape.pointee.kind
    }

    /// A value has been read as a whole: the fields that are parts of the value follow.
    mutating func replayParts(of field: WholeField) -> TokenAction {
        if [.indexes, .every, .members].contains(top.pointee.form) {
            top.pointee.detail = .position(field.position)
        }
        top.pointee.entry = field.entry
        kind = .node
        target = top.pointee.base
        return replay(.recording(field.recording), as: .part)
    }

    /// Whether the value of an entry that has just been completed is read as a whole.
    func isReplayingWhole(of entry: UnsafePointer<KeyEntry>) -> Bool {
        openReplay { if case .whole(let field) = $0 { field.entry == entry } else { false } } != nil
    }

    /// Whether the parts of the current value of a frame are read.
    func isReplayingParts(at frame: UnsafeMutablePointer<DecodingFrame>) -> Bool {
        let base = index(of: frame)
        return replays?.open.contains { replay in
            if case .part = replay.purpose { replay.base == base } else { false }
        } ?? false
    }

    /// The position of the innermost open replay that began at the frame on top and has a certain purpose. Replays of values
    /// inside, which are complete, may still be open.
    func openReplay(where isMatch: (ReplayPurpose) -> Bool) -> Int? {
        guard let open = replays?.open else { return nil }
        let base = index(of: top)
        var position = open.count - 1
        while position >= 0, open[position].base >= base {
            if open[position].base == base, isMatch(open[position].purpose) { return position }
            position -= 1
        }
        return nil
    }

    // MARK: Hooks for missing values

    /// Asks the hooks for the missing fields of the innermost model, which is complete; nil where nothing is missing.
    mutating func askForMissing(_ plan: ResolvedPlan, _ table: UnsafePointer<KeyTable>) -> TokenAction? {
        let extras = extras(of: top)
        for (index, facts) in plan.fields.enumerated()
        where !isFilled(field: index) && !extras.askedFields.contains(index) {
            guard let hook = facts.hook, let entry = entry(of: index, in: table) else { continue }
            if let group = facts.group, !isThere(plan.groups[group]) { continue }
            extras.askedFields.insert(index)
            top.pointee.entry = entry
            let value: JSONValue?
            do { value = try hook(nil) } catch { return fail(thrown: error, at: .closingBracket) }
            guard let value else { continue }
            aimAtValue(of: entry)
            return replay(.value(value), as: .lateField, at: .closingBracket)
        }
        return nil
    }

    // MARK: Flattened enums

    /// Reads the next flattened enum of the innermost model, which is complete, from the recording of its object; nil where
    /// every one has been read.
    mutating func readFlattenedEnum(of plan: ResolvedPlan) -> TokenAction? {
        let extras = extras(of: top)
        for flattened in plan.flattenedEnums where extras.askedFields.insert(flattened.field).inserted {
            guard let recording = compositeRecording else { continue }
            let facts = plan.fields[flattened.field]
            let object = recording.object { plan.offers($0, to: flattened) }
            if facts.record?.pointee.isOptional == true, !flattened.isPresent(in: object.keys) { continue }
            aim(flattened.entry)
            return replay(.recording(object), as: .lateField, at: .closingBracket)
        }
        return nil
    }

    /// The recording of the innermost model's object.
    private var compositeRecording: Recording? {
        let base = index(of: top) - 1
        for open in (replays?.open ?? []).reversed() where open.base == base {
            if case .composite(let recording) = open.purpose { return recording }
        }
        return nil
    }

    /// The entry that fills a field, in a table or below.
    private func entry(of field: Int, in table: UnsafePointer<KeyTable>) -> UnsafePointer<KeyEntry>? {
        for index in 0..<table.pointee.count {
            let entry = table.pointee.entries + index
            if entry.pointee.field == field { return entry }
            if let child = entry.pointee.child, let found = self.entry(of: field, in: child) { return found }
        }
        return nil
    }
}
