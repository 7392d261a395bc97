// Enums with values.
//
// The frame of an enum's object reads the keys that identify the case. When the case is known, its payload is read
// directly into arena memory, and the enum is made from the payload. The source looks ahead for a late tag (see `Driver+Lookahead`).
// If its window does not hold the object, the remaining members are recorded, and the replay sends the tag first.

extension Driver {
    /// Whether the current enum is decided from a recording of the whole value.
    @inline(__always)
    var isBuffered: Bool { kind == .union && slot.layout.union!.isBuffered }

    /// The layout of a tag.
    nonisolated(unsafe) private static let tagLayout = LayoutReference(JSONShape.of(String.self).layout)

    /// Targets the tag, in the memory of the enum's frame.
    mutating func targetTag() { target(at: ValueSlot(address: top.base, layout: Self.tagLayout)) }

    // MARK: Beginning

    mutating func beginUnion() -> TokenAction {
        let union = slot.layout.union!
        if (union.isBuffered || union.tag != nil) && looksAhead { return .lookAhead }
        return beginUnion(union)
    }

    /// Begins an enum whose container is not examined.
    mutating func beginUnion(_ union: UnionReference) -> TokenAction {
        if union.isBuffered { return beginRecording(.union) }
        pushUnion()
        return .proceed
    }

    mutating func pushUnion() {
        let union = slot.layout.union!
        push(.union)
        top.state = .union(.awaitingTag)
        top.base = arena.allocate(union.size, alignmentMask: TypeLayout.maximumAlignmentMask)
    }

    /// Pushes a frame for the payload of a case. Returns false at the limit of nested values.
    mutating func pushPayload(_ index: Int, _ union: UnionReference) -> Bool {
        pushConversion(
            .payload(of: index), around: union.cases[index].layout!, size: union.size,
            alignmentMask: TypeLayout.maximumAlignmentMask)
    }

    // MARK: Keys

    mutating func unionKey(_ key: Key) -> TokenAction {
        let union = top.layout.union!
        disposition = .skip
        let entry = top.keyTable.find(key)
        top.entry = entry
        if case .union(.failed) = top.state { return .proceed }
        switch union.tagging {
        case .external: return externalKey(key, union)
        case .internal: return internalKey(key, entry)
        case .adjacent: return adjacentKey(key, entry, union)
        case .untagged: return .proceed
        }
    }

    /// Records the remaining members, because the tag comes late or is missing.
    mutating func recordMembers() -> TokenAction {
        session.recorder.begin(.members)
        skipDepth = 1
        disposition = .skip
        return .recordMembers
    }

    /// Replays the remaining members of the enum's object on top, including the closing bracket.
    mutating func membersRecorded(_ recording: Recording) -> TokenAction {
        guard let tag = top.layout.union!.resolved.tagKey else { return .proceed }
        guard let members = recording.members(first: tag) else {
            return fail(.missingKeys([tag]), hint: hint(for: tag, in: recording), at: .closingBracket)
        }
        return replay(.recording(members), as: .members, base: index(of: top) - 1)
    }

    /// Returns a hint if a key of a recorded object resembles the tag. The reason for a failed attempt has no hint.
    private func hint(for tag: String, in recording: Recording) -> String? {
        guard !session.recorder.isAttempting else { return nil }
        return Spelling.nearest(to: tag, among: recording.keys).map { Spelling.hint($0, for: tag) }
    }

    /// Handles the completed value of one of the enum's own keys.
    mutating func completedUnionKey(_ entry: EntryReference) -> TokenAction {
        let union = top.layout.union!
        if case .union(.known(let index, _)) = top.state {
            top.state = .union(.known(index, hasPayload: true))
            return .proceed
        }
        let name = ValueSlot(address: top.base, layout: Self.tagLayout).move(String.self)
        guard let index = union.find(name) else { return useFallback(for: name, union, at: .value) }
        if union.tagging == .internal { return internalTagRead(index, name, union) }
        top.state = .union(.known(index, hasPayload: false))
        return .proceed
    }

