/// The rules that convert scalars of one type to values of another, such as a number in quotes to a number.
///
/// A coercion applies to strings, numbers and booleans. An object, an array or `null` never becomes a scalar.
///
/// | from → to | ``strict`` | ``lenient`` | `mjExtension` |
/// |---|---|---|---|
/// | string → number | an error | the whole string is a number | the number at its start, else 0 |
/// | number → string | an error | its digits as in the JSON | the same |
/// | boolean → string | an error | `true` or `false` | the same |
/// | boolean → number | an error | 1 or 0 | the same |
/// | string → boolean | an error | true, yes, 1, false, no, 0 | true, yes, false, no, else a number other than 0 |
/// | number → boolean | an error | 1 or 0 | every number but 0 is true |
/// | fraction → integer | an error | an error | the fraction is cut off |
///
/// No conversion rounds: an integer and a `Decimal` are made from the digits themselves. A number that a type cannot hold
/// is an error under every coercion.
///
/// A type whose closure reads a scalar (``JSONShape/scalar(_:expecting:read:write:)``: a `Decimal`, a `Date`, an enum) receives
/// the unchanged scalar first. After a rejection, the closure receives a string as the number that the string represents,
/// a number as a string of its digits, and a boolean as the number 1 or 0 and as the string `true` or `false`.
/// A type that reads strings never receives the number at the start of a longer string.
public struct JSONCoercion: Sendable, Hashable {
    package enum Rules: Sendable { case strict, lenient, mjExtension }

    package let rules: Rules
    /// The separator between the integer part and the fraction of a number in a string.
    let decimalSeparator: Character

    /// No conversion: a value must have the type of its property. The default.
    public static let strict = JSONCoercion(rules: .strict, decimalSeparator: ".")

    /// The conversions that lose no information.
    ///
    /// A string is a number if its characters, except for JSON white space at both ends, are an optional sign, digits
    /// (leading zeros are allowed), an optional fraction and an optional exponent. `.5` and `5.` are numbers. The empty
    /// string, hexadecimal digits, thousands separators, `nan` and `inf` are not.
    ///
    /// The strings true, false, yes, no, 1 and 0 are booleans, in upper or lower case, with optional white space at both
    /// ends. A number is a boolean if its value is 1 or 0, as in `1.0` and `0e5`.
    public static let lenient = JSONCoercion(rules: .lenient, decimalSeparator: ".")

    /// The conversions of MJExtension: ``lenient``, and strings that are not numbers are converted as well.
    ///
    /// * A string is the number at its start: `40个` is 40. A string without a number at its start is 0.
    /// * The fraction of a number is cut off for an integer, inside and outside of strings: `120.5` is 120.
    /// * A string other than true, yes, false and no is a boolean by the number at its start: `2` is true, `0.0` and
    ///   `joking` are false.
    /// * A number other than 0 is true.
    /// * A property that is optional or has a default keeps nil or its default if the value cannot be converted. The
    ///   decoder's issue handler receives the issue.
    ///
    /// MJExtension loses values silently in two cases in which this coercion does not. A number that the type cannot hold is
    /// an error, not saturated or wrapped; and 99.99 becomes the string `99.99`, not `99.98999999999999`.
    @_documentation(visibility: internal) public static let mjExtension = mjExtension(decimalSeparator: ".")

    /// Returns `mjExtension` with another decimal separator in strings, as in some locales: with `,`,
    /// the string `20,3` is 20.3 and `20.3` is 20. JSON numbers are not affected.
    @_documentation(visibility: internal) public static func mjExtension(decimalSeparator: Character)
        -> JSONCoercion
    {
        JSONCoercion(rules: .mjExtension, decimalSeparator: decimalSeparator)
    }

    /// Whether a number with a fraction may become an integer.
    package var cutsFractions: Bool { rules == .mjExtension }

    /// Whether an optional property, or one with a default, stays unchanged if its value is of another type.
    package var keepsOnMismatch: Bool { rules == .mjExtension }
}

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
            var coercedRead = CoercedRead(shape: self, target: target, coercion: coercion)
            try coercedRead.read(scalar)
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
private struct CoercedRead {
    let shape: JSONShape
    let target: UnsafeMutableRawPointer
    let coercion: JSONCoercion
    /// The reason for the last rejection. The rejection of an accepted kind of scalar replaces a mismatch.
    var problem = JSONModelError.ConversionFailure.mismatch

