// The cold side: what is told of a failure, and the clean-up.

extension Driver {
    /// What the value at hand was to be.
    var expectation: String {
        if kind == .node { return nodeExpectation }
        return shape.pointee.shape._withUnsafeGuaranteedRef { $0.expectation }
    }

    private var nodeExpectation: String {
        let table = top.pointee.entry?.pointee.child ?? top.pointee.table
        return table?.pointee.form == .object ? "an object" : "an array"
    }

    /// An issue with the value at hand (or, if not `atValue`, with the container on top), still without a place.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool = true) -> JSONIssue {
        var issue = JSONIssue(kind: kind, path: path(atValue: atValue))
        // The innermost field on the way; elements of arrays and dictionaries belong to theirs.
        var frame = top
        var isValue = atValue
        while true {
            if let table = frame.pointee.owner.pointee.table, let plan = table.pointee.plan?.takeUnretainedValue(),
                frame.pointee.form == .object || frame.pointee.form == .indexes || frame.pointee.form == .every
            {
                issue.model = plan.modelName
                if isValue, let entry = frame.pointee.entry, plan.fields.indices.contains(entry.pointee.field) {
                    let facts = plan.fields[entry.pointee.field]
                    issue.property = facts.name
                    issue.model = facts.modelName ?? plan.modelName
                }
                return issue
            }
            if frame == frames { return issue }
            frame -= 1
            isValue = true
        }
    }

    @inline(never)
    mutating func fail(_ kind: JSONIssue.Kind, at place: FailurePlace = .value) -> Answer {
        failure = issue(kind, atValue: place != .closing)
        return raise(at: place)
    }

    /// An error that came out of a closure: the user's, or of a text inside of the value at hand.
    @inline(never)
    mutating func fail(thrown error: any Error, at place: FailurePlace) -> Answer {
        var made = issue(.thrown, atValue: place != .closing)
        made.underlying = error
        if let nested = error as? NestedFailure {
            let inner = nested.error.issues[0]
            made.kind = inner.kind
            made.path.components += inner.path.components
            (made.property, made.model) = (inner.property ?? made.property, inner.model ?? made.model)
            (made.hint, made.underlying) = (inner.hint, inner.underlying)
        }
        failure = made
        return raise(at: place)
    }

    @inline(never)
    mutating func fail(
        _ problem: JSONScalarProblem, found: String, text: String? = nil, at place: FailurePlace
    ) -> Answer {
        let type = shape.pointee.shape._withUnsafeGuaranteedRef { $0.typeName }
        switch problem {
        case .mismatch: return fail(.typeMismatch(expected: expectation, found: found), at: place)
        case .outOfRange: return fail(.numberOutOfRange(type: type, text: text ?? "the number"), at: place)
        case .notAnInteger: return fail(.notAnInteger(type: type, text: text ?? "the number"), at: place)
        case .invalid(let why): return fail(.invalidValue(expected: expectation, reason: why), at: place)
        }
    }

    /// The model on top lacks required fields: all of them are named, and keys that look like one of them.
    @inline(never)
    mutating func failMissing(_ table: UnsafePointer<FieldTable>) -> Answer {
        let fields = table.pointee.fields
        var filled: Set<Int> = []
        forEachFilled(top) { filled.insert($0) }
        let failed = failedFields[top - frames] ?? []
        let missing = fields.indices.filter { index in
            !filled.contains(index) && !failed.contains(index)
                && (fields[index].isRequired || isRequiredInGroup(fields[index], filled))
        }
        if missing.isEmpty { return discard() }
        let keys = missing.map { fields[$0].paths.first?.description ?? fields[$0].name }
        var issue = issue(.missingKeys(keys), atValue: false)
        if missing.count == 1 {
            issue.property = fields[missing[0]].name
            issue.model = fields[missing[0]].modelName ?? issue.model
        }
        let unknown = unknownKeys.known(of: top.pointee.index)
        let hints = keys.compactMap { key in
            Spelling.nearest(to: key, among: unknown).map { "\"\($0)\" is there: is \"\(key)\" meant?" }
        }
        if !hints.isEmpty { issue.hint = hints.joined(separator: " ") }
        failure = issue
        return raise(at: .closing)
    }

    /// The key of an entry, as text.
    func name(of entry: UnsafePointer<FieldEntry>) -> String {
        guard entry.pointee.keyCount >= 0 else { return "[\(entry.pointee.elementIndex)]" }
        return String(
            decoding: UnsafeBufferPointer(start: entry.pointee.key, count: entry.pointee.keyCount), as: UTF8.self)
    }

    private func path(atValue: Bool) -> JSONPath {
        var path = JSONPath()
        var frame = frames
        while frame <= top {
            let isLast = frame == top
            switch frame.pointee.form {
            case .root, .wrapped: break
            case .object:
                if !isLast || atValue, let entry = frame.pointee.entry {
                    let key = frame.pointee.table?.pointee.extra == entry ? extraKeys[frame - frames] : nil
                    path.components.append(.key(key ?? name(of: entry)))
                }
            case .array:
                let end = isLast ? target : frame.pointee.cursor
                if !isLast || atValue {
                    path.components.append(
                        .index(
                            (end - frame.pointee.base) / frame.pointee.shape.pointee.runStride + frame.pointee.index
                        ))
                }
            case .pairs:
                if frame.pointee.hasKey, let text = frame.pointee.shape.pointee.shape.takeUnretainedValue().keyText
                {
                    path.components.append(.key(text(frame.pointee.cursor)))
                }
            case .indexes, .every:
                if !isLast || atValue { path.components.append(.index(frame.pointee.index)) }
            }
            frame += 1
        }
        return path
    }

    // MARK: Clean-up

    /// Destroys all that is half made, from the top down.
    mutating func destroyOpen() {
        destroyOpen(downTo: frames)
        if frames.pointee.mask & 1 != 0 {
            frames.pointee.shape.pointee.shape.takeUnretainedValue().destroy(frames.pointee.target, 1)
        }
    }

    /// Destroys what is half made above a frame, which then is on top.
    mutating func destroyOpen(downTo last: UnsafeMutablePointer<Frame>) {
        var isLast = true
        while top > last {
            let frame = top
            let shape = frame.pointee.shape.pointee.shape.takeUnretainedValue()
            switch frame.pointee.form {
            case .object where frame.pointee.table?.pointee.isUnion ?? false: destroyUnion(frame)
            case .object where frame.pointee.owner == frame:
                let fields = frame.pointee.table.unsafelyUnwrapped.pointee.fields
                forEachFilled(frame) { fields[$0].destroy(frame.pointee.base + fields[$0].offset) }
            case .array:
                let end = isLast ? target : frame.pointee.cursor
                let count = (end - frame.pointee.base) / frame.pointee.shape.pointee.runStride
                shape.destroyRun.unsafelyUnwrapped(frame.pointee.base, count)
            case .pairs:
                let count = (frame.pointee.cursor - frame.pointee.base) / frame.pointee.shape.pointee.runStride
                shape.destroyRun.unsafelyUnwrapped(frame.pointee.base, count)
                if frame.pointee.hasKey { shape.destroyKey.unsafelyUnwrapped(frame.pointee.cursor) }
            default: break
            }
            if frame.pointee.form == .wrapped { wrapCount -= 1 }
            isLast = false
            top = frame - 1
        }
    }
}
