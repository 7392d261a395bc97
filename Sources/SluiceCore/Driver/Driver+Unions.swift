// Enums with values
//
// The frame of an enum's object reads the keys that identify the case. When the case is known, its payload is read
// directly into arena memory, and the enum is made from the payload. If the tag comes late, the remaining members are
// recorded; the replay gives the tag first. Each form of tagging has its own file.

extension Driver {
    /// Whether the current enum is decided from a recording of the whole value.
    var takesAnything: Bool { kind == .union && slot.layout.union!.takesWhole }

    /// The layout of a tag.
    nonisolated(unsafe) private static let tagLayout = LayoutReference(JSONShape.of(String.self).layout)

    /// Aims at the tag, in the memory of the enum's frame.
    mutating func aimTag() { aim(at: ValueSlot(address: top.base, layout: Self.tagLayout)) }

    // MARK: Beginning

    mutating func beginUnion() -> TokenAction {
        if takesAnything { return beginCapture(.union) }
        pushUnion()
        return .proceed
    }

    mutating func pushUnion() {
        let union = slot.layout.union!
        push(.union)
        top.detail = .union(.awaitingTag)
        top.base = arena.take(union.size, alignmentMask: 63)
    }

    /// Pushes a frame for the payload of a case. Returns false at the limit of nested values.
    mutating func wrapPayload(_ index: Int, _ union: ResolvedUnion) -> Bool {
        wrap(.payload(of: index), around: union.cases[index].layout!, size: union.size, alignmentMask: 63)
    }

    // MARK: Keys

    mutating func unionKey(_ key: Key) -> TokenAction {
        let union = top.layout.union!
        disposition = .skip
        if case .union(.failed) = top.detail { return .proceed }
        let entry = top.keyTable.find(key)
        top.entry = entry
        switch union.tagging {
        case .external: return externalKey(String(checkedUTF8: key.text), union)
        case .internal: return internalKey(entry)
        case .adjacent: return adjacentKey(entry, union)
        case .untagged: return .proceed
        }
    }

    /// Records the remaining members, because the tag comes late or is missing.
    mutating func captureMembers() -> TokenAction {
        recordingPurpose = .members
        isCapturing = true
        skipDepth = 1
        disposition = .skip
        return .captureMembers
    }

    /// Replays the remaining members of the enum's object on top, including the closing bracket.
    mutating func membersRecorded(_ recording: Recording) -> TokenAction {
        guard let tag = top.layout.union!.tagKey else { return .proceed }
        guard let members = recording.members(first: tag) else {
            return fail(.missingKeys([tag]), at: .closingBracket)
        }
        return replay(.recording(members), as: .members, base: index(of: top) - 1)
    }

    /// Handles the completed value of one of the enum's own keys.
    mutating func completedUnionKey(_ entry: EntryReference) -> TokenAction {
        let union = top.layout.union!
        if case .union(.known(let index, _)) = top.detail {
            top.detail = .union(.known(index, hasPayload: true))
            return .proceed
        }
        let name = ValueSlot(address: top.base, layout: Self.tagLayout).take(String.self)
        guard let index = union.find(name) else { return useFallback(for: name, union, at: .value) }
        if case .internal = union.tagging { return internalTagRead(index, name, union) }
        top.detail = .union(.known(index, hasPayload: false))
        return .proceed
    }

    /// Uses the fallback case for an unknown case. Its payload is the name, or nothing.
    mutating func useFallback(for name: String, _ union: ResolvedUnion, at site: FailureSite) -> TokenAction {
        guard let fallback = union.fallback else {
            return fail(unknownCase(name, union), at: site)
        }
        top.detail = .union(.known(fallback, hasPayload: false))
        guard union.fallbackValue == .tag, let layout = union.cases[fallback].layout else { return .proceed }
        payloadSlot(of: top, layout).initializePayload(to: name)
        top.detail = .union(.known(fallback, hasPayload: true))
        return .proceed
    }

    func unknownCase(_ name: String, _ union: ResolvedUnion) -> JSONIssue.Kind {
        .invalidValue(expected: union.expectation, reason: "\"\(name)\" is not one of its cases")
    }

    /// The memory of the payload in the frame of an enum.
    private func payloadSlot(of frame: FrameReference, _ layout: LayoutReference) -> ValueSlot {
        ValueSlot(address: frame.base + ResolvedUnion.payloadOffset, layout: layout)
    }

    /// The memory of the payload of the known case; nil if the case has none.
    func payloadSlot(of frame: FrameReference) -> ValueSlot? {
        guard let index = frame.unionCase, let layout = frame.layout.union?.cases[index].layout else { return nil }
        return payloadSlot(of: frame, layout)
    }

    /// Aims at the payload of a case, in the memory of the enum's frame.
    mutating func aimPayload(_ index: Int, _ union: ResolvedUnion) -> TokenAction {
        destroyPayload(of: top)
        top.detail = .union(.known(index, hasPayload: false))
        if let layout = union.cases[index].layout { aim(at: payloadSlot(of: top, layout)) }
        return .proceed
    }

    func destroyPayload(of frame: FrameReference) {
        guard case .union(.known(let index, hasPayload: true)) = frame.detail else { return }
        if let layout = frame.layout.union!.cases[index].layout { payloadSlot(of: frame, layout).destroy() }
        frame.detail = .union(.known(index, hasPayload: false))
    }

    /// Marks the enum as failed after the failure of a key, whose issue was recorded.
    func failUnion(_ frame: FrameReference) {
        destroyPayload(of: frame)
        frame.detail = .union(.failed)
    }

    // MARK: Completing