    /// Uses the fallback case for an unknown name. The payload of the fallback case is the name, or is absent.
    mutating func useFallback(for name: String, _ union: UnionReference, at site: FailureSite) -> TokenAction {
        guard let fallback = union.fallbackIndex else {
            return fail(unknownCase(name, union), at: site)
        }
        top.state = .union(.known(fallback, hasPayload: false))
        if handlingOfUnknownKeys != nil { top.makeUncommonState().isUnknownCase = true }
        guard union.fallbackValue == .tag, let layout = union.cases[fallback].layout else { return .proceed }
        payloadSlot(of: top, layout).initializePayload(to: name)
        top.state = .union(.known(fallback, hasPayload: true))
        return .proceed
    }

    func unknownCase(_ name: String, _ union: UnionReference) -> JSONIssue.Kind {
        .invalidValue(expected: union.resolved.expectation, reason: "\"\(name)\" is not one of its cases")
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

    /// Targets the payload of a case, in the memory of the enum's frame.
    mutating func targetPayload(_ index: Int, _ union: UnionReference) -> TokenAction {
        destroyPayload(of: top)
        top.state = .union(.known(index, hasPayload: false))
        if let layout = union.cases[index].layout {
            target(at: payloadSlot(of: top, layout))
        } else if handlingOfUnknownKeys != nil, top.uncommonState?.isUnknownCase != true {
            // The value is ignored, except the keys of an object.
            (disposition, slot) = (.record, ValueSlot(address: top.base, layout: Self.tagLayout))
        }
        return .proceed
    }

    func destroyPayload(of frame: FrameReference) {
        guard case .union(.known(let index, hasPayload: true)) = frame.state else { return }
        if let layout = frame.layout.union!.cases[index].layout { payloadSlot(of: frame, layout).destroy() }
        frame.state = .union(.known(index, hasPayload: false))
    }

    /// Marks the enum as failed after the failure of a key, whose issue was recorded.
    func failUnion(_ frame: FrameReference) {
        destroyPayload(of: frame)
        frame.state = .union(.failed)
    }

    // MARK: Completing

    mutating func endUnion() -> TokenAction {
        if top.unionCase != nil, let action = failUnknownNames() { return action }
        if hasFailed(top) { return delivering(discard()) }
        let union = top.layout.union!
        guard let index = top.unionCase else {
            guard union.tag != nil else { return endWithoutName(union) }
            return fail(.missingKeys([union.resolved.tagKey ?? ""]), at: .closingBracket)
        }
        if let layout = union.cases[index].layout, !top.hasPayload {
            guard layout.none != nil else { return failMissingPayload(layout, union) }
            payloadSlot(of: top, layout).loadNil()
        }
        top.state = .union(.known(index, hasPayload: false))
        let payload = top.base + ResolvedUnion.payloadOffset
        if let error = make(index, union, from: payload, in: top.destination) {
            return fail(thrown: error, at: .closingBracket)
        }
        top.freeUncommonState()
        return delivering(pop())
    }

    private mutating func failMissingPayload(_ payload: LayoutReference, _ union: UnionReference) -> TokenAction {
        if case .adjacent(_, let content) = union.resolved.tagging {
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

    /// Makes a value from the completed payload of a case, which is neither replayed nor failed, and whose frame is on top.
    mutating func finishCase(_ index: Int) -> TokenAction {
        let closed = top
        let union = closed.layout.union.unsafelyUnwrapped
        if union.hasHooks { return finishConversion() }
        union.make(index, closed.base, closed.destination.address)
        closed.destination.markPresent()
        arena.restore(closed.mark)
        session.recorder.conversionCount -= 1
        top = closed.below
        (disposition, slot) = (.store(.union), closed.destination)
        if top.form == .array { resumeElements() }
        return completed()
    }

    /// Completes the current value with a case that has no payload.
    mutating func completeUnion(_ index: Int, _ union: UnionReference, in recording: Recording? = nil)
        -> TokenAction
    {
        if let failure = makeUnion(index, union, in: recording) { return handle(failure) }
        return completed()
    }

    /// Makes the current value by a case that has no payload. Returns the failure if a hook throws an error.
    ///
    /// - Parameter recording: The value, if cases were tried before; nil for the current token.
    mutating func makeUnion(_ index: Int, _ union: UnionReference, in recording: Recording? = nil) -> Failure? {
        guard let error = make(index, union, from: slot.address, in: slot) else { return nil }
        return Failure(JSONIssue(thrown: error), at: .value, in: recording)
    }

    /// Makes the enum and calls its hooks.
    ///
    /// - Returns: The error that a hook threw, in which case no value exists.
    func make(
        _ index: Int, _ union: UnionReference, from payload: UnsafeMutableRawPointer, in slot: ValueSlot
    ) -> (any Error)? {
        union.make(index, payload, slot.address)
        slot.markPresent()
        guard union.hasHooks else { return nil }
        do { if let plan = slot.layout.table?.plan { try callHooks(plan, slot) } } catch {
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
                return fail(.invalidValue(expected: union.resolved.expectation, reason: reason))
            }
            return completeUnion(index, union)
        }
        guard let fallback = union.fallbackIndex else { return fail(unknownCase(name, union)) }
        if union.fallbackValue == .nothing { return completeUnion(fallback, union) }
        guard pushPayload(fallback, union) else { return failNesting(at: .value) }
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
            let hasName = union.tagging == .external && recording.string != nil
            return fallBack(to: recording, union, hasName: hasName)
        }
        var object = recording
        switch union.reading(of: &object) {
        case .named(let index, _) where union.cases[index].buffersValue:
            return replayPayload(index, recording, union)
        case .fallback(let index): return replayPayload(index, recording, union)
        case .named, .inOrder, nil: break
        }
        guard let tag = union.resolved.tagKey else { return replayObject(recording.allMembers, union) }
        if let members = recording.members(first: tag) { return replayObject(members, union) }
        let issue = JSONIssue(kind: .missingKeys([tag]), hint: hint(for: tag, in: recording))
        return handle(Failure(issue, at: .value, in: recording))
    }

    private mutating func replayObject(_ members: Recording, _ union: UnionReference) -> TokenAction {
        pushUnion()
        return replay(.recording(members), as: .members, base: index(of: top) - 1)
    }

    private mutating func replayPayload(_ index: Int, _ recording: Recording, _ union: UnionReference)
        -> TokenAction
    {
        var recording = recording
        if let tag = union.resolved.tagKey, let repeated = recording.repeatedKey(tag) {
            if session.rejectsDuplicates { return failRepeatedTag(tag, at: .value, in: repeated) }
            // The first tag decides, and is the only one that the payload receives.
            recording = recording.withoutRepetitions(of: [MemberName(tag)])
        }
        if union.tagging == .internal {
            let tags = [union.resolved.tagKey!] + tagsAround
            let others = tags.filter { !union.resolved.passes($0, toPayloadOf: index) }
            if !others.isEmpty {
                recording = recording.object { key in !others.contains { $0.hasSameCodeUnits(as: key) } }
            }
        }
        guard pushPayload(index, union) else { return failNesting(at: .value) }
        return replay(.recording(recording), as: .value, base: self.index(of: top) - 1)
    }

    /// The tags of the enums whose payloads have the members of the current value.
    var tagsAround: [String] {
        var tags: [String] = []
        var frame = top
        while frame.form == .converted {
            if let index = frame.payloadCase, let union = frame.layout.union {
                // A fallback receives the whole object, with the name of the unknown case.
                guard union.tagging == .internal, index != union.fallbackIndex, let tag = union.resolved.tagKey
                else { return tags }
                tags.append(tag)
            }
            frame = frame.below
        }
        return frame.form == .root ? tags + (session.fragment?.tags ?? []) : tags
    }

    /// Uses the fallback case for a value that matches no case.
    ///
    /// - Parameter hasName: Whether the value has the name of an unknown case.
    private mutating func fallBack(to recording: Recording, _ union: UnionReference, hasName: Bool) -> TokenAction {
        guard let fallback = union.wholeFallback(hasName: hasName) else {
            return fail(.typeMismatch(expected: expectation, found: recording.typeName), in: recording)
        }
        return replayPayload(fallback, recording, union)
    }
}

/// How the object of a tagged enum is read.
enum UnionReading {
    /// As the case with a name.
    case named(Int, Key)
    /// As the fallback case, which receives the whole object.
    case fallback(Int)
    /// Member by member, which finds the case, or the error at its member.
    case inOrder
}

extension UnionReference {
    /// Decides how an object is read. Returns nil if the object must be examined in another way.
    @inline(__always)
    func reading(of object: inout some ExaminedObject) -> UnionReading? {
        var hasName = true
        if let tag = self.tag {
            guard let tag = object.tag(tag) else { return nil }
            if let name = tag.name, let index = find(name) { return .named(index, name) }
            hasName = tag.name != nil
        } else {
            var (isKnown, isEmpty) = (false, true)
            let isWhole = object.examineMembers { key, _ in
                isEmpty = false
                if find(key) != nil { isKnown = true }
            }
            guard isWhole else { return nil }
            if isKnown || isEmpty && self.fallbackNeedsName { return .inOrder }
        }
        return wholeFallback(hasName: hasName).map { .fallback($0) } ?? .inOrder
    }
}

// MARK: External tagging

// External tagging: one key of the object is the case name. `{"circle": {…}}`, or `"point"` without a payload.
// Other keys are ignored, in any order. If no key is the name of a case, the fallback case applies. A fallback case whose payload is
// the name requires that the object has no second name.
// If the name of a case is repeated, the last value applies. Two different names are an error, also those of one case: the
// order of an object's members has no meaning, so none of the names comes first.

extension Driver {
    mutating func externalKey(_ key: Key, _ union: UnionReference) -> TokenAction {
        guard let index = union.find(key) else { return unknownName(key, String(checkedUTF8: key.text), union) }
        if let other = top.unionCase {
            let name = String(checkedUTF8: key.text)
            let known =
                union.cases[other].hasSeveralNames
                ? top.uncommonState?.caseName : union.resolved.cases[other].names.first
            if let known, !known.hasSameCodeUnits(as: name) {
                return fail(severalNames(known, name, union), at: .key)
            }
            // As with any other key, the last value applies.
            if session.rejectsDuplicates, let entry = top.entry { return failDuplicate(entry) }
        } else if union.cases[index].hasSeveralNames {
            top.makeUncommonState().caseName = String(checkedUTF8: key.text)
        }
        return targetPayload(index, union)
    }

