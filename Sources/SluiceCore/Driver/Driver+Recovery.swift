// What becomes of a failure: mostly the parse ends. A lossy container drops the element, a default takes the value's
// place, or all issues are gathered: then what is half made is destroyed, and the rest of the value is passed over.

/// Where the token is, at which something failed.
enum FailurePlace {
    /// At a scalar, or behind a value that is complete.
    case value
    /// At a bracket that opens a container, for which there is no frame yet.
    case opening
    /// At a key.
    case key
    /// At the bracket that closes the container on top.
    case closing
}

/// How a failure was got over.
enum Recovery {
    case none
    /// An element was dropped.
    case dropped
    /// The field has its default, or is left as it is.
    case defaulted
    /// The issue is gathered, and the models around it are not finished.
    case gathered
    /// Nothing failed: a key is unknown.
    case noted
}

extension Driver {
    /// `failure` has come up.
    ///
    /// - Parameter isPart: whether it is of a part of the value at hand, which has been read as a whole: the value's own
    ///   default does not serve then.
    @inline(never)
    mutating func raise(at place: FailurePlace, isPart: Bool = false) -> Answer {
        guard let failure else { return .stop }
        var frame = place == .closing ? top - 1 : top
        let isKeyFault = place == .key && !frame.pointee.isPairs
        // Of a key that is refused, the object is at fault.
        if isKeyFault { frame -= 1 }
        while isReached(frame) {
            if !isPart || frame != top,
                let recovery = recovery(at: frame, from: failure, isDirect: frame == top && place != .closing)
            {
                return recover(to: frame, from: place, by: recovery)
            }
            if frame == frames { break }
            frame -= 1
        }
        guard case .collect = decoder.errors else { return .stop }
        frame = place == .closing ? top - 1 : top
        while isReached(frame), frame.pointee.form == .wrapped { frame -= 1 }
        guard isReached(frame) else { return .stop }
        return recover(to: frame, from: place, by: .gathered)
    }

    /// Whether a failure may be got over at a frame: what was open before captured text is the affair of the text
    /// around that.
    private func isReached(_ frame: UnsafeMutablePointer<Frame>) -> Bool { frame > (replayBase ?? frames - 1) }

    private func recovery(
        at frame: UnsafeMutablePointer<Frame>, from failure: JSONIssue, isDirect: Bool
    ) -> Recovery? {
        switch frame.pointee.form {
        case .array, .pairs: return frame.pointee.shape.pointee.isLossy ? .dropped : nil
        case .object, .indexes, .every:
            guard let facts = facts(of: frame) else { return nil }
            if facts.gathers || facts.isExtra { return facts.declared.isLossy ? .dropped : nil }
            if case .nullValue = failure.kind, isDirect { return nil }
            if facts.defaultsOnMismatch { return .defaulted }
            let mayStay = facts.defaultsWhenMissing || facts.record?.pointee.isOptional == true
            return mayStay && coercion(at: frame).keepsOnMismatch ? .defaulted : nil
        case .root, .wrapped: return nil
        }
    }

    /// The field that a frame's value at hand is for.
    private func facts(of frame: UnsafeMutablePointer<Frame>) -> FieldFacts? {
        guard let entry = frame.pointee.entry, let table = frame.pointee.owner.pointee.table,
            let plan = table.pointee.plan?.takeUnretainedValue(), plan.fields.indices.contains(entry.pointee.field)
        else { return nil }
        return plan.fields[entry.pointee.field]
    }

    /// Back to `frame`, whose value at hand fails.
    private mutating func recover(
        to frame: UnsafeMutablePointer<Frame>, from place: FailurePlace, by recovery: Recovery
    ) -> Answer {
        self.recovery = recovery
        let hadFrames = frame < top
        skipDepth = openContainers(above: frame) + (place == .opening ? 1 : 0) - (place == .closing ? 1 : 0)
        unwind(to: frame)
        kind = .skip
        switch frame.pointee.form {
        case .array:
            frame.pointee.cursor = hadFrames ? frame.pointee.cursor : target
            target = frame.pointee.cursor
            frame.pointee.index += 1
        case .pairs:
            if frame.pointee.hasKey {
                frame.pointee.shape.pointee.shape.takeUnretainedValue().destroyKey.unsafelyUnwrapped(
                    frame.pointee.cursor)
                frame.pointee.hasKey = false
            }
        case .object:
            // Nothing is expected while the rest is passed over.
            if let table = frame.pointee.table { frame.pointee.guess = table.pointee.entries + table.pointee.count }
        default: break
        }
        if recovery == .defaulted { useDefault() }
        if recovery == .gathered { markFailed(frame) }
        // At a key, the value is still to come.
        if skipDepth == 0, place != .key || hadFrames { _ = passed() }
        return .report
    }

