// Enums whose case is found in the window of the source, before the tokens of the value.
//
// The source passes the container that has begun, and its tokens follow as if nothing had happened. A late tag, a fallback and the
// names of an untagged enum's keys are known in advance then, so that the payload is read in place. If the window does not hold the
// container, if its JSON is not valid, or if the case needs more than its members, the value is recorded as it is from other sources.
// Results and errors are the same.

extension Driver {
    /// Whether a container that has begun can be examined.
    ///
    /// Not in a replay, whose source has no window, and not where the driver awaits the location of the first token.
    var looksAhead: Bool {
        session.looksAhead && replayDepth == 0 && session.locator == nil
    }

    mutating func lookedAhead(_ container: inout Lookahead) -> TokenAction {
        guard let union = slot.layout.union else {
            if kind == .converted { return readTokens(&container) }
            if kind == .raw { return readBytes(&container) }
            return beginComposite(&container) ?? beginRecording(.composite)
        }
        let action = union.tagging == .untagged ? readByForm(union, &container) : readObject(union, &container)
        return action ?? beginUnion(union)
    }

    /// Copies the bytes of a container. Lets the source record the container if the window does not hold the container.
    private mutating func readBytes(_ container: inout Lookahead) -> TokenAction {
        guard container.canResumeInside, let bytes = container.bytesInWindow(), container.skipContainer() else {
            return beginRecording(.raw)
        }
        slot.initializePayload(to: JSONRaw(unchecked: Array(bytes)))
        return completed()
    }

    mutating func takeRecordingStart() -> Int? {
        session.recordingStart == nil ? nil : session.recordingStart.take()
    }

    // MARK: Tags and names

    /// Begins the case that the tag or a key names, or the fallback. Returns nil if the object must be recorded, or read in the order of its
    /// members.
    private mutating func readObject(_ union: UnionReference, _ container: inout Lookahead) -> TokenAction? {
        // The tag is mostly the first member.
        if !union.isBuffered, let tag = union.tag, let name = container.firstString(of: tag) {
            guard union.tagging != .adjacent, let index = union.find(name) else { return nil }
            return readMembers(of: index, union, in: &container, name)
        }
        switch union.reading(of: &container) {
        case .named(let index, let name):
            guard union.tagging == .adjacent else { return readMembers(of: index, union, in: &container, name) }
            pushKnownCase(index)
        case .fallback(let index): return pushPayload(index, union) ? startObject() : nil
        case .inOrder where union.tag == nil: pushUnion()
        case .inOrder, nil: return nil
        }
        return .proceed
    }

    /// Pushes the frame of an enum's object, whose tag follows.
    private mutating func pushKnownCase(_ index: Int) {
        pushUnion()
        top.state = .union(.known(index, hasPayload: false))
        top.flags.insert(.awaitsTag)
    }

    /// Begins the payload of an internally tagged case: a model or dictionary of the members of the enum's object. Returns nil for another
    /// payload.
    private mutating func readMembers(
        of index: Int, _ union: UnionReference, in container: inout Lookahead, _ name: Key
    ) -> TokenAction? {
        guard let layout = union.cases[index].layout else {
            pushKnownCase(index)
            return .proceed
        }
        guard union.cases[index].readsMembers, let tag = union.tag, mayNest,
            pushConversion(
                .payload(of: index), around: layout, size: union.size,
                alignmentMask: TypeLayout.maximumAlignmentMask)
        else { return nil }
        top.entry = tag
        let action = startObject()
        guard action == .proceed else { return action }
        return beginPayload(of: tag, tagFollows: !container.resumeAfterFirstMember()) { name.string }
    }

    // MARK: Untagged enums

    /// Tries the first case that the kind of the value and the keys of an object allow. If this case fails, the source records the container.
    private mutating func readByForm(_ union: UnionReference, _ container: inout Lookahead) -> TokenAction? {
        guard let offset = container.offset, session.mayAttempt,
            let index = container.isObject ? firstCase(union, &container) : firstCase(ofArray: union, &container),
            let layout = union.cases[index].layout
        else { return nil }
        guard
            pushConversion(
                .attempt(offset: offset, of: index), around: layout, size: union.size,
                alignmentMask: TypeLayout.maximumAlignmentMask)
        else { return nil }
        return container.isObject ? startObject() : startArray()
    }