    /// Handles a key that is not the name of a case: an unknown key, or the name of an unknown case. The end of the object decides.
    private mutating func unknownName(_ key: Key, _ name: String, _ union: UnionReference) -> TokenAction {
        guard top.unionCase == nil else { return laterName(key, name) }
        let state = top.makeUncommonState()
        if let first = state.firstUnknownName {
            if union.fallbackValue == .tag, !first.hasSameCodeUnits(as: name),
                !state.deferred.contains(where: { $0.unknownKey == nil })
            {
                announce(Failure(severalNames(first, name, union), at: .key), .defer(nil))
            }
        } else {
            state.firstUnknownName = name
            if union.fallbackIndex == nil { announce(Failure(unknownCase(name, union), at: .key), .defer(nil)) }
        }
        if handlingOfUnread(key) != nil { announce(Failure(.unknownKey(name), at: .key), .defer(nil)) }
        return delivering(.proceed)
    }

    /// Handles a key after the name of a case. An unknown key waits for the end of the object if others before wait, too.
    private mutating func laterName(_ key: Key, _ name: String) -> TokenAction {
        let waits = top.uncommonState?.deferred.contains { $0.unknownKey != nil } ?? false
        guard waits else { return unreadKey(key) }
        if handlingOfUnread(key) != nil { announce(Failure(.unknownKey(name), at: .key), .defer(nil)) }
        return delivering(.proceed)
    }

