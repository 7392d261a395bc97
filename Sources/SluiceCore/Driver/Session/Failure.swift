/// The token at which a failure occurred.
enum FailureSite {
    /// A scalar, or the end of a complete value.
    case value
    /// The bracket that opens a container. Its frame does not exist yet.
    case openingBracket
    /// A key.
    case key
    /// The bracket that closes the innermost container.
    case closingBracket
}

/// A value or key that cannot be used: the reason, and the token at which the failure was found.
///
/// `Driver.handle(_:)` consumes a failure. No other state records that the parse has failed.
struct Failure {
    /// The reason. The path begins at the value at fault. The model is nil, unless a value that was decoded by itself failed.
    var issue: JSONIssue
    let site: FailureSite
    /// The number of the failing field, if the path does not lead to it.
    var field: Int?
    /// The recorded value that failed as a whole. The issue is located at the value's start.
    var recording: Recording?
    /// The recorded token at fault, if a part of the value failed.
    var part: RecordedPart?
    /// Whether the input of the innermost replay is not JSON, so that nothing in the replay can recover.
    var isOfReplayedText = false
    /// The issue with its location, if the failure was deferred.
    var deferred: PendingIssue?

    var kind: JSONIssue.Kind { issue.kind }

    /// Whether the failure is that of a key of the current object.
    var isOfUnknownKey: Bool { if case .unknownKey = kind { issue.model == nil } else { false } }

    init(_ issue: JSONIssue, at site: FailureSite, in recording: Recording? = nil) {
        self.issue = issue
        self.site = site
        self.recording = recording
        // The source locates the issue of the driver's own input.
        (self.issue.location, self.issue.excerpt, self.issue.elementIndex) = (JSONLocation(), "", nil)
    }

    init(_ kind: JSONIssue.Kind, at site: FailureSite) { self.init(JSONIssue(kind: kind), at: site) }

    /// Creates the failure of a deferred issue, at the end of its object.
    init(deferred issue: PendingIssue) {
        self.init(JSONIssue(kind: issue.issue.kind, underlying: issue.issue.underlying), at: .closingBracket)
        deferred = issue
    }
}

/// How the driver recovers from a failure.
enum Recovery {
    /// Drops the element from its container.
    case dropElement
    /// Continues without the value of fields.
    case leaveFields
    /// Records the issue. The enclosing models are not completed.
    case recordIssue
    /// Tries the next case of an untagged enum.
    case tryNextCase
    /// Reads the value of an untagged enum again, which is then recorded.
    case readAgain
}

// MARK: The issue of a failure

extension Driver {
    /// A description of the expected value.
    var expectation: String {
        if disposition == .descend { return nodeExpectation }
        // Only an enum without a tag can be a string.
        if !slot.layout.readsText, let union = slot.layout.resolvedUnion {
            switch union.tagging {
            case .internal, .adjacent: return "an object"
            case .untagged: return "one of the cases of \(unionName)"
            case .external: break
            }
        }
        return slot.layout.expectation
    }

    /// The name of the enum of the current value.
    var unionName: String {
        var shape = slot.layout.shape
        while let payload = shape.payload { shape = payload }
        return shape.typeName
    }

    private var nodeExpectation: String {
        let table = top.entry?.child ?? top.table
        return table?.form.isOfObject == true ? "an object" : "an array"
    }

    /// Returns an issue without a location, for the current value or (if not `atValue`) the innermost container.
    func issue(_ kind: JSONIssue.Kind, atValue: Bool) -> JSONIssue {
        var issue = JSONIssue(kind: kind, path: path(atValue: atValue))
        if case .pathNotFound(let missing) = kind { issue.hint = hint(for: missing) }
        // Finds the innermost field on the path. Elements of arrays and dictionaries belong to the field of the container.
        var frame = top
        var isValue = atValue
        while true {
            if frame.isNode || frame.form == .union, let plan = frame.ownerPlan {
                issue.model = plan.modelName
                if isValue, !isReplayingParts(at: frame), let info = frame.fieldInfo {
                    issue.property = info.name
                    issue.model = info.modelName ?? plan.modelName
                }
                return issue
            }
            if frame == root { return issue }
            frame = frame.below
            isValue = true
        }
    }

    /// Returns a hint if a key of the root object resembles the first key of the path, or if the path is a JSON Pointer.
    private func hint(for path: JSONPath) -> String? {
        guard case .key(let key)? = path.components.first else { return nil }
        if let similar = Spelling.nearest(to: key, among: unknownKeys.known(of: 0)) {
            return Spelling.hint(similar, for: key)
        }
        return key.hasPrefix("/") ? "write a path as data.items[0], not as a JSON Pointer" : nil
    }

    /// Returns the issue of a failure. Called only if someone receives the issue, because paths and hints cost time.
    func issue(of failure: Failure) -> JSONIssue {
        let value = issue(failure.kind, atValue: failure.site != .closingBracket && !failure.isOfUnknownKey)
        var issue = failure.issue
        issue.path.components = value.path.components + issue.path.components
        if issue.model != nil { return issue }
        (issue.model, issue.property) = (value.model, value.property)
        switch failure.kind {
        case .missingKeys(let keys):
            // A tag, and a key of a value that another module makes, are not those of a model whose unknown keys were noted.
            guard top.form == .object, failure.site == .closingBracket else { break }
            if let field = failure.field, let info = top.table?.fields[field] {
                issue.property = info.name
                issue.model = info.modelName ?? issue.model
            }
            // No spelling of a key that `only` does not list would be read.
            if issue.hint != nil { break }
            let unknown = unknownKeys.known(of: top.serial)
            let hints = keys.compactMap { key in
                Spelling.nearest(to: key, among: unknown).map { Spelling.hint($0, for: key) }
            }
            if !hints.isEmpty { issue.hint = hints.joined(separator: ", ") }
        case .thrown where failure.site == .closingBracket:
            // The path of a hook that names a value of its model.
            let info = top.table?.fields.first { $0.paths.contains(failure.issue.path) }
            if let info { (issue.property, issue.model) = (info.name, info.modelName ?? issue.model) }
        case .unknownKey(let key):
            issue.path.components.append(.key(key))
            if let table = top.table, failure.issue.path.components.isEmpty {
                let known = table.allEntries.map { name(of: $0) }
                // The table also has the keys of the other cases of flattened enums.
                let nearest = known.contains(key) ? nil : Spelling.nearest(to: key, among: known)
                if let nearest { issue.hint = "did you mean \"\(nearest)\"?" }
            }
        default: break
        }
        return issue
    }

