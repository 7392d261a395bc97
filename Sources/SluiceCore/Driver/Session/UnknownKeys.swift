/// The last few unknown keys, so that an error can suggest a misspelled one.
struct UnknownKeys: ~Copyable {
    private struct Slot {
        let object: Int
        let length: Int
        /// The bytes of the key, after this slot or in memory that lives as long as the driver.
        let bytes: UnsafePointer<UInt8>
    }

    private static var capacity: Int { 16 }
    private static var maximumLength: Int { 32 }
    private static var slotSize: Int { MemoryLayout<Slot>.size + maximumLength }
    /// The size of the memory in bytes.
    static var size: Int { capacity * slotSize }

    /// A ring of slots, each followed by the bytes of its key. The slots of noted keys are initialized.
    private let ring: UnsafeMutableRawPointer
    /// The number of keys noted so far.
    private var count = 0
    /// The number of models begun so far, which is the serial number of the innermost one.
    private var objectCount = 0

    /// - Parameter memory: Memory of ``size`` bytes, which the caller lends.
    init(in memory: UnsafeMutableRawPointer) { ring = memory }

    private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        (ring + (index & (Self.capacity &- 1)) &* Self.slotSize).assumingMemoryBound(to: Slot.self)
    }

    /// Begins a model, and returns its serial number.
    @inline(__always)
    mutating func beginObject() -> Int {
        objectCount &+= 1
        return objectCount
    }

    /// Continues the serial numbers of another driver.
    mutating func continueCount(of other: borrowing UnknownKeys) { objectCount = other.objectCount }

    /// Forgets the keys of the value before: keys outside of models have no serial number.
    @inline(__always)
    mutating func forget() { count = 0 }

    @inline(__always)
    mutating func note(_ key: Key, object: Int) {
        guard key.count <= Self.maximumLength else { return }
        let copy = UnsafeMutableRawPointer(slot(count) + 1)
        copy.storeBytes(of: key.head.littleEndian, as: UInt64.self)
        // Two words have the bytes of most keys, without a call.
        if key.count > 16 {
            copy.copyMemory(from: key.bytes, byteCount: key.count)
        } else if key.count > 8 {
            copy.storeBytes(of: key.last, toByteOffset: key.count &- 8, as: UInt64.self)
        }
        add(Slot(object: object, length: key.count, bytes: UnsafePointer(copy.assumingMemoryBound(to: UInt8.self))))
    }

    /// Notes a key whose bytes live as long as the driver.
    @inline(__always)
    mutating func note(kept key: Key, object: Int) {
        guard key.count <= Self.maximumLength else { return }
        add(Slot(object: object, length: key.count, bytes: key.bytes))
    }

    @inline(__always)
    private mutating func add(_ key: Slot) {
        slot(count).initialize(to: key)
        count &+= 1
    }

    /// Returns the unknown keys of an object, given its serial number.
    func known(of object: Int) -> [String] {
        (0..<min(count, Self.capacity)).map { slot($0) }.filter { $0.pointee.object == object }.map { slot in
            String(
                decoding: UnsafeBufferPointer(start: slot.pointee.bytes, count: slot.pointee.length), as: UTF8.self)
        }
    }
}

// Keys of a model's object that belong to no field.

extension Driver {
    /// Handles an unknown key, if the options or the plan require this.
    mutating func unknownKey(_ key: Key, in table: TableReference) -> TokenAction {
        if table.hasRequired { unknownKeys.note(key, object: top.serial) }
        if let extra = table.extra { return extraKey(key, extra, table) }
        return top.owner == top ? unreadKey(key) : lostKey(key, table)
    }

    /// Handles a key beside a path that the extra keys of the model cannot hold.
    private mutating func lostKey(_ key: Key, _ table: TableReference) -> TokenAction {
        // Only a model with extra keys looks at the keys beside paths.
        let extra = table.fields.first(where: \.isExtra)
        var failure = Failure(.unknownKey(String(checkedUTF8: key.text)), at: .key)
        var frame = top
        while frame.isNode, frame.form == .object, frame != top.owner { frame = frame.below }
        let isInArray = frame != top.owner
        let isIgnored = isInArray && top.owner.table?.plan?.unknownKeys != .reject
        guard extra?.declared.isLossy == true || isIgnored else {
            failure.issue.hint =
                isInArray
                ? "extra keys cannot hold a key in an array on a path"
                : "extra keys with values of type '\(extra?.element?.typeName ?? "")' cannot hold a key beside a path: '[String: JSONValue]' can"
            return handle(failure)
        }
        guard session.isReporting else { return .proceed }
        announce(failure, .report)
        return .handlePending
    }

    /// Handles a key of a model's or an enum's object that nothing reads, if the options require this.
    mutating func unreadKey(_ key: Key) -> TokenAction {
        guard let handling = handlingOfUnread(key) else { return .proceed }
        let failure = Failure(.unknownKey(String(checkedUTF8: key.text)), at: .key)
        if handling == .record { return handle(failure) }
        announce(failure, handling)
        return .handlePending
    }

    /// How unknown keys of the innermost model or enum are handled: rejected (`record`) or reported; nil if they are ignored.
    var handlingOfUnknownKeys: PendingIssue.Handling? {
        mutating get {
            switch top.table?.plan?.unknownKeys {
            case .reject: .record
            case .report: session.isReporting ? .report : nil
            case .ignore, nil: nil
            }
        }
    }