    /// Fails or reports the unknown keys of the complete object of an enum, except the name of an unknown case.
    ///
    /// - Returns: nil without such keys, or if their issues are announced.
    private mutating func failUnknownNames() -> TokenAction? {
        guard let state = top.uncommonState, !state.deferred.isEmpty else { return nil }
        let name = state.isUnknownCase ? state.firstUnknownName : nil
        let unknown = takeDeferred().filter { $0.unknownKey.map { $0 != name } ?? false }
        guard handlingOfUnknownKeys == .report else { return fail(unknown) }
        for var pending in unknown {
            pending.handling = .report
            session.issues.announce(pending)
        }
        return nil
    }

    private func severalNames(_ first: String, _ second: String, _ union: UnionReference) -> JSONIssue.Kind {
        .invalidValue(expected: union.resolved.expectation, reason: "it has \(first) and \(second)")
    }

    /// Ends the object of an enum that has no known case name.
    mutating func endWithoutName(_ union: UnionReference) -> TokenAction {
        if let issue = top.uncommonState?.deferred.first(where: { $0.unknownKey == nil }) {
            _ = takeDeferred()
            return handle(Failure(deferred: issue))
        }
        guard let name = top.uncommonState?.firstUnknownName else {
            return fail(
                .invalidValue(expected: union.resolved.expectation, reason: "it has no case"), at: .closingBracket)
        }
        let action = useFallback(for: name, union, at: .closingBracket)
        return action == .proceed ? endUnion() : action
    }
}

// MARK: Internal tagging

// Internal tagging: the case name is a member of the payload's object. `{"type": "circle", "radius": 1}`.

extension Driver {
    /// - Parameter entry: The entry of the tag, or nil for another key.
    mutating func internalKey(_ key: Key, _ entry: EntryReference?) -> TokenAction {
        guard let entry else {
            guard top.unionCase != nil else { return recordMembers() }
            // The keys of an unknown case are not known.
            return top.uncommonState?.isUnknownCase == true ? .proceed : unreadKey(key)
        }
        if top.unionCase != nil { return laterTag(entry) }
        targetTag()
        return .proceed
    }

