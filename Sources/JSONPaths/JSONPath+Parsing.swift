extension JSONPath {
    /// The reason why a string is not a path.
    package enum Flaw: Error, Equatable {
        case emptyKey
        case badEscape(String)
        case badQuotedEscape(String)
        case unclosedQuote
        case unclosedBracket
        case badIndex(String)
        case missingDot

        /// The reason as the end of a message about the string.
        package var reason: String {
            switch self {
            case .emptyKey: "a key is empty; the empty key is '[\"\"]'"
            case .badEscape(let text): "'\(text)' is not an escape; use '\\.', '\\\\', '\\[', '\\]' or '\\*'"
            case .badQuotedEscape(let text): "'\(text)' is not an escape of a JSON string"
            case .unclosedQuote: "a quoted key has no end, or is not followed by ']'"
            case .unclosedBracket: "'[' has no matching ']'"
            case .badIndex(let text): "'[\(text)]' is neither an index from 0, nor '[*]', nor a key in quotes"
            case .missingDot: "']' must be followed by '.', '[' or the end of the path"
            }
        }
    }

    /// Parses a path. Characters are compared as Unicode scalars, so that a dot before a combining mark is a separator.
    package init(checking text: String) throws(Flaw) {
        var parser = Parser(text)
        self.init(try parser.components())
    }

    /// Returns the message about a string that is not a path: the string, the reason, and the part before the error.
    package static func message(about text: String, _ flaw: Flaw) -> String {
        var parser = Parser(text)
        _ = try? parser.components()
        let before = String(text[..<parser.start])
        let location = before.isEmpty ? "at its beginning" : "after '\(before)'"
        return "'\(text)' is not a path: \(flaw.reason), \(location)"
    }
}

private struct Parser {
    private(set) var rest: Substring.UnicodeScalarView
    /// The start of the current component or escape.
    private(set) var start: String.Index

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
        start = text.startIndex
    }

    mutating func components() throws(JSONPath.Flaw) -> [JSONPath.Component] {
        var components: [JSONPath.Component] = []
        // `$` is the root only before a dot, a bracket or the end. `$ref` is an ordinary key.
        if rest.first == "$" {
            switch rest.dropFirst().first {
            case nil: return []
            case ".":
                rest.removeFirst(2)
                components.append(try key())
            case "[": rest.removeFirst()
            default: break
            }
        }
        if components.isEmpty, let first = rest.first, first != "[" { components.append(try key()) }
        while let next = rest.first {
            start = rest.startIndex
            rest.removeFirst()
            switch next {
            case "[": components.append(try bracket())
            case ".": components.append(try key())
            default: throw .missingDot
            }
        }
        return components
    }

    private mutating func key() throws(JSONPath.Flaw) -> JSONPath.Component {
        start = rest.startIndex
        var key = String.UnicodeScalarView()
        var isEscaped = false
        while let next = rest.first, next != ".", next != "[" {
            if next == "\\" { start = rest.startIndex }
            rest.removeFirst()
            guard next == "\\" else {
                key.append(next)
                continue
            }
            guard let escaped = rest.popFirst() else { throw .badEscape("\\") }
            guard "\\.[]*".unicodeScalars.contains(escaped) else { throw .badEscape("\\\(escaped)") }
            key.append(escaped)
            isEscaped = true
        }
        guard !key.isEmpty else { throw .emptyKey }
        return String(key) == "*" && !isEscaped ? .anyKey : .key(String(key))
    }

    /// Parses the rest of `[0]`, `[*]` or `["key"]`.
    private mutating func bracket() throws(JSONPath.Flaw) -> JSONPath.Component {
        if let quote = rest.first, quote == "\"" || quote == "'" {
            rest.removeFirst()
            return .key(try quotedKey(quote))
        }
        guard let end = rest.firstIndex(of: "]") else { throw .unclosedBracket }
        let text = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if text == "*" { return .anyIndex }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(text) else {
            throw .badIndex(text)
        }
        return .index(index)
    }

    /// Parses a key up to its quote and the bracket. The escapes are those of JSON, and the single quote.
    private mutating func quotedKey(_ quote: Unicode.Scalar) throws(JSONPath.Flaw) -> String {
        var key = String.UnicodeScalarView()
        while let next = rest.popFirst() {
            if next == quote {
                guard rest.popFirst() == "]" else { throw .unclosedQuote }
                return String(key)
            }
            key.append(next == "\\" ? try quotedEscape() : next)
        }
        throw .unclosedQuote
    }

    private mutating func quotedEscape() throws(JSONPath.Flaw) -> Unicode.Scalar {
        guard let escaped = rest.popFirst() else { throw .unclosedQuote }
        switch escaped {
        case "\"", "'", "\\", "/": return escaped
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let first = try codeUnit()
            guard UTF16.isLeadSurrogate(first) else { return try scalar([first]) }
            guard rest.popFirst() == "\\", rest.popFirst() == "u" else {
                throw .badQuotedEscape("\\u" + hexadecimal(first))
            }
            return try scalar([first, try codeUnit()])
        default: throw .badQuotedEscape("\\\(escaped)")
        }
    }

    /// Parses the four hexadecimal digits of an escape.
    private mutating func codeUnit() throws(JSONPath.Flaw) -> UInt16 {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
            let unit = UInt16(String(digits), radix: 16)
        else { throw .badQuotedEscape("\\u\(String(digits))") }
        return unit
    }

    private func scalar(_ units: [UInt16]) throws(JSONPath.Flaw) -> Unicode.Scalar {
        let text = String(validating: units, as: UTF16.self)
        guard let scalar = text?.unicodeScalars.first else {
            throw .badQuotedEscape(units.map { "\\u" + hexadecimal($0) }.joined())
        }
        return scalar
    }

    private func hexadecimal(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
