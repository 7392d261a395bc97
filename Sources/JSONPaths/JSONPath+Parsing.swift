extension JSONPath {
    /// The reason why a string is not a path.
    package enum Flaw: Error, Equatable {
        case emptyKey
        case badEscape(String)
        case unclosedBracket
        case badIndex(String)
        case missingDot

        /// The reason as the end of a message about the string.
        package var reason: String {
            switch self {
            case .emptyKey: "a key is empty"
            case .badEscape(let text): "'\(text)' is not an escape; use '\\.', '\\\\', '\\[', '\\]' or '\\*'"
            case .unclosedBracket: "'[' has no matching ']'"
            case .badIndex(let text): "'[\(text)]' is neither an index from 0 nor '[*]'"
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

    /// Parses the rest of `[0]` or `[*]`.
    private mutating func bracket() throws(JSONPath.Flaw) -> JSONPath.Component {
        guard let end = rest.firstIndex(of: "]") else { throw .unclosedBracket }
        let text = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if text == "*" { return .anyIndex }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(text) else {
            throw .badIndex(text)
        }
        return .index(index)
    }
}