    /// Handles a tag after the case is known: the first tag decides.
    private mutating func laterTag(_ entry: EntryReference) -> TokenAction {
        if top.flags.contains(.awaitsTag) {
            top.flags.remove(.awaitsTag)
            return .proceed
        }
        return session.rejectsDuplicates ? failDuplicate(entry) : .proceed
    }

    /// Handles the tag: the remaining members belong to the payload, so this frame becomes the payload's.
    mutating func internalTagRead(_ index: Int, _ name: String, _ union: UnionReference) -> TokenAction {
        guard let layout = union.cases[index].layout else {
            top.state = .union(.known(index, hasPayload: false))
            return .proceed
        }
        guard mayNest else { return failNesting(at: .value) }
        let tag = top.entry
        top.form = .converted
        top.state = .converted(.payload(of: index))
        countConversion()
        target(at: ValueSlot(address: top.base, layout: layout))
        if isBuffered {
            let why = "an enum whose payload is recorded as a whole cannot be the payload of an enum in a payload"
            // The object has begun, and has no frame of its own any more.
            return fail(.invalidPlan(why), at: .openingBracket)
        }
        // The object has begun before its tag.
        let looksAhead = session.looksAhead
        session.looksAhead = false
        let action = startObject()
        session.looksAhead = looksAhead
        guard action == .proceed, let tag else { return action }
        return beginPayload(of: tag) { name }
    }

    /// Begins the members of a payload. A payload that has a property for the tag, or is an enum with the same tag, receives the tag. The same
    /// applies to the tags of the enums around, whose payloads have the members, too.
    ///
    /// - Parameter tagFollows: Whether the members have the tag, which is known.
    mutating func beginPayload(
        of tag: EntryReference, tagFollows: Bool = false, _ name: () -> String
    ) -> TokenAction {
        top.flags.insert(.checksKeys)
        if tagFollows { top.flags.insert(.awaitsTag) }
        switch top.form {
        case .object:
            let table = top.keyTable
            guard hasTagAround(where: { table.find($0.knownKey) != nil }) else { return .proceed }
            top.flags.insert(.readsTag)
            return readTags(with: table, tag, name)
        case .union:
            guard let inner = top.layout.union?.tag else { return .proceed }
            var frame = top.below
            while frame.form == .converted {
                if let index = frame.payloadCase, let around = frame.entry, inner.matches(around.knownKey) {
                    let text = around == tag ? name() : frame.layout.union!.name(of: index)
                    let action = unionKey(around.knownKey)
                    return action == .proceed ? string(text) : action
                }
                frame = frame.below
            }
            return .proceed
        default: return .proceed
        }
    }

