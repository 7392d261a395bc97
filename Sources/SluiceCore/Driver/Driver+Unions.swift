// Enums with values
//
// The frame of an enum's object reads the keys that identify the case. When the case is known, its payload is read
// directly into arena memory, and the enum is made from the payload. If the tag comes late, the remaining members are
// recorded; the replay gives the tag first. Each form of tagging has its own file.

extension Driver {
    func union(of layout: UnsafePointer<TypeLayout>) -> ResolvedUnion {
        layout.pointee.table.unsafelyUnwrapped.pointee.plan.unsafelyUnwrapped.takeUnretainedValue().union
            .unsafelyUnwrapped
    }

    /// Whether the current enum is decided from a recording of the whole value.
    var takesAnything: Bool { kind == .union && union(of: shape).takesWhole }

    nonisolated(unsafe) static let stringRecord = UnsafePointer(JSONShape.of(String.self).layout)

    // MARK: Beginning

    mutating func beginUnion() -> TokenAction {
        if takesAnything { return beginCapture(.union) }
        pushUnion()
        return .proceed
    }

    mutating func pushUnion() {
        let union = union(of: shape)
        push(.union, shape: shape)
        top.pointee.detail = .union(.awaitingTag)
        top.pointee.base = arena.take(union.size, alignmentMask: 63)
    }

    /// Pushes a frame for the payload of a case. Returns false at the limit of nested values.
    mutating func wrapPayload(_ index: Int, _ union: ResolvedUnion) -> Bool {
        wrap(
            .payload(of: index), around: union.cases[index].layout.unsafelyUnwrapped, size: union.size,
            alignmentMask: 63)
    }

    // MARK: Keys

    mutating func unionKey(_ key: Key) -> TokenAction {
        let union = union(of: top.pointee.shape)
        kind = .skip
        if case .union(.failed) = top.pointee.detail { return .proceed }
        let entry = top.pointee.table.unsafelyUnwrapped.pointee.find(key)
        top.pointee.entry = entry
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
        kind = .skip
        return .captureMembers
    }

    /// Replays the remaining members of the enum's object on top, including the closing bracket.
    mutating func membersRecorded(_ recording: Recording) -> TokenAction {
        guard let tag = union(of: top.pointee.shape).tagKey else { return .proceed }
        guard let members = recording.members(first: tag) else {
            return fail(.missingKeys([tag]), at: .closingBracket)
        }
        return replay(.recording(members), as: .members, base: index(of: top) - 1)
    }

    /// Handles the completed value of one of the enum's own keys.
    mutating func completedUnionKey(_ entry: UnsafePointer<KeyEntry>) -> TokenAction {
        let union = union(of: top.pointee.shape)
        if case .union(.known(let index, _)) = top.pointee.detail {
            top.pointee.detail = .union(.known(index, hasPayload: true))
            return .proceed
        }
        let name = top.pointee.base.assumingMemoryBound(to: String.self).move()
        guard let index = union.find(name) else { return useFallback(for: name, union, at: .value) }
        if case .internal = union.tagging { return internalTagRead(index, name, union) }
        top.pointee.detail = .union(.known(index, hasPayload: false))
        return .proceed
    }

    /// Uses the fallback case for an unknown case. Its payload is the name, or nothing.
    mutating func useFallback(for name: String, _ union: ResolvedUnion, at site: FailureSite) -> TokenAction {
        guard let fallback = union.fallback else {
            return fail(unknownCase(name, union), at: site)
        }
        top.pointee.detail = .union(.known(fallback, hasPayload: false))
        guard union.fallbackValue == .tag, let layout = union.cases[fallback].layout else { return .proceed }
        let address = payloadAddress(of: top)
        address.initializeMemory(as: String.self, to: name)
        layout.injectTag(address)
        top.pointee.detail = .union(.known(fallback, hasPayload: true))
        return .proceed
    }

    func unknownCase(_ name: String, _ union: ResolvedUnion) -> JSONIssue.Kind {
        .invalidValue(expected: union.expectation, reason: "\"\(name)\" is not one of its cases")
    }

    func payloadAddress(of frame: UnsafeMutablePointer<DecodingFrame>) -> UnsafeMutableRawPointer {
        frame.pointee.base + ResolvedUnion.payloadOffset
    }

    /// Aims at the payload of a case, in the memory of the enum's frame.
    mutating func aimPayload(_ index: Int, _ union: ResolvedUnion) -> TokenAction {
        destroyPayload(of: top)
        top.pointee.detail = .union(.known(index, hasPayload: false))
        if let layout = union.cases[index].layout { aim(at: layout, payloadAddress(of: top)) }
        return .proceed
    }

