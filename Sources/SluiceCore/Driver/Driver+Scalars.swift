// Scalars: one switch, with the common kinds first and inlined into the source's loop.

extension Driver {
    /// Handles a string, unescaped and valid.
    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        if case .store(.string) = disposition {
            let text = UnsafeBufferPointer(start: bytes, count: count)
            if count > SmallString.capacity, count <= SharedStrings.maximumLength {
                storeShared(text, isASCII: isASCII)
            } else {
                String.store(
                    checkedUTF8: text, isASCII: isASCII, isSmallKnown: sharedStrings.isSmallKnown, at: slot.address)
            }
            return completed()
        }
        if isSkipping { return skipped() }
        return otherString(UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII)
    }

    /// The same for a string of which 16 bytes can be read. No branch depends on the length of a small string, which the processor
    /// cannot predict.
    @inline(__always)
    mutating func string(readable bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        guard count <= SmallString.capacity, sharedStrings.isSmallKnown, case .store(.string) = disposition else {
            return string(bytes, count, isASCII: isASCII)
        }
        SmallString.store(readable: bytes, count, isASCII: isASCII, at: slot.address)
        return completed()
    }

    /// Stores a string that may be equal to an earlier one.
    @inline(never)
    private mutating func storeShared(_ text: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
        let field = top.entry.map { UInt(bitPattern: $0.pointer) } ?? UInt(bitPattern: top.layout.pointer)
        sharedStrings.store(text, isASCII: isASCII, of: field, at: slot.address)
    }

    /// Handles a number with checked grammar.
    @inline(__always)
    mutating func number(_ token: NumberToken) -> TokenAction {
        switch disposition {
        case .store(.double):
            if let value = token.floatingPoint(Double.self) {
                slot.initializePayload(to: value)
                return completed()
            }
        case .store(.int), .store(.int64):
            if token.integer(Int64.self, into: slot.memory(of: Int64.self)) == .exact {
                slot.markPresent()
                return completed()
            }
        default: break
        }
        return otherNumber(token)
    }

    @inline(__always)
    static var readsPlainNumbers: Bool { true }

    @inline(__always)
    mutating func plainNumber(at start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        let end: UnsafePointer<UInt8>
        switch disposition {
        case .store(.double):
            guard completesPlainly, let number = Double.plain(at: start), number.isComplete else { return nil }
            slot.initializePayload(to: number.value)
            end = number.end
        case .store(.int), .store(.int64):
            guard completesPlainly, let number = Int64.plain(at: start), number.isComplete else { return nil }
            slot.initializePayload(to: number.value)
            end = number.end
        default: return nil
        }
        markCompleted()
        return end
    }

    @inline(__always)
    mutating func bool(_ value: Bool) -> TokenAction {
        if case .store(.bool) = disposition {
            slot.initialize(to: value)
            return completed()
        }
        if isSkipping { return skipped() }
        if case .store(.value) = disposition {
            slot.initialize(to: JSONValue.bool(value))
            return completed()
        }
        return scalar(JSONScalar(content: .bool(value)))
    }

    @inline(__always)
    mutating func null() -> TokenAction {
        if isSkipping { return skipped() }
        // The template has already set the plain field of a model to nil.
        if top.form == .object, slot.layout.isOptional, top.currentEntry.presenceBit != 0,
            top.owner.form == .object, !session.rejectsDuplicates
        {
            return .proceed
        }
        return wantedNull()
    }

    @inline(never)
    private mutating func wantedNull() -> TokenAction {
        if disposition == .replace {
            // Null of another candidate has no effect on the value.
            if isField, let entry = top.entry { noteNull(of: entry) }
            return endWithoutValue()
        }
        // The fields below are missing. The end of the model reports them.
        if disposition == .descend {
            if top.owner == root { session.elements.endCounting() }
            if top.form != .root { return completed() }
            session.completeRoot()
            return .proceed
        }
        if kind == .converted, let values = slot.layout.shape.nullValues {
            values.makeNull(slot.address)
            // Any other candidate replaces the value.
            guard isField, let entry = top.entry, entry.isRanked else { return completed() }
            noteNull(of: entry)
            setFieldOfNull(entry)
            return endWithoutValue()
        }
        if isField, let info = top.fieldInfo, let action = nullOfField(info) { return action }
        if slot.layout.isOptional {
            slot.loadNil()
            return completed()
        }
        if kind == .converted, innerTakesNull { return beginConversion() ? null() : failNesting(at: .value) }
        if disposition == .record || kind == .union && isBuffered { return recordScalar() }
        if kind == .value {
            slot.initialize(to: JSONValue.null)
            return completed()
        }
        if isRecorded { return readToken(nil) }
        // Another candidate may follow.
        if isField, let info = top.fieldInfo, info.paths.count > 1 { return endWithoutValue() }
        if isField, let entry = top.entry, top.fieldInfo?.group != nil {
            return deferNull(of: entry)
        }
        return fail(.nullValue(expected: expectation), hint: nullHint)
    }

    /// Handles null for a required field of an optional flattened model: an error if the model is present.
    private mutating func deferNull(of entry: EntryReference) -> TokenAction {
        let issue = JSONIssue(kind: .nullValue(expected: expectation), hint: nullHint)
        announce(
            Failure(issue, at: .value), .defer(Candidate(field: entry.field, rank: entry.rank, isNullInGroup: true))
        )
        _ = endWithoutValue()
        return .handlePending
    }

    /// A hint that states how to allow null here; nil for the value that the caller requested, whose type no model declares.
    private var nullHint: String? {
        mutating get {
            if isField { return "make the property optional to allow it" }
            switch top.form {
            case .array: return "make the elements optional to allow it"
            case .pairs: return "make the values optional to allow it"
            default: return nil
            }
        }
    }

    /// Handles null for a field: uses the default, now or at the end, or nil. Returns nil if null is not allowed.
    private mutating func nullOfField(_ info: FieldInfo) -> TokenAction? {
        if disposition == .record, info.hook != nil, info.paths.count == 1 { return recordScalar() }
        // The presence bit of a field without candidates finds a duplicate key.
        let isNoted =
            session.rejectsDuplicates && info.group == nil && !top.currentEntry.isRanked
        if info.defaultsOnNull {
            if info.defaultsWhenMissing, !isNoted { return endWithoutValue() }
            info.makeDefault?(slot.address)
        } else if slot.layout.isOptional {
            // The template has already set the field to nil, but the key must not count as missing.
            if !info.defaultsWhenMissing, !isNoted { return endWithoutValue() }
        } else {
            return nil
        }
        setFieldOfNull(top.currentEntry)
        return endWithoutValue()
    }

    /// Whether the value from which this one is made may be null.
    private var innerTakesNull: Bool { slot.layout.element.map(Self.takesNull) ?? false }

    private static func takesNull(_ layout: LayoutReference) -> Bool {
        if layout.isOptional || layout.isAnyJSON { return true }
        guard layout.kind == .converted else { return false }
        return layout.shape.nullValues != nil || layout.element.map(takesNull) ?? false
    }

    /// Whether the current value belongs to a field of a model.
    var isField: Bool {
        mutating get {
            guard top.form == .object || top.form == .indexes, let entry = top.entry else { return false }
            return entry.field >= 0 && !entry.addsToContainer && top.owner.form != .root
        }
    }

    /// Whether the tokens or the bytes of the current value are stored.
    private var isRecorded: Bool { kind == .raw || kind == .recording }

    mutating func recordScalar() -> TokenAction {
        session.recorder.expectEnd(disposition == .record ? .field : kind == .union ? .union : .raw)
        return .record
    }

    @inline(never)
    private mutating func otherString(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> TokenAction {
        if disposition == .replace {
            replaceValue()
            return string(bytes.baseAddress!, bytes.count, isASCII: isASCII)
        }
        if slot.layout.readsText, kind != nil, !isReadingNestedText, !isCaseName(bytes) {
            return readNestedText(bytes)
        }
        if kind == .value {
            let text = String(checkedUTF8: bytes, isASCII: isASCII, isSmallKnown: sharedStrings.isSmallKnown)
            slot.initialize(to: JSONValue.string(text))
            return completed()
        }
        if kind == .converted {
            if let contents = slot.layout.contents { return beginNestedText(bytes, contents) }
            guard beginConversion() else { return failNesting(at: .value) }
            return string(bytes.baseAddress!, bytes.count, isASCII: isASCII)
        }
        if kind == .union, !isBuffered { return unionString(String(checkedUTF8: bytes)) }
        return scalar(JSONScalar(content: .string(bytes)))
    }

    /// Whether the string is the name of a case, and not the JSON of an enum: an object, a string, or null.
    private func isCaseName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard kind == .union, slot.layout.union?.tagging == .external else { return false }
        guard let start = bytes.firstIndex(where: { !$0.isBlank }) else { return true }
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "\"") { return false }
        guard slot.layout.isOptional, bytes[start...].starts(with: "null".utf8) else { return true }
        return !bytes[(start + 4)...].allSatisfy(\.isBlank)
    }

    @inline(never)
    private mutating func otherNumber(_ token: NumberToken) -> TokenAction {
        if disposition == .replace {
            replaceValue()
            return number(token)
        }
        switch disposition {
        case .skip: return skipped()
        case .store(.value):
            slot.initialize(to: JSONValue.number(JSONNumber(token)))
            return completed()
        case .store(.converted): return beginConversion() ? number(token) : failNesting(at: .value)
        case .record, .store(.scalar), .store(.raw), .store(.recording), .store(.union), .store(.string),
            .store(.bool):
            return scalar(JSONScalar(content: .number(token)))
        case .store(let kind):
            if let problem = token.fill(slot.address, as: kind) {
                return reject(JSONScalar(content: .number(token)), problem)
            }
            slot.markPresent()
            return completed()
        case .descend, .replace: return reject(JSONScalar(content: .number(token)), .mismatch)
        }
    }

    /// Reads a scalar with a closure, or fails for a scalar of the wrong type.
    @inline(never)
    private mutating func scalar(_ scalar: consuming JSONScalar) -> TokenAction {
        if disposition == .replace {
            // Only a boolean reaches this point.
            replaceValue()
            return bool(scalar.bool!)
        }
        if kind == .converted {
            // Only a boolean reaches this point.
            return beginConversion() ? bool(scalar.bool!) : failNesting(at: .value)
        }
        if kind == .union, let action = unionScalar(scalar) { return action }
        if isRecorded { return readToken(scalar.content) }
        if disposition == .record || kind == .union && isBuffered { return recordScalar() }
        guard kind == .scalar else { return reject(scalar, .mismatch) }
        do {
            try slot.layout.withScalar { try $0.read(scalar, slot.address) }
        } catch let problem as JSONModelError.ConversionFailure {
            return reject(scalar, problem)
        } catch {
            return fail(thrown: error, at: .value)
        }
        slot.markPresent()
        return completed()
    }

    /// Makes the fallback of the current value, or of the innermost value that is made from it and has a fallback. Returns nil if there is
    /// none.
    private mutating func makeFallback() -> TokenAction? {
        if kind == .scalar, let make = slot.layout.shape.makeFallback {
            make(slot.address)
            slot.markPresent()
            return completed()
        }
        var frame = top
        while case .converted(.conversion) = frame.state {
            guard let make = frame.layout.shape.makeFallback else {
                frame = frame.below
                continue
            }
            while top != frame { popConversion() }
            popConversion()
            make(slot.address)
            return completedConversion()
        }
        return nil
    }

    /// Whether the lenient coercion converts a scalar to a value of the current type.
    private func isConvertible(_ scalar: borrowing JSONScalar) -> Bool {
        // The reason for a failed attempt has no hint. A closure of the client is not called for a hint, and may reject the result.
        guard kind != .scalar, top.form != .converted, !session.recorder.isAttempting else { return false }
        let layout = slot.layout
        return layout.withTemporaryMemory { memory in
            guard (try? layout.shape.fill(memory, with: scalar, coercion: .lenient)) != nil else { return false }
            layout.destroy(memory)
            return true
        }
    }

    /// Converts a scalar of an unexpected type, or fails if the conversion is not allowed.
    @inline(never)
    private mutating func reject(_ scalar: borrowing JSONScalar, _ problem: JSONModelError.ConversionFailure)
        -> TokenAction
    {
        var problem = problem
        // An object or array on a path is not made from a scalar. The slot belongs to another value.
        let isOnPath = disposition == .descend
        let coercion = isOnPath ? .strict : coercion
        if coercion != .strict {
            do {
                try slot.layout.shape.fill(slot.address, with: scalar, coercion: coercion)
                return completed()
            } catch let other as JSONModelError.ConversionFailure {
                problem = other
            } catch {
                return fail(thrown: error, at: .value)
            }
        }
        // A number that the raw type cannot hold is an unknown raw value, unless the coercion has cut its fraction.
        if problem == .outOfRange || problem == .notAnInteger, !session.recorder.isExact,
            let action = makeFallback()
        {
            return action
        }
        if dropsSilently { return dropScalar() }
        var hint: String?
        if coercion == .strict, !isOnPath, case .mismatch = problem, isConvertible(scalar) {
            hint = "allowed with coercion: .lenient"
        }
        return fail(problem, found: scalar.found, text: scalar.shownNumber, hint: hint, at: .value)
    }
}