    /// Reads the tags around the payload on top for which the payload has a property. Of equal tags, the innermost is read.
    @inline(never)
    private mutating func readTags(
        with table: TableReference, _ tag: EntryReference, _ name: () -> String
    ) -> TokenAction {
        // The frames may move when a value is read.
        var position = index(of: top) - 1
        while case let frame = openFrame(at: position), frame.form == .converted {
            if let index = frame.payloadCase, let around = frame.entry, let property = table.find(around.knownKey),
                property.field < 0 || !isFilled(property), around == tag || property.child == nil
            {
                let text = around == tag ? name() : frame.layout.union!.name(of: index)
                var action = fieldKey(around.knownKey)
                if action == .proceed {
                    // The current token is that of the innermost tag.
                    let isReplayed = around != tag && mayRecordScalar
                    action = isReplayed ? replayField(.string(text), top.currentEntry) : string(text)
                }
                if action != .proceed { return action }
            }
            position -= 1
        }
        return .proceed
    }

    /// Whether the token of a scalar may be recorded for the current value.
    private var mayRecordScalar: Bool {
        switch disposition {
        case .record, .store(.union), .store(.converted), .store(.raw), .store(.recording): true
        default: false
        }
    }

    /// Whether a key of a payload is the tag of the enum, or of an enum whose payload this enum is.
    func isTag(_ key: Key) -> Bool { hasTagAround { $0.matches(key) } }

    /// Whether one of the tags around the payload on top meets a condition.
    @inline(__always)
    private func hasTagAround(where condition: (EntryReference) -> Bool) -> Bool {
        var frame = top.below
        while frame.form == .converted {
            if frame.payloadCase != nil, let tag = frame.entry, condition(tag) { return true }
            frame = frame.below
        }
        return false
    }

    /// Ignores a tag after the first, which has decided the case and is not part of the payload.
    mutating func repeatedTag(_ key: Key) -> TokenAction {
        disposition = .skip
        top.entry = nil
        if top.flags.contains(.awaitsTag) {
            top.flags.remove(.awaitsTag)
            // The property that has received the tag, for the path of an error after it.
            if top.form == .object { top.entry = top.keyTable.find(key) }
            return .proceed
        }
        guard session.rejectsDuplicates else { return .proceed }
        return failRepeatedTag(String(checkedUTF8: key.text), at: .key, in: nil)
    }

    /// Fails a tag after the first.
    ///
    /// - Parameter recording: The key, in the recording of the object; nil for the current key.
    mutating func failRepeatedTag(_ tag: String, at site: FailureSite, in recording: Recording?) -> TokenAction {
        let issue = JSONIssue(kind: .duplicateKey(tag), path: JSONPath([.key(tag)]))
        return handle(Failure(issue, at: site, in: recording))
    }
}

// MARK: Adjacent tagging

// Adjacent tagging: the case name and the payload are members of one object. `{"type": "circle", "value": {…}}`.

extension Driver {
    /// - Parameter entry: The entry of the tag or content, or nil for another key.
    mutating func adjacentKey(_ key: Key, _ entry: EntryReference?, _ union: UnionReference) -> TokenAction {
        guard let entry else { return unreadKey(key) }
        let isTag = entry.field == 0
        guard let index = top.unionCase else {
            if !isTag { return recordMembers() }
            targetTag()
            return .proceed
        }
        // The payload of a fallback case is the tag.
        if !isTag, index == union.fallbackIndex, union.fallbackValue == .tag, top.hasPayload { return .proceed }
        // The last content applies.
        if isTag { return laterTag(entry) }
        if session.rejectsDuplicates, top.hasPayload { return failDuplicate(entry) }
        return targetPayload(index, union)
    }
}

// MARK: Untagged enums

// Untagged enums: the cases are tried in order, the fallback last, and the first case that fits the value is used. A scalar is converted
// only if it fits no case as it is.
//
// The value is recorded, and each attempt is a replay. Untagged enums nest. The outcome for a value is remembered while an
// enclosing attempt is open, so that the next enclosing attempt does not try the cases again. Issues found in an attempt
// are held until the outermost attempt succeeds.

/// The attempt to read a value as the payload of one case.
struct Attempt {
    let recording: Recording
    let key: AttemptKey
    /// Whether scalars are not converted.
    var isExact: Bool
    /// The position of the case in the order in which the cases are tried.
    var position = 0
    /// The previous cases.
    var reasons: [FailedCase] = []
    /// The case that has failed before the value was recorded.
    let failed: FailedCase?
    /// The number of issues held before this attempt.
    let heldCount: Int
    /// The slot of the enum.
    let slot: ValueSlot