    func openContainers(above frame: UnsafeMutablePointer<Frame>) -> Int {
        var count = 0
        var open = top
        while open > frame {
            if open.pointee.form != .wrapped { count += 1 }
            open -= 1
        }
        return count
    }

    /// Destroys what is half made above a frame, and gives its memory back.
    mutating func unwind(to frame: UnsafeMutablePointer<Frame>) {
        guard frame < top else { return }
        for depth in (frame - frames + 1)...(top - frames) {
            failedFields[depth] = nil
            extraKeys[depth] = nil
            askedFields[depth] = nil
        }
        let mark = (frame + 1).pointee.mark
        destroyOpen(downTo: frame)
        scratch.restore(mark)
        // Where the run on top ends, and not where something above it failed.
        if frame.pointee.form == .array { target = frame.pointee.cursor }
    }

    private mutating func useDefault() {
        guard let entry = top.pointee.entry, let facts = facts(of: top), !isFilled(entry) else { return }
        let address = top.pointee.owner.pointee.base + facts.offset
        if facts.defaultsOnMismatch {
            facts.makeDefault?(address)
            setField(entry)
            return
        }
        // It stays as it is where nothing has come. What failed half-way has left something there.
        if let record = facts.record, let none = record.pointee.none {
            address.copyMemory(from: none, byteCount: record.pointee.size)
        }
        // The candidates behind it are not asked for, as if they had come first.
        if entry.pointee.isRanked { setRank(entry) }
    }

    /// The value at hand of a frame fails, and so does every model that it is in.
    private mutating func markFailed(_ frame: UnsafeMutablePointer<Frame>) {
        var open = frame
        while open > frames {
            if open.pointee.form == .object || open.pointee.form == .indexes || open.pointee.form == .every {
                let owner = open.pointee.owner
                owner.pointee.isSpecial = true
                var fields = failedFields[owner - frames] ?? []
                // A node stands for each field below it.
                if let entry = open.pointee.entry { fields.formUnion(self.fields(below: entry)) }
                failedFields[owner - frames] = fields
            }
            open -= 1
        }
    }

    private func fields(below entry: UnsafePointer<FieldEntry>) -> [Int] {
        var fields = entry.pointee.field >= 0 ? [entry.pointee.field] : []
        guard let table = entry.pointee.child else { return fields }
        for index in 0..<table.pointee.count { fields += self.fields(below: table.pointee.entries + index) }
        return fields
    }

    /// The model on top is complete, and one of its values failed: it goes, and its own place in what holds it stays
    /// empty. That has been marked as failed with the value.
    mutating func discard() -> Answer {
        var below = top - 1
        while below.pointee.form == .wrapped { below -= 1 }
        unwind(to: below)
        switch below.pointee.form {
        case .array:
            target = below.pointee.cursor
            below.pointee.index += 1
        case .pairs where below.pointee.hasKey:
            below.pointee.shape.pointee.shape.takeUnretainedValue().destroyKey.unsafelyUnwrapped(
                below.pointee.cursor)
            below.pointee.hasKey = false
        default: break
        }
        kind = .skip
        return passed()
    }

    /// An issue that it had, now with its place; false to end the parse.
    mutating func noted(_ issue: JSONIssue) -> Bool {
        failure = nil
        if replayBase != nil {
            placedIssues.append(issue)
            placedIssues[placedIssues.count - 1].recovery = issue.recovery ?? recovery
            return true
        }
        if issue.recovery ?? recovery != .gathered {
            decoder.report?(issue)
            return true
        }
        gathered.append(issue)
        if case .collect(let limit) = decoder.errors { return gathered.count < limit }
        return false
    }

    mutating func takeInnerIssues() -> [JSONIssue] {
        if innerIssues.isEmpty { return [] }
        defer { innerIssues = [] }
        return innerIssues
    }

    // MARK: The conversions that hold for the value at hand

    var coercion: JSONCoercion { coercion(at: top) }

    private func coercion(at last: UnsafeMutablePointer<Frame>) -> JSONCoercion {
        var frame = last
        while frame > frames {
            if let table = frame.pointee.owner.pointee.table, let plan = table.pointee.plan?.takeUnretainedValue() {
                return facts(of: frame)?.coercion ?? plan.blueprint.options.coercion ?? decoder.coercion
            }
            frame -= 1
        }
        return decoder.coercion
    }
}

extension Frame {
    fileprivate var isPairs: Bool { form == .pairs }
}
