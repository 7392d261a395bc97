// Values that are made of values of another type: a frame of its own holds the one while it is read, and a closure makes
// the other of it. And keys that no field has.

extension Driver {
    /// The value at hand is to be made of another, which comes first: aims at that. False if there is no room for it.
    mutating func beginWrapped() -> Bool {
        guard wrapCount < decoder.limits.depth + 4 else { return false }
        let inner = shape.pointee.element.unsafelyUnwrapped
        wrap(around: inner, size: inner.pointee.size, alignmentMask: inner.pointee.alignmentMask)
        return true
    }

    mutating func wrap(around inner: UnsafePointer<ShapeRecord>, size: Int, alignmentMask: Int) {
        push(.wrapped, shape: shape)
        wrapCount += 1
        top.pointee.base = scratch.take(size, alignmentMask: alignmentMask)
        aim(at: inner, top.pointee.base)
    }

    /// Points at a value of a shape, elsewhere than in a field or a run.
    mutating func aim(at record: UnsafePointer<ShapeRecord>, _ address: UnsafeMutableRawPointer) {
        kind = record.pointee.kind
        shape = record
        target = address
        if let none = record.pointee.none { address.copyMemory(from: none, byteCount: record.pointee.size) }
    }

    mutating func failWrapping(at place: FailurePlace) -> Answer {
        fail(.limitExceeded(.depth, limit: decoder.limits.depth), at: place)
    }

    /// The value that another is made of is there.
    mutating func finishWrapped() -> Answer {
        let closed = top
        let record = closed.pointee.shape
        let inner = closed.pointee.base
        scratch.restore(closed.pointee.mark)
        wrapCount -= 1
        top = closed - 1
        if top.pointee.form == .array { aimAtRun(top.pointee.cursor) }
        (kind, shape, target) = (record.pointee.kind, record, closed.pointee.target)
        if let text = record.pointee.objectForm { return readString(inner, as: text) }
        do {
            if record.pointee.kind == .union {
                union(of: record).cases[closed.pointee.index].declared.make(inner, target)
            } else {
                try record.pointee.shape.takeUnretainedValue().convert.unsafelyUnwrapped(
                    inner, target, decoder, extraKeys[top - frames] ?? "")
            }
        } catch let problem as JSONScalarProblem {
            return fail(problem, found: "it", at: .value)
        } catch {
            return fail(thrown: error, at: .value)
        }
        record.injectTag(target)
        if top.pointee.form == .array { aimAtRun(top.pointee.cursor) }
        return completed()
    }

    /// An array of which every element is wanted begins: what gathers its parts is empty from now on, not missing.
    mutating func beginGathering(_ table: UnsafePointer<FieldTable>) {
        let fields = table.pointee.fields
        for index in 0..<table.pointee.gatheringCount {
            let field = table.pointee.gathering.unsafelyUnwrapped[index]
            let facts = fields[field]
            let address = top.pointee.base + facts.offset
            if isFilled(field: field) { facts.destroy(address) }
            facts.shape.unsafelyUnwrapped.makeEmpty?(address)
            setField(field)
        }
    }

    /// A key that the table does not have, where that matters.
    mutating func lookAt(_ key: Key, unknownIn table: UnsafePointer<FieldTable>) -> Answer {
        if table.pointee.isUnion { return unknownUnionKey(String(checkedUTF8: key.text)) }
        if table.pointee.hasRequired { unknownKeys.note(key, object: top.pointee.index) }
        if let extra = table.pointee.extra {
            extraKeys[top - frames] = String(checkedUTF8: key.text)
            if rejectsDuplicates, !isFirst(String(checkedUTF8: key.text), extra) {
                kind = .skip
                return raise(at: .key)
            }
            aim(extra)
            if !isFilled(extra) {
                table.pointee.fields[extra.pointee.field].makeDefault?(target)
                setField(extra)
            }
            return .go
        }
        guard let policy = table.pointee.plan?.takeUnretainedValue().unknownKeys, policy != .ignore else {
            return .go
        }
        let text = String(checkedUTF8: key.text)
        var made = issue(.unknownKey(text), atValue: false)
        made.path.components.append(.key(text))
        let known = (0..<table.pointee.count).map { name(of: table.pointee.entries + $0) }
        made.hint = Spelling.nearest(to: text, among: known).map { "is \"\($0)\" meant?" }
        failure = made
        if policy == .reject { return raise(at: .key) }
        recovery = .noted
        return .report
    }
}
