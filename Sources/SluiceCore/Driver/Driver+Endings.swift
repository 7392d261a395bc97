// Models whose end needs more than a check of the presence bits of 64 fields: models with more fields, hooks, flattened
// models, or failed values.

extension Driver {
    @inline(never)
    mutating func endSpecial(_ table: UnsafePointer<KeyTable>) -> TokenAction {
        let plan = table.pointee.plan.unsafelyUnwrapped.takeUnretainedValue()
        if let action = failCandidates() { return action }
        if !plan.flattenedEnums.isEmpty, let action = readFlattenedEnum(of: plan) { return action }
        if hasFailed(top) {
            let action = failMissing(table)
            return action == .proceed && !pendingIssues.isEmpty ? .attend : action
        }
        if plan.hasValueHooks, let action = askForMissing(plan, table) { return action }
        if table.pointee.required & ~top.pointee.presenceBits != 0 || !extraRequiredAreThere(table)
            || plan.groups.contains(where: { lacksRequired($0, plan) })
        {
            return failMissing(table)
        }
        for group in plan.groups { finish(group, plan) }
        fillDefaults(table)
        let layout = top.pointee.shape
        let shape = layout.pointee.shape.takeUnretainedValue()
        let (base, target) = (top.pointee.base, top.pointee.target)
        do {
            for group in plan.groups where isPresent(group) {
                for (offset, hooks) in group.hooks { try hooks.afterDecoding(base + offset) }
            }
            for (offset, hooks) in plan.flattenedHooks { try hooks.afterDecoding(base + offset) }
            forgetFields()
            if layout.pointee.hasStorage { finishStorage(layout) }
            layout.injectTag(target)
        } catch {
            // Every field is initialized, except the fields of flattened models that are nil.
            destroyFields(plan, base)
            forgetFields()
            return fail(thrown: error, at: .closingBracket)
        }
        do { for hooks in plan.erasedPlan.hooks { try hooks.afterDecoding(target) } } catch {
            shape.destroy(target, 1)
            if let none = layout.pointee.none { target.copyMemory(from: none, byteCount: layout.pointee.size) }
            return fail(thrown: error, at: .closingBracket)
        }
        freeExtras(of: top)
        return pop()
    }

    /// Destroys the fields of a complete model, except those of flattened models that are nil.
    private func destroyFields(_ plan: ResolvedPlan, _ base: UnsafeMutableRawPointer) {
        for info in plan.fields {
            // Uses the presence bits: an optional cannot be inspected after parts of it are destroyed.
            if let group = info.group, !isPresent(plan.groups[group]) { continue }
            info.destroy(base + info.offset)
        }
    }

    /// Clears the presence bits: the model now owns the fields.
    private mutating func forgetFields() {
        top.pointee.presenceBits = 0
        guard let table = top.pointee.table, top.pointee.furtherBits != nil else { return }
        for word in 0..<table.pointee.extraWords { furtherWords(top)[word] = 0 }
    }

    // MARK: Optional flattened models

    func isPresent(_ group: FieldGroup) -> Bool { group.fields.contains { isFilled(field: $0) } }

    private func lacksRequired(_ group: FieldGroup, _ plan: ResolvedPlan) -> Bool {
        isPresent(group) && group.fields.contains { plan.fields[$0].isNeededInGroup && !isFilled(field: $0) }
    }

    /// Whether a field is required because other fields of its flattened model are present.
    func isRequiredInGroup(_ info: FieldInfo, _ filled: Set<Int>) -> Bool {
        guard let group = info.group, info.isNeededInGroup,
            let plan = top.pointee.table?.pointee.plan?.takeUnretainedValue()
        else { return false }
        return plan.groups[group].fields.contains { filled.contains($0) }
    }

    /// Fills the defaults of a flattened model if any of its fields is present, otherwise sets the model to nil.
    private mutating func finish(_ group: FieldGroup, _ plan: ResolvedPlan) {
        let address = top.pointee.base + group.offset
        guard isPresent(group) else {
            address.copyMemory(
                from: group.layout.pointee.none.unsafelyUnwrapped, byteCount: group.layout.pointee.size)
            return
        }
        for field in group.fields where !isFilled(field: field) && plan.fields[field].defaultsWhenMissing {
            plan.fields[field].makeDefault?(top.pointee.base + plan.fields[field].offset)
        }
        group.layout.injectTag(address)
    }
}

extension FieldInfo {
    /// Whether the field is required when its flattened model is present.
    fileprivate var isNeededInGroup: Bool {
        shape != nil && layout?.pointee.isOptional != true && !defaultsWhenMissing
    }
}