    private func firstCase(ofArray union: UnionReference, _ container: inout Lookahead) -> Int? {
        guard container.bytesInWindow() != nil else { return nil }
        return (0..<union.count).lazy.map { union.order[$0] }.first {
            union.cases[$0].fit == .array || union.cases[$0].fit == .any
        }
    }

    /// Returns the first case of which the object has all required keys.
    private func firstCase(_ union: UnionReference, _ container: inout Lookahead) -> Int? {
        let count = union.count
        guard let keys = union.keys, let keyBits = union.keyBits else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { found in
            found.initialize(repeating: 0)
            let isWhole = container.examineMembers { key, _ in
                guard let entry = keys.find(key) else { return }
                let bits = keyBits + entry.field * count
                for index in 0..<count { found[index] |= bits[index] }
            }
            guard isWhole else { return nil }
            for position in 0..<count {
                let index = union.order[position]
                let one = union.cases + index
                guard one.pointee.fit == .object || one.pointee.fit == .any else { continue }
                if found[index] & one.pointee.required == one.pointee.required { return index }
            }
            return nil
        }
    }

    /// Lets the source record a container whose first case has failed. The case of an enum is not tried again.
    ///
    /// - Parameter failure: The failure of the case; nil if a model with a flattened enum must be read in another order.
    mutating func readAgain(_ point: RecoveryPoint, after failure: Failure?) -> TokenAction {
        let (slot, isEnum) = (point.frame.destination, point.frame.form == .converted)
        if let failure, let index = point.frame.payloadCase, let union = slot.layout.union {
            session.recorder.noteFailed(failedCase(index, of: union, after: failure, inValueOf: point.frame.below))
        }
        session.recordingStart = point.frame.recordingStart
        _ = leaveValue(failedAt: failure?.site ?? .closingBracket, to: point.frame.below, replays: point.replays)
        // Recordings in the container are recorded anew.
        session.recorder.forgetOutcomes()
        self.slot = slot
        disposition = .skip
        let purpose = isEnum ? RecordingPurpose.union : .composite
        skipDepth > 0 ? session.recorder.begin(purpose) : session.recorder.expectEnd(purpose)
        return .handlePending
    }

    // MARK: Enums in the object of a model

    /// Begins a model with a flattened enum that is nil, or for whose case there is a table together with the model. Returns nil if the object
    /// must be recorded.
    private mutating func beginComposite(_ container: inout Lookahead) -> TokenAction? {
        let table = slot.layout.keyTable
        guard let offset = container.offset, session.mayAttempt, let entry = table.enumInPlace,
            let union = entry.layout.union, let tag = union.tag, let member = container.tag(tag)
        else { return nil }
        guard let name = member.name else {
            guard entry.layout.isOptional, table.plan?.restTable == nil else { return nil }
            disposition = .store(.model)
            pushModel()
            return .proceed
        }
        guard let index = union.find(name), let joined = table.joinedTables?[index], mayNest else { return nil }
        pushJoinedModel(joined, at: offset)
        return .proceed
    }

    // A model whose members are read together with those of its flattened enum.
    //
    // The model and the payload have one frame and one table, in memory of the arena. If a value fails, the object is read again and
    // recorded: what one fault is and where it is depends on the order in which the model and the enum are read.

    private mutating func pushJoinedModel(_ table: TableReference, at offset: Int) {
        disposition = .store(.model)
        push(.object)
        top.table = table
        beginModel(table, hasStorage: true)
        top.state = .joined(offset: offset, serial: top.serial)
        // The payload counts toward the limit, as one with a frame.
        countConversion()
    }