    /// Whether the cases are tried again with conversions if none fits. A fallback follows the conversions.
    var mayConvert: Bool { isExact && !key.isExact }
}

/// A case that was tried and has failed.
struct FailedCase {
    let index: Int
    let name: String
    /// The reason, with the path in the value of the enum.
    let issue: JSONIssue

    /// The text, which is made if no case fits. Reasons nest like the enums, so each is truncated.
    var text: String {
        func shortened(_ text: String) -> String {
            let maximumLength = 160
            return text.utf8.count > maximumLength ? "\(text.prefix(maximumLength))…" : text
        }
        let reason = "\(name): \(shortened(issue.message))"
        return issue.path.components.isEmpty ? reason : "\(reason) at \(shortened(issue.path.shortDescription))"
    }
}

/// The next step after a case was tried.
enum AttemptStep {
    /// A replay of the value as the payload of the next case was requested.
    case requested
    /// The recorded value is a case without a payload.
    case fits(Int, Recording)
    /// The value fits no case, or cannot be tried.
    case failed(Failure)
}

/// A recorded value and the enum type that reads the value.
struct AttemptKey: Hashable {
    let start: Recording.Start
    let union: UnionReference
    /// Whether an attempt around the value converts no scalars.
    let isExact: Bool
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
        memory = .allocate(byteCount: max(union.size, 1), alignment: union.alignment)
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
    mutating func tryCases(of recording: Recording, _ union: UnionReference) -> TokenAction {
        let isExact = session.recorder.isExact
        let key = AttemptKey(start: recording.start, union: union, isExact: isExact)
        if session.recorder.isAttempting {
            switch session.recorder.outcome(of: key) {
            case .value(let value, let issues):
                value.copy(to: slot)
                for issue in issues { session.issues.hold(issue) }
                return completed()
            case .failure(let kind): return fail(kind, in: recording)
            case nil: break
            }
            let isOpen = session.recorder.open.contains {
                guard case .attempt(let open) = $0.purpose else { return false }
                return open.key.start == key.start && open.key.union == union
            }
            if isOpen { return fail(noCase(["the case holds the enum itself"]), in: recording) }
        }
        let attempt = Attempt(
            recording: recording, key: key,
            isExact: isExact || recording.isScalar && !isStrict(union) && !fitsNoCaseExactly(recording, union),
            failed: session.recorder.takeFailed(), heldCount: session.issues.heldCount, slot: slot)
        switch begin(attempt, union) {
        case .requested: return .handlePending
        case .fits(let index, let recording): return completeUnion(index, union, in: recording)
        case .failed(let failure): return handle(failure)
        }
    }

    /// Whether the cases were tried without conversions for an enum around, and failed.
    private func fitsNoCaseExactly(_ recording: Recording, _ union: UnionReference) -> Bool {
        let key = AttemptKey(start: recording.start, union: union, isExact: true)
        if case .failure? = session.recorder.outcome(of: key) { return true }
        return false
    }

    /// Whether the scalars of an untagged enum are not converted.
    func isStrict(_ union: UnionReference) -> Bool { union.isStrict ?? session.isStrict }

    private func noCase(_ reasons: [String]) -> JSONIssue.Kind {
        .invalidValue(expected: "one of the cases of \(unionName)", reason: reasons.joined(separator: "; "))
    }

