// Replays of recorded values: see `Recorder`.

extension Driver {
    /// Whether the ignored value is recorded.
    var isRecording: Bool { session.recorder.isRecording }

    package var replayDepth: Int { session.recorder.depth }

    mutating func takeReplay() -> ReplayRequest? { session.recorder.takeRequest() }

    /// Requests a replay.
    ///
    /// - Parameters:
    ///   - base: The index of the frame that holds the replayed value. The innermost by default.
    ///   - site: The position of the recording's source.
    mutating func replay(
        _ input: ReplayRequest, as purpose: ReplayPurpose, base: Int? = nil, at site: FailureSite = .value
    ) -> TokenAction {
        requestReplay(input, as: purpose, base: base ?? index(of: top), at: site)
            ? .handlePending : failNesting(at: site)
    }

    /// Requests a replay. Returns false at the limit of nested replays.
    mutating func requestReplay(
        _ input: ReplayRequest, as purpose: ReplayPurpose, base: Int, at site: FailureSite = .value
    ) -> Bool {
        guard replayDepth < Self.maximumReplayCount(session.limits.depth) else { return false }
        session.recorder.begin(Recorder.ReplayStack.Entry(base: base, site: site, purpose: purpose), input)
        return true
    }

    /// The number of replays that may be open, which is greater than the values of one level can need: other limits apply first, and these
    /// do not depend on whether a value is recorded.
    private static func maximumReplayCount(_ depth: Int) -> Int {
        let (count, overflow) = depth.addingReportingOverflow(1)
        return overflow || count > Int.max / 8 ? .max : 8 * count
    }

    mutating func endReplay() -> TokenAction {
        guard let ended = session.recorder.endReplay() else { return .proceed }
        switch ended.purpose {
        case .buffered(let field): return replayParts(of: field)
        case .lateField: return endSpecial(top.keyTable)
        case .value, .text, .part, .members, .attempt, .composite: return .proceed
        }
    }

    mutating func rejectReplay(_ kind: JSONIssue.Kind) -> TokenAction {
        session.recorder.end()
        var failure = Failure(kind, at: .value)
        failure.isOfReplayedText = true
        return handle(failure)
    }

    // MARK: Recorded values

    mutating func recorded(_ value: RecordedValue) -> TokenAction {
        session.recorder.end()
        switch session.recorder.purpose {
        case .raw:
            disposition = .store(slot.layout.kind)
            if slot.layout.kind == .recording {
                slot.initializePayload(to: value.recording)
                return completed()
            }
            if top.form == .converted, top.layout.shape.keepsLocation { session.recorder.keep(value) }
            slot.initializePayload(to: JSONRaw(unchecked: value.bytes))
            return completed()
        case .field where top.form == .union: return noValueRecorded(value.recording)
        case .field: return fieldRecorded(value.recording)
        case .union: return unionRecorded(value.recording)
        case .members: return membersRecorded(value.recording)
        case .composite:
            disposition = .store(.model)
            let recording = onlyFirstTags(value.recording)
            return replay(.recording(recording), as: .composite(recording))
        }
    }

    /// Handles the recorded value of a field that has a hook or is read both whole and in parts.
    private mutating func fieldRecorded(_ recording: Recording) -> TokenAction {
        let entry = top.currentEntry
        targetValue(of: entry)
        var purpose = ReplayPurpose.value
        if entry.child != nil {
            purpose = .buffered(BufferedField(entry: entry, position: top.position, recording: recording))
        }
        guard let hook = top.fieldInfo?.hook else { return replay(.recording(recording), as: purpose) }
        guard let value = recording.value else {
            destroyReplaced(entry)
            return failDeepValue(at: .value)
        }
        return ask(hook, value, entry) { driver, other in
            // An unchanged value keeps its locations. Equal values may have canonically equivalent text.
            if let other {
                let isSame =
                    other.isIdentical(to: value) || other == value && other.sortedText == value.sortedText
                return driver.replay(isSame ? .recording(recording) : .value(other), as: purpose)
            }
            if case .buffered(let field) = purpose { return driver.replayParts(of: field) }
            return driver.endWithoutValue()
        }
    }

    /// Passes the value of a field to the field's hook, and continues with the hook's result.
    private mutating func ask(
        _ hook: (JSONValue?) throws -> JSONValue?, _ value: JSONValue, _ entry: EntryReference,
        _ proceed: (inout Driver, JSONValue?) -> TokenAction
    ) -> TokenAction {
        top.owner.makeUncommonState().askedFields.insert(entry.field)
        let result: JSONValue?
        do { result = try session.withUserInfo { try hook(value) } } catch {
            destroyReplaced(entry)
            return fail(thrown: error, at: .value)
        }
        // A candidate that the hook leaves out is missing, and replaces no other.
        if case .some = result { destroyReplaced(entry) }
        return proceed(&self, result)
    }

    /// Destroys the value of another candidate for a field with a hook.
    private func destroyReplaced(_ entry: EntryReference) {
        if isFilled(entry) { destroyValue(entry) }
    }

