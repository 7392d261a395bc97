// Models: the frame of a model, and the end of its object.

extension Driver {
    @inline(__always)
    mutating func pushModel() {
        push(.object)
        let layout = slot.layout
        beginModel(layout.keyTable, hasStorage: layout.hasStorage)
    }

    /// Begins the model on top.
    ///
    /// - Parameter hasStorage: Whether the model is made from storage.
    @inline(__always)
    mutating func beginModel(_ table: TableReference, hasStorage: Bool) {
        var table = table
        let serial = unknownKeys.beginObject()
        if learnedKeys.isWanted(serial) {
            table = learnedKeys.begin(table)
            top.table = table
        }
        top.guess = table.first
        if hasStorage { allocateStorage(table) }
        if table.extendedPresenceSize > 0 { allocateExtendedPresence(table.extendedPresenceSize) }
        if let template = table.template { top.base.copyMemory(from: template, byteCount: table.size) }
        top.state = .model(serial: serial)
        if table.isSpecial { top.flags = .isSpecial }
    }

    /// Allocates the storage from which the model on top is made.
    @inline(__always)
    mutating func allocateStorage(_ table: TableReference) {
        top.base = arena.allocate(table.size, alignmentMask: table.alignmentMask)
    }

    @inline(never)
    mutating func allocateExtendedPresence(_ count: Int) {
        top.extendedPresence = ExtendedPresence(zeroing: arena.allocate(count, alignmentMask: 7), count)
    }

    @inline(__always)
    mutating func endModel() -> TokenAction {
        let table = top.keyTable
        let filled = top.presenceBits
        if top.flags.contains(.isSpecial) { return endSpecial(table) }
        if table.required & ~filled != 0 { return failMissing(table) }
        if table.defaults & ~filled != 0 { fillDefaults(table) }
        let destination = top.destination
        if destination.layout.hasStorage { table.makeModel(from: top.base, at: destination.address) }
        destination.markPresent()
        return pop()
    }

    /// Fills the missing fields that have a default.
    @inline(never)
    mutating func fillDefaults(_ table: TableReference) {
        let (base, fields) = (top.base, table.fields)
        top.forEachMissingDefault(table) { fields[$0].makeDefault!(base + fields[$0].offset) }
    }

    // MARK: Ends that need more than a check of the presence bits of 64 fields

    @inline(never)
    mutating func endSpecial(_ table: TableReference) -> TokenAction {
        if let joined = table.joined { return endJoined(table, joined) }
        let plan = table.plan!
        var table = table
        if table == plan.restTable {
            table = plan.table
            top.table = table
        }
        if let action = failCandidates() { return action }
        let hasParts = plan.hasParts
        if hasParts, !plan.flattenedEnums.isEmpty {
            if let action = replayFlattenedEnum(of: plan) { return action }
        }
        if hasFailed(top) {
            return delivering(failMissing(table))
        }
        if plan.hasValueHooks, let action = askForMissing(plan, table) { return action }
        if !top.hasRequired(table) || hasParts && plan.groups.contains(where: { lacksRequired($0, plan) }) {
            return failMissing(table)
        }
        if hasParts { for group in plan.groups { finish(group, plan) } }
        fillDefaults(table)
        let (base, destination) = (top.base, top.destination)
        do {
            if hasParts {
                try session.withUserInfo {
                    for group in plan.groups where isPresent(group) {
                        for (offset, hooks) in group.hooks { try hooks.afterDecoding(base + offset) }
                    }
                    for (offset, hooks) in plan.flattenedHooks { try hooks.afterDecoding(base + offset) }
                }
            }
            // The model now owns the fields.
            top.clearAllFilled()
            if destination.layout.hasStorage {
                if let finish = top.uncommonState?.finishStorage {
                    finish(base, destination)
                } else {
                    table.makeModel(from: base, at: destination.address)
                }
            } else if base != destination.address {
                destination.address.copyMemory(from: base, byteCount: table.size)
            }
            destination.markPresent()
        } catch {
            // Every field is initialized, except the fields of flattened models that are nil.
            destroyFields(plan, base)
            top.clearAllFilled()
            return fail(thrown: error, at: .closingBracket)
        }
        do { try callHooks(plan, destination) } catch {
            destination.reset()
            return fail(thrown: error, at: .closingBracket)
        }
        top.freeUncommonState()
        return delivering(pop())
    }

    /// Calls the hooks of a model or an enum that has been made.
    func callHooks(_ plan: ResolvedPlan, _ slot: ValueSlot) throws {
        let hooks = plan.erasedPlan.hooks
        if !hooks.isEmpty { try session.withUserInfo { try hooks.afterDecoding(slot.address) } }
    }

    /// Destroys the fields of a complete model, except those of flattened models that are nil.
    private func destroyFields(_ plan: ResolvedPlan, _ base: UnsafeMutableRawPointer) {
        for info in plan.fields {
            // Uses the presence bits: an optional cannot be inspected after parts of it are destroyed.
            if let group = info.group, !isPresent(plan.groups[group]) { continue }
            info.destroy(base + info.offset)
        }
    }

    // MARK: Optional flattened models

    func isPresent(_ group: FieldGroup) -> Bool { group.fields.contains { isFilled(field: $0) } }

    private func lacksRequired(_ group: FieldGroup, _ plan: ResolvedPlan) -> Bool {
        isPresent(group) && group.fields.contains { plan.fields[$0].isNeededInGroup && !isFilled(field: $0) }
    }

    /// Whether a field is required because other fields of its flattened model are present.
    func isRequiredInGroup(_ info: FieldInfo, _ filled: Set<Int>) -> Bool {
        guard let group = info.group, info.isNeededInGroup, let plan = top.table?.plan else { return false }
        return plan.groups[group].fields.contains { filled.contains($0) }
    }

    /// Fills the defaults of a flattened model if any of its fields is present, otherwise sets the model to nil.
    private mutating func finish(_ group: FieldGroup, _ plan: ResolvedPlan) {
        let model = ValueSlot(address: top.base + group.offset, layout: group.layout)
        guard isPresent(group) else { return model.loadNil() }
        for field in group.fields where !isFilled(field: field) && plan.fields[field].defaultsWhenMissing {
            plan.fields[field].makeDefault?(top.base + plan.fields[field].offset)
        }
        model.markPresent()
    }
}