    mutating func read(_ scalar: borrowing JSONScalar) throws {
        if try accepts(scalar) { return }
        let isOfAnotherKind = problem == .mismatch
        let coercion = coercion
        switch scalar.content {
        case .string(let text):
            // A type that reads strings has rejected this one. A number at its start would hide that rejection.
            let isAccepted = try coercion.withNumber(in: text, whole: !isOfAnotherKind) { try accepts($0) }
            if isAccepted ?? false { return }
            if isOfAnotherKind, let value = coercion.bool(in: text), try accepts(value) { return }
        case .number(let token):
            if try acceptsWithoutFraction(token) || accepts(token.utf8) { return }
            if isOfAnotherKind, let value = coercion.bool(of: token), try accepts(value) { return }
        case .bool(let value):
            if try accepts(value ? NumberToken.one : .zero) || accepts(value ? "true" : "false") { return }
        }
        throw problem
    }

    private mutating func accepts(_ scalar: borrowing JSONScalar) throws -> Bool {
        do {
            try LayoutReference(shape.layout).withScalar { try $0.read(scalar, target) }
            return true
        } catch let rejection as JSONModelError.ConversionFailure {
            if problem == .mismatch { problem = rejection }
            return false
        }
    }

    private mutating func accepts(_ token: NumberToken) throws -> Bool {
        if try accepts(JSONScalar(content: .number(token))) { return true }
        return try acceptsWithoutFraction(token)
    }

    /// Calls the closure again without the fraction if the fraction was the reason for the rejection.
    private mutating func acceptsWithoutFraction(_ token: NumberToken) throws -> Bool {
        guard problem == .notAnInteger, coercion.cutsFractions else { return false }
        problem = .mismatch
        return try token.withoutFraction { try accepts(JSONScalar(content: .number($0))) }
    }

    private mutating func accepts(_ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try accepts(JSONScalar(content: .string(text)))
    }

    private mutating func accepts(_ text: StaticString) throws -> Bool {
        try accepts(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func accepts(_ value: Bool) throws -> Bool {
        try accepts(JSONScalar(content: .bool(value)))
    }
}

extension NumberToken {
    /// Calls the body with the integer part of this number, which must have a fraction.
    fileprivate func withoutFraction<R>(_ body: (NumberToken) throws -> R) rethrows -> R {
        let wholeDigits = wholeDigitCount
        guard wholeDigits > 0 else { return try body(.zero) }
        // An exponent adds zeros beyond the token's bytes, so the number has no fraction, whatever the closure reports.
        guard wholeDigits <= count else { return try body(self) }
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wholeDigits + 1) { memory in
            memory[0] = UInt8(ascii: "-")
            let sign = isNegative ? 1 : 0
            memory[sign..<(sign + wholeDigits)].initialize(repeating: UInt8(ascii: "0"))
            for (index, digit) in significantDigits.prefix(wholeDigits).enumerated() {
                memory[sign + index] += UInt8(truncatingIfNeeded: digit)
            }
            let count = sign + wholeDigits
            return try body(NumberToken(checked: memory.baseAddress.unsafelyUnwrapped, count: count))
        }
    }
}

// MARK: Strings to numbers, and strings and numbers to booleans

extension JSONCoercion {
    /// Calls the body with the number in a string. Under the rules of MJExtension, and unless `whole` is true, a number at the
    /// start of the string is enough, and a string without one is 0.
    ///
    /// - Returns: The result of the body; nil if the string is not a number.
    func withNumber<R>(
        in text: UnsafeBufferPointer<UInt8>, whole: Bool, _ body: (NumberToken) throws -> R
    ) rethrows -> R? {
        if Self.isPlainNumber(text, separator: decimalSeparator) {
            return try body(NumberToken(checked: text.baseAddress.unsafelyUnwrapped, count: text.count))
        }
        let acceptsPrefix = rules == .mjExtension && !whole
        // The longest addition is a zero before the decimal point.
        return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 2) { memory in
            var number = LooseNumber(Self.trimmed(text), separator: decimalSeparator, into: memory)
            number.read()
            guard number.hasDigits, acceptsPrefix || number.isAtEnd else {
                return acceptsPrefix ? try body(.zero) : nil
            }
            return try body(NumberToken(checked: memory.baseAddress.unsafelyUnwrapped, count: number.count))
        }
    }