    /// Reads the value of a field from JSON, after calling the hook.
    mutating func replayField(_ json: JSONValue, _ entry: EntryReference) -> TokenAction {
        if entry.addsToContainer { targetAddition(entry) } else { targetValue(of: entry) }
        guard let hook = top.fieldInfo?.hook else { return replay(.value(json), as: .value) }
        return ask(hook, json, entry) { driver, other in
            other.map { driver.replay(.value($0), as: .value) } ?? driver.endWithoutValue()
        }
    }

    /// Targets the slot of a field for the whole value, also if other fields are parts of the value.
    private mutating func targetValue(of entry: EntryReference) {
        target(entry)
        disposition = .store(slot.layout.kind)
    }

    /// Reads the fields that are parts of a value, after the value was read as a whole.
    mutating func replayParts(of field: BufferedField) -> TokenAction {
        if [.indexes, .anyIndex, .anyKey].contains(top.form) {
            top.state = .position(field.position)
        }
        top.entry = field.entry
        disposition = .descend
        return replay(.recording(field.recording), as: .part)
    }

    /// Whether the completed value of an entry was read as a whole.
    mutating func isReplayingBuffered(of entry: EntryReference) -> Bool {
        let position = openReplay {
            switch $0 {
            case .buffered(let field): field.entry == entry
            // The value that a hook returned for a missing key.
            case .lateField: true
            default: false
            }
        }
        return position != nil
    }

    /// Whether the parts of the current value of a frame are being read.
    func isReplayingParts(at frame: FrameReference) -> Bool {
        let base = index(of: frame)
        return session.recorder.open.contains { replay in
            if case .part = replay.purpose { replay.base == base } else { false }
        }
    }

    /// Returns the position of the innermost matching open replay that began at the frame on top. Completed replays of nested
    /// values may still be open.
    func openReplay(where isMatch: (ReplayPurpose) -> Bool) -> Int? {
        let open = session.recorder.open
        let base = index(of: top)
        var position = open.count - 1
        while position >= 0, open[position].base >= base {
            if open[position].base == base, isMatch(open[position].purpose) { return position }
            position -= 1
        }
        return nil
    }

    // MARK: Hooks for missing values

    /// Calls the hooks of the missing fields of the innermost complete model. Returns nil if no field needs a replay.
    mutating func askForMissing(_ plan: ResolvedPlan, _ table: TableReference) -> TokenAction? {
        let state = top.makeUncommonState()
        for (index, info) in plan.fields.enumerated()
        where !isFilled(field: index) && !state.askedFields.contains(index) {
            guard let hook = info.hook, let entry = entry(of: index, in: table) else { continue }
            if let group = info.group, !isPresent(plan.groups[group]) { continue }
            state.askedFields.insert(index)
            top.entry = entry
            let value: JSONValue?
            do { value = try session.withUserInfo { try hook(nil) } } catch {
                return fail(thrown: error, at: .closingBracket)
            }
            guard let value else { continue }
            targetValue(of: entry)
            return replay(.value(value), as: .lateField, at: .closingBracket)
        }
        return nil
    }

    // MARK: Flattened enums

    /// Reads the next flattened enum of the innermost complete model from the recording of its object. Returns nil if all have
    /// been read.
    mutating func replayFlattenedEnum(of plan: ResolvedPlan) -> TokenAction? {
        // Without a recording, the enum was read together with the model, or is nil.
        guard let recording = compositeRecording else { return nil }
        let state = top.makeUncommonState()
        for flattened in plan.flattenedEnums where state.askedFields.insert(flattened.field).inserted {
            let info = plan.fields[flattened.field]
            let object = recording.object { plan.offers($0, to: flattened) }
            if info.layout?.isOptional == true, !flattened.isPresent(in: object.keys) { continue }
            target(flattened.entry)
            return replay(.recording(object), as: .lateField, at: .closingBracket)
        }
        return replayRest(of: recording, plan)
    }

    /// Returns the object of the current model with the first of each tag of its flattened enums, so that a property for the tag
    /// has the value that decides the case. Duplicates that are rejected are kept.
    private func onlyFirstTags(_ recording: Recording) -> Recording {
        let enums = slot.layout.table?.plan?.flattenedEnums ?? []
        let tags = enums.compactMap(\.tagging.tag).filter { recording.repeatedKey($0) != nil }
        return session.rejectsDuplicates || tags.isEmpty
            ? recording : recording.withoutRepetitions(of: Set(tags.map { MemberName($0) }))
    }

    /// The recording of the innermost model's object.
    private var compositeRecording: Recording? {
        let base = index(of: top) - 1
        for replay in session.recorder.open.reversed() where replay.base == base {
            if case .composite(let recording) = replay.purpose { return recording }
        }
        return nil
    }

    /// Returns the entry that fills a field, in a table or below.
    private func entry(of field: Int, in table: TableReference) -> EntryReference? {
        for entry in table.allEntries {
            if entry.field == field { return entry }
            if let child = entry.child, let found = self.entry(of: field, in: child) { return found }
        }
        return nil
    }
}
