// Enums with values. The object's own frame takes the tag; as soon as that is known the value is read straight into
// scratch, and the enum is made of it. Where the tag comes late, the text is kept up to the object's end and then read
// with the case known.

/// The case of an enum, as far as it is known before its text is read.
enum UnionCase: Equatable {
    case unknown
    /// The text has been looked at as a whole: it is not to be kept again.
    case looked
    case known(Int)
}

extension Driver {
    func union(of record: UnsafePointer<ShapeRecord>) -> CompiledUnion {
        record.pointee.table.unsafelyUnwrapped.pointee.plan.unsafelyUnwrapped.takeUnretainedValue().union
            .unsafelyUnwrapped
    }

    /// Whether the enum at hand may be any JSON, so that its text is kept and looked at as a whole.
    var takesAnything: Bool { kind == .union && knownCase == .unknown && union(of: shape).takesWhole }

    /// Bits of an enum's frame.
    private static var payloadBit: UInt64 { 1 }

    // MARK: `{`

    mutating func beginUnion() -> Answer {
        if takesAnything { return beginCapture() }
        let union = union(of: shape)
        let known = knownCase
        knownCase = .unknown
        if case .known(let index) = known, union.hasPayloadAtOnce(index) { return beginPayload(index, union) }
        push(.object, shape: shape)
        top.pointee.base = scratch.take(union.size, alignmentMask: 63)
        top.pointee.guess = top.pointee.table.unsafelyUnwrapped.pointee.entries
        top.pointee.isSpecial = true
        top.pointee.index = -1
        if case .known(let index) = known { top.pointee.index = index }
        return .go
    }

    /// The object at hand is the value of a case.
    private mutating func beginPayload(_ index: Int, _ union: CompiledUnion) -> Answer {
        wrapPayload(index, union)
        return startObject()
    }

    private mutating func wrapPayload(_ index: Int, _ union: CompiledUnion) {
        wrap(around: union.cases[index].record.unsafelyUnwrapped, size: union.size, alignmentMask: 63)
        top.pointee.index = index
    }

    // MARK: Keys

    /// A key of the enum's own: a case, or the tag or content.
    mutating func aimUnion(_ entry: UnsafePointer<FieldEntry>) -> Answer {
        let union = union(of: top.pointee.shape)
        switch union.tagging {
        case .external:
            guard let index = union.find(name(of: entry)) else { return .go }
            if top.pointee.index >= 0 {
                let names = [top.pointee.index, index].map { union.cases[$0].names[0] }.joined(separator: " and ")
                return fail(.invalidValue(expected: union.expectation, reason: "it has \(names)"), at: .key)
            }
            return aimPayload(index, union)
        case .internal:
            aim(at: Self.stringRecord, top.pointee.base)
        case .adjacent:
            if entry.pointee.field == 0 {
                aim(at: Self.stringRecord, top.pointee.base)
            } else if top.pointee.index >= 0 {
                return aimPayload(top.pointee.index, union)
            } else {
                return captureMembers()
            }
        case .untagged: break
        }
        return .go
    }

    nonisolated(unsafe) private static let stringRecord = UnsafePointer(JSONShape.of(String.self).record)

    private mutating func aimPayload(_ index: Int, _ union: CompiledUnion) -> Answer {
        top.pointee.index = index
        guard let record = union.cases[index].record else {
            kind = .skip
            return .go
        }
        if top.pointee.mask & Self.payloadBit != 0 { destroyUnion(top) }
        aim(at: record, top.pointee.base + CompiledUnion.payloadOffset)
        return .go
    }

    /// A key that is none of the enum's.
    mutating func unknownUnionKey(_ key: String) -> Answer {
        let union = union(of: top.pointee.shape)
        kind = .skip
        if top.pointee.index >= 0 { return .go }
        switch union.tagging {
        case .external:
            guard let fallback = union.fallback else {
                let reason = "\"\(key)\" is none of its cases"
                return fail(.invalidValue(expected: union.expectation, reason: reason), at: .key)
            }
            fillFallback(fallback, key, union)
            return .go
        case .internal: return captureMembers()
        case .adjacent, .untagged: return .go
        }
    }

