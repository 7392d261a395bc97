extension JSONShape {
    /// Writes a scalar that strict conversion refused, as `coercion` allows. One that it would not refuse is
    /// written the same.
    ///
    /// - Throws: JSONModelError.ConversionFailure where it does not either, which is what strict conversion gives for the scalar
    ///   that was tried; or what the type's own closure throws.
    func fill(
        _ target: UnsafeMutableRawPointer, with scalar: borrowing JSONScalar, coercion: JSONCoercion
    ) throws {
        let kind = record.pointee.kind
        if coercion.rules == .strict { return try fill(target, with: scalar) }
        switch kind {
        case .scalar:
            var rereading = Rereading(shape: self, target: target, coercion: coercion)
            try rereading.read(scalar)
        case .string:
            target.initializeMemory(as: String.self, to: scalar.asString)
        case .bool:
            guard let value = scalar.asBool(by: coercion) else { throw JSONModelError.ConversionFailure.mismatch }
            target.initializeMemory(as: Bool.self, to: value)
        default:
            try Self.fillNumber(target, as: kind, with: scalar, coercion: coercion)
        }
        record.pointee.injectTag(target)
    }

    private static func fillNumber(
        _ target: UnsafeMutableRawPointer, as kind: ValueKind, with scalar: borrowing JSONScalar,
        coercion: JSONCoercion
    ) throws {
        func write(_ token: NumberToken) throws {
            guard let problem = token.fill(target, as: kind) else { return }
            guard problem == .notAnInteger, coercion.cutsFractions else { throw problem }
            try token.withoutFraction { whole in
                if let problem = whole.fill(target, as: kind) { throw problem }
            }
        }
        switch scalar.content {
        case .number(let token): try write(token)
        case .bool(let value): try write(value ? .one : .zero)
        case .string(let text):
            let isNumber: Void? = try coercion.withNumber(in: text, whole: false, write)
            if isNumber == nil { throw JSONModelError.ConversionFailure.mismatch }
        }
    }
}

extension JSONScalar {
    /// The scalar as text: what a string holds, what else stands in the JSON.
    fileprivate var asString: String {
        switch content {
        case .string(let utf8): String(checkedUTF8: utf8)
        case .number(let token): String(checkedUTF8: token.utf8)
        case .bool(let value): value ? "true" : "false"
        }
    }

    fileprivate func asBool(by coercion: JSONCoercion) -> Bool? {
        switch content {
        case .string(let text): coercion.bool(in: text)
        case .number(let token): coercion.bool(of: token)
        case .bool(let value): value
        }
    }
}

/// Asks a type's closure for a value, and again with what else the scalar may stand for.
private struct Rereading {
    let shape: JSONShape
    let target: UnsafeMutableRawPointer
    let coercion: JSONCoercion
    /// Why there is no value yet. A type that takes no such scalar says less than why it refused one that it takes.
    var problem = JSONModelError.ConversionFailure.mismatch

    mutating func read(_ scalar: borrowing JSONScalar) throws {
        if try takes(scalar) { return }
        let isOfAnotherKind = problem == .mismatch
        let coercion = coercion
        switch scalar.content {
        case .string(let text):
            // What takes strings has a reason to refuse this one, which a number that it begins with is not.
            let isTaken = try coercion.withNumber(in: text, whole: !isOfAnotherKind) { try takes($0) }
            if isTaken ?? false { return }
            if isOfAnotherKind, let value = coercion.bool(in: text), try takes(value) { return }
        case .number(let token):
            if try takesWhole(token) || takes(token.utf8) { return }
            if isOfAnotherKind, let value = coercion.bool(of: token), try takes(value) { return }
        case .bool(let value):
            if try takes(value ? NumberToken.one : .zero) || takes(value ? "true" : "false") { return }
        }
        throw problem
    }

    private mutating func takes(_ scalar: borrowing JSONScalar) throws -> Bool {
        do {
            try shape.read.unsafelyUnwrapped(scalar, target)
            return true
        } catch let refusal as JSONModelError.ConversionFailure {
            if problem == .mismatch { problem = refusal }
            return false
        }
    }

    private mutating func takes(_ token: NumberToken) throws -> Bool {
        if try takes(JSONScalar(content: .number(token))) { return true }
        return try takesWhole(token)
    }

    /// Tries again without the fraction where that is what was wrong.
    private mutating func takesWhole(_ token: NumberToken) throws -> Bool {
        guard problem == .notAnInteger, coercion.cutsFractions else { return false }
        problem = .mismatch
        return try token.withoutFraction { try takes(JSONScalar(content: .number($0))) }
    }

    private mutating func takes(_ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try takes(JSONScalar(content: .string(text)))
    }

    private mutating func takes(_ text: StaticString) throws -> Bool {
        try takes(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func takes(_ value: Bool) throws -> Bool {
        try takes(JSONScalar(content: .bool(value)))
    }
}

extension NumberToken {
    /// Calls the body with the integer that is left when the fraction of this number, which has one, is cut off.
    fileprivate func withoutFraction<R>(_ body: (NumberToken) throws -> R) rethrows -> R {
        // The mantissa's first digit is worth this power of ten less one. The digits behind it may be left out of
        // the mantissa, but then they stand in the text.
        let known = isTruncated ? Self.mantissaDigits : String(mantissa).utf8.count
        let wholeDigits = known &+ exponent
        guard wholeDigits > 0 else { return try body(.zero) }
        // More of them than the text has bytes are zeros of an exponent's: no fraction, whatever a closure says.
        guard wholeDigits <= count else { return try body(self) }
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wholeDigits + 1) { memory in
            memory[0] = UInt8(ascii: "-")
            let sign = isNegative ? 1 : 0
            memory[sign..<(sign + wholeDigits)].initialize(repeating: UInt8(ascii: "0"))
            for (place, digit) in significantDigits.prefix(wholeDigits).enumerated() {
                memory[sign + place] += UInt8(truncatingIfNeeded: digit)
            }
            let count = sign + wholeDigits
            return try body(NumberToken(checked: memory.baseAddress.unsafelyUnwrapped, count: count))
        }
    }
}
