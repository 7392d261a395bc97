// Scalars: one switch, the common kinds first and inlined into the source's loop.

extension Driver {
    /// A string, unescaped and valid.
    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> Answer {
        if kind == .string {
            target.initializeMemory(
                as: String.self,
                to: String(
                    checkedUTF8: UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII,
                    isSmallKnown: isSmallStringKnown))
            return completed()
        }
        if kind == .skip { return skipDepth == 0 ? skipped() : .go }
        return otherString(UnsafeBufferPointer(start: bytes, count: count), isASCII: isASCII)
    }

    /// A number whose grammar has been checked.
    @inline(__always)
    mutating func number(_ token: NumberToken) -> Answer {
        switch kind {
        case .double:
            if let value = token.floatingPoint(Double.self) {
                target.initializeMemory(as: Double.self, to: value)
                shape.pointee.injectTag(target)
                return completed()
            }
        case .int, .int64:
            if token.integer(Int64.self, into: target.assumingMemoryBound(to: Int64.self)) == .exact {
                shape.pointee.injectTag(target)
                return completed()
            }
        default: break
        }
        return otherNumber(token)
    }

    /// Whether a number would be looked at: if not, its text needs no scan.
    var wantsNumbers: Bool {
        @inline(__always) get { kind != .skip }
    }

    /// A number that nobody wants.
    @inline(__always)
    mutating func skippedNumber() -> Answer { skipDepth == 0 ? skipped() : .go }

    @inline(__always)
    mutating func bool(_ value: Bool) -> Answer {
        if kind == .bool {
            target.initializeMemory(as: Bool.self, to: value)
            return completed()
        }
        if kind == .skip { return skipDepth == 0 ? skipped() : .go }
        if kind == .value {
            target.initializeMemory(as: JSONValue.self, to: .bool(value))
            return completed()
        }
        return scalar(JSONScalar(content: .bool(value)))
    }

    @inline(__always)
    mutating func null() -> Answer {
        if kind == .skip { return skipDepth == 0 ? skipped() : .go }
        // The nil of a model's plain field is there already, from the template.
        if top.pointee.form == .object, shape.pointee.isOptional,
            top.pointee.entry.unsafelyUnwrapped.pointee.bit != 0,
            top.pointee.owner.pointee.form == .object
        {
            return .go
        }
        return wantedNull()
    }

    @inline(never)
    private mutating func wantedNull() -> Answer {
        let form = top.pointee.form
        if kind == .replace { return skipped() }
        // On the way to a field nothing is there, which the missing fields will tell.
        if kind == .node { return form == .root ? rootNull() : completed() }
        if shape.pointee.isOptional {
            if isField {
                // The nil is there already, from the template; a default is made at the end.
                return skipped()
            }
            target.copyMemory(from: shape.pointee.none.unsafelyUnwrapped, byteCount: shape.pointee.size)
            return completed()
        }
        if kind == .value {
            target.initializeMemory(as: JSONValue.self, to: .null)
            return completed()
        }
        if kind == .raw { return .capture }
        if isField, let table = top.pointee.owner.pointee.table, let entry = top.pointee.entry {
            let facts = table.pointee.fields[entry.pointee.field]
            // A default takes its place; a further candidate may follow.
            if facts.makeDefault != nil || facts.paths.count > 1 { return skipped() }
        }
        return fail(.nullValue(expected: expectation))
    }

    /// Whether the value at hand is for a field of a model.
    private var isField: Bool {
        guard top.pointee.form == .object || top.pointee.form == .indexes, let entry = top.pointee.entry else {
            return false
        }
        return entry.pointee.field >= 0 && top.pointee.owner.pointee.form != .root
    }

    private mutating func rootNull() -> Answer {
        isComplete = true
        return .go
    }

    @inline(never)
    private mutating func otherString(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) -> Answer {
        if kind == .replace {
            replace()
            return string(bytes.baseAddress.unsafelyUnwrapped, bytes.count, isASCII: isASCII)
        }
        if kind == .value {
            let text = String(checkedUTF8: bytes, isASCII: isASCII, isSmallKnown: isSmallStringKnown)
            target.initializeMemory(as: JSONValue.self, to: .string(text))
            return completed()
        }
        return scalar(JSONScalar(content: .string(bytes)))
    }

    @inline(never)
    private mutating func otherNumber(_ token: NumberToken) -> Answer {
        switch kind {
        case .skip: return skippedNumber()
        case .replace:
            replace()
            return number(token)
        case .value:
            target.initializeMemory(as: JSONValue.self, to: .number(JSONNumber(token)))
            return completed()
        case .scalar, .raw, .string, .bool: return scalar(JSONScalar(content: .number(token)))
        default:
            if let problem = token.fill(target, as: kind) {
                return fail(problem, found: "a number", text: token)
            }
            shape.pointee.injectTag(target)
            return completed()
        }
    }

    /// What closures make of a scalar, and what is wrong with one of the wrong type.
    @inline(never)
    private mutating func scalar(_ scalar: consuming JSONScalar) -> Answer {
        if kind == .replace {
            // Strings and numbers have been seen to: this is a boolean.
            replace()
            return bool(scalar.bool.unsafelyUnwrapped)
        }
        if kind == .raw { return .capture }
        guard kind == .scalar else { return fail(.mismatch, found: scalar.found, text: nil) }
        var token: NumberToken?
        if case .number(let number) = scalar.content { token = number }
        do {
            try shape.pointee.shape.takeUnretainedValue().read.unsafelyUnwrapped(scalar, target)
        } catch let problem as JSONScalarProblem {
            return fail(problem, found: scalar.found, text: token)
        } catch {
            var issue = issue(.thrown)
            issue.underlying = error
            failure = issue
            return .stop
        }
        shape.pointee.injectTag(target)
        return completed()
    }

    /// The verbatim text of a value that is to be a `JSONRaw`.
    mutating func captured(_ bytes: [UInt8]) -> Answer {
        isCapturing = false
        kind = .raw
        target.initializeMemory(as: JSONRaw.self, to: JSONRaw(unchecked: bytes))
        return completed()
    }
}