    private mutating func captureMembers() -> Answer {
        capturedFor = .node
        isCapturing = true
        skipDepth = 1
        kind = .skip
        return .captureMembers
    }

    /// The case for what is unknown: its value is the tag, or there is none.
    private mutating func fillFallback(_ index: Int, _ tag: String, _ union: CompiledUnion) {
        top.pointee.index = index
        guard union.fallbackValue == .tag, let record = union.cases[index].record else { return }
        let address = top.pointee.base + CompiledUnion.payloadOffset
        address.initializeMemory(as: String.self, to: tag)
        record.injectTag(address)
        top.pointee.mask |= Self.payloadBit
    }

    /// The value of one of the enum's own keys is there.
    mutating func completedUnionKey(_ entry: UnsafePointer<FieldEntry>) -> Answer {
        let union = union(of: top.pointee.shape)
        if union.tagging == .external || entry.pointee.field > 0 {
            top.pointee.mask |= Self.payloadBit
            return .go
        }
        let name = top.pointee.base.assumingMemoryBound(to: String.self).move()
        guard let index = union.find(name) else {
            guard let fallback = union.fallback else {
                let reason = "\"\(name)\" is none of its cases"
                return fail(.invalidValue(expected: union.expectation, reason: reason))
            }
            fillFallback(fallback, name, union)
            return .go
        }
        top.pointee.index = index
        guard case .internal = union.tagging, let record = union.cases[index].record else { return .go }
        // The rest of this object is the value's: the frame goes on as that of the value's place.
        top.pointee.form = .wrapped
        top.pointee.owner = top
        wrapCount += 1
        aim(at: record, top.pointee.base)
        return startObject()
    }

    // MARK: `}`

    mutating func endUnion() -> Answer {
        let frame = top
        let record = frame.pointee.shape
        let union = union(of: record)
        guard frame.pointee.index >= 0 else {
            switch union.tagging {
            case .internal(let tag), .adjacent(let tag, _): return fail(.missingKeys([tag]), at: .closing)
            default: return fail(.invalidValue(expected: union.expectation, reason: "it has no case"), at: .closing)
            }
        }
        if !failedFields.isEmpty, failedFields[top - frames] != nil { return discard() }
        let one = union.cases[frame.pointee.index]
        let payload = frame.pointee.base + CompiledUnion.payloadOffset
        if let inner = one.record, frame.pointee.mask & Self.payloadBit == 0 {
            guard let none = inner.pointee.none else {
                if case .adjacent(_, let content) = union.tagging {
                    return fail(.missingKeys([content]), at: .closing)
                }
                return fail(
                    .nullValue(expected: inner.pointee.shape.takeUnretainedValue().expectation), at: .closing)
            }
            payload.copyMemory(from: none, byteCount: inner.pointee.size)
        }
        frame.pointee.mask = 0
        one.declared.make(payload, frame.pointee.target)
        return finishUnion(record, frame.pointee.target)
    }

    /// The enum is made, and its frame is still on top.
    private mutating func finishUnion(
        _ record: UnsafePointer<ShapeRecord>, _ target: UnsafeMutableRawPointer
    ) -> Answer {
        record.injectTag(target)
        let shape = record.pointee.shape.takeUnretainedValue()
        do { for hooks in hooks(of: record) { try hooks.afterDecoding(target) } } catch {
            shape.destroy(target, 1)
            return fail(thrown: error, at: .closing)
        }
        return pop()
    }

    private func hooks(of record: UnsafePointer<ShapeRecord>) -> [ModelHooks] {
        record.pointee.table?.pointee.plan?.takeUnretainedValue().blueprint.hooks ?? []
    }

