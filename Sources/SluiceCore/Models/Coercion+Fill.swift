extension JSONShape {
    /// Writes a scalar, with the conversions that `coercion` allows. A scalar that strict conversion accepts is written
    /// unchanged.
    ///
    /// - Throws: The ``JSONModelError/ConversionFailure`` of strict conversion if the coercion does not apply either, or the
    ///   error of the type's own closure.
    func fill(
        _ target: UnsafeMutableRawPointer, with scalar: borrowing JSONScalar, coercion: JSONCoercion
    ) throws {
        let kind = layout.pointee.kind
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
        LayoutReference(layout).injectTag(target)
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
    /// The scalar as a string: the contents of a string, or the JSON of another scalar.
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

/// Calls a type's closure with a scalar, then with the scalars that the coercion allows instead.
private struct Rereading {
    let shape: JSONShape
    let target: UnsafeMutableRawPointer
    let coercion: JSONCoercion
    /// The reason for the last refusal. The refusal of an accepted kind of scalar replaces a mismatch.
    var problem = JSONModelError.ConversionFailure.mismatch

    mutating func read(_ scalar: borrowing JSONScalar) throws {
        if try takes(scalar) { return }
        let isOfAnotherKind = problem == .mismatch
        let coercion = coercion
        switch scalar.content {
        case .string(let text):
            // A type that reads strings has refused this one. A number at its start would hide that refusal.
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
            try LayoutReference(shape.layout).withScalar { try $0.read(scalar, target) }
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

    /// Calls the closure again without the fraction if the fraction was the reason for the refusal.
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
    /// Calls the body with the integer part of this number, which must have a fraction.
    fileprivate func withoutFraction<R>(_ body: (NumberToken) throws -> R) rethrows -> R {
        // The first digit of the mantissa has the weight of this power of ten, less one. A truncated mantissa lacks digits
        // that the token's bytes contain.
        let known = isTruncated ? Self.mantissaDigits : String(mantissa).utf8.count
        let wholeDigits = known &+ exponent
        guard wholeDigits > 0 else { return try body(.zero) }
        // An exponent adds zeros beyond the token's bytes, so the number has no fraction, whatever the closure reports.
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