    // MARK: Failing

    @inline(never)
    mutating func fail(_ kind: JSONIssue.Kind, hint: String? = nil, at site: FailureSite = .value) -> TokenAction {
        handle(Failure(JSONIssue(kind: kind, hint: hint), at: site))
    }

    /// Fails a key of a container, whose frame does not hold the key.
    @inline(never)
    mutating func fail(_ kind: JSONIssue.Kind, atKey key: String) -> TokenAction {
        handle(Failure(JSONIssue(kind: kind, path: JSONPath([.key(key)])), at: .key))
    }

    /// Fails with the issue of a part of the current value.
    ///
    /// - Parameters:
    ///   - issue: The issue, whose path begins at the value.
    ///   - token: The recorded token at fault; nil for the current token.
    mutating func fail(_ issue: JSONIssue, at token: RecordedPart? = nil) -> TokenAction {
        var failure = Failure(issue, at: .value)
        failure.part = token
        return handle(failure)
    }

    /// Fails with an error that user code threw.
    @inline(never)
    mutating func fail(thrown error: any Error, at site: FailureSite) -> TokenAction {
        handle(Failure(JSONIssue(thrown: error), at: site))
    }

    /// Fails a recorded value as a whole.
    mutating func fail(_ kind: JSONIssue.Kind, in recording: Recording) -> TokenAction {
        handle(Failure(JSONIssue(kind: kind), at: .value, in: recording))
    }

    @inline(never)
    mutating func fail(
        _ problem: JSONModelError.ConversionFailure, found: String, text: String? = nil, hint: String? = nil,
        at site: FailureSite
    ) -> TokenAction {
        let layout = slot.layout
        switch problem {
        case .mismatch: return fail(.typeMismatch(expected: expectation, found: found), hint: hint, at: site)
        case .outOfRange:
            return fail(.numberOutOfRange(type: layout.typeName, text: text ?? "the number"), at: site)
        case .notAnInteger:
            return fail(.notAnInteger(type: layout.typeName, text: text ?? "the number"), at: site)
        case .invalid(let why, let hint):
            return fail(.invalidValue(expected: expectation, reason: why), hint: hint, at: site)
        }
    }

    /// Fails the innermost model for its missing required fields. The issue names all of them.
    @inline(never)
    mutating func failMissing(_ table: TableReference) -> TokenAction {
        let fields = table.fields
        var filled: Set<Int> = []
        top.forEachFilled { filled.insert($0) }
        let failed = top.uncommonState?.failedFields ?? []
        let missing = fields.indices.filter { index in
            !filled.contains(index) && !failed.contains(index)
                && (fields[index].isRequired || isRequiredInGroup(fields[index], filled))
        }
        if missing.isEmpty { return discard() }
        func key(_ field: Int) -> String { fields[field].keyPath?.description ?? fields[field].name }
        var failure = Failure(.missingKeys(missing.map(key)), at: .closingBracket)
        if missing.count == 1 { failure.field = missing[0] }
        // The keys of fields that `only` leaves out may be in the input.
        let unlisted = missing.filter { fields[$0].paths.isEmpty }.map { "\"\(key($0))\"" }
        if !unlisted.isEmpty { failure.issue.hint = "not listed in only: \(unlisted.joined(separator: ", "))" }
        return handle(failure)
    }

    /// Returns the key of an entry in the table of an object.
    func name(of entry: EntryReference) -> String { String(decoding: entry.ownKey.text, as: UTF8.self) }

    /// Returns the path of the current value or (if not `atValue`) of the innermost container.
    ///
    /// - Parameters:
    ///   - base: The frame at whose value the path begins; nil for the whole path.
    ///   - end: The frame at whose value the path ends; nil for the whole path.
    func path(atValue: Bool, from base: FrameReference? = nil, to end: FrameReference? = nil) -> JSONPath {
        var path = JSONPath()
        for frame in frames(above: base ?? root) {
            if frame == end { break }
            switch frame.form {
            case .root, .converted: break
            case .object, .union:
                // An issue that is not at a value is one of the innermost object. A flattened enum shares the object of the
                // model, so its field adds no key to the path.
                if frame != top || atValue, let entry = frame.entry, !entry.isFlattenedEnum {
                    let key = frame.table?.extra == entry ? frame.uncommonState?.key : nil
                    path.components.append(.key(key ?? name(of: entry)))
                }
            case .anyKey:
                if frame != top || atValue, let key = frame.uncommonState?.key { path.components.append(.key(key)) }
            case .array: path.components.append(.index(position(inArray: frame)))
            case .pairs:
                if frame.flags.contains(.hasKey) {
                    let key = frame.layout.withDictionary { $0.keys.text(frame.cursor) }
                    path.components.append(.key(key))
                }
            case .indexes, .anyIndex: path.components.append(.index(frame.position))
            }
        }
        return path
    }
}