    /// Ends the members of a model and its flattened enum.
    mutating func endJoined(_ table: TableReference, _ joined: JoinedCaseReference) -> TokenAction {
        if top.uncommonState != nil, let action = failCandidates() { return action }
        let (base, model, filled) = (top.base, joined.modelTable, top.presenceBits)
        guard table.required & ~joined.enumBit & ~filled == 0 else {
            return readAgain(RecoveryPoint(frame: top, recovery: .readAgain, replays: 0), after: nil)
        }
        let defaults = table.defaults & joined.payloadBits & ~filled
        if defaults != 0 { fillDefaults(table, defaults) }
        // The enum owns the fields of the payload from here on.
        top.presenceBits = filled & ~joined.payloadBits
        top.table = model
        top.state = .model(serial: top.serial)
        session.recorder.conversionCount -= 1
        let entry = joined.entry
        let value = ValueSlot(address: base + entry.offset, layout: entry.layout)
        if let error = make(joined.index, joined.union, from: base + joined.payloadOffset, in: value) {
            var issue = JSONIssue(thrown: error)
            (issue.property, issue.model) = (model.plan?.fields[entry.field].name, model.plan?.modelName)
            return handle(Failure(issue, at: .closingBracket))
        }
        top.presenceBits |= joined.enumBit
        guard joined.isPlain else { return endSpecial(model) }
        if model.defaults & ~top.presenceBits != 0 { fillDefaults(model) }
        let destination = top.destination
        destination.address.copyMemory(from: base, byteCount: model.size)
        destination.markPresent()
        top.freeUncommonState()
        return delivering(pop())
    }

    private mutating func fillDefaults(_ table: TableReference, _ bits: UInt64) {
        let (base, fields) = (top.base, table.fields)
        FieldSet.forEachField(of: bits, word: 0) { fields[$0].makeDefault!(base + fields[$0].offset) }
    }

    // MARK: Scalars

    /// Handles a scalar as the case of an untagged enum that fits without a conversion. Returns nil if the cases must be tried with a
    /// recording.
    mutating func unionScalar(_ scalar: borrowing JSONScalar) -> TokenAction? {
        let union = slot.layout.union!
        guard union.tagging == .untagged else { return nil }
        // A fallback follows the conversions.
        let mayFallBack = isStrict(union) && !session.recorder.isExact
        for position in 0..<union.count {
            let index = union.order[position]
            guard let layout = union.cases[index].layout else {
                if index == union.fallbackIndex {
                    return mayFallBack ? completeUnion(index, union) : nil
                }
                if scalar.string.map({ union.find($0) == index }) ?? false {
                    return completeUnion(index, union)
                }
                continue
            }
            guard let mayFit = layout.mayFit(scalar), index != union.fallbackIndex || mayFallBack else {
                return nil
            }
            guard mayFit else { continue }
            // The payload counts toward the limit, as one with a frame.
            guard mayNest else { return nil }
            let action: TokenAction? = layout.withTemporaryMemory { memory in
                guard layout.write(scalar, to: memory) else { return nil }
                if let error = make(index, union, from: memory, in: slot) { return fail(thrown: error, at: .value) }
                return completed()
            }
            if let action { return action }
        }
        return nil
    }
}

extension LayoutReference {
    /// Whether the kind of a scalar is that of the type without any conversion; nil if only reading the value can tell.
    fileprivate func mayFit(_ scalar: borrowing JSONScalar) -> Bool? {
        let kind = self.kind
        switch kind {
        case .scalar, .converted, .union, .composite, .value, .raw, .recording, .ignored: return nil
        case .model, .array, .dictionary: return self.readsText ? nil : false
        default: break
        }
        switch scalar.content {
        case .string: return self.readsText ? nil : kind == .string
        case .bool: return kind == .bool
        case .number: return kind != .string && kind != .bool
        }
    }

    /// Writes a scalar that may fit. Returns false for a number that is not a value of the type.
    fileprivate func write(_ scalar: borrowing JSONScalar, to memory: UnsafeMutableRawPointer) -> Bool {
        switch scalar.content {
        case .string(let text): memory.initializeMemory(as: String.self, to: String(checkedUTF8: text))
        case .bool(let value): memory.initializeMemory(as: Bool.self, to: value)
        case .number(let token): if token.fill(memory, as: self.kind) != nil { return false }
        }
        injectTag(memory)
        return true
    }
}
