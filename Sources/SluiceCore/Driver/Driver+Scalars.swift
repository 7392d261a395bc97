// Scalars: one switch, with the common kinds first and inlined into the source's loop.

extension Driver {
    /// Handles a string, unescaped and valid.
    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> TokenAction {
        if kind == .string {
            String.store(
                checkedUTF8: UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII,
                isSmallKnown: isSmallStringKnown, at: target)
            return completed()
        }
        if kind == .skip { return skipDepth == 0 ? passed() : .proceed }
        return otherString(UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII)
    }

    /// Handles a number with checked grammar.
    @inline(__always)
    mutating func number(_ token: NumberToken) -> TokenAction {
        switch kind {
        case .double:
            if let value = token.floatingPoint(Double.self) {
                target.initializeMemory(as: Double.self, to: value)
                shape.injectTag(target)
                return completed()
            }
        case .int, .int64:
            if token.integer(Int64.self, into: target.assumingMemoryBound(to: Int64.self)) == .exact {
                shape.injectTag(target)
                return completed()
            }
        default: break
        }
        return otherNumber(token)
    }

    @inline(__always)
    mutating func bool(_ value: Bool) -> TokenAction {
        if kind == .bool {
            target.initializeMemory(as: Bool.self, to: value)
            return completed()
        }
        if kind == .skip { return skipDepth == 0 ? passed() : .proceed }
        if kind == .value {
            target.initializeMemory(as: JSONValue.self, to: .bool(value))
            return completed()
        }
        return scalar(JSONScalar(content: .bool(value)))
    }

    @inline(__always)
    mutating func null() -> TokenAction {
        if kind == .skip { return skipDepth == 0 ? passed() : .proceed }
        // The template has already set the plain field of a model to nil.
        if top.pointee.form == .object, shape.pointee.isOptional,
            top.pointee.entry.unsafelyUnwrapped.pointee.presenceBit != 0,
            top.pointee.owner.pointee.form == .object
        {
            return .proceed
        }
        return wantedNull()
    }

    @inline(never)
    private mutating func wantedNull() -> TokenAction {
        let form = top.pointee.form
        if form == .elements, kind == .replace { replaceElement() }
        if kind == .replace {
            guard merging?.nulls == .clear else { return passed() }
            guard form == .update else { return removeField() }
            clearMember()
            return passed()
        }
        replaceValue()
        // The fields below are missing. The end of the model reports them.
        if kind == .node {
            if form == .root { return rootNull() }
            if top.pointee.owner.pointee.isMerged, merging?.nulls == .clear { removeFields(of: nodeTable) }
            return completed()
        }
        if kind == .wrapped, let values = shape.pointee.shape.takeUnretainedValue().nullValues {
            values.makeNull(target)
            // Any other candidate replaces the value.
            guard isField, let entry = top.pointee.entry, entry.pointee.isRanked else { return completed() }
            setFieldOfNull(entry)
            return passed()
        }
        if isField, let info = fieldInfo, let action = nullOfField(info) { return action }
        if shape.pointee.isOptional {
            target.copyMemory(from: shape.pointee.none.unsafelyUnwrapped, byteCount: shape.pointee.size)
            return completed()
        }
        if kind == .wrapped, innerTakesNull { return beginWrapped() ? null() : failWrapping(at: .value) }
        if kind == .tee || kind == .union && takesAnything { return captureScalar() }
        if kind == .value {
            target.initializeMemory(as: JSONValue.self, to: .null)
            return completed()
        }
        if kind == .raw { return captureScalar() }
        // Another candidate may follow.
        if isField, let info = fieldInfo, info.paths.count > 1 { return passed() }
        return fail(.nullValue(expected: expectation), hint: nullHint)
    }

    /// A hint how to allow the current null. The models cannot change a type that the caller asked for.
    private var nullHint: String? {
        if isField { return "make the property optional to allow it" }
        switch top.pointee.form {
        case .array, .elements: return "make the elements optional to allow it"
        case .pairs: return "make the values optional to allow it"
        default: return nil
        }
    }

    /// Handles null for a field: uses the default, now or at the end, or nil. Returns nil if null is not allowed.
    private mutating func nullOfField(_ info: FieldInfo) -> TokenAction? {
        if kind == .tee, info.hook != nil, info.paths.count == 1 { return captureScalar() }
        if info.defaultsOnNull {
            if info.defaultsWhenMissing { return passed() }
            info.makeDefault?(target)
        } else if shape.pointee.isOptional {
            // The template has already set the field to nil, but the key must not count as missing.
            if !info.defaultsWhenMissing { return passed() }
        } else {
            return nil
        }
        setFieldOfNull(top.pointee.entry.unsafelyUnwrapped)
        return passed()
    }

