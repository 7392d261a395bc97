/// JSON in the canonical form of RFC 8785, the JSON Canonicalization Scheme.
///
/// Equal values have equal bytes: no white space, keys in the order of their UTF-16 code units, numbers as ECMAScript prints the nearest
/// double, and no escape that is not necessary. The text is parsed to a tape, so that every writer of JSON has the same canonical form.
struct CanonicalText: ~Copyable {
    /// An open object or array.
    private enum Level {
        /// The entries of the keys in the order of the output, and the number of those that were written.
        case object(keys: [Int], count: Int)
        /// The entry of the next element, the entry after the last, and the number of elements that were written.
        case array(next: Int, end: Int, count: Int)
    }

    private let storage: RecordingStorage
    private var levels: [Level] = []
    private var out = OutputBuffer()

    /// Returns the canonical form of a JSON text.
    ///
    /// - Parameter origin: The origin of the text, which locates errors.
    /// - Throws: An error with a path, if an object has a duplicate key, or if no double has the value of a number.
    static func bytes(
        of text: UnsafeRawBufferPointer, origin: RecordingOrigin = .none
    ) throws(JSONModelError) -> [UInt8] {
        var canonical = CanonicalText(storage: RecordingStorage(text, origin: origin))
        try canonical.write()
        return Array(canonical.out.written)
    }

    private init(storage: RecordingStorage) { self.storage = storage }

    private var tape: TapeView { storage.tape }

    private mutating func write() throws(JSONModelError) {
        try value(Tape.root)
        while let level = levels.popLast() {
            switch level {
            case .object(let keys, let count):
                if count == keys.count {
                    out.close("}")
                    continue
                }
                levels.append(.object(keys: keys, count: count + 1))
                out.key(tape.string(tape[keys[count]]))
                try value(TapeView.value(ofKey: keys[count]))
            case .array(let next, let end, let count):
                if next == end {
                    out.close("]")
                    continue
                }
                levels.append(.array(next: tape.next(next), end: end, count: count + 1))
                out.comma()
                try value(next)
            }
        }
    }

    /// Writes a scalar or an opening bracket.
    private mutating func value(_ index: Int) throws(JSONModelError) {
        let entry = tape[index]
        out.reserve(64)
        switch entry.kind {
        case .object:
            out.open("{")
            levels.append(.object(keys: try sortedKeys(of: index), count: 0))
        case .array:
            out.open("[")
            levels.append(.array(next: index + 1, end: entry.value, count: 0))
        case .string: out.string(tape.string(entry))
        case .number: try number(index)
        case .true: out.literal("true")
        case .false: out.literal("false")
        case .null, .nonFinite, .key, .hiddenKey: out.literal("null")
        }
    }

    // MARK: Keys

    private func sortedKeys(of object: Int) throws(JSONModelError) -> [Int] {
        var keys: [Int] = []
        Recording(storage, at: object).forEachKey {
            keys.append($0)
            return true
        }
        keys.sort { Self.isBefore(tape.bytes(tape[$0]), tape.bytes(tape[$1])) }
        for (key, next) in zip(keys, keys.dropFirst())
        where tape.bytes(tape[key]).elementsEqual(tape.bytes(tape[next])) {
            throw failure(.duplicateKey(tape.string(tape[key])), at: max(key, next))
        }
        return keys
    }

    /// Whether the UTF-16 of a text is before that of another.
    private static func isBefore(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        for (byte, otherByte) in zip(one, other) where byte != otherByte { return rank(byte) < rank(otherByte) }
        return one.count < other.count
    }

    /// The rank of a byte of UTF-8 in the order of UTF-16: characters of four bytes are surrogates, which precede U+E000.
    private static func rank(_ byte: UInt8) -> Int {
        byte < 0xF0 ? Int(byte) * 16 : 0xED * 16 + Int(byte & 0xF) + 1
    }

    // MARK: Numbers

    /// Writes a number. Requires 64 reserved bytes.
    private mutating func number(_ index: Int) throws(JSONModelError) {
        let token = tape.number(index)
        guard let double = token.floatingPoint(Double.self) else {
            throw failure(
                .notEncodable("the canonical form has no number beyond the range of a double"), at: index)
        }
        let text = Self.text(of: double)
        if token.isInteger, double.magnitude >= 0x1p53, !token.utf8.elementsEqual(text),
            !token.hasMagnitude(of: double)
        {
            throw failure(
                .notEncodable("the canonical form has no integer that a double does not hold"), at: index)
        }
        // The text has at most 25 bytes: a sign, a fraction with six zeros and a point, and 17 digits.
        for byte in text { out.byte(byte) }
    }

    /// Returns a number as ECMAScript's `Number.prototype.toString` does.
    private static func text(of value: Double) -> [UInt8] {
        let (zero, dot) = (UInt8(ascii: "0"), UInt8(ascii: "."))
        if value == 0 { return [zero] }
        let decimal = ShortestDecimal(of: value.magnitude.bitPattern, in: Double.format).normalized
        let digits = Array(String(decimal.digits).utf8)
        var text: [UInt8] = value < 0 ? [UInt8(ascii: "-")] : []
        // The position of the point after the first digit, or the negative number of zeros after the point.
        let point = digits.count + decimal.exponent
        switch point {
        case digits.count...21: text += digits + Array(repeating: zero, count: point - digits.count)
        case 1...21: text += digits[..<point] + [dot] + digits[point...]
        case -5...0: text += [zero, dot] + Array(repeating: zero, count: -point) + digits
        default:
            text += digits[..<1] + (digits.count > 1 ? [dot] + digits[1...] : [])
            text += Array("e\(point > 0 ? "+" : "-")\(abs(point - 1))".utf8)
        }
        return text
    }

    // MARK: Errors

    private func failure(_ kind: JSONIssue.Kind, at entry: Int) -> JSONModelError {
        var issue = JSONIssue.encoding(kind)
        issue.path.components = levels.map { level in
            switch level {
            case .object(let keys, let count): .key(tape.string(tape[keys[count - 1]]))
            case .array(_, _, let count): .index(count - 1)
            }
        }
        if case .duplicateKey(let key) = kind { issue.path.components.append(.key(key)) }
        return JSONModelError(issues: [storage.located(issue, at: RecordedToken(entry: entry))])
    }
}

extension JSONRaw {
    /// Returns the JSON in the canonical form of RFC 8785. See ``JSONModelEncoder/Formatting/canonical``.
    ///
    /// - Parameter location: The location of the first byte in its document, for errors.
    /// - Throws: ``JSONModelError`` if an object has a duplicate key, or if no double has the value of a number.
    package func canonicalBytes(at location: JSONLocation) throws(JSONModelError) -> [UInt8] {
        try bytes.withUnsafeBytes { text in
            Result { () throws(JSONModelError) in
                try CanonicalText.bytes(of: text, origin: .input(location, context: []))
            }
        }.get()
    }
}