    mutating func endUnion() -> TokenAction {
        if hasFailed(top) { return discard() }
        let union = top.layout.union!
        guard let index = top.unionCase else {
            if let tag = union.tagKey { return fail(.missingKeys([tag]), at: .closingBracket) }
            return endWithoutName(union)
        }
        if let layout = union.cases[index].layout, !top.hasPayload {
            guard layout.none != nil else { return failMissingPayload(layout, union) }
            payloadSlot(of: top, layout).loadNil()
        }
        top.detail = .union(.known(index, hasPayload: false))
        let payload = top.base + ResolvedUnion.payloadOffset
        if let error = make(index, union, from: payload, in: top.destination) {
            return fail(thrown: error, at: .closingBracket)
        }
        top.freeExtras()
        return pop()
    }

    private mutating func failMissingPayload(_ payload: LayoutReference, _ union: ResolvedUnion) -> TokenAction {
        if case .adjacent(_, let content) = union.tagging {
            return fail(.missingKeys([content]), at: .closingBracket)
        }
        return fail(.nullValue(expected: payload.expectation), at: .closingBracket)
    }

    /// Makes the current value from the completed payload of a case, whose frame was popped.
    mutating func finishPayload(_ index: Int, _ payload: UnsafeMutableRawPointer) -> TokenAction {
        let union = slot.layout.union!
        if let error = make(index, union, from: payload, in: slot) {
            finishAttempt(of: nil)
            return fail(thrown: error, at: .value)
        }
        finishAttempt(of: union)
        if top.form == .array { resumeElements() }
        return completed()
    }

    /// Completes the current value with a case that has no payload.
    mutating func completeUnion(_ index: Int, _ union: ResolvedUnion) -> TokenAction {
        if let error = make(index, union, from: slot.address, in: slot) {
            return fail(thrown: error, at: .value)
        }
        return completed()
    }

    /// Makes the enum and calls its hooks.
    ///
    /// - Returns: The error that a hook threw, in which case no value exists.
    private func make(
        _ index: Int, _ union: ResolvedUnion, from payload: UnsafeMutableRawPointer, in slot: ValueSlot
    ) -> (any Error)? {
        union.cases[index].declared.make(payload, slot.address)
        slot.markPresent()
        let hooks = slot.layout.table?.plan?.erasedPlan.hooks ?? []
        do { for hooks in hooks { try hooks.afterDecoding(slot.address) } } catch {
            slot.reset()
            return error
        }
        return nil
    }

    // MARK: Strings

    /// Handles a string as the name of a case without a payload.
    mutating func unionString(_ name: String) -> TokenAction {
        let union = slot.layout.union!
        guard union.tagging == .external else { return fail(.mismatch, found: "a string", at: .value) }
        if let index = union.find(name) {
            guard union.cases[index].layout == nil else {
                let reason = "\"\(name)\" needs a value: {\"\(name)\": …}"
                return fail(.invalidValue(expected: union.expectation, reason: reason))
            }
            return completeUnion(index, union)
        }
        guard let fallback = union.fallback else { return fail(unknownCase(name, union)) }
        if union.fallbackValue == .nothing { return completeUnion(fallback, union) }
        guard wrapPayload(fallback, union) else { return failWrapping(at: .value) }
        return string(name)
    }

    /// Handles a string that is not a token of the source.
    mutating func string(_ text: String) -> TokenAction {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else {
                return withUnsafePointer(to: 0) { string($0, 0, isASCII: true) }
            }
            return string(base, bytes.count, isASCII: UTF8Validation.isASCII(base, bytes.count))
        }
    }

    // MARK: Recorded as a whole

    /// Reads the current enum from its recording.
    mutating func unionRecorded(_ recording: Recording) -> TokenAction {
        disposition = .store(.union)
        let union = slot.layout.union!
        if union.tagging == .untagged { return tryCases(of: recording, union) }
        guard recording.isObject else {
            if union.tagging == .external, let name = recording.string, union.find(name) != nil {
                return unionString(name)
            }
            return fallBack(to: recording, union)
        }
        guard let tag = union.tagKey else {
            let isKnown = recording.keys.contains { union.find($0) != nil }
            return isKnown ? replayObject(recording.allMembers, union) : fallBack(to: recording, union)
        }
        guard let members = recording.members(first: tag) else {
            if union.fallbackValue == .whole { return fallBack(to: recording, union) }
            return fail(.missingKeys([tag]), in: recording)
        }
        guard let index = members.firstString.flatMap({ union.find($0) }) else {
            return union.fallbackValue == .whole ? fallBack(to: recording, union) : replayObject(members, union)
        }
        if union.cases[index].needsWhole(in: union) { return replayPayload(index, recording, union) }
        return replayObject(members, union)
    }

    private mutating func replayObject(_ members: Recording, _ union: ResolvedUnion) -> TokenAction {
        pushUnion()
        return replay(.recording(members), as: .members, base: index(of: top) - 1)
    }

    private mutating func replayPayload(_ index: Int, _ recording: Recording, _ union: ResolvedUnion) -> TokenAction
    {
        var recording = recording
        if let tag = union.tagKey, let repeated = recording.repeatedKey(tag) {
            if rejectsDuplicates { return failRepeatedTag(tag, at: .value, in: repeated) }
            // The first tag decides, and is the only one that the payload receives.
            recording = recording.withoutRepetitions(of: [tag])
        }
        guard wrapPayload(index, union) else { return failWrapping(at: .value) }
        return replay(.recording(recording), as: .value, base: self.index(of: top) - 1)
    }

    /// Uses the fallback case for a value that matches no case.
    private mutating func fallBack(to recording: Recording, _ union: ResolvedUnion) -> TokenAction {
        guard let fallback = union.fallback, union.fallbackValue == .whole else {
            return fail(.typeMismatch(expected: expectation, found: recording.typeName), in: recording)
        }
        return replayPayload(fallback, recording, union)
    }
}