    /// The same for a key; nil if the key belongs to a part of the object around the innermost model or enum.
    mutating func handlingOfUnread(_ key: Key) -> PendingIssue.Handling? {
        guard let handling = handlingOfUnknownKeys, !isTagOfPayload(key), !isOwnKeyOfComposite(key) else {
            return nil
        }
        return handling
    }

    /// Whether a key is the tag of an enum whose payload has the members of the innermost object.
    private mutating func isTagOfPayload(_ key: Key) -> Bool {
        var frame = top.below
        while frame.form == .converted {
            if frame.payloadCase != nil, let union = frame.layout.union, union.tagging == .internal,
                let tag = union.tag, tag.matches(key)
            {
                return true
            }
            frame = frame.below
        }
        guard frame.form == .root, let tags = session.fragment?.tags else { return false }
        let name = String(checkedUTF8: key.text)
        return tags.contains { $0.hasSameCodeUnits(as: name) }
    }

    /// Whether a key in the object of a flattened enum belongs to the enclosing model, or to another of its enums.
    private mutating func isOwnKeyOfComposite(_ key: Key) -> Bool {
        if replayDepth == 0 { return false }
        var frame = top.enclosing
        while frame.form == .union {
            // The payload has an object of its own.
            if let union = frame.layout.union, union.tagging == .external || union.tagging == .adjacent {
                return false
            }
            frame = frame.enclosing
        }
        guard frame.form == .object, let entry = frame.entry, let plan = frame.table?.plan,
            let flattened = plan.flattenedEnums.first(where: { $0.entry == entry })
        else { return false }
        // A model that rejects unknown keys looks at them when its enums are complete.
        if plan.unknownKeys == .reject, handlingOfUnknownKeys == .report { return true }
        return plan.reads(String(checkedUTF8: key.text), besides: flattened)
    }

    // MARK: Keys that belong to nothing when the object is complete

    /// Reads the members that are keys of flattened enums, and that the cases of the enums do not read: extra keys, or else unknown keys of
    /// the innermost model. Returns nil without such members.
    mutating func replayRest(of recording: Recording, _ plan: ResolvedPlan) -> TokenAction? {
        guard let rest = plan.restTable, top.makeUncommonState().askedFields.insert(Self.rest).inserted else {
            return nil
        }
        var known = plan.ownKeys
        for flattened in plan.flattenedEnums {
            let (layout, keys) = (flattened.entry.layout, recording.object { plan.offers($0, to: flattened) }.keys)
            var members = MemberNames()
            if isFilled(field: flattened.field) {
                members.add(layout, at: top.base + flattened.entry.offset)
            } else if !layout.isOptional || flattened.isPresent(in: keys) {
                // The case of an enum that failed is not known.
                known.formUnion(flattened.keys.names)
            }
            known.formUnion(members.names)
            if rest.extra == nil,
                members.unknownKeys.isAtLeast(plan.unknownKeys) || flattened.isUnknownCase(in: recording)
            {
                known.formUnion(flattened.keys.names)
            }
        }
        let object = recording.object { key in
            let count = plan.flattenedEnums.count { $0.keys.names.contains(MemberName(key)) }
            return !known.contains(MemberName(key)) && (rest.extra == nil ? count == 1 : count > 0)
        }
        guard !object.keys.isEmpty else { return nil }
        (top.table, top.guess) = (rest, rest.first)
        return replay(.recording(object.allMembers), as: .members, base: index(of: top) - 1, at: .closingBracket)
    }

    /// The number that stands for all fields with keys of flattened enums.
    private static var rest: Int { -1 }

    /// Handles the recorded value of a case without a value. The members of an object are unknown keys.
    mutating func noValueRecorded(_ recording: Recording) -> TokenAction {
        disposition = .skip
        guard let handling = handlingOfUnknownKeys, let entry = top.entry else { return endWithoutValue() }
        let frame = index(of: top)
        for (name, part) in recording.keyParts {
            let path = JSONPath([.key(self.name(of: entry))])
            var failure = Failure(JSONIssue(kind: .unknownKey(name), path: path), at: .value)
            failure.part = part
            if handling == .report {
                announce(failure, .report)
                continue
            }
            let action = handle(failure)
            guard action == .handlePending, index(of: top) == frame else { return action }
        }
        return delivering(endWithoutValue())
    }

    /// Returns the action after a token, after which announced issues are delivered.
    mutating func delivering(_ action: TokenAction) -> TokenAction {
        action == .proceed && session.issues.isPending ? .handlePending : action
    }

    /// Targets a value of the dictionary of extra keys.
    private mutating func extraKey(_ text: Key, _ extra: EntryReference, _ table: TableReference) -> TokenAction {
        let key = sharedStrings.string(text)
        top.makeUncommonState().key = key
        if session.rejectsDuplicates, !isFirst(key) { return failDuplicate(extra, key: key) }
        let container = top.base + extra.offset
        if !isFilled(extra) {
            let info = table.fields[extra.field]
            info.makeDefault?(container)
            setField(extra)
            reserveAdditions(to: info, at: container)
            session.additionCount = 0
        } else if top.owner == top, text.text.mayHaveEquivalents,
            table.fields[extra.field].shape?.members?.hasEquivalent(container, key) == true
        {
            return failDuplicate(extra, key: key)
        }
        targetAddition(extra)
        return .proceed
    }
}

extension FlattenedEnum {
    /// Whether the tag in a recorded object names no case. The keys beside an internal tag are then not known.
    fileprivate func isUnknownCase(in recording: Recording) -> Bool {
        guard case .internal = tagging, let union = entry.layout.union, let tag = union.tag,
            let name = recording.tag(tag)?.name
        else { return false }
        return union.find(name) == nil
    }
}