    /// Whether a text is a number by the JSON grammar, without an exponent.
    private static func isPlainNumber(_ text: UnsafeBufferPointer<UInt8>, separator: Character) -> Bool {
        var at = 0
        func digitsEnd(_ start: Int) -> Int {
            var end = start
            while end < text.count, text[end] &- UInt8(ascii: "0") < 10 { end &+= 1 }
            return end
        }
        if text.first == UInt8(ascii: "-") { at = 1 }
        let point = digitsEnd(at)
        // A number begins with one zero at most.
        guard point > at, point == at + 1 || text[at] != UInt8(ascii: "0") else { return false }
        if point == text.count { return true }
        guard text[point] == UInt8(ascii: "."), separator == "." else { return false }
        return point + 1 < text.count && digitsEnd(point + 1) == text.count
    }

    /// Returns the boolean that a string represents, or nil.
    func bool(in text: UnsafeBufferPointer<UInt8>) -> Bool? {
        let word = Self.trimmed(text)
        func isAny(of words: StaticString...) -> Bool { words.contains { Self.equals(word, $0) } }
        if isAny(of: "true", "yes") { return true }
        if isAny(of: "false", "no") { return false }
        if rules == .mjExtension { return withNumber(in: text, whole: false) { !$0.isZero } }
        if isAny(of: "1") { return true }
        return isAny(of: "0") ? false : nil
    }

    /// Returns the boolean that a number represents, or nil.
    func bool(of number: NumberToken) -> Bool? {
        if rules == .mjExtension { return !number.isZero }
        var value: Int8 = 0
        guard number.integer(Int8.self, into: &value) == .exact, value == 0 || value == 1 else { return nil }
        return value == 1
    }

    /// Removes the JSON white space at both ends.
    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>.SubSequence {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }
        var rest = text[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    /// Whether two strings are equal except for the case of ASCII letters. `word` must be lowercase.
    private static func equals(_ text: some Collection<UInt8>, _ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        return text.count == word.count
            && zip(text, word).allSatisfy { (0x41...0x5A).contains($0) ? $0 | 0x20 == $1 : $0 == $1 }
    }
}

extension NumberToken {
    var isZero: Bool { mantissa == 0 }

    static var zero: NumberToken { NumberToken("0") }
    static var one: NumberToken { NumberToken("1") }

    /// Creates the token of a literal, which is valid for the life of the process.
    private init(_ literal: StaticString) {
        self.init(checked: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// The bytes of the token, valid as long as the source guarantees.
    var utf8: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: text, count: count) }
}

/// Reads a number in the forms that people use in strings, and writes the number by the JSON grammar: without a plus
/// sign, without leading zeros, and with a digit on either side of the point.
private struct LooseNumber {
    private var rest: UnsafeBufferPointer<UInt8>.SubSequence
    private let separator: Character
    private let memory: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0
    /// Whether a digit was read. A string without digits is not a number.
    private(set) var hasDigits = false

    var isAtEnd: Bool { rest.isEmpty }

    init(
        _ text: UnsafeBufferPointer<UInt8>.SubSequence, separator: Character,
        into memory: UnsafeMutableBufferPointer<UInt8>
    ) {
        rest = text
        self.separator = separator
        self.memory = memory
    }

    mutating func read() {
        if consume(UInt8(ascii: "-")) { write(UInt8(ascii: "-")) } else { _ = consume(UInt8(ascii: "+")) }
        while let first = rest.first, first == UInt8(ascii: "0") {
            rest.removeFirst()
            hasDigits = true
        }
        let start = count
        copyDigits()
        if count == start { write(UInt8(ascii: "0")) }
        readFraction()
        if hasDigits { readExponent() }
    }

    private mutating func readFraction() {
        let text = separator.utf8
        guard rest.starts(with: text) else { return }
        let digits = rest.dropFirst(text.count)
        let hasFraction = digits.first.map(Self.isDigit) ?? false
        guard hasDigits || hasFraction else { return }
        rest = digits
        if hasFraction {
            write(UInt8(ascii: "."))
            copyDigits()
        }
    }

    /// Reads an exponent. A letter without further digits ends the number instead.
    private mutating func readExponent() {
        var digits = rest
        guard let letter = digits.popFirst(), letter | 0x20 == UInt8(ascii: "e") else { return }
        let sign = digits.first.flatMap { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") ? $0 : nil }
        if sign != nil { digits.removeFirst() }
        guard let first = digits.first, Self.isDigit(first) else { return }
        rest = digits
        write(letter)
        if let sign { write(sign) }
        copyDigits()
    }

    private mutating func copyDigits() {
        while let first = rest.first, Self.isDigit(first) {
            rest.removeFirst()
            write(first)
            hasDigits = true
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func write(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }
}
