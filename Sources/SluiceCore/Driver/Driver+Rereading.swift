// Text that is read again in the middle of another: what was captured, and JSON in strings.

extension Driver {
    /// The verbatim text that was asked for.
    mutating func captured(_ bytes: [UInt8]) -> Answer {
        isCapturing = false
        switch capturedFor {
        case .tee: return readKept(bytes)
        case .union: return decideUnion(bytes)
        case .merging: return mergeCaptured(bytes)
        case .node: return decideUnion([UInt8(ascii: "{")] + bytes)
        default:
            kind = .raw
            target.initializeMemory(as: JSONRaw.self, to: JSONRaw(unchecked: bytes))
            shape.injectTag(target)
            return completed()
        }
    }

    /// A value that a hook is to see, or that is wanted whole and in parts.
    private mutating func readKept(_ bytes: [UInt8]) -> Answer {
        let entry = top.pointee.entry.unsafelyUnwrapped
        let base = top
        let index = top.pointee.index
        let outer = wholeEntry
        wholeEntry = entry
        kind = entry.pointee.shape.pointee.kind
        shape = entry.pointee.shape
        target = top.pointee.base + entry.pointee.offset
        let answer = readWhole(bytes)
        wholeEntry = outer
        guard entry.pointee.child != nil, answer != .stop else { return answer }
        if var failure {
            // Where the object around it goes on, its parts are looked at all the same.
            guard top == base, skipDepth == 0 else { return answer }
            failure.recovery = recovery
            innerIssues.append(failure)
            self.failure = nil
        }
        top.pointee.index = index
        top.pointee.entry = entry
        kind = .node
        target = top.pointee.base
        return replay(bytes, isPart: true)
    }

    private mutating func readWhole(_ bytes: [UInt8]) -> Answer {
        guard let facts = fieldFacts, let hook = facts.hook else { return replay(bytes) }
        let depth = top - frames
        askedFields[depth, default: []].insert(top.pointee.entry.unsafelyUnwrapped.pointee.field)
        do {
            let value = try parse(bytes)
            guard let other = try hook(value) else { return passed() }
            // Of the text as it stands, places are known.
            return other == value ? replay(bytes) : replay(other.text, isPlaced: false)
        } catch {
            return fail(thrown: error, at: .value)
        }
    }

    private func parse(_ bytes: [UInt8]) throws(JSONModelError) -> JSONValue {
        var plain = JSONModelDecoder()
        plain.source = .scanner
        plain.limits = decoder.limits
        plain.limits.document = .max
        return try plain.decode(JSONValue.self, from: bytes)
    }

    /// Hooks are asked for what is missing in the model on top, which is complete; nil to go on.
    mutating func askForMissing(_ plan: CompiledPlan, _ table: UnsafePointer<FieldTable>) -> Answer? {
        let asked = askedFields.removeValue(forKey: top - frames) ?? []
        for (index, facts) in plan.fields.enumerated() where !isFilled(field: index) && !asked.contains(index) {
            guard let hook = facts.hook, let entry = entry(of: index, in: table) else { continue }
            if let group = facts.group, !isThere(plan.groups[group]) { continue }
            top.pointee.entry = entry
            let value: JSONValue?
            do { value = try hook(nil) } catch { return fail(thrown: error, at: .closing) }
            guard let value else { continue }
            kind = entry.pointee.shape.pointee.kind
            shape = entry.pointee.shape
            target = top.pointee.base + entry.pointee.offset
            let answer = replay(value.text, at: .closing, isPlaced: false)
            if answer == .stop || failure != nil { return answer }
        }
        return nil
    }

    /// The entry that fills a field, wherever in a model's tables it is.
    private func entry(of field: Int, in table: UnsafePointer<FieldTable>) -> UnsafePointer<FieldEntry>? {
        for index in 0..<table.pointee.count {
            let entry = table.pointee.entries + index
            if entry.pointee.field == field { return entry }
            if let child = entry.pointee.child, let found = self.entry(of: field, in: child) { return found }
        }
        return nil
    }

    /// A string whose text is JSON is there.
    mutating func readString(_ text: UnsafeMutableRawPointer, as record: UnsafePointer<ShapeRecord>) -> Answer {
        let text = text.assumingMemoryBound(to: String.self).move()
        (kind, shape) = (record.pointee.kind, record)
        return replay(Array(text.utf8), isPlaced: false)
    }

    /// Reads a text as the value at hand.
    ///
    /// - Parameters:
    ///   - place: where the token is that makes it be read.
    ///   - isPlaced: whether it stands in the text around it as it is: its issues have places in it. Otherwise they are
    ///     where that token is.
    ///   - isPart: see `raise(at:isPart:)`.
    mutating func replay(
        _ bytes: [UInt8], at place: FailurePlace = .value, isPlaced: Bool = true, isPart: Bool = false
    ) -> Answer {
        let outer = replayBase
        let base = top
        let (known, outerPlaced) = (innerIssues, placedIssues)
        (innerIssues, placedIssues) = ([], [])
        replayBase = base
        var limits = decoder.limits
        limits.document = .max
        // What is open around it counts; of captured text it has been counted before.
        if !isPlaced { limits.depth -= openContainers(above: frames) }
        var source = ScannerSource(self, limits: limits)
        var error: JSONModelError?
        do throws(JSONModelError) {
            try bytes.withUnsafeBufferPointer { bytes throws(JSONModelError) in try source.run(bytes) }
        } catch let caught {
            error = caught
        }
        let isStopped = source.isStopped
        self = source.releaseSink()
        replayBase = outer
        var new = placedIssues
        for index in new.indices { new[index].settle(isPlaced: isPlaced) }
        // What is read twice may fail twice.
        new.removeAll { one in
            known.contains { $0.offset == one.offset && $0.path == one.path && $0.kind == one.kind }
        }
        innerIssues = known.isEmpty ? new : (known + new).sorted { $0.offset < $1.offset }
        placedIssues = outerPlaced
        guard isStopped else { return innerIssues.isEmpty ? .go : .report }
        guard var issue = error?.issues.first else { return .stop }
        unwind(to: base)
        issue.settle(isPlaced: isPlaced)
        failure = issue
        return raise(at: place, isPart: isPart)
    }
}

extension JSONIssue {
    /// Its place is one in a text that is read in the middle of another, or, if that stands nowhere, the beginning of it.
    fileprivate mutating func settle(isPlaced: Bool) {
        isInner = true
        if isPlaced { return }
        // The excerpt remains: it shows what the text around it does not.
        (offset, line, column) = (0, 1, 1)
    }
}
