// Failures: the issue that describes one, and its path.

extension Driver {
    /// A description of the expected value.
    var expectation: String {
        if kind == .node { return nodeExpectation }
        return shape.pointee.shape._withUnsafeGuaranteedRef { $0.expectation }
    }

    private var nodeExpectation: String {
        let table = top.pointee.entry?.pointee.child ?? top.pointee.table
        return table?.pointee.form.isOfObject == true ? "an object" : "an array"
    }

    /// Returns an issue without a location, for the current value or (if not `atValue`) the innermost container.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool = true) -> JSONIssue {
        var issue = JSONIssue(kind: kind, path: path(atValue: atValue))
        if case .pathNotFound(let missing) = kind { issue.hint = hint(for: missing) }
        // Finds the innermost field on the path. Elements of arrays and dictionaries belong to the field of the container.
        var frame = top
        var isValue = atValue
        while true {
            if let table = frame.pointee.owner.pointee.table, let plan = table.pointee.plan?.takeUnretainedValue(),
                frame.pointee.isNode || frame.pointee.form == .union
            {
                issue.model = plan.modelName
                if isValue, !isReplayingParts(at: frame), let entry = frame.pointee.entry,
                    plan.fields.indices.contains(entry.pointee.field)
                {
                    let info = plan.fields[entry.pointee.field]
                    issue.property = info.name
                    issue.model = info.modelName ?? plan.modelName
                }
                return issue
            }
            if frame == frames { return issue }
            frame -= 1
            isValue = true
        }
    }

    /// Returns a hint if a key of the root object resembles the first key of the path.
    private func hint(for path: JSONPath) -> String? {
        guard case .key(let key)? = path.components.first else { return nil }
        return Spelling.nearest(to: key, among: unknownKeys.known(of: 0)).map {
            "\"\($0)\" is similar to \"\(key)\""
        }
    }

    /// Returns the issue of a failure. Called only if someone receives the issue, because paths and hints cost time.
    func issue(of failure: Failure) -> JSONIssue {
        var issue = issue(failure.kind, atValue: failure.site != .closingBracket && !failure.isOfUnknownKey)
        issue.underlying = failure.underlying
        issue.hint = failure.hint
        switch failure.kind {
        case .missingKeys(let keys):
            if let field = failure.field, let info = top.pointee.table?.pointee.fields[field] {
                issue.property = info.name
                issue.model = info.modelName ?? issue.model
            }
            let unknown = unknownKeys.known(of: top.pointee.serial)
            let hints = keys.compactMap { key in
                Spelling.nearest(to: key, among: unknown).map { "\"\($0)\" is similar to \"\(key)\"" }
            }
            if !hints.isEmpty { issue.hint = hints.joined(separator: ", ") }
        case .unknownKey(let key):
            issue.path.components.append(.key(key))
            if let table = top.pointee.table {
                let known = (0..<table.pointee.count).map { name(of: table.pointee.entries + $0) }
                issue.hint = Spelling.nearest(to: key, among: known).map { "did you mean \"\($0)\"?" }
            }
        default: break
        }
        return issue
    }

    // MARK: Failing

    @inline(never)
    mutating func fail(_ kind: JSONIssue.Kind, hint: String? = nil, at site: FailureSite = .value) -> TokenAction {
        var failure = Failure(kind, at: site)
        failure.hint = hint
        return handle(failure)
    }

    /// Fails with an error that user code threw.
    @inline(never)
    mutating func fail(thrown error: any Error, at site: FailureSite) -> TokenAction {
        var failure = Failure(.thrown, at: site)
        failure.underlying = error
        return handle(failure)
    }

    /// Fails a recorded value as a whole.
    mutating func fail(_ kind: JSONIssue.Kind, in recording: Recording) -> TokenAction {
        var failure = Failure(kind, at: .value)
        failure.recording = recording
        return handle(failure)
    }

    @inline(never)
    mutating func fail(
        _ problem: JSONModelError.ConversionFailure, found: String, text: String? = nil, at site: FailureSite
    ) -> TokenAction {
        let type = shape.pointee.shape._withUnsafeGuaranteedRef { $0.typeName }
        switch problem {
        case .mismatch: return fail(.typeMismatch(expected: expectation, found: found), at: site)
        case .outOfRange: return fail(.numberOutOfRange(type: type, text: text ?? "the number"), at: site)
        case .notAnInteger: return fail(.notAnInteger(type: type, text: text ?? "the number"), at: site)
        case .invalid(let why, let hint):
            return fail(.invalidValue(expected: expectation, reason: why), hint: hint, at: site)
        }
    }

    /// Fails the innermost model for its missing required fields. The issue names all of them.
    @inline(never)
    mutating func failMissing(_ table: UnsafePointer<KeyTable>) -> TokenAction {
        let fields = table.pointee.fields
        var filled: Set<Int> = []
        forEachFilled(top) { filled.insert($0) }
        let failed = top.pointee.extras?.takeUnretainedValue().failedFields ?? []
        let missing = fields.indices.filter { index in
            !filled.contains(index) && !failed.contains(index)
                && (fields[index].isRequired || isRequiredInGroup(fields[index], filled))
        }
        if missing.isEmpty { return discard() }
        let keys = missing.map { fields[$0].place?.description ?? fields[$0].name }
        var failure = Failure(.missingKeys(keys), at: .closingBracket)
        if missing.count == 1 { failure.field = missing[0] }
        return handle(failure)
    }

    /// Returns the key or index of an entry.
    func name(of entry: UnsafePointer<KeyEntry>) -> String {
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
            case .object, .union:
                // A flattened enum shares the object of the model, so its field adds no key to the path.
                if !isLast || atValue, let entry = frame.pointee.entry,
                    entry.pointee.keyCount >= 0 || entry.pointee.isAbsorbed
                {
                    let extras = frame.pointee.extras?.takeUnretainedValue()
                    let key = frame.pointee.table?.pointee.extra == entry ? extras?.key : nil
                    path.components.append(.key(key ?? name(of: entry)))
                }
            case .update, .members:
                if !isLast || atValue, let key = frame.pointee.extras?.takeUnretainedValue().key {
                    path.components.append(.key(key))
                }
            case .array:
                let end = isLast ? target : frame.pointee.cursor
                if !isLast || atValue {
                    let blocks = fullBlocks(of: frame) + [lastBlock(of: frame, to: end)]
                    let count = blocks.reduce(0) { $0 + $1.count }
                    path.components.append(.index(count + frame.pointee.dropped))
                }
            case .pairs:
                if frame.pointee.hasKey {
                    let key = frame.pointee.shape.withDictionary { $0.keys.text(frame.pointee.cursor) }
                    path.components.append(.key(key))
                }
            case .elements:
                if !isLast || atValue { path.components.append(.index(frame.pointee.elementIndex)) }
            case .indexes, .every:
                if !isLast || atValue { path.components.append(.index(frame.pointee.position)) }
            }
            frame += 1
        }
        return path
    }
}
