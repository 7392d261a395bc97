#if Macros

/// The components of a key such as `owner.login`, `$.items[0]` or `users.*`. `a\.b` is a key that contains a dot.
///
/// The core parses the key again at run time. The macro parses the key to report errors at the literal.
struct KeyText: Equatable {
    enum Component: Hashable {
        case key(String)
        case index(Int)
        /// All elements of an array, `[*]`.
        case every
        /// The values of all members of an object, `*`.
        case everyMember

        /// Whether the component selects several values.
        var isWildcard: Bool { self == .every || self == .everyMember }
    }

    enum Flaw: Error, Equatable {
        case empty
        case root
        case emptyComponent
        case unclosedIndex
        case badIndex(String)
        case textAfterIndex
        case badEscape(String)
    }

    private(set) var components: [Component] = []

    init(key: String) {
        components = [.key(key)]
    }

    /// Parses a key by Unicode scalars, like the core. A combining mark after a dot does not hide the dot.
    init(_ text: String) throws(Flaw) {
        var rest = Substring(text).unicodeScalars
        guard !rest.isEmpty else { throw .empty }
        guard text != "$" else { throw .root }
        // `$` is the root only before a dot or a bracket. `$ref` is an ordinary key.
        if rest.starts(with: "$.".unicodeScalars) {
            rest.removeFirst(2)
        } else if rest.starts(with: "$[".unicodeScalars) {
            rest.removeFirst()
        }
        if rest.first != "[" { try takeKey(from: &rest) }
        while let next = rest.popFirst() {
            switch next {
            case "[": try takeIndex(from: &rest)
            case ".": try takeKey(from: &rest)
            default: throw .textAfterIndex
            }
        }
    }

    private mutating func takeKey(from rest: inout Substring.UnicodeScalarView) throws(Flaw) {
        var key = String.UnicodeScalarView()
        var isEscaped = false
        while let next = rest.first, next != ".", next != "[" {
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
        guard !key.isEmpty else { throw .emptyComponent }
        components.append(String(key) == "*" && !isEscaped ? .everyMember : .key(String(key)))
    }

    private mutating func takeIndex(from rest: inout Substring.UnicodeScalarView) throws(Flaw) {
        guard let end = rest.firstIndex(of: "]") else { throw .unclosedIndex }
        let text = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        guard text != "*" else {
            components.append(.every)
            return
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let index = Int(text) else {
            throw .badIndex(text)
        }
        components.append(.index(index))
    }
}

extension KeyText: CustomStringConvertible {
    /// The path as written in source code, for messages.
    var description: String {
        components.indices.reduce(into: "") { text, position in
            switch components[position] {
            case .key(let key): text += (position == 0 ? "" : ".") + KeyText.escape(key)
            case .index(let index): text += "[\(index)]"
            case .every: text += "[*]"
            case .everyMember: text += position == 0 ? "*" : ".*"
            }
        }
    }

    func prefix(_ length: Int) -> KeyText {
        var copy = self
        copy.components = Array(components.prefix(length))
        return copy
    }

    /// Escapes a key so that parsing returns one component. Raw identifiers may contain dots and brackets.
    static func escape(_ key: String) -> String {
        if key == "*" { return "\\*" }
        return key.unicodeScalars.reduce(into: "") { text, scalar in
            if "\\.[]".unicodeScalars.contains(scalar) { text.append("\\") }
            text.unicodeScalars.append(scalar)
        }
    }
}
#endif