    func destroyPayload(of frame: UnsafeMutablePointer<DecodingFrame>) {
        guard case .union(.known(let index, hasPayload: true)) = frame.pointee.detail else { return }
        let layout = union(of: frame.pointee.shape).cases[index].layout
        layout?.pointee.shape.takeUnretainedValue().destroy(payloadAddress(of: frame), 1)
        frame.pointee.detail = .union(.known(index, hasPayload: false))
    }

    /// Marks the enum as failed after the failure of a key, whose issue was recorded.
    func failUnion(_ frame: UnsafeMutablePointer<DecodingFrame>) {
        destroyPayload(of: frame)
        frame.pointee.detail = .union(.failed)
    }

    // MARK: Completing

    mutating func endUnion() -> TokenAction {
        if hasFailed(top) { return discard() }
        let union = union(of: top.pointee.shape)
        guard let index = top.pointee.unionCase else {
            if let tag = union.tagKey { return fail(.missingKeys([tag]), at: .closingBracket) }
            return endWithoutName(union)
        }
        let payload = payloadAddress(of: top)
        if let layout = union.cases[index].layout, case .union(.known(_, hasPayload: false)) = top.pointee.detail {
            guard let none = layout.pointee.none else { return failMissingPayload(layout, union) }
            payload.copyMemory(from: none, byteCount: layout.pointee.size)
        }
        top.pointee.detail = .union(.known(index, hasPayload: false))
        let layout = top.pointee.shape
        if let error = make(index, union, payload, layout, at: top.pointee.target) {
            return fail(thrown: error, at: .closingBracket)
        }
        freeExtras(of: top)
        return pop()
    }

    private mutating func failMissingPayload(
        _ payload: UnsafePointer<TypeLayout>, _ union: ResolvedUnion
    ) -> TokenAction {
        if case .adjacent(_, let content) = union.tagging {
            return fail(.missingKeys([content]), at: .closingBracket)
        }
        return fail(
            .nullValue(expected: payload.pointee.shape.takeUnretainedValue().expectation), at: .closingBracket)
    }

    /// Makes the current value from the completed payload of a case, whose frame was popped.
    mutating func finishPayload(_ index: Int, _ payload: UnsafeMutableRawPointer) -> TokenAction {
        let union = union(of: shape)
        if let error = make(index, union, payload, shape, at: target) {
            finishAttempt(of: nil)
            return fail(thrown: error, at: .value)
        }
        finishAttempt(of: union)
        if top.pointee.form == .array { aimAtRun(top.pointee.cursor) }
        return completed()
    }

    /// Completes the current value with a case that has no payload.
    mutating func completeUnion(_ index: Int, _ union: ResolvedUnion) -> TokenAction {
        if let error = make(index, union, target, shape, at: target) {
            return fail(thrown: error, at: .value)
        }
        return completed()
    }

    /// Makes the enum and calls its hooks.
    ///
    /// - Returns: The error that a hook threw, in which case no value exists.
    private func make(
        _ index: Int, _ union: ResolvedUnion, _ payload: UnsafeMutableRawPointer,
        _ layout: UnsafePointer<TypeLayout>, at target: UnsafeMutableRawPointer
    ) -> (any Error)? {
        union.cases[index].declared.make(payload, target)
        layout.injectTag(target)
        let hooks = layout.pointee.table?.pointee.plan?.takeUnretainedValue().erasedPlan.hooks ?? []
        do { for hooks in hooks { try hooks.afterDecoding(target) } } catch {
            layout.pointee.shape.takeUnretainedValue().destroy(target, 1)
            if let none = layout.pointee.none { target.copyMemory(from: none, byteCount: layout.pointee.size) }
            return error
        }
        return nil
    }

    // MARK: Strings

    /// Handles a string as the name of a case without a payload.
    mutating func unionString(_ name: String) -> TokenAction {
        let union = union(of: shape)
        guard union.tagging == .external else { return fail(.mismatch, found: "a string", at: .value) }
        if let index = union.find(name) {
            guard union.cases[index].layout == nil else {
                let reason = "\"\(name)\" needs a value: {\"\(name)\": …}"
                return fail(.invalidValue(expected: union.expectation, reason: reason))
            }
            return completeUnion(index, union)
        }
        guard let fallback = union.fallback else {
            return fail(unknownCase(name, union))
        }
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
        kind = .union
        let union = union(of: shape)
        if union.tagging == .untagged { return tryCases(of: recording, union) }
        guard recording.isObject else {
            if union.tagging == .external, let name = recording.string, union.find(name) != nil {
                return unionString(name)
            }
            return fallBack(to: recording, union)
        }
        guard let tag = union.tagKey else {
            let isKnown = recording.keys.contains { union.find($0) != nil }
            return isKnown ? replayObject(recording.members, union) : fallBack(to: recording, union)
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
