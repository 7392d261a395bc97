// The schemas of the keys of dictionaries.

import SluiceCore

extension Schema {
    /// The schema of the keys of a dictionary; nil if any string is a key, or if only the code of the key's type knows the keys.
    ///
    /// The keys are all texts that a decoder accepts, or else those that an encoder writes.
    static func keys(_ keys: KeyWitness, form: JSONSchemaForm) -> Schema? {
        let isWide = form == .decoding
        if let texts = knownTexts(of: keys) {
            // Integers have several texts.
            let forms = isWide ? texts.compactMap { IntegerPattern.forms(of: $0) } : []
            if forms.count == texts.count, texts.allSatisfy({ keys.accepts(IntegerPattern.other($0)) }) {
                return pattern(forms)
            }
            return ["enum": .array(texts.map { .string($0) })]
        }
        let type = keys.textType
        if let type = type as? any FixedWidthInteger.Type { return pattern(IntegerPattern.range(of: type, isWide)) }
        if type is any BinaryFloatingPoint.Type {
            let digits = isWide ? #"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)"# : #"-?[0-9]+(\.[0-9]+)?"#
            return pattern(["\(digits)([eE][+-]?[0-9]+)?"])
        }
        var schema: Schema = [:]
        if let type = keys.type as? any JSONConvertible.Type, let stated = JSONShape.of(type).schemaHint?.schema {
            // A key may have each text that is decoded: dates that ISO 8601 cannot represent are written as numbers.
            let value = Schema(stated(form == .encoding ? .decoding : form))
            if value["type"] == "string" { schema = value }
            schema["type"] = nil
        }
        if let type = type as? any PatternedKey.Type { schema["pattern"] = pattern(type.keyPatterns)["pattern"] }
        return schema.keywords.isEmpty ? nil : schema
    }

    /// Returns the schema of strings that match one of several patterns as a whole.
    private static func pattern(_ forms: [String]) -> Schema {
        ["pattern": .string("^(\(forms.joined(separator: "|")))$")]
    }

    /// Returns the texts of the keys of an enum, and of `Bool`; nil for other types.
    private static func knownTexts(of keys: KeyWitness) -> [String]? {
        func texts<Keys: Collection>(of values: Keys) -> [String]? {
            values.isEmpty ? nil : values.map { value in withUnsafePointer(to: value) { keys.text($0) } }
        }
        func known<C: CaseIterable>(_: C.Type) -> [String]? { texts(of: C.allCases) }
        func unlisted<R: RawRepresentable>(_ type: R.Type) -> [String]? { texts(of: EnumCases.all(of: type)) }
        if keys.type == Bool.self { return texts(of: [false, true]) }
        if let type = keys.type as? any CaseIterable.Type { return known(type) }
        return (keys.type as? any RawRepresentable.Type).flatMap { unlisted($0) }
    }
}

/// The patterns of integers, which Swift also reads with a plus sign and with leading zeros.
private enum IntegerPattern {
    /// Returns another text of an integer.
    static func other(_ text: String) -> String { text.hasPrefix("-") ? "-0\(text.dropFirst())" : "+0\(text)" }

    /// Returns the pattern of all texts of an integer; nil if the text is no integer.
    static func forms(of text: String) -> String? {
        let digits = text.drop { $0 == "-" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if text == "0" { return "[+-]?0+" }
        return text.count > digits.count ? "-0*\(digits)" : "\\+?0*\(digits)"
    }

    /// Returns the patterns of the integers of a type.
    ///
    /// - Parameter isWide: Whether the texts are all that are read, or those that are written.
    static func range<T: FixedWidthInteger>(of _: T.Type, _ isWide: Bool) -> [String] {
        let (positive, negative) = (upTo(T.max.description, isWide), upTo("\(T.min.magnitude)", isWide))
        if isWide { return ["\\+?0*(\(positive))", T.isSigned ? "-0*(\(negative))" : "-0+"] }
        return ["0", positive] + (T.isSigned ? ["-(\(negative))"] : [])
    }

    /// Returns the pattern of the integers up to an integer of two or more digits.
    ///
    /// - Parameter hasZero: Whether the integers may be 0 or begin with zeros.
    private static func upTo(_ last: String, _ hasZero: Bool) -> String {
        let digits = last.compactMap(\.wholeNumberValue)
        func rest(_ count: Int) -> String { count < 2 ? ["", "[0-9]"][count] : "[0-9]{\(count)}" }
        // The integers with fewer digits, then those whose first different digit is smaller.
        var forms = [hasZero ? "[0-9]{1,\(digits.count - 1)}" : "[1-9][0-9]{0,\(digits.count - 2)}"]
        for (at, digit) in digits.enumerated() where digit > (at == 0 ? 1 : 0) {
            forms.append(last.prefix(at) + "[\(at == 0 ? 1 : 0)-\(digit - 1)]" + rest(digits.count - at - 1))
        }
        return (forms + [last]).joined(separator: "|")
    }
}
