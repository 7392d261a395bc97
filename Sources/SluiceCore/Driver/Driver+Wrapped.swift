// Values made from values of another type. A frame holds the inner value while the value is read; then a closure makes
// the result. Also handles keys without a field.

extension Driver {
    /// Begins the inner value from which the current value is made. Returns false at the limit of nested values.
    mutating func beginWrapped() -> Bool {
        let inner = shape.pointee.element.unsafelyUnwrapped
        return wrap(
            .conversion, around: inner, size: inner.pointee.size, alignmentMask: inner.pointee.alignmentMask)
    }

    /// Whether the limit allows one more wrapped value.
    var mayWrap: Bool { wrapCount < 2 * options.limits.depth + 4 }

    mutating func wrap(
        _ wrapping: DecodingFrame.Wrapping, around inner: UnsafePointer<TypeLayout>, size: Int, alignmentMask: Int
    ) -> Bool {
        guard mayWrap else { return false }
        push(.wrapped, shape: shape)
        top.pointee.detail = .wrapped(wrapping)
        wrapCount += 1
        top.pointee.base = arena.take(size, alignmentMask: alignmentMask)
        aim(at: inner, top.pointee.base)
        return true
    }

    /// Aims at memory other than a field or an element buffer.
    mutating func aim(at layout: UnsafePointer<TypeLayout>, _ address: UnsafeMutableRawPointer) {
        kind = layout.pointee.kind
        shape = layout
        target = address
        if let none = layout.pointee.none { address.copyMemory(from: none, byteCount: layout.pointee.size) }
    }

    mutating func failWrapping(at site: FailureSite) -> TokenAction {
        fail(.limitExceeded(.depth, limit: options.limits.depth), at: site)
    }

    /// Makes the value from its completed inner value.
    mutating func finishWrapped() -> TokenAction {
        let layout = top.pointee.shape
        let inner = top.pointee.base
        let payloadCase = top.pointee.payloadCase
        if let index = payloadCase, hasFailed(top) {
            // The payload lacks the part that failed.
            union(of: layout).cases[index].layout?.pointee.shape.takeUnretainedValue().destroy(inner, 1)
            return discard()
        }
        let isPatch = top.pointee.isPatch
        popWrapped()
        if isPatch { return finishPatch(inner.assumingMemoryBound(to: JSONValue.self).move()) }
        if let index = payloadCase { return finishPayload(index, inner) }
        if let text = layout.pointee.objectForm { return replayString(inner, as: text) }
        do {
            let key = top.pointee.extras?.takeUnretainedValue().key ?? ""
            try layout.withAdapter { try $0.convert(inner, target, { options }, key) }
        } catch let refused as RefusedValue {
            return fail(refused.kind, hint: refused.hint, at: .value)
        } catch {
            return fail(thrown: error, at: .value)
        }
        layout.injectTag(target)
        if top.pointee.form == .array { aimAtRun(top.pointee.cursor) }
        return completed()
    }

    /// Pops a wrapped frame before its value is made from the inner one.
    private mutating func popWrapped() {
        let closed = top
        arena.restore(closed.pointee.mark)
        wrapCount -= 1
        freeExtras(of: closed)
        top = closed - 1
        (kind, shape, target) = (
            closed.pointee.shape.pointee.kind, closed.pointee.shape, closed.pointee.target
        )
    }

    /// Reads the current value from the JSON in a completed string.
    private mutating func replayString(
        _ text: UnsafeMutableRawPointer, as layout: UnsafePointer<TypeLayout>
    ) -> TokenAction {
        let text = text.assumingMemoryBound(to: String.self).move()
        (kind, shape) = (layout.pointee.kind, layout)
        // The containers around the string count toward the limit.
        let depth = options.limits.depth - openContainers(above: frames, upTo: top)
        return replay(.text(Array(text.utf8), depth: depth), as: .value)
    }

    /// Begins an array or object on a path that selects every element. Makes the fields that collect its parts empty, so that
    /// they are not missing.
    mutating func beginGathering(_ table: UnsafePointer<KeyTable>) {
        let fields = table.pointee.fields
        for index in 0..<table.pointee.gatheringCount {
            let field = table.pointee.gathering.unsafelyUnwrapped[index]
            let info = fields[field]
            let address = top.pointee.base + info.offset
            if isFilled(field: field) { info.destroy(address) }
            info.shape.unsafelyUnwrapped.makeEmpty(address)
            setField(field)
        }
    }

    /// Ends an element on a path that selects every element. Fields of optional elements get nil for missing parts, so that the
    /// elements of several fields match by index.
    mutating func alignGathered(_ table: UnsafePointer<KeyTable>) {
        let owner = top.pointee.owner
        guard let plan = owner.pointee.table?.pointee.plan?.takeUnretainedValue() else { return }
        for index in 0..<table.pointee.alignedCount {
            let field = table.pointee.aligned.unsafelyUnwrapped[index]
            guard let witness = plan.fields[field].shape?.container,
                let none = plan.fields[field].element?.pointee.none,
                let size = plan.fields[field].element?.pointee.size
            else { continue }
            let container = owner.pointee.base + plan.fields[field].offset
            while witness.gather(container).count <= top.pointee.position {
                // The absorb moves the element out of its memory.
                withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 16) { memory in
                    let element = memory.baseAddress.unsafelyUnwrapped
                    element.copyMemory(from: none, byteCount: size)
                    _ = witness.absorb?(element, "", container)
                }
            }
        }
    }

    /// Handles an unknown key, if the options or the plan require this.
    mutating func unknownKey(_ key: Key, in table: UnsafePointer<KeyTable>) -> TokenAction {
        if table.pointee.hasRequired { unknownKeys.note(key, object: top.pointee.serial) }
        if let extra = table.pointee.extra { return extraKey(String(checkedUTF8: key.text), extra, table) }
        guard let policy = table.pointee.plan?.takeUnretainedValue().unknownKeys, policy != .ignore else {
            return .proceed
        }
        if policy != .reject, !isReporting { return .proceed }
        if isOwnKeyOfComposite(key) { return .proceed }
        let failure = Failure(.unknownKey(String(checkedUTF8: key.text)), at: .key)
        if policy == .reject { return handle(failure) }
        announce(failure, .report)
        return .attend
    }

    /// Whether a key in the payload of a flattened enum belongs to the enclosing model.
    private func isOwnKeyOfComposite(_ key: Key) -> Bool {
        if replayDepth == 0 { return false }
        var frame = top - 1
        while frame.pointee.form == .wrapped || frame.pointee.form == .union { frame -= 1 }
        guard frame.pointee.form == .object, let entry = frame.pointee.entry,
            let plan = frame.pointee.table?.pointee.plan?.takeUnretainedValue()
        else { return false }
        return plan.flattenedEnums.contains { $0.entry == entry }
            && plan.ownKeys.contains(String(checkedUTF8: key.text))
    }

    /// Aims at the dictionary of extra keys.
    private mutating func extraKey(
        _ key: String, _ extra: UnsafePointer<KeyEntry>, _ table: UnsafePointer<KeyTable>
    ) -> TokenAction {
        extras(of: top).key = key
        if rejectsDuplicates, !isFirst(key) { return failDuplicate(extra, key: key) }
        aim(extra)
        if !isFilled(extra) {
            table.pointee.fields[extra.pointee.field].makeDefault?(target)
            setField(extra)
        }
        if top.pointee.isMerged { (kind, shape) = (.replace, Self.existingValue) }
        return .proceed
    }
}