    /// Whether the value from which this one is made may be null.
    private var innerTakesNull: Bool {
        guard let inner = shape.pointee.element else { return false }
        if inner.pointee.isOptional || inner.pointee.kind == .value || inner.pointee.kind == .raw { return true }
        return inner.pointee.kind == .wrapped && inner.pointee.shape.takeUnretainedValue().nullValues != nil
    }

    /// Whether the current value belongs to a field of a model.
    private var isField: Bool {
        guard top.pointee.form == .object || top.pointee.form == .indexes, let entry = top.pointee.entry else {
            return false
        }
        return entry.pointee.field >= 0 && !entry.pointee.isAbsorbed && top.pointee.owner.pointee.form != .root
    }

    /// The field of the current value.
    var fieldInfo: FieldInfo? {
        guard let table = top.pointee.owner.pointee.table, let entry = top.pointee.entry,
            let plan = table.pointee.plan?.takeUnretainedValue(), plan.fields.indices.contains(entry.pointee.field)
        else { return nil }
        return plan.fields[entry.pointee.field]
    }

    private mutating func captureScalar() -> TokenAction {
        recordingPurpose = kind == .tee ? .field : kind == .union ? .union : .raw
        return .capture
    }

    private mutating func rootNull() -> TokenAction {
        isComplete = true
        return .proceed
    }

    @inline(never)
    private mutating func otherString(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> TokenAction {
        if replacesValue {
            replaceValue()
            return string(bytes.baseAddress.unsafelyUnwrapped, bytes.count, isASCII: isASCII)
        }
        if kind == .value {
            let text = String(checkedUTF8: bytes, isASCII: isASCII, isSmallKnown: isSmallStringKnown)
            target.initializeMemory(as: JSONValue.self, to: .string(text))
            return completed()
        }
        if kind == .wrapped {
            guard beginWrapped() else { return failWrapping(at: .value) }
            return string(bytes.baseAddress.unsafelyUnwrapped, bytes.count, isASCII: isASCII)
        }
        if kind == .union, !takesAnything { return unionString(String(checkedUTF8: bytes)) }
        return scalar(JSONScalar(content: .string(bytes)))
    }

    @inline(never)
    private mutating func otherNumber(_ token: NumberToken) -> TokenAction {
        if replacesValue {
            replaceValue()
            return number(token)
        }
        switch kind {
        case .skip: return skipped()
        case .value:
            target.initializeMemory(as: JSONValue.self, to: .number(JSONNumber(token)))
            return completed()
        case .wrapped: return beginWrapped() ? number(token) : failWrapping(at: .value)
        case .scalar, .raw, .tee, .union, .string, .bool: return scalar(JSONScalar(content: .number(token)))
        default:
            if let problem = token.fill(target, as: kind) {
                return refuse(JSONScalar(content: .number(token)), problem)
            }
            shape.injectTag(target)
            return completed()
        }
    }

    /// Reads a scalar with a closure, or fails for a scalar of the wrong type.
    @inline(never)
    private mutating func scalar(_ scalar: consuming JSONScalar) -> TokenAction {
        if replacesValue {
            // Strings and numbers do not get here.
            replaceValue()
            return bool(scalar.bool.unsafelyUnwrapped)
        }
        if kind == .wrapped {
            // Strings and numbers do not get here.
            return beginWrapped() ? bool(scalar.bool.unsafelyUnwrapped) : failWrapping(at: .value)
        }
        if kind == .raw || kind == .tee || kind == .union && takesAnything { return captureScalar() }
        guard kind == .scalar else { return refuse(scalar, .mismatch) }
        do {
            try shape.withScalar { try $0.read(scalar, target) }
        } catch let problem as JSONModelError.ConversionFailure {
            return refuse(scalar, problem)
        } catch {
            return fail(thrown: error, at: .value)
        }
        shape.injectTag(target)
        return completed()
    }

    /// Converts a scalar of an unexpected type, or fails if the conversion is not allowed.
    @inline(never)
    private mutating func refuse(_ scalar: borrowing JSONScalar, _ problem: JSONModelError.ConversionFailure)
        -> TokenAction
    {
        var problem = problem
        let coercion = coercion
        if coercion != .strict {
            do {
                try shape.pointee.shape.takeUnretainedValue().fill(target, with: scalar, coercion: coercion)
                return completed()
            } catch let other as JSONModelError.ConversionFailure {
                problem = other
            } catch {
                return fail(thrown: error, at: .value)
            }
        }
        return fail(problem, found: scalar.found, text: scalar.shownNumber, at: .value)
    }
}