    /// Begins an attempt with the next case that has a payload, unless a case without a payload fits before.
    private mutating func begin(_ attempt: Attempt, _ union: UnionReference) -> AttemptStep {
        var attempt = attempt
        let name = attempt.recording.string
        while true {
            let index = attempt.position < union.count ? union.order[attempt.position] : nil
            guard let index, !attempt.isExact || index != union.fallbackIndex else {
                guard attempt.mayConvert else { return .failed(failure(of: attempt)) }
                (attempt.isExact, attempt.position, attempt.reasons) = (false, 0, [])
                continue
            }
            if let failed = attempt.failed, failed.index == index {
                attempt.reasons.append(failed)
                attempt.position += 1
                continue
            }
            if union.cases[index].layout != nil {
                guard pushPayload(index, union),
                    requestReplay(
                        .recording(attempt.recording), as: .attempt(attempt), base: self.index(of: top) - 1)
                else { return .failed(nestingFailure(at: .value)) }
                return .requested
            }
            if index == union.fallbackIndex || name.map({ union.find($0) == index }) ?? false {
                if !session.recorder.isAttempting { session.recorder.forgetOutcomes() }
                return .fits(index, attempt.recording)
            }
            attempt.position += 1
        }
    }

    /// Returns the failure of a value that fits no case.
    private mutating func failure(of attempt: Attempt) -> Failure {
        let kind = noCase(attempt.reasons.map(\.text))
        if session.recorder.isAttempting {
            session.recorder.remember(.failure(kind), of: attempt.key)
        } else {
            session.recorder.forgetOutcomes()
        }
        return Failure(JSONIssue(kind: kind), at: .value, in: attempt.recording)
    }

    /// Tries the next case after the innermost attempt failed.
    ///
    /// The caller handles a failure of the last case, which is a failure of the attempt around this one. The attempts can be as many as
    /// the levels of the input.
    mutating func tryNextCase(after failure: Failure, at point: RecoveryPoint) -> AttemptStep {
        guard case .attempt(var attempt) = session.recorder.open[point.replays].purpose else {
            preconditionFailure("The point is that of an attempt.")
        }
        let union = attempt.slot.layout.union!
        attempt.reasons.append(
            failedCase(union.order[attempt.position], of: union, after: failure, inValueOf: point.frame))
        _ = session.recorder.leave(downTo: point.replays)
        unwind(to: point.frame)
        skipDepth = 0
        (disposition, slot) = (.store(.union), attempt.slot)
        session.issues.takeHeld(from: attempt.heldCount)
        attempt.position += 1
        return begin(attempt, union)
    }

    /// Returns a case that has failed.
    ///
    /// - Parameter frame: The frame below the payload of the case.
    func failedCase(
        _ index: Int, of union: UnionReference, after failure: Failure, inValueOf frame: FrameReference
    ) -> FailedCase {
        var issue = failure.issue
        // A deferred issue has the whole path.
        if failure.deferred == nil {
            let path = path(atValue: failure.site != .closingBracket && !failure.isOfUnknownKey, from: frame)
            issue.path.components = path.components + issue.path.components
        }
        return FailedCase(index: index, name: union.resolved.cases[index].declared.name, issue: issue)
    }

    /// Ends the innermost attempt, whose payload is complete and whose frame was popped.
    ///
    /// - Parameter union: The enum, or nil if no value was made.
    mutating func finishAttempt(of union: UnionReference?) {
        guard replayDepth > 0 else { return }
        let position = openReplay { if case .attempt = $0 { true } else { false } }
        guard let position, case .attempt(let attempt) = session.recorder.open[position].purpose else { return }
        session.recorder.endAttempt(at: position)
        if session.recorder.isAttempting {
            guard let union else { return }
            let issues = session.issues.held(from: attempt.heldCount)
            session.recorder.remember(
                .value(RememberedValue(slot, union.resolved.declared), issues: issues), of: attempt.key)
            return
        }
        session.recorder.forgetOutcomes()
        for pending in session.issues.takeHeld() {
            // A failure in an attempt ends the attempt, so the issues of one that has succeeded are reports.
            let proceeds = deliver(pending)
            assert(proceeds)
        }
    }
}