    mutating func destroyUnion(_ frame: UnsafeMutablePointer<Frame>) {
        guard frame.pointee.mask & Self.payloadBit != 0, frame.pointee.index >= 0 else { return }
        let record = union(of: frame.pointee.shape).cases[frame.pointee.index].record
        record?.pointee.shape.takeUnretainedValue().destroy(frame.pointee.base + CompiledUnion.payloadOffset, 1)
        frame.pointee.mask &= ~Self.payloadBit
    }

    // MARK: A string

    /// A case without a value, by its name.
    mutating func unionString(_ name: String) -> Answer {
        let union = union(of: shape)
        if case .known(let index) = knownCase, union.cases[index].record != nil {
            return wrapKnown(index, union, name)
        }
        knownCase = .unknown
        guard union.tagging == .external else { return fail(.mismatch, found: "a string", at: .value) }
        if let index = union.find(name) {
            guard union.cases[index].record == nil else {
                let reason = "\"\(name)\" needs a value: {\"\(name)\": …}"
                return fail(.invalidValue(expected: union.expectation, reason: reason))
            }
            return makeUnion(index, of: union, payload: target)
        }
        guard let fallback = union.fallback else {
            let reason = "\"\(name)\" is none of its cases"
            return fail(.invalidValue(expected: union.expectation, reason: reason))
        }
        if union.fallbackValue == .nothing { return makeUnion(fallback, of: union, payload: target) }
        return wrapKnown(fallback, union, name)
    }

    private mutating func wrapKnown(_ index: Int, _ union: CompiledUnion, _ text: String) -> Answer {
        knownCase = .unknown
        wrapPayload(index, union)
        var text = text
        return text.withUTF8 { bytes in
            string(bytes.baseAddress.unsafelyUnwrapped, bytes.count, isASCII: bytes.allSatisfy { $0 < 0x80 })
        }
    }

    private mutating func makeUnion(
        _ index: Int, of union: CompiledUnion, payload: UnsafeMutableRawPointer
    ) -> Answer {
        union.cases[index].declared.make(payload, target)
        shape.injectTag(target)
        return completed()
    }

    // MARK: Captured text

    /// The text of an enum is there: which case it is shows now.
    mutating func decideUnion(_ bytes: [UInt8]) -> Answer {
        let isMembers = capturedFor == .node
        if isMembers {
            // The object's frame goes: its text is read as a whole again.
            let closed = top
            scratch.restore(closed.pointee.mark)
            top = closed - 1
            (kind, shape, target) = (.union, closed.pointee.shape, closed.pointee.target)
        } else {
            kind = .union
        }
        let union = union(of: shape)
        if union.tagging == .untagged { return tryCases(bytes, union) }
        switch union.caseOf(bytes, decoder) {
        case .success(let index?): knownCase = .known(index)
        case .success(nil):
            guard let fallback = union.fallback else {
                knownCase = .looked
                break
            }
            if union.fallbackValue == .whole {
                wrapPayload(fallback, union)
            } else {
                knownCase = .looked
            }
        case .failure: knownCase = .looked
        }
        if isMembers, knownCase == .looked { return refuseTag(bytes, union) }
        let answer = replay(bytes)
        knownCase = .unknown
        return answer
    }

    /// The tag of an object is missing, no string, or unknown.
    private mutating func refuseTag(_ bytes: [UInt8], _ union: CompiledUnion) -> Answer {
        knownCase = .unknown
        let (tag, name) = union.tag(of: bytes, decoder)
        guard let name else { return fail(.missingKeys([tag]), in: bytes) }
        guard let fallback = union.fallback else {
            let reason = "\"\(name)\" is none of its cases"
            return fail(.invalidValue(expected: union.expectation, reason: reason), in: bytes)
        }
        if union.fallbackValue == .nothing { return makeUnion(fallback, of: union, payload: target) }
        return wrapKnown(fallback, union, name)
    }

    /// Something is wrong with captured text as a whole: its place is where that begins.
    private mutating func fail(_ kind: JSONIssue.Kind, in bytes: [UInt8]) -> Answer {
        var made = issue(kind)
        made.isInner = true
        made.excerpt = String(decoding: bytes.prefix(1), as: UTF8.self) + (bytes.count > 1 ? "…" : "") + "\n^"
        failure = made
        return raise(at: .value)
    }

    /// An enum whose cases are told apart by their content: the first that the text fits.
    private mutating func tryCases(_ bytes: [UInt8], _ union: CompiledUnion) -> Answer {
        var reasons: [String] = []
        let payload = UnsafeMutableRawPointer.allocate(byteCount: union.size, alignment: 64)
        defer { payload.deallocate() }
        for (index, one) in union.cases.enumerated() {
            guard let declared = one.declared.payload else { continue }
            do {
                try decoder.decodeNested(declared, bytes, into: payload)
                return makeUnion(index, of: union, payload: payload)
            } catch {
                reasons.append("\(one.declared.name): \(error.error.issues[0].kind.message)")
            }
        }
        if let index = union.unitCase(named: bytes) { return makeUnion(index, of: union, payload: payload) }
        if let fallback = union.fallback, union.cases[fallback].record == nil {
            return makeUnion(fallback, of: union, payload: payload)
        }
        let expected = "one of the cases of \(shape.pointee.shape.takeUnretainedValue().typeName)"
        return fail(.invalidValue(expected: expected, reason: reasons.joined(separator: "; ")), in: bytes)
    }
}

extension CompiledUnion {
    /// Whether an object of this case, known beforehand, is the value itself.
    fileprivate func hasPayloadAtOnce(_ index: Int) -> Bool {
        guard cases[index].record != nil else { return false }
        if case .internal = tagging { return true }
        return index == fallback && fallbackValue == .whole
    }

    /// The case that an object's tag names; nil if it is unknown.
    fileprivate func caseOf(_ bytes: [UInt8], _ decoder: JSONModelDecoder) -> Result<Int?, JSONModelError> {
        if tagging == .external {
            if let name = try? decoder.plain.decode(String.self, from: bytes) { return .success(find(name)) }
            guard let members = try? decoder.plain.decode([String: JSONRaw].self, from: bytes) else {
                return .success(nil)
            }
            let known = members.keys.compactMap { find($0) }
            // Read as any other object then; its case shows by its key.
            return known.isEmpty ? .success(nil) : .failure(JSONModelError(issues: []))
        }
        guard let name = tag(of: bytes, decoder).name else {
            return fallbackValue == .whole ? .success(nil) : .failure(JSONModelError(issues: []))
        }
        guard let index = find(name) else {
            return fallbackValue == .whole ? .success(nil) : .failure(JSONModelError(issues: []))
        }
        return .success(index)
    }

    /// The tag's key, and its value in an object; nil if it is missing or no string.
    fileprivate func tag(of bytes: [UInt8], _ decoder: JSONModelDecoder) -> (key: String, name: String?) {
        switch tagging {
        case .internal(let tag), .adjacent(let tag, _):
            let path = JSONPath([.key(tag)]).description
            return (tag, try? decoder.plain.decode(String.self, from: bytes, at: path))
        case .external, .untagged: return ("", nil)
        }
    }

    /// A case without a value, of which the text is the name.
    fileprivate func unitCase(named bytes: [UInt8]) -> Int? {
        guard let name = try? JSONModelDecoder().decode(String.self, from: bytes), let index = find(name) else {
            return nil
        }
        return cases[index].record == nil ? index : nil
    }
}

extension JSONModelDecoder {
    /// With the same limits, and no other options.
    fileprivate var plain: JSONModelDecoder {
        var plain = JSONModelDecoder()
        plain.source = .scanner
        plain.limits = limits
        return plain
    }
}
